"""From a drawing function to the Vega-Lite specification that the browser gets, built once per setting."""

import io
import threading
from collections.abc import Callable, Hashable, Mapping
from typing import Any

import altair as alt
import pandas as pd
import pyarrow as pa

from pages.kit.cache import BoundedCache, Computation
from pages.kit.theme import configuration

Draw = Callable[..., alt.TopLevelMixin]

SPECS = BoundedCache()

VIEWS = frozenset({"hconcat", "vconcat", "concat", "facet"})
"""Keys of a chart of several views, which has a width of its own; a single view takes its column's."""

_one_at_a_time = threading.Lock()

# A channel written as text or as a value becomes an object of its own class. Altair otherwise looks through the schemas
# of all 900 classes for the parts of it, at each such channel of each chart: a third of the time that a figure takes.
alt.VegaLiteSchema._default_wrapper_classes = classmethod(lambda cls: iter((cls,)))


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
    given = {name: entry.value if isinstance(entry, Computation) else entry for name, entry in inputs.items()}
    return draw(**given, lang=lang, narrow=narrow)


def build(
    draw: Draw, inputs: Mapping[str, Hashable], *, lang: str, narrow: bool, validate: bool = False
) -> dict[str, Any]:
    """The same, built anew. Checking it against Vega-Lite's schema takes half of the time, so only the tests do."""
    drawn = chart(draw, inputs, lang=lang, narrow=narrow)
    tables: dict[str, bytes] = {}

    def to_arrow(data: Any) -> dict[str, str]:
        if not isinstance(data, pd.DataFrame):
            return data  # type: ignore[no-any-return]
        name = f"table-{len(tables)}"
        written = arrow(data)
        for known, contents in tables.items():
            if contents == written:
                return {"name": known}
        tables[name] = written
        return {"name": name}

    with _one_at_a_time:  # Altair keeps its transformers in one place for the whole process.
        alt.data_transformers.register("posenc", to_arrow)
        with alt.data_transformers.enable("posenc"):
            built = drawn.to_dict(validate=validate)
    _place(built.get("params", []))
    built["autosize"] = {"type": "pad" if VIEWS & built.keys() else "fit", "contains": "padding"}
    # Beyond 2,000 marks Streamlit would take a canvas, where neither the page's ink nor its sizes reach.
    built["usermeta"] = {"embedOptions": {"renderer": "svg"}}
    built["config"] = {**built.get("config", {}), **configuration(narrow)}
    if tables:
        built["datasets"] = tables
    return built


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
    sink = io.BytesIO()
    small = {name: pd.to_numeric(table[name], downcast="integer") for name in table.select_dtypes("int64")}
    data = pa.Table.from_pandas(table.assign(**small), preserve_index=False)
    with pa.ipc.new_stream(sink, data.schema) as writer:
        writer.write_table(data)
    return sink.getvalue()


def seeded(built: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """The specification with its handles started at the values, and listed under the figure in the values' order."""
    others = [param for param in built.get("params", []) if param.get("name") not in values]
    handles = {param["name"]: param for param in built.get("params", []) if param.get("name") in values}
    # Vega lists its inputs last to first.
    started = [{**handles[name], "value": [{name: values[name]}]} for name in reversed(values) if name in handles]
    return {**built, "params": others + started} if others or started else dict(built)
