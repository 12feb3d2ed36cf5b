"""RoPE: the turning pair, the score that it gives, and the score against distance."""

from functools import partial

import altair as alt
import numpy as np
import pandas as pd

from pages.kit import text
from pages.kit.marks import handle, tidy
from pages.kit.settings import Whole
from pages.kit.text import Label
from pages.kit.theme import FAINT, INK, KEY, NARROW, POSITION, QUERY, QUIET
from posenc import ScoreSpread

M = Whole("m", text.QUERY_POSITION, 0, 64, 9)
N = Whole("n", text.KEY_POSITION, 0, 64, 4)

LIFT = 26
"""Pixels between the curve's upper edge and that of the score above it; the dial's title is lifted as much."""

PAIR_TITLE = Label(zh="第 {i} 对：q 与 k 转到各自位置", en="pair {i}: q and k turned to their positions")
CURVE_TITLE = Label(zh="所有维度对之和", en="sum over all pairs")
BARS_TITLE = Label(zh="每一对的贡献", en="what each pair adds")
SUM = Label(zh="分数", en="score")
ADDS = Label(zh="贡献", en="contribution")
PAIR_AXIS = Label(zh="维度对", en="pair")
EQUAL = Label(zh="q = k", en="q = k")
RANDOM = Label(zh="q、k 各自随机", en="random q and k")
PEAKED = Label(zh="峰值由我们选定", en="peak where we chose")


def rotation(
    q_turned: np.ndarray,
    k_turned: np.ndarray,
    scores: np.ndarray,
    parts: np.ndarray,
    *,
    pair: int,
    lang: str,
    narrow: bool,
) -> alt.TopLevelMixin:
    """The chosen pair on a dial, the score at (m, n) on the curve of all, and what each pair adds.

    Args:
        q_turned: (positions, pairs, 2), q at each m.
        k_turned: (positions, pairs, 2), k at each n.
        scores: (positions, positions), the whole score for each m and n.
        parts: (2 positions - 1, pairs), each pair's part for each m - n.
        pair: The one on the dial.
        lang: "zh" or "en".
        narrow: For a phone.
    """
    m, n = handle(M, lang), handle(N, lang)
    side, width, offset = (270, NARROW - 70, 10) if narrow else (360, 380, 10 + LIFT)
    dial = _dial(q_turned[:, pair], k_turned[:, pair], m, n, side).properties(
        width=side, height=side, title=alt.Title(PAIR_TITLE(lang).format(i=pair), offset=offset)
    )
    curve = _curve(scores, m, n, lang).properties(width=width, height=150, title=CURVE_TITLE(lang))
    bars = _bars(parts, pair, lang).properties(width=width, height=100, title=BARS_TITLE(lang))
    if narrow:
        return alt.vconcat(dial, curve, bars)
    return alt.hconcat(dial, alt.vconcat(curve, bars), spacing=40)


def _dial(q: np.ndarray, k: np.ndarray, m: alt.Parameter, n: alt.Parameter, side: int) -> alt.LayerChart:
    """Arrows for q and k; faint: the circles they turn on and where they point at position 0."""
    reach = 1.18 * max(np.hypot(*q[0]), np.hypot(*k[0]), 1e-9)
    arms = ("q", q, QUERY, M.name, m), ("k", k, KEY, N.name, n)
    return alt.layer(*(_arm(*arm, reach, side) for arm in arms))


def _arm(
    name: str, turned: np.ndarray, colour: str, position: str, at: alt.Parameter, reach: float, side: int
) -> alt.LayerChart:
    scale = alt.Scale(domain=[-reach, reach], nice=False)
    rows = pd.DataFrame(
        {position: range(len(turned)), "x": turned[:, 0], "y": turned[:, 1], "x0": 0.0, "y0": 0.0, "name": name}
    )
    beyond = 1 + 0.09 * reach / max(np.hypot(*turned[0]), 1e-9)  # the name stands a little past the arrow's head
    rows[["name_x", "name_y"]] = rows[["x", "y"]] * beyond
    at_x, at_y = (partial(channel, type="quantitative", scale=scale, axis=None) for channel in (alt.X, alt.Y))
    moving = alt.Chart(rows).transform_filter(at).encode(x=at_x("x"), y=at_y("y"))
    resting = alt.Chart(rows.iloc[:1]).encode(x=at_x("x"), y=at_y("y"), x2="x0", y2="y0")
    circle = side * np.hypot(*turned[0]) / reach  # pixels across
    return alt.layer(
        moving.mark_rule(color=colour, strokeWidth=4, strokeCap="round").encode(x2="x0", y2="y0").add_params(at),
        alt.Chart(rows.iloc[:1])
        .mark_point(color=INK, opacity=FAINT, strokeWidth=1, size=circle**2)
        .encode(x=at_x("x0"), y=at_y("y0")),
        resting.mark_rule(color=colour, opacity=0.35, strokeWidth=2, strokeDash=[4, 4]),
        moving.mark_point(color=colour, filled=True, size=130, opacity=1),
        moving.mark_text(color=colour, fontSize=17, fontWeight="bold").encode(
            x=at_x("name_x"), y=at_y("name_y"), text="name"
        ),
    )


def _curve(scores: np.ndarray, m: alt.Parameter, n: alt.Parameter, lang: str) -> alt.LayerChart:
    positions = range(len(scores))
    table = tidy("score", scores, m=positions, n=positions)
    table["relative"] = table["m"] - table["n"]
    # One row and one column of the table hold every relative position; the marker is the score of m and n themselves.
    line = table[(table["m"] == 0) | (table["n"] == 0)].sort_values("relative")
    x = alt.X("relative:Q", title=text.RELATIVE(lang), scale=alt.Scale(nice=False))
    y = alt.Y("score:Q", title=SUM(lang))
    here = alt.Chart(table).transform_filter(m).transform_filter(n)
    return alt.layer(
        alt.Chart(line).mark_line(color=INK, opacity=QUIET, strokeWidth=1.5).encode(x=x, y=y),
        here.mark_rule(color=POSITION, strokeDash=[4, 4]).encode(x=x),
        here.mark_point(color=POSITION, filled=True, size=110, opacity=1).encode(x=x, y=y),
        here.mark_text(color=POSITION, align="right", baseline="top", fontSize=19, fontWeight="bold").encode(
            x=alt.value("width"), y=alt.value(-LIFT), text=alt.Text("score:Q", format=".4f")
        ),
    )


def _bars(parts: np.ndarray, pair: int, lang: str) -> alt.Chart:
    reach = len(parts) // 2
    table = tidy("part", parts, relative=range(-reach, reach + 1), pair=range(parts.shape[1]))
    limit = float(np.abs(parts).max()) or 1.0
    return (
        alt.Chart(table)
        .transform_filter(f"datum.relative == {M.name}.{M.name}[0] - {N.name}.{N.name}[0]")
        .mark_bar(color=POSITION)
        .encode(
            x=alt.X("pair:O", title=PAIR_AXIS(lang), axis=alt.Axis(labelAngle=0, labelOverlap=True)),
            y=alt.Y("part:Q", title=ADDS(lang), scale=alt.Scale(domain=[-limit, limit]), axis=alt.Axis(tickCount=3)),
            opacity=alt.condition(f"datum.pair == {pair}", alt.value(1.0), alt.value(0.4)),
            tooltip=["pair", alt.Tooltip("part:Q", format=".4f")],
        )
    )


def decay(
    equal: ScoreSpread, independent: ScoreSpread, peaked: np.ndarray, *, peak: int, lang: str, narrow: bool
) -> alt.TopLevelMixin:
    """Score against distance for three kinds of content: one falls, one stays at zero, one peaks where it was told to.

    Args:
        equal: Mean and spread for q = k.
        independent: The same for q and k drawn apart.
        peaked: (n,) scores of the pair with a chosen peak, at the same distances.
        peak: The chosen distance.
        lang: "zh" or "en".
        narrow: For a phone.
    """
    panels = (
        (EQUAL, QUERY, _spread(equal)),
        (RANDOM, INK, _spread(independent)),
        (PEAKED, POSITION, pd.DataFrame({"distance": equal.distances, "score": peaked, "low": peaked, "high": peaked})),
    )
    marks = [
        _panel(table, colour, lang).properties(title=title(lang), width=NARROW - 60 if narrow else 300, height=190)
        for title, colour, table in panels
    ]
    there = alt.Chart(pd.DataFrame({"distance": [peak]})).mark_rule(color=POSITION, strokeDash=[4, 4])
    marks[2] += there.encode(x="distance:Q")
    share = {"y": "shared"}
    if narrow:
        return alt.vconcat(*marks).resolve_scale(**share)
    return alt.hconcat(*marks).resolve_scale(**share)


def _panel(table: pd.DataFrame, colour: str, lang: str) -> alt.LayerChart:
    base = alt.Chart(table).encode(x=alt.X("distance:Q", title=text.RELATIVE(lang), scale=alt.Scale(nice=False)))
    return alt.layer(
        base.mark_area(opacity=FAINT, color=colour).encode(y=alt.Y("low:Q", title=text.SCORE(lang)), y2="high:Q"),
        base.mark_line(strokeWidth=2, color=colour).encode(y="score:Q"),
    )


def _spread(spread: ScoreSpread) -> pd.DataFrame:
    low, high = spread.mean - spread.std, spread.mean + spread.std
    return pd.DataFrame({"distance": spread.distances, "score": spread.mean, "low": low, "high": high})
