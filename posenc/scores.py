"""Attention scores before the softmax: what rotating, or adding an encoding, makes of q . k."""

from __future__ import annotations

from typing import Any

from posenc import _checks as check
from posenc._arrays import Array, cast, common_shape, float64, in_one_namespace, namespace, outcome_dtype, real_array
from posenc._rotation import plan, turned, vectors
from posenc.sinusoidal import sinusoidal


def pair_scores(
    q: Any,
    k: Any,
    m: Any,
    n: Any,
    *,
    base: float = 10_000.0,
    inv_freq: Any = None,
    pairing: str = "interleaved",
    rotary_dim: int | None = None,
) -> Array:
    """What each turning pair adds to the product of q rotated to m and k rotated to n.

    Both vectors are turned to their own positions, as a model does; nothing here uses m - n. With ``rest_score`` the
    pairs sum to ``score``.

    Args:
        q: (..., head_dim) queries; head_dim positive and even.
        k: (..., head_dim) keys.
        m: (...) positions of the queries, integers or floats.
        n: (...) positions of the keys. The leading axes of q and k, m and n all broadcast together.
        base: As in ``rotate``, like the other keywords.
        inv_freq: As in ``rotate``.
        pairing: As in ``rotate``.
        rotary_dim: As in ``rotate``.

    Returns:
        (..., rotary_dim / 2), not scaled by 1 / sqrt(head_dim), in the floating dtype that q and k promote to.

    Raises:
        ValueError: an argument is outside its range or does not broadcast.

    Source:
        Su et al. 2021, arXiv:2104.09864, equations 16 and 34.
    """
    (q, k), (m, n) = queries_and_keys(q, k), (real_array("m", m), real_array("n", n))
    inv_freq, rotary_dim = plan(q.shape[-1], base, inv_freq, pairing, rotary_dim)
    common_shape(q=q[..., 0], k=k[..., 0], m=m, n=n)
    _, (q, k, m, n, inv_freq) = in_one_namespace(q, k, m, n, inv_freq)
    q_first, q_second = turned(q[..., :rotary_dim], m, inv_freq, pairing)
    k_first, k_second = turned(k[..., :rotary_dim], n, inv_freq, pairing)
    return cast(q_first * k_first + q_second * k_second, outcome_dtype(q, k))  # (..., rotary_dim / 2)


def queries_and_keys(q: Any, k: Any) -> tuple[Array, Array]:
    """q and k as arrays of one kind and one even width."""
    q, k = vectors("q", q), vectors("k", k)
    if q.shape[-1] != k.shape[-1]:
        raise check.shape_refusal("k", f"as wide as q, {q.shape[-1]}", k.shape)
    common_shape(q=q[..., 0], k=k[..., 0])
    return in_one_namespace(q, k)[1]


def rest_score(q: Any, k: Any, *, rotary_dim: int | None = None) -> Array:
    """The part of q . k from the channels that do not turn; positions do not enter.

    Args:
        q: (..., head_dim) queries; head_dim positive and even.
        k: (..., head_dim) keys; the leading axes broadcast.
        rotary_dim: Leading channels that turn; all if None, which leaves 0.

    Returns:
        (...), in the floating dtype that q and k promote to.

    Raises:
        ValueError: an argument is outside its range or does not broadcast.

    Source:
        Partial rotation as in EleutherAI/gpt-neox, ``rotary_pct``.
    """
    q, k = queries_and_keys(q, k)
    start = q.shape[-1] if rotary_dim is None else check.even("rotary_dim", rotary_dim, most=q.shape[-1])
    return cast(_dot(float64(q)[..., start:], float64(k)[..., start:]), outcome_dtype(q, k))


def _dot(a: Array, b: Array) -> Array:
    return namespace(a, b).sum(a * b, axis=-1)


def score(
    q: Any,
    k: Any,
    m: Any,
    n: Any,
    *,
    base: float = 10_000.0,
    inv_freq: Any = None,
    pairing: str = "interleaved",
    rotary_dim: int | None = None,
) -> Array:
    """Product of q rotated to m and k rotated to n, channels that do not turn included.

    Args:
        q: As in ``pair_scores``, like all arguments: (..., head_dim).
        k: (..., head_dim).
        m: (...) positions of the queries.
        n: (...) positions of the keys; ``m[:, None]`` and ``n`` give the whole table.
        base: As in ``rotate``.
        inv_freq: As in ``rotate``.
        pairing: As in ``rotate``.
        rotary_dim: As in ``rotate``.

    Returns:
        (...), not scaled by 1 / sqrt(head_dim), in the floating dtype that q and k promote to. A function of m - n.

    Raises:
        ValueError: an argument is outside its range or does not broadcast.

    Source:
        Su et al. 2021, arXiv:2104.09864, equation 16.
    """
    q, k = queries_and_keys(q, k)
    exact = float64(q), float64(k)
    pairs = pair_scores(*exact, m, n, base=base, inv_freq=inv_freq, pairing=pairing, rotary_dim=rotary_dim)
    rest = rest_score(*exact, rotary_dim=rotary_dim)
    xp, (pairs, rest, q, k) = in_one_namespace(pairs, rest, q, k)
    return cast(xp.sum(pairs, axis=-1) + rest, outcome_dtype(q, k))


def additive_score(q: Any, k: Any, m: Any, n: Any, *, base: float = 10_000.0, layout: str = "interleaved") -> Array:
    """(q + PE(m)) . (k + PE(n)): the same content with sinusoids added in place of rotation.

    Args:
        q: (..., d_model) content at m; d_model positive and even.
        k: (..., d_model) content at n.
        m: (...) positions of q, integers or floats.
        n: (...) positions of k. The leading axes of q and k, m and n all broadcast together.
        base: Above 1.
        layout: As in ``sinusoidal``.

    Returns:
        (...), in the floating dtype that q and k promote to. Not a function of m - n.

    Raises:
        ValueError: an argument is outside its range or does not broadcast.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762, section 3.5, without the projections.
    """
    (q, k), (m, n) = queries_and_keys(q, k), (real_array("m", m), real_array("n", n))
    common_shape(q=q[..., 0], k=k[..., 0], m=m, n=n)
    _, (q, k, m, n) = in_one_namespace(q, k, m, n)
    encoded_m, encoded_n = (sinusoidal(float64(p), q.shape[-1], base=base, layout=layout) for p in (m, n))
    return cast(_dot(float64(q) + encoded_m, float64(k) + encoded_n), outcome_dtype(q, k))
