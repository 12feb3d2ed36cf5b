"""From a drawing function to the Vega-Lite specification that the browser gets, built once per setting."""

import io
import threading
from collections.abc import Callable, Hashable, Mapping
from contextlib import nullcontext
from typing import Any

import altair as alt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from pages.kit.cache import BoundedCache, Computation
from pages.kit.quick_altair import unchecked
from pages.kit.theme import configuration

Draw = Callable[..., alt.TopLevelMixin]

SPECS = BoundedCache()

VIEWS = frozenset({"hconcat", "vconcat", "concat", "facet"})
"""Keys of a chart of several views, which has a width of its own; a single view takes its column's."""

WHOLE = (pa.int8(), pa.int16(), pa.int32(), pa.int64())

_one_at_a_time = threading.Lock()


def spec(draw: Draw, inputs: Mapping[str, Hashable], *, lang: str, narrow: bool) -> dict[str, Any]:
    """The figure's specification, its tables as Arrow bytes under ``datasets``. Shared: never change it in place.

    Args:
        draw: Takes the inputs by name, ``lang`` and ``narrow``; returns a chart.
        inputs: Scalars, and computations of which it gets the results.
        lang: "zh" or "en".
        narrow: Whether the figure is for a phone, so at most ``theme.NARROW`` wide.
    """
    key = (draw, in_order(inputs), lang, narrow)
    return SPECS.get(key, lambda: build(draw, inputs, lang=lang, narrow=narrow))


def in_order(inputs: Mapping[str, Hashable]) -> tuple[tuple[str, Hashable], ...]:
    """The inputs by name: what a figure is drawn from, as part of a key."""
    return tuple(sorted(inputs.items(), key=lambda item: item[0]))


def chart(draw: Draw, inputs: Mapping[str, Hashable], *, lang: str, narrow: bool = False) -> alt.TopLevelMixin:
    """The figure as an Altair chart, with the results of its computations."""
    return draw(**_results(inputs), lang=lang, narrow=narrow)


def _results(inputs: Mapping[str, Hashable]) -> dict[str, Any]:
    return {name: entry.value if isinstance(entry, Computation) else entry for name, entry in inputs.items()}


def build(
    draw: Draw, inputs: Mapping[str, Hashable], *, lang: str, narrow: bool, validate: bool = False
) -> dict[str, Any]:
    """The same, built anew. Checking it against Vega-Lite's schema takes half of the time, so only the tests do."""
    given = _results(inputs)
    tables = Tables()
    with _one_at_a_time, nullcontext() if validate else unchecked():  # Altair's switches are the whole process's.
        drawn = draw(**given, lang=lang, narrow=narrow)
        alt.data_transformers.register("posenc", tables.name)
        with alt.data_transformers.enable("posenc"):
            built = drawn.to_dict(validate=validate)
    _place(built.get("params", []))
    built["autosize"] = {"type": "pad" if VIEWS & built.keys() else "fit", "contains": "padding"}
    # Beyond 2,000 marks Streamlit would take a canvas, where neither the page's ink nor its sizes reach.
    built["usermeta"] = {"embedOptions": {"renderer": "svg"}}
    built["config"] = {**built.get("config", {}), **configuration(narrow)}
    if tables.written:
        built["datasets"] = tables.written
    return built


class Tables:
    """The tables of one figure as Arrow bytes by name, equal ones once."""

    def __init__(self) -> None:
        self.written: dict[str, bytes] = {}
        self._names: dict[int, str] = {}
        self._seen: list[pd.DataFrame] = []  # Kept, so that no other table takes its identity meanwhile.

    def name(self, data: Any) -> Any:
        """For Altair: where the table will be found; anything else as it is."""
        if not isinstance(data, pd.DataFrame):
            return data
        if id(data) not in self._names:
            self._seen.append(data)
            self._names[id(data)] = self._write(arrow(data))
        return {"name": self._names[id(data)]}

    def _write(self, contents: bytes) -> str:
        known = (name for name, written in self.written.items() if written == contents)
        name = next(known, f"table-{len(self.written)}")
        self.written[name] = contents
        return name


def _place(params: list[dict[str, Any]]) -> None:
    """Let one view carry each parameter: Altair names every layer, which Vega-Lite refuses.

    Handles without an event of their own all go to one view, so that they are listed in the order of the parameters.
    """
    first = next((param["views"][0] for param in params if param.get("views")), None)
    for param in params:
        if param.get("views"):
            has_event = "on" in param.get("select", {})
            param["views"] = [param["views"][0] if has_event else first]


def arrow(table: pd.DataFrame) -> bytes:
    """The table in Arrow's stream format, as the browser reads it; whole numbers in the fewest bytes that hold them.

    The server hashes these bytes on every rerun and sends them at every new setting.
    """
    data = pa.Table.from_pandas(table, preserve_index=False)
    for index, (name, column) in enumerate(zip(data.column_names, data.columns, strict=True)):
        if pa.types.is_int64(column.type):
            data = data.set_column(index, name, _in_fewest_bytes(column))
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, data.schema) as writer:
        writer.write_table(data)
    return sink.getvalue()


def _in_fewest_bytes(column: pa.ChunkedArray) -> pa.ChunkedArray:
    least, most = (end.as_py() or 0 for end in pc.min_max(column).values())
    limits = {kind: 2 ** (kind.bit_width - 1) for kind in WHOLE}
    return column.cast(next(kind for kind, limit in limits.items() if -limit <= least and most < limit))


def seeded(built: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """The specification with its handles started at the values, and listed under the figure in the values' order."""
    others = [param for param in built.get("params", []) if param.get("name") not in values]
    handles = {param["name"]: param for param in built.get("params", []) if param.get("name") in values}
    # Vega lists its inputs last to first.
    started = [{**handles[name], "value": [{name: values[name]}]} for name in reversed(values) if name in handles]
    return {**built, "params": others + started} if others or started else dict(built)
