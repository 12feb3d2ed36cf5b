"""The lesson's rotary attention without torch: NumPy draws the input and the weights as torch draws them.

Both libraries have the same Mersenne Twister, so the same seed gives the same random bits; only how bits become numbers
has to be written down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc.attention import attention_weights
from posenc.rotary import rotate

SEED = 42
BATCH, SEQ_LEN, DIM = 2, 6, 8
PROJECTIONS = 4
MANTISSA = 24
"""Random bits of a float32 between 0 and 1."""
NORMALS_AT_ONCE = 8
"""torch turns this many uniform numbers, and as many after them, into normal ones together."""
FARTHEST = 10**9


@dataclass(frozen=True, eq=False)
class LessonAttention:
    """Every step of the lesson's single head, for both its sequences; float64.

    Attributes:
        x: (2, 6, 8), the input.
        q: (2, 6, 8), before rotation.
        k: (2, 6, 8), before rotation.
        v: (2, 6, 8).
        q_rotated: (2, 6, 8).
        k_rotated: (2, 6, 8).
        weights: (2, 6, 6); rows sum to 1.
        out: (2, 6, 8).
    """

    x: NDArray[np.float64]
    q: NDArray[np.float64]
    k: NDArray[np.float64]
    v: NDArray[np.float64]
    q_rotated: NDArray[np.float64]
    k_rotated: NDArray[np.float64]
    weights: NDArray[np.float64]
    out: NDArray[np.float64]


def lesson_attention(*, shift: int = 0, base: float = 10_000.0, pairing: str = "interleaved") -> LessonAttention:
    """What ``posenc.nn.lesson_model`` computes, up to torch's float32.

    Args:
        shift: Added to the positions 0 to 5, within 10 ** 9 of 0.
        base: Above 1.
        pairing: As in ``rotate``; the lesson's is "interleaved".

    Returns:
        A LessonAttention.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        ``torch.manual_seed(42); torch.randn(2, 6, 8)`` and four Linear layers in the order q, k, v, out.
    """
    start = check.integer("shift", shift, least=-FARTHEST, most=FARTHEST)
    drawn = _uniform(BATCH * SEQ_LEN * DIM + PROJECTIONS * DIM * DIM)
    x = _normal(drawn[: BATCH * SEQ_LEN * DIM]).reshape(BATCH, SEQ_LEN, DIM)
    to_q, to_k, to_v, to_out = _weights(drawn[BATCH * SEQ_LEN * DIM :])
    q, k, v = x @ to_q.T, x @ to_k.T, x @ to_v.T
    q_rotated, k_rotated = (rotate(part, start + np.arange(SEQ_LEN), base=base, pairing=pairing) for part in (q, k))
    weights = attention_weights(q_rotated, k_rotated)
    return LessonAttention(x, q, k, v, q_rotated, k_rotated, weights, weights @ v @ to_out.T)


def _uniform(count: int) -> NDArray[np.float64]:
    """Numbers from 0 to 1, 1 excluded, in steps of 2 ** -24; torch keeps the low bits of each draw."""
    bits = np.random.RandomState(SEED).randint(0, 2**32, size=count, dtype=np.uint32)
    return np.asarray((bits & (2**MANTISSA - 1)) * 2.0**-MANTISSA)


def _normal(uniform: NDArray[np.float64]) -> NDArray[np.float64]:
    """Box and Muller's normal numbers: eight radii, then eight angles, give eight cosines, then eight sines.

    Source:
        pytorch/pytorch: aten/src/ATen/native/cpu/DistributionTemplates.h, ``normal_fill``, for at least 16 numbers.
    """
    pairs = uniform.reshape(-1, 2, NORMALS_AT_ONCE)
    radius, angle = np.sqrt(-2.0 * np.log1p(-pairs[:, 0])), 2.0 * math.pi * pairs[:, 1]
    both = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return both.reshape(-1).astype(np.float32).astype(np.float64)


def _weights(uniform: NDArray[np.float64]) -> NDArray[np.float64]:
    """(4, 8, 8): a Linear starts between -1 / sqrt(width) and 1 / sqrt(width)."""
    bound = DIM**-0.5
    spread = uniform.reshape(PROJECTIONS, DIM, DIM) * (2.0 * bound) - bound
    return np.asarray(spread.astype(np.float32), dtype=np.float64)
