"""How a page's script begins: it opens a page, and whoever runs the script decides what that is.

In the app a page is drawn on the visitor's screen (``frame.Page``); without one it is only noted down
(``record.Recorder``), for files and the terminal. The script is the same, so what is exported is what is seen.
"""

from collections import ChainMap
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from pages.kit.cache import Computation
from pages.kit.settings import Setting, Whole
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
        self._chosen: ChainMap[str, Setting[Any]] = ChainMap()
        self._moved_live: set[str] = set()

    def say(self, label: Label, **values: object) -> str:
        """The label in the page's language, its ``{names}`` filled in."""
        return label(self.lang, **values)

    def _note_setting(self, setting: Setting[Any], *, is_handle: bool = False) -> None:
        """Note that this part of the page has a control for the setting, or a figure with a handle for it."""
        self._chosen[setting.name] = setting
        if is_handle:
            self._moved_live.add(setting.name)

    def _part(self, part: Callable[[], None]) -> Callable[[], None]:
        """The part, so that settings noted in it count for it and for the parts within it alone."""
        around = self._chosen

        def run() -> None:
            before, self._chosen = self._chosen, around.new_child()
            try:
                part()
            finally:
                self._chosen = before

        return run

    def _settings_of(
        self, inputs: Mapping[str, Hashable], handles: Mapping[str, Any], regardless: Collection[str]
    ) -> dict[str, Setting[Any]]:
        """The settings that a figure depends on: those of its part and of the parts around it, then its own handles.

        Handles of other figures count only where the figure is drawn from something of that name. A setting that has
        a single value tells nothing.
        """
        named = set(inputs)
        for given in inputs.values():
            named |= dict(given.settings).keys() if isinstance(given, Computation) else set()
        foreign = self._moved_live - named
        left_out = handles.keys() | foreign | set(regardless)
        others = {name: one for name, one in self._chosen.items() if name not in left_out and not _is_fixed(one)}
        return {**others, **{name: self._chosen[name] for name in handles}}


def _is_fixed(setting: Setting[Any]) -> bool:
    return isinstance(setting, Whole) and setting.minimum == setting.maximum
