"""A class of learners on one server of this machine: who sits on which page, when each moves, what it cost."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from pages.kit.address import place
from tests.bench.servers import Server
from tests.bench.session import Session, Widget
from tests.load.learner import FOLDERS, Journal, Learner
from tests.serving import active_sessions

MOST = 400
"""Connections at a time. Sessions only ever take a port of this machine, never a host."""
AT_ONCE = 8
"""Learners that come or hurry at the same time, unless a scenario is about that."""
MB = 2**20


@dataclass
class Classroom:
    """A server with learners on it; what they see goes into the journal."""

    server: Server
    owns: Mapping[str, Widget]
    journal: Journal = field(default_factory=Journal)
    learners: list[Learner] = field(default_factory=list)
    peak: float = 0.0
    """The most memory that the server has had, MB."""

    def memory(self) -> float:
        """The server's resident memory in MB."""
        now = self.server.process.memory_info().rss / MB
        self.peak = max(self.peak, now)
        return now

    def active(self) -> int:
        """Sessions that the server counts as connected."""
        return active_sessions(self.server.port)

    async def seat(self, count: int, *, folders: Sequence[str] = FOLDERS, at_once: int = AT_ONCE) -> list[Learner]:
        """So many more learners, spread over the pages, who open them a few at a time.

        Raises:
            ValueError: More than ``MOST`` would be connected.
        """
        if len(self.learners) + count > MOST:
            raise ValueError(f"learners must be at most {MOST}, got {len(self.learners) + count}")
        first = len(self.learners)
        new = [
            Learner(self.server.port, folder, number, self.journal, self.owns[folder])
            for number in range(first, first + count)
            for folder in [folders[number % len(folders)]]
        ]
        gate = asyncio.Semaphore(at_once)

        async def arrive(learner: Learner) -> None:
            async with gate:
                if await self.noted(learner.arrive):
                    self.learners.append(learner)

        await asyncio.gather(*map(arrive, new))
        return [learner for learner in new if learner in self.learners]

    async def leave(self) -> None:
        """Everybody closes the page."""
        gone, self.learners = self.learners, []
        await asyncio.gather(*(learner.__aexit__() for learner in gone))

    async def move(self, learners: Sequence[Learner], *, every: float, seconds: float) -> None:
        """Each learner makes a move every so many seconds, at times of its own."""
        ends = time.monotonic() + seconds

        async def learn(learner: Learner) -> None:
            await asyncio.sleep(learner.random.uniform(0, every))
            while (started := time.monotonic()) < ends and await self._goes_on(learner):
                await asyncio.sleep(max(0.0, started + every * learner.random.uniform(0.8, 1.2) - time.monotonic()))

        async with self._watched():
            await asyncio.gather(*map(learn, learners))

    async def hurry(self, learners: Sequence[Learner], moves: int) -> None:
        """The learners make so many moves together, a few at a time, each as soon as another is answered."""
        left, gate = moves, asyncio.Semaphore(AT_ONCE)

        async def learn(learner: Learner) -> None:
            nonlocal left
            while left > 0:
                left -= 1
                async with gate:
                    goes_on = await self._goes_on(learner)
                if not goes_on:
                    return

        async with self._watched():
            await asyncio.gather(*map(learn, learners))

    async def _goes_on(self, learner: Learner) -> bool:
        """Make the learner's next move. One whose move failed is no longer in class: late answers would confuse it."""
        if learner not in self.learners:
            return False
        if await self.noted(learner.step):
            return True
        learner.drop()
        self.learners.remove(learner)
        return False

    async def noted(self, act: Callable[[], Awaitable[object]]) -> bool:
        """Do it; False if it failed, which the journal then says."""
        try:
            await act()
        except Exception as failure:  # A learner may fail in any way; the others go on.
            self.journal.errors.append(f"{type(failure).__name__}: {failure}"[:300])
            return False
        return True

    @asynccontextmanager
    async def _watched(self) -> AsyncIterator[None]:
        async def watch() -> None:
            while True:
                self.memory()
                await asyncio.sleep(0.5)

        watcher = asyncio.create_task(watch())
        try:
            yield
        finally:
            watcher.cancel()


async def enter(server: Server, folders: Sequence[str] = FOLDERS) -> Classroom:
    """The classroom of a server, after one visit to each of the pages to see what can be moved there."""
    owns: dict[str, Widget] = {}
    for folder in folders:
        async with Session(server.port, place(folder), "lang=en") as visitor:
            owns[folder] = [widget for widget in visitor.widgets.values() if widget.kind == "vega_lite_chart"][-1]
    return Classroom(server, owns)


def percentile(values: Sequence[float], share: float) -> float:
    """The least value that at least this share of the values does not exceed; 0 of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
