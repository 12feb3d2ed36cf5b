"""Torch modules: self-attention with rotary positions, every step of it open to view.

The only module of posenc that imports torch; ``import posenc`` does not import it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from posenc import _checks as check
from posenc._arrays import real_array
from posenc._rotation import plan
from posenc.attention import attention, attention_scores, attention_weights
from posenc.rotary import rotate

LESSON_SEED = 42
LESSON_SHAPE = (2, 6, 8)


class KeyValueCache:
    """Rotated keys, and values, of the tokens so far; empty at first.

    Keys are kept after their rotation, so that each is rotated once, at its own position.

    Attributes:
        keys: (batch, num_kv_heads, length, head_dim), or None while empty.
        values: The same for values.
    """

    def __init__(self) -> None:
        self.keys: Tensor | None = None
        self.values: Tensor | None = None

    @property
    def length(self) -> int:
        """Tokens held, which is the position that comes next if positions count on from 0."""
        return 0 if self.keys is None else int(self.keys.shape[2])

    def append(self, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """All keys and values, the new ones last.

        Args:
            keys: (batch, num_kv_heads, n, head_dim), rotated.
            values: (batch, num_kv_heads, n, head_dim).

        Returns:
            (keys, values), (batch, num_kv_heads, length, head_dim) each; gradients reach back through them.

        Raises:
            ValueError: the shapes differ from each other or from what the cache holds.
        """
        if keys.ndim != 4 or values.shape != keys.shape:
            raise check.shape_refusal("values", f"of the keys' shape {tuple(keys.shape)}, four axes", values.shape)
        if self.keys is None or self.values is None:
            self.keys, self.values = keys, values
        else:
            held = tuple(self.keys.shape)
            if held[:2] + held[3:] != tuple(keys.shape[:2] + keys.shape[3:]):
                raise check.shape_refusal("keys", f"like those in the cache, {held}, along all but axis 2", keys.shape)
            self.keys, self.values = torch.cat([self.keys, keys], dim=2), torch.cat([self.values, values], dim=2)
        return self.keys, self.values


@dataclass(frozen=True, eq=False)
class AttentionSteps:
    """Everything that ``RotarySelfAttention`` computes on the way; k_len counts cached tokens, seq_len does not.

    Attributes:
        x: (batch, seq_len, dim), the input.
        positions: (seq_len,) or (batch, seq_len).
        q: (batch, num_heads, seq_len, head_dim), before rotation.
        k: (batch, num_kv_heads, seq_len, head_dim), before rotation.
        v: (batch, num_kv_heads, seq_len, head_dim), before rotation.
        q_rotated: Like q; q itself where the module does not rotate.
        k_rotated: Like k; k itself where the module does not rotate.
        v_rotated: Like v; v itself unless the module rotates values, which no real model does.
        scores: (batch, num_heads, seq_len, k_len), scaled by 1 / sqrt(head_dim), nothing masked.
        weights: (batch, num_heads, seq_len, k_len), after mask and softmax.
        mixed: (batch, num_heads, seq_len, head_dim), weights times values.
        out: (batch, seq_len, dim), heads joined and projected: what ``forward`` returns.
    """

    x: Tensor
    positions: Tensor
    q: Tensor
    k: Tensor
    v: Tensor
    q_rotated: Tensor
    k_rotated: Tensor
    v_rotated: Tensor
    scores: Tensor
    weights: Tensor
    mixed: Tensor
    out: Tensor


class RotarySelfAttention(nn.Module):
    """Self-attention whose queries and keys are rotated to their positions; values are not.

    Args:
        dim: Width of the input and output.
        num_heads: Query heads; divides dim into heads of even width.
        num_kv_heads: Key and value heads, a divisor of num_heads, each shared by a group of neighbouring query heads;
            num_heads if None.
        base: Above 1.
        pairing: "interleaved" or "half", as in ``posenc.rotate``.
        rotary_dim: Leading channels of each head that turn; all if None.
        rotate_queries_and_keys: False leaves the module without positions.
        rotate_values: True does what is often believed and never done: outputs then depend on absolute positions.
        causal: Whether later tokens are hidden.
        generator: Draws the weights; torch's global one if None.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Su et al. 2021, arXiv:2104.09864, equation 16; Ainslie et al. 2023, arXiv:2305.13245, for grouped heads.
    """

    def __init__(
        self,
        dim: int,
        *,
        num_heads: int = 1,
        num_kv_heads: int | None = None,
        base: float = 10_000.0,
        pairing: str = "interleaved",
        rotary_dim: int | None = None,
        rotate_queries_and_keys: bool = True,
        rotate_values: bool = False,
        causal: bool = False,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        self.dim, self.num_heads = check.even("dim", dim), check.count("num_heads", num_heads)
        if self.dim % (2 * self.num_heads):
            raise check.refusal("num_heads", f"a divisor of dim / 2, {self.dim // 2}", num_heads)
        self.num_kv_heads = self.num_heads if num_kv_heads is None else check.count("num_kv_heads", num_kv_heads)
        if self.num_heads % self.num_kv_heads:
            raise check.refusal("num_kv_heads", f"a divisor of num_heads, {self.num_heads}", num_kv_heads)
        self.head_dim = self.dim // self.num_heads
        plan(self.head_dim, base, None, pairing, rotary_dim)
        self.base, self.pairing, self.rotary_dim = float(base), pairing, rotary_dim
        self.rotate_queries_and_keys = check.flag("rotate_queries_and_keys", rotate_queries_and_keys)
        self.rotate_values = check.flag("rotate_values", rotate_values)
        self.causal = check.flag("causal", causal)
        kv_dim = self.num_kv_heads * self.head_dim
        self.q_proj = _projection(self.dim, self.dim, generator)
        self.k_proj = _projection(self.dim, kv_dim, generator)
        self.v_proj = _projection(self.dim, kv_dim, generator)
        self.out_proj = _projection(self.dim, self.dim, generator)

    def forward(self, x: Tensor, positions: Any = None, cache: KeyValueCache | None = None) -> Tensor:
        """Attention of the tokens on each other, and on those in the cache.

        Args:
            x: (batch, seq_len, dim), floating, of the weights' dtype.
            positions: (seq_len,) or (batch, seq_len) integers or floats; counting on from the cache's length, or from
                0, if None.
            cache: Tokens before x; x is appended to it. Only a causal module gives the same with it as without.

        Returns:
            (batch, seq_len, dim).

        Raises:
            ValueError: an argument does not fit, or a module that is not causal is given a cache.
        """
        return self.steps(x, positions, cache).out

    def steps(self, x: Tensor, positions: Any = None, cache: KeyValueCache | None = None) -> AttentionSteps:
        """Every intermediate result of ``forward``.

        Args:
            x: As in ``forward``, like all arguments.
            positions: As in ``forward``.
            cache: As in ``forward``.

        Returns:
            An AttentionSteps, all tensors in one graph.

        Raises:
            ValueError: as ``forward``.
        """
        at = self._positions(self._input(x), positions, cache)
        q, k, v = (self._heads(projection(x)) for projection in (self.q_proj, self.k_proj, self.v_proj))
        q_rotated, k_rotated = (self._rotated(part, at, self.rotate_queries_and_keys) for part in (q, k))
        v_rotated = self._rotated(v, at, self.rotate_values)
        keys, values = (k_rotated, v_rotated) if cache is None else cache.append(k_rotated, v_rotated)
        grouped_q, keys, values = self._grouped(q_rotated), keys[:, :, None], values[:, :, None]
        scores = attention_scores(grouped_q, keys).flatten(1, 2)  # (batch, num_heads, seq_len, k_len)
        weights = attention_weights(grouped_q, keys, causal=self.causal).flatten(1, 2)
        mixed = attention(grouped_q, keys, values, causal=self.causal).flatten(1, 2)
        out = self.out_proj(mixed.transpose(1, 2).flatten(2))  # (batch, seq_len, dim)
        return AttentionSteps(x, at, q, k, v, q_rotated, k_rotated, v_rotated, scores, weights, mixed, out)

    def _input(self, x: Tensor) -> Tensor:
        if not isinstance(x, Tensor):
            raise check.refusal("x", "a tensor", x)
        if x.ndim != 3 or x.shape[2] != self.dim or 0 in x.shape:
            raise check.shape_refusal("x", f"(batch, seq_len, {self.dim})", tuple(x.shape))
        if x.dtype != self.q_proj.weight.dtype:
            raise check.refusal("x", f"of the weights' dtype {self.q_proj.weight.dtype}", x.dtype)
        real_array("x", x)
        return x

    def _positions(self, x: Tensor, positions: Any, cache: KeyValueCache | None) -> Tensor:
        if cache is not None and not self.causal:
            raise check.refusal("cache", "None unless the module is causal", cache)
        start = 0 if cache is None else cache.length
        if positions is None:
            return torch.arange(start, start + x.shape[1], device=x.device)
        at = torch.as_tensor(real_array("positions", positions), device=x.device)
        if tuple(at.shape) not in ((x.shape[1],), tuple(x.shape[:2])):
            raise check.shape_refusal("positions", f"({x.shape[1]},) or {tuple(x.shape[:2])}", tuple(at.shape))
        return at

    def _heads(self, channels: Tensor) -> Tensor:
        """(batch, seq_len, heads * head_dim) to (batch, heads, seq_len, head_dim)."""
        return channels.reshape(*channels.shape[:2], -1, self.head_dim).transpose(1, 2)

    def _rotated(self, part: Tensor, at: Tensor, is_wanted: bool) -> Tensor:
        if not is_wanted:
            return part
        at = at if at.ndim == 1 else at[:, None]  # (batch, 1, seq_len): the same for every head
        turned: Tensor = rotate(part, at, base=self.base, pairing=self.pairing, rotary_dim=self.rotary_dim)
        return turned

    def _grouped(self, q: Tensor) -> Tensor:
        """(batch, num_kv_heads, group, seq_len, head_dim): query heads beside the key head that they share."""
        return q.reshape(q.shape[0], self.num_kv_heads, -1, *q.shape[2:])


def _projection(width_in: int, width_out: int, generator: torch.Generator | None) -> nn.Linear:
    """A Linear without bias, its numbers drawn as torch draws them, but from any generator."""
    linear: nn.Linear = nn.Linear(width_in, width_out, bias=False, device="meta").to_empty(device="cpu")
    nn.init.kaiming_uniform_(linear.weight, a=math.sqrt(5), generator=generator)
    return linear


def token_by_token(model: RotarySelfAttention, x: Tensor, positions: Any = None) -> Tensor:
    """Outputs of the module fed one token at a time with a cache.

    Args:
        model: Causal.
        x: (batch, seq_len, dim).
        positions: (seq_len,) position given to each token; counting on from 0 if None. Zeros show the fault of a
            position that does not go on counting.

    Returns:
        (batch, seq_len, dim), what ``model(x)`` gives if the positions are right.

    Raises:
        ValueError: as ``RotarySelfAttention.forward``.

    Source:
        Blaizzy/mlx-vlm #1983 for the fault.
    """
    cache, at = KeyValueCache(), None if positions is None else real_array("positions", positions)
    if at is not None and tuple(at.shape) != (x.shape[1],):
        raise check.shape_refusal("positions", f"({x.shape[1]},)", tuple(at.shape))
    steps = [
        model(x[:, t : t + 1], positions=None if at is None else at[t : t + 1], cache=cache) for t in range(x.shape[1])
    ]
    return torch.cat(steps, dim=1)


def lesson_model(**options: Any) -> tuple[Tensor, RotarySelfAttention]:
    """The lesson's input and single-head module, to the digit what torch.manual_seed(42) would draw.

    Args:
        options: Of the RotarySelfAttention, to see the same seed with other heads, mask or rotation.

    Returns:
        (x, model): x (2, 6, 8) float32, then a RotarySelfAttention(8). torch's global generator is not touched, so
        that no visitor's numbers depend on another's.

    Raises:
        ValueError: an option is outside its range.

    Source:
        ``torch.manual_seed(42); torch.randn(2, 6, 8)`` and four Linear layers in the order q, k, v, out.
    """
    generator = torch.Generator().manual_seed(LESSON_SEED)
    x = torch.randn(*LESSON_SHAPE, generator=generator)
    return x, RotarySelfAttention(LESSON_SHAPE[2], generator=generator, **options)
