"""What a visitor moves: controls for settings, and figures whose handles move in the browser."""

from collections.abc import Callable, Collection, Hashable, Mapping
from typing import Any, TypeVar

import streamlit as st

from pages.kit.export.caption import caption
from pages.kit.failure import caught_in_place
from pages.kit.figure import Figure, Numbers
from pages.kit.menu import offer
from pages.kit.opening import Reading
from pages.kit.session import Session
from pages.kit.settings import Choice, Setting, Whole, Words
from pages.kit.spec import Draw, in_order, seeded, spec
from pages.kit.text import Label

V = TypeVar("V", bound=Hashable)


class Controls(Reading):
    """Widgets and figures of one concept, in the visitor's language, at the visitor's settings."""

    def __init__(self, concept: str) -> None:
        super().__init__(concept, st.session_state["lang"])
        self.session: Session = st.session_state["session"]
        self.narrow: bool = st.session_state.get("narrow", False)
        self._live: dict[str, Whole] = {}

    def choose(self, setting: Choice[V]) -> V:
        """A control for the setting where it is called; returns the value in force."""
        draw, start = (st.segmented_control, "default") if setting.names else (st.select_slider, "value")
        more: dict[str, Any] = {"required": True} if setting.names else {}
        return self._control(
            setting,
            draw,
            start,
            options=setting.options,
            format_func=lambda option: setting.show(option, self.lang),
            **more,
        )

    def slide(self, setting: Whole) -> int:
        """A slider for a whole number that need not move live. A range of one number needs no slider."""
        if setting.minimum == setting.maximum:
            self._note_setting(setting)
            return self.session.value(setting)
        return self._control(setting, st.slider, "value", min_value=setting.minimum, max_value=setting.maximum)

    def enter(self, setting: Whole) -> int:
        """A field for a whole number."""
        return self._control(
            setting, st.number_input, "value", min_value=setting.minimum, max_value=setting.maximum, step=1
        )

    def write(self, setting: Words) -> tuple[str, ...]:
        """A field for a visitor's own sentence; returns its words. They are data: never put them into Markdown."""
        example = setting.examples(self.lang)
        written = self._control(setting, st.text_input, "value", max_chars=setting.longest, placeholder=example)
        return setting.words(written, self.lang)

    def _control(self, setting: Setting[V], draw: Callable[..., Any], start: str, **options: Any) -> V:
        """Draw a widget that starts at the value in force, and watch it.

        Each language and each arrival by address has a widget of its own. So the browser always gets the value as the
        widget's start; one that was set afterwards would be lost if the next run came before the browser had drawn it.
        """
        value = self.session.value(setting)
        widget = f"{setting.name}.{self.lang}.{self.session.visit}"
        key = self.session.key(widget, setting.name)
        if st.session_state.get(key, value) == value:
            options[start] = value
        else:  # The range of the setting has changed under it.
            st.session_state[key] = value
        chosen: V = draw(setting.label(self.lang), key=key, **options)
        self._note_setting(setting)
        self.session.show(setting, chosen)
        self.session.watch(key, chosen, lambda moved: {setting.name: moved}, widget=widget)
        return chosen

    def live(self, setting: Whole) -> int:
        """The value of a live handle as it was when last let go; the handle itself is in the next live figure."""
        self._live[setting.name] = setting
        self._note_setting(setting, is_handle=True)
        return self.session.value(setting)

    @caught_in_place
    def picture(self, draw: Draw, *, alt: Label, **inputs: Hashable) -> None:
        """A still figure that only leads somewhere else."""
        self._still(draw, alt, inputs)

    def _still(self, draw: Draw, alt: Label, inputs: Mapping[str, Hashable]) -> None:
        built = spec(draw, inputs, lang=self.lang, narrow=self.narrow)
        st.vega_lite_chart(built, width=_width(built), alt=alt(self.lang))

    @caught_in_place
    def figure(
        self,
        draw: Draw,
        *,
        alt: Label,
        numbers: Callable[[], Numbers] | None = None,
        regardless: Collection[str] = (),
        **inputs: Hashable,
    ) -> None:
        """A still figure.

        Args:
            draw: Gives the figure.
            alt: What it shows.
            numbers: Gives what it shows as numbers, when asked.
            regardless: Settings of its part of the page that it does not depend on.
            inputs: What it is drawn from.
        """
        self._still(draw, alt, inputs)
        self._offer(
            Figure(self.concept, draw, alt, inputs, self.lang, {}, self._settings(inputs, {}, regardless), numbers)
        )

    @caught_in_place
    def live_figure(
        self,
        draw: Draw,
        *,
        alt: Label,
        numbers: Callable[[], Numbers] | None = None,
        regardless: Collection[str] = (),
        **inputs: Hashable,
    ) -> None:
        """A figure whose handles, those named with ``live`` before, move in the browser. Takes what ``figure`` does."""
        handles, self._live = self._live, {}
        built = self._dressed(spec(draw, inputs, lang=self.lang, narrow=self.narrow))
        values = {name: self.session.value(setting) for name, setting in handles.items()}
        figure = f"{self.concept}.{draw.__name__}"
        made_of = (in_order(inputs), self.lang, self.narrow)
        widget = f"{figure}.{self.session.visit}"
        key = self.session.key(widget, *handles)
        start = self.session.seeds(figure, (*made_of, key), values)
        state = st.vega_lite_chart(
            seeded(built, start),
            width=_width(built),
            alt=alt(self.lang),
            key=key,
            on_select="rerun",
            selection_mode=list(handles),
        )
        self.session.watch(key, state, lambda moved: _chosen(moved, handles), widget=widget)
        self._offer(
            Figure(
                self.concept, draw, alt, inputs, self.lang, values, self._settings(inputs, values, regardless), numbers
            )
        )

    def _settings(
        self, inputs: Mapping[str, Hashable], handles: Mapping[str, int], regardless: Collection[str]
    ) -> dict[str, tuple[Setting[Any], Any]]:
        """What a figure depends on, with the values that the page shows."""
        settings = self._settings_of(inputs, handles, regardless)
        return {name: (setting, self.session.shown[name]) for name, setting in settings.items()}

    def _dressed(self, built: dict[str, Any]) -> dict[str, Any]:
        """The specification as it is shown."""
        return built

    def _offer(self, figure: Figure) -> None:
        """Under a figure: its settings, for paper alone, and what a visitor can take of it."""
        if said := caption(figure):
            st.text(said)
        offer(figure, self.session)


def _width(built: Mapping[str, Any]) -> Any:
    """Linked views have a width of their own; a single view takes the column's."""
    return "content" if built["autosize"]["type"] == "pad" else "stretch"


def _chosen(state: Any, handles: Mapping[str, Whole]) -> dict[str, int]:
    """The values in a chart's selection, of the handles that have one."""
    found: dict[str, int] = {}
    for name, setting in handles.items():
        rows = state.get("selection", {}).get(name) or []
        if rows and isinstance(rows[0].get(name), int | float):
            found[name] = setting.allowed(round(rows[0][name]))
    return found
