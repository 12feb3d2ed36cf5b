"""What a class may cost: each scenario drives real sessions on a server of its own, and says what it found."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import linear_regression, median

from tests.bench.servers import Server
from tests.load.classroom import enter, percentile
from tests.load.learner import FOLDERS, Journal

MOST_MEMORY = 690.0
"""MB of the server with a class on it: the least that the usual free host promises."""
MOST_A_SESSION = 0.5
"""MB that one more learner may take."""
MOST_A_THOUSAND = 2.0
"""MB that a thousand reruns may leave behind, once the caches are full of what the class looks at."""


@dataclass(frozen=True)
class Finding:
    """A measured value, with its unit; within its limit unless it has none."""

    what: str
    value: float
    unit: str
    limit: float | None = None

    @property
    def holds(self) -> bool:
        """Whether the value is at most the limit."""
        return self.limit is None or self.value <= self.limit


PREPARES = 5.0
"""Seconds after which a server has prepared for all pages."""

Scenario = Callable[[Server], Awaitable[list[Finding]]]


async def seminar(server: Server, *, count: int = 50) -> list[Finding]:
    """50 learners over all pages, each with a move every 5 s."""
    return await _class(server, count, every=5, p95=250)


async def lecture(server: Server, *, count: int = 300) -> list[Finding]:
    """300 learners over all pages, each with a move every 10 s."""
    return await _class(server, count, every=10, p95=500)


async def _class(server: Server, count: int, *, every: float, p95: float, seconds: float = 120) -> list[Finding]:
    """The class twice: while nobody has been anywhere yet, and after that, where the limits are to be kept."""
    room = await enter(server)
    learners = await room.seat(count)
    await room.move(learners, every=every, seconds=seconds)
    early, room.journal.reruns = room.journal.reruns, []
    with _cost(server, room.journal) as cost:
        await room.move(learners, every=every, seconds=seconds)
    found = [
        *_answers(room.journal, p95),
        Finding("while the caches filled: reruns", len(early), ""),
        Finding("  median", 1000 * median([rerun.seconds for rerun in early] or [0]), "ms"),
        Finding("  p95", 1000 * percentile([rerun.seconds for rerun in early], 0.95), "ms"),
        *cost,
        Finding("memory, at its peak", room.peak, "MB", MOST_MEMORY),
    ]
    await room.leave()
    return found


async def opening(server: Server, *, count: int = 200) -> list[Finding]:
    """200 learners open the pages at the same moment, on a server that has been up for some seconds."""
    room = await enter(server)
    await asyncio.sleep(PREPARES)
    with _cost(server, room.journal, openings=True) as cost:
        await room.seat(count, at_once=count)
    times = room.journal.openings
    found = [
        *_errors(room.journal),
        Finding("first page, median", median(times), "s"),
        Finding("first page, p95", percentile(times, 0.95), "s", 5),
        *cost,
    ]
    await room.leave()
    return found


async def session_memory(server: Server, *, count: int = 200) -> list[Finding]:
    """What one more learner takes, on pages already drawn in both languages."""
    room = await enter(server)
    await room.seat(2 * len(FOLDERS))
    await room.leave()
    before = room.memory()
    for learner in await room.seat(count):
        await room.noted(learner.nudge)
    grown = (room.memory() - before) / count
    await room.leave()
    return [*_errors(room.journal), Finding("a session", grown, "MB", MOST_A_SESSION)]


async def reruns(server: Server, *, count: int = 10_000, learners: int = 18) -> list[Finding]:
    """10,000 reruns: what the later half leaves behind."""
    room = await enter(server)
    present = await room.seat(learners)
    steps = 40
    done, used = [], []
    with _cost(server, room.journal) as cost:
        for step in range(1, steps + 1):
            await room.hurry(present, count // steps)
            if step > steps // 2:
                done.append(step * (count // steps) / 1000)
                used.append(room.memory())
    found = [
        *_errors(room.journal),
        Finding("memory, per 1,000 reruns", linear_regression(done, used).slope, "MB", MOST_A_THOUSAND),
        *cost,
        Finding("memory, at its peak", room.peak, "MB", MOST_MEMORY),
    ]
    await room.leave()
    return found


async def visits(server: Server, *, count: int = 2_000) -> list[Finding]:
    """2,000 visits, twenty at a time: nobody is left behind."""
    room = await enter(server)
    done, used = [], []
    for start in range(0, count, 20):
        await room.seat(20)
        await room.leave()
        if start >= count // 2:
            done.append(start / 1000)
            used.append(room.memory())
    await asyncio.sleep(1)
    return [
        *_errors(room.journal),
        Finding("sessions left", room.active(), "", 0),
        Finding("memory, per 1,000 visits", linear_regression(done, used).slope, "MB"),
        Finding("memory, at its peak", room.peak, "MB", MOST_MEMORY),
    ]


SCENARIOS: dict[str, Scenario] = {
    "seminar": seminar,
    "lecture": lecture,
    "opening": opening,
    "session_memory": session_memory,
    "reruns": reruns,
    "visits": visits,
}


def _errors(journal: Journal) -> list[Finding]:
    """How many there were, and the most common."""
    common = Counter(journal.errors).most_common(5)
    return [
        Finding("errors", len(journal.errors), "", 0),
        *(Finding(f"  {text}", times, "times") for text, times in common),
    ]


def _answers(journal: Journal, p95: float) -> list[Finding]:
    """Errors, and the times of all reruns, of those to values that somebody had looked at, and of each page."""
    times = [rerun.seconds * 1000 for rerun in journal.reruns]
    known = [rerun.seconds * 1000 for rerun in journal.reruns if not rerun.is_new]
    pages = [
        Finding(f"{folder}, p95 of {len(here)}", percentile(here, 0.95), "ms", p95)
        for folder in FOLDERS
        for here in [[rerun.seconds * 1000 for rerun in journal.reruns if rerun.page == folder]]
    ]
    return [
        *_errors(journal),
        Finding("reruns", len(times), ""),
        Finding("of them to a value nobody had looked at", len(times) - len(known), ""),
        Finding("rerun, median", median(times or [0]), "ms"),
        Finding("rerun, p95", percentile(times, 0.95), "ms", p95),
        Finding("rerun to a value looked at before, p95", percentile(known, 0.95), "ms"),
        *pages,
    ]


@contextmanager
def _cost(server: Server, journal: Journal, *, openings: bool = False) -> Iterator[list[Finding]]:
    """Fills a list, when the block ends, with the CPU that the server took, and the driver beside it."""
    found: list[Finding] = []

    def count() -> int:
        return len(journal.openings if openings else journal.reruns)

    began, spent, driven, made = time.perf_counter(), server.cpu(), time.process_time(), count()
    yield found
    passed = time.perf_counter() - began
    each = "an opening" if openings else "a rerun"
    found += [
        Finding(f"server, CPU {each}", 1000 * (server.cpu() - spent) / max(1, count() - made), "ms"),
        Finding("server, share of a core", 100 * (server.cpu() - spent) / passed, "%"),
        Finding("this driver, share of a core", 100 * (time.process_time() - driven) / passed, "%"),
    ]


def table(name: str, findings: Sequence[Finding]) -> str:
    """The findings of a scenario as lines of text."""
    lines = [f"{name}: {SCENARIOS[name].__doc__}"]
    for finding in findings:
        limit = f"{'<=' if finding.holds else 'ABOVE'} {finding.limit:g}" if finding.limit is not None else ""
        lines.append(f"  {finding.what:<42}{finding.value:>10.4g} {finding.unit:<3} {limit}".rstrip())
    return "\n".join(lines)
