"""Where things stand: the steps as boxes on one board, measured in its pixels from the top left."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from pages.kit.theme import SMALL_TYPE, TYPE
from pages.rope_attention.frames import CHANNELS, TOKENS

LABELS = 20
"""Pixels for what stands before the rows of a box."""
TITLE = 26
"""Pixels for what stands over a box."""


@dataclass(frozen=True)
class Box:
    """One step's picture: a row for each token, a column for each channel or key."""

    left: float
    top: float
    columns: int
    cell: float

    @property
    def right(self) -> float:
        return self.left + self.columns * self.cell

    @property
    def bottom(self) -> float:
        return self.top + TOKENS * self.cell


@dataclass(frozen=True)
class Board:
    """The boxes of all steps, and where the other parts begin."""

    boxes: dict[str, Box]
    dial: tuple[float, float, float]
    """Left, top, side."""
    looks: tuple[float, float, float, float]
    """Left, top, from line to line, from column to column."""
    digits: tuple[float, float] | None
    """Left, top; none where they are left out."""
    bars: float
    """Pixels of the longest bar."""
    width: float
    height: float
    type: float
    """Pixels of its words and numbers."""
    is_narrow: bool = False

    @property
    def centres(self) -> np.ndarray:
        """(4, 2), where the arrows of the pairs start."""
        left, top, side = self.dial
        return np.array([(left + side * across, top + side * down) for down in (0.25, 0.75) for across in (0.25, 0.75)])

    @property
    def arrow(self) -> float:
        """Pixels of the longest arrow."""
        return self.dial[2] / 4.4

    def table(self, names: Sequence[str] | None = None) -> pd.DataFrame:
        """A row for each box: its edges."""
        chosen = list(names or self.boxes)
        edges = ("left", "top", "right", "bottom")
        return pd.DataFrame(
            {"step": chosen, **{edge: [float(getattr(self.boxes[name], edge)) for name in chosen] for edge in edges}}
        )


def wide(kv_channels: int) -> Board:
    """Five columns: x, before the turn, after it, attended, and the output under the chosen token's weights."""
    board = _across(kv_channels, cell=16, gap=16, pitch=(26, 58), size=TYPE)
    under = board.height + TITLE + 14
    return replace(board, digits=(0, under), height=under + 130)


def across_a_room(kv_channels: int) -> Board:
    """The same for the last row of a room: larger, and without the numbers of each channel."""
    return _across(kv_channels, cell=20, gap=18, pitch=(28, 80), size=TYPE + 2)


def _across(kv_channels: int, *, cell: float, gap: float, pitch: tuple[float, float], size: float) -> Board:
    across, down = CHANNELS * cell, TOKENS * cell + TITLE + 14
    tops = [TITLE + i * down for i in range(3)]
    before = LABELS + across + gap
    after = before + across + gap + LABELS
    bars = 2 * cell
    attended = after + across + bars + 4 + gap
    end = attended + across + gap
    boxes = {"x": Box(LABELS, tops[0], CHANNELS, cell)}
    for name, top in zip("qkv", tops, strict=True):
        columns = CHANNELS if name == "q" else kv_channels
        boxes |= {name: Box(before, top, columns, cell), f"{name}_turned": Box(after, top, columns, cell)}
    boxes |= {"score": Box(attended, tops[0], TOKENS, cell), "weight": Box(attended, tops[1], TOKENS, cell)}
    boxes |= {"mixed": Box(attended, tops[2], CHANNELS, cell), "out": Box(end, tops[2], CHANNELS, cell)}
    dial, looks = (LABELS, tops[1], across), (end, tops[0], *pitch)
    width = max(end + across, end + 20 + 2 * pitch[1]) + 12
    return Board(boxes, dial, looks, None, bars, width, boxes["out"].bottom, size)


def narrow(kv_channels: int) -> Board:
    """For a phone: two boxes abreast, the numbers under them."""
    cell, gap = 12, 14
    across, pitch = CHANNELS * cell, TOKENS * cell + TITLE + 14
    left, right = LABELS, LABELS + across + gap + LABELS
    tops = [TITLE + i * pitch for i in range(7)]
    boxes = {"x": Box(left, tops[0], CHANNELS, cell)}
    for name, top in zip("qkv", tops[1:4], strict=True):
        columns = CHANNELS if name == "q" else kv_channels
        boxes |= {name: Box(left, top, columns, cell), f"{name}_turned": Box(right, top, columns, cell)}
    boxes |= {"score": Box(left, tops[4], TOKENS, cell), "weight": Box(right, tops[4], TOKENS, cell)}
    boxes |= {"mixed": Box(left, tops[5], CHANNELS, cell), "out": Box(right, tops[5], CHANNELS, cell)}
    under = tops[6] + 8 * 21 + TITLE + 14
    dial = (right, tops[0], TOKENS * cell + 8)
    return Board(boxes, dial, (left, tops[6], 21, 58), (0, under), 24, 278, under + 190, SMALL_TYPE, is_narrow=True)
