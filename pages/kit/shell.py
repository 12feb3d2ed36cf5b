"""Around the pages: navigation, the language switch, the visitor's settings, the style."""

from collections.abc import Sequence

import streamlit as st

from pages.kit.concept import Concept
from pages.kit.frame import Page
from pages.kit.opening import opened_by
from pages.kit.session import Session
from pages.kit.settings import LANG
from pages.kit.text import PAGES, Label, prose
from pages.kit.theme import ICON, STYLE
from pages.kit.viewport import is_narrow

NAME = Label(zh="posenc：词在哪里", en="posenc: where a word stands")


def run(concepts: Sequence[Concept]) -> None:
    """Draw the page that the visitor asked for. The first concept is the default page."""
    session = Session()
    lang = _language(session)
    pages = {concept.folder: _page(concept, lang, default=concept is concepts[0]) for concept in concepts}
    groups: dict[str, list[st.Page]] = {}
    for concept in concepts:
        groups.setdefault(concept.group.label(lang), []).append(pages[concept.folder])
    # Before the navigation, which would otherwise show the page's named icon, fetched from elsewhere.
    st.set_page_config(page_icon=ICON, layout="wide")
    chosen = st.navigation(groups)
    folder = chosen.url_path or concepts[0].folder
    session.enter(folder)
    st.session_state.update(session=session, lang=lang, pages=pages)
    st.set_page_config(page_title=f"{chosen.title} · posenc")
    st.html(STYLE)
    with st.container(key="language", horizontal=True, horizontal_alignment="right"):
        is_narrow()
        _language_switch(session, lang)
    with opened_by(_open):
        chosen.run()
    st.session_state["page"].tell_refused()
    session.end()


def _open(concept: str) -> Page:
    page = st.session_state["page"] = Page(concept)
    return page


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
