"""CPU that a rerun of each page takes on the server, against a page of one slider measured in the same minute.

    python -m tests.bench.rerun_cpu                         every page, 100 reruns each
    python -m tests.bench.rerun_cpu --pages rope --reruns 200
    python -m tests.bench.rerun_cpu --check                 ends with 1 if a ratio is above 3, or a page is broken
    python -m tests.bench.rerun_cpu --json                  for machines

A *warm* rerun goes to settings that somebody has looked at before, a *cold* one to new ones. Moves go through every
control outside the language switch, several values each, and back. Blocks of both servers alternate (slider, page,
slider, page ...), so that whatever else the machine does falls on both; the ratio is the median over the blocks.
A page without controls is rerun as it is. The large heatmap is compared with the small one in the same way.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from pages.index import CONCEPTS
from pages.kit.address import place
from tests.bench import servers
from tests.bench.servers import Server
from tests.bench.session import RunFailedError, Session, Widget

LIMIT = 3.0
BLOCKS = 5
VALUES = 3
"""Values that each control is moved to."""

Move = tuple[Widget, Any]
Step = Callable[[], Coroutine[Any, Any, object]]


@dataclass(frozen=True)
class Cost:
    """Milliseconds of CPU of a rerun, and how many times that of the thing compared with."""

    page: str
    warm: float
    cold: float | None
    compared: float
    ratio: float


def moves(session: Session, fixed: Sequence[str] = ()) -> list[Move]:
    """A round of moves through the page's controls, except the fixed ones: a few values each, then its first again."""
    round_: list[Move] = []
    for (id, handle), widget in session.widgets.items():
        if widget.name == "lang" or widget.name in fixed:
            continue
        start = session.values[id, handle]
        others = [value for value in widget.values if value != start]
        chosen = others[:: max(1, -(-len(others) // VALUES))]
        round_ += [(widget, value) for value in (*chosen, start)]
    return round_


async def take(session: Session, control: Widget, value: Any) -> bool:
    """Move the control as it is now; False if the page has it no more, or not with that value, at its settings."""
    for widget in session.widgets.values():
        if (widget.name, widget.kind) == (control.name, control.kind) and value in widget.values:
            await session.move(widget, value)
            return True
    return False


def walker(session: Session, round_: Sequence[Move]) -> Step:
    """A function that makes the next move of the round each time it is called."""

    def endless() -> Iterator[Move]:
        while True:
            yield from round_

    ahead = endless()

    async def step() -> None:
        for _ in round_:
            if await take(session, *next(ahead)):
                return
        await session.rerun()

    return step


async def spent(server: Server, step: Step, reruns: int) -> float:
    """Milliseconds of CPU that the server takes for a rerun, on average."""
    before = server.cpu()
    for _ in range(reruns):
        await step()
    return (server.cpu() - before) * 1000 / reruns


async def first_round(server: Server, session: Session, round_: Sequence[Move]) -> float | None:
    """Milliseconds of CPU of a move to new settings: all of the round but the way back."""
    seen: set[str] = {_state(session)}
    total, count = 0.0, 0
    for control, value in round_:
        before = server.cpu()
        await take(session, control, value)
        state = _state(session)
        if state not in seen:
            total, count = total + server.cpu() - before, count + 1
        seen.add(state)
    return total * 1000 / count if count else None


def _state(session: Session) -> str:
    return json.dumps([[widget.name, session.values[key]] for key, widget in session.widgets.items()])


async def alternate(first: tuple[Server, Step], second: tuple[Server, Step], reruns: int) -> tuple[float, float, float]:
    """Milliseconds of each, and how many times the first the second costs; medians over blocks in turn."""
    each = max(1, -(-reruns // BLOCKS))
    pairs = [(await spent(*first, each), await spent(*second, each)) for _ in range(BLOCKS)]
    return median(a for a, _ in pairs), median(b for _, b in pairs), median(b / max(a, 1e-9) for a, b in pairs)


async def page_cost(slider: Server, app: Server, page: str, reruns: int) -> Cost:
    """What a rerun of the page costs."""
    async with Session(slider.port) as plain, Session(app.port, place(page)) as session:
        round_ = moves(session)
        cold = await first_round(app, session, round_)
        step, plain_step = walker(session, round_), walker(plain, moves(plain))
        for _ in range(max(len(round_), 10)):  # The round once more: controls that depend on others have now settled.
            await step()
            await plain_step()
        compared, warm, ratio = await alternate((slider, plain_step), (app, step), reruns)
    return Cost(page, warm, cold, compared, ratio)


async def heatmap_cost(app: Server, reruns: int) -> Cost:
    """What a rerun of the heatmap page costs with a table of 4096 x 1024, against one of 64 x 64."""
    sizes = ("n_positions", "d_model")
    small, large = ("&".join(f"{name}={size}" for name, size in zip(sizes, shape, strict=True)) for shape in SHAPES)
    async with Session(app.port, "heatmap", small) as first, Session(app.port, "heatmap", large) as second:
        steps = [walker(session, moves(session, fixed=sizes)) for session in (first, second)]
        for step in steps:
            for _ in range(2 * len(moves(first, fixed=sizes)) + 2):
                await step()
        compared, warm, ratio = await alternate((app, steps[0]), (app, steps[1]), reruns)
    return Cost("heatmap 4096 x 1024 : 64 x 64", warm, None, compared, ratio)


SHAPES = ((64, 64), (4096, 1024))


async def measure(pages: Sequence[str], reruns: int) -> list[Cost]:
    """The costs of the pages, and of the large heatmap if its page is among them; broken pages are named and left."""
    costs: list[Cost] = []
    with servers.one_slider() as slider, servers.app() as app:
        jobs = {page: page_cost(slider, app, page, reruns) for page in pages}
        if "heatmap" in pages:
            jobs["heatmap, large"] = heatmap_cost(app, reruns)
        for name, job in jobs.items():
            try:
                costs.append(await job)
            except RunFailedError as failure:
                print(f"{name}: {failure}", file=sys.stderr)
    return costs


def table(costs: Sequence[Cost]) -> str:
    """The costs as lines of text."""
    lines = [f"{'page':<32}{'warm ms':>9}{'cold ms':>9}{'against ms':>12}{'ratio':>7}"]
    for cost in costs:
        cold = f"{cost.cold:9.1f}" if cost.cold is not None else f"{'':9}"
        lines.append(f"{cost.page:<32}{cost.warm:9.1f}{cold}{cost.compared:12.1f}{cost.ratio:7.2f}")
    return "\n".join(lines)


def main() -> int:
    """Measure and print; 1 if asked to check and something is above the limit."""
    every = [concept.folder for concept in CONCEPTS]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", nargs="+", choices=every, default=every)
    parser.add_argument("--reruns", type=int, default=100, help="of each page, in all blocks together")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    costs = asyncio.run(measure(asked.pages, asked.reruns))
    print(json.dumps([asdict(cost) for cost in costs]) if asked.json else table(costs))
    incomplete = len(costs) < len(asked.pages) + ("heatmap" in asked.pages)
    return int(asked.check and (incomplete or any(cost.ratio > LIMIT for cost in costs)))


if __name__ == "__main__":
    sys.exit(main())
