"""How alike two encodings are, distance by distance, and where that stops falling."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc.sinusoidal import distance_kernel, first_negative, first_rise

LONGEST = 65_536


@dataclass(frozen=True, eq=False)
class DistanceProfile:
    """The dot product over a range of distances, as a share of its value at distance 0.

    Attributes:
        d_model: Width of the encodings.
        distances: (limit,) int64, 1 to limit.
        similarity: (limit,) float64: the dot product divided by d_model / 2. All encodings have length
            sqrt(d_model / 2), so it is their cosine similarity, -1 to 1.
        rise: Smallest distance up to limit whose product is above that of the one before, or None.
        negative: Smallest distance up to limit whose product is below 0, or None.
        limit: The largest distance looked at.
    """

    d_model: int
    distances: NDArray[np.int64]
    similarity: NDArray[np.float64]
    rise: int | None
    negative: int | None
    limit: int


def distance_profile(d_model: int, *, base: float = 10_000.0, limit: int = 4096) -> DistanceProfile:
    """Cosine similarity of two encodings at the distances 1 to limit, with its first rise and first negative value.

    Args:
        d_model: Width; positive and even.
        base: Above 1.
        limit: Largest distance, 1 to 65,536.

    Returns:
        A DistanceProfile.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``distance_kernel``, ``first_rise`` and ``first_negative``.
    """
    limit = check.integer("limit", limit, least=1, most=LONGEST)
    distances = np.arange(1, limit + 1)
    similarity = np.asarray(distance_kernel(distances, d_model, base=base) / (d_model / 2))
    rise, negative = (find(d_model, base=base, limit=limit) for find in (first_rise, first_negative))
    return DistanceProfile(int(d_model), distances, similarity, rise, negative, limit)
