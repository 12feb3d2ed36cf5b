"""Score against distance: what rotation does to equal, random and chosen queries and keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc._arrays import CHUNK, Array, cast, float64, in_one_namespace, outcome_dtype, phases, real_array, to_numpy
from posenc._rotation import members, plan
from posenc.rotary import pair_members, rotate
from posenc.scores import queries_and_keys, rest_score

CONTENTS = ("independent", "equal")
BATCH = 256
"""Draws held at once; the same draws come out whatever their number."""


def score_curve(
    q: Any,
    k: Any,
    distances: Any,
    *,
    base: float = 10_000.0,
    inv_freq: Any = None,
    pairing: str = "interleaved",
    rotary_dim: int | None = None,
) -> Array:
    """Rotated score of q and k with the key so many tokens before the query.

    Each pair contributes a cos(k w) + b sin(k w) at distance k, with a = q1 k1 + q2 k2 and b = q1 k2 - q2 k1: no vector
    is turned here, which makes it the second route to ``score``.

    Args:
        q: (..., head_dim) queries; head_dim positive and even.
        k: (..., head_dim) keys; the leading axes broadcast. q itself shows the curve of equal content.
        distances: (n,) query position minus key position, any sign: minus ``relative_position``.
        base: As in ``rotate``, like the other keywords.
        inv_freq: As in ``rotate``.
        pairing: As in ``rotate``.
        rotary_dim: As in ``rotate``.

    Returns:
        (..., n), not scaled by 1 / sqrt(head_dim), in the floating dtype that q and k promote to.

    Raises:
        ValueError: an argument is outside its range or does not broadcast.

    Source:
        Su et al. 2021, arXiv:2104.09864, equation 12 with the real part multiplied out.
    """
    (q, k), distances = queries_and_keys(q, k), _row("distances", distances)
    inv_freq, rotary_dim = plan(q.shape[-1], base, inv_freq, pairing, rotary_dim)
    xp, (q, k, distances, inv_freq) = in_one_namespace(q, k, distances, inv_freq)
    along, across = _amplitudes(q[..., :rotary_dim], k[..., :rotary_dim], pairing)
    angles = phases(distances, inv_freq).T  # (rotary_dim / 2, n)
    rest = rest_score(float64(q), float64(k), rotary_dim=rotary_dim)
    return cast(along @ xp.cos(angles) + across @ xp.sin(angles) + rest[..., None], outcome_dtype(q, k))


def _row(name: str, value: Any) -> Array:
    array = real_array(name, value)
    if array.ndim != 1:
        raise check.shape_refusal(name, "one-dimensional", array.shape)
    return array


def _amplitudes(q: Array, k: Array, pairing: str) -> tuple[Array, Array]:
    """Weights of cos and sin in each pair's contribution, float64, (..., pairs) each."""
    (q_first, q_second), (k_first, k_second) = members(q, pairing), members(k, pairing)
    return q_first * k_first + q_second * k_second, q_first * k_second - q_second * k_first


def peaked_pair(
    distance: float, head_dim: int, *, base: float = 10_000.0, pairing: str = "interleaved"
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A query and a key whose rotated score is largest with the key exactly ``distance`` tokens before the query.

    k is all ones, and q is k rotated to -distance, so that at the asked distance every pair points the same way: the
    score there is head_dim, and smaller at every other whole number of tokens.

    Args:
        distance: Query position minus key position, any sign; a finite number.
        head_dim: Width; positive and even.
        base: Above 1.
        pairing: As in ``rotate``.

    Returns:
        (q, k), (head_dim,) float64 each, of norm sqrt(head_dim).

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Barbero et al. 2024, arXiv:2410.06205: a head can be made to attend to any distance.
    """
    k = np.ones(check.even("head_dim", head_dim))
    return rotate(k, -check.real("distance", distance), base=base, pairing=pairing), k


@dataclass(frozen=True, eq=False)
class ScoreSpread:
    """Scores of many random pairs at each distance.

    Attributes:
        distances: (n,) float64, query position minus key position.
        mean: (n,) float64, over the draws.
        std: (n,) float64, over the draws (divided by their number).
    """

    distances: NDArray[np.float64]
    mean: NDArray[np.float64]
    std: NDArray[np.float64]


def random_score_spread(
    distances: Any,
    head_dim: int,
    *,
    draws: int = 1_000,
    content: str = "independent",
    seed: int = 0,
    base: float = 10_000.0,
    pairing: str = "interleaved",
    rotary_dim: int | None = None,
) -> ScoreSpread:
    """Mean and standard deviation of the rotated score over standard normal queries and keys.

    For independent q and k the expected score is 0 at every distance; for q = k it is head_dim - rotary_dim plus twice
    the sum of the cosines.

    Args:
        distances: (n,) query position minus key position.
        head_dim: Width; positive and even.
        draws: Number of pairs, 1 to 100,000.
        content: "independent", or "equal" for k = q.
        seed: Of numpy.random.default_rng; an integer of at least 0.
        base: Above 1.
        pairing: As in ``rotate``.
        rotary_dim: As in ``rotate``.

    Returns:
        A ScoreSpread; the same seed gives the same numbers.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Barbero et al. 2024, arXiv:2410.06205.
    """
    distances = to_numpy(float64(_row("distances", distances)))
    draws, seed = check.integer("draws", draws, least=1, most=100_000), check.count("seed", seed, least=0)
    is_equal = check.choice("content", content, CONTENTS) == "equal"
    pair_members(head_dim, pairing=pairing, rotary_dim=rotary_dim)
    size = max(1, CHUNK // BATCH)
    pieces = [distances[start : start + size] for start in range(0, max(1, distances.size), size)]
    rotation = {"base": base, "pairing": pairing, "rotary_dim": rotary_dim}
    moments = [_moments(piece, head_dim, draws, is_equal, seed, **rotation) for piece in pieces]
    mean, square = np.concatenate(moments, axis=-1) / draws
    return ScoreSpread(distances, mean, np.sqrt(np.maximum(square - mean**2, 0.0)))


def _moments(
    distances: NDArray[np.float64], head_dim: int, draws: int, is_equal: bool, seed: int, **rotation: Any
) -> NDArray[np.float64]:
    """(2, n): sums of the scores and of their squares over all draws, a batch of draws at a time."""
    rng = np.random.default_rng(seed)
    sums = np.zeros((2, distances.size))
    for start in range(0, draws, BATCH):
        pairs = rng.standard_normal((min(BATCH, draws - start), 2, head_dim))
        q, k = pairs[:, 0], pairs[:, 0 if is_equal else 1]
        curves = score_curve(q, k, distances, **rotation)  # (draws in the batch, n)
        sums += np.stack([curves.sum(axis=0), (curves**2).sum(axis=0)])
    return sums
