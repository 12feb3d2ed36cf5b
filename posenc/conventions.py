"""Conventions side by side: one vector through a conversion, and one whose length a mix-up changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc._arrays import real_array, to_numpy
from posenc._rotation import PAIRINGS
from posenc.layouts import WIDEST, mixed_up
from posenc.rotary import pair_members, pairing_permutation, rotate
from posenc.sinusoidal import LAYOUTS, pair_angles, sinusoidal

ENCODINGS = ("rope", "sinusoid")
WAYS = ("right", "interleaved frequencies", "half frequencies")


@dataclass(frozen=True, eq=False)
class Conversion:
    """The same numbers in two orders of channels, each worked out by the rules of its own order.

    Attributes:
        order: (width,) int64, where each channel of the target comes from in the source.
        members: (width / 2, 2) int64, the two channels of each pair in the source.
        given: (width,) float64, what goes in, in the source's order: the vector to be rotated, or for sinusoids the
            angle of each channel's pair, in radians from 0 to a full turn.
        before: (width,) float64, the encoding worked out in the source's order.
        after: (width,) float64, that worked out in the target's order: ``before[order]``.
        products: (3,) float64, dot product of the encodings at two positions: both in the source's order, both
            converted, only the first converted.
    """

    order: NDArray[np.int64]
    members: NDArray[np.int64]
    given: NDArray[np.float64]
    before: NDArray[np.float64]
    after: NDArray[np.float64]
    products: NDArray[np.float64]


def conversion(
    width: int,
    *,
    source: str = "interleaved",
    target: str = "half",
    encoding: str = "rope",
    positions: tuple[float, float] = (3, 13),
    base: float = 10_000.0,
) -> Conversion:
    """One encoding in two orders of channels, and its dot product with another.

    For "rope" the vectors are q = 1, 2, ..., width at the first position and k = width, ..., 2, 1 at the second, in the
    source's order, and the target gets them permuted. For "sinusoid" they are the encodings of the two positions.

    Args:
        width: Channels; even, 2 to 512.
        source: "interleaved" has the two channels of a pair side by side, "half" has them half the width apart (for
            sinusoids: all sines, then all cosines).
        target: The order wanted.
        encoding: "rope" or "sinusoid".
        positions: Two numbers; ``before`` and ``after`` are at the first.
        base: Above 1.

    Returns:
        A Conversion. For width 8 at position 3 with "rope" ``before`` starts -1.272, -1.839, 1.684, 4.708.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``pairing_permutation`` and ``layout_permutation``.
    """
    width = check.even("width", width, most=WIDEST)
    order = pairing_permutation(width, source=source, target=target)
    at = real_array("positions", positions)
    if tuple(at.shape) != (2,):
        raise check.shape_refusal("positions", "two numbers", at.shape)
    at = to_numpy(at).astype(np.float64)
    if check.choice("encoding", encoding, ENCODINGS) == "rope":
        up = np.arange(1.0, width + 1)
        given = np.stack([up, up[::-1]])
        before = rotate(given, at, base=base, pairing=source)
        after = rotate(given[:, order], at, base=base, pairing=target)
    else:
        layout = dict(zip(PAIRINGS, LAYOUTS, strict=True))
        before, after = (sinusoidal(at, width, base=base, layout=layout[name]) for name in (source, target))
        given = _angles(at, width, base, source)
    products = before[0] @ before[1], after[0] @ after[1], after[0] @ before[1]
    members = pair_members(width, pairing=source)
    return Conversion(order, members, given[0], before[0], after[0], np.array(products))


def _angles(at: NDArray[np.float64], width: int, base: float, source: str) -> NDArray[np.float64]:
    """(positions, width): the angle of each channel's pair."""
    out = np.empty((len(at), width))
    out[:, pair_members(width, pairing=source)] = pair_angles(at, width, base=base)[:, :, None]
    return out


def squared_lengths(x: Any, positions: Any, *, base: float = 10_000.0) -> NDArray[np.float64]:
    """Squared length of x after turning it right, and after both ways of ``mixed_up``.

    Args:
        x: (head_dim,) numbers; head_dim positive and even.
        positions: (n,) integers or floats.
        base: Above 1.

    Returns:
        (3, n) float64 in the order of ``WAYS``; [1, 2, 3, 4] at position 1: 30, 34.377, 24.630.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``mixed_up``.
    """
    vector, at = real_array("x", x), real_array("positions", positions)
    if vector.ndim != 1:
        raise check.shape_refusal("x", "one-dimensional", vector.shape)
    if at.ndim != 1:
        raise check.shape_refusal("positions", "one-dimensional", at.shape)
    rows = np.tile(to_numpy(vector), (at.shape[0], 1))  # (n, head_dim)
    turned = (
        rotate(rows, at, base=base),
        *(mixed_up(rows, at, base=base, frequencies=laid_out) for laid_out in PAIRINGS),
    )
    return np.stack([np.sum(np.square(to_numpy(way)), axis=-1) for way in turned])
