"""Layouts, what goes wrong: mix-ups that change lengths, and a spectrum that no reordering makes the paper's."""

import altair as alt
import numpy as np
import pandas as pd

from pages.kit import text
from pages.kit.marks import handle, tidy
from pages.kit.settings import Whole
from pages.kit.text import Label
from pages.kit.theme import FAINT, INK, NARROW, POSITION, WARNING
from posenc import Spectra

P = Whole("p", text.POSITION, 0, 64, 1)
K = Whole("k", text.DISTANCE, 0, 64, 10)
POSITIONS, DISTANCES = range(P.maximum + 1), range(K.maximum + 1)

RIGHT = Label(zh="正确的旋转", en="turned correctly")
OTHER = Label(zh="用了另一种配对", en="the other pairing")
NEIGHBOURS = Label(zh="角度按相邻排，转的是两半", en="angles for neighbours, halves turned")
HALVES = Label(zh="角度按两半排，转的是相邻", en="angles for halves, neighbours turned")
WAYS = (RIGHT, NEIGHBOURS, HALVES)
COLUMNS = ("right", "angles_for_neighbours", "angles_for_halves")
"""Their names in a table."""
COLOURS = (POSITION, WARNING, WARNING)
DASHES = ([1, 0], [1, 0], [5, 4])
SQUARED = Label(zh="向量长度的平方", en="squared length")
PAPER = Label(zh="论文：除以 d/2", en="paper: over d/2")
TENSOR2TENSOR = Label(zh="tensor2tensor：除以 d/2 − 1", en="tensor2tensor: over d/2 − 1")
FREQUENCY = Label(zh="频率", en="frequency")
FREQUENCIES = Label(zh="每一对的频率", en="frequency of each pair")
DOTS = Label(zh="相距 k 的两个编码的点积", en="dot product of two encodings k apart")


def lengths(squared: np.ndarray, *, lang: str, narrow: bool) -> alt.TopLevelMixin:
    """Rings whose areas are the squared lengths at the chosen position, and the same over all positions.

    Args:
        squared: (3, positions), right and the two mix-ups.
        lang: "zh" or "en".
        narrow: For a phone.
    """
    p = handle(P, lang)
    table = tidy("squared", squared, way=range(len(squared)), p=POSITIONS)
    side, width = 220, NARROW - 90 if narrow else 500
    most = float(squared.max())
    rings = _rings(table, p, side, most).properties(width=side, height=side)
    told = _told(table, p, lang).properties(width=width, height=72)
    curves = _curves(table, p, most, lang).properties(width=width, height=150)
    if narrow:
        return alt.vconcat(rings, told, curves, spacing=12)
    return alt.hconcat(rings, alt.vconcat(told, curves, spacing=8), spacing=50)


def _style(marks: alt.Chart) -> alt.Chart:
    """Colour and dash of each way."""
    ways = list(range(len(WAYS)))
    return marks.encode(
        color=alt.Color("way:O", scale=alt.Scale(domain=ways, range=list(COLOURS)), legend=None),
        strokeDash=alt.StrokeDash("way:O", scale=alt.Scale(domain=ways, range=list(DASHES)), legend=None),
    )


def _rings(table: pd.DataFrame, p: alt.Parameter, side: int, most: float) -> alt.Chart:
    """A point's size is the square of its diameter, so the area is in proportion to the squared length."""
    here = alt.Chart(table.assign(area=table["squared"] / most * (side - 8) ** 2)).transform_filter(p)
    return _style(here.mark_point(filled=False, strokeWidth=2.5, opacity=1).add_params(p)).encode(
        x=alt.value(side / 2), y=alt.value(side / 2), size=alt.Size("area:Q", scale=None)
    )


def _told(table: pd.DataFrame, p: alt.Parameter, lang: str) -> alt.LayerChart:
    """Name and number of each way at the chosen position."""
    named = table.assign(name=[WAYS[way](lang) for way in table["way"]])
    y = alt.Y("way:Q", axis=None, scale=alt.Scale(domain=[2.5, -0.5], nice=False))
    here = alt.Chart(named).transform_filter(p).encode(y=y)
    line = _style(here.mark_rule(strokeWidth=2.5)).encode(x=alt.value(0), x2=alt.value(26))
    value = here.mark_text(align="left", fontWeight="bold", fontSize=16).encode(
        x=alt.value(36), text=alt.Text("squared:Q", format=".3f")
    )
    return alt.layer(line, value, here.mark_text(align="left").encode(x=alt.value(100), text="name:N"))


def _curves(table: pd.DataFrame, p: alt.Parameter, most: float, lang: str) -> alt.LayerChart:
    x = alt.X("p:Q", title=text.POSITION(lang), scale=alt.Scale(nice=False))
    y = alt.Y("squared:Q", title=SQUARED(lang), scale=alt.Scale(domain=[0, most]), axis=alt.Axis(tickCount=4))
    every = alt.Chart(table).encode(x=x, y=y)
    here = every.transform_filter(p)
    return alt.layer(
        _style(every.mark_line(strokeWidth=1.8)),
        here.mark_rule(color=INK, opacity=FAINT).encode(y=alt.value(0), y2=alt.value("height")),
        _style(here.mark_point(filled=True, size=80, opacity=1)),
    )


def spectra(compared: Spectra, *, lang: str, narrow: bool) -> alt.TopLevelMixin:
    """The frequencies of both spectra, and the dot products that they give, marked at the chosen distance.

    Args:
        compared: What ``posenc.compare_spectra`` gives for ``DISTANCES``.
        lang: "zh" or "en".
        narrow: For a phone.
    """
    k = handle(K, lang)
    size = {"width": NARROW - 90 if narrow else 330, "height": 200}
    left = _frequencies(compared, lang).properties(**size, title=FREQUENCIES(lang))
    right = _dots(compared, k, lang).properties(**size, title=DOTS(lang))
    return alt.vconcat(left, right) if narrow else alt.hconcat(left, right, spacing=50)


def _which(lang: str) -> dict[str, alt.Color]:
    """The legend is given to every view alike, as views side by side share it."""
    colours = alt.Scale(domain=[PAPER(lang), TENSOR2TENSOR(lang)], range=[POSITION, WARNING])
    return {"color": alt.Color("which:N", scale=colours, legend=alt.Legend(orient="bottom", title=None, labelLimit=0))}


def _frequencies(compared: Spectra, lang: str) -> alt.Chart:
    both = np.stack([compared.paper, compared.tensor2tensor])
    pairs = both.shape[1]
    table = tidy("frequency", both, which=[PAPER(lang), TENSOR2TENSOR(lang)], pair=range(pairs))
    # Rings of two sizes, since the first pair has the same frequency in both.
    table["size"] = np.repeat((170, 60) if pairs <= 32 else (30, 8), pairs)
    powers = "'10' + ['⁻⁴', '⁻³', '⁻²', '⁻¹', '⁰'][round(log(datum.value) / LN10) + 4]"
    axis = alt.Axis(values=[1, 1e-1, 1e-2, 1e-3, 1e-4], labelExpr=powers)
    log = alt.Scale(type="log", nice=False, padding=8)
    whole = alt.Axis(format="d", tickMinStep=1)
    return (
        alt.Chart(table)
        .mark_point(filled=False, strokeWidth=2, opacity=1)
        .encode(
            x=alt.X("pair:Q", title=text.PAIR(lang), axis=whole, scale=alt.Scale(nice=False, padding=8)),
            y=alt.Y("frequency:Q", title=FREQUENCY(lang), axis=axis, scale=log),
            size=alt.Size("size:Q", scale=None),
            tooltip=["pair:Q", alt.Tooltip("frequency:Q", title=FREQUENCY(lang), format=".6f")],
            **_which(lang),
        )
    )


def _dots(compared: Spectra, k: alt.Parameter, lang: str) -> alt.LayerChart:
    both = np.stack([compared.paper_dots, compared.tensor2tensor_dots])
    table = tidy("dot", both, which=[PAPER(lang), TENSOR2TENSOR(lang)], k=[int(x) for x in compared.distances])
    x = alt.X("k:Q", title=text.DISTANCE(lang), scale=alt.Scale(nice=False))
    every = alt.Chart(table).encode(x=x, y=alt.Y("dot:Q", title=text.DOT_PRODUCT(lang)), **_which(lang))
    here = every.transform_filter(k)
    return alt.layer(
        every.mark_line(strokeWidth=1.8),
        here.mark_rule(color=INK, opacity=FAINT).encode(y=alt.value(0), y2=alt.value("height"), color=alt.value(INK)),
        here.mark_point(filled=True, size=80, opacity=1).add_params(k),
    )
