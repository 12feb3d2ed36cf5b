"""The first load of the home page, cold and warm, direct and through nginx, beside a page of one slider.

    python -m tests.bench.first_load                 3 rounds
    python -m tests.bench.first_load --rounds 7

A cold visitor has never been here; a warm one comes again, with what the browser has kept. Direct means from the
app's own port, nginx is set up as the hosting page says, with one replica. The contenders take turns. Time runs from
the navigation to the headline and the first figure (of the one slider: to the slider). No network lies between, so
bytes and requests say more of a far visitor's wait than the milliseconds do.
"""

import argparse
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from statistics import median

from playwright.sync_api import Browser

from tests.bench import servers
from tests.bench.visit import Visit, visit
from tests.chromium import chromium
from tests.hosting.replicas import NGINX, behind_nginx, folder_for_states

DIRECT, PROXIED, SLIDER = "the app, direct", "the app, nginx", "one slider, direct"
FIGURE = "document.querySelector('h1') && document.querySelector('[data-testid=stVegaLiteChart] svg.marks path')"
SHOWS = {DIRECT: FIGURE, PROXIED: FIGURE, SLIDER: "document.querySelector('[data-testid=stSlider]')"}

Loads = dict[tuple[str, str], list[Visit]]
"""(contender, "cold" or "warm") -> a visit each round."""


def measure(rounds: int, *, nginx: bool = NGINX is not None) -> Loads:
    """The loads of each contender, after one visit of each that isn't counted."""
    with ExitStack() as open_:
        addresses = {
            DIRECT: open_.enter_context(servers.app()).url,
            SLIDER: open_.enter_context(servers.one_slider()).url,
        }
        if nginx:
            state = open_.enter_context(folder_for_states()) / "state"
            addresses[PROXIED] = f"http://127.0.0.1:{open_.enter_context(behind_nginx(state, 1))}/"
        browser = open_.enter_context(chromium())
        laps = [lap(browser, addresses) for _ in range(1 + rounds)][1:]
    return {which: [visits[which] for visits in laps] for which in laps[0]}


def lap(browser: Browser, addresses: Mapping[str, str]) -> dict[tuple[str, str], Visit]:
    """A cold and a warm visit to each address."""
    visits = {}
    for name, url in addresses.items():
        context = browser.new_context(locale="en-US")
        for kind in ("cold", "warm"):
            visits[name, kind] = visit(context, url, SHOWS[name])
        context.close()
    return visits


def report(loads: Loads) -> Iterator[str]:
    """The table, as lines of text."""
    yield f"{'first load':<24}{'':<6}{'ms':>8}{'kB':>9}{'requests':>10}{'times one slider, ms':>22}"
    for (name, kind), visits in loads.items():
        pairs = zip(visits, loads[SLIDER, kind], strict=True)
        times = median(one.milliseconds / other.milliseconds for one, other in pairs)
        ms, kilobytes = median(v.milliseconds for v in visits), median(v.received for v in visits) / 1000
        requests = median(v.requests for v in visits)
        yield f"{name:<24}{kind:<6}{ms:8.0f}{kilobytes:9.0f}{requests:10.0f}{times:22.2f}"
    if (PROXIED, "cold") not in loads:
        yield "nginx is missing: apt-get install nginx"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    for line in report(measure(parser.parse_args().rounds)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
