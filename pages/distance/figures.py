"""The dot product of two encodings: every pair of positions, one row of them, and the same row by distance."""

from functools import partial

import altair as alt
import numpy as np
import pandas as pd

from pages.kit import text
from pages.kit.marks import handle, picture, tidy
from pages.kit.settings import Whole
from pages.kit.text import Label
from pages.kit.theme import FAINT, INK, NARROW, POSITION, QUIET, SMALL_TYPE, TYPE, WARNING, diverging
from posenc import DistanceProfile

P = Whole("p", Label(zh="起点位置 p", en="start position p"), 0, 100, 30)

MATRIX_TITLE = Label(zh="所有位置两两点积", en="every pair of positions")
ROW_TITLE = Label(zh="第 p 行，按位置画：跟着 p 走", en="row p by position: moves with p")
STILL_TITLE = Label(zh="同一行，按距离画：一动不动", en="the same row by distance: stays put")
OTHER = Label(zh="另一个位置", en="other position")
RISE = Label(zh="○ 第一次回升：{before} → {k}", en="○ first rise: {before} → {k}")
NO_RISE = Label(zh="○ 到 {limit} 为止没有回升", en="○ no rise up to {limit}")
NEGATIVE = Label(zh="□ 第一次为负：{k}", en="□ first below 0: {k}")
NEGATIVE_BEYOND = Label(zh="□ 第一次为负：{k}（在图外）", en="□ first below 0: {k} (off view)")
NO_NEGATIVE = Label(zh="□ 到 {limit} 为止没有负值", en="□ none below 0 up to {limit}")
LONG_DISTANCE = Label(zh="距离 k（对数刻度）", en="distance k (log scale)")
SHARE = Label(zh="点积 ÷ (d/2)", en="dot product ÷ (d/2)")

quantity = partial(alt.Scale, nice=False, zero=False)


def moving_start(
    products: np.ndarray, kernel: np.ndarray, profile: DistanceProfile, *, lang: str, narrow: bool
) -> alt.TopLevelMixin:
    """The matrix of dot products with row p marked, that row by position, and the same row by distance.

    Args:
        products: (n, n), PE(a) . PE(b) multiplied out, for the positions of ``P``.
        kernel: (2 n - 1,), sum of cosines at the distances 1 - n to n - 1.
        profile: Where the dot product first rises and first turns negative.
        lang: "zh" or "en".
        narrow: For a phone.
    """
    p = handle(P, lang, on="click")
    side, width = (NARROW - 80, NARROW - 80) if narrow else (310, 345)
    frames = _frames(products)
    y = alt.Y("product:Q", title=text.DOT_PRODUCT(lang), scale=quantity(domain=_domain(products)))
    matrix = _matrix(products, p, side, lang).properties(width=side, height=side, title=MATRIX_TITLE(lang))
    row = _row(frames, y, p, lang).properties(width=width, height=110, title=ROW_TITLE(lang))
    still = _still(frames, kernel, profile, y, p, lang).properties(
        width=width,
        height=150,
        title=_headed(STILL_TITLE(lang), _events(profile, len(products), lang), narrow, in_one_line=not narrow),
    )
    views = alt.vconcat(row, still, matrix) if narrow else alt.hconcat(matrix, alt.vconcat(row, still), spacing=30)
    return views.resolve_legend(color="independent")  # else the matrix's legend is drawn under all views


def _frames(products: np.ndarray) -> pd.DataFrame:
    """Row p of the matrix for each p: the other position, its distance from p, the product."""
    positions = np.arange(len(products), dtype=np.int16)
    table = tidy("product", products, p=positions, other=positions)
    table["distance"] = table["other"] - table["p"]
    return table


def _domain(products: np.ndarray) -> list[float]:
    low, high = float(products.min()), float(products.max())
    room = 0.06 * (high - low)
    return [min(low, 0.0) - room, high + room]


def _matrix(products: np.ndarray, p: alt.Parameter, side: int, lang: str) -> alt.LayerChart:
    limit = float(products[0, 0])
    rows = pd.DataFrame({"p": range(len(products))})
    rows["above"], rows["below"] = rows["p"] - 0.5, rows["p"] + 0.5
    ends, bare, corner = [-0.5, len(products) - 0.5], alt.Axis(grid=False), alt.value(0)
    y = alt.Y("above:Q", title=text.POSITION(lang) + " p", scale=quantity(domain=ends, reverse=True), axis=bare)
    x = alt.X("from:Q", title=OTHER(lang), scale=quantity(domain=ends), axis=bare)
    rows["from"], rows["to"] = ends
    wide = alt.Chart(rows).encode(x=x, x2="to:Q", y=y, y2="below:Q")
    cells = alt.Chart(pd.DataFrame({"url": [picture(products, limit)]}))
    scale = alt.Chart(pd.DataFrame({"product": [-limit, limit]})).mark_point(opacity=0)
    legend = alt.Legend(
        title=None, orient="bottom", gradientLength=side, gradientThickness=10, padding=0, values=[-limit, 0, limit]
    )
    return alt.layer(
        cells.mark_image(width=side, height=side, align="left", baseline="top", smooth=False, aria=False).encode(
            x=corner, y=corner, url="url:N"
        ),
        wide.mark_rect(opacity=0, cursor="pointer").encode(tooltip=[alt.Tooltip("p:Q")]).add_params(p),
        wide.transform_filter(p).mark_rect(filled=False, stroke=POSITION, strokeWidth=2.5),
        scale.encode(x=corner, y=corner, color=alt.Color("product:Q", scale=diverging(limit), legend=legend)),
    )


def _row(frames: pd.DataFrame, y: alt.Y, p: alt.Parameter, lang: str) -> alt.LayerChart:
    x = alt.X("other:Q", title=OTHER(lang), scale=quantity(domain=[0, P.maximum]))
    here = alt.Chart(frames).transform_filter(p)
    at_p = here.transform_filter("datum.distance == 0")
    return alt.layer(
        _zero(),
        at_p.mark_rule(color=POSITION, strokeDash=[4, 4]).encode(x=x),
        here.mark_line(color=POSITION, strokeWidth=2).encode(x=x, y=y),
        at_p.mark_point(color=POSITION, filled=True, size=90, opacity=1).encode(x=x, y=y),
    )


def _still(
    frames: pd.DataFrame, kernel: np.ndarray, profile: DistanceProfile, y: alt.Y, p: alt.Parameter, lang: str
) -> alt.LayerChart:
    reach = len(kernel) // 2
    line = pd.DataFrame({"distance": range(-reach, reach + 1), "product": kernel})
    x = alt.X("distance:Q", title=text.DISTANCE(lang), scale=quantity(domain=[-reach, reach]))
    details = ["p", "distance", alt.Tooltip("product:Q", format=".3f")]
    return alt.layer(
        _zero(),
        alt.Chart(line).mark_line(color=INK, opacity=QUIET, strokeWidth=1).encode(x=x, y=y),
        alt.Chart(frames)
        .transform_filter(p)
        .mark_point(color=POSITION, filled=True, size=20, opacity=1)
        .encode(x=x, y=y, tooltip=details),
        *_rings(line, profile, x, y),
    )


def _rings(curve: pd.DataFrame, profile: DistanceProfile, x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """Marks on the curve at the first rise and the first negative value, where the curve reaches them."""
    marked = ((profile.rise, "circle"), (profile.negative, "square"))
    spots = [(curve[curve["distance"].abs() == k], shape) for k, shape in marked if k is not None]
    return [
        alt.Chart(rows)
        .mark_point(color=WARNING, shape=shape, size=110, strokeWidth=2, opacity=1)
        .encode(x=x, y=y, tooltip=["distance", alt.Tooltip("product:Q", format=".4f")])
        for rows, shape in spots
        if len(rows)
    ]


def _zero() -> alt.Chart:
    return alt.Chart(pd.DataFrame({"product": [0.0]})).mark_rule(color=INK, opacity=FAINT).encode(y="product:Q")


def _events(profile: DistanceProfile, seen: int, lang: str) -> list[str]:
    """First rise and first negative value in words, wherever they are."""
    limit = f"{profile.limit:,}"
    rise = NO_RISE(lang).format(limit=limit)
    if profile.rise is not None:
        rise = RISE(lang).format(before=profile.rise - 1, k=profile.rise)
    if profile.negative is None:
        return [rise, NO_NEGATIVE(lang).format(limit=limit)]
    negative = NEGATIVE if profile.negative < seen else NEGATIVE_BEYOND
    return [rise, negative(lang).format(k=f"{profile.negative:,}")]


def _headed(heading: str, events: list[str], narrow: bool, *, in_one_line: bool = False) -> alt.Title:
    lines = ["\u2003".join(events)] if in_one_line else events
    size = SMALL_TYPE if narrow else TYPE - 1
    return alt.Title(heading, subtitle=lines, subtitleColor=WARNING, subtitleFontSize=size, subtitlePadding=5)


def long_range(
    small: DistanceProfile, middle: DistanceProfile, large: DistanceProfile, *, lang: str, narrow: bool
) -> alt.TopLevelMixin:
    """Similarity against distance for three widths, far out, the first rise and the first negative value marked.

    Args:
        small: Of the least width.
        middle: Of the next.
        large: Of the greatest.
        lang: "zh" or "en".
        narrow: For a phone.
    """
    panels = [
        _far(profile, lang).properties(
            width=NARROW - 60 if narrow else 300,
            height=190,
            title=_headed(f"d = {profile.d_model}", _events(profile, profile.limit + 1, lang), narrow),
        )
        for profile in (small, middle, large)
    ]
    join = alt.vconcat if narrow else alt.hconcat
    return join(*panels).resolve_scale(y="shared")


def _far(profile: DistanceProfile, lang: str) -> alt.LayerChart:
    table = pd.DataFrame({"distance": profile.distances.astype(np.int32), "product": profile.similarity})
    ends = [1, profile.limit]
    ticks = [10**power for power in range(10) if 10**power <= profile.limit]
    x = alt.X(
        "distance:Q",
        title=LONG_DISTANCE(lang),
        scale=alt.Scale(type="log", domain=ends, nice=False),
        axis=alt.Axis(values=ticks, format=","),
    )
    y = alt.Y("product:Q", title=SHARE(lang))
    line = alt.Chart(table).mark_line(color=POSITION, strokeWidth=1).encode(x=x, y=y)
    return alt.layer(_zero(), line, *_rings(table, profile, x, y))
