"""Claims about the sinusoidal table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc.claims import _bounds as bounds
from posenc.sinusoidal import distance_kernel, product_matrix, sinusoidal

ROWS_AT_ONCE = 256


def norm_residual(n: int, d_model: int, base: float = 10_000.0) -> float:
    """Largest | ||PE(p)|| - sqrt(d_model / 2) | over the positions 0 to n - 1.

    Args:
        n: Positions, 1 to 4,096.
        d_model: Width; even, 2 to 2,048.
        base: Above 1.

    Returns:
        The residual, at least 0.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Follows from Vaswani et al. 2017, arXiv:1706.03762, section 3.5, with sin^2 + cos^2 = 1.
    """
    norms = (np.linalg.norm(rows, axis=-1) for rows in _blocks(n, d_model, base))
    return max(float(np.max(np.abs(block - np.sqrt(d_model / 2)))) for block in norms)


def circle_residual(n: int, d_model: int, base: float = 10_000.0) -> float:
    """Largest | PE(p, 2i)^2 + PE(p, 2i + 1)^2 - 1 | over all pairs of the positions 0 to n - 1.

    Args:
        n: Positions, 1 to 4,096.
        d_model: Width; even, 2 to 2,048.
        base: Above 1.

    Returns:
        The residual, at least 0: each pair is a point on the unit circle, the tip of a hand.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``norm_residual``.
    """
    squares = (rows[:, 0::2] ** 2 + rows[:, 1::2] ** 2 for rows in _blocks(n, d_model, base))
    return max(float(np.max(np.abs(block - 1))) for block in squares)


def _blocks(n: int, d_model: int, base: float) -> Iterator[NDArray[np.float64]]:
    """The rows of ``_table``, some at a time."""
    check.integer("n", n, least=1, most=bounds.POSITIONS)
    check.even("d_model", d_model, most=bounds.WIDTH)
    for start in range(0, n, ROWS_AT_ONCE):
        yield np.asarray(sinusoidal(np.arange(start, min(n, start + ROWS_AT_ONCE)), d_model, base=base))


def _table(n: int, d_model: int, base: float, most: int) -> NDArray[np.float64]:
    """(n, d_model) encodings of the first n positions, within the bounds of this module."""
    rows = np.arange(check.integer("n", n, least=1, most=most))
    return np.asarray(sinusoidal(rows, check.even("d_model", d_model, most=bounds.WIDTH), base=base))


def distance_residual(n: int, d_model: int, base: float = 10_000.0) -> float:
    """Largest | PE(p) . PE(p + k) - kernel(k) | over p from 0 to n - 1 and k from -p to n - 1 - p.

    Args:
        n: Positions, 1 to 2,048; all are multiplied with all.
        d_model: Width; even, 2 to 2,048.
        base: Above 1.

    Returns:
        The residual, at least 0: products multiplied out against the sum of cosines.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``distance_kernel``.
    """
    table = _table(n, d_model, base, bounds.SQUARED)
    kernel = distance_kernel(np.arange(n), d_model, base=base)
    worst = 0.0
    for start in range(0, n, ROWS_AT_ONCE):
        rows = np.arange(start, min(n, start + ROWS_AT_ONCE))
        products = table[rows] @ table.T  # (rows, n)
        worst = max(worst, float(np.max(np.abs(products - kernel[np.abs(rows[:, None] - np.arange(n))]))))
    return worst


def toeplitz_residual(n: int, d_model: int, base: float = 10_000.0) -> float:
    """Largest spread (max - min) along any diagonal of the matrix of dot products.

    Args:
        n: Positions, 1 to 2,048.
        d_model: Width; even, 2 to 2,048.
        base: Above 1.

    Returns:
        The residual, at least 0; no formula for the products enters.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``distance_kernel``.
    """
    rows = check.integer("n", n, least=1, most=bounds.SQUARED)
    matrix = product_matrix(np.arange(rows), check.even("d_model", d_model, most=bounds.WIDTH), base=base)
    return max(float(np.ptp(np.diagonal(matrix, offset))) for offset in range(rows))


def addition_residual(n: int, d_model: int, base: float = 10_000.0, seed: int = 0) -> float:
    """Largest | (x + PE) W - [x, PE] [W; W] |: adding is concatenating, with the same weights for both halves.

    Args:
        n: Positions, 1 to 512.
        d_model: Width of x and of PE; even, 2 to 512.
        base: Above 1.
        seed: Of the standard normal x and W; an integer of at least 0.

    Returns:
        The residual, at least 0.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Product of block matrices.
    """
    rng = np.random.default_rng(check.count("seed", seed, least=0))
    rows = check.integer("n", n, least=1, most=bounds.ATTENDED)
    width = check.even("d_model", d_model, most=bounds.ATTENDED)
    x, weights = rng.standard_normal((rows, width)), rng.standard_normal((width, width))
    table = sinusoidal(np.arange(rows), width, base=base)
    concatenated = np.concatenate([x, table], axis=1) @ np.concatenate([weights, weights])
    return float(np.max(np.abs((x + table) @ weights - concatenated)))
