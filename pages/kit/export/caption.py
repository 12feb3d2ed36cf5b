"""What is written round a figure in a file, and what the file is called."""

import hashlib
import re
from collections.abc import Hashable, Iterator
from typing import Any

from pages.kit.address import path
from pages.kit.figure import Figure
from pages.kit.settings import Choice, Setting, Words
from pages.kit.text import NBSP, Label, prose

SOURCE = Label(zh="来源：posenc，{address}", en="Source: posenc, {address}")

EQUALS = f"{NBSP}={NBSP}"
"""Between a setting's name and its value, so that no line ends there."""

LONGEST_NAME = 96
"""Characters of a file's name, so that a folder's path in front of it stays allowed everywhere."""


def title(figure: Figure) -> str:
    """The heading of the section that the figure stands in, else the claim of its page."""
    return figure.heading(figure.lang) if figure.heading else prose(figure.concept, figure.lang)["title"]


def caption(figure: Figure) -> str:
    """The settings that the figure is drawn at, by their names on screen."""
    return " · ".join(
        f"{_short(setting.label(figure.lang))}{EQUALS}{_told(setting, value, figure.lang)}"
        for setting, value in figure.settings.values()
    )


def source(figure: Figure, home: str = "", *, with_state: bool = True) -> str:
    """Where the figure is from.

    Args:
        figure: At its state.
        home: The server's own address, if it is known.
        with_state: Whether the address says at which state, or the page alone.
    """
    place = address(figure) if with_state else address(figure).partition("?")[0]
    return SOURCE(figure.lang, address=home.rstrip("/") + place)


def address(figure: Figure) -> str:
    """The path of the figure's page at its state. Settings at their default are left out."""
    state = {"lang": figure.lang, **{name: str(value) for name, value in _set(figure)}}
    return path(figure.concept, state)


def file_name(figure: Figure, suffix: str) -> str:
    """Concept, figure, settings that are not at their default, language. Plain ASCII that any system takes."""
    parts = [figure.concept, figure.name, *(_named(name, value) for name, value in _set(figure))]
    stem = "-".join(parts)
    if len(stem) > LONGEST_NAME:
        stem = f"{stem[: LONGEST_NAME - 7]}-{_digest(stem)}"
    return f"{stem}-{figure.lang}.{suffix}"


def _set(figure: Figure) -> Iterator[tuple[str, Any]]:
    return ((name, value) for name, (setting, value) in figure.settings.items() if value != setting.default)


def _named(name: str, value: Hashable) -> str:
    """A whole number right after its setting's name, a word after a line; any other text is only told apart."""
    written = str(value)
    if isinstance(value, int):
        return f"{name}{written}"
    return f"{name}_{written if re.fullmatch(r'[a-z0-9_]{1,24}', written) else _digest(written)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:6]


def _short(label: str) -> str:
    """A label without the remark in brackets at its end."""
    return re.sub(r"\s*[(（][^)）]*[)）]$", "", label)


def _told(setting: Setting[Any], value: Any, lang: str) -> str:
    if isinstance(setting, Words):
        return " ".join(setting.words(value, lang))
    return setting.show(value, lang) if isinstance(setting, Choice) else f"{value:,}".replace("-", "−")
