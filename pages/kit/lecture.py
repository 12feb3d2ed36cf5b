"""Lecture mode: a page's claim, its live figure and the states to step through, for the last row of a room."""

from collections.abc import Callable, Collection, Hashable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import lru_cache
from inspect import signature
from typing import Any, TypeVar

import streamlit as st

from pages.kit.figure import Figure, Numbers
from pages.kit.frame import Page
from pages.kit.lecture_style import STYLE, enlarged
from pages.kit.presenter import listen
from pages.kit.record import Recorder, play
from pages.kit.session import Session, where
from pages.kit.settings import LANG, Choice, Whole, Words
from pages.kit.silence import Silence
from pages.kit.spec import Draw
from pages.kit.text import Label

V = TypeVar("V", bound=Hashable)

Room = AbstractContextManager[Any]
Step = tuple[Label, Mapping[str, Hashable]]

MODE = Choice("mode", Label(zh="模式", en="mode"), ("page", "lecture"), "page")
STEP = Label(zh="第几步", en="step")
ENTER = Label(zh="讲课模式", en="Lecture mode")
LEAVE = Label(zh="退出", en="Leave")
BACK = Label(zh="上一步", en="Back")
ONWARD = Label(zh="下一步", en="Next")
NOTHING = Label(zh="", en="")


def in_lecture(session: Session, tools: Collection[str]) -> bool:
    """Whether the visitor lectures: on arrival the address decides, afterwards the buttons that enter and leave.

    Whoever arrives at a state of a lecture sees the same, whatever was set before. A tool's page shows no figure to
    lecture on, so there the mode counts for nothing.
    """
    if where().rpartition("/")[2] in tools:
        session.arrivals.pop(MODE.name, None)
        session.values.pop(MODE.name, None)
        st.session_state["lectures"] = False
        return False
    if session.arrived:
        kept = {LANG.name} if MODE.name in session.arrivals else session.values.keys() - {MODE.name}
        for name in session.values.keys() - kept:
            del session.values[name]
    is_told = MODE.name in session.arrivals or MODE.name in session.values
    lectures = is_told and session.value(MODE) == "lecture"
    if lectures != st.session_state.get("lectures", False):
        session.renew()
    st.session_state["lectures"] = lectures
    return lectures


def enter_button(session: Session, lang: str) -> None:
    """A quiet way into the lecture, at the settings on screen."""
    _switch(session, "lecture", ENTER(lang), ":material/slideshow:")


def _switch(session: Session, mode: str, label: str, icon: str) -> None:
    key = f"to.{mode}"
    st.button(label, key=key, type="tertiary", icon=icon)
    session.watch(key, False, lambda _: {MODE.name: mode})


class Lecture(Silence, Page):
    """What a page's script opens in a lecture: only what is on the page's stage is drawn, and the way on.

    The script runs as on a page, so the settings that have no widget here keep their values and stay in the address.
    """

    def head(self) -> None:
        """The claim, and under it the label of the step."""
        st.html(STYLE)
        self._has_stage = self._has_begun = self.is_on_stage = self._has_checked = False
        self._states = states(self.concept)
        self._step = self.session.value(Whole("step", STEP, 0, len(self._states) - 1, 0))
        with st.container(key="claim"):
            st.title(self.prose["title"], anchor=False)
            st.markdown(self.say(self._states[self._step][0]))
        self._notes = st.container()
        self._figure = st.container(key="stage")

    def alive(self, part: Callable[[], None]) -> None:
        """Run the part. Of a lecture only the first, the one with the figure, runs again when a handle moves."""
        if self._has_begun:
            part()
        else:
            self._has_begun = True
            super().alive(part)

    def stage(self) -> tuple[Any, Any]:
        """Room for the figure; none for the settings."""
        return self.room(), nullcontext()

    def room(self) -> Any:
        """The stage, for whoever asks first; nothing is drawn elsewhere."""
        if self._has_stage:
            return nullcontext()
        self._has_stage = True
        return _Stage(self, self._figure)

    def choose(self, setting: Choice[V]) -> V:
        """The value in force."""
        return self.session.value(setting)

    def slide(self, setting: Whole) -> int:
        """The value in force."""
        return self.session.value(setting)

    def enter(self, setting: Whole) -> int:
        """The value in force."""
        return self.session.value(setting)

    def write(self, setting: Words) -> tuple[str, ...]:
        """The words in force."""
        return setting.words(self.session.value(setting), self.lang)

    def live_figure(
        self,
        draw: Draw,
        *,
        alt: Label,
        numbers: Callable[[], Numbers] | None = None,
        regardless: Collection[str] = (),
        **inputs: Hashable,
    ) -> None:
        """The figure if it is the one on the stage."""
        if self.is_on_stage:
            more = {"afar": True} if _has_form_for_afar(draw) else {}
            super().live_figure(draw, alt=alt, numbers=numbers, regardless=regardless, **inputs, **more)
        self._live = {}

    def _dressed(self, built: dict[str, Any]) -> dict[str, Any]:
        return enlarged(built)

    def _offer(self, figure: Figure) -> None:
        """Nothing is offered."""

    def all_checked(self, *claims: tuple[float, Label]) -> None:
        """The first claim under the figure on the stage."""
        if self.is_on_stage and not self._has_checked:
            self._has_checked = True
            super().all_checked(claims[0])

    def close(self, *, code: bool = True) -> None:  # noqa: ARG002
        """The bar with the way out, the way back and the way on, which keys and a presenter follow too."""
        names = list(st.session_state["pages"])
        here, step = names.index(self.concept), self._step
        before, after = names[here - 1], names[(here + 1) % len(names)]
        back = (self.concept, step - 1) if step else (before, len(states(before)) - 1)
        onward = (self.concept, step + 1) if step + 1 < len(self._states) else (after, 0)
        with st.container(key="bar", horizontal=True, vertical_alignment="center"):
            _switch(self.session, "page", LEAVE(self.lang), ":material/close:")
            with st.container(key="back", width="content"):
                self._lead_to(*back, BACK, icon=":material/arrow_back:")
            st.markdown(f"{step + 1} / {len(self._states)}", width="content")
            with st.container(key="onward", width="content"):
                self._lead_to(*onward, ONWARD, icon=":material/arrow_forward:", icon_position="right")
            listen()

    def _lead_to(self, concept: str, step: int, label: Label, **icon: Any) -> None:
        state = {name: str(value) for name, value in states(concept)[step][1].items()}
        place = {MODE.name: "lecture", **({"step": str(step)} if step else {})}
        st.page_link(
            st.session_state["pages"][concept],
            label=label(self.lang),
            query_params={"lang": self.lang, **place, **state},
            **icon,
        )

    def figure(
        self,
        draw: Draw,
        *,
        alt: Label,
        numbers: Callable[[], Numbers] | None = None,
        regardless: Collection[str] = (),
        **inputs: Hashable,
    ) -> None:
        """Only the figure that moves is shown."""

    def try_this(self, *steps: Step) -> None:
        """The steps are the states that the bar leads through."""

    def section(self, name: str, heading: Label | None = None) -> None:
        """The lecturer says it."""

    def code(self, numpy: str, torch: str) -> None:
        """For the page."""


@lru_cache(maxsize=64)
def _has_form_for_afar(draw: Draw) -> bool:
    """Whether the figure can be drawn for the last row of a room, where larger type alone would not do."""
    return "afar" in signature(draw).parameters


class _Stage:
    """The room of the figure: the page draws only within it."""

    def __init__(self, page: Lecture, room: Room) -> None:
        self._page = page
        self._room = room

    def __enter__(self) -> None:
        self._room.__enter__()
        self._page.is_on_stage, self._page._has_checked = True, False

    def __exit__(self, *error: Any) -> None:
        self._page.is_on_stage = False
        self._room.__exit__(*error)


@lru_cache(maxsize=64)
def states(concept: str) -> tuple[Step, ...]:
    """What a lecture on the concept steps through: the page as it opens, then each thing to try on it."""
    noted = _Steps(concept, LANG.default)
    with suppress(_NotedError):
        play(concept, noted)
    return ((NOTHING, {}), *noted.steps)


class _NotedError(Exception):
    """All steps of a page are known, the rest of its script need not run."""


class _Steps(Recorder):
    def try_this(self, *steps: Step) -> None:
        """Note the steps, and no more."""
        super().try_this(*steps)
        raise _NotedError
