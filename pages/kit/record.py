"""A page noted down instead of drawn: its figures, checks, steps and code, without Streamlit and without a browser."""

import runpy
import threading
from collections.abc import Callable, Collection, Hashable, Mapping
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from pages.kit.figure import Figure, Numbers
from pages.kit.opening import Reading, opened_by
from pages.kit.settings import Choice, Setting, Whole, Words
from pages.kit.silence import Silence
from pages.kit.spec import Draw
from pages.kit.text import PAGES, Label

V = TypeVar("V", bound=Hashable)

Room = AbstractContextManager[None]
Section = tuple[str, Label | None]

_one_at_a_time = threading.Lock()  # runpy sets names of the whole process.


class Recorder(Silence, Reading):
    """What a page's script opens when nobody looks: it has the methods of ``frame.Page`` and draws nothing.

    Attributes:
        figures: In the page's order.
        checks: Residual and sentence of each checked line.
        steps: Label and state of each "try this".
        snippets: The code for what is seen, for NumPy and for torch.
        settings: Every setting of the page, with its value.
    """

    def __init__(
        self, concept: str, lang: str, written: Mapping[str, str] | None = None, *, is_strict: bool = True
    ) -> None:
        super().__init__(concept, lang)
        self.narrow = False
        self.figures: list[Figure] = []
        self.checks: list[tuple[float, Label]] = []
        self.steps: list[tuple[Label, Mapping[str, Hashable]]] = []
        self.snippets: tuple[str, str] | None = None
        self.settings: dict[str, tuple[Setting[Any], Any]] = {}
        self._written = written or {}
        self._is_strict = is_strict
        self._live: dict[str, int] = {}
        self._section: Section = ("", None)

    @property
    def main(self) -> Figure:
        """The page's live figure, the one beside its settings."""
        return next((figure for figure in self.figures if figure.handles), self.figures[0])

    def _value(self, setting: "Setting[V]") -> V:
        """The value that is written for the setting, else its default."""
        written = self._written.get(setting.name)
        parsed = None if written is None else setting.parse(written)
        if self._is_strict and written is not None and str(parsed) != written:
            raise ValueError(f"{setting.name} must be {rule(setting)}, got {written!r}")
        value = setting.allowed(setting.default if parsed is None else parsed)
        self.settings[setting.name] = (setting, value)
        self._note_setting(setting)
        return value

    def choose(self, setting: Choice[V]) -> V:
        """The value of the setting."""
        return self._value(setting)

    slide = enter = choose

    def write(self, setting: Words) -> tuple[str, ...]:
        """The words of the setting."""
        return setting.words(self._value(setting), self.lang)

    def live(self, setting: Whole) -> int:
        """The value of a handle of the next live figure."""
        value = self._live[setting.name] = self._value(setting)
        self._note_setting(setting, is_handle=True)
        return value

    def figure(
        self,
        draw: Draw,
        *,
        alt: Label,
        numbers: Callable[[], Numbers] | None = None,
        regardless: Collection[str] = (),
        **inputs: Hashable,
    ) -> None:
        """Note the figure, its handles where they stand."""
        handles, self._live = self._live, {}
        settings = {name: self.settings[name] for name in self._settings_of(inputs, handles, regardless)}
        self.figures.append(
            Figure(self.concept, draw, alt, inputs, self.lang, handles, settings, numbers, *self._section)
        )

    live_figure = figure

    def alive(self, part: Callable[[], None]) -> None:
        """Run the part."""
        self._part(part)()

    def checked(self, residual: float, holds: Label) -> None:
        """Note the claim."""
        self.all_checked((residual, holds))

    def all_checked(self, *claims: tuple[float, Label]) -> None:
        """Note the claims."""
        self.checks.extend(claims)

    def try_this(self, *steps: tuple[Label, Mapping[str, Hashable]]) -> None:
        """Note the steps."""
        self.steps.extend(steps)

    def code(self, numpy: str, torch: str) -> None:
        """Note the code."""
        self.snippets = (numpy, torch)

    def stage(self) -> tuple[Room, Room]:
        """Room that is in no section, for the figure and for the settings."""
        return _Room(self, ("", None)), _Room(self, ("", None))

    def room(self) -> Room:
        """Room in the section that was read last."""
        return _Room(self, self._section)

    def section(self, name: str, heading: Label | None = None) -> None:
        """Note which section comes next; one without a heading goes on under the last."""
        self._section = name, heading or self._section[1]

    def workshop(self, file: Choice[str], size: Choice[str], background: Choice[str]) -> None:
        """Nothing is made."""

    def close(self, *, code: bool = True) -> None:
        """Nothing is left to show."""


class _Room:
    """Part of the page that is in a section, whenever it is filled."""

    def __init__(self, recorder: Recorder, section: Section) -> None:
        self._recorder, self._section = recorder, section
        self._before: list[Section] = []

    def __enter__(self) -> None:
        self._before.append(self._recorder._section)
        self._recorder._section = self._section

    def __exit__(self, *_: object) -> None:
        self._recorder._section = self._before.pop()


def record(concept: str, lang: str, written: Mapping[str, str] | None = None, *, is_strict: bool = True) -> Recorder:
    """The concept's page noted down at a state.

    Args:
        concept: Its folder.
        lang: "zh" or "en".
        written: Values of its settings as an address has them; those it leaves out are at their defaults, and names
            that are no setting of this page count for nothing.
        is_strict: Whether a value that its setting can't have is refused; else the nearest or the default stands in.

    Raises:
        ValueError: A value is none that its setting can have, and the recording is strict.
    """
    recorder = Recorder(concept, lang, written, is_strict=is_strict)
    play(concept, recorder)
    return recorder


def play(concept: str, recorder: Recorder) -> None:
    """Run the concept's page for the recorder to note."""
    with _one_at_a_time, opened_by(lambda _: recorder):
        runpy.run_path(str(PAGES / concept / "page.py"))


def rule(setting: Setting[Any]) -> str:
    """Which values the setting can have, in a few words."""
    if isinstance(setting, Choice):
        return "one of " + ", ".join(map(str, setting.options))
    if isinstance(setting, Whole):
        return f"a whole number from {setting.minimum} to {setting.maximum}"
    return "words"
