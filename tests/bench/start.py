"""From the start of the process to the first page, beside ``streamlit hello`` and a page of one slider.

    python -m tests.bench.start                 5 rounds
    python -m tests.bench.start --rounds 9

The contenders take turns (A B C A B C ...), after a round that isn't counted, in which Python compiles what it hasn't
yet. The page is the home page, whole, over a websocket. CPU is that of the process, wall time what a person waits;
ratios are medians of the rounds' own.
"""

import argparse
import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from statistics import median

from tests.bench import servers
from tests.bench.servers import Server
from tests.bench.session import Session

APP, HELLO, SLIDER = "the app", "streamlit hello", "one slider"
CONTENDERS: Mapping[str, Callable[[], AbstractContextManager[Server]]] = {
    APP: servers.app,
    HELLO: servers.hello,
    SLIDER: servers.one_slider,
}


@dataclass(frozen=True)
class Start:
    """Seconds until the first page was there whole: of waiting, and of CPU."""

    wall: float
    cpu: float


def begin(contender: Callable[[], AbstractContextManager[Server]]) -> Start:
    """Start it, visit its first page, end it."""
    began = time.monotonic()
    with contender() as server:
        asyncio.run(_visit(server))
        return Start(time.monotonic() - began, server.cpu())


async def _visit(server: Server) -> None:
    async with Session(server.port):
        pass


def measure(rounds: int, names: Sequence[str] = tuple(CONTENDERS)) -> dict[str, list[Start]]:
    """The starts of each contender, in turn."""
    laps = [{name: begin(CONTENDERS[name]) for name in names} for _ in range(1 + rounds)][1:]
    return {name: [lap[name] for lap in laps] for name in names}


def cpu_ratio(starts: Sequence[Start], others: Sequence[Start]) -> float:
    """How many times the CPU of the others: median over the rounds."""
    return median(one.cpu / other.cpu for one, other in zip(starts, others, strict=True))


def report(measured: Mapping[str, Sequence[Start]]) -> Iterator[str]:
    """The table, as lines of text."""
    ours = measured[APP]
    yield f"{'start to first page':<24}{'CPU s':>8}{'wall s':>8}{'app : it, CPU':>16}{'app : it, wall':>16}"
    for name, starts in measured.items():
        cpu, wall = median(start.cpu for start in starts), median(start.wall for start in starts)
        waits = median(one.wall / other.wall for one, other in zip(ours, starts, strict=True))
        yield f"{name:<24}{cpu:8.2f}{wall:8.2f}{cpu_ratio(ours, starts):16.2f}{waits:16.2f}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    for line in report(measure(parser.parse_args().rounds)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
