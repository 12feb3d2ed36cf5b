"""Learned table, still: what training puts into it, and what lengthening makes of it."""

from functools import partial

import altair as alt
import numpy as np
import pandas as pd

from pages.kit import text
from pages.kit.marks import handle, tidy
from pages.kit.settings import Whole
from pages.kit.text import Label
from pages.kit.theme import INK, NARROW, POSITION, QUIET, WARNING
from pages.learned_table import lookup
from posenc import Lengthened

ROW = Whole("row", Label(zh="选一行", en="chosen row"), 0, 63, 20)

LIMIT = 0.06
"""The value of a trained table that gets the full colour."""

UNTRAINED = Label(zh="训练之前", en="before training")
TRAINED = Label(zh="训练之后", en="after training")
COSINE = Label(zh="余弦相似度", en="cosine")
OTHER = Label(zh="另一个位置", en="the other position")
CUT = Label(zh="截断", en="cut off")
REPEATED = Label(zh="重复最后一行", en="repeat the last row")
INTERPOLATED = Label(zh="插值拉长", en="interpolate")
TRUTH = Label(zh="真正训练出来的", en="what training gave")
NAMES = {
    "repeated": REPEATED,
    "interpolated": INTERPOLATED,
    "random": Label(zh="补上随机的行", en="append random rows"),
}
SIMILARITY_ALT = Label(
    zh="两张余弦相似度图：训练之前只有对角线亮，训练之后相邻位置彼此相似。下面是选中的一行与其他各行的相似度。",
    en="Cosines between rows: before training only the diagonal, after training neighbours are alike. "
    "Below: the chosen row against all others.",
)
WAYS_ALT = Label(
    zh="四张表并排：截断，重复最后一行，插值拉长，以及真正训练出来的表。",
    en="Four tables side by side: cut off, last row repeated, interpolated, and what training really gave.",
)


def similarity(untrained: np.ndarray, trained: np.ndarray, *, lang: str, narrow: bool) -> alt.TopLevelMixin:
    """How alike every two rows are, before and after training, and the chosen row against all others.

    Args:
        untrained: (positions, positions) cosines.
        trained: The same of a trained table.
        lang: "zh" or "en".
        narrow: For a phone.
    """
    row = handle(ROW, lang)
    side = NARROW - 70 if narrow else 290
    squares = [
        _square(cosines, row, lang).properties(width=side, height=side, title=alt.Title(title(lang), frame="group"))
        for cosines, title in ((untrained, UNTRAINED), (trained, TRAINED))
    ]
    curve = _curve(untrained, trained, row, lang).properties(width=side if narrow else 660, height=150)
    views = [*squares, curve] if narrow else [alt.hconcat(*squares, spacing=40), curve]
    return alt.vconcat(*views).resolve_scale(color="independent")


def _square(cosines: np.ndarray, row: alt.Parameter, lang: str) -> alt.LayerChart:
    n = len(cosines)
    ticks = [at + 0.5 for at in range(0, n, 16)]
    axis = alt.Axis(title=text.POSITION(lang), values=ticks, labelExpr="floor(datum.value)", grid=False)
    x = partial(alt.X, type="quantitative", scale=alt.Scale(domain=[0, n], nice=False), axis=axis)
    y = partial(alt.Y, type="quantitative", scale=alt.Scale(domain=[n, 0], nice=False), axis=axis)
    lines = pd.DataFrame({ROW.name: range(n), "x": 0, "x2": n, "y": range(n), "y2": range(1, n + 1)})
    return alt.layer(
        lookup.image(cosines, 1.0, x, y),
        alt.Chart(lines)
        .transform_filter(row)
        .mark_rect(filled=False, stroke=POSITION, strokeWidth=2)
        .encode(x=x("x"), x2="x2", y=y("y"), y2="y2"),
    )


def _curve(untrained: np.ndarray, trained: np.ndarray, row: alt.Parameter, lang: str) -> alt.LayerChart:
    at = range(len(trained))
    table = tidy("cosine", np.stack([untrained, trained]), table=[UNTRAINED(lang), TRAINED(lang)], row=at, other=at)
    order = [UNTRAINED(lang), TRAINED(lang)]
    colour = alt.Color(
        "table:N",
        title=None,
        sort=order,
        scale=alt.Scale(domain=order, range=[INK, POSITION]),
        legend=alt.Legend(orient="top"),
    )
    x = alt.X("other:Q", title=OTHER(lang), scale=alt.Scale(nice=False), axis=alt.Axis(grid=False))
    y = alt.Y("cosine:Q", title=COSINE(lang), scale=alt.Scale(domain=[-1, 1]), axis=alt.Axis(tickCount=3))
    here = alt.Chart(table).transform_filter(row).encode(x=x, y=y, color=colour)
    tips = [alt.Tooltip("other:Q", title=OTHER(lang)), alt.Tooltip("cosine:Q", title=COSINE(lang), format=".4f")]
    return alt.layer(
        here.mark_line(strokeWidth=2).add_params(row),
        here.mark_point(filled=True, size=30, opacity=1).encode(tooltip=tips),
    )


def ways(tables: Lengthened, *, dims: int, lang: str, narrow: bool) -> alt.TopLevelMixin:
    """The trained table cut short, lengthened in two ways, and as training really made it, side by side.

    Args:
        tables: What ``lengthened_tables`` gives.
        dims: Columns drawn.
        lang: "zh" or "en".
        narrow: For a phone.
    """
    kept, rows = len(tables.cut), len(tables.trained)
    named = (CUT, tables.cut), (REPEATED, tables.repeated), (INTERPOLATED, tables.interpolated), (TRUTH, tables.trained)
    width = NARROW // 2 - 50 if narrow else 150
    panels = [
        _panel(table[:, :dims], kept, rows, None if at % (2 if narrow else 4) else lookup.ROW(lang)).properties(
            width=width, height=2 * rows, title=alt.Title(title(lang), frame="group")
        )
        for at, (title, table) in enumerate(named)
    ]
    if narrow:
        return alt.vconcat(alt.hconcat(*panels[:2], spacing=14), alt.hconcat(*panels[2:], spacing=14))
    return alt.hconcat(*panels, spacing=22)


def _panel(table: np.ndarray, kept: int, rows: int, title: str | None) -> alt.LayerChart:
    """A table as a picture, a dashed line after the rows kept, a red frame where rows are not there."""
    dim = table.shape[1]
    ticks = [0.5, kept - 0.5, rows - 0.5]
    labels = alt.Axis(values=ticks, labelExpr="floor(datum.value)", title=title, grid=False)
    down = alt.Scale(domain=[rows, 0], nice=False)
    x = partial(alt.X, type="quantitative", scale=alt.Scale(domain=[0, dim], nice=False), axis=None)
    y = partial(alt.Y, type="quantitative", scale=down, axis=labels if title else None)
    layers = [
        lookup.image(table, LIMIT, x, y),
        alt.Chart(pd.DataFrame({"y": [kept]})).mark_rule(color=INK, opacity=QUIET, strokeDash=[5, 4]).encode(y=y("y")),
    ]
    if len(table) < rows:
        gone = alt.Chart(pd.DataFrame({"x": [0], "x2": dim, "y": len(table), "y2": rows}))
        layers.append(
            gone.mark_rect(filled=False, stroke=WARNING, strokeWidth=1.5, strokeDash=[5, 4]).encode(
                x=x("x"), x2="x2", y=y("y"), y2="y2"
            )
        )
    return alt.layer(*layers)
