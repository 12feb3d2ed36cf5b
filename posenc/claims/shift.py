"""Claims about the shift as a linear map."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc.claims import _bounds as bounds
from posenc.shift import best_linear_map, shift_matrix
from posenc.sinusoidal import sinusoidal


def shift_residual(k: float, n: int, d_model: int, base: float = 10_000.0, layout: str = "interleaved") -> float:
    """Largest entry of | M_k PE(p) - PE(p + k) | over the positions 0 to n - 1.

    Args:
        k: Positions to shift by, within 10 ** 9 of 0.
        n: Positions, 1 to 4,096.
        d_model: Width; even, 2 to 2,048.
        base: Above 1.
        layout: "interleaved" or "concatenated".

    Returns:
        The residual, at least 0: the matrix against encodings made at p + k.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``shift_matrix``.
    """
    matrix = _shift("k", k, d_model, base, layout)
    here = np.arange(check.integer("n", n, least=1, most=bounds.POSITIONS))
    start, target = (sinusoidal(p, d_model, base=base, layout=layout) for p in (here, here + k))
    return float(np.max(np.abs(start @ matrix.T - target)))


def _shift(name: str, k: float, d_model: int, base: float, layout: str) -> NDArray[np.float64]:
    if abs(check.real(name, k)) > bounds.SHIFT:
        raise check.refusal(name, f"a number from {-bounds.SHIFT} to {bounds.SHIFT}", k)
    width = check.even("d_model", d_model, most=bounds.WIDTH)
    return np.asarray(shift_matrix(k, width, base=base, layout=layout), dtype=np.float64)


def shift_composition_residual(
    a: float, b: float, d_model: int, base: float = 10_000.0, layout: str = "interleaved"
) -> float:
    """Largest entry of | M_a M_b - M_(a+b) |.

    Args:
        a: Positions to shift by, within 10 ** 9 of 0.
        b: Likewise.
        d_model: Width; even, 2 to 2,048.
        base: Above 1.
        layout: "interleaved" or "concatenated".

    Returns:
        The residual, at least 0.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``shift_matrix``.
    """
    first, second = _shift("a", a, d_model, base, layout), _shift("b", b, d_model, base, layout)
    return float(np.max(np.abs(first @ second - shift_matrix(a + b, d_model, base=base, layout=layout))))


def shift_inverse_residual(k: float, d_model: int, base: float = 10_000.0, layout: str = "interleaved") -> float:
    """Largest entry of | M_-k M_k - 1 | and | M_k^T M_k - 1 |: shifting back, and that its matrix is the transpose.

    Args:
        k: Positions to shift by, within 10 ** 9 of 0.
        d_model: Width; even, 2 to 2,048.
        base: Above 1.
        layout: "interleaved" or "concatenated".

    Returns:
        The residual, at least 0.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``shift_matrix``.
    """
    there, back = _shift("k", k, d_model, base, layout), _shift("k", -check.real("k", k), d_model, base, layout)
    undone = np.stack([back @ there, there.T @ there])
    return float(np.max(np.abs(undone - np.eye(d_model))))


def map_residual(
    k: float, n: int, d_model: int, base: float = 10_000.0, features: str = "pair", layout: str = "interleaved"
) -> float:
    """Largest Euclidean error of the best linear map from features(p) to features(p + k), p from 0 to n - 1.

    Args:
        k: Positions to shift by; a finite number.
        n: Positions: at least two for each feature, at most 4,096.
        d_model: Width; even, 2 to 512.
        base: Above 1.
        features: "pair" (the claim holds), "sine" or "cosine" (it does not).
        layout: "interleaved" or "concatenated".

    Returns:
        The residual, at least 0.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``best_linear_map``.
    """
    positions = np.arange(check.integer("n", n, least=1, most=bounds.POSITIONS))
    width = check.even("d_model", d_model, most=bounds.LEAST_SQUARES_WIDTH)
    return float(np.max(best_linear_map(k, positions, width, base=base, features=features, layout=layout).residuals))
