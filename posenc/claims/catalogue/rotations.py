"""Claims of the pages about rotation."""

from __future__ import annotations

from posenc.claims import _grounds as grounds
from posenc.claims import (
    additive_drift,
    cache_position_error,
    cache_residual,
    curve_residual,
    pair_sum_residual,
    peak_margin,
    relative_residual,
    rotation_norm_residual,
    weights_shift_residual,
)
from posenc.claims.catalogue._limits import ATTENDED, SQUARED
from posenc.claims.registry import Claim
from posenc.claims.shown import (
    module_cache_residual,
    module_digits_residual,
    module_output_residual,
    module_row_sum_residual,
    module_weights_residual,
)
from posenc.wording import Wording

ROTATIONS = (
    Claim(
        "rope",
        relative_residual,
        Wording(zh="q、k 一起平移，分数不变", en="moving q and k together keeps the score"),
        grounds.moved_scores,
        limits=SQUARED,
    ),
    Claim(
        "rope",
        rotation_norm_residual,
        Wording(zh="旋转不改变向量长度", en="turning keeps the length of a vector"),
        grounds.rotated_lengths,
    ),
    Claim(
        "rope",
        pair_sum_residual,
        Wording(zh="各对维度的贡献加起来就是分数", en="the parts of the pairs add up to the score"),
        grounds.scores,
        given={"m": lambda s: s.seq_len, "n": lambda s: s.shift},
    ),
    Claim(
        "rope",
        curve_residual,
        Wording(zh="分数是几条随距离变化的余弦波之和", en="the score is a sum of waves over distance"),
        grounds.curves,
    ),
    Claim(
        "rope",
        additive_drift,
        Wording(zh="改成加正弦编码，一起平移分数就变", en="with sinusoids added, moving both moves the score"),
        grounds.moved_sums,
        must_be="above",
        limits=SQUARED,
    ),
    Claim(
        "rope",
        peak_margin,
        Wording(zh="可以造出一个头，在选定的距离上分数最高", en="a head can peak at any chosen distance"),
        grounds.peaks,
        must_be="above",
        given={"distance": lambda s: s.seq_len // 2},
    ),
    Claim(
        "rope_attention",
        weights_shift_residual,
        Wording(zh="位置整体移动，权重不变", en="moving all positions keeps the weights"),
        grounds.moved_weights,
        limits=ATTENDED,
    ),
    Claim(
        "rope_attention",
        cache_residual,
        Wording(zh="用缓存逐个生成，位置接着数，输出不变", en="one by one with a cache gives the same output"),
        grounds.mixtures,
        limits=ATTENDED,
    ),
    Claim(
        "rope_attention",
        cache_position_error,
        Wording(zh="缓存之后位置停在 0，输出就错了", en="with positions stuck at 0 the output is wrong"),
        grounds.mixtures,
        must_be="above",
        given={"prompt_len": lambda s: s.seq_len // 2},
        limits=ATTENDED,
    ),
    Claim(
        "rope_attention",
        module_row_sum_residual,
        Wording(zh="PyTorch 模块：每行权重之和为 1", en="torch module: each row of weights sums to 1"),
        grounds.module_row_sums,
        needs_torch=True,
    ),
    Claim(
        "rope_attention",
        module_weights_residual,
        Wording(zh="PyTorch 模块：位置整体移动，权重不变", en="torch module: moving all keeps the weights"),
        grounds.module_moved,
        needs_torch=True,
    ),
    Claim(
        "rope_attention",
        module_output_residual,
        Wording(zh="PyTorch 模块：位置整体移动，输出不变", en="torch module: moving all keeps the output"),
        grounds.module_moved,
        given={"rotate_values": False},
        needs_torch=True,
    ),
    Claim(
        "rope_attention",
        module_output_residual,
        Wording(zh="PyTorch 模块：v 也转，输出就跟着位置变", en="torch module: with v turned, the output moves"),
        grounds.module_moved,
        must_be="above",
        variant="values",
        given={"rotate_values": True},
        needs_torch=True,
    ),
    Claim(
        "rope_attention",
        module_cache_residual,
        Wording(zh="PyTorch 模块：用缓存逐个送入，输出不变", en="torch module: fed one by one, the same output"),
        grounds.module_cache,
        needs_torch=True,
    ),
    Claim(
        "rope_attention",
        module_digits_residual,
        Wording(zh="PyTorch 模块的数与只用 NumPy 算的相同", en="torch module: the same numbers by NumPy alone"),
        grounds.module_digits,
        needs_torch=True,
    ),
)
