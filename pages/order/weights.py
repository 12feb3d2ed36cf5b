"""What each word attends to without and with positions, and the difference that they make."""

from collections.abc import Sequence
from functools import partial

import altair as alt
import numpy as np
import pandas as pd

from pages.kit.marks import tidy
from pages.kit.text import Label, number
from pages.kit.theme import FAINT, INK, QUIET, SMALL_TYPE, diverging
from posenc import OrderComparison

ALT = Label(
    zh="三张权重表：没有位置，有位置，两者相减。每一行是一个词放在各个词上的权重，行和写在右边。",
    en="Three tables of weights: without positions, with them, and the difference. A row is what one word attends to.",
)
NAMES = {
    "none": Label(zh="无", en="none"),
    "sinusoidal": Label(zh="正弦", en="sinusoids"),
    "rope": Label(zh="RoPE", en="RoPE"),
}
WITHOUT = Label(zh="没有位置", en="no positions")
WITH = Label(zh="位置：{name}", en="positions: {name}")
APART = Label(zh="相减，距离 {distance}", en="difference, distance {distance}")
SUM = Label(zh="行和", en="sum")
WEIGHT = Label(zh="权重", en="weight")
FROM = Label(zh="从", en="from")
TO = Label(zh="看向", en="to")

FULL = 5
"""How many times the mean weight of a row has the full colour; never more than 1."""
DIFFERENCE = 0.25
"""The difference of two weights that has the full colour."""
READ = 5
"""Words up to which a cell has room for its number."""


def weights(comparison: OrderComparison, *, positions: str, lang: str, narrow: bool) -> alt.TopLevelMixin:
    """The first layer's weights of the sentence as given, and what the positions changed in them.

    Args:
        comparison: Of the sentence with the positions to show.
        positions: Which ones: "sinusoidal" or "rope".
        lang: "zh" or "en".
        narrow: For a phone, one table under the other.
    """
    plain, given = comparison.plain_weights[0], comparison.weights[0]
    full = min(1.0, FULL / len(comparison.words))
    panel = partial(_panel, words=comparison.words, lang=lang, side=180 if narrow else 190)
    drawn = (
        panel(plain, full, WITHOUT(lang), named=True, sums=plain.sum(axis=1)),
        panel(given, full, WITH(lang).format(name=NAMES[positions](lang)), named=narrow, sums=comparison.row_sums[0]),
        panel(given - plain, DIFFERENCE, APART(lang).format(distance=number(comparison.distance)), named=narrow),
    )
    drawn_together = alt.vconcat(*drawn, spacing=20) if narrow else alt.hconcat(*drawn, spacing=24)
    return drawn_together.resolve_scale(color="independent")


def _panel(
    table: np.ndarray,
    limit: float,
    title: str,
    *,
    words: Sequence[str],
    lang: str,
    side: int,
    named: bool,
    sums: np.ndarray | None = None,
) -> alt.LayerChart:
    """One table of cells, the words above it and, if named, before its rows; the sums of the rows behind."""
    n, size = len(words), side / len(words)
    rows = tidy("weight", table, row=range(n), column=range(n))
    rows["from"], rows["to"] = (np.array(words, dtype=object)[rows[axis]] for axis in ("row", "column"))
    axis = {"axis": None, "scale": alt.Scale(domain=[-0.5, n - 0.5], nice=False, zero=False)}
    down = {"axis": None, "scale": alt.Scale(domain=[n - 0.5, -0.5], nice=False, zero=False)}
    x, y = alt.X("column:Q", **axis), alt.Y("row:Q", **down)
    cells = (
        alt.Chart(rows)
        .transform_calculate(
            left="datum.column - 0.5", right="datum.column + 0.5", top="datum.row - 0.5", bottom="datum.row + 0.5"
        )
        .mark_rect(stroke=INK, strokeOpacity=FAINT)
        .encode(
            x=alt.X("left:Q", **axis),
            x2="right",
            y=alt.Y("top:Q", **down),
            y2="bottom",
            color=alt.Color("weight:Q", scale=diverging(limit), legend=None),
            tooltip=[
                alt.Tooltip("from:N", title=FROM(lang)),
                alt.Tooltip("to:N", title=TO(lang)),
                alt.Tooltip("weight:Q", title=WEIGHT(lang), format=".4f"),
            ],
        )
    )
    heads = alt.Chart(pd.DataFrame({"row": range(n), "column": range(n), "text": words}))
    tilted = {"angle": 315, "align": "left"} if max(map(_wide, words)) * SMALL_TYPE > size else {}
    small = {"fontSize": SMALL_TYPE, "baseline": "middle", "limit": 76}
    layers = [cells, heads.mark_text(**{**small, **tilted}).encode(x=x, y=alt.value(-12), text="text:N")]
    if named:
        layers.append(heads.mark_text(align="right", **small).encode(x=alt.value(-6), y=y, text="text:N"))
    if n <= READ:
        layers.append(alt.Chart(rows).mark_text(**small).encode(x=x, y=y, text=alt.Text("weight:Q", format=".2f")))
    if sums is not None:
        layers += _sums(sums, y, side, lang)
    high = {"offset": 62 if tilted else 24, "text": title, "fontSize": 14}
    return alt.layer(*layers).properties(width=side, height=side, title=alt.TitleParams(**high))


def _wide(word: str) -> float:
    """Its width in sizes of its type; Chinese characters are twice as wide as Latin ones."""
    return sum(0.5 if character < "\u2e80" else 1 for character in word)


def _sums(sums: np.ndarray, y: alt.Y, side: int, lang: str) -> list[alt.Chart]:
    """The sum of each row, behind it, under a heading."""
    text = partial(alt.Chart.mark_text, align="left", fontSize=SMALL_TYPE, opacity=QUIET)
    behind = alt.Chart(pd.DataFrame({"row": range(len(sums)), "sum": sums}))
    heading = alt.Chart(pd.DataFrame({"text": [SUM(lang)]}))
    return [
        text(behind).encode(x=alt.value(side + 6), y=y, text=alt.Text("sum:Q", format=".4f")),
        text(heading).encode(x=alt.value(side + 6), y=alt.value(-12), text="text:N"),
    ]
