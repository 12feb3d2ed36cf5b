"""Frames a second of each live figure while its handle is dragged, beside those of an empty page with a bare slider.

    python -m tests.bench.frames                     every handle of every page, 2 s each
    python -m tests.bench.frames --pages rope --seconds 5

Both are dragged by the same hand in the same browser, in turn (empty, figure, empty, figure ...). The empty page gives
the rate of the display. "Slow" is the rate that one frame in twenty is below.
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median, quantiles

from playwright.sync_api import Page

from pages.index import CONCEPTS
from pages.kit.address import place
from tests.bench import servers
from tests.chromium import HANDLE, chromium, drag, settle

EVERY = tuple(concept.folder for concept in CONCEPTS)
EMPTY = "<!doctype html><input type=range style='width: 300px'>"


@dataclass(frozen=True)
class Rate:
    """Frames a second: half of the frames were faster than the median, one in twenty slower than ``slow``."""

    median: float
    slow: float


@dataclass(frozen=True)
class Live:
    """A handle of a page, and the empty page in the seconds before."""

    page: str
    handle: str
    figure: Rate
    empty: Rate


def rate(milliseconds: Sequence[float]) -> Rate:
    """Of frames that lie so far apart."""
    return Rate(1000 / median(milliseconds), 1000 / quantiles(milliseconds, n=20)[-1])


def measure(pages: Sequence[str], seconds: float) -> Iterator[Live]:
    """Every handle of these pages."""
    with servers.app() as app, chromium() as browser:
        empty, tab = browser.new_page(), browser.new_page(locale="en-US")
        empty.set_content(EMPTY)
        for page in pages:
            tab.bring_to_front()
            tab.goto(f"{app.url}{place(page)}?lang=en")
            settle(tab)
            for index in range(tab.locator(HANDLE).count()):
                bare = dragged(empty, "input", 0, seconds)
                live = dragged(tab, HANDLE, index, seconds)
                settle(tab)
                yield Live(page, _name(tab, index), live, bare)


def dragged(tab: Page, handle: str, index: int, seconds: float) -> Rate:
    """The rate while one handle of the tab is dragged."""
    tab.bring_to_front()
    return rate(drag(tab, tab.locator(handle).nth(index), seconds))


def _name(tab: Page, index: int) -> str:
    label = tab.locator(".vega-bind:has(input[type=range]) .vega-bind-name").nth(index)
    return label.inner_text()


def report(measured: Iterable[Live]) -> Iterator[str]:
    """The table, as lines of text."""
    yield f"{'frames a second':<46}{'figure':>8}{'slow':>7}{'empty page':>13}{'slow':>7}{'ratio':>8}"
    for live in measured:
        figure, empty = live.figure, live.empty
        yield (
            f"{live.page:<16}{live.handle:<30}{figure.median:8.1f}{figure.slow:7.1f}"
            f"{empty.median:13.1f}{empty.slow:7.1f}{figure.median / empty.median:8.2f}"
        )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", nargs="+", choices=EVERY, default=EVERY)
    parser.add_argument("--seconds", type=float, default=2.0, help="of dragging each handle")
    asked = parser.parse_args()
    for line in report(measure(asked.pages, asked.seconds)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
