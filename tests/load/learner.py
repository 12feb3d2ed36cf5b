"""A learner: a session that moves the controls of its page and knows which answers are its own."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import parse_qs

from pages.index import CONCEPTS
from pages.kit.address import place
from pages.kit.text import prose
from tests.bench.session import Run, Session, Widget

LANGUAGES = ("en", "zh")
FOLDERS = tuple(concept.folder for concept in CONCEPTS)
VALUES = 6
"""Values of each control that a class looks at, over its whole range."""
VALUES_EACH = 2
"""Of them those that a learner moves the control to, before it is put back."""


class WrongAnswerError(Exception):
    """The page answers with something else than this learner's settings."""


@dataclass(frozen=True)
class Rerun:
    """A move: its page, seconds until its run had ended, and whether nobody had moved that control there before."""

    page: str
    seconds: float
    is_new: bool


@dataclass
class Journal:
    """What the learners of one class have seen, and what the page has told them at which settings."""

    openings: list[float] = field(default_factory=list)
    reruns: list[Rerun] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    received: int = 0
    said: dict[tuple[str, ...], int] = field(default_factory=dict)
    written: dict[tuple[str, ...], str | None] = field(default_factory=dict)


@dataclass
class Seen(Run):
    """A run with what it says: its headline, and a hash for each text and each table of a figure."""

    title: str = ""
    said: list[int] = field(default_factory=list)


class Learner(Session):
    """Number ``number`` of a class on one page.

    It comes by a link to its own value of the page's last handle, then moves one other control after the other to
    values of its own and back. The address must always say exactly its settings, and all who have the same settings
    must be told the same.
    """

    def __init__(self, port: int, folder: str, number: int, journal: Journal, own: Widget, **options: Any) -> None:
        self.folder, self.journal, self.random = folder, journal, Random(number)
        self.lang = LANGUAGES[number % len(LANGUAGES)]
        values = [value for value in own.values if value != own.start]
        self.own, self.own_value = own, values[number // len(FOLDERS) % len(values)]
        query = f"lang={self.lang}&{own.name}={self.own_value}"
        super().__init__(port, place(folder), query, **options)
        self._walk = self._moves()

    async def arrive(self) -> None:
        """Open the page. Raises WrongAnswerError if it is not whole or not the learner's."""
        started = time.perf_counter()
        await self.__aenter__()
        self.journal.openings.append(time.perf_counter() - started)
        self.home = self.query

    async def step(self) -> None:
        """Make the next move. Raises WrongAnswerError if the answer is not the learner's."""
        control, value, is_back = next(self._walk)
        self.moving = control.name
        widget = self.find(control)
        started = time.perf_counter()
        run = await self.move(widget, value)
        seconds = time.perf_counter() - started
        self.journal.received += run.received
        self._check_told(run, widget.fragment)
        is_new = self._check_address(widget, value, is_back)
        self.journal.reruns.append(Rerun(self.folder, seconds, is_new))

    async def nudge(self) -> None:
        """Move the own handle by one place: a rerun that draws nothing new."""
        handle = self.find(self.own)
        index = handle.values.index(self.own_value)
        self.own_value = handle.values[index - 1 if index else 1]
        await self.move(handle, self.own_value)
        self.check_own()

    def find(self, control: Widget) -> Widget:
        """The control as it is on the page now. Its id may be another after another widget moved the same setting."""
        for widget in self.widgets.values():
            if (widget.name, widget.kind) == (control.name, control.kind):
                return widget
        raise WrongAnswerError(f"{self.folder} must have its control {control.name}, has none at {self.query}")

    async def rerun(self, fragment: str = "", *, arriving: bool = False) -> Any:
        """As of any session; a whole run must have the page's headline in the learner's language."""
        run = await super().rerun(fragment, arriving=arriving)
        if not fragment:
            expected = prose(self.folder, self.lang)["title"]
            if run.title != expected:
                raise WrongAnswerError(f"{self.folder} must be headed {expected!r}, is headed {run.title!r}")
            self._check_told(run, fragment)
        return run

    def _moves(self) -> Iterator[tuple[Widget, Any, bool]]:
        while True:
            movable = [widget for widget in self.widgets.values() if widget.name not in ("lang", self.own.name)]
            control = self.random.choice(movable or [self.find(self.own)])
            start = self.values[control.id, control.handle]
            others = [value for value in control.values if value != start]
            others = others[:: max(1, -(-len(others) // VALUES))]
            for value in self.random.sample(others, min(VALUES_EACH, len(others))):
                yield control, value, False
            yield control, start, True

    def _new_run(self) -> Seen:
        return Seen()

    def _see(self, element: Any, fragment: str, run: Any) -> None:
        super()._see(element, fragment, run)
        if element.WhichOneof("type") == "heading" and element.heading.tag == "h1":
            run.title = element.heading.body
        run.said += map(hash, _contents(element))

    def _check_told(self, run: Seen, fragment: str) -> None:
        """Whoever has the same settings is told the same."""
        state = (self.folder, fragment, *sorted(self.query.split("&")))
        told = hash(tuple(run.said))
        if self.journal.said.setdefault(state, told) != told:
            raise WrongAnswerError(f"{self.folder}?{self.query} must say the same to everybody, it does not")

    def _check_address(self, moved: Widget, value: Any, is_back: bool) -> bool:
        """Whether nobody has moved the control to this value before; whoever has got it written in the same way."""
        if moved.name == self.own.name:
            self.own_value = value
        said = self._said_of(moved.name)
        key = (self.folder, self.lang, moved.name, moved.kind, str(value))
        is_new = key not in self.journal.written
        known = self.journal.written.setdefault(key, said)
        if known != said:
            raise WrongAnswerError(f"{moved.name} at {value} must be written {known!r} for everybody, got {said!r}")
        if is_back and self.query != self.home:
            raise WrongAnswerError(f"with {moved.name} put back the address must be {self.home!r}, got {self.query!r}")
        self.check_own()
        return is_new

    def check_own(self) -> None:
        """The own handle is where the learner left it, or at the end of a range that another control cut short.

        The address leaves out a default, which in a range cut short may be any value.
        """
        for widget in self.widgets.values():
            if (widget.name, widget.kind) == (self.own.name, self.own.kind):
                expected = min(max(self.own_value, widget.values[0]), widget.values[-1])
                default = self.own.start if widget.values == self.own.values else expected
                said = self._said_of(self.own.name) or str(default)
                if said != str(expected):
                    raise WrongAnswerError(f"{self.folder} must have {self.own.name}={expected}, has {self.query!r}")

    def _said_of(self, name: str) -> str | None:
        return parse_qs(self.query, keep_blank_values=True).get(name, [None])[0]


def _contents(element: Any) -> Sequence[str | bytes]:
    """Texts and tables of an element that depend on the settings alone, not on how one came to them."""
    kind = element.WhichOneof("type")
    match kind:
        case "markdown" | "heading" | "alert":
            return (getattr(element, kind).body,)
        case "code":
            return (element.code.code_text,)
        case "vega_lite_chart":
            return tuple(table.data.data for table in element.vega_lite_chart.datasets)
    return ()
