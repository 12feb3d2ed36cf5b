"""A real browser on a freshly started server."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.chromium import settle
from tests.serving import ROOT, serving


@contextmanager
def visitable(*arguments: str, cwd: Path = ROOT, log: Path | None = None) -> Iterator[str]:
    """The address of what ``streamlit run`` with these arguments serves, what it says written to the log."""
    with (log or Path(os.devnull)).open("wb") as sink, serving(*arguments, cwd=cwd, output=sink) as (port, _):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """One server for the tests that don't need a fresh one."""
    with visitable("app.py") as url:
        yield url


@pytest.fixture
def open_tab(browser) -> Iterator[Callable]:
    """Opens a tab as a new visitor; what went wrong in the page is in ``tab.faults``."""
    contexts = []

    def opened(url: str, *, width: int = 1280, height: int = 900, theme: str = "light", locale: str = "en-US"):
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, locale=locale, reduced_motion="reduce"
        )
        contexts.append(context)
        tab = context.new_page()
        tab.faults = []
        tab.on("pageerror", lambda error: tab.faults.append(f"uncaught {error}"))
        tab.on("request", lambda request: _note_if_away(tab, request.url))
        tab.on("console", lambda message: _note_if_refused(tab, message.text))
        tab.goto(url)
        settle(tab)
        return tab

    yield opened
    for context in contexts:
        context.close()


def _note_if_away(tab, url: str) -> None:
    if not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:")):
        tab.faults.append(f"asked the network for {url}")


def _note_if_refused(tab, text: str) -> None:
    if "Content Security Policy" in text or "Permissions-Policy" in text:
        tab.faults.append(text[:300])
