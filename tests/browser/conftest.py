"""A real browser on a freshly started server."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.serving import ROOT, serving

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MISSING = (
    "The browser tests need Chromium and fonts with Chinese characters. "
    "On Debian or Ubuntu: apt-get install chromium fonts-noto-cjk"
)


@contextmanager
def visitable(*arguments: str, cwd: Path = ROOT, log: Path | None = None) -> Iterator[str]:
    """The address of what ``streamlit run`` with these arguments serves, what it says written to the log."""
    with (log or Path(os.devnull)).open("wb") as sink, serving(*arguments, cwd=cwd, output=sink) as (port, _):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def browser():
    """Headless Chromium; without one the tests skip, except in CI, where that is a failure.

    Of a module only: as long as Playwright runs, no other test of the process can use asyncio.run.
    """
    if CHROMIUM is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(MISSING)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield started
        started.close()


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


def settle(tab, milliseconds: int = 400) -> None:
    """Wait until the page has drawn and no run is under way."""
    tab.wait_for_selector("[data-testid=stMain]", timeout=60_000)
    tab.wait_for_selector("h1", timeout=60_000)
    for _ in range(2):
        tab.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]", timeout=60_000)
        tab.wait_for_timeout(milliseconds)
