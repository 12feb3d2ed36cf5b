"""What everything that rotates shares: the arguments' meaning and the turn itself."""

from __future__ import annotations

from typing import Any

from array_api_compat import array_namespace

from posenc import _checks as check
from posenc._arrays import Array, float64, phases, real_array
from posenc.sinusoidal import inverse_frequencies

PAIRINGS = ("interleaved", "half")


def vectors(name: str, value: Any) -> Array:
    """The value as an array whose last axis pairs up."""
    array = real_array(name, value)
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
    x, half = float64(x), x.shape[-1] // 2
    if pairing == "interleaved":
        return x[..., 0::2], x[..., 1::2]
    return x[..., :half], x[..., half:]


def turned(x: Array, positions: Array, inv_freq: Array, pairing: str) -> tuple[Array, Array]:
    """The members of every pair after the turn, float64, (..., pairs) each."""
    first, second = members(x, pairing)
    angles = phases(positions, inv_freq)
    xp = array_namespace(angles)
    cosines, sines = xp.cos(angles), xp.sin(angles)
    return first * cosines - second * sines, first * sines + second * cosines


def joined(first: Array, second: Array, pairing: str) -> Array:
    """The members of every pair back in the pairing's order of channels, (..., 2 pairs)."""
    xp = array_namespace(first)
    if pairing == "half":
        return xp.concat([first, second], axis=-1)
    return xp.reshape(xp.stack([first, second], axis=-1), (*first.shape[:-1], 2 * first.shape[-1]))
