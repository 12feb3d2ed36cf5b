"""Rotary attention step by step, as NumPy arrays keyed by plain numbers: what ``posenc.nn`` does, made ready to show.

torch is imported by the functions that run the module, when they are called.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc._arrays import integer_array

if TYPE_CHECKING:
    from posenc.nn import AttentionSteps

MOST_SHIFTS = 1_024
FARTHEST = 10**9
CACHED_TOKENS = 12
"""The lesson's two sequences of six, one after the other."""


@dataclass(frozen=True, eq=False)
class Walkthrough:
    """Every step of the lesson's attention for one sequence, at each of several shifts of all positions.

    Attributes:
        shifts: (shifts,) int64; token t stands at position t + shift.
        shapes: What the module itself handles: name of the step -> shape, with the batch as first axis.
        x: (seq_len, dim), the input, like all arrays float64.
        q: (num_heads, seq_len, head_dim), before rotation.
        k: (num_kv_heads, seq_len, head_dim), before rotation.
        v: (num_kv_heads, seq_len, head_dim), before rotation.
        q_rotated: (shifts, num_heads, seq_len, head_dim); q again where nothing rotates.
        k_rotated: (shifts, num_kv_heads, seq_len, head_dim); k again where nothing rotates.
        v_rotated: (shifts, num_kv_heads, seq_len, head_dim); v again unless values rotate.
        scores: (shifts, num_heads, seq_len, seq_len), scaled by 1 / sqrt(head_dim), nothing masked.
        weights: (shifts, num_heads, seq_len, seq_len), after mask and softmax.
        mixed: (shifts, num_heads, seq_len, head_dim), weights times values.
        out: (shifts, seq_len, dim), heads joined and projected.
    """

    shifts: NDArray[np.int64]
    shapes: dict[str, tuple[int, ...]]
    x: NDArray[np.float64]
    q: NDArray[np.float64]
    k: NDArray[np.float64]
    v: NDArray[np.float64]
    q_rotated: NDArray[np.float64]
    k_rotated: NDArray[np.float64]
    v_rotated: NDArray[np.float64]
    scores: NDArray[np.float64]
    weights: NDArray[np.float64]
    mixed: NDArray[np.float64]
    out: NDArray[np.float64]

    @property
    def weights_change(self) -> float:
        """Largest difference between the weights at any shift and at the first."""
        return float(np.max(np.abs(self.weights - self.weights[0])))

    @property
    def output_change(self) -> float:
        """Largest difference between the outputs at any shift and at the first."""
        return float(np.max(np.abs(self.out - self.out[0])))

    @property
    def row_sum_error(self) -> float:
        """Largest | 1 - sum of a row of weights |."""
        return float(np.max(np.abs(self.weights.sum(axis=-1) - 1.0)))


def attention_walkthrough(
    *,
    shifts: Sequence[int] = (0,),
    sample: int = 0,
    rotate: bool = True,
    rotate_values: bool = False,
    causal: bool = False,
    num_heads: int = 1,
    num_kv_heads: int | None = None,
) -> Walkthrough:
    """The lesson's input through its module, in float64. Imports torch.

    Args:
        shifts: (shifts,) integers within 10 ** 9 of 0, at most 1,024 of them.
        sample: Which sequence of the batch, 0 or 1.
        rotate: Whether queries and keys turn.
        rotate_values: Whether values turn too, at the same positions.
        causal: Whether later tokens are hidden.
        num_heads: 1, 2 or 4.
        num_kv_heads: A divisor of num_heads; num_heads if None.

    Returns:
        A Walkthrough; the lesson's own numbers, up to its float32, with the defaults.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``posenc.nn.RotarySelfAttention`` and ``posenc.nn.lesson_model``.
    """
    at = np.asarray(integer_array("shifts", shifts), dtype=np.int64)
    if at.ndim != 1 or not 1 <= at.size <= MOST_SHIFTS or np.abs(at).max() > FARTHEST:
        raise check.refusal("shifts", f"1 to {MOST_SHIFTS:,} integers within {FARTHEST:,} of 0", shifts)
    from posenc.nn import LESSON_SHAPE, lesson_model

    batch, seq_len, _ = LESSON_SHAPE
    chosen = check.integer("sample", sample, least=0, most=batch - 1)
    x, model = lesson_model(
        num_heads=num_heads,
        num_kv_heads=num_kv_heads,
        rotate_queries_and_keys=rotate,
        rotate_values=rotate_values,
        causal=causal,
    )
    x, model = x.double(), model.double()
    once = model.steps(x)
    shapes = {field.name: tuple(getattr(once, field.name).shape) for field in fields(once) if field.name != "positions"}
    # One sequence at every shift is a batch of its own: (shifts, seq_len, dim) at (shifts, seq_len).
    steps = model.steps(x[chosen].expand(at.size, -1, -1), at[:, None] + np.arange(seq_len))
    still = {name: _numpy(steps, name)[0] for name in ("x", "q", "k", "v")}
    moving = ("q_rotated", "k_rotated", "v_rotated", "scores", "weights", "mixed", "out")
    return Walkthrough(at, shapes, **still, **{name: _numpy(steps, name) for name in moving})


def _numpy(steps: AttentionSteps, name: str) -> NDArray[np.float64]:
    tensor: Any = getattr(steps, name)
    return np.array(tensor.detach().numpy())


def lesson_digits() -> dict[str, NDArray[np.float64]]:
    """Four numbers of each step of the lesson, to check another implementation against. Imports torch.

    Returns:
        Index into the lesson's tensors, without the axis of the one head -> (4,) float64: the first channels or
        weights of a token, or the sums of the first rows of weights.

    Source:
        As ``attention_walkthrough`` with its defaults.
    """
    walk = attention_walkthrough()
    return {
        "x[0, 1]": walk.x[1, :4],
        "q[0, 1]": walk.q[0, 1, :4],
        "q_rotated[0, 1]": walk.q_rotated[0, 0, 1, :4],
        "k_rotated[0, 1]": walk.k_rotated[0, 0, 1, :4],
        "weights[0, 0]": walk.weights[0, 0, 0, :4],
        "weights[0].sum(-1)": walk.weights[0, 0, :4].sum(axis=-1),
        "out[0, 0]": walk.out[0, 0, :4],
    }


@dataclass(frozen=True, eq=False)
class CacheErrors:
    """How far outputs made token by token, with a cache, are from those of the whole sequence at once.

    Attributes:
        counting: (tokens,) float64, largest difference in each token's output, where positions go on counting.
        stuck: (tokens - 1, tokens) float64, the same where positions count over a prompt of 1, 2, ... tokens and are 0
            for every token after it.
    """

    counting: NDArray[np.float64]
    stuck: NDArray[np.float64]


def cache_errors(*, num_heads: int = 1, num_kv_heads: int | None = None) -> CacheErrors:
    """Errors of the lesson's module, made causal, on its twelve input vectors as one sequence. Imports torch.

    Args:
        num_heads: As in ``attention_walkthrough``.
        num_kv_heads: As in ``attention_walkthrough``.

    Returns:
        A CacheErrors of twelve tokens.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``posenc.nn.token_by_token``; Blaizzy/mlx-vlm #1983 for the fault.
    """
    from posenc.nn import lesson_model, token_by_token

    x, model = lesson_model(causal=True, num_heads=num_heads, num_kv_heads=num_kv_heads)
    x, model = x.double().reshape(1, CACHED_TOKENS, -1), model.double()
    at_once = model(x)

    def errors(positions: NDArray[np.int64]) -> NDArray[np.float64]:
        apart: Any = (token_by_token(model, x, positions) - at_once).abs().amax(dim=(0, 2)).detach()
        return np.array(apart.numpy())

    right = np.arange(CACHED_TOKENS)
    return CacheErrors(errors(right), np.stack([errors(np.where(right < prompt, right, 0)) for prompt in right[1:]]))
