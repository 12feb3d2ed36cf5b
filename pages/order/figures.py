"""A sentence shuffled word by word: where each word goes, its output before and after, and by how much it changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from pages.kit.marks import handle, tidy
from pages.kit.settings import Whole
from pages.kit.text import Label, number, scientific
from pages.kit.theme import FAINT, INK, NARROW, POSITION, QUIET, diverging
from posenc import Shuffles, neighbour_walk, reverse_step

STEP = Label(zh="换一种顺序", en="order")
GIVEN = Label(zh="原句的输出", en="as given")
SHUFFLED = Label(zh="打乱后的输出", en="shuffled")
CHANGE = Label(zh="每个词的变化和长度", en="each change, and its length")
KEPT = Label(
    zh="每个词的输出都没变，其中的数最多差 {most}", en="every word keeps its output; its numbers move by at most {most}"
)
MOVED = Label(
    zh="词的输出变了，其中的数最多差 {most}", en="words get other outputs; their numbers move by up to {most}"
)
DIMENSION = Label(zh="维度", en="dimension")
VALUE = Label(zh="值", en="value")

SAME = 1e-9
"""Changes below this are rounding."""


@lru_cache(maxsize=32)
def shuffle(n: int) -> Whole:
    """The handle that walks through the orders of n words; it starts where the sentence is reversed."""
    return Whole("shuffle", STEP, 0, len(neighbour_walk(n)) - 1, reverse_step(n))


@dataclass(frozen=True)
class Places:
    """Where things stand across the figure: left edges of blocks of cells, and the lines between the words."""

    width: float
    given: float
    lines: tuple[float, float]
    shuffled: float
    change: float
    cells: float
    gap: float
    word: float
    """Between the lines and the words where positions are drawn; the share of the width that a word may take."""


WIDE = Places(width=940, given=0, lines=(296, 396), shuffled=528, change=708, cells=164, gap=30, word=0.1)
PHONE = Places(width=280, given=0, lines=(116, 164), shuffled=226, change=70, cells=54, gap=17, word=0.155)
BELOW = Places(width=280, given=0, lines=(0, 0), shuffled=0, change=72, cells=140, gap=0, word=0.24)


def equivariance(shuffles: Shuffles, *, words: Sequence[str], told: bool, lang: str, narrow: bool) -> alt.TopLevelMixin:
    """Words joined to the places that they go to; outside of them their outputs, and each word's change.

    Args:
        shuffles: The sentence in every order that the handle walks through.
        words: (n,) strings; data, never markup.
        told: Whether the layers are told the positions, which are then drawn.
        lang: "zh" or "en".
        narrow: For a phone, with the change below.
    """
    if not narrow:
        drawn = _Drawn(shuffles, words, lang, WIDE)
        return _view([*drawn.sentences(told), *drawn.change(), drawn.note()], len(words), width="container")
    above, below = (_Drawn(shuffles, words, lang, places) for places in (PHONE, BELOW))
    changed = [*below.change(), below.words(below.places.change - 6, "right"), below.note()]
    width = NARROW - 60
    return alt.vconcat(
        _view(above.sentences(told), len(words), width=width, below=0),
        _view(changed, len(words), width=width),
        spacing=0,
    )


class _Drawn:
    """The layers of the figure; what moves is a row a frame, chosen by the handle."""

    def __init__(self, shuffles: Shuffles, words: Sequence[str], lang: str, places: Places) -> None:
        self.places, self.lang = places, lang
        self.at = handle(shuffle(len(words)), lang)
        self.still = pd.DataFrame({"word": range(len(words)), "place": range(len(words)), "text": words})
        self.dims = shuffles.outputs.shape[1]
        self.limit = float(max(np.abs(shuffles.outputs).max(), np.abs(shuffles.shuffled).max()))
        axes = {"place": range(len(words)), "dimension": range(self.dims)}
        steps = {"shuffle": range(len(shuffles.permutations))}
        self.given = alt.Chart(tidy("value", shuffles.outputs.astype(np.float32), **axes))
        frames = tidy("value", shuffles.shuffled.astype(np.float32), **steps, **axes)
        frames["change"] = shuffles.change.astype(np.float32).ravel()
        self.frames = alt.Chart(frames).transform_filter(self.at)
        walk = tidy("word", shuffles.permutations, **steps, place=axes["place"])
        walk["length"] = shuffles.lengths.astype(np.float32).ravel()
        self.walk = alt.Chart(walk).transform_filter(self.at)
        said = [_said(most, lang) for most in shuffles.residuals]
        self.notes = alt.Chart(pd.DataFrame({**steps, "note": said, "place": len(words)})).transform_filter(self.at)

    def sentences(self, told: bool) -> list[alt.Chart]:
        """Both sentences and what joins them."""
        left, right = self.places.lines
        gap = self.places.gap if told else 0
        start = alt.XDatum(left + 8, **_across(self.places))
        lines = self.walk.mark_rule(color=POSITION, strokeWidth=3, strokeCap="round", opacity=0.75)
        charts = [
            *self._block(self.given, "value", self.places.given, GIVEN),
            *self._block(self.frames, "value", self.places.shuffled, SHUFFLED),
            lines.encode(x=start, x2=alt.X2Datum(right - 8), y=_down("word"), y2="place").add_params(self.at),
            self._text(alt.Chart(self.still), left - gap, "text:N", "right", limit=self._limit()),
            self.words(right + gap, "left"),
        ]
        if told:
            charts += [
                self._text(alt.Chart(self.still), x, "place:Q", align, color=POSITION, fontWeight="bold")
                for x, align in ((left, "right"), (right, "left"))
            ]
        return charts

    def words(self, x: float, align: str) -> alt.Chart:
        """The words of the sentence in the order of the frame."""
        text = alt.LookupData(self.still, key="word", fields=["text"])
        return self._text(self.walk.transform_lookup("word", from_=text), x, "text:N", align, limit=self._limit())

    def change(self) -> list[alt.Chart]:
        """Each word's change and its length."""
        end = self.places.change + self.places.cells + 8
        return [
            *self._block(self.frames, "change", self.places.change, CHANGE),
            self._text(self.walk, end, alt.Text("length:Q", format=".4f"), "left"),
        ]

    def note(self) -> alt.Chart:
        """In a sentence what the frame shows."""
        return self._text(self.notes, 0, "note:N", "left", fontWeight="bold")

    def _limit(self) -> alt.ExprRef:
        return alt.expr(f"{self.places.word} * width")

    def _text(self, chart: alt.Chart, x: float, text: str | alt.Text, align: str, **mark: object) -> alt.Chart:
        across = alt.XDatum(x, **_across(self.places))
        return chart.mark_text(align=align, baseline="middle", **mark).encode(x=across, y=_down("place"), text=text)

    def _block(self, chart: alt.Chart, field: str, left: float, title: Label) -> list[alt.Chart]:
        """Rows of cells in signed colours, each row outlined, under a heading."""
        size = self.places.cells / self.dims
        edges = {"top": "datum.place - 0.42", "bottom": "datum.place + 0.42"}
        sides = {"left": f"{left} + datum.dimension * {size}", "right": f"{left} + (datum.dimension + 1) * {size}"}
        heading = pd.DataFrame({"place": [-1], "text": [title(self.lang)]})
        tips = [alt.Tooltip("dimension:Q", title=DIMENSION(self.lang))]
        tips.append(alt.Tooltip(f"{field}:Q", title=VALUE(self.lang), format=".4f"))
        outline = {"x": alt.XDatum(left, **_across(self.places)), "x2": alt.X2Datum(left + self.places.cells)}
        rows = {"y": _down("top"), "y2": "bottom"}
        return [
            alt.Chart(self.still)
            .transform_calculate(**edges)
            .mark_rect(filled=False, color=INK, strokeOpacity=FAINT)
            .encode(**outline, **rows),
            chart.transform_calculate(**edges, **sides)
            .mark_rect()
            .encode(
                x=alt.X("left:Q", **_across(self.places)),
                x2="right",
                **rows,
                color=alt.Color(f"{field}:Q", scale=diverging(self.limit), legend=None),
                tooltip=tips,
            ),
            self._text(alt.Chart(heading), left, "text:N", "left", opacity=QUIET),
        ]


def _said(most: float, lang: str) -> str:
    if most < SAME:
        return KEPT(lang).format(most=scientific(most))
    return MOVED(lang).format(most=number(most))


def _across(places: Places) -> dict[str, object]:
    return {"axis": None, "scale": alt.Scale(domain=[0, places.width], nice=False)}


def _down(field: str) -> alt.Y:
    """Places from the top; the view sets how many."""
    return alt.Y(f"{field}:Q", axis=None)


def _view(layers: Sequence[alt.Chart], n: int, *, width: int | str, below: float = 0.9) -> alt.LayerChart:
    """The layers over each other, a heading's room above the n places, and a note's below."""
    row = max(30, min(68, 340 / n))
    scale = alt.Scale(domain=[n - 0.5 + below * 34 / row, -0.5 - 30 / row], nice=False, zero=False)
    for layer in layers:
        layer.encoding.y.scale = scale
    return alt.layer(*layers).properties(width=width, height=row * n + 30 + below * 34)
