"""One way in and out for NumPy arrays and torch tensors; torch is touched only when a tensor comes in."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from array_api_compat import array_namespace, device, is_torch_array

from posenc import _checks as check

Array: TypeAlias = Any
"""numpy.ndarray or torch.Tensor."""

CHUNK = 2**20
"""Values held at once where a computation runs in chunks: 8 MiB of float64."""


def real_array(name: str, value: Any, *, rule: str = "finite real numbers") -> Array:
    """The value as an array of integers or floats, its dtype kept; tensors pass through, anything else becomes NumPy.

    Raises:
        ValueError: the value holds something that is not a finite real number.
    """
    array = _real_or_infinite(name, value, rule)
    xp = array_namespace(array)
    if xp.isdtype(array.dtype, "real floating") and not bool(xp.all(xp.isfinite(array))):
        raise check.refusal(name, rule, value)
    return array


def masked_array(name: str, value: Any) -> Array:
    """As ``real_array``, but -inf is welcome: it stands for what may not be attended.

    Raises:
        ValueError: the value holds something that is neither a finite real number nor -inf.
    """
    rule = "finite real numbers or -inf"
    array = _real_or_infinite(name, value, rule)
    xp = array_namespace(array)
    if xp.isdtype(array.dtype, "real floating") and not bool(xp.all(array < math.inf)):  # False for NaN as well
        raise check.refusal(name, rule, value)
    return array


def boolean_array(name: str, value: Any) -> Array:
    """The value as an array of booleans; tensors pass through, anything else becomes NumPy.

    Raises:
        ValueError: the value holds anything but True and False.
    """
    rule = "booleans"
    try:
        array = value if is_torch_array(value) else np.asarray(value)
    except (ValueError, TypeError, RuntimeError, OverflowError):
        raise check.refusal(name, rule, value) from None
    if str(array.dtype) not in ("bool", "torch.bool"):
        raise check.refusal(name, rule, value)
    return array


def _real_or_infinite(name: str, value: Any, rule: str) -> Array:
    array = value if is_torch_array(value) else _numpy(name, value, rule)
    if not array_namespace(array).isdtype(array.dtype, ("integral", "real floating")):
        raise check.refusal(name, rule, value)
    return array


def integer_array(name: str, value: Any) -> Array:
    """The value as an array of integers; an empty list counts as one."""
    rule = "integers"
    array = real_array(name, value, rule=rule)
    xp = array_namespace(array)
    if xp.isdtype(array.dtype, "integral"):
        return array
    if isinstance(value, list | tuple) and 0 in array.shape:
        return xp.astype(array, xp.int64)
    raise check.refusal(name, rule, value)


def _numpy(name: str, value: Any, rule: str) -> Array:
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, RuntimeError, OverflowError):
        raise check.refusal(name, rule, value) from None
    # NumPy would read True beside numbers as 1.
    if array.dtype.kind not in "iuf" or any(isinstance(leaf, bool | np.bool_) for leaf in _leaves(value)):
        raise check.refusal(name, rule, value)
    return array


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for part in value:
            yield from _leaves(part)
    else:
        yield value


def in_one_namespace(*arrays: Array) -> tuple[Any, tuple[Array, ...]]:
    """The namespace and the arrays in it: torch as soon as one of them is a tensor, on the first tensor's device."""
    tensors = [array for array in arrays if is_torch_array(array)]
    if not tensors:
        return array_namespace(*arrays), arrays
    xp = array_namespace(tensors[0])
    place = device(tensors[0])
    return xp, tuple(a if is_torch_array(a) else xp.asarray(_plain(a), device=place) for a in arrays)


def _plain(array: Array) -> Array:
    # torch refuses negative strides and foreign byte orders, and warns of read-only memory
    return np.array(array, dtype=array.dtype.newbyteorder("="), order="C")


def common_shape(**arrays: Array) -> tuple[int, ...]:
    """The shape that the named arrays broadcast to; a ValueError names the first that does not fit."""
    shape: tuple[int, ...] = ()
    for name, array in arrays.items():
        try:
            shape = np.broadcast_shapes(shape, tuple(array.shape))
        except ValueError:
            raise check.shape_refusal(name, f"broadcastable with shape {shape}", array.shape) from None
    return shape


def float64(array: Array) -> Array:
    """The array in float64; differentiable."""
    xp = array_namespace(array)
    return xp.astype(array, xp.float64, copy=False)


def outcome_dtype(*arrays: Array) -> Any:
    """The dtype that results take: the arrays' own, integers counting as float64."""
    xp = array_namespace(*arrays)
    own = [array.dtype if xp.isdtype(array.dtype, "real floating") else xp.float64 for array in arrays]
    return xp.result_type(*own)


def cast(array: Array, dtype: Any) -> Array:
    """The array in the dtype; differentiable."""
    return array_namespace(array).astype(array, dtype, copy=False)


def to_numpy(array: Array) -> Any:
    """The array's values for NumPy, cut from any graph."""
    return array.detach().cpu().numpy() if is_torch_array(array) else array


def phases(positions: Array, inv_freq: Array) -> Array:
    """Angles positions x inv_freq.

    Args:
        positions: (...) integers or floats.
        inv_freq: (pairs,) radians per position.

    Returns:
        (..., pairs) float64, radians.
    """
    _, (positions, inv_freq) = in_one_namespace(positions, inv_freq)
    return float64(positions)[..., None] * float64(inv_freq)
