"""Rotary encodings: each pair of channels turns by position x frequency, so scores see only relative positions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc._arrays import Array, cast, common_shape, complex_array, in_one_namespace, outcome_dtype, real_array
from posenc._rotation import PAIRINGS, plan, rotated, turned, vectors
from posenc._turns import turns


def rotate(
    x: Any,
    positions: Any,
    *,
    base: float = 10_000.0,
    inv_freq: Any = None,
    pairing: str = "interleaved",
    rotary_dim: int | None = None,
    out: Any = None,
) -> Array:
    """x with every pair of channels turned by its position's angle.

    Args:
        x: (..., n, head_dim) queries or keys; head_dim positive and even. A single vector is (head_dim,).
        positions: Integers or floats of any sign that broadcast to (..., n): one number for all, (n,), or for a batch
            with its own positions (batch, 1, n) against x of (batch, heads, n, head_dim).
        base: Above 1; not used where inv_freq is given.
        inv_freq: (rotary_dim / 2,) radians per position, in place of base ** (-2 i / rotary_dim).
        pairing: "interleaved" pairs channels (2i, 2i + 1), "half" pairs (i, i + rotary_dim / 2).
        rotary_dim: Leading channels that turn, positive and even; all of them if None. The others stay as they are, to
            the bit.
        out: Array like x that takes the result: x itself, or memory apart from it. A new one if None.

    Returns:
        Like x in shape, kind of array and floating dtype (float64 for integers); out if it is given. Angles, sines and
        cosines are computed in float64 whatever the dtype, products in x's own or in float32 if x has less: each
        channel of float32 is right to 2.5e-7 of its pair's length.

    Raises:
        ValueError: an argument is outside its range or does not broadcast, or out is not like x, or asked for
            together with a gradient.

    Source:
        Su et al. 2021, arXiv:2104.09864, equation 34 (interleaved); the half pairing as in EleutherAI/gpt-neox.
    """
    x, positions = vectors("x", x), real_array("positions", positions)
    inv_freq, rotary_dim = plan(x.shape[-1], base, inv_freq, pairing, rotary_dim)
    if common_shape(x=x[..., 0], positions=positions) != tuple(x.shape[:-1]):
        rule = f"broadcastable to {tuple(x.shape[:-1])}"
        raise check.shape_refusal("positions", rule, positions.shape)
    _, (x, positions, inv_freq) = in_one_namespace(x, positions, inv_freq)
    return rotated(x, turns(positions, inv_freq), pairing, out)


def rotation_table(positions: Any, dim: int, *, base: float = 10_000.0, inv_freq: Any = None) -> Array:
    """What pairs at the positions are multiplied by, cos(p w) + i sin(p w): made once, used by every layer.

    Args:
        positions: (...) integers or floats of any sign.
        dim: Number of channels that turn; positive and even.
        base: Above 1; not used where inv_freq is given.
        inv_freq: (dim / 2,) radians per position, in place of base ** (-2 i / dim).

    Returns:
        (..., dim / 2) complex128, of the positions' kind of array.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Su et al. 2021, arXiv:2104.09864, section 3.2.1.
    """
    positions = real_array("positions", positions)
    inv_freq, _ = plan(check.even("dim", dim), base, inv_freq, "interleaved", None)
    _, (positions, inv_freq) = in_one_namespace(positions, inv_freq)
    return turns(positions, inv_freq)


def rotate_by(x: Any, table: Any, *, pairing: str = "interleaved", out: Any = None) -> Array:
    """x with every pair of channels multiplied by its number in the table: ``rotate`` with the angles' work done.

    Args:
        x: (..., n, head_dim) queries or keys; head_dim positive and even. The values are not looked at: what is not
            finite stays in its pair.
        table: Of ``rotation_table``; (pairs,) or more axes that broadcast to x's. The first 2 pairs channels turn.
            Cast to complex64 beforehand, it saves that step for x of float32 or less.
        pairing: As in ``rotate``.
        out: As in ``rotate``.

    Returns:
        As ``rotate``.

    Raises:
        ValueError: as ``rotate``; table is not complex, not finite or has more pairs than x.

    Source:
        As ``rotate``.
    """
    x, table = vectors("x", x, finite=False), complex_array("table", table)
    check.choice("pairing", pairing, PAIRINGS)
    lead = tuple(x.shape[:-1])
    fits = table.ndim > 0 and 0 < 2 * table.shape[-1] <= x.shape[-1]
    if not fits or common_shape(x=x[..., 0], table=table[..., 0]) != lead:
        raise check.shape_refusal("table", f"broadcastable to {lead} and at most {x.shape[-1] // 2} pairs", table.shape)
    _, (x, table) = in_one_namespace(x, table)
    return rotated(x, table, pairing, out)


def turned_pairs(
    x: Any,
    positions: Any,
    *,
    base: float = 10_000.0,
    inv_freq: Any = None,
    pairing: str = "interleaved",
    rotary_dim: int | None = None,
) -> Array:
    """Where each pair of x points once x stands at each of the positions.

    Args:
        x: (..., head_dim) vectors; its leading axes broadcast against positions.
        positions: (...) integers or floats; (n,) with a single x of (head_dim,) gives n frames.
        base: As in ``rotate``, like the other keywords.
        inv_freq: As in ``rotate``.
        pairing: As in ``rotate``.
        rotary_dim: As in ``rotate``.

    Returns:
        (..., rotary_dim / 2, 2): the two coordinates of each pair, of x's kind of array and floating dtype.

    Raises:
        ValueError: an argument is outside its range or does not broadcast.

    Source:
        Su et al. 2021, arXiv:2104.09864, equation 34.
    """
    x, positions = vectors("x", x), real_array("positions", positions)
    inv_freq, rotary_dim = plan(x.shape[-1], base, inv_freq, pairing, rotary_dim)
    common_shape(x=x[..., 0], positions=positions)
    xp, (x, positions, inv_freq) = in_one_namespace(x, positions, inv_freq)
    return cast(xp.stack(turned(x[..., :rotary_dim], positions, inv_freq, pairing), axis=-1), outcome_dtype(x))


def pair_members(head_dim: int, *, pairing: str = "interleaved", rotary_dim: int | None = None) -> NDArray[np.int64]:
    """The two channels of each pair.

    Args:
        head_dim: Width; positive and even.
        pairing: "interleaved" or "half".
        rotary_dim: Leading channels that turn; all if None.

    Returns:
        (rotary_dim / 2, 2) int64.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Su et al. 2021, arXiv:2104.09864, equation 34; EleutherAI/gpt-neox: megatron/model/positional_embeddings.py.
    """
    width = check.even("head_dim", head_dim)
    width = width if rotary_dim is None else check.even("rotary_dim", rotary_dim, most=width)
    channels = np.arange(width, dtype=np.int64)
    if check.choice("pairing", pairing, PAIRINGS) == "interleaved":
        return channels.reshape(-1, 2)
    return channels.reshape(2, -1).T.copy()


def pairing_permutation(
    head_dim: int, *, source: str, target: str, num_heads: int = 1, rotary_dim: int | None = None
) -> NDArray[np.int64]:
    """Index array p that turns the source pairing's order into the target's: weights[p], or x[..., p].

    Rotating the permuted vector in the target pairing gives the permutation of the vector rotated in the source
    pairing. Scores stay the same only if queries and keys are both permuted.

    Args:
        head_dim: Width of one head; positive and even.
        source: Pairing that the weights are in: "interleaved" or "half".
        target: Pairing that they are wanted in.
        num_heads: Heads that lie one after another in the rows of the weights; positive.
        rotary_dim: Leading channels of each head that turn; all if None. The others keep their places.

    Returns:
        (num_heads * head_dim,) int64; for head_dim 8 from interleaved to half 0 2 4 6 1 3 5 7.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        huggingface/transformers: src/transformers/models/llama/convert_llama_weights_to_hf.py, ``permute``.
    """
    source, target = check.choice("source", source, PAIRINGS), check.choice("target", target, PAIRINGS)
    heads = check.count("num_heads", num_heads)
    width = check.even("head_dim", head_dim)
    order = np.arange(width, dtype=np.int64)
    came_from = pair_members(head_dim, pairing=source, rotary_dim=rotary_dim)
    order[pair_members(head_dim, pairing=target, rotary_dim=rotary_dim)] = came_from
    return (np.arange(heads)[:, None] * width + order).reshape(-1)
