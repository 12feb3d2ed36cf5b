"""One row of the table as the hands of a clock, and as digits; both move with the cursor."""

import altair as alt
import numpy as np
import pandas as pd

from pages.kit.text import Label
from pages.kit.theme import FAINT, INK, POSITION, QUIET
from posenc import Channels

P = "position"
"""Name of the live handle."""
HERE = f"{P}.{P}[0]"
ANGLE = f"{HERE} * datum.inv_freq"

PAIR = Label(zh="维度对", en="pair")
TURN = Label(zh="每圈位置数", en="positions per turn")
REACH = 1.2
"""Half the side of the dial in lengths of the longest hand."""


def clock(known: Channels, hands: np.ndarray, side: int, size: float) -> alt.LayerChart:
    """A dial on which a pair's sine points right and its cosine up: at position 0 all hands stand at twelve.

    Args:
        known: What each channel is.
        hands: (hands,) pairs, fastest first.
        side: Pixels.
        size: Pixels of the axes' names; the pairs on the hands are a little smaller.
    """
    scale = alt.Scale(domain=[-REACH, REACH], nice=False)
    x, y = alt.X("x:Q", scale=scale, axis=None), alt.Y("y:Q", scale=scale, axis=None)
    moving = (
        alt.Chart(_hands(known, hands))
        .transform_calculate(x=f"datum.length * sin({ANGLE})", y=f"datum.length * cos({ANGLE})", zero="0")
        .encode(x=x, y=y)
    )
    centre = alt.Chart(pd.DataFrame({"x": [0.0], "y": [0.0]})).encode(x=x, y=y)
    return alt.layer(
        centre.mark_point(color=INK, opacity=FAINT, strokeWidth=2, size=(side / REACH) ** 2),
        alt.Chart(_ticks())
        .mark_rule(color=INK, opacity=QUIET)
        .encode(x=x, y=y, x2="x2:Q", y2="y2:Q", strokeWidth=alt.StrokeWidth("width:Q", scale=None)),
        _named("cos", 0, 1.02, "bottom", "center", scale, size),
        _named("sin", 1.04, 0, "middle", "left", scale, size),
        moving.mark_rule(color=POSITION, strokeCap="round").encode(
            x2="zero:Q", y2="zero:Q", strokeWidth=alt.StrokeWidth("width:Q", scale=None)
        ),
        centre.mark_point(color=POSITION, filled=True, size=170, opacity=1),
        moving.mark_point(color=POSITION, filled=True, size=2 * size**2, opacity=1),
        moving.mark_text(color="white", fontSize=size - 2.5, fontWeight="bold").encode(text="pair:N"),
    ).properties(width=side, height=side)


def _named(name: str, across: float, up: float, baseline: str, align: str, scale: alt.Scale, size: float) -> alt.Chart:
    """What the dial's direction stands for."""
    return (
        alt.Chart(pd.DataFrame({"x": [across], "y": [up], "name": [name]}))
        .mark_text(fontSize=size, opacity=QUIET, baseline=baseline, align=align)
        .encode(x=alt.X("x:Q", scale=scale, axis=None), y=alt.Y("y:Q", scale=scale, axis=None), text="name:N")
    )


def _hands(known: Channels, hands: np.ndarray) -> pd.DataFrame:
    """A row a hand, slowest first so that the fast ones lie on top; fast is long and thin, slow short and thick."""
    sines = np.flatnonzero(~known.is_cosine)[hands]
    rank = np.arange(len(hands))
    return pd.DataFrame(
        {
            "pair": hands,
            "rank": rank,
            "inv_freq": known.inv_freq[sines],
            "turn": [f"{positions:,.2f}" for positions in known.wavelength[sines]],
            "length": 1 - 0.175 * rank,
            "width": 2.5 + 1.6 * rank,
        }
    ).iloc[::-1]


def _ticks() -> pd.DataFrame:
    """The twelve marks of the dial, the four main ones bolder."""
    angle = np.arange(12) * np.pi / 6
    inner = np.where(np.arange(12) % 3, 0.955, 0.92)
    return pd.DataFrame(
        {
            "x": inner * np.sin(angle),
            "y": inner * np.cos(angle),
            "x2": np.sin(angle),
            "y2": np.cos(angle),
            "width": np.where(np.arange(12) % 3, 1.0, 2.0),
        }
    )


def digits(known: Channels, hands: np.ndarray, width: int, size: float, lang: str) -> alt.LayerChart:
    """What the hands read: for each its pair, the positions of a full turn, and its sine and cosine now.

    Args:
        known: What each channel is.
        hands: (hands,) pairs, fastest first.
        width: Pixels.
        size: Pixels of the type.
        lang: "zh" or "en".
    """
    rows = _hands(known, hands)
    live = alt.Chart(rows).transform_calculate(sin=f"sin({ANGLE})", cos=f"cos({ANGLE})")
    head = alt.Chart(pd.DataFrame({"rank": [-1]}))
    y = alt.Y("rank:Q", scale=alt.Scale(domain=[len(hands) - 0.5, -1.5], nice=False, zero=False), axis=None)
    columns = (
        (0.0, "left", PAIR(lang), "pair:N", {"fontWeight": "bold", "color": POSITION}, None),
        (0.54, "right", TURN(lang), "turn:N", {}, None),
        (0.77, "right", "sin", "sin:Q", {}, ".4f"),
        (1.0, "right", "cos", "cos:Q", {}, ".4f"),
    )
    cells = []
    for share, side, title, field, style, form in columns:
        x = alt.value(share * width)
        shown = alt.Text(field, format=form) if form else alt.Text(field)
        cells.append(live.mark_text(align=side, fontSize=size, **style).encode(x=x, y=y, text=shown))
        cells.append(head.mark_text(align=side, fontSize=size, opacity=QUIET).encode(x=x, y=y, text=alt.value(title)))
    return alt.layer(*cells).properties(width=width, height=1.6 * size * (len(hands) + 1))
