"""Learned table, live: the rows that a sentence reads, and the tokens for which there is none."""

from collections.abc import Callable
from functools import partial
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from pages.kit import text
from pages.kit.marks import handle, picture
from pages.kit.settings import Whole
from pages.kit.text import Label
from pages.kit.theme import INK, NARROW, POSITION, QUIET, WARNING, diverging

WORDS = {
    "zh": ("妈妈", "带", "我", "去", "公园", "划", "了", "船", "然后", "一起", "回家", "吃饭"),
    "en": ("The", "cat", "saw", "the", "dog", "in", "the", "garden", "before", "it", "ran", "away"),
}
"""A sentence in both; its first 5 and its first 8 words are sentences too. Longer texts say it again and again."""

LINES = 12
"""Tokens listed at once: the last of the sentence."""
LIMIT = 0.05
"""The value that gets the full colour."""
COLUMNS = {False: (-13.5, -7.0, -0.6), True: (-20.0, -9.6, -0.6)}
"""Where word, position and row stand, in widths of a cell before the first; on a phone cells are narrower."""

Axis = Callable[..., Any]

TABLE = Label(zh="整张表：{rows:,} 行", en="the table: {rows:,} rows")
THINNED = Label(zh="每 {step} 行画一行", en="every {step}th is drawn")
EVERY_OTHER = Label(zh="隔行画一行", en="every other is drawn")
READ_ALL = Label(zh="查表", en="lookup")
READ = Label(zh="查表：句子最后 {lines} 个词元", en="lookup: the last {lines} tokens")
WORD = Label(zh="词元", en="token")
ROW = Label(zh="行", en="row")
VECTOR = Label(zh="查到的 {dim} 个数", en="the {dim} numbers read")
READS = Label(zh="第 {row:,} 行", en="row {row:,}")
NO_ROW = Label(zh="没有第 {row:,} 行", en="there is no row {row:,}")
ALL_FOUND = Label(zh="{n:,} 个词元，每个都查到了一行", en="{n:,} tokens: each finds its row")
ONE_FOUND = Label(zh="1 个词元，查到了一行", en="1 token: it finds its row")
SOME_MISSING = Label(zh="{n:,} 个词元，{missing} 个没有行可查", en="{n:,} tokens: {missing} without a row")
SET_ASIDE = Label(zh="留空", en="set aside")
VALUE = Label(zh="数值", en="value")

ALT = Label(
    zh="左边是整张位置表，标出句子用到的行。右边逐个列出词元、位置、查到的行；位置超出表尾的词元是红色空框。",
    en="Left: the table, with the rows that the sentence reads. Right: each token, its position and the row it gets; "
    "red and empty past the end of the table.",
)


def tokens(rows: int) -> Whole:
    """The handle for the length of the sentence: past the end of a table of this many rows."""
    reach = 4 if rows < 64 else 16
    return Whole("n_tokens", Label(zh="句子长度", en="tokens in the sentence"), 1, rows + reach, 12)


def lookup(weights: np.ndarray, *, offset: int, lang: str, narrow: bool) -> alt.TopLevelMixin:
    """The table with the rows that a sentence reads, and the last tokens of the sentence with what each gets.

    Args:
        weights: (rows, dim), the table.
        offset: Rows set aside before the row of position 0.
        lang: "zh" or "en".
        narrow: For a phone.
    """
    rows = len(weights)
    length = tokens(rows)
    n = handle(length, lang)
    tall = (22 if narrow else 27) * (LINES + 2)
    title = (READ_ALL if length.maximum <= LINES else READ)(lang).format(lines=LINES)
    listed = _listed(weights, offset, length, n, COLUMNS[narrow], lang).properties(
        width=NARROW - 60 if narrow else 470, height=tall, title=title
    )
    height = 220 if narrow else tall
    step = 1 << max(0, (rows - 1) // height).bit_length()
    note = {1: alt.Undefined, 2: EVERY_OTHER(lang)}.get(step, THINNED(lang).format(step=step))
    small = {"subtitleColor": INK, "subtitleFontSize": 12, "subtitlePadding": 5}
    named = alt.Title(TABLE(lang).format(rows=rows), subtitle=note, frame="group", **small)
    whole = _whole(weights, offset, length, n, step, lang).properties(
        width=NARROW - 110 if narrow else 150,
        height=height,
        title=named,
    )
    if narrow:
        return alt.vconcat(listed, whole)
    return alt.hconcat(whole, listed, spacing=50)


def image(table: np.ndarray, limit: float, x: Axis, y: Axis, *, rows: int | None = None) -> alt.Chart:
    """A table as one picture, its rows from 0 downwards; ``rows`` if it stands for more rows than it has."""
    height, width = table.shape
    where = {"url": [picture(table, limit)], "x": 0, "x2": width, "y": 0, "y2": rows or height}
    base = alt.Chart(pd.DataFrame(where)).mark_image(aspect=False, smooth=False, aria=False)
    return base.encode(x=x("x"), x2="x2", y=y("y"), y2="y2", url="url:N")


def _whole(weights: np.ndarray, offset: int, length: Whole, n: alt.Parameter, step: int, lang: str) -> alt.LayerChart:
    """The table as a picture; beside it the rows read, strong where listed, and red the rows that are not there."""
    rows, dim = weights.shape
    frames = _frames(rows, offset, length, lang)
    few = rows < 64
    ticks = range(rows) if few else (*range(0, rows - 64, rows // 256 * 64), rows - 1)
    axis = alt.Axis(
        values=[row + 0.5 for row in ticks],
        tickCount=len(ticks),  # else Vega keeps every other
        labelExpr="format(floor(datum.value), ',')",
        labelOverlap=False,
        title=ROW(lang),
        grid=False,
    )
    x = partial(alt.X, type="quantitative", scale=alt.Scale(domain=[0, dim + 2], nice=False), axis=None)
    down = alt.Scale(domain=[int(frames["end"].max()), 0], nice=False)
    y = partial(alt.Y, type="quantitative", scale=down, axis=axis)
    shown = weights.copy()
    shown[:offset] = 0
    at = alt.Chart(frames).transform_filter(n)
    gone = at.transform_filter("datum.end > datum.table")
    layers = [
        image(shown[::step], LIMIT, x, y, rows=rows),
        at.mark_rect(color=POSITION, opacity=0.35).encode(x=x("left"), x2="right", y=y("start"), y2="used"),
        at.mark_rect(color=POSITION).encode(x=x("left"), x2="right", y=y("window"), y2="used"),
        gone.mark_rect(filled=False, stroke=WARNING, strokeWidth=2).encode(
            x=x("zero"), x2="right", y=y("table"), y2="end"
        ),
    ]
    if offset:
        aside = pd.DataFrame({"x": [0], "x2": dim, "y": 0, "y2": offset, "cx": dim / 2, "cy": offset / 2})
        box = alt.Chart(aside.assign(name=SET_ASIDE(lang)))
        layers.append(
            box.mark_rect(filled=False, stroke=INK, strokeDash=[4, 3], opacity=QUIET).encode(
                x=x("x"), x2="x2", y=y("y"), y2="y2"
            )
        )
        if few:
            layers.append(box.mark_text(opacity=QUIET).encode(x=x("cx"), y=y("cy"), text="name:N"))
    return alt.layer(*layers)


def _frames(rows: int, offset: int, length: Whole, lang: str) -> pd.DataFrame:
    """For each length of the sentence: which rows it reads, which of them are listed, and what to say of it."""
    n = np.arange(length.minimum, length.maximum + 1)
    used = offset + np.minimum(n, rows - offset)
    missing = offset + n - used
    says = [_says(int(count), int(without), lang) for count, without in zip(n, missing, strict=True)]
    window = np.minimum(used, offset + np.maximum(0, n - LINES))
    return pd.DataFrame(
        {length.name: n, "start": offset, "window": window, "used": used, "end": offset + n, "table": rows, "zero": 0}
        | {"left": 16.6, "right": 18.0, "missing": missing, "says": says}
    )


def _says(n: int, missing: int, lang: str) -> str:
    if missing:
        return SOME_MISSING(lang).format(n=n, missing=missing)
    return ONE_FOUND(lang) if n == 1 else ALL_FOUND(lang).format(n=n)


def _listed(
    weights: np.ndarray, offset: int, length: Whole, n: alt.Parameter, columns: tuple[float, ...], lang: str
) -> alt.LayerChart:
    """One line a token: the word, its position, the row that it reads and the numbers in it."""
    rows, dim = weights.shape
    x = partial(alt.X, type="quantitative", scale=alt.Scale(domain=[columns[0], dim], nice=False), axis=None)
    y = partial(alt.Y, type="quantitative", scale=alt.Scale(domain=[LINES, -2], nice=False), axis=None)
    value = f"{length.name}.{length.name}[0]"
    lines = (
        alt.Chart(_read(weights, offset, length.maximum, columns, lang))
        .transform_filter(f"datum.position < {value} && datum.position >= {value} - {LINES}")
        .transform_calculate(line=f"datum.position - max(0, {value} - {LINES})")
        .transform_calculate(below="datum.line + 0.86", middle="datum.line + 0.45")
    )
    says = alt.Chart(_frames(rows, offset, length, lang)).transform_filter(n)
    return alt.layer(
        _cells(lines, dim, x, y, lang).add_params(n),
        *_lost(lines, x, y),
        *_words(lines, x, y),
        *_heads(dim, columns, x, y, lang),
        says.mark_text(align="left", fontWeight="bold").encode(
            x=alt.value(0),
            y=alt.value(6),
            text="says:N",
            color=alt.condition("datum.missing > 0", alt.value(WARNING), alt.value(POSITION)),
        ),
    )


def _cells(lines: alt.Chart, dim: int, x: Axis, y: Axis, lang: str) -> alt.Chart:
    """The numbers that were read: one column of the table's data for each, turned into one mark each."""
    found = lines.transform_filter("datum.found").transform_fold([f"d{i}" for i in range(dim)], as_=["key", "value"])
    found = found.transform_calculate(dim="toNumber(slice(datum.key, 1))", next="datum.dim + 0.94")
    colour = alt.Color("value:Q", scale=diverging(LIMIT), legend=None)
    tips = [
        alt.Tooltip("position:Q", title=text.POSITION(lang), format=","),
        alt.Tooltip("row:Q", title=ROW(lang), format=","),
        alt.Tooltip("dim:Q", title=text.DIMENSION(lang)),
        alt.Tooltip("value:Q", title=VALUE(lang), format=".4f"),
    ]
    return found.mark_rect().encode(x=x("dim"), x2="next", y=y("line"), y2="below", color=colour, tooltip=tips)


def _lost(lines: alt.Chart, x: Axis, y: Axis) -> tuple[alt.Chart, alt.Chart]:
    """Where numbers would be if there were a row."""
    lost = lines.transform_filter("!datum.found")
    return (
        lost.mark_rect(filled=False, stroke=WARNING, strokeDash=[5, 4], strokeWidth=1.5).encode(
            x=x("zero"), x2="dims", y=y("line"), y2="below"
        ),
        lost.mark_text(color=WARNING).encode(x=x("centre"), y=y("middle"), text="says:N"),
    )


def _words(lines: alt.Chart, x: Axis, y: Axis) -> tuple[alt.Chart, ...]:
    """The word, its position, and the row that it reads."""
    ink, violet = (alt.condition("datum.found", alt.value(colour), alt.value(WARNING)) for colour in (INK, POSITION))
    middle = y("middle")
    position = alt.Text("position:Q", format=",")
    found = lines.transform_filter("datum.found")
    return (
        lines.mark_text(align="left", fontWeight="bold").encode(x=x("first"), y=middle, text="word:N", color=ink),
        lines.mark_text(align="right", fontWeight="bold").encode(x=x("at"), y=middle, text=position, color=violet),
        found.mark_text(align="right", opacity=QUIET).encode(x=x("reads"), y=middle, text="says:N"),
    )


def _heads(dim: int, columns: tuple[float, ...], x: Axis, y: Axis, lang: str) -> list[alt.Chart]:
    """Names of the columns."""
    names = WORD(lang), text.POSITION(lang), ROW(lang), VECTOR(lang).format(dim=dim)
    marks = []
    for at, name, side in zip((*columns, 0), names, ("left", "right", "right", "left"), strict=True):
        head = alt.Chart(pd.DataFrame({"x": [at], "y": -0.4, "name": name}))
        marks.append(head.mark_text(align=side, opacity=QUIET, fontSize=12).encode(x=x("x"), y=y("y"), text="name:N"))
    return marks


def _read(weights: np.ndarray, offset: int, longest: int, columns: tuple[float, ...], lang: str) -> pd.DataFrame:
    """One row a position: its word, its row of the table if there is one, and the numbers in it."""
    rows, dim = weights.shape
    position = np.arange(longest)
    row, found = position + offset, position + offset < rows
    says = [(READS if there else NO_ROW)(lang).format(row=at) for at, there in zip(row, found, strict=True)]
    said = WORDS[lang]
    table = pd.DataFrame(
        {"position": position, "row": row, "found": found, "says": says}
        | {"word": [said[at % len(said)] for at in position]}
        | dict(zip(("first", "at", "reads"), columns, strict=True))
        | {"zero": 0, "dims": dim, "centre": dim / 2}
    )
    numbers = np.zeros((longest, dim), dtype=np.float32)
    numbers[found] = weights[offset:][: found.sum()]
    return pd.concat([table, pd.DataFrame(numbers, columns=[f"d{i}" for i in range(dim)])], axis=1)
