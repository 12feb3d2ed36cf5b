"""Claims about orders of channels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc._rotation import PAIRINGS
from posenc.claims import _bounds as bounds
from posenc.layouts import layout_permutation, permute_projection
from posenc.rotary import pairing_permutation, rotate
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


def pairing_residual(seq_len: int, head_dim: int, base: float = 10_000.0, source: str = "interleaved") -> float:
    """Largest difference between permuting after the rotation and permuting before it, in the other pairing.

    Args:
        seq_len: Rows of the standard normal x and positions, 1 to 4,096.
        head_dim: Width; even, 2 to 512.
        base: Above 1.
        source: "interleaved" or "half"; the other one is the target.

    Returns:
        The residual: exactly 0, as the same products stand in another order.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``pairing_permutation``.
    """
    at = np.arange(check.integer("seq_len", seq_len, least=1, most=bounds.POSITIONS))
    width = check.even("head_dim", head_dim, most=bounds.ATTENDED)
    target = _other(source)
    x = np.random.default_rng(0).standard_normal((len(at), width))
    order = pairing_permutation(width, source=source, target=target)
    after = rotate(x, at, base=base, pairing=source)[:, order]
    return float(np.max(np.abs(after - rotate(x[:, order], at, base=base, pairing=target))))


def conversion_residual(
    seq_len: int,
    d_model: int,
    num_heads: int = 1,
    base: float = 10_000.0,
    converted: str = "both",
    seed: int = 0,
    num_kv_heads: int | None = None,
    source: str = "interleaved",
) -> float:
    """Largest difference between scores in one pairing and those of converted projections in the other.

    Args:
        seq_len: Rows of the standard normal x, 1 to 512.
        d_model: Width; even, 2 to 512.
        num_heads: Heads; d_model / num_heads is even.
        base: Above 1.
        converted: "both" projections; "queries" or "keys" alone shows what a half-done conversion breaks.
        seed: Of x and the projections; an integer of at least 0.
        num_kv_heads: Key heads, a divisor of num_heads, each shared by a group of neighbouring heads; num_heads if
            None.
        source: The pairing before: "interleaved" or "half"; the other one comes after.

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
    shared = num_heads if num_kv_heads is None else num_kv_heads
    heads = check.count("num_heads", num_heads), check.count("num_kv_heads", shared)
    if heads[0] % heads[1]:
        raise check.refusal("num_kv_heads", f"a divisor of num_heads, {heads[0]}", num_kv_heads)
    rng, target = np.random.default_rng(check.count("seed", seed, least=0)), _other(source)
    x = rng.standard_normal((rows, width))
    q, k = rng.standard_normal((2, width, width)) / np.sqrt(width)
    k = k[: width // heads[0] * heads[1]]  # (num_kv_heads * head_dim, d_model)
    to_q, to_k = (
        permute_projection(w, num_heads=n, source=source, target=target) for w, n in zip((q, k), heads, strict=True)
    )
    half = (q if converted == "keys" else to_q, k if converted == "queries" else to_k)
    before, after = _scores(x, (q, k), heads, base, source), _scores(x, half, heads, base, target)
    return float(np.max(np.abs(after - before)))


def _other(source: str) -> str:
    return PAIRINGS[1 - PAIRINGS.index(check.choice("source", source, PAIRINGS))]


def _scores(
    x: NDArray[np.float64],
    weights: tuple[NDArray[np.float64], NDArray[np.float64]],
    heads: tuple[int, int],
    base: float,
    pairing: str,
) -> NDArray[np.float64]:
    """(num_kv_heads, group, seq_len, seq_len)."""
    at = np.arange(len(x))
    q, k = (np.swapaxes((x @ w.T).reshape(len(x), n, -1), 0, 1) for w, n in zip(weights, heads, strict=True))
    q, k = (rotate(part, at, base=base, pairing=pairing) for part in (q, k))
    return np.asarray(q.reshape(heads[1], -1, *q.shape[1:]) @ np.swapaxes(k, 1, 2)[:, None])
