"""How a page's script begins: it opens a page, and whoever runs the script decides what that is.

In the app a page is drawn on the visitor's screen (``frame.Page``); without one it is only noted down
(``record.Recorder``), for files and the terminal. The script is the same, so what is exported is what is seen.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from pages.kit.text import Label, prose

Opener = Callable[[str], Any]

_opener: ContextVar[Opener] = ContextVar("opener")


def open_page(file: str) -> Any:
    """Start the page of the folder that the file is in."""
    return _opener.get()(Path(file).resolve().parent.name)


@contextmanager
def opened_by(opener: Opener) -> Iterator[None]:
    """Let pages whose scripts run within this block be what the opener makes of their folder's name."""
    token = _opener.set(opener)
    try:
        yield
    finally:
        _opener.reset(token)


class Reading:
    """What a concept's page says, in one language."""

    def __init__(self, concept: str, lang: str) -> None:
        self.concept = concept
        self.lang = lang
        self.prose = prose(concept, lang)

    def say(self, label: Label, **values: object) -> str:
        """The label in the page's language, its ``{names}`` filled in."""
        text = label(self.lang)
        return text.format(**values) if values else text
