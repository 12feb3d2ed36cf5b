"""What is drawn on the board, one layer a function: squares, outlines, arrows of pairs, bars, words and numbers."""

import json
from collections.abc import Mapping
from functools import partial

import altair as alt
import numpy as np
import pandas as pd

from pages.kit.theme import FAINT, INK, POSITION, QUERY, QUIET, VALUE, diverging
from pages.rope_attention.board import Board
from pages.rope_attention.frames import CHANNELS, TOKENS

AT_SHIFT, AT_TOKEN = "datum.shift == shift.shift[0]", "datum.token == token.token[0]"
FRAME = 0.28
"""Opacity of the line round a step."""
DIMMED = 0.2
"""Opacity of the channels of heads that are not looked at."""
FAINT_DIGITS = 0.35
COLOURED = alt.Color("colour:N", scale=None, legend=None)


class Painter:
    """Layers on one board, whose pixels are the units of every x and y."""

    def __init__(self, board: Board, limits: Mapping[str, float], shown: Mapping[str, range]) -> None:
        """Paint on the board.

        Args:
            board: Where things stand.
            limits: Step -> the size with full colour.
            shown: Step -> the columns of the head looked at, where it has heads.
        """
        self.board, self.limits, self.shown = board, limits, shown
        scales = {"x": [0, board.width], "y": [board.height, 0]}
        self.x, self.y = (
            partial(kind, type="quantitative", axis=None, scale=alt.Scale(domain=scales[name], nice=False))
            for name, kind in (("x", alt.X), ("y", alt.Y))
        )
        self.size = board.type

    def squares(self, table: pd.DataFrame, steps: list[str], across: str = "channel") -> alt.Chart:
        """A square for each entry of the steps, the channels of other heads dimmed.

        Args:
            table: A row for each token and column; a field "step", or a field for each step.
            steps: Those drawn.
            across: The field that counts columns.
        """
        boxes = {step: self.board.boxes[step] for step in steps}
        cell = boxes[steps[0]].cell
        chart = alt.Chart(table).transform_filter(AT_SHIFT) if "shift" in table else alt.Chart(table)
        if "step" not in table:
            chart = chart.transform_fold(steps, as_=["step", "value"])
        limits = {step: self.limits[step] for step in steps}
        shown = {step: self.shown.get(step, range(CHANNELS)) for step in steps}
        span = {step: [columns.start, columns.stop - 1] for step, columns in shown.items()}
        places = {
            "level": f"datum.value / {json.dumps(limits)}[datum.step]",
            "x": f"{json.dumps({n: b.left for n, b in boxes.items()})}[datum.step] + (datum.{across} + 0.5) * {cell}",
            "y": f"{json.dumps({n: b.top for n, b in boxes.items()})}[datum.step] + (datum.token + 0.5) * {cell}",
        }
        is_shown = f"inrange(datum.{across}, {json.dumps(span)}[datum.step])"
        return (
            chart.transform_calculate(**places)
            .mark_point(shape="square", filled=True, size=(cell - 0.6) ** 2, strokeWidth=0)
            .encode(
                x=self.x("x"),
                y=self.y("y"),
                color=alt.Color("level:Q", scale=diverging(), legend=None),
                opacity=alt.condition(is_shown, alt.value(1.0), alt.value(DIMMED)),
                tooltip=["step:N", "token:Q", f"{across}:Q", alt.Tooltip("value:Q", format=".6f")],
            )
        )

    def frames(self) -> alt.Chart:
        """The line round every step."""
        return self._boxes(alt.Chart(self.board.table()), strokeOpacity=FRAME)

    def outlines(self, steps: list[str]) -> alt.Chart:
        """The chosen token's row in these steps."""
        cell = self.board.boxes[steps[0]].cell
        above = f"datum.top + token.token[0] * {cell}"
        rows = alt.Chart(self.board.table(steps)).transform_calculate(above=above, below=f"{above} + {cell}")
        return self._boxes(rows, "above", "below", strokeWidth=1.6)

    def _boxes(self, chart: alt.Chart, top: str = "top", bottom: str = "bottom", **stroke: float) -> alt.Chart:
        mark = chart.mark_rect(filled=False, stroke=INK, **stroke)
        return mark.encode(x=self.x("left"), x2="right", y=self.y(top), y2=f"{bottom}:Q")

    def places(self, steps: Mapping[str, bool]) -> alt.Chart:
        """Before the rows of each step: the tokens or, where the step says True, the positions they stand at."""
        boxes = [self.board.boxes[step] for step in steps]
        rows = pd.DataFrame(
            {
                "x": np.repeat([box.left - 4 for box in boxes], TOKENS),
                "y": np.concatenate([box.top + (np.arange(TOKENS) + 0.5) * box.cell for box in boxes]),
                "token": np.tile(np.arange(TOKENS), len(boxes)),
                "moves": np.repeat(list(steps.values()), TOKENS).astype(int),
            }
        )
        rows["colour"] = np.where(rows["moves"] == 1, POSITION, INK)
        named = alt.Chart(rows).transform_calculate(text="datum.token + datum.moves * shift.shift[0]")
        return self._text(named, align="right", fontSize=max(12, self.size - 3)).encode(text="text:Q", color=COLOURED)

    def words(self, rows: list[tuple[float, float, str, str]], **mark: object) -> alt.Chart:
        """Words at (x, y), in colours."""
        table = pd.DataFrame(rows, columns=["x", "y", "text", "colour"])
        return self._text(alt.Chart(table), **mark).encode(text="text", color=COLOURED)

    def told(self, said: Mapping[tuple[float, float], str]) -> alt.Chart:
        """Headings that follow the handles: where, and what, with {0} for the token and {1} for its position."""
        rows = pd.DataFrame([(x, y, text) for (x, y), text in said.items()], columns=["x", "y", "said"])
        text = "replace(replace(datum.said, '{0}', token.token[0]), '{1}', token.token[0] + shift.shift[0])"
        return self._text(alt.Chart(rows).transform_calculate(text=text), **self.heading()).encode(text="text:N")

    def heading(self) -> dict[str, object]:
        return {"align": "left", "fontWeight": 600, "fontSize": self.size + 1}

    def _text(self, chart: alt.Chart, **mark: object) -> alt.Chart:
        return chart.mark_text(baseline="middle", **mark).encode(x=self.x("x"), y=self.y("y"))

    def dial(self, before: pd.DataFrame, after: pd.DataFrame) -> list[alt.Chart]:
        """The token's q as an arrow for each pair: dashed before its turn, solid after it."""
        ends = {"x": self.x("x"), "y": self.y("y"), "x2": "x2", "y2": "y2"}
        centres = self.board.centres
        start = {axis: f"{json.dumps(centres[:, i].tolist())}[datum.pair]" for i, axis in enumerate("xy")}
        arrows = _of_token(after).transform_calculate(**start)
        rest = alt.Chart(before).transform_filter(AT_TOKEN).transform_calculate(**start)
        return [
            alt.Chart(pd.DataFrame(centres, columns=["x", "y"]))
            .mark_point(color=INK, opacity=FAINT, strokeWidth=1, size=(2 * self.board.arrow) ** 2)
            .encode(x=self.x("x"), y=self.y("y")),
            rest.mark_rule(color=QUERY, opacity=0.6, strokeWidth=1.5, strokeDash=[3, 3]).encode(**ends),
            arrows.mark_rule(color=QUERY, strokeWidth=3, strokeCap="round").encode(**ends),
        ]

    def bars(self, attended: pd.DataFrame) -> alt.Chart:
        """How much of each value the token takes, beside the values; the limit has the longest bar."""
        box = self.board.boxes["v_turned"]
        start = box.right + 3
        return (
            _of_token(attended)
            .transform_calculate(
                x=str(start),
                x2=f"{start} + datum.weight / {self.limits['weight']} * {self.board.bars}",
                y=f"{box.top} + (datum.key + 0.5) * {box.cell}",
            )
            .mark_rule(color=VALUE, strokeWidth=box.cell * 0.5)
            .encode(x=self.x("x"), x2="x2", y=self.y("y"), tooltip=["key", alt.Tooltip("weight:Q", format=".6f")])
        )

    def looks(self, attended: pd.DataFrame, names: tuple[str, str, str], *, causal: bool) -> list[alt.Chart]:
        """The token's score and weight for each key in digits, and the sum of its weights.

        Args:
            attended: As ``frames.attended``.
            names: What stands over the keys' positions, scores and weights.
            causal: Whether later keys are hidden; their digits are faint.
        """
        left, top, pitch, across = self.board.looks
        ends = {name: left + 18 + i * across for i, name in enumerate(("at", "score", "weight"))}
        colours = {"at": POSITION, "score": INK, "weight": VALUE}
        rows = _of_token(attended).transform_calculate(at="datum.key + shift.shift[0]")
        total = rows.transform_aggregate(total="sum(weight)").transform_calculate(
            x=str(ends["weight"]), y=str(top + pitch * 7.4), text="'Σ = ' + format(datum.total, '.4f')"
        )
        numbers = rows.transform_fold(list(ends), as_=["column", "value"]).transform_calculate(
            x=f"{json.dumps(ends)}[datum.column]",
            y=f"{top} + (datum.key + 1.4) * {pitch}",
            colour=f"{json.dumps(colours)}[datum.column]",
            text="format(datum.value, datum.column == 'at' ? 'd' : '.4f')",
        )
        heads = [(x, top + 0.4 * pitch, name, INK) for x, name in zip(ends.values(), names, strict=True)]
        is_seen = "datum.key <= datum.token" if causal else "true"
        return [
            self.words(heads, align="right", opacity=QUIET, fontSize=self.size),
            self._text(total, align="right", color=VALUE, fontWeight="bold", fontSize=self.size).encode(text="text:N"),
            self._text(numbers, align="right", fontSize=self.size).encode(
                text="text:N",
                color=COLOURED,
                opacity=alt.condition(is_seen, alt.value(1.0), alt.value(FAINT_DIGITS)),
            ),
        ]

    def digits(
        self, moving: pd.DataFrame, still: pd.DataFrame, lines: Mapping[str, tuple[str, str]]
    ) -> list[alt.Chart]:
        """The token's numbers, a line for each step and a column for each channel; on a phone the other way round.

        Args:
            moving: As ``frames.channels``.
            still: As ``frames.still``.
            lines: Step -> name and colour of its line; q first, the output last.
        """
        if self.board.digits is None:
            return []
        (left, top), shown = self.board.digits, self.shown["q"]
        is_narrow, steps = self.board.is_narrow, list(lines)
        by_channel, by_line = ((0, 20), (68, 0)) if is_narrow else ((86, 0), (0, 24))
        start = (left + 66, top + 48) if is_narrow else (left + 160, top + 50)

        def at(line: int, channel: int) -> tuple[float, float]:
            x, y = (start[i] + line * by_line[i] + channel * by_channel[i] for i in (0, 1))
            return x, y

        names = [((at(i, 0)[0], top + 24) if is_narrow else (left, at(i, 0)[1])) for i in range(len(steps))]
        numbers = [((left, at(0, c)[1]) if is_narrow else (at(0, c)[0], top + 26)) for c in range(CHANNELS)]
        sides = ("right", "left") if is_narrow else ("left", "right")
        faint = {"opacity": QUIET, "fontSize": self.size}
        table = _of_token(moving).transform_fold(steps[1:], as_=["step", "value"])
        colours = {step: colour for step, (_, colour) in lines.items()}
        return [
            self.words(
                [(*place, lines[s][0], INK) for place, s in zip(names, steps, strict=True)], align=sides[0], **faint
            ),
            self.words([(*place, str(c), INK) for c, place in enumerate(numbers)], align=sides[1], **faint),
            *(
                self._text(
                    chart.transform_calculate(
                        line=f"indexof({json.dumps(steps)}, datum.step)",
                        colour=f"{json.dumps(colours)}[datum.step]",
                    ).transform_calculate(
                        x=f"{start[0]} + {by_line[0]} * datum.line + {by_channel[0]} * datum.channel",
                        y=f"{start[1]} + {by_line[1]} * datum.line + {by_channel[1]} * datum.channel",
                    ),
                    align="right",
                    fontSize=self.size,
                ).encode(
                    text=alt.Text("value:Q", format=".4f"),
                    color=COLOURED,
                    opacity=alt.condition(
                        f"datum.step == 'out' || inrange(datum.channel, [{shown.start}, {shown.stop - 1}])",
                        alt.value(1.0),
                        alt.value(FAINT_DIGITS),
                    ),
                )
                for chart in (table, alt.Chart(still).transform_filter(f"datum.step == 'q' && {AT_TOKEN}"))
            ),
        ]


def _of_token(table: pd.DataFrame) -> alt.Chart:
    return alt.Chart(table).transform_filter(AT_SHIFT).transform_filter(AT_TOKEN)
