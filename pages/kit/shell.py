"""Around the pages: navigation, the language switch, the visitor's settings, the style."""

from collections.abc import Sequence
from datetime import timedelta

import streamlit as st

from pages.kit.concept import Concept
from pages.kit.embedding import is_embedded
from pages.kit.failure import PAGE, caught
from pages.kit.frame import Page
from pages.kit.lecture import Lecture, enter_button, in_lecture
from pages.kit.opening import opened_by
from pages.kit.paper import PAPER
from pages.kit.session import Session, drop_job
from pages.kit.settings import LANG
from pages.kit.text import PAGES, Label, prose
from pages.kit.theme import ICON, STYLE
from pages.kit.turns import TURNS
from pages.kit.viewport import is_narrow

NAME = Label(zh="posenc：词在哪里", en="posenc: where a word stands")


def run(concepts: Sequence[Concept], tools: Sequence[Concept] = ()) -> None:
    """Draw the page that the visitor asked for, in its turn. The first concept is the default page; tools come last."""
    with TURNS:
        _draw(concepts, tools)


def _draw(concepts: Sequence[Concept], tools: Sequence[Concept]) -> None:
    session = Session()
    lang = _language(session)
    listed = [*concepts, *tools]
    every = {concept.folder: _page(concept, lang, default=concept is concepts[0]) for concept in listed}
    pages = {concept.folder: every[concept.folder] for concept in concepts}
    groups: dict[str, list[st.Page]] = {}
    for concept in listed:
        groups.setdefault(concept.group.label(lang), []).append(every[concept.folder])
    # Before the navigation, which would otherwise show the page's named icon, fetched from elsewhere.
    st.set_page_config(page_icon=ICON, layout="wide")
    lectures = in_lecture(session, [tool.folder for tool in tools])
    chosen = st.navigation(groups, position="hidden" if is_embedded() or lectures else "sidebar")
    folder = chosen.url_path or concepts[0].folder
    session.enter(folder)
    if folder in pages:
        drop_job()
    tool_pages = {tool.folder: every[tool.folder] for tool in tools}
    st.session_state.update(session=session, lang=lang, pages=pages, tools=tool_pages)
    st.set_page_config(page_title=f"{chosen.title} · posenc")
    st.html(STYLE + PAPER)
    with st.container(key="language", horizontal=True, horizontal_alignment="right"):
        _come_back()
        is_narrow()
        if not lectures and folder in pages:
            enter_button(session, lang)
        _language_switch(session, lang)
    with caught(folder, PAGE):
        with opened_by(lambda concept: _open(concept, Lecture if lectures and folder in pages else Page)):
            chosen.run()
        st.session_state["page"].tell_refused()
    session.end()


def _open(concept: str, kind: type[Page]) -> Page:
    page = st.session_state["page"] = kind(concept)
    return page


@st.fragment(run_every=timedelta(days=1))
def _come_back() -> None:
    """A browser that finds its server again asks for the page only if it has a part that runs by itself.

    Without one, a page opened before the server's restart would never answer again.
    """


def _language(session: Session) -> str:
    """The language of the address, else as chosen before, else the browser's."""
    if LANG.name not in session.values:
        locale = (st.context.locale or "").lower()
        session.values[LANG.name] = "zh" if locale.startswith("zh") else "en"
    return session.value(LANG)


def _language_switch(session: Session, lang: str) -> None:
    key = f"{LANG.name}.{session.visit}"
    st.segmented_control(
        LANG.label(lang),
        LANG.options,
        default=lang,
        format_func=lambda option: LANG.show(option, lang),
        key=key,
        required=True,
        label_visibility="collapsed",
    )
    session.watch(key, lang, lambda moved: {LANG.name: moved})


def _page(concept: Concept, lang: str, *, default: bool) -> st.Page:
    return st.Page(
        PAGES / concept.folder / "page.py",
        title=prose(concept.folder, lang)["nav"],
        icon=concept.icon,
        url_path=concept.folder,
        default=default,
    )
