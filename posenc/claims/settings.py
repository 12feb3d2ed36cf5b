"""The settings at which claims are checked."""

from __future__ import annotations

from dataclasses import dataclass

from posenc import _checks as check
from posenc._rotation import PAIRINGS
from posenc.claims import _bounds as bounds
from posenc.sinusoidal import LAYOUTS

SHORTEST = 3
"""Tokens: reversing what stands before the last one takes two."""
FARTHEST_SHIFT = 1_000_000
"""As far as the pages go; past it, angles in float64 lose the digits that a claim is about."""


@dataclass(frozen=True)
class Settings:
    """One set of sizes and choices for all claims; each takes those that its parameters name.

    Attributes:
        d_model: Width of embeddings and of sinusoids; even, 2 to 2,048.
        head_dim: Width of a head; even, 2 to 2,048.
        base: Above 1.
        seq_len: Positions from 0 on, 3 to 4,096; also the rows of a learned table.
        layout: "interleaved" or "concatenated", of sinusoids.
        pairing: "interleaved" or "half", of rotations.
        rotary_dim: Leading channels of a head that turn; even, up to head_dim; all if None.
        shift: By how many positions everything moves; within 1,000,000 of 0, and not 0, which would show nothing.
        seed: Of whatever is drawn; an integer of at least 0.

    Raises:
        ValueError: a setting is outside its range.
    """

    d_model: int = 64
    head_dim: int = 8
    base: float = 10_000.0
    seq_len: int = 128
    layout: str = "interleaved"
    pairing: str = "interleaved"
    rotary_dim: int | None = None
    shift: int = 17
    seed: int = 0

    def __post_init__(self) -> None:
        check.even("d_model", self.d_model, most=bounds.WIDTH)
        check.even("head_dim", self.head_dim, most=bounds.WIDTH)
        check.base(self.base)
        check.integer("seq_len", self.seq_len, least=SHORTEST, most=bounds.POSITIONS)
        check.choice("layout", self.layout, LAYOUTS)
        check.choice("pairing", self.pairing, PAIRINGS)
        if self.rotary_dim is not None:
            check.even("rotary_dim", self.rotary_dim, most=self.head_dim)
        if check.integer("shift", self.shift, least=-FARTHEST_SHIFT, most=FARTHEST_SHIFT) == 0:
            raise check.refusal("shift", "an integer other than 0 (a shift by 0 moves nothing)", self.shift)
        check.count("seed", self.seed, least=0)
