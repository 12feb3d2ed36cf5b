"""One visitor without a browser: a Streamlit session over its websocket, on this machine only.

It keeps what a browser keeps: the value of each widget on the page, the address, and the messages of the last two runs
(the server then sends only their hashes).
"""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Self

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

MESSAGES_KEPT_FOR = 2
"""Runs after which a browser forgets a message that was not used again."""

ASKS_FOR = 0.05
"""Seconds in which a browser that lost its connection asks whether the server is well, before it connects again."""

KINDS = ("slider", "number_input", "button_group", "vega_lite_chart")


class RunFailedError(Exception):
    """The run showed an error instead of the page."""


@dataclass(frozen=True)
class Widget:
    """What can be moved on the page: a widget, or one handle of a chart."""

    id: str
    handle: str
    kind: str
    values: tuple[Any, ...]
    start: Any
    fragment: str
    told: Any = None
    """The value that the server tells the browser to take, if it does."""

    @property
    def name(self) -> str:
        """The handle's name, else the widget's key up to its first dot."""
        return self.handle or self.id.split("-", 2)[-1].split(".")[0]


@dataclass
class Run:
    """What one rerun sent."""

    widgets: dict[tuple[str, str], Widget] = field(default_factory=dict)
    elements: list[str] = field(default_factory=list)
    received: int = 0


class Session:
    """A visitor on one page of the server at a port of this machine."""

    def __init__(
        self, port: int, page: str = "", query: str = "", *, locale: str = "en-US", timeout: float = 60
    ) -> None:
        self.port, self.page, self.query = port, page, query
        self.locale, self.timeout = locale, timeout
        self.widgets: dict[tuple[str, str], Widget] = {}
        self.values: dict[tuple[str, str], Any] = {}
        self._touched: set[str] = set()
        self._script = ""
        self._runs = 0
        self._messages: dict[str, tuple[bytes, int]] = {}
        self._socket: ClientConnection
        self._id = ""
        self._asks_again = self._reruns_by_itself = False

    async def __aenter__(self) -> Self:
        """Connect, and draw the page for the first time."""
        await self._connect()
        try:
            await self.rerun(arriving=True)
        except BaseException:
            await self._socket.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._socket.close()

    async def _connect(self) -> None:
        # The third name is how a browser asks for the session that it had.
        names = ["streamlit", "no-token", self._id] if self._id else ["streamlit", "no-token"]
        self._socket = await connect(
            f"ws://127.0.0.1:{self.port}/_stcore/stream",
            subprotocols=names,  # type: ignore[arg-type]
            max_size=None,
            compression=None,
            open_timeout=self.timeout,
            ping_interval=None,
            proxy=None,
        )

    def drop(self) -> None:
        """Lose the connection without a word, as a network does."""
        self._socket.transport.abort()

    async def reconnect(self) -> Run | None:
        """Connect again as a browser does, and return the run that it then asks for.

        It asks if its last run was cut off or was one of a fragment, or if a part of the page reruns by itself.
        """
        self.drop()
        await asyncio.sleep(ASKS_FOR)
        await self._connect()
        return await self.rerun() if self._asks_again else None

    async def move(self, widget: Widget, value: Any) -> Run:
        """Set a widget as a hand would, and wait for what the page makes of it.

        Raises:
            RunFailedError: The page shows an error, or the server refused the run.
            TimeoutError: The run did not finish in time.
        """
        self.values[widget.id, widget.handle] = value
        self._touched.add(widget.id)
        return await self.rerun(widget.fragment)

    async def rerun(self, fragment: str = "", *, arriving: bool = False) -> Run:
        """Run the page, or one fragment of it, with the widgets as they are. Raises as ``move`` does."""
        self._runs += 1
        self._asks_again = True
        await self._socket.send(self._request(fragment, arriving).SerializeToString())
        run = self._new_run()
        async with asyncio.timeout(self.timeout):
            while not self._read(ForwardMsg.FromString(await self._receive(run)), run):
                pass
        self._messages = {key: kept for key, kept in self._messages.items() if kept[1] > self._runs - MESSAGES_KEPT_FOR}
        self._adopt(run, fragment)
        self._asks_again = self._reruns_by_itself or bool(fragment)
        return run

    def _request(self, fragment: str, arriving: bool) -> BackMsg:
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.fragment_id, state.page_script_hash = self.query, fragment, self._script
        if arriving:
            state.page_name = self.page
        state.context_info.timezone, state.context_info.locale = "UTC", "en-US"
        state.context_info.url = f"http://127.0.0.1:{self.port}/{self.page}"
        state.cached_message_hashes.extend(self._messages)
        state.widget_states.widgets.extend(self._states())
        return message

    def _states(self) -> Iterator[WidgetState]:
        charts: dict[str, dict[str, Any]] = {}
        for (id, handle), widget in self.widgets.items():
            value = self.values[id, handle]
            if widget.kind == "vega_lite_chart":
                if id not in self._touched:  # A chart says nothing before its first selection.
                    continue
                charts.setdefault(id, {})[handle] = [{handle: value}]
            elif widget.kind == "number_input":
                yield WidgetState(id=id, double_value=value)
            else:
                state = WidgetState(id=id)
                entries = state.double_array_value if isinstance(value, float) else state.string_array_value
                entries.data.append(value)
                yield state
        for id, selection in charts.items():
            yield WidgetState(id=id, string_value=json.dumps({"selection": selection}))

    async def _receive(self, run: Run) -> bytes:
        raw = await self._socket.recv()
        if not isinstance(raw, bytes):
            raise RunFailedError(f"the server must send bytes, got {raw[:80]!r}")
        run.received += len(raw)
        return raw

    def _read(self, message: ForwardMsg, run: Run) -> bool:
        """Take in one message; True when it says that the run is over."""
        kind = message.WhichOneof("type")
        if kind == "ref_hash":
            message = ForwardMsg.FromString(self._messages[message.ref_hash][0])
            kind = message.WhichOneof("type")
        if message.metadata.cacheable:
            self._messages[message.hash] = (message.SerializeToString(), self._runs)
        match kind:
            case "new_session":
                self._script = message.new_session.page_script_hash
                self._id = message.new_session.initialize.session_id
            case "auto_rerun":
                self._reruns_by_itself = True
            case "navigation":
                self._script = message.navigation.page_script_hash
            case "page_info_changed":
                self.query = message.page_info_changed.query_string
            case "page_not_found":
                raise RunFailedError(f"there is no page {self.page!r}")
            case "delta" if message.delta.WhichOneof("type") == "new_element":
                self._see(message.delta.new_element, message.delta.fragment_id, run)
            case "script_finished":
                if message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                    raise RunFailedError("the script does not compile")
                return bool(message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN)
        return False

    def _new_run(self) -> Run:
        return Run()

    def _see(self, element: Any, fragment: str, run: Run) -> None:
        kind = element.WhichOneof("type")
        run.elements.append(kind)
        if kind == "exception":
            raise RunFailedError(f"{element.exception.type}: {element.exception.message}")
        if kind in KINDS:
            for widget in _widgets(kind, getattr(element, kind), fragment):
                run.widgets[widget.id, widget.handle] = widget

    def _adopt(self, run: Run, fragment: str) -> None:
        """Keep the widgets that the page still has, with their values; new ones start where the server says."""
        others = {key: widget for key, widget in self.widgets.items() if fragment and widget.fragment != fragment}
        self.widgets = others | run.widgets
        self.values = {
            key: self.values.get(key, widget.start) if widget.told is None or key not in run.widgets else widget.told
            for key, widget in self.widgets.items()
        }


def _widgets(kind: str, proto: Any, fragment: str) -> Iterator[Widget]:
    if kind == "vega_lite_chart":
        if proto.id:
            yield from _handles(proto, fragment)
    elif kind == "button_group":
        options = tuple(option.content for option in proto.options)
        if proto.default:
            told = proto.raw_values[0] if proto.set_value else None
            yield Widget(proto.id, "", kind, options, options[proto.default[0]], fragment, told)
    elif kind == "slider" and proto.options:
        told = proto.raw_value[0] if proto.set_value else None
        yield Widget(proto.id, "", kind, tuple(proto.options), proto.options[int(proto.default[0])], fragment, told)
    elif kind == "slider":
        told = proto.value[0] if proto.set_value else None
        steps = _steps(proto.min, proto.max, proto.step)
        yield Widget(proto.id, "", kind, steps, proto.default[0], fragment, told)
    else:
        told = proto.value if proto.set_value else None
        yield Widget(proto.id, "", kind, _steps(proto.min, proto.max, proto.step), proto.default, fragment, told)


def _handles(chart: Any, fragment: str) -> Iterator[Widget]:
    """The parameters of a chart that are bound to a range input."""
    for param in json.loads(chart.spec).get("params", []):
        bound = param.get("bind")
        if isinstance(bound, dict) and bound.get("input") == "range":
            name = param["name"]
            values = tuple(range(int(bound["min"]), int(bound["max"]) + 1, int(bound.get("step", 1))))
            start = (param.get("value") or [{name: values[0]}])[0][name]
            yield Widget(chart.id, name, "vega_lite_chart", values, start, fragment)


def _steps(minimum: float, maximum: float, step: float, *, at_most: int = 200) -> tuple[float, ...]:
    """Numbers from minimum to maximum on the widget's steps; of a wide range only some."""
    count = int((maximum - minimum) / step) + 1
    every = -(-count // at_most)
    return tuple(float(minimum + step * index) for index in range(0, count, every))
