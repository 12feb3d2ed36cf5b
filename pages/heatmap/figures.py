"""The heatmap: the whole table, one row of it as bars and as the hands of a clock, one column of it as a wave."""

import altair as alt
import numpy as np
import pandas as pd

from pages.heatmap.clock import ANGLE, HERE, P, clock, digits
from pages.kit import text
from pages.kit.marks import handle, picture
from pages.kit.settings import Whole
from pages.kit.text import Label
from pages.kit.theme import INK, NEGATIVE, POSITION, POSITIVE, QUIET
from posenc import Channels, DrawnTable

VALUE = f"datum.is_cosine ? cos({ANGLE}) : sin({ANGLE})"
"""What the browser computes while the hand moves. The frequencies are posenc's; a test compares the outcome."""

BARS = 64
"""Up to so many channels a row is drawn as bars; above, as two lines."""
MOST = 256
"""Rows and columns of the picture: what a screen can show, so that the browser neither drops nor mixes any."""
CELLS = 4096
"""Up to so many cells each has a tooltip."""
STRIPS = 256
"""Above, so many strips of rows tell where the pointer is."""
LEAST_TURN = 5
"""Pixels of height that a turn of the wave needs to be told from the next."""
AROUND = 4
"""Turns to each side of the cursor where not all can be told apart."""
ROWS_AXIS = Label(zh="位置（0 在最上面）", en="position (0 at the top)")
COLUMNS_AXIS = {
    "interleaved": Label(zh="维度（偶数 sin，奇数 cos；左快右慢）", en="dimension (even sin, odd cos; fast → slow)"),
    "concatenated": Label(zh="维度（前半 sin，后半 cos，各自左快右慢）", en="dimension (sin | cos, each fast → slow)"),
}
SHORT_AXIS = {
    "interleaved": Label(zh="维度（偶 sin，奇 cos）", en="dimension (even sin, odd cos)"),
    "concatenated": Label(zh="维度（先 sin，后 cos）", en="dimension (sin, then cos)"),
}
DIAL = Label(zh="这一行是一座钟的指针", en="this row as the hands of a clock")
WAVE = Label(zh="维度 {c}", en="dim. {c}")
NEAR = Label(zh="维度 {c}，光标附近", en="dim. {c}, near")
UNIT = alt.Axis(values=[-1, 0, 1], format="d")
VALUE_AXIS = Label(zh="值", en="value")


def position(n: int) -> Whole:
    """The row that the cursor is on."""
    return Whole(P, text.POSITION, 0, n - 1, min(17, n - 1))


def table(
    drawn: DrawnTable,
    known: Channels,
    hands: np.ndarray,
    wave: np.ndarray,
    *,
    dimension: int,
    layout: str,
    lang: str,
    narrow: bool,
    afar: bool = False,
) -> alt.TopLevelMixin:
    """The table as a picture with its cursor, and what the cursor and the chosen dimension pick out of it.

    Args:
        drawn: The table in as many cells as the picture has.
        known: What each channel is.
        hands: (hands,) the pairs on the clock, fastest first.
        wave: (positions,) the chosen channel at every position.
        dimension: The chosen channel.
        layout: "interleaved" or "concatenated", for the axis.
        lang: "zh" or "en".
        narrow: For a phone.
        afar: For a lecture: the clock and what it reads are larger.
    """
    n = len(wave)
    width, height, slim, side = (186, 230, 54, 270) if narrow else (336, 336, 68, 272)
    reading, size = (400, 17) if afar and not narrow else (side, 13)
    axis = (SHORT_AXIS if narrow else COLUMNS_AXIS)[layout](lang)
    image = _image(drawn, known, n, dimension, (width, height), axis, lang)
    column = _wave(wave, known, dimension, (slim, height), lang)
    row = _row(known, dimension, width, lang).properties(width=width, height=70 if narrow else 84)
    dial = clock(known, hands, side, size).properties(title=DIAL(lang))
    read = digits(known, hands, reading, size, lang)
    if narrow:
        return alt.vconcat(alt.hconcat(image, column, spacing=14), row, dial, read)
    left = alt.vconcat(alt.hconcat(image, column, spacing=16), row, spacing=14)
    return alt.hconcat(left, alt.vconcat(dial, read, spacing=22), spacing=34)


def _image(
    drawn: DrawnTable, known: Channels, n: int, dimension: int, size: tuple[int, int], axis: str, lang: str
) -> alt.LayerChart:
    """One picture under true axes, what the pointer meets over it, and the frames of the chosen row and column."""
    d_model = len(known.pair)
    across, down = _edges(d_model), _edges(n, falling=True)
    x = alt.X("left:Q", scale=across, title=axis, axis=_whole(d_model))
    y = alt.Y("top:Q", scale=down, title=ROWS_AXIS(lang), axis=_whole(n))
    whole = {"left": [-0.5], "right": [d_model - 0.5], "top": [-0.5], "bottom": [n - 0.5]}
    edges = {"x": x, "y": y, "x2": "right:Q", "y2": "bottom:Q"}
    column = {**whole, "left": [dimension - 0.5], "right": [dimension + 0.5]}
    return alt.layer(
        _targets(drawn, known, n, edges).add_params(handle(position(n), lang, on="click")),
        alt.Chart(pd.DataFrame({**whole, "url": [picture(drawn.values)]}))
        .mark_image(aspect=False, smooth=False, aria=False)
        .encode(url="url:N", **edges),
        alt.Chart(pd.DataFrame(column))
        .mark_rect(fill=None, stroke=POSITION, strokeWidth=1.5, xOffset=-1, x2Offset=1)
        .encode(**edges),
        alt.Chart(pd.DataFrame(whole))
        .transform_calculate(top=f"{HERE} - 0.5", bottom=f"{HERE} + 0.5")
        .mark_rect(fill=None, stroke=POSITION, strokeWidth=2.5, yOffset=-1.5, y2Offset=1.5)
        .encode(**edges),
    ).properties(width=size[0], height=size[1])


def _targets(drawn: DrawnTable, known: Channels, n: int, edges: dict[str, object]) -> alt.Chart:
    """Unseen rectangles that tell the pointer where it is: every cell of a small table, else strips of rows."""
    d_model = len(known.pair)
    if drawn.values.size == n * d_model <= CELLS:
        rows, columns = np.indices((n, d_model))
        told = [P, "dimension", alt.Tooltip("value:Q", format=".6f")]
        sides = {"left": "dimension - 0.5", "right": "dimension + 0.5", "top": f"{P} - 0.5", "bottom": f"{P} + 0.5"}
        return (
            alt.Chart(pd.DataFrame({P: rows.ravel(), "dimension": columns.ravel()}))
            .transform_lookup("dimension", alt.LookupData(_channel_rows(known), "dimension", ["inv_freq", "is_cosine"]))
            .transform_calculate(
                value=VALUE.replace(HERE, f"datum.{P}"), **{side: f"datum.{at}" for side, at in sides.items()}
            )
            .mark_rect(fillOpacity=0, aria=False)
            .encode(tooltip=told, **edges)
        )
    cuts = np.linspace(0, n, min(n, STRIPS) + 1).astype(int)
    strips = pd.DataFrame({P: (cuts[:-1] + cuts[1:]) // 2, "top": cuts[:-1] - 0.5, "bottom": cuts[1:] - 0.5})
    return (
        alt.Chart(strips.assign(left=-0.5, right=d_model - 0.5))
        .mark_rect(fillOpacity=0, aria=False)
        .encode(tooltip=[P], **edges)
    )


def _edges(count: int, *, falling: bool = False) -> alt.Scale:
    """From the near edge of the first cell to the far edge of the last."""
    domain = [-0.5, count - 0.5]
    return alt.Scale(domain=domain[::-1] if falling else domain, nice=False, zero=False)


def _whole(count: int) -> alt.Axis:
    return alt.Axis(format="d", tickMinStep=1, grid=False, tickCount=min(count, 8))


def _wave(wave: np.ndarray, known: Channels, dimension: int, size: tuple[int, int], lang: str) -> alt.LayerChart:
    """The chosen column, drawn downwards beside the table, with a dot at the cursor.

    Where the turns would run into each other, only a few of them around the cursor.
    """
    n, wavelength = len(wave), float(known.wavelength[dimension])
    x = alt.X("value:Q", scale=alt.Scale(domain=[-1, 1]), title=None, axis=UNIT)
    here = _channel_rows(known).iloc[[dimension]]
    dot = alt.Chart(here).transform_calculate(value=VALUE, position=HERE, offset="0")
    if n / wavelength > size[1] / LEAST_TURN:
        reach = int(np.ceil(AROUND * wavelength))
        rows = here.drop(columns="dimension").merge(pd.DataFrame({"offset": np.arange(-reach, reach + 1)}), how="cross")
        axis = alt.Axis(orient="right", format="d", tickCount=7, grid=False)
        y = alt.Y("offset:Q", scale=alt.Scale(domain=[reach, -reach], nice=False), title=None, axis=axis)
        title, order = NEAR(lang).format(c=dimension), "offset:Q"
        line = (
            alt.Chart(rows)
            .transform_calculate(value=VALUE.replace(HERE, f"({HERE} + datum.offset)"), row=f"{HERE} + datum.offset")
            .transform_filter(f"datum.row >= 0 && datum.row < {n}")
        )
    else:
        rows = pd.DataFrame({P: np.arange(n), "value": wave})
        y = alt.Y(f"{P}:Q", scale=_edges(n, falling=True), axis=None)
        title, order, line = WAVE(lang).format(c=dimension), f"{P}:Q", alt.Chart(rows)
    points = {"size": 14, "color": POSITION} if len(rows) <= BARS else False
    return alt.layer(
        line.mark_line(color=POSITION, strokeWidth=1.5, point=points).encode(x=x, y=y, order=order),
        dot.mark_point(color=POSITION, filled=True, size=110, opacity=1).encode(x=x, y=y),
    ).properties(width=size[0], height=size[1], title=alt.Title(title, fontWeight="normal"))


def _channel_rows(known: Channels) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "dimension": np.arange(len(known.pair)),
            "pair": known.pair,
            "is_cosine": known.is_cosine,
            "inv_freq": known.inv_freq,
            "wave": np.where(known.is_cosine, "cos", "sin"),
        }
    )


def _row(known: Channels, dimension: int, width: int, lang: str) -> alt.LayerChart:
    """The row at the cursor: bars under their columns, or the sines and cosines as a line each. Beside it the key."""
    rows = _channel_rows(known)
    y = alt.Y("value:Q", scale=alt.Scale(domain=[-1, 1]), title=VALUE_AXIS(lang), axis=UNIT)
    x = alt.X("dimension:Q", scale=_edges(len(rows)), title=None, axis=None)
    live = alt.Chart(rows).transform_calculate(value=VALUE)
    chosen = alt.Chart(rows.iloc[[dimension]]).mark_rule(color=POSITION, strokeDash=[3, 3]).encode(x=x)
    key = (
        alt.Chart(pd.DataFrame({"value": [1.0], "low": [-1.0], "url": [picture(np.linspace(1, -1, 255)[:, None])]}))
        .mark_image(aspect=False, smooth=False, aria=False, width=9)
        .encode(x=alt.value(width + 14), y=y, y2="low:Q", url="url:N")
    )
    if len(rows) > BARS:
        line = live.mark_line(strokeWidth=1.3).encode(
            x=x,
            y=y,
            color=alt.Color("wave:N", scale=alt.Scale(domain=["sin", "cos"], range=[POSITION, INK]), legend=None),
            opacity=alt.condition("datum.wave == 'sin'", alt.value(1), alt.value(QUIET)),
        )
        return alt.layer(line, chosen, key)
    bars = (
        live.transform_calculate(left="datum.dimension - 0.4", right="datum.dimension + 0.4", zero="0")
        .mark_bar()
        .encode(
            x=alt.X("left:Q", scale=_edges(len(rows)), title=None, axis=None),
            x2="right:Q",
            y=y,
            y2="zero:Q",
            color=alt.condition("datum.value < 0", alt.value(NEGATIVE), alt.value(POSITIVE)),
            tooltip=["dimension", "pair", "wave", alt.Tooltip("value:Q", format=".6f")],
        )
    )
    return alt.layer(bars, chosen, key)
