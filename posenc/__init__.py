"""Positional encodings: one implementation of each formula, for NumPy arrays and torch tensors alike.

>>> import numpy as np, posenc
>>> q, k = np.random.default_rng(0).standard_normal((2, 64))
>>> near, far = posenc.score(q, k, m=5, n=2), posenc.score(q, k, m=1005, n=1002)
>>> bool(abs(near - far) < 1e-9)
True
"""

from posenc import claims, lessons
from posenc.attention import attention, attention_scores, attention_weights, causal_mask, softmax
from posenc.conventions import Conversion, conversion, squared_lengths
from posenc.curves import ScoreSpread, peaked_pair, random_score_spread, score_curve
from posenc.layouts import (
    MixUp,
    Spectra,
    compare_spectra,
    layout_permutation,
    mix_ups,
    mixed_up,
    permute_projection,
)
from posenc.learned import (
    LearnedTable,
    PositionOverflowError,
    cosine_similarities,
    first_overflow,
    repeat_last_row,
    resize_table,
    roberta_positions,
    row_norms,
    untrained_table,
)
from posenc.order import OrderComparison, Stack, attention_stack, embed_words, order_comparison
from posenc.profile import DistanceProfile, distance_profile
from posenc.recorded import RecordedError, torch_embedding_error, trained_table
from posenc.rotary import pair_members, pairing_permutation, rotate, rotate_by, rotation_table, turned_pairs
from posenc.scores import additive_score, pair_scores, rest_score, score
from posenc.shift import LinearMap, best_linear_map, pair_channels, shift_blocks, shift_matrix, shifted
from posenc.shuffles import Shuffles, last_word_changes, neighbour_walk, reverse_step, shuffles
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
from posenc.table import (
    Channels,
    DrawnTable,
    NearestRows,
    channel_values,
    channels,
    drawn_table,
    nearest_rows,
    spread_pairs,
)
from posenc.trained import Lengthened, lengthened_tables, lengthening_agreement, row_similarities
from posenc.walkthrough import CacheErrors, Walkthrough, attention_walkthrough, cache_errors

__all__ = [
    "CacheErrors",
    "Channels",
    "Conversion",
    "DistanceProfile",
    "DrawnTable",
    "LearnedTable",
    "Lengthened",
    "LinearMap",
    "MixUp",
    "NearestRows",
    "OrderComparison",
    "PositionOverflowError",
    "RecordedError",
    "ScoreSpread",
    "Shuffles",
    "Spectra",
    "Stack",
    "Walkthrough",
    "additive_score",
    "attention",
    "attention_scores",
    "attention_stack",
    "attention_walkthrough",
    "attention_weights",
    "best_linear_map",
    "cache_errors",
    "causal_mask",
    "channel_values",
    "channels",
    "claims",
    "compare_spectra",
    "conversion",
    "cosine_similarities",
    "distance_kernel",
    "distance_profile",
    "dot_products",
    "drawn_table",
    "embed_words",
    "first_negative",
    "first_overflow",
    "first_rise",
    "inverse_frequencies",
    "last_word_changes",
    "layout_permutation",
    "lengthened_tables",
    "lengthening_agreement",
    "lessons",
    "mix_ups",
    "mixed_up",
    "nearest_rows",
    "neighbour_walk",
    "order_comparison",
    "pair_angles",
    "pair_channels",
    "pair_members",
    "pair_scores",
    "pairing_permutation",
    "peaked_pair",
    "permute_projection",
    "product_matrix",
    "random_score_spread",
    "repeat_last_row",
    "resize_table",
    "rest_score",
    "reverse_step",
    "roberta_positions",
    "rotate",
    "rotate_by",
    "rotation_table",
    "row_norms",
    "row_similarities",
    "score",
    "score_curve",
    "shift_blocks",
    "shift_matrix",
    "shifted",
    "shuffles",
    "sinusoidal",
    "softmax",
    "spread_pairs",
    "squared_lengths",
    "torch_embedding_error",
    "trained_table",
    "turned_pairs",
    "untrained_table",
    "wavelengths",
]
