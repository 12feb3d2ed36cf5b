"""Claims about attention: what it knows of order without positions, with them, under a causal mask, with a cache."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc.attention import attention, attention_weights
from posenc.claims import _bounds as bounds
from posenc.order import attention_stack
from posenc.rotary import rotate


def equivariance_residual(seq_len: int, d_model: int, layers: int = 1, seed: int = 0) -> float:
    """Largest | f(shuffled x) - shuffled f(x) | of attention layers f without positions and mask.

    Args:
        seq_len: Rows of the standard normal x, 2 to 512.
        d_model: Width; even, 2 to 512.
        layers: 1 to 4.
        seed: Of x, its shuffle and the projections; an integer of at least 0.

    Returns:
        The residual, at least 0: the layers run on both orders, and the outputs are shuffled afterwards.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Definition of permutation equivariance; as ``attention_stack``.
    """
    return order_effect(seq_len, d_model, "none", layers=layers, seed=seed)


def order_effect(
    seq_len: int,
    d_model: int,
    positions: str = "sinusoidal",
    causal: bool = False,
    layers: int = 1,
    base: float = 10_000.0,
    seed: int = 0,
) -> float:
    """What ``equivariance_residual`` becomes with positions or a causal mask: no longer small, as order now counts.

    Args:
        seq_len: Rows of the standard normal x, 2 to 512.
        d_model: Width; even, 2 to 512.
        positions: "none", "sinusoidal" or "rope".
        causal: Whether later rows are hidden.
        layers: 1 to 4.
        base: Above 1.
        seed: Of x, its shuffle and the projections; an integer of at least 0.

    Returns:
        Largest | f(shuffled x) - shuffled f(x) |, at least 0.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``attention_stack``.
    """
    x, rng = _content(seq_len, d_model, seed, least=2)
    order = rng.permutation(seq_len)
    if np.array_equal(order, np.arange(seq_len)):
        order = order[::-1]
    given, shuffled = (
        attention_stack(rows, positions=positions, causal=causal, layers=layers, base=base, seed=seed).outputs
        for rows in (x, x[order])
    )
    return float(np.max(np.abs(shuffled - given[order])))


def _content(seq_len: int, d_model: int, seed: int, least: int) -> tuple[NDArray[np.float64], np.random.Generator]:
    rng = np.random.default_rng(check.count("seed", seed, least=0))
    rows = check.integer("seq_len", seq_len, least=least, most=bounds.ATTENDED)
    return rng.standard_normal((rows, check.even("d_model", d_model, most=bounds.ATTENDED))), rng


def causal_last_residual(seq_len: int, d_model: int, seed: int = 0) -> float:
    """How far the last output of one causal layer moves when all earlier rows are reversed, without positions.

    Args:
        seq_len: Rows of the standard normal x, 3 to 512.
        d_model: Width; even, 2 to 512.
        seed: Of x and the projections; an integer of at least 0.

    Returns:
        The residual, at least 0: the last query sees the same set of rows, in whatever order.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Irie 2024, arXiv:2501.00659: one layer alone cannot tell the order of its past.
    """
    return causal_leak(seq_len, d_model, layers=1, seed=seed)


def causal_leak(seq_len: int, d_model: int, layers: int = 2, seed: int = 0) -> float:
    """What ``causal_last_residual`` becomes with more layers: no longer small, as the mask alone tells them the order.

    Args:
        seq_len: Rows of the standard normal x, 3 to 512.
        d_model: Width; even, 2 to 512.
        layers: 1 to 4.
        seed: Of x and the projections; an integer of at least 0.

    Returns:
        Largest change of the last output, at least 0.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Irie 2024, arXiv:2501.00659: with two layers or more the earlier outputs differ, as each saw another set.
    """
    x, _ = _content(seq_len, d_model, seed, least=3)
    reversed_past = np.concatenate([x[-2::-1], x[-1:]])
    given, changed = (
        attention_stack(rows, causal=True, layers=layers, seed=seed).outputs[-1] for rows in (x, reversed_past)
    )
    return float(np.max(np.abs(changed - given)))


def row_sum_residual(seq_len: int, head_dim: int, causal: bool = False, seed: int = 0) -> float:
    """Largest | 1 - sum of a row of weights | for random queries and keys.

    Args:
        seq_len: Queries and keys, 1 to 512.
        head_dim: Width; even, 2 to 2,048.
        causal: Whether later keys are hidden.
        seed: Of the standard normal q and k; an integer of at least 0.

    Returns:
        The residual, at least 0.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``attention_weights``.
    """
    q, k, _ = _heads(seq_len, head_dim, seed)
    return float(np.max(np.abs(attention_weights(q, k, causal=causal).sum(axis=-1) - 1.0)))


def _heads(seq_len: int, head_dim: int, seed: int) -> NDArray[np.float64]:
    """(3, seq_len, head_dim) standard normal q, k and v."""
    rng = np.random.default_rng(check.count("seed", seed, least=0))
    rows = check.integer("seq_len", seq_len, least=1, most=bounds.ATTENDED)
    return rng.standard_normal((3, rows, check.even("head_dim", head_dim, most=bounds.WIDTH)))


def weights_shift_residual(
    seq_len: int,
    shift: int,
    head_dim: int,
    base: float = 10_000.0,
    pairing: str = "interleaved",
    rotary_dim: int | None = None,
    causal: bool = False,
    seed: int = 0,
) -> float:
    """Largest change of rotated attention's weights when every position moves by the same shift.

    Args:
        seq_len: Queries and keys, each of its own content, 1 to 512.
        shift: Within 10 ** 9 of 0.
        head_dim: Width; even, 2 to 2,048.
        base: Above 1.
        pairing: As in ``rotate``.
        rotary_dim: As in ``rotate``.
        causal: Whether later keys are hidden.
        seed: Of the standard normal q and k; an integer of at least 0.

    Returns:
        The residual, at least 0.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Su et al. 2021, arXiv:2104.09864, equation 16.
    """
    q, k, _ = _heads(seq_len, head_dim, seed)
    here = np.arange(seq_len)
    there = here + check.integer("shift", shift, least=-bounds.SHIFT, most=bounds.SHIFT)
    before, after = (
        attention_weights(
            rotate(q, at, base=base, pairing=pairing, rotary_dim=rotary_dim),
            rotate(k, at, base=base, pairing=pairing, rotary_dim=rotary_dim),
            causal=causal,
        )
        for at in (here, there)
    )
    return float(np.max(np.abs(before - after)))


def cache_residual(
    seq_len: int,
    head_dim: int,
    base: float = 10_000.0,
    pairing: str = "interleaved",
    rotary_dim: int | None = None,
    seed: int = 0,
) -> float:
    """Largest difference between rotated attention token by token, with cached keys and values, and all at once.

    Args:
        seq_len: Tokens, 1 to 512.
        head_dim: Width; even, 2 to 2,048.
        base: Above 1.
        pairing: As in ``rotate``.
        rotary_dim: As in ``rotate``.
        seed: Of the standard normal q, k and v; an integer of at least 0.

    Returns:
        The residual, at least 0: each new token is rotated alone, at the position that counts on.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Definition of causal attention; keys are cached after their rotation, as in meta-llama/llama: llama/model.py.
    """
    q, k, v = _heads(seq_len, head_dim, seed)
    return _cache_difference(q, k, v, np.arange(seq_len), base, pairing, rotary_dim)


def cache_position_error(
    seq_len: int,
    prompt_len: int,
    head_dim: int,
    base: float = 10_000.0,
    pairing: str = "interleaved",
    rotary_dim: int | None = None,
    seed: int = 0,
) -> float:
    """What ``cache_residual`` becomes if every token after the prompt is rotated as if it stood at position 0.

    Args:
        seq_len: Tokens with the prompt, 2 to 512.
        prompt_len: Tokens at their right positions, 1 to seq_len - 1.
        head_dim: Width; even, 2 to 2,048.
        base: Above 1.
        pairing: As in ``rotate``.
        rotary_dim: As in ``rotate``.
        seed: Of the standard normal q, k and v; an integer of at least 0.

    Returns:
        Largest difference from attention with right positions; not small.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Blaizzy/mlx-vlm #1983: every decoded token at position 0.
    """
    count = check.integer("seq_len", seq_len, least=2, most=bounds.ATTENDED)
    prompt = check.integer("prompt_len", prompt_len, least=1, most=count - 1)
    q, k, v = _heads(count, head_dim, seed)
    stuck = np.where(np.arange(count) < prompt, np.arange(count), 0)
    return _cache_difference(q, k, v, stuck, base, pairing, rotary_dim)


def _cache_difference(
    q: NDArray[np.float64],
    k: NDArray[np.float64],
    v: NDArray[np.float64],
    positions: NDArray[np.int64],
    base: float,
    pairing: str,
    rotary_dim: int | None,
) -> float:
    """Token by token at the given positions against all at once at the right ones."""

    def turned(x: NDArray[np.float64], at: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(rotate(x, at, base=base, pairing=pairing, rotary_dim=rotary_dim))

    right = np.arange(len(q))
    at_once = attention(turned(q, right), turned(k, right), v, causal=True)
    keys, worst = np.empty((0, q.shape[1])), 0.0
    for t in range(len(q)):
        new, at = slice(t, t + 1), positions[t : t + 1]
        keys = np.concatenate([keys, turned(k[new], at)])  # (t + 1, head_dim)
        output = attention(turned(q[new], at), keys, v[: t + 1], causal=True)
        worst = max(worst, float(np.max(np.abs(output - at_once[new]))))
    return worst
