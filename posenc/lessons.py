"""The tables of the lesson that this project grew from, recomputed: numbers only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc._arrays import integer_array
from posenc.attention import attention_weights
from posenc.rotary import rotate
from posenc.scores import additive_score, score
from posenc.shift import pair_channels
from posenc.sinusoidal import dot_products, sinusoidal

QUERY_KEY_POSITIONS = ((5, 2), (10, 7), (100, 97), (5, 5), (50, 50), (2, 5), (60, 63))
"""The lesson's seven (m, n): m - n is 3, 3, 3, 0, 0, -3, -3."""
DISTANCES = (0, 1, 2, 4, 8, 16, 32, 64)
STARTS = (0, 20, 100)
DIGIT_POSITIONS = (0, 1, 2, 3, 10, 50)
DIGIT_COLUMNS = (0, 1, 2, 3, 14, 15)
LENGTH_POSITIONS = (0, 1, 10, 100, 1000)
ATTENTION_SEED = 42
ATTENTION_SHAPE = (4, 8)


def query_and_key(head_dim: int = 8) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lesson's q and k: the first two draws of standard normals from numpy.random.default_rng(0).

    Args:
        head_dim: Width; positive. The lesson's is 8.

    Returns:
        (q, k), (head_dim,) float64 each; new arrays at each call.

    Raises:
        ValueError: head_dim is not positive.
    """
    q, k = np.random.default_rng(0).standard_normal((2, check.integer("head_dim", head_dim, least=1)))
    return q, k


@dataclass(frozen=True, eq=False)
class RopeVsAdditive:
    """Scores of the same q and k at several positions.

    Attributes:
        m: (7,) int64, positions of q.
        n: (7,) int64, positions of k.
        rope: (7,) float64, rotated; a function of m - n.
        additive: (7,) float64, sinusoids added; not a function of m - n.
    """

    m: NDArray[np.int64]
    n: NDArray[np.int64]
    rope: NDArray[np.float64]
    additive: NDArray[np.float64]


def rope_vs_additive(*, base: float = 10_000.0, pairing: str = "half") -> RopeVsAdditive:
    """Rotation against addition for the lesson's q and k at its seven (m, n).

    Args:
        base: Above 1.
        pairing: The lesson's code pairs halves.

    Returns:
        A RopeVsAdditive of seven rows.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``score`` and ``additive_score``.
    """
    (q, k), (m, n) = query_and_key(), np.array(QUERY_KEY_POSITIONS, dtype=np.int64).T
    rope = score(q, k, m, n, base=base, pairing=pairing)
    return RopeVsAdditive(m, n, rope, additive_score(q, k, m, n, base=base))


def rotated_lengths(
    positions: Sequence[int] = LENGTH_POSITIONS, *, base: float = 10_000.0, pairing: str = "half"
) -> NDArray[np.float64]:
    """Length of the lesson's q rotated to each position.

    Args:
        positions: (n,) integers.
        base: Above 1.
        pairing: The lesson's code pairs halves.

    Returns:
        (n,) float64.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``rotate``.
    """
    rows = _row("positions", positions)
    turned = rotate(np.tile(query_and_key()[0], (rows.size, 1)), rows, base=base, pairing=pairing)
    return np.asarray(np.linalg.norm(turned, axis=-1))


def _row(name: str, value: Sequence[int]) -> NDArray[np.int64]:
    array = np.asarray(integer_array(name, value), dtype=np.int64)
    if array.ndim != 1:
        raise check.shape_refusal(name, "one-dimensional", array.shape)
    return array


def dots_by_distance(
    d_model: int = 64,
    *,
    distances: Sequence[int] = DISTANCES,
    starts: Sequence[int] = STARTS,
    base: float = 10_000.0,
) -> NDArray[np.float64]:
    """PE(p) . PE(p + k) multiplied out, a row for each distance k and a column for each start p.

    Args:
        d_model: Width; positive and even.
        distances: (rows,) integers k.
        starts: (columns,) integers p.
        base: Above 1.

    Returns:
        (rows, columns) float64; each row holds one number, up to rounding.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``dot_products``.
    """
    rows, columns = _row("distances", distances), _row("starts", starts)
    return np.asarray(dot_products(columns, rows[:, None], d_model, base=base))


def digit_columns(d_model: int = 16, *, layout: str = "interleaved") -> tuple[int, ...]:
    """The columns of a small table of digits: both channels of the two fastest pairs and of the slowest.

    Args:
        d_model: Width; positive and even. The lesson's is 16.
        layout: "interleaved" or "concatenated".

    Returns:
        Up to six channels, rising; the lesson's ``DIGIT_COLUMNS`` for its width.

    Raises:
        ValueError: an argument is outside its range.
    """
    members = pair_channels(d_model, layout=layout)
    return tuple(int(channel) for channel in np.unique(members[[0, min(1, len(members) - 1), -1]]))


def row_digits(
    d_model: int = 16,
    *,
    positions: Sequence[int] = DIGIT_POSITIONS,
    columns: Sequence[int] = DIGIT_COLUMNS,
    base: float = 10_000.0,
    layout: str = "interleaved",
) -> NDArray[np.float64]:
    """Chosen columns of chosen rows of the table.

    Args:
        d_model: Width; positive.
        positions: (rows,) integers.
        columns: (columns,) integers from 0 to d_model - 1.
        base: Above 1.
        layout: The lesson's is "interleaved".

    Returns:
        (rows, columns) float64.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``sinusoidal``.
    """
    table = sinusoidal(_row("positions", positions), d_model, base=base, layout=layout)
    chosen = _row("columns", columns)
    if np.any((chosen < 0) | (chosen >= d_model)):
        raise check.refusal("columns", f"integers from 0 to {d_model - 1}", columns)
    return np.asarray(table[:, chosen])


@dataclass(frozen=True, eq=False)
class AttentionLesson:
    """Attention of four random words on each other, before and after sinusoids are added to them.

    Attributes:
        embeddings: (4, 8) float32, the words.
        table: (4, 8) float64, encodings of the positions 0 to 3.
        weights_without: (4, 4) float32, of the words alone.
        weights_with: (4, 4) float64, of words plus encodings.
        distance: Frobenius distance between the two.
    """

    embeddings: NDArray[np.float32]
    table: NDArray[np.float64]
    weights_without: NDArray[np.float32]
    weights_with: NDArray[np.float64]
    distance: float


def attention_lesson(*, base: float = 10_000.0) -> AttentionLesson:
    """The lesson's attention, where q = k = the input: words drawn by numpy.random.RandomState(42), as float32.

    Args:
        base: Above 1.

    Returns:
        An AttentionLesson: row 0 goes from 0.8550 0.0226 0.0190 0.1034 to 0.9243 0.0054 0.0031 0.0672, distance
        0.3200. The lesson's text prints other numbers than its own code gives.

    Raises:
        ValueError: base is not above 1.

    Source:
        As ``attention_weights`` and ``sinusoidal``.
    """
    words = np.random.RandomState(ATTENTION_SEED).randn(*ATTENTION_SHAPE).astype(np.float32)
    table = np.asarray(sinusoidal(np.arange(ATTENTION_SHAPE[0]), ATTENTION_SHAPE[1], base=base))
    without, with_positions = attention_weights(words, words), attention_weights(words + table, words + table)
    return AttentionLesson(words, table, without, with_positions, float(np.linalg.norm(without - with_positions)))


def shifted_weights(
    shifts: Sequence[int], *, seq_len: int = 6, head_dim: int = 8, base: float = 10_000.0, seed: int = 0
) -> NDArray[np.float64]:
    """Attention weights with RoPE of the same random content, all positions moved by each shift in turn.

    Args:
        shifts: (shifts,) integers.
        seq_len: Queries and keys, 1 to 512.
        head_dim: Width; positive and even.
        base: Above 1.
        seed: Of the standard normal q and k; an integer of at least 0.

    Returns:
        (shifts, seq_len, seq_len) float64; all the same, up to rounding.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``rotate`` and ``attention_weights``.
    """
    rng = np.random.default_rng(check.integer("seed", seed, least=0))
    q, k = rng.standard_normal(
        (2, check.integer("seq_len", seq_len, least=1, most=512), check.even("head_dim", head_dim))
    )
    places = np.arange(seq_len) + _row("shifts", shifts)[:, None]  # (shifts, seq_len)
    turned = [rotate(np.broadcast_to(x, (*places.shape, head_dim)), places, base=base) for x in (q, k)]
    return np.asarray(attention_weights(*turned))
