"""Cards that lead to other pages: a small picture, the page's claim, one line."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from pages.kit.concept import Card, Path
from pages.kit.text import prose
from pages.kit.theme import POSITION

if TYPE_CHECKING:
    from pages.kit.frame import Page

STYLE = f"""<style>
[class*=st-key-card] {{position: relative; transition: border-color .15s;}}
[class*=st-key-card]:hover {{border-color: {POSITION};}}
[class*=st-key-card] :is(.stElementContainer, .stPageLink, .stPageLink *) {{position: static;}}
[class*=st-key-card] a {{padding: 0 !important; background: none !important;}}
[class*=st-key-card] a::after {{content: ""; position: absolute; inset: 0; border-radius: 8px; z-index: 2;}}
[class*=st-key-card] a:focus-visible::after {{outline: 2px solid {POSITION};}}
[class*=st-key-card] a p, [class*=st-key-link] a p {{white-space: normal !important; overflow: visible !important;}}
[class*=st-key-link] a {{padding-left: 0 !important;}}
[class*=st-key-card] a p {{font-size: 1.1rem; line-height: 1.35;}}
</style>"""
"""The whole card is its link. Only constants: nothing that a visitor sends ever gets into markup."""


def show_cards(page: "Page", cards: Sequence[Card], *, per_row: int = 3) -> None:
    """The cards numbered in their order, in rows of equal height; the last row may have fewer and wider ones."""
    st.html(STYLE)
    for start in range(0, len(cards), per_row):
        row = cards[start : start + per_row]
        for number, (column, card) in enumerate(zip(st.columns(len(row)), row, strict=True), start + 1):
            with column.container(border=True, height="stretch", key=f"card.{card.concept}"):
                page.picture(card.draw, alt=card.alt, **card.inputs)
                link(page, f"**{number}  {prose(card.concept, page.lang)['title']}**", card.concept)
                page.section(card.concept)


def link(
    page: "Page", label: str, concept: str, state: Mapping[str, Hashable] | None = None, *, icon: str = ""
) -> None:
    """A link to a page, in the visitor's language, at a state of its settings."""
    written = {name: str(value) for name, value in (state or {}).items()}
    st.page_link(
        (st.session_state["pages"] | st.session_state["tools"])[concept],
        label=label,
        icon=icon,
        icon_position="right",
        query_params={"lang": page.lang, **written},
    )


def show_paths(page: "Page", paths: Sequence[Path]) -> None:
    """Ways to begin, side by side: a section of the page's prose under a heading, and a link to a state of a page."""
    for column, path in zip(st.columns(len(paths), gap="large"), paths, strict=True):
        with column, st.container(key=f"link.{path.section}"):
            page.section(path.section, path.heading)
            link(page, path.link(page.lang), path.concept, path.state, icon=":material/arrow_forward:")
