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

COMPLEX = ("complex64", "complex128", "torch.complex64", "torch.complex128")
CHUNK = 2**20
"""Values held at once where a computation runs in chunks: 8 MiB of float64."""
LARGE = 2**22
"""Bytes from which NumPy asks for large pages."""


def namespace(*arrays: Array) -> Any:
    """Where the functions for these arrays are: NumPy itself, or torch as the array API standard has it.

    NumPy keeps the standard by itself. Its wrapper would import the whole of it, which takes longer than a large table.
    """
    return array_namespace(*arrays) if any(map(is_torch_array, arrays)) else np


def real_array(name: str, value: Any, *, rule: str = "finite real numbers") -> Array:
    """The value as an array of integers or floats, its dtype kept; tensors pass through, anything else becomes NumPy.

    Raises:
        ValueError: the value holds something that is not a finite real number.
    """
    array = numbers(name, value, rule)
    if namespace(array).isdtype(array.dtype, "real floating") and not _is_finite(array):
        raise check.refusal(name, rule, value)
    return array


def _is_finite(array: Array) -> bool:
    xp = namespace(array)
    with np.errstate(over="ignore", invalid="ignore"):
        total = xp.sum(array)  # one quick pass; nothing that is not finite leaves a sum finite
    return bool(xp.isfinite(total)) or bool(xp.all(xp.isfinite(array)))  # finite values may overflow the sum


def masked_array(name: str, value: Any) -> Array:
    """As ``real_array``, but -inf is welcome: it stands for what may not be attended.

    Raises:
        ValueError: the value holds something that is neither a finite real number nor -inf.
    """
    rule = "finite real numbers or -inf"
    array = numbers(name, value, rule)
    xp = namespace(array)
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


def complex_array(name: str, value: Any) -> Array:
    """The value as an array of finite complex numbers; tensors pass through, anything else becomes NumPy."""
    rule = "finite complex numbers"
    try:
        array = value if is_torch_array(value) else np.asarray(value)
    except (ValueError, TypeError, RuntimeError, OverflowError):
        raise check.refusal(name, rule, value) from None
    if str(array.dtype) not in COMPLEX or not _is_finite(array):
        raise check.refusal(name, rule, value)
    return array


def numbers(name: str, value: Any, rule: str) -> Array:
    """As ``real_array``, whatever the values."""
    array = value if is_torch_array(value) else _numpy(name, value, rule)
    if not namespace(array).isdtype(array.dtype, ("integral", "real floating")):
        raise check.refusal(name, rule, value)
    return array


def integer_array(name: str, value: Any) -> Array:
    """The value as an array of integers; an empty list counts as one."""
    rule = "integers"
    array = real_array(name, value, rule=rule)
    xp = namespace(array)
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
        return namespace(*arrays), arrays
    xp = namespace(tensors[0])
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
    xp = namespace(array)
    return xp.astype(array, xp.float64, copy=False)


def outcome_dtype(*arrays: Array) -> Any:
    """The dtype that results take: the arrays' own, integers counting as float64."""
    xp = namespace(*arrays)
    own = [array.dtype if xp.isdtype(array.dtype, "real floating") else xp.float64 for array in arrays]
    return xp.result_type(*own)


def cast(array: Array, dtype: Any) -> Array:
    """The array in the dtype; differentiable."""
    return namespace(array).astype(array, dtype, copy=False)


def carries_gradient(*arrays: Array) -> bool:
    """Whether a gradient is being kept for one of the arrays, backwards or forwards."""
    xp, tensors = namespace(*arrays), [array for array in arrays if is_torch_array(array)]
    if not tensors:
        return False
    is_recorded = xp.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors)
    return is_recorded or any(xp.autograd.forward_ad.unpack_dual(t).tangent is not None for t in tensors)


def empty_like(array: Array, dtype: Any) -> Array:
    """A new array of the same shape, kind and place, with anything in it.

    NumPy asks the system for large pages of memory and torch does not, so torch gets NumPy's where it matters: a new
    array of 64 MiB is then filled in half the time.
    """
    xp = namespace(array)
    size = math.prod(array.shape) * xp.finfo(dtype).bits // 8
    if not is_torch_array(array) or array.device.type != "cpu" or size < LARGE:
        return xp.empty(array.shape, dtype=dtype, device=device(array))
    return xp.from_numpy(np.empty(size, np.uint8)).view(dtype).reshape(array.shape)


def complex_of(real: Array, imag: Array) -> Array:
    """real + i imag, of the matching complex dtype; differentiable."""
    if is_torch_array(real):
        return namespace(real).complex(real, imag)
    result = np.empty(np.broadcast_shapes(real.shape, imag.shape), np.result_type(real, imag, np.complex64))
    result.real, result.imag = real, imag
    return result


def lies_in_pairs(array: Array) -> bool:
    """Whether neighbours on the last axis can be seen as complex numbers where they lie."""
    if not is_torch_array(array):
        return bool(array.strides[-1] == array.itemsize)
    *strides, step = array.stride()
    return step == 1 and not any(places % 2 for places in (*strides, array.storage_offset()))


def complex_view(array: Array) -> Array:
    """(..., 2 n) to (..., n): each two neighbours as one complex number; a copy only where memory doesn't allow it."""
    if not is_torch_array(array):
        dense = array if lies_in_pairs(array) else np.ascontiguousarray(array)
        return dense.view(np.result_type(array, np.complex64))
    xp, dense = namespace(array), array if lies_in_pairs(array) else array.clone().contiguous()
    return xp.view_as_complex(dense.reshape((*dense.shape[:-1], dense.shape[-1] // 2, 2)))


def channels_of(pairs: Array, *, interleaved: bool) -> Array:
    """(..., n) complex to (..., 2 n): real and imaginary parts in turn, or all of the former first; differentiable."""
    xp = namespace(pairs)
    if not interleaved:
        return xp.concat([xp.real(pairs), xp.imag(pairs)], axis=-1)
    if not is_torch_array(pairs):
        return np.ascontiguousarray(pairs).view(pairs.real.dtype)
    return xp.view_as_real(pairs).reshape((*pairs.shape[:-1], 2 * pairs.shape[-1]))


def put_channels(out: Array, pairs: Array, *, interleaved: bool) -> None:
    """``channels_of`` written into an array that is there already."""
    if interleaved:
        out[...] = channels_of(pairs, interleaved=True)
    else:
        xp, half = namespace(pairs), pairs.shape[-1]
        out[..., :half], out[..., half:] = xp.real(pairs), xp.imag(pairs)


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
