"""Positional encodings: one implementation of each formula, for NumPy arrays and torch tensors alike.

>>> import numpy as np, posenc
>>> q, k = np.random.default_rng(0).standard_normal((2, 64))
>>> near, far = posenc.score(q, k, m=5, n=2), posenc.score(q, k, m=1005, n=1002)
>>> bool(abs(near - far) < 1e-9)
True
"""

from posenc import claims, lessons
from posenc.curves import ScoreSpread, peaked_pair, random_score_spread, score_curve
from posenc.learned import (
    LearnedTable,
    PositionOverflowError,
    cosine_similarities,
    repeat_last_row,
    resize_table,
    roberta_positions,
    row_norms,
    untrained_table,
)
from posenc.rotary import pair_members, pairing_permutation, rotate, turned_pairs
from posenc.scores import additive_score, pair_scores, rest_score, score
from posenc.shift import LinearMap, best_linear_map, shift_blocks, shift_matrix
from posenc.sinusoidal import (
    distance_kernel,
    dot_products,
    first_negative,
    first_rise,
    inverse_frequencies,
    pair_angles,
    product_matrix,
    sinusoidal,
    wavelengths,
)

__all__ = [
    "LearnedTable",
    "LinearMap",
    "PositionOverflowError",
    "ScoreSpread",
    "additive_score",
    "best_linear_map",
    "claims",
    "cosine_similarities",
    "distance_kernel",
    "dot_products",
    "first_negative",
    "first_rise",
    "inverse_frequencies",
    "lessons",
    "pair_angles",
    "pair_members",
    "pair_scores",
    "pairing_permutation",
    "peaked_pair",
    "product_matrix",
    "random_score_spread",
    "repeat_last_row",
    "resize_table",
    "rest_score",
    "roberta_positions",
    "rotate",
    "row_norms",
    "score",
    "score_curve",
    "shift_blocks",
    "shift_matrix",
    "sinusoidal",
    "turned_pairs",
    "untrained_table",
    "wavelengths",
]
