"""What may go wrong under a class: the server dies, connections drop, somebody sends what no browser would."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed

from tests.bench import servers
from tests.bench.servers import Server
from tests.bench.session import Session
from tests.load.classroom import enter
from tests.load.learner import FOLDERS, Learner
from tests.serving import ROOT, serving

pytestmark = [pytest.mark.load, pytest.mark.alone]

SLOWER_START = 4.0
"""Times as long as a page of one slider that the app may take until it answers."""
MOVES, DROPS = 3, 5
"""Moves of each learner, and connections that it loses after each."""
SOME = FOLDERS[1::3]
MEGABYTE = 1_000_000
PATIENCE = 2.0
"""Seconds after which nothing has come of a frame."""
LINES_EACH = 120
"""Lines that one bad frame may leave in the log: a traceback or two."""


@contextmanager
def app(log: Path, port: int | None = None) -> Iterator[Server]:
    """The app with its output in a file."""
    options = ("--server.address", "127.0.0.1", "--client.showErrorDetails", "full")
    with log.open("ab") as output, serving(str(ROOT / "app.py"), *options, output=output, port=port) as (at, process):
        yield Server(at, psutil.Process(process.pid))


@dataclass(frozen=True)
class Watched:
    """A server, with the file that it writes to."""

    server: Server
    log: Path

    def lines(self) -> int:
        """Lines in the log so far."""
        return len(self.log.read_text(encoding="utf-8", errors="replace").splitlines())


@contextmanager
def watched(log: Path, port: int | None = None) -> Iterator[Watched]:
    """The app, watched."""
    with app(log, port) as server:
        yield Watched(server, log)


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    with watched(tmp_path_factory.mktemp("server") / "log") as server:
        yield server


def test_after_a_kill_everybody_is_back_on_the_same_settings(tmp_path):
    """Half of the class is moving controls at that moment: those moves may count or not, the other settings must."""

    async def killed(server: Server) -> Sequence[Learner]:
        room = await enter(server, SOME)
        learners = await room.seat(2 * len(SOME), folders=SOME)
        await room.hurry(learners, len(learners))
        assert room.journal.errors == []
        moving = asyncio.create_task(room.hurry(learners[: len(SOME)], 1_000))
        await asyncio.sleep(0.2)
        server.process.kill()
        await moving
        assert {error.split(":")[0] for error in room.journal.errors} == {"ConnectionClosedError"}
        assert len(room.journal.errors) == len(SOME)
        return learners

    async def back(learners: Sequence[Learner]) -> None:
        for place, learner in enumerate(learners):
            before = learner.query
            assert await learner.reconnect()
            assert learner.query == before or place < len(SOME)
            learner.check_own()
            assert f"{learner.own.name}={learner.own_value}" in learner.query.split("&")
            await learner.__aexit__()

    with asyncio.Runner() as runner:
        with watched(tmp_path / "log") as first:
            learners = runner.run(killed(first.server))
        with watched(tmp_path / "log", port=first.server.port):
            runner.run(back(learners))


def test_after_a_kill_a_page_that_nobody_has_touched_yet_still_moves(tmp_path):
    """A browser asks again for a page with a part that runs by itself, even if nobody has moved anything yet."""

    async def move(session: Session) -> None:
        await session.reconnect()
        control = next(widget for widget in session.widgets.values() if widget.name == "base")
        await session.move(control, control.values[0])

    with asyncio.Runner() as runner:
        with watched(tmp_path / "log") as first:
            session = runner.run(Session(first.server.port, "rope", "lang=en", timeout=10).__aenter__())
            first.server.process.kill()
        with watched(tmp_path / "log", port=first.server.port):
            runner.run(move(session))


def test_the_app_starts_about_as_fast_as_a_bare_page(tmp_path):
    """By the CPU that each has taken when it answers, which other work on the machine changes little."""
    with servers.one_slider() as slider, app(tmp_path / "log") as server:
        assert server.cpu() < SLOWER_START * slider.cpu()


def test_dropped_connections_lose_nothing(running):
    """Fifteen for each learner, between moves; the walk, which checks every answer, goes on.

    One learner after the other: Streamlit 1.67 can lose what it sends to a session that comes back while it is sending
    to others, which no page can help.
    """

    async def unstable(learner: Learner) -> None:
        session = learner._id
        for _ in range(MOVES):
            await learner.step()
            settings = learner.query
            for _ in range(DROPS):  # A page with a part that runs by itself is asked for each time.
                assert await learner.reconnect()
            assert (learner._id, learner.query) == (session, settings)

    async def visit() -> None:
        room = await enter(running.server)
        try:
            for learner in await room.seat(len(FOLDERS)):
                await unstable(learner)
        finally:
            await room.leave()

    asyncio.run(visit())


class Intruder(Session):
    """A session that sends what it likes."""

    async def throw(self, frame: bytes | str, *, patience: float = PATIENCE) -> str:
        """What comes of it: "cut", "answered" (a run was made) or "nothing"."""
        try:
            await self._socket.send(frame)
            async with asyncio.timeout(patience):
                while ForwardMsg.FromString(await self._socket.recv()).WhichOneof("type") != "script_finished":
                    pass
        except ConnectionClosed:
            return "cut"
        except TimeoutError:
            return "nothing"
        return "answered"

    def asking(self, *states: WidgetState, fragment: str = "") -> bytes:
        """A request for a run with these states beside the page's own."""
        message = self._request(fragment, arriving=False)
        message.rerun_script.widget_states.widgets.extend(states)
        return message.SerializeToString()


def wrong_values(intruder: Intruder) -> Sequence[WidgetState]:
    """For each widget a value of another type than it has, or out of all range."""
    made = []
    for number, widget in enumerate(intruder.widgets.values()):
        state = WidgetState(id=widget.id)
        match number % 6:
            case 0:
                state.string_value = "\x00" * 1000
            case 1:
                state.double_array_value.data.extend([float("nan"), float("inf"), -1e300])
            case 2:
                state.string_array_value.data.append("no such option")
            case 3:
                state.json_value = "{"
            case 4:
                state.bytes_value = b"\xff\xfe"
            case 5:
                state.int_value = -(2**62)
        made.append(state)
    return made


FRAMES = {
    "garbage": (lambda intruder: b"\xff\xfe\x00" * 400, "cut"),
    "another protocol": (lambda intruder: b"GET / HTTP/1.1\r\n\r\n", "cut"),
    "text": (lambda intruder: "hello", "cut"),
    "more than a message may have": (lambda intruder: b"\x00" * (51 * MEGABYTE), "cut"),
    "more than the widgets may have": (
        lambda intruder: intruder.asking(WidgetState(id="x", string_value="x" * (26 * MEGABYTE))),
        "cut",
    ),
    "an empty message": (lambda intruder: b"", "nothing"),
    "unknown widgets": (
        lambda intruder: intruder.asking(*(WidgetState(id=f"$$ID-{n}-x", int_value=n) for n in range(1_000))),
        "answered",
    ),
    "values of the wrong type": (lambda intruder: intruder.asking(*wrong_values(intruder)), "answered"),
    "an unknown fragment": (lambda intruder: intruder.asking(fragment="0" * 32), "nothing"),
    "shut down": (lambda intruder: BackMsg(debug_shutdown_runtime=True).SerializeToString(), "nothing"),
    "disconnect": (lambda intruder: BackMsg(debug_disconnect_websocket=True).SerializeToString(), "nothing"),
    "clear the cache": (lambda intruder: BackMsg(clear_cache=True).SerializeToString(), "nothing"),
}


@pytest.fixture(scope="module")
def bystanders(running):
    """One loop, with a learner on each page who has been there for a while."""
    with asyncio.Runner() as runner:
        room = runner.run(enter(running.server))
        runner.run(room.seat(len(FOLDERS)))
        yield runner, room
        runner.run(room.leave())


@pytest.mark.parametrize(("frame", "outcome"), FRAMES.values(), ids=FRAMES)
def test_a_hostile_frame_troubles_only_its_sender(running, bystanders, frame, outcome):
    runner, room = bystanders
    before, room.journal.errors = running.lines(), []

    async def attack() -> str:
        async with Intruder(running.server.port, "rope", "lang=en") as intruder:
            lessons = asyncio.create_task(room.hurry(room.learners, len(room.learners)))
            found = await intruder.throw(frame(intruder), patience=PATIENCE if outcome == "nothing" else 20)
            await lessons
            return found

    assert runner.run(attack()) == outcome
    assert room.journal.errors == []
    assert room.active() == len(room.learners)
    assert running.lines() - before <= LINES_EACH
