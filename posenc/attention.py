"""Attention: every query takes a weighted mean of the values, and nothing in it knows the order of the keys."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc._arrays import (
    Array,
    boolean_array,
    cast,
    common_shape,
    float64,
    in_one_namespace,
    masked_array,
    namespace,
    outcome_dtype,
    real_array,
)


def softmax(scores: Any, axis: int = -1) -> Array:
    """exp(scores) divided by its sum along the axis; scores of any size do not overflow.

    Args:
        scores: (...) numbers along at least one axis; -inf gets the weight 0.
        axis: Along which the weights sum to 1.

    Returns:
        Like scores in shape, kind of array and floating dtype (float64 for integers). Where everything along the axis
        is -inf there is nothing to weigh: zeros, and no gradient.

    Raises:
        ValueError: scores hold NaN or +inf or have no axis, or axis is none of theirs.

    Source:
        Definition, the largest score subtracted first; Vaswani et al. 2017, arXiv:1706.03762, equation 1.
    """
    scores = masked_array("scores", scores)
    if scores.ndim < 1:
        raise check.shape_refusal("scores", "numbers along at least one axis", scores.shape)
    axis = check.integer("axis", axis, least=-scores.ndim, most=scores.ndim - 1)
    if scores.shape[axis] < 1:
        raise check.shape_refusal("scores", "of at least one number along the axis", scores.shape)
    return cast(_softmax(float64(scores), axis), outcome_dtype(scores))


def _softmax(scores: Array, axis: int) -> Array:
    xp = namespace(scores)
    peak = xp.max(scores, axis=axis, keepdims=True)
    peak = xp.where(peak > -math.inf, peak, xp.zeros_like(peak))  # -inf - -inf would be NaN
    with np.errstate(over="ignore"):  # a score some 1e308 below the peak has the weight 0 either way
        powers = xp.exp(scores - peak)
    total = xp.sum(powers, axis=axis, keepdims=True)
    return powers / xp.where(total > 0, total, xp.ones_like(total))


def causal_mask(q_len: int, k_len: int) -> NDArray[np.bool_]:
    """Which keys each query may attend if nobody sees what comes later; True means may be attended.

    The last query stands at the last key: one new query against a cache sees all of it.

    Args:
        q_len: Queries; positive.
        k_len: Keys; at least q_len.

    Returns:
        (q_len, k_len) bool: key j for query i where j - (k_len - q_len) <= i.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762, section 3.2.3. torch's ``scaled_dot_product_attention(is_causal=True)``
        counts from the first key instead, which differs where q_len < k_len.
    """
    queries = check.count("q_len", q_len)
    keys = check.count("k_len", k_len, least=queries)
    return np.arange(keys) - (keys - queries) <= np.arange(queries)[:, None]


def attention_scores(q: Any, k: Any, *, scale: float | None = None) -> Array:
    """Products of every query with every key, scaled; before any bias, mask or softmax.

    Args:
        q: (..., q_len, head_dim) queries.
        k: (..., k_len, head_dim) keys; leading axes broadcast.
        scale: Of the products, at least 0; 1 / sqrt(head_dim) if None.

    Returns:
        (..., q_len, k_len), of the kind of array and floating dtype that q and k promote to.

    Raises:
        ValueError: an argument is outside its range or does not fit, or a score leaves the range of float64.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762, equation 1.
    """
    q, k, *_ = _prepared(q, k)
    return cast(_scores(q, k, None, scale), outcome_dtype(q, k))


def attention_weights(
    q: Any,
    k: Any,
    *,
    bias: Any = None,
    causal: bool = False,
    mask: Any = None,
    scale: float | None = None,
) -> Array:
    """How much of each key's value every query takes.

    Args:
        q: (..., q_len, head_dim) queries.
        k: (..., k_len, head_dim) keys; leading axes broadcast, so that a group of query heads may share keys.
        bias: Added to the scaled scores: numbers or -inf that broadcast to (..., q_len, k_len).
        causal: Whether keys after the query are hidden, as in ``causal_mask``: the last query stands at the last key.
        mask: Booleans that broadcast to (..., q_len, k_len); True means may be attended (as in torch's
            ``scaled_dot_product_attention``; its ``MultiheadAttention`` means the reverse). Padding is
            ``is_token[:, None, :]`` for (batch, k_len), with one more None for heads.
        scale: Of the products, at least 0; 1 / sqrt(head_dim) if None.

    Returns:
        (..., q_len, k_len), of the kind of array and floating dtype that q and k promote to. Rows sum to 1; a row that
        may attend nothing is all zeros.

    Raises:
        ValueError: an argument is outside its range or does not fit, or a score leaves the range of float64.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762, equation 1.
    """
    q, k, _, bias, mask = _prepared(q, k, bias=bias, mask=mask)
    return cast(_weights(q, k, bias, causal, mask, scale), outcome_dtype(q, k))


def attention(
    q: Any,
    k: Any,
    v: Any,
    *,
    bias: Any = None,
    causal: bool = False,
    mask: Any = None,
    scale: float | None = None,
) -> Array:
    """The values that every query takes together, softmax(scale q k^T + bias) v.

    Args:
        q: As in ``attention_weights``, like the keywords: (..., q_len, head_dim).
        k: (..., k_len, head_dim).
        v: (..., k_len, value_dim) values; leading axes broadcast.
        bias: As in ``attention_weights``.
        causal: As in ``attention_weights``.
        mask: As in ``attention_weights``; True means may be attended.
        scale: As in ``attention_weights``.

    Returns:
        (..., q_len, value_dim), of the kind of array and floating dtype that q, k and v promote to; scores, softmax and
        sums are float64. A query that may attend nothing gets zeros.

    Raises:
        ValueError: an argument is outside its range or does not fit, or a score leaves the range of float64.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762, equation 1.
    """
    q, k, v, bias, mask = _prepared(q, k, real_array("v", v), bias, mask)
    return cast(_weights(q, k, bias, causal, mask, scale) @ float64(v), outcome_dtype(q, k, v))


def _prepared(q: Any, k: Any, v: Any = None, bias: Any = None, mask: Any = None) -> list[Array]:
    """q, k, v, bias and mask in one namespace, their shapes checked; what was None stays None."""
    given = {"q": _rows("q", q), "k": _rows("k", k)}
    if given["k"].shape[-1] != given["q"].shape[-1]:
        raise check.shape_refusal("k", f"as wide as q, {given['q'].shape[-1]}", given["k"].shape)
    if v is not None:
        given["v"] = _rows("v", v)
        if given["v"].shape[-2] != given["k"].shape[-2]:
            raise check.shape_refusal("v", f"of as many rows as k, {given['k'].shape[-2]}", given["v"].shape)
    leading = common_shape(**{name: array[..., 0, 0] for name, array in given.items()})
    shape = (*leading, given["q"].shape[-2], given["k"].shape[-2])
    if bias is not None:
        given["bias"] = _fitting("bias", masked_array("bias", bias), shape)
    if mask is not None:
        given["mask"] = _fitting("mask", boolean_array("mask", mask), shape)
    moved = dict(zip(given, in_one_namespace(*given.values())[1], strict=True))
    return [moved.get(name) for name in ("q", "k", "v", "bias", "mask")]


def _rows(name: str, value: Any) -> Array:
    array = real_array(name, value)
    if array.ndim < 2 or 0 in array.shape[-2:]:
        raise check.shape_refusal(name, "rows of vectors, (..., n, width)", array.shape)
    return array


def _fitting(name: str, array: Array, shape: tuple[int, ...]) -> Array:
    """The array, if it broadcasts against the weights without adding queries or keys to them."""
    try:
        is_fitting = np.broadcast_shapes(shape, tuple(array.shape))[-2:] == shape[-2:]
    except ValueError:
        is_fitting = False
    if not is_fitting:
        raise check.shape_refusal(name, f"broadcastable with the weights' shape {shape}", array.shape)
    return array


def _scores(q: Array, k: Array, bias: Array | None, scale: float | None) -> Array:
    """Scaled products and bias in float64."""
    xp = namespace(q, k)
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused below
        scores = _factor(scale, q.shape[-1]) * (float64(q) @ xp.matrix_transpose(float64(k)))
        is_finite = bool(xp.all(xp.isfinite(scores)))
        scores = scores if bias is None else scores + float64(bias)
    if not is_finite or not bool(xp.all(scores < math.inf)):
        raise check.refusal("q", "small enough beside k, scale and bias for finite scores", q)
    return scores


def _factor(scale: float | None, head_dim: int) -> float:
    if scale is None:
        return float(head_dim**-0.5)
    rule = "a finite number of at least 0"
    factor = check.real("scale", scale, rule=rule)
    if factor < 0:
        raise check.refusal("scale", rule, scale)
    return factor


def _weights(q: Array, k: Array, bias: Array | None, causal: bool, mask: Array | None, scale: float | None) -> Array:
    """Weights in float64."""
    scores = _scores(q, k, bias, scale)
    if check.flag("causal", causal):
        scores = _hidden(scores, causal_mask(q.shape[-2], k.shape[-2]))
    if mask is not None:
        scores = _hidden(scores, mask)
    return _softmax(scores, axis=-1)


def _hidden(scores: Array, mask: Array) -> Array:
    """The scores with -inf wherever the mask is False, which also cuts their gradient."""
    xp, (scores, mask) = in_one_namespace(scores, mask)
    return xp.where(mask, scores, xp.full_like(scores, -math.inf))
