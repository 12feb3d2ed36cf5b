"""What everything that rotates shares: the arguments' meaning and the turn itself."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from array_api_compat import is_torch_array

from posenc import _checks as check
from posenc._arrays import (
    Array,
    carries_gradient,
    cast,
    channels_of,
    complex_of,
    complex_view,
    empty_like,
    float64,
    lies_in_pairs,
    namespace,
    numbers,
    outcome_dtype,
    put_channels,
    real_array,
)
from posenc._turns import turns
from posenc.sinusoidal import inverse_frequencies

PAIRINGS = ("interleaved", "half")
PIECE = 2**18
"""Channels turned at once: what a piece needs on the way then stays in the processor's cache."""


def vectors(name: str, value: Any, *, finite: bool = True) -> Array:
    """The value as an array whose last axis pairs up."""
    array = real_array(name, value) if finite else numbers(name, value, "real numbers")
    if array.ndim < 1 or array.shape[-1] < 1 or array.shape[-1] % 2:
        raise check.shape_refusal(name, "of even width, two channels to a turn", array.shape)
    return array


def plan(head_dim: int, base: float, inv_freq: Any, pairing: str, rotary_dim: int | None) -> tuple[Array, int]:
    """The frequencies and the number of turning channels that the arguments ask for."""
    check.choice("pairing", pairing, PAIRINGS)
    width = head_dim if rotary_dim is None else check.even("rotary_dim", rotary_dim, most=head_dim)
    usual = inverse_frequencies(width, base=base)
    if inv_freq is None:
        return usual, width
    inv_freq = real_array("inv_freq", inv_freq)
    if tuple(inv_freq.shape) != usual.shape:
        raise check.shape_refusal("inv_freq", f"of shape {usual.shape}, one for each pair", inv_freq.shape)
    return inv_freq, width


def members(x: Array, pairing: str) -> tuple[Array, Array]:
    """First and second members of every pair, float64, (..., pairs) each."""
    x = float64(x)
    return (x[..., 0::2], x[..., 1::2]) if pairing == "interleaved" else _halves(x)


def turned(x: Array, positions: Array, inv_freq: Array, pairing: str) -> tuple[Array, Array]:
    """The members of every pair after the turn, float64, (..., pairs) each."""
    xp, pairs = namespace(x), _pairs(float64(x), pairing) * turns(positions, inv_freq)
    return xp.real(pairs), xp.imag(pairs)


def rotated(x: Array, table: Array, pairing: str, out: Array | None) -> Array:
    """x with its leading channels turned by the table, in x's floating dtype; a new array, or out.

    Args:
        x: (..., head_dim) of one namespace with the table.
        table: (..., pairs) complex, broadcasts to x's leading axes.
        pairing: Checked.
        out: Like x, or None.
    """
    xp, dtype = namespace(x), outcome_dtype(x)
    table = cast(table, xp.complex64 if xp.finfo(dtype).bits <= 32 else xp.complex128)
    needs_graph = carries_gradient(x, table)
    if out is not None:
        _check_out(out, x, dtype, needs_graph)
    elif needs_graph:
        return _joined_with_rest(x, table, pairing, dtype)
    else:
        out = empty_like(x, dtype)
    width = 2 * table.shape[-1]
    _turn_into(out[..., :width], x[..., :width], table, pairing)
    if width < x.shape[-1] and out is not x:
        out[..., width:] = x[..., width:]
    return out


def _check_out(out: Any, x: Array, dtype: Any, needs_graph: bool) -> None:
    if needs_graph or (is_torch_array(out) and out.requires_grad):
        raise check.refusal("out", "None where a gradient is asked for", out)
    if is_torch_array(out) != is_torch_array(x) or not hasattr(out, "dtype") or out.dtype != dtype:
        raise check.refusal("out", f"an array like x, of {dtype}", getattr(out, "dtype", out))
    if out.shape != x.shape:
        raise check.shape_refusal("out", f"of x's shape {tuple(x.shape)}", out.shape)


def _pieces(shape: tuple[int, ...], most: int) -> Iterator[tuple[slice, ...]]:
    """Index ranges that together cover the shape, none with more than ``most`` elements."""
    if math.prod(shape) <= most:
        yield tuple(slice(0, length) for length in shape)
        return
    axis = shape.index(max(shape))
    half = shape[axis] // 2
    for start, length in ((0, half), (half, shape[axis] - half)):
        for piece in _pieces((*shape[:axis], length, *shape[axis + 1 :]), most):
            moved = slice(start + piece[axis].start, start + piece[axis].stop)
            yield (*piece[:axis], moved, *piece[axis + 1 :])


def _joined_with_rest(x: Array, table: Array, pairing: str, dtype: Any) -> Array:
    """x after the turn as one differentiable expression."""
    xp, width = namespace(x), 2 * table.shape[-1]
    pairs = _pairs(cast(x[..., :width], xp.real(table).dtype), pairing) * table
    turning = channels_of(pairs, interleaved=pairing == "interleaved")
    return xp.concat([cast(turning, dtype), cast(x[..., width:], dtype)], axis=-1)


def _turn_into(out: Array, x: Array, table: Array, pairing: str) -> None:
    """The turn written into memory that is there already, x's own too."""
    xp = namespace(x)
    working = xp.real(table).dtype
    if pairing == "interleaved" and out.dtype == working and x.dtype == working and lies_in_pairs(out):
        xp.multiply(_pairs(x, pairing), table, out=_pairs(out, pairing))
        return
    table = xp.broadcast_to(table, (*x.shape[:-1], table.shape[-1]))
    for piece in _pieces(tuple(x.shape[:-1]), max(1, PIECE // x.shape[-1])):
        pairs = _pairs(cast(x[piece], working), pairing)
        if pairing == "half":
            pairs *= table[piece]  # they lie in memory of their own
        else:
            pairs = pairs * table[piece]
        put_channels(out[piece], pairs, interleaved=pairing == "interleaved")


def _pairs(x: Array, pairing: str) -> Array:
    """Every pair as a complex number, (..., pairs): multiplied by cos + i sin of its angle, it is turned."""
    return complex_view(x) if pairing == "interleaved" else complex_of(*_halves(x))


def _halves(x: Array) -> tuple[Array, Array]:
    half = x.shape[-1] // 2
    return x[..., :half], x[..., half:]


def joined(first: Array, second: Array, pairing: str) -> Array:
    """The members of every pair back in the pairing's order of channels, (..., 2 pairs)."""
    xp = namespace(first)
    if pairing == "half":
        return xp.concat([first, second], axis=-1)
    return xp.reshape(xp.stack([first, second], axis=-1), (*first.shape[:-1], 2 * first.shape[-1]))
