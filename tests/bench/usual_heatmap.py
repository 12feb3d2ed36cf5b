"""The table of sinusoids as a usual app draws it, Altair's rectangles or matplotlib, beside the heatmap page.

    python -m tests.bench.usual_heatmap                 at 64 x 64, 512 x 128 and 4096 x 1024; 3 rounds
    python -m tests.bench.usual_heatmap --rounds 7

The usual apps are the two scripts below: nothing but the heatmap and a slider for the base, the table cached, on a
server with our settings. Our page carries a clock, a wave, a row, prose and code besides. Two things are measured, the
contenders in turn: opening the page at that size in a browser that has been there before, until the picture stands;
and its redraw after the base was changed to a value that others have looked at, this browser not. Bytes are what the
browser receives, CPU is the server's. What does not finish in time is said not to.
"""

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass
from statistics import median

from playwright.sync_api import Browser, BrowserContext, TimeoutError

from tests.bench import servers
from tests.bench.redraw import Control, moved
from tests.bench.servers import Server
from tests.bench.visit import Traffic, visit
from tests.chromium import chromium, settle

OURS, ALTAIR, MATPLOTLIB = "heatmap page", "Altair, mark_rect", "matplotlib, imshow"
SIZES = ((64, 64), (512, 128), (4096, 1024))
SECONDS = 60
"""For one picture."""

TABLE = """\
import numpy as np
import streamlit as st

st.title("Sinusoidal positions")
n, d_model = (int(st.query_params[name]) for name in ("n_positions", "d_model"))
base = st.select_slider("base", (10, 100, 1000, 10_000), 10_000, key="base")


@st.cache_data
def table(n, d_model, base):
    angles = np.arange(n)[:, None] * float(base) ** (-np.arange(0, d_model, 2) / d_model)
    values = np.empty((n, d_model), dtype=np.float32)
    values[:, 0::2], values[:, 1::2] = np.sin(angles), np.cos(angles)
    return values


values = table(n, d_model, base)
"""
RECTANGLES = """
import altair as alt
import pandas as pd

position, dimension = np.indices(values.shape)
cells = pd.DataFrame({"position": position.ravel(), "dimension": dimension.ravel(), "value": values.ravel()})
st.altair_chart(
    alt.Chart(cells)
    .mark_rect()
    .encode(
        x="dimension:O",
        y="position:O",
        color=alt.Color("value:Q", scale=alt.Scale(scheme="redblue", domain=[-1, 1])),
        tooltip=["position", "dimension", "value"],
    )
    .properties(height=600)
)
"""
IMSHOW = """
import matplotlib.pyplot as plt

figure, axes = plt.subplots()
image = axes.imshow(values, aspect="auto", cmap="RdBu", vmin=-1, vmax=1)
axes.set(xlabel="dimension", ylabel="position")
figure.colorbar(image)
st.pyplot(figure)
"""
SCRIPTS = {ALTAIR: TABLE + RECTANGLES, MATPLOTLIB: TABLE + IMSHOW}
PAINTED = """(marks => marks && ('getContext' in marks
    ? marks.width && marks.getContext('2d').getImageData(marks.width / 2, marks.height / 2, 1, 1).data[3]
    : marks.querySelector('.mark-rect path')))
    (document.querySelector('[data-testid=stVegaLiteChart] .marks'))"""
"""Streamlit draws small charts as SVG, large ones on a canvas."""

DRAWN = {
    OURS: "document.querySelector('[data-testid=stVegaLiteChart] svg.marks image')",
    ALTAIR: PAINTED,
    MATPLOTLIB: "document.querySelector('[data-testid=stImage] img')?.naturalWidth",
}
BASE = {OURS: Control("st-key-base-en-1"), ALTAIR: Control("st-key-base"), MATPLOTLIB: Control("st-key-base")}


@dataclass(frozen=True)
class Cost:
    """Of one picture: milliseconds until it was drawn, bytes received, milliseconds of the server's CPU."""

    milliseconds: float
    received: int
    cpu: float


@dataclass(frozen=True)
class Picture:
    """Opening the page with the picture, and redrawing it with another base; None if that took too long."""

    opened: Cost | None
    redrawn: Cost | None


Laps = dict[str, list[Picture]]
"""Contender -> its pictures, one a round; one that once did not finish has a last picture that says so."""


def measure(size: tuple[int, int], rounds: int) -> Laps:
    """Each contender in turn, after a picture of each that isn't counted."""
    with ExitStack() as open_:
        serve: Mapping[str, Server] = {
            name: open_.enter_context(servers.app() if name == OURS else usual(name)) for name in DRAWN
        }
        laps: Laps = {name: [] for name in DRAWN}
        for _ in range(1 + rounds):
            for name, pictures in laps.items():
                if all(made.redrawn for made in pictures):
                    # A browser of its own: one that hangs must not hold up the others.
                    with chromium() as browser:
                        pictures.append(picture(browser, name, serve[name], size))
    return {name: pictures[1:] or pictures for name, pictures in laps.items()}


def usual(name: str) -> AbstractContextManager[Server]:
    """The usual app, allowed to send as much as it likes."""
    return servers.page(SCRIPTS[name], **{"server.maxMessageSize": "1000"})


def picture(browser: Browser, name: str, server: Server, size: tuple[int, int], seconds: float = SECONDS) -> Picture:
    """One picture by this contender."""
    context = browser.new_context(locale="en-US")
    page = f"{server.url}heatmap?lang=en&" if name == OURS else f"{server.url}?"
    visit(context, f"{page}n_positions=8&d_model=8", DRAWN[name])
    url = f"{page}n_positions={size[0]}&d_model={size[1]}"
    opened = redrawn = None
    with suppress(TimeoutError):
        opened = _opened(context, server, url, name, seconds)
        redrawn = _redrawn(context, server, url, name, seconds)
    return Picture(opened, redrawn)


def _opened(context: BrowserContext, server: Server, url: str, name: str, seconds: float) -> Cost:
    before = server.cpu()
    found = visit(context, url, DRAWN[name], seconds=seconds)
    return Cost(found.milliseconds, found.received, (server.cpu() - before) * 1000)


def _redrawn(context: BrowserContext, server: Server, url: str, name: str, seconds: float) -> Cost:
    tab = context.new_page()
    tab.goto(url)
    tab.wait_for_function(f"() => ({DRAWN[name]})", timeout=seconds * 1000)
    settle(tab)
    traffic, before = Traffic(tab), server.cpu()
    milliseconds = moved(tab, BASE[name], seconds=seconds)
    return Cost(milliseconds, traffic.received, (server.cpu() - before) * 1000)


def report(measured: Iterable[tuple[tuple[int, int], Laps]]) -> Iterator[str]:
    """A table for each size, as lines of text."""
    for size, laps in measured:
        shape = " x ".join(map(str, size))
        yield f"{shape:<26}{'opened ms':>11}{'kB':>9}{'CPU ms':>8}{'redrawn ms':>12}{'kB':>9}{'CPU ms':>8}"
        for name, pictures in laps.items():
            opened, redrawn = ([getattr(picture, what) for picture in pictures] for what in ("opened", "redrawn"))
            yield f"  {name:<24}{_cost(opened)} {_cost(redrawn)}"


def _cost(costs: Sequence[Cost | None]) -> str:
    finished = [cost for cost in costs if cost]
    if len(finished) < len(costs):
        return f"{f'not finished in {SECONDS} s':>28}"
    ms, kilobytes = median(cost.milliseconds for cost in finished), median(cost.received for cost in finished) / 1000
    return f"{ms:11.0f}{kilobytes:9.0f}{median(cost.cpu for cost in finished):8.0f}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    for line in report((size, measure(size, rounds)) for size in SIZES):
        print(line, flush=True)


if __name__ == "__main__":
    main()
