"""Sine and cosine of position x frequency, kept together as one complex number for each position and pair."""

from __future__ import annotations

import math

import numpy as np
from array_api_compat import is_numpy_array
from numpy.typing import NDArray

from posenc._arrays import Array, channels_of, complex_of, complex_view, namespace, phases, put_channels

LEAST_FOR_BLOCKS = 2**16
"""Numbers from which a table is worth a second route: 1,024 positions of 128 channels."""
LARGEST_WHOLE = 2.0**53
"""Up to here float64 holds every whole number."""


def turns(positions: Array, inv_freq: Array) -> Array:
    """cos(p w) + i sin(p w): multiplying a pair by it turns the pair as far as position p asks.

    Args:
        positions: (...) integers or floats.
        inv_freq: (pairs,) radians per position.

    Returns:
        (..., pairs) complex128.
    """
    blocks = _blocks(positions, inv_freq)
    if blocks is None:
        return _turn(phases(positions, inv_freq))
    return _every_sum(*(_short_turns(part, inv_freq) for part in blocks))[: positions.size]


def clock_hands(positions: Array, inv_freq: Array, *, interleaved: bool) -> Array:
    """sin(p w) and cos(p w): a hand that points up at position 0 and turns clockwise, the encoding of one pair.

    Args:
        positions: (...) integers or floats.
        inv_freq: (pairs,) radians per position.
        interleaved: Whether sine and cosine of a pair are neighbours; else all sines come first.

    Returns:
        (..., 2 pairs) float64.
    """
    blocks = _blocks(positions, inv_freq)
    if blocks is None:
        return channels_of(_hand(phases(positions, inv_freq)), interleaved=interleaved)
    starts, back = (_short_turns(-part, inv_freq) for part in blocks)
    size = len(back)
    table = np.empty((positions.size, 2 * inv_freq.size))
    for row, start in zip(range(0, positions.size, size), 1j * starts, strict=True):
        rows = table[row : row + size]
        if interleaved:
            np.multiply(start, back[: len(rows)], out=complex_view(rows))  # angles added by multiplying
        else:
            put_channels(rows, start * back[: len(rows)], interleaved=False)
    return table


def _turn(angles: Array) -> Array:
    xp = namespace(angles)
    return complex_of(xp.cos(angles), xp.sin(angles))


def _hand(angles: Array) -> Array:
    xp = namespace(angles)
    return complex_of(xp.sin(angles), xp.cos(angles))


def _blocks(positions: Array, inv_freq: Array) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Starts and offsets whose sums are the positions in their order, and a few more; None where that does not pay.

    Only for NumPy arrays: torch computes sines several times faster, and may want gradients. All numbers are whole, so
    that no sum is rounded.
    """
    if not is_numpy_array(positions) or positions.ndim != 1 or positions.size * inv_freq.size < LEAST_FOR_BLOCKS:
        return None
    at, count = positions.astype(np.float64), positions.size
    if count < 4 or max(abs(at[0]), abs(at[1]), abs(at[-1])) > LARGEST_WHOLE:
        return None
    run = at[0] + (at[1] - at[0]) * np.arange(count)
    if at[0] % 1 or at[1] % 1 or not np.array_equal(at, run):
        return None
    return _split(run)


def _split(run: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    size = math.isqrt(run.size)
    return run[::size], run[:size] - run[0]


def _short_turns(run: NDArray[np.float64], inv_freq: Array) -> NDArray[np.complex128]:
    """``turns`` of a short run, split once more: sines are what takes time."""
    return _every_sum(*(_turn(phases(part, inv_freq)) for part in _split(run)))[: run.size]


def _every_sum(starts: NDArray[np.complex128], offsets: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """Angles added by multiplying: (blocks, pairs) and (size, pairs) to (blocks * size, pairs)."""
    return (starts[:, None] * offsets).reshape((-1, offsets.shape[-1]))
