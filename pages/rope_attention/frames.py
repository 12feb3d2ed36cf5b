"""The walkthrough as tables: one row for each entry of a step, at every shift where the step moves."""

import numpy as np
import pandas as pd

from pages.kit.marks import tidy
from pages.kit.settings import Whole
from pages.kit.text import Label
from posenc import Walkthrough

TOKENS = 6
CHANNELS = 8
TOKEN = Whole("token", Label(zh="看哪个词元", en="look at token"), 0, TOKENS - 1, 2)
SHIFT = Whole("shift", Label(zh="位置都加上", en="add to all positions"), 0, 20, 0)
STEPS = {
    "x": "batch, seq_len, dim",
    "q": "batch, heads, seq_len, head_dim",
    "k": "batch, kv_heads, seq_len, head_dim",
    "v": "batch, kv_heads, seq_len, head_dim",
    "q_rotated": "batch, heads, seq_len, head_dim",
    "k_rotated": "batch, kv_heads, seq_len, head_dim",
    "scores": "batch, heads, seq_len, seq_len",
    "weights": "batch, heads, seq_len, seq_len",
    "mixed": "batch, heads, seq_len, head_dim",
    "out": "batch, seq_len, dim",
}
"""Steps with a shape of their own, and the names of its axes."""
SHIFTS = range(SHIFT.minimum, SHIFT.maximum + 1)


def joined(heads: np.ndarray) -> np.ndarray:
    """(..., heads, tokens, head_dim) as (..., tokens, channels), the heads side by side."""
    side_by_side = np.moveaxis(heads, -3, -2)
    return side_by_side.reshape(*side_by_side.shape[:-2], -1)


def still(walk: Walkthrough, *, with_values: bool) -> pd.DataFrame:
    """x, q, k and v before any turn: a row for each step, token and channel. The values after it too if they stay."""
    parts = {"x": walk.x, "q": joined(walk.q), "k": joined(walk.k), "v": joined(walk.v)}
    if with_values:
        parts["v_turned"] = parts["v"]
    tables = [
        tidy("value", part.astype(np.float32), token=range(TOKENS), channel=range(part.shape[-1])).assign(step=name)
        for name, part in parts.items()
    ]
    return pd.concat(tables, ignore_index=True)


def _moving(across: str, **values: np.ndarray) -> pd.DataFrame:
    """A row for each shift, token and channel or key, a column for each array; float32, as four digits are read."""
    first, *others = ((name, array.astype(np.float32)) for name, array in values.items())
    axes = {"shift": SHIFTS, "token": range(TOKENS), across: range(first[1].shape[-1])}
    return tidy(*first, **axes).assign(**{name: array.ravel() for name, array in others})


def channels(walk: Walkthrough) -> pd.DataFrame:
    """What has as many channels as x: q, mixture and output."""
    return _moving("channel", q_turned=joined(walk.q_rotated), mixed=joined(walk.mixed), out=walk.out)


def shared_channels(walk: Walkthrough, *, with_values: bool) -> pd.DataFrame:
    """Keys, which may have fewer heads, and values where they turn."""
    values = {"v_turned": joined(walk.v_rotated)} if with_values else {}
    return _moving("channel", k_turned=joined(walk.k_rotated), **values)


def attended(walk: Walkthrough, head: int) -> pd.DataFrame:
    """Score and weight of each token and key in the head."""
    return _moving("key", score=walk.scores[:, head], weight=walk.weights[:, head])


def arrows(walk: Walkthrough, centres: np.ndarray, length: float) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Where each pair of q points from its centre on the board, before its turn, and after it.

    Args:
        walk: At every shift of ``SHIFTS``.
        centres: (pairs, 2), on the board.
        length: Of the longest arrow.
    """
    q, turned = (part.reshape(*part.shape[:-1], -1, 2) for part in (joined(walk.q), joined(walk.q_rotated)))
    scale = length / (float(np.hypot(q[..., 0], q[..., 1]).max()) or 1.0)
    axes = {"token": range(TOKENS), "pair": range(len(centres))}

    def table(part: np.ndarray, **more: range) -> pd.DataFrame:
        ends = (centres + part * (scale, -scale)).astype(np.float32)
        return tidy("x2", ends[..., 0], **more, **axes).assign(y2=ends[..., 1].ravel())

    return table(q), table(turned, shift=SHIFTS)
