"""The frame of every page: headline, lead, live figure beside its settings, checked line, and the parts below it."""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.kit.session import Session
from pages.kit.settings import Choice, Setting, Whole
from pages.kit.spec import VIEWS, Draw, seeded, spec
from pages.kit.text import Label, prose, scientific

V = TypeVar("V", bound=Hashable)

CHECKED = Label(zh="已验证", en="Checked")
FAILED = Label(zh="未通过", en="Does not hold")
FOR_THESE = Label(zh="（当前设置）：", en=" for these settings: ")
AT_MOST = Label(zh="（最大偏差 **{residual}**）。", en=" (largest deviation **{residual}**).")
REFUSED = Label(
    zh="链接里的 {name} = {value} 不可用，已改用 {used}。",
    en="The link's {name} = {value} can't be used; this page shows {used}.",
)
TRY = Label(zh="试一试", en="Try this")
WHY = Label(zh="为什么成立", en="Why it holds")
WRONG = Label(zh="常见误解", en="Where people go wrong")
PREDICT = Label(zh="先猜，再看", en="Predict, then look")
CODE = Label(zh="用代码得到图中的数", en="Code for what you see")
SOURCES = Label(zh="出处", en="Sources")
NEXT = Label(zh="下一页：{title}", en="Next: {title}")


def open_page(file: str) -> "Page":
    """Start the page of the folder that the file is in: headline and lead."""
    page = Page(Path(file).resolve().parent.name)
    page.head()
    return page


class Page:
    """One concept's page in the visitor's language, with the visitor's settings."""

    def __init__(self, concept: str) -> None:
        self.concept = concept
        self.session: Session = st.session_state["session"]
        self.lang: str = st.session_state["lang"]
        self.narrow: bool = st.session_state.get("narrow", False)
        self.prose = prose(concept, self.lang)
        self._live: dict[str, Whole] = {}

    def say(self, label: Label, **values: object) -> str:
        """The label in the page's language, its ``{names}`` filled in."""
        text = label(self.lang)
        return text.format(**values) if values else text

    def head(self) -> None:
        """The claim as a headline, and one sentence under it."""
        st.title(self.prose["title"], anchor=False)
        with st.container(key="lead"):
            st.markdown(self.prose["lead"])
        self._notes = st.container()

    def stage(self) -> tuple[DeltaGenerator, DeltaGenerator]:
        """Room for the live figure, and a bordered column beside it (on a phone: below) for the settings."""
        figure, panel = st.columns([3.3, 1], gap="large")
        return figure, panel.container(border=True)

    # Settings

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
            return self.session.value(setting)
        return self._control(setting, st.slider, "value", min_value=setting.minimum, max_value=setting.maximum)

    def enter(self, setting: Whole) -> int:
        """A field for a whole number."""
        return self._control(
            setting, st.number_input, "value", min_value=setting.minimum, max_value=setting.maximum, step=1
        )

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
        self.session.show(setting, chosen)
        self.session.watch(key, chosen, lambda moved: {setting.name: moved}, widget=widget)
        return chosen

    def live(self, setting: Whole) -> int:
        """The value of a live handle as it was when last let go; the handle itself is in the next live figure."""
        self._live[setting.name] = setting
        return self.session.value(setting)

    # Figures

    def figure(self, draw: Draw, *, alt: Label, **inputs: Hashable) -> None:
        """A still figure."""
        built = spec(draw, inputs, lang=self.lang, narrow=self.narrow)
        st.vega_lite_chart(built, width=_width(built), alt=alt(self.lang))

    def live_figure(self, draw: Draw, *, alt: Label, **inputs: Hashable) -> None:
        """A figure whose handles, those named with ``live`` before, move in the browser."""
        built = spec(draw, inputs, lang=self.lang, narrow=self.narrow)
        handles, self._live = self._live, {}
        values = {name: self.session.value(setting) for name, setting in handles.items()}
        figure = f"{self.concept}.{draw.__name__}"
        made_of = (tuple(sorted(inputs.items(), key=lambda item: item[0])), self.lang, self.narrow)
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

    # Parts

    def checked(self, residual: float, holds: Label, *, tolerance: float = 1e-8) -> None:
        """A quiet line: the claim holds for the settings on screen, with the largest deviation found."""
        ok = residual <= tolerance
        icon, word = (":material/check_circle:", CHECKED) if ok else (":material/error:", FAILED)
        st.caption(
            f"{icon} **{word(self.lang)}**{FOR_THESE(self.lang)}{holds(self.lang)}"
            f"{self.say(AT_MOST, residual=scientific(residual))}"
        )

    def _refused(self) -> None:
        """Say under the lead which values of the link could not be used."""
        lines = [
            self.say(REFUSED, name=name, value=_quoted(value), used=self.session.shown[name])
            for name, value in self.session.refused
        ]
        if lines:
            self._notes.info("\n\n".join(lines), icon=":material/link_off:")

    def try_this(self, *steps: tuple[Label, Mapping[str, Hashable]]) -> None:
        """Two or three cards, each a link to a state of this page."""
        st.subheader(TRY(self.lang), anchor=False)
        with st.container(key="try"):
            for number, (column, (label, state)) in enumerate(zip(st.columns(len(steps)), steps, strict=True), 1):
                column.page_link(
                    st.session_state["pages"][self.concept],
                    label=f"**{number}** {label(self.lang)}",
                    icon="",
                    width="stretch",
                    query_params={"lang": self.lang, **{name: str(value) for name, value in state.items()}},
                )

    def reasons(self) -> None:
        """Why the claim holds, and where people go wrong, side by side."""
        why, wrong = st.columns(2, gap="large")
        with why:
            st.subheader(WHY(self.lang), anchor=False)
            st.markdown(self.prose["why"])
        with wrong:
            st.subheader(WRONG(self.lang), anchor=False)
            st.markdown(self.prose["wrong"])

    def table(self, columns: Mapping[str, Sequence[str]], *, words: Collection[str] = ()) -> None:
        """A small table of text already formatted: numbers to the right, the columns of words to the left."""
        rows = zip(*columns.values(), strict=True)
        lines = [columns.keys(), [":---" if name in words else "---:" for name in columns], *rows]
        st.markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))

    def section(self, name: str, heading: Label | None = None) -> None:
        """A section of the prose under its heading."""
        if heading:
            st.subheader(heading(self.lang), anchor=False)
        st.markdown(self.prose[name])

    def predict(self, options: Sequence[Label], right: int, reveal: Callable[[], None] | None = None) -> None:
        """A question with a few answers; choosing one shows which holds and why. Reruns only itself."""
        st.subheader(PREDICT(self.lang), anchor=False)
        _question(self, tuple(options), right, reveal)

    def code(self, numpy: str, torch: str) -> None:
        """The code that gives the numbers on screen, for NumPy and for torch."""
        st.subheader(CODE(self.lang), anchor=False)
        for tab, snippet in zip(st.tabs(["NumPy", "PyTorch"]), (numpy, torch), strict=True):
            tab.code(snippet, language="python")

    def close(self) -> None:
        """Sources, and the way to the next page."""
        self._refused()
        st.subheader(SOURCES(self.lang), anchor=False)
        st.markdown(self.prose["sources"])
        names = list(st.session_state["pages"])
        following = names[(names.index(self.concept) + 1) % len(names)]
        st.divider()
        with st.container(key="next", horizontal=True, horizontal_alignment="right"):
            page = st.session_state["pages"][following]
            st.page_link(
                page,
                label=self.say(NEXT, title=page.title),
                icon=":material/arrow_forward:",
                icon_position="right",
                query_params={"lang": self.lang},
            )


@st.fragment
def _question(page: Page, options: tuple[Label, ...], right: int, reveal: Callable[[], None] | None) -> None:
    st.markdown(page.prose["question"])
    chosen = st.pills(
        PREDICT(page.lang),
        range(len(options)),
        format_func=lambda index: options[index](page.lang),
        label_visibility="collapsed",
        key=f"{page.concept}.question.{page.lang}",
    )
    if chosen is None:
        return
    icon = ":material/check:" if chosen == right else ":material/close:"
    show = st.success if chosen == right else st.info
    show(page.prose["answer"], icon=icon)
    if reveal:
        reveal()


def _width(built: Mapping[str, Any]) -> Any:
    """Linked views have a width of their own; a single view takes the column's."""
    return "content" if VIEWS & built.keys() else "stretch"


def _chosen(state: Any, handles: Mapping[str, Whole]) -> dict[str, int]:
    """The values in a chart's selection, of the handles that have one."""
    found: dict[str, int] = {}
    for name, setting in handles.items():
        rows = state.get("selection", {}).get(name) or []
        if rows and isinstance(rows[0].get(name), int | float):
            found[name] = setting.allowed(round(rows[0][name]))
    return found


def _quoted(value: str) -> str:
    """A visitor's text as inert Markdown code, shortened."""
    short = value if len(value) <= 24 else value[:24] + "…"
    return f"`` {short.replace('`', '’')} ``" if short.strip() else "``(empty)``"
