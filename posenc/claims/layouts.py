"""Claims about orders of channels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc.claims import _bounds as bounds
from posenc.layouts import layout_permutation, permute_projection
from posenc.rotary import rotate
from posenc.sinusoidal import sinusoidal


def layout_residual(seq_len: int, d_model: int, base: float = 10_000.0) -> float:
    """Largest difference between the concatenated table and the interleaved one with its columns permuted.

    Args:
        seq_len: Positions, 1 to 4,096.
        d_model: Width; even, 2 to 2,048.
        base: Above 1.

    Returns:
        The residual: exactly 0, as the same numbers stand in another order.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``layout_permutation``.
    """
    at = np.arange(check.integer("seq_len", seq_len, least=1, most=bounds.POSITIONS))
    width = check.even("d_model", d_model, most=bounds.WIDTH)
    order = layout_permutation(width, source="interleaved", target="concatenated")
    interleaved, concatenated = (sinusoidal(at, width, base=base, layout=s) for s in ("interleaved", "concatenated"))
    return float(np.max(np.abs(interleaved[:, order] - concatenated)))


def conversion_residual(
    seq_len: int, d_model: int, num_heads: int = 1, base: float = 10_000.0, converted: str = "both", seed: int = 0
) -> float:
    """Largest difference between interleaved scores and half-split scores of converted projections.

    Args:
        seq_len: Rows of the standard normal x, 1 to 512.
        d_model: Width; even, 2 to 512.
        num_heads: Heads; d_model / num_heads is even.
        base: Above 1.
        converted: "both" projections; "queries" or "keys" alone shows what a half-done conversion breaks.
        seed: Of x and the projections; an integer of at least 0.

    Returns:
        The residual, at least 0; not small unless both are converted.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``permute_projection``.
    """
    check.choice("converted", converted, ("both", "queries", "keys"))
    rows = check.integer("seq_len", seq_len, least=1, most=bounds.ATTENDED)
    width = check.even("d_model", d_model, most=bounds.ATTENDED)
    rng = np.random.default_rng(check.count("seed", seed, least=0))
    x = rng.standard_normal((rows, width))
    weights = rng.standard_normal((2, width, width)) / np.sqrt(width)
    to_q, to_k = (permute_projection(w, num_heads=num_heads, source="interleaved", target="half") for w in weights)
    half = np.stack([weights[0] if converted == "keys" else to_q, weights[1] if converted == "queries" else to_k])
    before, after = _scores(x, weights, num_heads, base, "interleaved"), _scores(x, half, num_heads, base, "half")
    return float(np.max(np.abs(after - before)))


def _scores(
    x: NDArray[np.float64], weights: NDArray[np.float64], num_heads: int, base: float, pairing: str
) -> NDArray[np.float64]:
    """(num_heads, seq_len, seq_len)."""
    q, k = (np.swapaxes((x @ w.T).reshape(len(x), num_heads, -1), 0, 1) for w in weights)
    at = np.arange(len(x))
    q, k = rotate(q, at, base=base, pairing=pairing), rotate(k, at, base=base, pairing=pairing)
    return np.asarray(q @ np.swapaxes(k, 1, 2))
