"""The shift matrix: its picture times an encoding, one pair as a turning hand, and what sines alone can't do."""

from functools import partial

import altair as alt
import numpy as np
import pandas as pd

from pages.kit import text
from pages.kit.marks import handle, scientific, tidy
from pages.kit.settings import Whole
from pages.kit.text import Label
from pages.kit.theme import FAINT, INK, NARROW, POSITION, QUIET, SMALL_TYPE, WARNING, diverging
from posenc import LinearMap

K = Whole("k", Label(zh="平移 k", en="shift k"), -16, 16, 2)
P = Whole("p", Label(zh="位置 p", en="position p"), 0, 64, 3)
SHIFTS = range(K.minimum, K.maximum + 1)
POSITIONS = range(P.minimum + K.minimum, P.maximum + K.maximum + 1)
AT_K, CHOSEN = "datum.k == k.k[0]", "datum.block == block.block[0]"
TOLD = "['● ' + {m_k} + ' · PE(' + p.p[0] + ')', '○ ' + {later}, '{apart} ' + {most}]"
LATER = "'PE(' + replace(toString(p.p[0] + k.k[0]), '-', '−') + ')'"
M_K = "'M' + (k.k[0] < 0 ? '₋' : '') + (abs(k.k[0]) > 9 ? '₁' : '') + '₀₁₂₃₄₅₆₇₈₉'[abs(k.k[0]) % 10]"
"""The matrix's name with its k as an index, for the browser."""
REACH = 1.45
"""Half the width of the dial; the hand's length is 1."""
FLOOR = 1e-17
"""Errors are drawn on a logarithmic axis, which has no zero: anything smaller stands here."""

PAIR_TITLE = Label(zh="第 {i} 对", en="pair {i}")
APART = Label(zh="最大相差", en="largest difference")
FEATURES = {
    "pair": Label(zh="sin 和 cos", en="sin and cos"),
    "sine": Label(zh="只有 sin", en="sin alone"),
    "cosine": Label(zh="只有 cos", en="cos alone"),
}
ERRORS = Label(zh="最佳矩阵在每个位置上的误差", en="error of the best matrix at each position")
ERROR = Label(zh="误差", en="error")
GUESS = Label(zh="只有 sin：第 {i} 对（○ 应得，● 矩阵给出）", en="sin alone, pair {i} (○ wanted, ● matrix gives)")


def block(d_model: int) -> Whole:
    """The handle for the pair on the dial."""
    return Whole("block", text.PAIR, 0, d_model // 2 - 1, 0)


def shift(blocks: np.ndarray, table: np.ndarray, channels: np.ndarray, *, lang: str, narrow: bool) -> alt.TopLevelMixin:
    """M_k times PE(p) over PE(p + k), and one pair of both as a hand that turns. The browser multiplies and adds.

    Args:
        blocks: (shifts, pairs, 2, 2), each pair's block on (sin, cos) for every k of ``SHIFTS``.
        table: (positions, d_model), PE at each of ``POSITIONS``.
        channels: (pairs, 2), where each pair's sine and cosine stand.
        lang: "zh" or "en".
        narrow: For a phone.
    """
    entries, encodings = _entries(blocks, channels), _encodings(table, channels)
    side = NARROW - 100 if narrow else 236
    matrix = _matrix(entries, channels, side, lang).properties(width=side, height=side)
    before = _before(encodings, side, channels.size).properties(width=80, height=side)
    after = _after(entries, encodings, side, channels.size, lang).properties(width=130, height=side)
    dial = _dial(encodings, 220, lang).properties(width=220, height=220)
    digits = _digits(entries).properties(width=150, height=60)
    if narrow:
        return alt.vconcat(matrix, alt.hconcat(before, after, spacing=18), dial, digits)
    return alt.hconcat(matrix, before, after, alt.vconcat(dial, digits, spacing=8), spacing=18)


def _entries(blocks: np.ndarray, channels: np.ndarray) -> pd.DataFrame:
    """The entries of M_k that are not zero for every k: four for each pair and k."""
    rows = tidy("value", blocks, k=SHIFTS, block=range(len(channels)), row_part=(0, 1), column_part=(0, 1))
    rows["row"] = channels[rows["block"], rows["row_part"]]
    rows["column"] = channels[rows["block"], rows["column_part"]]
    return rows


def _encodings(table: np.ndarray, channels: np.ndarray) -> pd.DataFrame:
    """One row for each position and pair: its sine and cosine, where they stand, and a key to look them up by."""
    rows = tidy("sin", table[:, channels[:, 0]], position=POSITIONS, block=range(len(channels)))
    rows["cos"] = table[:, channels[:, 1]].ravel()
    rows["sin_row"], rows["cos_row"] = channels[rows["block"]].T
    rows["key"] = rows["position"] * len(channels) + rows["block"]
    return rows


def _title(expression: str) -> alt.TitleParams:
    """A title that follows the handles."""
    return alt.TitleParams(text=alt.ExprRef(expression))


def _down(field: str, d_model: int, axis: alt.Axis | None = None) -> alt.Y:
    """Channels from top to bottom, the same in the matrix and in the vectors beside it."""
    return alt.Y(f"{field}:Q", axis=axis, scale=alt.Scale(domain=[d_model - 0.5, -0.5], nice=False, padding=0))


def _matrix(entries: pd.DataFrame, channels: np.ndarray, side: int, lang: str) -> alt.LayerChart:
    d_model, size = channels.size, side / channels.size
    chosen = handle(block(d_model), lang, on="click")
    ticks = list(range(0, d_model, max(1, d_model // 4)))
    axis = alt.Axis(values=ticks, format="d", title=None, grid=False, ticks=False, domain=False)
    x = alt.X("column:Q", axis=axis, scale=alt.Scale(domain=[-0.5, d_model - 0.5], nice=False))
    lanes = pd.DataFrame({"block": np.repeat(np.arange(len(channels)), 2), "row": channels.ravel() - 0.5})
    lanes["end"] = lanes["row"] + 1
    cells = alt.Chart(entries).transform_filter(AT_K).encode(x=x, y=_down("row", d_model, axis))
    whole = {"x": alt.value(0), "x2": alt.value("width")}
    marks = [
        alt.Chart(pd.DataFrame({"edge": [0]})).mark_rect(filled=False, color=INK, strokeOpacity=0.3)
        .encode(**whole, y=alt.value(0), y2=alt.value("height")),
        # Every row of the picture answers a click with its pair, so that no click leaves the dial without one.
        alt.Chart(lanes).mark_rect(opacity=0).add_params(chosen)
        .encode(**whole, y=_down("row", d_model, axis), y2="end"),
        cells.mark_point(shape="square", filled=True, opacity=1, size=size**2, strokeWidth=0)
        .add_params(handle(K, lang), handle(P, lang)).encode(
            color=alt.Color("value:Q", scale=diverging(), legend=None),
            tooltip=["row", "column", alt.Tooltip("value:Q", format=".6f")],
        ),
        cells.transform_filter(CHOSEN)
        .mark_point(shape="square", filled=False, opacity=1, color=INK, strokeWidth=1.5, size=size**2),
    ]  # fmt: skip
    if size >= 25:
        digits = alt.Text("value:Q", format=".2f")
        fitting = alt.value(min(SMALL_TYPE, size * 0.37))  # in an encoding, which a lecture does not enlarge
        marks.append(cells.mark_text().encode(text=digits, size=fitting))
    return alt.layer(*marks).properties(title=_title(M_K))


def _before(encodings: pd.DataFrame, side: int, d_model: int) -> alt.LayerChart:
    """PE(p): a bar for each channel."""
    here = alt.Chart(encodings).transform_filter("datum.position == p.p[0]")
    bars = [
        here.mark_bar(orient="horizontal", color=POSITION, size=max(2, side / d_model * 0.5))
        .encode(
            x=_across(part),
            y=_down(f"{part}_row", d_model),
            opacity=_chosen_first(),
            tooltip=["position", "block", alt.Tooltip(f"{part}:Q", format=".6f")],
        )
        for part in ("sin", "cos")
    ]  # fmt: skip
    return alt.layer(_zero(), *bars).properties(title=_title("'· PE(' + p.p[0] + ')'"))


def _across(field: str) -> alt.X:
    axis = alt.Axis(values=[-1, 0, 1], title=None, grid=False, format="d")
    return alt.X(field, type="quantitative", axis=axis, scale=alt.Scale(domain=[-1.12, 1.12], nice=False))


def _zero() -> alt.Chart:
    return alt.Chart(pd.DataFrame({"zero": [0]})).mark_rule(color=INK, opacity=FAINT).encode(x=_across("zero"))


def _chosen_first() -> alt.Opacity:
    return alt.condition(CHOSEN, alt.value(1), alt.value(0.5))


def _after(entries: pd.DataFrame, encodings: pd.DataFrame, side: int, d_model: int, lang: str) -> alt.LayerChart:
    """The product row by row, filled, in the rings of PE(p + k) itself; and how far apart they are at most."""
    product, y = _product(entries, encodings, d_model // 2), _down("row", d_model)
    area = float(np.clip((side / d_model * 0.42) ** 2, 16, 130))
    tips = ["row", alt.Tooltip("product:Q", format=".6f"), alt.Tooltip("wanted:Q", format=".6f")]
    marks = [
        _zero(),
        product.mark_point(filled=False, color=INK, opacity=QUIET, size=2.4 * area, strokeWidth=1.5)
        .encode(x=_across("wanted"), y=y),
        product.mark_point(filled=True, color=POSITION, size=area)
        .encode(x=_across("product"), y=y, opacity=_chosen_first(), tooltip=tips),
        product.transform_aggregate(most="max(apart)")
        .transform_calculate(told=TOLD.format(apart=APART(lang), m_k=M_K, later=LATER, most=scientific("datum.most")))
        .mark_text(align="left", baseline="top", lineHeight=20, fontSize=SMALL_TYPE)
        .encode(x=alt.value(0), y=alt.value(side + 32), text="told:N"),
    ]  # fmt: skip
    return alt.layer(*marks).properties(title=_title(f"'= ' + {LATER}"))


def _product(entries: pd.DataFrame, encodings: pd.DataFrame, pairs: int) -> alt.Chart:
    """Rows of M_k times PE(p), in the browser, beside the same row of PE(p + k)."""
    known = alt.LookupData(encodings, "key", ["sin", "cos"])
    return (
        alt.Chart(entries)
        .transform_filter(AT_K)
        .transform_calculate(here=f"p.p[0] * {pairs} + datum.block", there=f"(p.p[0] + k.k[0]) * {pairs} + datum.block")
        .transform_lookup("here", from_=known)
        .transform_calculate(term="datum.value * (datum.column_part == 0 ? datum.sin : datum.cos)")
        .transform_aggregate(product="sum(term)", groupby=["row", "row_part", "block", "there"])
        .transform_lookup("there", from_=known)
        .transform_calculate(wanted="datum.row_part == 0 ? datum.sin : datum.cos")
        .transform_calculate(apart="abs(datum.product - datum.wanted)")
    )


def _dial(encodings: pd.DataFrame, side: int, lang: str) -> alt.LayerChart:
    """The chosen pair as a hand: where it points at p (dashed), at p + k, and at each position between."""
    pair = alt.Chart(encodings).transform_filter(CHOSEN)
    between = "inrange(datum.position, [min(p.p[0], p.p[0] + k.k[0]), max(p.p[0], p.p[0] + k.k[0])])"
    edge = REACH - 0.1
    axes = pd.DataFrame({"sin": [-edge, edge - 0.08], "cos": [edge, -edge], "name": ["↑ cos", "sin →"]})
    before, after = PAIR_TITLE(lang).split("{i}")
    beyond = ("1.36 * datum.sin", "1.22 * datum.cos")
    # On the side that the hand turns away from, where the other hand is not.
    back = "(k.k[0] < 0 ? -0.13 : 0.13)"
    behind = (f"0.6 * datum.sin - {back} * datum.cos", f"0.6 * datum.cos + {back} * datum.sin")
    return alt.layer(
        _placed(alt.Chart(pd.DataFrame({"sin": [0.0], "cos": [0.0]})))
        .mark_point(color=INK, opacity=FAINT, strokeWidth=1, size=(side / REACH) ** 2),
        _placed(alt.Chart(axes)).mark_text(opacity=QUIET).encode(text="name"),
        _placed(pair.transform_filter(between)).mark_point(filled=True, color=POSITION, size=34, opacity=0.5),
        *_hand(pair, "p.p[0]", "p", behind, opacity=0.6, strokeWidth=2, strokeDash=[4, 4]),
        *_hand(pair, "p.p[0] + k.k[0]", "p + k", beyond, strokeWidth=4, strokeCap="round"),
        _placed(pair.transform_filter("datum.position == p.p[0] + k.k[0]"))
        .mark_point(filled=True, color=POSITION, size=120, opacity=1),
    ).properties(title=_title(f"'{before}' + block.block[0] + '{after}'"))  # fmt: skip


def _hand(
    pair: alt.Chart, position: str, name: str, name_at: tuple[str, str], **stroke: object
) -> tuple[alt.Chart, alt.Chart]:
    """The rule from the middle to the pair at the position, and its name."""
    at = pair.transform_filter(f"datum.position == {position}")
    named = at.transform_calculate(name_sin=name_at[0], name_cos=name_at[1])
    return (
        _placed(at).mark_rule(color=POSITION, **stroke).encode(x2=alt.datum(0), y2=alt.datum(0)),
        _placed(named, "name_sin", "name_cos").mark_text(color=POSITION, fontWeight="bold", text=name),
    )


def _placed(chart: alt.Chart, sine: str = "sin", cosine: str = "cos") -> alt.Chart:
    """Sine to the right and cosine upwards: the hand starts at noon and turns clockwise."""
    scale = alt.Scale(domain=[-REACH, REACH], nice=False)
    return chart.encode(x=alt.X(f"{sine}:Q", scale=scale, axis=None), y=alt.Y(f"{cosine}:Q", scale=scale, axis=None))


def _digits(entries: pd.DataFrame) -> alt.Chart:
    """The chosen pair's block in digits, with the order of its axes."""
    name = "datum.value == 0 ? 'sin' : 'cos'"
    axis = partial(alt.Axis, labelExpr=name, title=None, domain=False, ticks=False, labelAngle=0, labelOpacity=QUIET)
    chosen = alt.Chart(entries).transform_filter(AT_K).transform_filter(CHOSEN)
    return chosen.mark_text().encode(
        x=alt.X("column_part:O", axis=axis(orient="top")),
        y=alt.Y("row_part:O", axis=axis(orient="left")),
        text=alt.Text("value:Q", format=".4f"),
    )


def best_maps(
    pair: LinearMap, sine: LinearMap, cosine: LinearMap, wanted: np.ndarray, *, block: int, lang: str, narrow: bool
) -> alt.TopLevelMixin:
    """How far the best matrix misses with both kinds of feature and with one alone; and what it makes of the sines.

    Args:
        pair: The best map of sines and cosines together, at positions 0, 1, 2, ...
        sine: That of the sines alone, at the same positions.
        cosine: That of the cosines alone.
        wanted: (n, pairs), the sines at p + k that ``sine`` should give.
        block: The pair whose sine is shown.
        lang: "zh" or "en".
        narrow: For a phone.
    """
    width = NARROW - 120 if narrow else 380
    size = {"width": width, "height": 210}
    left = _errors({"pair": pair, "sine": sine, "cosine": cosine}, range(48), lang)
    right = _guess(sine.predicted[:, block], wanted[:, block], range(25 if narrow else 33), lang)
    titles = ERRORS(lang), GUESS(lang).format(i=block)
    views = [view.properties(**size, title=title) for view, title in zip((left, right), titles, strict=True)]
    return alt.vconcat(*views) if narrow else alt.hconcat(*views, spacing=60)


def _errors(maps: dict[str, LinearMap], shown: range, lang: str) -> alt.LayerChart:
    names = [FEATURES[features](lang) for features in maps]
    errors = np.array([np.maximum(found.residuals[: len(shown)], FLOOR) for found in maps.values()])
    powers = "'10' + ['⁻¹⁶', '⁻¹²', '⁻⁸', '⁻⁴', '⁰'][round(log(datum.value) / LN10 / 4) + 4]"
    axis = alt.Axis(labelExpr=powers, values=[1e-16, 1e-12, 1e-8, 1e-4, 1])
    y = alt.Y("error:Q", title=ERROR(lang), axis=axis, scale=alt.Scale(type="log", domain=[FLOOR, 100], nice=False))
    x = alt.X("p:Q", title=text.POSITION(lang), scale=alt.Scale(nice=False))
    layers = []
    for name, error, colour, dy in zip(names, errors, (POSITION, WARNING, INK), (0, -9, 9), strict=True):
        line = alt.Chart(pd.DataFrame({"p": shown, "error": error})).encode(x=x, y=y)
        end = line.transform_filter(f"datum.p == {shown[-1]}")
        layers += [
            line.mark_line(color=colour, strokeWidth=1.5, opacity=1 if colour != INK else QUIET),
            end.mark_text(align="left", color=colour, dx=8, dy=dy, text=name).encode(y=alt.datum(error[-1])),
        ]
    return alt.layer(*layers)


def _guess(guess: np.ndarray, wanted: np.ndarray, shown: range, lang: str) -> alt.LayerChart:
    rows = pd.DataFrame({"p": shown, "guess": guess[: len(shown)], "wanted": wanted[: len(shown)]})
    axis, scale = alt.Axis(values=[-1, 0, 1], format="d"), alt.Scale(domain=[-1.15, 1.15], nice=False)
    base = alt.Chart(rows).encode(x=alt.X("p:Q", title=text.POSITION(lang), scale=alt.Scale(nice=False)))
    wanted_y, guess_y = (alt.Y(f"{name}:Q", title=None, axis=axis, scale=scale) for name in ("wanted", "guess"))
    return alt.layer(
        base.mark_line(color=INK, opacity=FAINT).encode(y=wanted_y),
        base.mark_rule(color=WARNING, opacity=0.5).encode(y=wanted_y, y2="guess"),
        base.mark_point(filled=False, color=INK, opacity=QUIET, size=70).encode(y=wanted_y),
        base.mark_point(filled=True, color=WARNING, opacity=1, size=36).encode(y=guess_y),
    )
