"""Which settings a claim is computed at: the bounds of its function, and less where the work grows fast."""

from posenc.claims import _bounds as bounds
from posenc.claims.settings import SHORTEST

Limits = dict[str, tuple[int, int]]

ATTENDED: Limits = {"seq_len": (SHORTEST, bounds.ATTENDED)}
LAYERS: Limits = {**ATTENDED, "d_model": (2, bounds.ATTENDED)}
SQUARED: Limits = {"seq_len": (SHORTEST, bounds.SQUARED)}
FITTED: Limits = {"d_model": (2, 128)}
"""Twice as wide as the page goes; least squares takes eight times as long for twice the width."""
REORDERED: Limits = {"head_dim": (2, bounds.ATTENDED)}
HEADS, KV_HEADS = 4, 2
CONVERTED: Limits = {**ATTENDED, "head_dim": (2, bounds.ATTENDED // HEADS)}
HALF_CONVERTED: Limits = {**CONVERTED, "head_dim": (4, bounds.ATTENDED // HEADS)}
"""A head of one pair is the same in both pairings, so converting half of it breaks nothing."""
LOOKED_UP: Limits = {"seq_len": (SHORTEST, 1024)}
"""As many rows as GPT-2 has; the one-hot rows take the square of it."""
STRETCHED: Limits = {"seq_len": (SHORTEST, bounds.POSITIONS // 2)}
