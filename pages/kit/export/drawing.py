"""A figure as SVG without browser and network, and SVG as pixels and as a page."""

import re
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from pages.kit.export import font
from pages.kit.export.converter import CONVERTER
from pages.kit.figure import Figure
from pages.kit.spec import VIEWS

COLUMN = 880
"""Pixels of a figure that takes its column's width: that of the column beside the settings."""


@dataclass(frozen=True)
class Paper:
    """Colours of a theme, those of the pages."""

    background: str
    ink: str
    muted: str
    grid: str


PAPERS = {
    "light": Paper("#ffffff", "#23222b", "#5d5b68", "#e6e4df"),
    "dark": Paper("#15161b", "#e9e8ef", "#a9a8b4", "#33353f"),
}


@dataclass(frozen=True)
class Drawing:
    """A figure as SVG, and its size in pixels."""

    svg: str
    width: float
    height: float


def drawn(figure: Figure, paper: Paper) -> Drawing:
    """The figure as on screen, its handles where they stand, in the colours of the paper, on no background."""
    family = font.FAMILIES[figure.lang]
    spec = standalone(figure.spec(), paper, family)
    svg = CONVERTER.convert("vegalite_to_svg", vl_spec=spec, allowed_base_urls=[]).decode()
    # Viewers of SVG differ in what they take for ``currentColor``.
    svg = re.sub(r'(fill|stroke)="currentColor"', rf'\1="{paper.ink}"', svg)
    svg = font.as_on_screen(svg.replace(f'font-family="{family}"', f'font-family="{font.stack(figure.lang)}"'))
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert found is not None
    return Drawing(svg, float(found[1]), float(found[2]))


def pixels(svg: str, scale: float) -> bytes:
    """PNG of an SVG, ``scale`` pixels for each of its units."""
    return CONVERTER.convert("svg_to_png", svg=svg, scale=scale)


def page(svg: str) -> bytes:
    """PDF of an SVG, its text as text."""
    return CONVERTER.convert("svg_to_pdf", svg=svg)


def standalone(spec: dict[str, Any], paper: Paper, family: str) -> dict[str, Any]:
    """The specification with its tables in it as records, and with what Streamlit's theme adds in the browser."""
    config = spec["config"]
    theme = _theme(paper, family)
    whole = {
        **spec,
        "background": None,
        "config": {**theme, **{name: {**theme.get(name, {}), **part} for name, part in config.items()}},
        "datasets": {name: records(table) for name, table in spec.get("datasets", {}).items()},
    }
    if not VIEWS & spec.keys() and spec.get("width", "container") == "container":
        whole["width"] = COLUMN
    return whole


def records(table: bytes) -> list[dict[str, Any]]:
    """The rows of an Arrow stream; what JSON has no number for becomes null, which a figure leaves out as well."""
    with pa.ipc.open_stream(table) as stream:
        columns = stream.read_all().to_pydict()
    for name, column in columns.items():
        columns[name] = [None if isinstance(x, float) and not abs(x) < float("inf") else x for x in column]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _theme(paper: Paper, family: str) -> dict[str, Any]:
    """Streamlit's theme for charts, as far as the figures' own configuration leaves it anything to say."""
    return {
        "font": family,
        "fieldTitle": "verbal",
        "title": {"color": paper.ink},
        "header": {"labelColor": paper.ink},
        "axis": {
            "labelColor": paper.ink,
            "titleColor": paper.ink,
            "titleFontWeight": "normal",
            "gridColor": paper.grid,
            "ticks": False,
            "domain": False,
            "labelFlush": True,
            "labelFlushOffset": 1,
            "labelBound": False,
            "labelLimit": 100,
            "labelSeparation": 4,
            "labelOverlap": True,
        },
        "legend": {"labelColor": paper.ink, "titleColor": paper.ink, "titleFontWeight": "normal"},
        "view": {"continuousHeight": 350, "continuousWidth": 400},
        "bar": {"binSpacing": 4, "discreteBandSize": {"band": 0.85}},
        "axisDiscrete": {"grid": False},
        "axisXPoint": {"grid": False},
        "axisXBand": {"grid": False},
    }
