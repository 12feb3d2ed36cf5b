"""The frame of every page: headline, lead, live figure beside its settings, checked line, and the parts below it."""

import functools
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.kit import cards
from pages.kit.address import path
from pages.kit.concept import Card, Path
from pages.kit.controls import Controls
from pages.kit.export.code import Code
from pages.kit.failure import BELOW, caught, caught_in_place
from pages.kit.menu import offer_code
from pages.kit.settings import Choice
from pages.kit.text import Label, scientific

CHECKED = Label(zh="已验证", en="Checked")
FAILED = Label(zh="未通过", en="Does not hold")
FOR_THESE = Label(zh="（当前设置）：", en=" for these settings: ")
AT_MOST = Label(zh="（最大偏差 **{residual}**）。", en=" (largest deviation **{residual}**).")
REFUSED = Label(
    zh="链接里的 {name} = {value} 不可用，已改用 {used}。",
    en="The link’s {name} = {value} can’t be used; this page shows {used}.",
)
TRY = Label(zh="试一试", en="Try this")
WHY = Label(zh="为什么成立", en="Why it holds")
WRONG = Label(zh="常见误解", en="Where people go wrong")
PREDICT = Label(zh="先猜，再看", en="Predict, then look")
CODE = Label(zh="用代码得到图中的数", en="Code for what you see")
SOURCES = Label(zh="出处", en="Sources")
NEXT = Label(zh="下一页：{title}", en="Next: {title}")

FRAMEWORKS = ("NumPy", "PyTorch")

TOLERANCE = 1e-8
"""A residual above it is no rounding."""


class Page(Controls):
    """One concept's page: first what stays, in reading order, with room left for what the settings change.

    ``alive`` then fills that room. When a control moves, only that runs again; so everything that depends on a setting
    belongs in it, and nothing else does.
    """

    def __init__(self, concept: str) -> None:
        super().__init__(concept)
        self.head()

    def alive(self, part: Callable[[], None]) -> None:
        """Run the part, a function without arguments, now; and alone whenever a control in it moves.

        It may draw into any container made before it. A part within a part reruns with it and alone.
        """

        scoped = self._part(part)

        @functools.wraps(part)
        def run() -> None:
            with self.session.run(), caught(self.concept, BELOW, inside=self._notes):
                scoped()

        st.fragment(run)()

    def head(self) -> None:
        """The claim as a headline; under it the lead, and what it invites to move, which is for the screen alone."""
        st.title(self.prose["title"], anchor=False)
        with st.container(key="lead"):
            invitation = self.prose.get("invitation", "")
            st.markdown(self.prose["lead"] + (" " if invitation and self.lang == "en" else "") + invitation)
        self._notes = st.container()

    def stage(self) -> tuple[DeltaGenerator, DeltaGenerator]:
        """Room for the live figure, and a bordered column beside it (on a phone: below) for the settings."""
        figure, panel = st.columns([3.3, 1], gap="large")
        return figure, panel.container(border=True, key="panel")

    def checked(self, residual: float, holds: Label) -> None:
        """A quiet line: the claim holds for the settings on screen, with the largest deviation found."""
        self.all_checked((residual, holds))

    def all_checked(self, *claims: tuple[float, Label]) -> None:
        """Such a line for each claim, under one another."""
        st.caption("\n\n".join(self._line(residual, holds) for residual, holds in claims))

    def _line(self, residual: float, holds: Label) -> str:
        icon, word = (":material/check_circle:", CHECKED) if residual <= TOLERANCE else (":material/error:", FAILED)
        claim = f"**{self.say(word)}**{self.say(FOR_THESE)}{holds(self.lang)}"
        return f"{icon} {claim}{self.say(AT_MOST, residual=scientific(residual))}"

    def tell_refused(self) -> None:
        """Say under the lead which values of the link could not be used. The frame calls it when all are known."""
        lines = [
            self.say(REFUSED, name=name, value=_quoted(value), used=_inert(self.session.shown[name]))
            for name, value in self.session.refused
        ]
        if lines:
            self._notes.info("\n\n".join(lines), icon=":material/link_off:")

    def try_this(self, *steps: tuple[Label, Mapping[str, Hashable]]) -> None:
        """Two or three cards, each a link to a state of this page."""
        st.subheader(TRY(self.lang), anchor=False)
        with st.container(key="try", horizontal=True):
            for number, (label, state) in enumerate(steps, 1):
                st.page_link(
                    st.session_state["pages"][self.concept],
                    label=f"**{number}** {label(self.lang)}",
                    icon="",
                    width="stretch",
                    query_params={"lang": self.lang, **{name: str(value) for name, value in state.items()}},
                )

    def reasons(self) -> None:
        """Why the claim holds, and where people go wrong, side by side."""
        why, wrong = st.columns(2, gap="large")
        why.markdown(_headed(WHY(self.lang), self.prose["why"]))
        wrong.markdown(_headed(WRONG(self.lang), self.prose["wrong"]))

    def table(self, columns: Mapping[str, Sequence[str]], *, words: Collection[str] = ()) -> None:
        """A small table of text already formatted: numbers to the right, the columns of words to the left."""
        rows = zip(*columns.values(), strict=True)
        lines = [columns.keys(), [":---" if name in words else "---:" for name in columns], *rows]
        st.markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))

    def section(self, name: str, heading: Label | None = None) -> None:
        """A section of the prose under its heading."""
        text = self.prose[name]
        st.markdown(_headed(heading(self.lang), text) if heading else text)

    def note(self, text: str) -> None:
        """Markdown of the page's own, where it is called."""
        st.markdown(text)

    def cards(self, shown: Sequence[Card]) -> None:
        """Numbered cards that lead to other pages."""
        cards.show_cards(self, shown)

    def paths(self, *paths: Path) -> None:
        """Ways to begin, side by side."""
        cards.show_paths(self, paths)

    def predict(self, options: Sequence[Label], right: int, reveal: Callable[[], None] | None = None) -> None:
        """A question with a few answers; choosing one shows which holds and why. Reruns only itself."""
        _question(self, tuple(options), right, reveal)

    def room(self) -> DeltaGenerator:
        """Room, here in the reading order, for what an ``alive`` part draws."""
        return st.container()

    def code(self, numpy: str, torch: str) -> None:
        """Fill the room for code: what gives the numbers on screen, for NumPy and for torch."""
        for tab, name, snippet in zip(self._code, FRAMEWORKS, (numpy, torch), strict=True):
            if tab.open:
                with tab:
                    st.code(snippet, language="python")
                    code = Code(self, name.lower(), snippet, path(self.concept, self.session.address()))
                    offer_code(code, f"{self.concept}.{code.framework}")

    def listing(self, code: str) -> None:
        """Code where it is called, for what the tabs of ``code`` are not about."""
        st.code(code, language="python")

    def download(self, label: Label, text: str, file_name: str) -> None:
        """A button that saves a text as a file. It reruns nothing."""
        st.download_button(
            label(self.lang), text, file_name, mime="text/plain", on_click="ignore", icon=":material/download:"
        )

    def workshop(self, file: Choice[str], size: Choice[str], background: Choice[str]) -> None:
        """Every page's figures to choose from, and beside them the settings of a file and what makes it."""
        from pages.kit import workshop  # what makes files is not for every visitor's page

        workshop.show(self, file, size, background)

    def close(self, *, code: bool = True) -> None:
        """Room for the code, the sources, and the way to the next page."""
        if code:
            st.subheader(CODE(self.lang), anchor=False)
            self._code = st.tabs(FRAMEWORKS, key=f"{self.concept}.code", on_change="rerun")
        st.markdown(_headed(SOURCES(self.lang), self.prose["sources"]))
        names = list(st.session_state["pages"])
        following = names[(names.index(self.concept) + 1) % len(names)]
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
@caught_in_place
def _question(page: Page, options: tuple[Label, ...], right: int, reveal: Callable[[], None] | None) -> None:
    st.markdown(_headed(PREDICT(page.lang), page.prose["question"]))
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


def _headed(heading: str, text: str) -> str:
    """Markdown of both: one message to the browser, where a heading of its own would be another."""
    return f"### {heading}\n\n{text}"


def _inert(value: Hashable) -> str:
    """A setting's value for Markdown: a visitor's own text is quoted."""
    text = str(value)
    return text if text.isascii() and text.replace("_", "").replace("-", "").isalnum() else _quoted(text)


def _quoted(value: str) -> str:
    """A visitor's text as inert Markdown code, shortened."""
    short = value if len(value) <= 24 else value[:24] + "…"
    return f"`` {short.replace('`', '’')} ``" if short.strip() else "`` ∅ ``"
