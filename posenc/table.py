"""The sinusoidal table as it is read: one channel, one cell, a picture of any size, the hands and the nearest rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc._arrays import CHUNK, phases, real_array
from posenc.shift import pair_channels
from posenc.sinusoidal import inverse_frequencies, sinusoidal, wavelengths

LONGEST = 65_536


@dataclass(frozen=True, eq=False)
class Channels:
    """What each channel of the table is: a sine or a cosine of position times a frequency.

    Attributes:
        pair: (d_model,) int64, the pair i that the channel belongs to.
        is_cosine: (d_model,) bool, whether it is the pair's cosine.
        inv_freq: (d_model,) float64, radians per position.
        wavelength: (d_model,) float64, positions for one full turn.
    """

    pair: NDArray[np.int64]
    is_cosine: NDArray[np.bool_]
    inv_freq: NDArray[np.float64]
    wavelength: NDArray[np.float64]


def channels(d_model: int, *, base: float = 10_000.0, layout: str = "interleaved") -> Channels:
    """The channels of the table in the layout's order.

    Args:
        d_model: Width; positive and even.
        base: Above 1.
        layout: "interleaved" or "concatenated".

    Returns:
        A Channels, with PE(p, c) = sin(p inv_freq[c]), or cos where is_cosine[c].

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762, section 3.5.
    """
    members = pair_channels(d_model, layout=layout)  # (d_model / 2, 2)
    pair, is_cosine = np.empty(d_model, dtype=np.int64), np.zeros(d_model, dtype=np.bool_)
    pair[members] = np.arange(len(members))[:, None]
    is_cosine[members[:, 1]] = True
    inv_freq, wavelength = inverse_frequencies(d_model, base=base), wavelengths(d_model, base=base)
    return Channels(pair, is_cosine, inv_freq[pair], wavelength[pair])


def channel_values(
    positions: Any, dimension: int, d_model: int, *, base: float = 10_000.0, layout: str = "interleaved"
) -> NDArray[np.float64]:
    """One column of the table: the wave of a single channel. For one position, one cell.

    Args:
        positions: (...) integers or floats of any sign.
        dimension: The channel, 0 to d_model - 1.
        d_model: Width; positive and even.
        base: Above 1.
        layout: "interleaved" or "concatenated".

    Returns:
        (...) float64, PE(p, dimension).

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``channels``.
    """
    known = channels(d_model, base=base, layout=layout)
    column = check.integer("dimension", dimension, least=0, most=d_model - 1)
    angles = phases(np.asarray(real_array("positions", positions)), known.inv_freq[[column]])[..., 0]
    return np.asarray(np.cos(angles) if known.is_cosine[column] else np.sin(angles))


@dataclass(frozen=True, eq=False)
class DrawnTable:
    """A table brought down to a number of cells that a picture can show.

    Attributes:
        values: (rows, columns) float64, the mean of each block of positions in each channel kept.
        kept: (columns,) int64, the channels kept, rising.
        positions_per_row: How many consecutive positions a row is the mean of; 1 if nothing was left out.
        pair_step: Every how many pairs one was kept, both its channels; 1 if nothing was left out.
    """

    values: NDArray[np.float64]
    kept: NDArray[np.int64]
    positions_per_row: int
    pair_step: int


def drawn_table(
    n: int,
    d_model: int,
    *,
    base: float = 10_000.0,
    layout: str = "interleaved",
    rows: int = 512,
    columns: int = 512,
) -> DrawnTable:
    """The table of the positions 0 to n - 1, in at most ``rows`` times ``columns`` cells.

    Positions are averaged in blocks. Channels are never averaged, since a sine and a cosine, or two speeds, make no
    sense as one number: whole pairs are left out at even steps instead. The full table is never held at once.

    Args:
        n: Positions, 1 to 65,536.
        d_model: Width; positive and even.
        base: Above 1.
        layout: "interleaved" or "concatenated".
        rows: Most rows to draw, at least 1.
        columns: Most columns to draw, at least 2.

    Returns:
        A DrawnTable; the last row may be the mean of fewer positions.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``sinusoidal``.
    """
    n = check.integer("n", n, least=1, most=LONGEST)
    members = pair_channels(d_model, layout=layout)
    block = math.ceil(n / check.count("rows", rows))
    step = math.ceil(len(members) / (check.count("columns", columns, least=2) // 2))
    kept = np.sort(members[::step].ravel())
    at_once = max(1, CHUNK // d_model // block) * block  # whole blocks
    parts = []
    for start in range(0, n, at_once):
        positions = np.arange(start, min(n, start + at_once))
        table = sinusoidal(positions, d_model, base=base, layout=layout)[:, kept]
        starts = np.arange(0, len(positions), block)
        parts.append(np.add.reduceat(table, starts) / np.diff(starts, append=len(positions))[:, None])
    return DrawnTable(np.concatenate(parts), kept, block, step)


def spread_pairs(d_model: int, *, count: int = 5) -> NDArray[np.int64]:
    """A few pairs from the fastest to the slowest at even steps, both ends among them.

    Args:
        d_model: Width; positive and even.
        count: How many at most, at least 1; a small table has fewer.

    Returns:
        (at most count,) int64, rising from 0.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        A choice for pictures.
    """
    last = check.even("d_model", d_model) // 2 - 1
    return np.unique(np.rint(np.linspace(0, last, min(check.count("count", count), last + 1))).astype(np.int64))


@dataclass(frozen=True)
class NearestRows:
    """The two rows of a table that are most alike.

    Attributes:
        apart: How many positions lie between them, at least 1; the smallest if several are equally alike.
        distance: Euclidean distance of the two rows.
    """

    apart: int
    distance: float


def nearest_rows(n: int, d_model: int, *, base: float = 10_000.0) -> NearestRows:
    """How far apart in the table its two most alike rows stand, and how much they differ.

    The distance of two rows k apart is the same from every start, 2 sqrt(sum over i of sin^2(k w_i / 2)), so every k
    from 1 to n - 1 is tried once. In this form no digits cancel.

    Args:
        n: Positions, 2 to 65,536.
        d_model: Width; positive and even.
        base: Above 1.

    Returns:
        A NearestRows.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Follows from ``distance_kernel``: |PE(p) - PE(p + k)|^2 = d_model - 2 PE(p) . PE(p + k).
    """
    distances = np.arange(1, check.integer("n", n, least=2, most=LONGEST))
    half = inverse_frequencies(check.even("d_model", d_model), base=base) / 2
    at_once = max(1, CHUNK // half.size)
    squares = [
        np.sum(np.sin(phases(distances[start : start + at_once], half)) ** 2, axis=-1)
        for start in range(0, len(distances), at_once)
    ]
    lengths = 2 * np.sqrt(np.concatenate(squares))
    best = int(np.argmin(lengths))
    return NearestRows(best + 1, float(lengths[best]))
