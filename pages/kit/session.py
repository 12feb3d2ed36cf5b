"""A visitor's settings on their way between the address, the widgets and the next page.

A setting's value lives in one place, the session's ``values``. A run that a control started takes the control's value;
any other run (first visit, link, back button) takes what the address says. After the page has drawn, the address is
written again if it no longer says what is shown. So a link holds the whole state, in values that no language changes.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import streamlit as st

from pages.kit.settings import Setting
from pages.kit.turns import TURNS

V = TypeVar("V", bound=Hashable)

LONGEST = 64
"""Characters of an address value that are looked at, unless the setting has a ``longest`` of its own."""


class Session:
    """The settings of one visitor: read at the start of a run, written to the address at its end."""

    def __init__(self) -> None:
        kept: dict[str, Any] = st.session_state.setdefault("posenc", _new_visitor())
        self._kept = kept
        self.values: dict[str, Any] = kept["values"]
        self.arrivals: dict[str, str] = {}
        self.arrived = False
        self.refused: list[tuple[str, str]] = []
        self.settings: dict[str, Setting[Any]] = {}
        self.shown: dict[str, Any] = {}
        self.has_failed = False
        self._is_running = True
        moved = self._moved()
        address = _address()
        if moved:
            self.values.update(moved)
        elif address != kept["address"]:
            self.arrivals = {name: values[0] for name, values in address.items()}
            self.arrived = True
            self.renew()
        kept["widgets"] = {}

    def renew(self) -> None:
        """Let what the browser holds from before no longer count."""
        self._kept["visit"] += 1
        self._kept["moves"] = {}

    def enter(self, concept: str) -> None:
        """Say which page is drawn. A link to the page already shown means all of its settings, those it omits too."""
        if self.arrived and self._kept["concept"] == concept:
            for name in self._kept["page"]:
                if name not in self.shown:
                    self.values.pop(name, None)
        self._kept["concept"] = concept

    @contextmanager
    def run(self) -> Iterator[None]:
        """A run of the page, or of a part of it alone: what has moved comes first, the address last."""
        if self._is_running:
            yield
            return
        with TURNS:
            self._is_running, self.arrived, self.has_failed = True, False, False
            self.values.update(self._moved())
            try:
                yield
            finally:
                self._is_running = False
            self.write_address()

    def end(self) -> None:
        """End the run of the whole page that began with this object."""
        self._is_running = False
        self.write_address()

    def _moved(self) -> dict[str, Any]:
        """The settings whose widget no longer has the value that the last run showed."""
        moved: dict[str, Any] = {}
        for widget, (key, read, shown) in self._kept["widgets"].items():
            if key in st.session_state and st.session_state[key] != shown:
                new = read(st.session_state[key])
                for name in (name for name, value in new.items() if value != self.values.get(name)):
                    self._kept["moves"][name, widget] = self._kept["moves"].get((name, widget), 0) + 1
                moved.update(new)
        return moved

    def key(self, widget: str, *names: str) -> str:
        """What Streamlit is to know the widget by: a new name whenever another widget has moved a setting of both.

        So one setting may have a field and a handle in a figure: each starts anew at what the other has set.
        """
        moves = self._kept["moves"].items()
        others = sum(times for (name, mover), times in moves if name in names and mover != widget)
        return f"{widget}.{others}" if others else widget

    @property
    def visit(self) -> int:
        """Counts arrivals by address: what the browser holds from before no longer counts after one."""
        return int(self._kept["visit"])

    def value(self, setting: "Setting[V]") -> V:
        """The current value: from the address on arrival, else as last set, else the default; always an allowed one."""
        text = self.arrivals.pop(setting.name, None)
        if text is not None:
            parsed = setting.parse(text) if len(text) <= getattr(setting, "longest", LONGEST) else None
            if parsed is None or str(parsed) != text:
                self.refused.append((setting.name, text))
            self.values[setting.name] = setting.default if parsed is None else parsed
        value = setting.allowed(self.values.get(setting.name, setting.default))
        self.show(setting, value)
        return value

    def show(self, setting: "Setting[V]", value: V) -> None:
        """Say which value the page shows. What was set stays known where this page's range only cuts it short."""
        self.settings[setting.name] = setting
        self.shown[setting.name] = value

    def watch(
        self, key: str, shown: Any, read: Callable[[Any], Mapping[str, Any]], *, widget: str | None = None
    ) -> None:
        """Remember what a widget shows, so that the next run knows whether it was this one that moved."""
        self._kept["widgets"][widget or key] = (key, read, shown)

    def seeds(self, figure: str, made_of: Hashable, values: Mapping[str, Any]) -> dict[str, Any]:
        """What a live figure starts from: the same as in the last run, unless the figure or the visit is another.

        A figure whose start changes on each rerun would be rebuilt under the hand that moves it.
        """
        started: dict[str, Any] = self._kept["seeds"]
        kept = started.get(figure)
        if kept is None or kept[0] != (made_of, self.visit):
            started[figure] = kept = ((made_of, self.visit), dict(values))
        return dict(kept[1])

    def address(self, always: tuple[str, ...] = ("lang",)) -> dict[str, str]:
        """What an address says of what is shown: the language, and each setting that is not at its default."""
        return {
            name: str(value)
            for name, value in self.shown.items()
            if name in always or value != self.settings[name].default
        }

    def write_address(self, always: tuple[str, ...] = ("lang",)) -> None:
        """Let the address say what is shown. After a failure it stays, so that any link counts as another."""
        if self.has_failed:
            self._kept["page"] = sorted({*self._kept["page"], *self.settings} - {*always})
            self._kept["address"] = None
            if self.arrived:
                st.query_params.from_dict(_address())
            return
        shown = self.address(always)
        self._kept["page"] = [name for name in self.settings if name not in always]
        self._kept["address"] = {name: [value] for name, value in shown.items()}
        # After an arrival always: the browser does not show the address of a link within the page by itself.
        if self.arrived or _address() != self._kept["address"]:
            st.query_params.from_dict(shown)


def _new_visitor() -> dict[str, Any]:
    tables: dict[str, Any] = {name: {} for name in ("values", "widgets", "moves", "seeds")}
    return {**tables, "address": None, "concept": None, "page": [], "visit": 0}


def drop_job() -> None:
    """Drop the visitor's file of the slides page, and what is being made."""
    if job := st.session_state.pop("job", None):
        job.cancel()


def home(concept: str) -> str:
    """The address of the server's own first page, as the browser on the concept's page has it; empty without one."""
    return where().removesuffix(f"/{concept}")


def where() -> str:
    """The address of the page as the browser has it, without what it says; empty without a browser."""
    return (st.context.url or "").partition("?")[0].rstrip("/")


def _address() -> dict[str, list[str]]:
    return {name: st.query_params.get_all(name) for name in st.query_params}
