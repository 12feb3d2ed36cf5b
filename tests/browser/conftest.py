"""A real browser on a freshly started server."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
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


def free_port() -> int:
    """A port of this machine that nothing listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@contextmanager
def serving(*arguments: str, cwd: Path = ROOT, log: Path | None = None) -> Iterator[str]:
    """The address of an app that ``streamlit run`` with these arguments serves; it ends with the block."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", *arguments, "--server.port", str(port)]
    with (log or Path(os.devnull)).open("wb") as sink:
        process = subprocess.Popen(command, cwd=cwd, stdout=sink, stderr=subprocess.STDOUT)
        try:
            _wait(f"http://127.0.0.1:{port}/_stcore/health", process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(timeout=20)


def _wait(url: str, process: subprocess.Popen[bytes], seconds: float = 60) -> None:
    for _ in range(int(seconds / 0.25)):
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with status {process.returncode}")
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            time.sleep(0.25)
    raise TimeoutError(f"no answer at {url}")


@pytest.fixture(scope="session")
def browser():
    """Headless Chromium; without one the tests skip, except in CI, where that is a failure."""
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
    with serving("app.py") as url:
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
        tab.goto(url)
        settle(tab)
        return tab

    yield opened
    for context in contexts:
        context.close()


def _note_if_away(tab, url: str) -> None:
    if not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:")):
        tab.faults.append(f"asked the network for {url}")


def settle(tab, milliseconds: int = 400) -> None:
    """Wait until the page has drawn and no run is under way."""
    tab.wait_for_selector("[data-testid=stMain]", timeout=60_000)
    tab.wait_for_selector("h1", timeout=60_000)
    for _ in range(2):
        tab.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]", timeout=60_000)
        tab.wait_for_timeout(milliseconds)
