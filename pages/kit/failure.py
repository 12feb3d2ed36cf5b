"""When something goes wrong on a page: a kind sentence and a way on for the visitor, details for the server's log."""

import functools
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import FragmentHandledException
from streamlit.logger import get_logger

from pages.kit.session import Session
from pages.kit.settings import LANG, Words
from pages.kit.text import LANGUAGES, Label

PAGE = Label(
    zh="这一页没能完整显示出来。不是你的操作有误；出错的细节已记入服务器日志。",
    en="This page could not be shown to its end. You did nothing wrong; the server’s log has the details.",
)
PART = Label(
    zh="这一部分没能显示出来，页面的其余内容照常可用。出错的细节已记入服务器日志。",
    en="This part could not be shown; the rest of the page works. The server’s log has the details.",
)
BELOW = Label(
    zh="下面有一部分没能显示出来，其余内容照常可用。出错的细节已记入服务器日志。",
    en="Something below could not be shown; the rest of the page works. The server’s log has the details.",
)
AFRESH = Label(zh="以默认设置打开本页", en="Open this page with its default settings")
HOME = Label(zh="回到首页", en="Go to the home page")

LOG = get_logger("posenc.pages")
P = ParamSpec("P")


@contextmanager
def caught(concept: str, told: Label, *, inside: DeltaGenerator | None = None, ends_run: bool = True) -> Iterator[None]:
    """Whatever goes wrong in the block ends it, is told to the visitor, and is noted in the log.

    What Streamlit raises to stop or rerun a script is no error and passes.

    Args:
        concept: The page.
        told: What the visitor reads.
        inside: Where; without it, where the block has been.
        ends_run: Whether settings may not have been read for it, so that the address should stay as it is.
    """
    try:
        yield
    except FragmentHandledException:  # Streamlit has told of it.
        raise
    except Exception as error:
        session = st.session_state.get("session")
        LOG.error(entry(concept, session, error))
        if session is not None and ends_run:
            session.has_failed = True
        with inside if inside is not None else st.container():
            _tell(concept, told)


def caught_in_place(draw: Callable[P, None]) -> Callable[P, None]:
    """A method of a page that draws something, and tells in its place if that goes wrong."""

    @functools.wraps(draw)
    def drawn(*given: P.args, **named: P.kwargs) -> None:
        page: Any = given[0]
        with caught(page.concept, PART, ends_run=False):
            draw(*given, **named)

    return drawn


def _tell(concept: str, told: Label) -> None:
    lang = st.session_state.get("lang", LANG.default)
    pages = st.session_state.get("pages", {})
    st.warning(told(lang), icon=":material/build_circle:")
    with st.container(horizontal=True):
        for label, name in ((AFRESH, concept), (HOME, next(iter(pages), concept))):
            if name in pages:
                st.page_link(pages[name], label=label(lang), query_params={"lang": lang})


def entry(concept: str, session: Session | None, error: BaseException) -> str:
    """What the log says of an error: page, settings, type and traceback; of the visitor nothing.

    A visitor may have written anything into a field or the address, and an error's message may quote it. So a sentence
    counts by its length alone, and as long as a visitor's own text is about, messages are left out.
    """
    settings = "".join(f" {name}={value}" for name, value in _settings(session))
    return f"page={concept}{settings}\n{_trace(error, messages=not _has_own_text(session))}"


def _settings(session: Session | None) -> Iterator[tuple[str, str]]:
    if session is None:
        return
    for name, value in session.shown.items():
        is_free = isinstance(session.settings[name], Words)
        yield name, f"<{len(str(value))} characters>" if is_free else str(value)


def _has_own_text(session: Session | None) -> bool:
    """Whether the visitor has sent any text that is not a value of a setting on this page."""
    if session is None:
        return bool(st.query_params)
    values = [(name, value) for name in st.query_params for value in st.query_params.get_all(name)]
    values += [(name, value) for name, value in session.values.items() if isinstance(value, str) and value]
    return any(not _is_value(session, name, value) for name, value in values)


def _is_value(session: Session, name: str, value: str) -> bool:
    if name == LANG.name:
        return value in LANGUAGES
    setting = session.settings.get(name)
    return setting is not None and not isinstance(setting, Words) and value == str(session.shown[name])


def _trace(error: BaseException, *, messages: bool) -> str:
    """The error and what caused it, latest last, as Python writes them."""
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    before = f"{_trace(earlier, messages=messages)}\nthen\n" if earlier else ""
    said = f": {error}" if messages else ": (its message may quote the visitor)"
    return f"{before}{''.join(traceback.format_tb(error.__traceback__))}{type(error).__qualname__}{said}"
