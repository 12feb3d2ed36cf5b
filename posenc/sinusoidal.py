"""Sinusoidal encodings: each pair of channels is a hand of a clock, and every hand turns at its own speed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc._arrays import (
    CHUNK,
    Array,
    cast,
    common_shape,
    in_one_namespace,
    namespace,
    outcome_dtype,
    phases,
    real_array,
)
from posenc._turns import clock_hands

LAYOUTS = ("interleaved", "concatenated")
SPECTRA = ("paper", "tensor2tensor")
LONGEST_SEARCH = 10**7


def inverse_frequencies(dim: int, *, base: float = 10_000.0, spectrum: str = "paper") -> NDArray[np.float64]:
    """Angular frequency of each pair, base ** (-2 i / dim).

    Args:
        dim: Width to be paired up; positive and even.
        base: Sets the slowest turn; above 1. Configs call it ``rope_theta``.
        spectrum: "paper", or "tensor2tensor": base ** (-i / (dim / 2 - 1)), which reaches 1 / base exactly.

    Returns:
        (dim / 2,) float64, radians per position, falling from 1.

    Raises:
        ValueError: dim is not positive and even, base is not above 1, or the spectrum is unknown.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762, section 3.5; Su et al. 2021, arXiv:2104.09864, section 3.2.2;
        tensorflow/tensor2tensor: tensor2tensor/layers/common_attention.py.
    """
    return _spectrum(check.even("dim", dim), base, spectrum)


def _spectrum(width: int, base: float, spectrum: str) -> NDArray[np.float64]:
    """(ceil(width / 2),) frequencies of a checked width, which may be odd in the paper's spectrum."""
    base = check.base(base)
    steps = np.arange((width + 1) // 2, dtype=np.float64)
    if check.choice("spectrum", spectrum, SPECTRA) == "paper":
        return np.asarray(base ** (-2.0 * steps / width))
    return np.asarray(base ** (-steps / max(width // 2 - 1, 1)))


def wavelengths(dim: int, *, base: float = 10_000.0, spectrum: str = "paper") -> NDArray[np.float64]:
    """Positions that each pair takes for one full turn, 2 pi base ** (2 i / dim).

    Args:
        dim: Width to be paired up; positive and even.
        base: Above 1.
        spectrum: As in ``inverse_frequencies``.

    Returns:
        (dim / 2,) float64, positions per turn, rising from 2 pi.

    Raises:
        ValueError: as ``inverse_frequencies``.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762, section 3.5. The paper's "from 2 pi to 10000 * 2 pi" names an end that
        its own formula does not reach: the slowest pair takes 2 pi base ** ((dim - 2) / dim).
    """
    return np.asarray(2.0 * math.pi / inverse_frequencies(dim, base=base, spectrum=spectrum))


def sinusoidal(
    positions: Any,
    d_model: int,
    *,
    base: float = 10_000.0,
    layout: str = "interleaved",
    spectrum: str = "paper",
) -> Array:
    """Encodings of the positions: PE(p, 2i) = sin(p w_i), PE(p, 2i + 1) = cos(p w_i).

    Args:
        positions: (...) integers or floats of any sign; a number, nested list, array or tensor.
        d_model: Width; positive. An odd one leaves the slowest sine without its cosine, which only the
            interleaved layout in the paper's spectrum has a definition for.
        base: Above 1.
        layout: "interleaved" (sin, cos, sin, cos, ...) or "concatenated" (all sines, then all cosines).
        spectrum: As in ``inverse_frequencies``.

    Returns:
        (..., d_model), of the positions' kind of array and floating dtype (float64 for integers and plain numbers).
        Right to (2 + |p|) 2.3e-16 before it is cast, p being the farthest of the positions: what rounding the angles
        costs, 1e-12 at 4,096. In a large NumPy array of whole positions in equal steps, angles are added from two short
        tables, as the shift matrix adds them; everywhere else each entry is a sine or cosine of its own.

    Raises:
        ValueError: an argument is outside its range, or d_model is odd where halves are needed.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762, section 3.5.
    """
    positions = real_array("positions", positions)
    inv_freq = _spectrum(_table_width(d_model, layout, spectrum), base, spectrum)
    table = clock_hands(positions, inv_freq, interleaved=layout == "interleaved")  # d_model wide, or one more
    return cast(table[..., :d_model], outcome_dtype(positions))


def _table_width(d_model: int, layout: str, spectrum: str) -> int:
    check.choice("layout", layout, LAYOUTS)
    check.choice("spectrum", spectrum, SPECTRA)
    if layout == "interleaved" and spectrum == "paper":
        return check.integer("d_model", d_model, least=1, most=check.WIDEST)
    return check.even("d_model", d_model)


def pair_angles(positions: Any, d_model: int, *, base: float = 10_000.0) -> Array:
    """Where each pair's hand stands, p w_i modulo a full turn.

    Args:
        positions: (...) integers or floats of any sign.
        d_model: Width; positive and even.
        base: Above 1.

    Returns:
        (..., d_model / 2), radians in [0, 2 pi), of the positions' kind of array and floating dtype.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762, section 3.5.
    """
    positions = real_array("positions", positions)
    turn = 2.0 * math.pi
    angles = phases(positions, _spectrum(check.even("d_model", d_model), base, "paper")) % turn
    xp = namespace(angles)
    angles = xp.where(angles < turn, angles, xp.zeros_like(angles))  # a tiny negative angle rounds to a full turn
    return cast(angles, outcome_dtype(positions))


def distance_kernel(distances: Any, d_model: int, *, base: float = 10_000.0, spectrum: str = "paper") -> Array:
    """Dot product of two encodings that lie k apart, the sum over i of cos(k w_i).

    Args:
        distances: (...) integers or floats k; the sign does not matter.
        d_model: Width; positive and even.
        base: Above 1.
        spectrum: As in ``inverse_frequencies``.

    Returns:
        (...), d_model / 2 at distance 0, of the distances' kind of array and floating dtype.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Follows from Vaswani et al. 2017, arXiv:1706.03762, section 3.5, with cos a cos b + sin a sin b = cos(a - b).
    """
    distances = real_array("distances", distances)
    xp, (flat,) = in_one_namespace(distances.reshape((-1,)))
    inv_freq = _spectrum(check.even("d_model", d_model), base, spectrum)
    size = max(1, CHUNK // inv_freq.size)
    starts = range(0, max(1, flat.shape[0]), size)
    sums = [xp.sum(xp.cos(phases(flat[start : start + size], inv_freq)), axis=-1) for start in starts]
    return cast(xp.reshape(xp.concat(sums), distances.shape), outcome_dtype(distances))


def dot_products(starts: Any, distances: Any, d_model: int, *, base: float = 10_000.0) -> Array:
    """PE(p) . PE(p + k) multiplied out, the second route to ``distance_kernel``.

    Args:
        starts: (...) positions p.
        distances: (...) distances k; broadcast against starts.
        d_model: Width; positive and even.
        base: Above 1.

    Returns:
        (...) float64: one product for each start and distance.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762, section 3.5.
    """
    d_model = check.even("d_model", d_model)
    starts, distances = real_array("starts", starts), real_array("distances", distances)
    common_shape(starts=starts, distances=distances)
    xp, (starts, distances) = in_one_namespace(starts, distances)
    starts, distances = cast(starts, xp.float64), cast(distances, xp.float64)
    return xp.sum(sinusoidal(starts, d_model, base=base) * sinusoidal(starts + distances, d_model, base=base), axis=-1)


def product_matrix(positions: Any, d_model: int, *, base: float = 10_000.0) -> Array:
    """All dot products PE(p_a) . PE(p_b).

    Args:
        positions: (n,) integers or floats.
        d_model: Width; positive and even.
        base: Above 1.

    Returns:
        (n, n), symmetric, of the positions' kind of array and floating dtype.

    Raises:
        ValueError: an argument is outside its range, or positions is not one-dimensional.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762, section 3.5.
    """
    positions = real_array("positions", positions)
    if positions.ndim != 1:
        raise check.shape_refusal("positions", "one-dimensional", positions.shape)
    exact = cast(positions, namespace(positions).float64)
    table = sinusoidal(exact, check.even("d_model", d_model), base=base)  # (n, d_model)
    return cast(table @ table.T, outcome_dtype(positions))


def first_rise(d_model: int, *, base: float = 10_000.0, limit: int = 100_000) -> int | None:
    """Smallest k whose dot product is above that of k - 1: the far end of the first step upwards.

    Args:
        d_model: Width; positive and even.
        base: Above 1.
        limit: Largest k looked at, 1 to 10,000,000.

    Returns:
        k (6 for d_model 64: the product rises from 5 to 6), or None if nothing rises up to the limit.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Computed from ``distance_kernel``; shows that the product does not fall monotonically.
    """
    for start, kernel in _kernel_chunks(d_model, base, limit):
        rises = np.flatnonzero(np.diff(kernel) > 0)
        if rises.size:
            return start + int(rises[0]) + 1
    return None


def first_negative(d_model: int, *, base: float = 10_000.0, limit: int = 100_000) -> int | None:
    """Smallest k whose dot product is below 0.

    Args:
        d_model: Width; positive and even.
        base: Above 1.
        limit: Largest k looked at, 1 to 10,000,000.

    Returns:
        k, or None if the product stays at or above 0 up to the limit.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Computed from ``distance_kernel``.
    """
    for start, kernel in _kernel_chunks(d_model, base, limit):
        below = np.flatnonzero(kernel < 0)
        if below.size:
            return start + int(below[0])
    return None


def _kernel_chunks(d_model: int, base: float, limit: int) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """The kernel at 0..limit in growing pieces, each beginning with the last value of the one before."""
    limit = check.integer("limit", limit, least=1, most=LONGEST_SEARCH)
    d_model = check.even("d_model", d_model)
    start, size = 0, 64
    while start < limit:
        end = min(limit, start + size)
        yield start, distance_kernel(np.arange(start, end + 1), d_model, base=base)
        start, size = end, min(2 * size, 2**16)
