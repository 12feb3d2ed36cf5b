"""Claims about rotation and the scores it gives."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc.claims import _bounds as bounds
from posenc.curves import peaked_pair, score_curve
from posenc.rotary import rotate
from posenc.scores import pair_scores, rest_score, score
from posenc.sinusoidal import sinusoidal

FAR = (0, 1, 10, 100, 1000)


def relative_residual(
    seq_len: int,
    shift: int,
    head_dim: int,
    base: float = 10_000.0,
    pairing: str = "interleaved",
    rotary_dim: int | None = None,
    seed: int = 0,
) -> float:
    """Largest | score(m, n) - score(m + shift, n + shift) | over all m and n below seq_len, for one random q and k.

    Args:
        seq_len: Positions, 1 to 2,048.
        shift: Common shift, within 10 ** 9 of 0.
        head_dim: Width; even, 2 to 2,048.
        base: Above 1.
        pairing: As in ``rotate``.
        rotary_dim: As in ``rotate``.
        seed: Of the standard normal q and k; an integer of at least 0.

    Returns:
        The residual, at least 0: every vector is rotated to its own position, and m - n is nowhere used.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Su et al. 2021, arXiv:2104.09864, equation 16.
    """
    here = np.arange(check.integer("seq_len", seq_len, least=1, most=bounds.SQUARED))
    there = here + check.integer("shift", shift, least=-bounds.SHIFT, most=bounds.SHIFT)
    repeated = np.repeat(_draws(head_dim, seed)[:, None], here.size, axis=1)  # (2, seq_len, head_dim)
    (q, k), (q_moved, k_moved) = (
        rotate(repeated, positions, base=base, pairing=pairing, rotary_dim=rotary_dim) for positions in (here, there)
    )
    return float(np.max(np.abs(q @ k.T - q_moved @ k_moved.T)))


def _draws(head_dim: int, seed: int) -> NDArray[np.float64]:
    """(2, head_dim) standard normal q and k."""
    rng = np.random.default_rng(check.count("seed", seed, least=0))
    return rng.standard_normal((2, check.even("head_dim", head_dim, most=bounds.WIDTH)))


def rotation_norm_residual(
    head_dim: int,
    base: float = 10_000.0,
    pairing: str = "interleaved",
    rotary_dim: int | None = None,
    seed: int = 0,
) -> float:
    """Largest change that rotation makes to the length of one random vector, at positions 0, 1, 10, 100 and 1000.

    Args:
        head_dim: Width; even, 2 to 2,048.
        base: Above 1.
        pairing: As in ``rotate``.
        rotary_dim: As in ``rotate``.
        seed: Of the standard normal vector; an integer of at least 0.

    Returns:
        The residual, at least 0.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Su et al. 2021, arXiv:2104.09864, section 3.2.2 (the rotation matrix is orthogonal).
    """
    x = _draws(head_dim, seed)[0]
    turned = rotate(np.tile(x, (len(FAR), 1)), FAR, base=base, pairing=pairing, rotary_dim=rotary_dim)
    return float(np.max(np.abs(np.linalg.norm(turned, axis=-1) - np.linalg.norm(x))))


def pair_sum_residual(
    m: int,
    n: int,
    head_dim: int,
    base: float = 10_000.0,
    pairing: str = "interleaved",
    rotary_dim: int | None = None,
    seed: int = 0,
) -> float:
    """| contributions of the pairs + rest - rotated q . rotated k | for one random q at m and k at n.

    Args:
        m: Position of the query, within 10 ** 9 of 0.
        n: Position of the key, likewise.
        head_dim: Width; even, 2 to 2,048.
        base: Above 1.
        pairing: As in ``rotate``.
        rotary_dim: As in ``rotate``.
        seed: Of the standard normal q and k; an integer of at least 0.

    Returns:
        The residual, at least 0: pair by pair against the whole vectors multiplied out.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``pair_scores``.
    """
    at_m, at_n = (check.integer(*p, least=-bounds.SHIFT, most=bounds.SHIFT) for p in (("m", m), ("n", n)))
    q, k = _draws(head_dim, seed)
    pairs = pair_scores(q, k, at_m, at_n, base=base, pairing=pairing, rotary_dim=rotary_dim)
    q_turned = rotate(q, at_m, base=base, pairing=pairing, rotary_dim=rotary_dim)
    k_turned = rotate(k, at_n, base=base, pairing=pairing, rotary_dim=rotary_dim)
    return abs(float(pairs.sum() + rest_score(q, k, rotary_dim=rotary_dim) - q_turned @ k_turned))


def curve_residual(
    n: int,
    head_dim: int,
    base: float = 10_000.0,
    pairing: str = "interleaved",
    rotary_dim: int | None = None,
    seed: int = 0,
) -> float:
    """Largest | curve(distance) - score(distance, 0) | over the distances 0 to n - 1, for one random q and k.

    Args:
        n: Distances, 1 to 4,096.
        head_dim: Width; even, 2 to 2,048.
        base: Above 1.
        pairing: As in ``rotate``.
        rotary_dim: As in ``rotate``.
        seed: Of the standard normal q and k; an integer of at least 0.

    Returns:
        The residual, at least 0: amplitudes and cosines against rotated vectors.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``score_curve``.
    """
    distances = np.arange(check.integer("n", n, least=1, most=bounds.POSITIONS))
    q, k = _draws(head_dim, seed)
    curve = score_curve(q, k, distances, base=base, pairing=pairing, rotary_dim=rotary_dim)
    direct = score(q, k, distances, 0, base=base, pairing=pairing, rotary_dim=rotary_dim)
    return float(np.max(np.abs(curve - direct)))


def peak_margin(distance: int, n: int, head_dim: int, base: float = 10_000.0, pairing: str = "interleaved") -> float:
    """By how much the peaked pair's score at the asked distance exceeds every other of the distances 0 to n - 1.

    Args:
        distance: Where the peak is asked for, 0 to n - 1.
        n: Distances, 2 to 4,096.
        head_dim: Width; even, 2 to 2,048.
        base: Above 1.
        pairing: As in ``rotate``.

    Returns:
        The margin; the claim holds where it is above 0.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``peaked_pair``.
    """
    count = check.integer("n", n, least=2, most=bounds.POSITIONS)
    at = check.integer("distance", distance, least=0, most=count - 1)
    q, k = peaked_pair(at, check.even("head_dim", head_dim, most=bounds.WIDTH), base=base, pairing=pairing)
    scores = score(q, k, np.arange(count), 0, base=base, pairing=pairing)
    return float(scores[at] - np.max(np.delete(scores, at)))


def additive_drift(seq_len: int, shift: int, d_model: int, base: float = 10_000.0, seed: int = 0) -> float:
    """How far scores with added sinusoids move under a common shift: what ``relative_residual`` is for rotation.

    Args:
        seq_len: Positions, 1 to 2,048.
        shift: Common shift, within 10 ** 9 of 0.
        d_model: Width; even, 2 to 2,048.
        base: Above 1.
        seed: Of the standard normal q and k; an integer of at least 0.

    Returns:
        Largest | s(m, n) - s(m + shift, n + shift) | over all m and n below seq_len; not small, as the claim fails.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``additive_score``.
    """
    here = np.arange(check.integer("seq_len", seq_len, least=1, most=bounds.SQUARED))
    there = here + check.integer("shift", shift, least=-bounds.SHIFT, most=bounds.SHIFT)
    width = check.even("d_model", d_model, most=bounds.WIDTH)
    q, k = _draws(width, seed)
    before, after = ((q + table) @ (k + table).T for table in (sinusoidal(p, width, base=base) for p in (here, there)))
    return float(np.max(np.abs(before - after)))
