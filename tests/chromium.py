"""A headless Chromium that tests and measurements start, and what they do in its tabs."""

import math
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Locator, Page, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
MISSING = (
    "The browser tests need Chromium and fonts with Chinese characters. "
    "On Debian or Ubuntu: apt-get install chromium fonts-noto-cjk"
)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
HANDLE = ".vega-bindings input[type=range]"
"""What moves a live figure."""
COUNT_FRAMES = """() => {
  window.frames_seen = [];
  let before = performance.now();
  const next = now => { window.frames_seen.push(now - before); before = now; requestAnimationFrame(next); };
  requestAnimationFrame(next);
}"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser that ends with the block. Until then nothing else of the process can use asyncio.run.

    Raises:
        RuntimeError: There is none on this machine.
    """
    if CHROMIUM is None:
        raise RuntimeError(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


def settle(tab: Page, milliseconds: int = 400, *, sign: str = "h1") -> None:
    """Wait until the page has drawn, which its sign shows, and no run is under way."""
    tab.wait_for_selector("[data-testid=stMain]", timeout=60_000)
    tab.wait_for_selector(sign, timeout=60_000)
    for _ in range(2):
        tab.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]", timeout=60_000)
        tab.wait_for_timeout(milliseconds)


def drag(tab: Page, handle: Locator, seconds: float = 2.0) -> list[float]:
    """Drag the handle to and fro, to end in its right half; returns the milliseconds between the frames drawn."""
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    assert box is not None
    left, width, y = box["x"] + 8, box["width"] - 16, box["y"] + box["height"] / 2
    tab.evaluate(COUNT_FRAMES)
    tab.mouse.move(left, y)
    tab.mouse.down()
    tab.evaluate("window.frames_seen.length = 0")
    end, step = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        step += 1
        tab.mouse.move(left + width * (0.5 - 0.5 * math.cos(step * 0.04)), y)
    frames: list[float] = tab.evaluate("window.frames_seen")
    tab.mouse.move(left + 0.83 * width, y)
    tab.mouse.up()
    return frames[1:]
