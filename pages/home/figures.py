"""The map's pictures: two sentences with the hands of their places, and one small picture for each idea."""

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from pages.kit.marks import handle, picture, tidy
from pages.kit.settings import Whole
from pages.kit.text import Label
from pages.kit.theme import FAINT, INK, KEY, NARROW, POSITION, QUERY, QUIET, WARNING

FIRST = Whole("first", Label(zh="第一个词的位置", en="first word at position"), 0, 60, 0)

SENTENCES = {"zh": ("狗咬人", "人咬狗"), "en": (("dog", "bites", "man"), ("man", "bites", "dog"))}
SAME = {"zh": "狗", "en": "dog"}
WORDS = 3
AT = Label(zh="位置 ", en="position ")
FAST = Label(zh="快", en="fast")
SLOW = Label(zh="慢", en="slow")

THUMBNAIL = 140
"""Pixels of a small picture's height."""
HAND = "M0,0L0,-1"
"""A stroke straight up, as long as a circle of the same size is wide from its middle."""
FREE = alt.Scale(nice=False, zero=False)


def sentences(hands: np.ndarray, *, shown: int, lang: str, narrow: bool) -> alt.TopLevelMixin:
    """The same three words in two orders, each above the hands of its place; the word that changed places stands out.

    Args:
        hands: (positions, pairs) radians at every position, clockwise from the top: across is sine, up is cosine.
        shown: How many hands, the fastest ones.
        lang: "zh" or "en".
        narrow: For a phone, one sentence under the other.
    """
    first, pairs, hands = handle(FIRST, lang), shown, hands[:, :shown]
    slots = _slots(lang, pairs, narrow)
    here = pd.DataFrame({FIRST.name: np.arange(FIRST.minimum, FIRST.maximum + 1)}).merge(slots, how="cross")
    here["position"] = here[FIRST.name] + here["place"]
    here["label"] = AT(lang) + here["position"].astype(str)
    turning = here.merge(tidy("angle", np.degrees(hands), position=range(len(hands)), pair=range(pairs)), on="position")
    turning["row"] = turning["top"] + 1 + turning["pair"]
    dials = turning[turning[FIRST.name] == FIRST.minimum]

    size = 44**2
    rows = [-0.5, slots["top"].max() + pairs + 1.4]
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[-0.75, slots["x"].max() + 0.5], nice=False))
    y = alt.Y("row:Q", axis=None, scale=alt.Scale(domain=rows, reverse=True, nice=False))
    strength = alt.Opacity("strength:Q", scale=None)
    charts = (
        alt.Chart(dials).mark_point(size=size, color=INK, opacity=FAINT, strokeWidth=1).encode(x=x, y=y),
        alt.Chart(turning)
        .transform_filter(first)
        .mark_point(shape=HAND, size=size, color=POSITION, strokeWidth=3.5, strokeCap="round", filled=False)
        .encode(x=x, y=y, angle=alt.Angle("angle:Q", scale=None), opacity=strength)
        .add_params(first),
        alt.Chart(slots.assign(row=slots["top"]))
        .mark_text(fontSize=22, fontWeight=600)
        .encode(x=x, y=y, text="word", opacity=strength),
        alt.Chart(here.assign(row=here["top"] + pairs + 1))
        .transform_filter(first)
        .mark_text(color=POSITION)
        .encode(x=x, y=y, text="label"),
        alt.Chart(_ends(slots, pairs, lang)).mark_text(align="left", opacity=QUIET).encode(x=x, y=y, text="word"),
    )
    return alt.layer(*charts).properties(width=NARROW - 60 if narrow else "container", height=54 * (rows[1] - rows[0]))


def _slots(lang: str, pairs: int, narrow: bool) -> pd.DataFrame:
    """Where each word stands in its sentence and on the picture, and how strongly it is drawn."""
    rows = [
        {
            "place": place,
            "word": word,
            "x": place + (0 if narrow else order * (WORDS + 0.6)),
            "top": order * (pairs + 2.5) if narrow else 0,
            "strength": 1.0 if word == SAME[lang] else 0.4,
        }
        for order, words in enumerate(SENTENCES[lang])
        for place, word in enumerate(words)
    ]
    return pd.DataFrame(rows)


def _ends(slots: pd.DataFrame, pairs: int, lang: str) -> pd.DataFrame:
    """Beside the first and the last hand: that one is fast and the other slow."""
    ends = [(top + row, label(lang)) for top in slots["top"].unique() for row, label in ((1, FAST), (pairs, SLOW))]
    return pd.DataFrame({"x": -0.75, "row": [row for row, _ in ends], "word": [word for _, word in ends]})


def rows(table: np.ndarray, *, lang: str, narrow: bool) -> alt.TopLevelMixin:  # noqa: ARG001
    """Encodings as a picture: a row each position, a column each dimension.

    Args:
        table: (positions, d_model).
        lang: "zh" or "en"; there are no words.
        narrow: For a phone.
    """
    return _small(_image(table, 0, len(table)), len(table))


def ending_rows(table: np.ndarray, *, missing: int, limit: float, lang: str, narrow: bool) -> alt.TopLevelMixin:  # noqa: ARG001
    """A table, the line where it ends, and places for the rows that it does not have.

    Args:
        table: (rows, dim).
        missing: Places drawn below the end.
        limit: The value with the full colour.
        lang: "zh" or "en"; there are no words.
        narrow: For a phone.
    """
    end = len(table)
    y = alt.Y("top:Q", axis=None)
    absent = pd.DataFrame({"top": np.arange(missing) + end + 0.18, "bottom": np.arange(missing) + end + 0.82})
    return _small(
        alt.layer(
            _image(table, 0, end, limit),
            alt.Chart(absent)
            .mark_rect(filled=False, color=INK, opacity=2 * FAINT, strokeWidth=1)
            .encode(y=y, y2="bottom", x=alt.XValue(1), x2=alt.X2Value("width")),
            alt.Chart(pd.DataFrame({"top": [end]})).mark_rule(color=WARNING, strokeWidth=3).encode(y=y),
        ),
        end + missing,
    )


def _image(table: np.ndarray, top: float, bottom: float, limit: float = 1.0) -> alt.Chart:
    """The whole width, between two heights."""
    row = pd.DataFrame({"url": [picture(table, limit)], "top": [top], "bottom": [bottom], "left": [0], "right": [1]})
    return (
        alt.Chart(row)
        .mark_image(smooth=False, aria=False, aspect=False)
        .encode(
            url="url:N",
            x=alt.X("left:Q", axis=None, scale=alt.Scale(domain=[0, 1])),
            x2="right",
            y=alt.Y("top:Q", axis=None),
            y2="bottom",
        )
    )


def _small(chart: alt.Chart | alt.LayerChart, bottom: float) -> alt.TopLevelMixin:
    """At a small picture's height, rows counted from the top."""
    scale = alt.Scale(domain=[0, bottom], reverse=True, nice=False)
    views = chart.layer if isinstance(chart, alt.LayerChart) else [chart]
    for view in views:
        view.encoding.y.scale = scale
    return chart.properties(width="container", height=THUMBNAIL)


def curve(dots: np.ndarray, *, rise: int, lang: str, narrow: bool) -> alt.TopLevelMixin:  # noqa: ARG001
    """Dot product against distance, a point where it first goes up again.

    Args:
        dots: (n,) at distances 0, 1, ...
        rise: The distance of the point.
        lang: "zh" or "en"; the only words are a formula.
        narrow: For a phone.
    """
    table = pd.DataFrame({"distance": np.arange(len(dots)), "dot": dots})
    x = alt.X("distance:Q", axis=None, scale=alt.Scale(domain=[-1, len(dots)], nice=False))
    y = alt.Y("dot:Q", axis=None, scale=FREE)
    up = alt.Chart(table[table["distance"] == rise])
    return alt.layer(
        alt.Chart(table).mark_line(color=INK, opacity=QUIET, strokeWidth=2).encode(x=x, y=y),
        up.mark_rule(color=POSITION, strokeDash=[4, 4]).encode(x=x),
        up.mark_point(color=POSITION, filled=True, size=110, opacity=1).encode(x=x, y=y),
        up.mark_text(color=POSITION, align="left", dx=10, dy=-18, fontWeight="bold")
        .encode(x=x, y=y, text="label:N")
        .transform_calculate(label="'k = ' + datum.distance"),
    ).properties(width="container", height=THUMBNAIL)


def matrices(tables: np.ndarray, *, names: Sequence[str], lang: str, narrow: bool) -> alt.TopLevelMixin:  # noqa: ARG001
    """A few square matrices beside each other, each with its name.

    Args:
        tables: (matrices, n, n), from -1 to 1.
        names: A formula for each.
        lang: "zh" or "en"; the only words are formulas.
        narrow: For a phone.
    """
    side = f"min(80, width / {len(names)} - 8)"
    table = pd.DataFrame({"name": names, "url": [picture(matrix) for matrix in tables]})
    x = alt.X("name:O", axis=None, sort=None, scale=alt.Scale(padding=0.1))
    base = alt.Chart(table).encode(x=x, y=alt.value(THUMBNAIL / 2 - 10))
    return alt.layer(
        base.mark_point(shape="square", size=alt.expr(f"pow({side} + 1, 2)"), color=INK, opacity=0.35, strokeWidth=1),
        base.mark_image(width=alt.expr(side), height=alt.expr(side), smooth=False, aria=False).encode(url="url:N"),
        base.mark_text(opacity=QUIET).encode(y=alt.value(THUMBNAIL / 2 + 50), text="name"),
    ).properties(width="container", height=THUMBNAIL)


def turns(q_turned: np.ndarray, k_turned: np.ndarray, *, lang: str, narrow: bool) -> alt.TopLevelMixin:  # noqa: ARG001
    """One pair of q and of k further and further along, the angle between them the same.

    Args:
        q_turned: (places, pairs, 2), q at each of its positions; the first pair is drawn.
        k_turned: (places, pairs, 2), k as far behind at each.
        lang: "zh" or "en"; there are no words.
        narrow: For a phone.
    """
    q, k = (np.degrees(np.arctan2(turned[:, 0, 0], turned[:, 0, 1])) for turned in (q_turned, k_turned))
    between = (q - k + 180) % 360 - 180
    table = pd.DataFrame({"place": range(len(q)), "q": q, "k": k})
    table["start"], table["end"] = np.radians(k), np.radians(k + between)
    x = alt.X("place:O", axis=None, scale=alt.Scale(padding=0))
    base = alt.Chart(table).encode(x=x, y=alt.value(THUMBNAIL / 2))
    dial = {"size": alt.expr(f"pow(min(84, width / {len(q)} - 8), 2)"), "filled": False, "opacity": 1}

    def arm(name: str, colour: str) -> alt.Chart:
        drawn = base.mark_point(shape=HAND, color=colour, strokeWidth=4, strokeCap="round", **dial)
        return drawn.encode(angle=alt.Angle(f"{name}:Q", scale=None))

    return alt.layer(
        base.mark_point(**{**dial, "opacity": FAINT}, color=INK, strokeWidth=1),
        base.mark_arc(color=POSITION, opacity=0.35, outerRadius=20).encode(
            theta=alt.Theta("start:Q", scale=None, stack=None), theta2="end:Q"
        ),
        arm("k", KEY),
        arm("q", QUERY),
    ).properties(width="container", height=THUMBNAIL)


def crossings(
    order: np.ndarray,
    *,
    names: Label | None = None,
    group: int = 1,
    lang: str,
    narrow: bool,  # noqa: ARG001
) -> alt.TopLevelMixin:
    """Lines from each place above to the place below that takes what stood there.

    Args:
        order: (n,) which place above each place below takes.
        names: One character or word for each place above, separated by spaces; dots without.
        group: Neighbours above that belong together, and share a shade.
        lang: "zh" or "en".
        narrow: For a phone.
    """
    order = np.asarray(order)
    words = names(lang).split() if names else [""] * len(order)
    ends = pd.DataFrame({"above": order, "below": range(len(order)), "name": [words[place] for place in order]})
    ends["shade"] = 1 - 0.72 * (ends["above"] // group) / max(1, (len(order) - 1) // group)
    scale = alt.Scale(domain=[-0.7, len(order) - 0.3], nice=False)
    above, below = (alt.X(f"{end}:Q", axis=None, scale=scale) for end in ("above", "below"))
    top, bottom = 24, THUMBNAIL - 24
    shade = alt.Opacity("shade:Q", scale=None, legend=None)
    base = alt.Chart(ends)
    lines = base.mark_rule(color=POSITION, strokeWidth=3).encode(
        x=above, x2="below", y=alt.value(top + 14), y2=alt.value(bottom - 14), opacity=shade
    )
    if names:
        marks = [
            base.mark_text(fontWeight="bold").encode(x=x, y=alt.value(y), text="name")
            for x, y in ((above, top), (below, bottom))
        ]
    else:
        marks = [
            base.mark_square(color=POSITION, size=220).encode(x=x, y=alt.value(y), opacity=shade)
            for x, y in ((above, top), (below, bottom))
        ]
    return alt.layer(lines, *marks).properties(width="container", height=THUMBNAIL)
