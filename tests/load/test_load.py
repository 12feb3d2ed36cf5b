"""A small class on the app: no error, no answer of another learner, nothing left behind, times near a bare page's.

The class as it is meant, up to 300 learners and 10,000 reruns, is ``python -m tests.load``.
"""

import asyncio
import time
from contextlib import AsyncExitStack
from statistics import median

import pytest

from pages.kit.address import place
from tests.bench import servers
from tests.bench.servers import Server
from tests.bench.session import Session, Widget
from tests.load.classroom import MOST, Classroom, enter
from tests.load.learner import FOLDERS, Journal, Learner, WrongAnswerError
from tests.load.scenarios import MOST_A_SESSION, MOST_A_THOUSAND, MOST_MEMORY
from tests.serving import active_sessions

pytestmark = [pytest.mark.load, pytest.mark.alone]

CLASS = 2 * len(FOLDERS)
"""Two learners on each page, one in each language."""
MOVES = 4 * CLASS
MANY = 3 * CLASS
RERUNS = 300
AT_ONCE = 3.0
"""MB that an allocator may take at once, whatever the number of reruns."""
SLOWER = 5.0
"""Times as long as on a page of one slider that a rerun may take in a crowd. CPU is at most 3 times (tests/bench)."""


@pytest.fixture(scope="module")
def server():
    with servers.app() as running:
        yield running


@pytest.fixture(scope="module")
def lesson(server) -> Classroom:
    """A class that came, moved everything a little, and left."""

    async def meet() -> Classroom:
        room = await enter(server)
        await room.hurry(await room.seat(CLASS), MOVES)
        assert room.active() == CLASS
        await room.leave()
        return room

    return asyncio.run(meet())


def test_every_learner_gets_the_own_answers_on_every_page(lesson):
    assert lesson.journal.errors == []
    assert {rerun.page for rerun in lesson.journal.reruns} == set(FOLDERS)
    assert len(lesson.journal.openings) == CLASS


def test_the_server_stays_within_its_memory(lesson):
    assert lesson.peak < MOST_MEMORY


def test_nobody_is_left_behind(server, lesson):
    assert active_sessions(server.port) == 0


def test_a_session_takes_little_memory(server, lesson):
    """The pages have been drawn in both languages by now, so what is left to grow is the sessions."""

    async def come() -> float:
        before = lesson.memory()
        for learner in await lesson.seat(MANY):
            await lesson.noted(learner.nudge)
        grown = lesson.memory() - before
        await lesson.leave()
        return grown / MANY

    assert asyncio.run(come()) < MOST_A_SESSION
    assert lesson.journal.errors == []


def test_reruns_leave_little_memory_behind(server, lesson):
    """Of one handle, over and over the same values, so that nothing new is left to be kept."""

    async def turn(visitors: list[Session]) -> float:
        before = lesson.memory()
        for step in range(RERUNS // len(visitors)):
            moves = [(visitor, handle(visitor)) for visitor in visitors]
            await asyncio.gather(*(visitor.move(m, m.values[step % 20]) for visitor, m in moves))
        return lesson.memory() - before

    def handle(visitor: Session) -> Widget:
        return next(widget for widget in visitor.widgets.values() if widget.name == "m")

    async def visit() -> float:
        async with AsyncExitStack() as stack:
            visitors = [await stack.enter_async_context(Session(server.port, "rope", "lang=en")) for _ in range(10)]
            await turn(visitors)
            return await turn(visitors)

    assert asyncio.run(visit()) < MOST_A_THOUSAND * RERUNS / 1000 + AT_ONCE


async def crowd(sessions: list[Session], controls: list[str]) -> float:
    """Seconds that half of the reruns take at most when each session moves its control at the same time."""
    times: list[float] = []

    async def visit(session: Session, name: str) -> None:
        for index in (1, 2, 1, 0):
            control = next(widget for widget in session.widgets.values() if name in ("", widget.name))
            started = time.perf_counter()
            await session.move(control, control.values[index])
            times.append(time.perf_counter() - started)

    await asyncio.gather(*map(visit, sessions, controls))
    return median(times)


def test_a_rerun_in_a_class_takes_little_longer_than_on_a_bare_page(server, lesson):
    """Of each page's own handle; both crowds in turn, so that whatever else the machine does falls on both."""

    async def ratios(slider: Server) -> list[float]:
        async with AsyncExitStack() as stack:
            bare = [await stack.enter_async_context(Session(slider.port)) for _ in FOLDERS]
            full = [await stack.enter_async_context(Session(server.port, place(folder))) for folder in FOLDERS]
            handles = [lesson.owns[folder].name for folder in FOLDERS]
            await crowd(full, handles)  # Nothing new is drawn from here on.
            return [await crowd(full, handles) / await crowd(bare, [""] * len(bare)) for _ in range(5)]

    with servers.one_slider() as slider:
        assert median(asyncio.run(ratios(slider))) < SLOWER


def test_a_class_too_large_is_refused(lesson):
    with pytest.raises(ValueError, match=f"learners must be at most {MOST}, got {MOST + 1}"):
        asyncio.run(lesson.seat(MOST + 1))


@pytest.mark.parametrize("known", ["said", "written"])
def test_an_answer_that_is_not_the_own_is_found(server, lesson, known):
    class Wrong(dict):
        def setdefault(self, key, value):
            return super().setdefault(key, "another's")

    journal = Journal()
    setattr(journal, known, Wrong())
    learner = Learner(server.port, "rope", 0, journal, lesson.owns["rope"])

    async def visit() -> None:
        await learner.arrive()
        try:
            await learner.step()
        finally:
            await learner.__aexit__()

    with pytest.raises(WrongAnswerError, match="everybody"):
        asyncio.run(visit())
