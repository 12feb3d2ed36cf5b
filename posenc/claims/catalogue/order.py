"""Claims of the page about order."""

from __future__ import annotations

from posenc.claims import _grounds as grounds
from posenc.claims import (
    addition_residual,
    causal_last_residual,
    causal_leak,
    equivariance_residual,
    order_effect,
    row_sum_residual,
)
from posenc.claims.catalogue._limits import ATTENDED, LAYERS
from posenc.claims.registry import Claim
from posenc.claims.shown import (
    last_word_residual,
    shuffled_sentence_residual,
)
from posenc.wording import Wording

ORDER = (
    Claim(
        "order",
        equivariance_residual,
        Wording(zh="没有位置时，词打乱，输出跟着打乱", en="without positions, outputs shuffle with words"),
        grounds.layers,
        given={"layers": 2},
        limits=LAYERS,
    ),
    Claim(
        "order",
        shuffled_sentence_residual,
        Wording(zh="三个词不论怎么排，每个词的输出都不变", en="three words in any order keep their outputs"),
        grounds.layers,
        given={"layers": 2},
        limits=LAYERS,
    ),
    Claim(
        "order",
        order_effect,
        Wording(zh="加上正弦编码，顺序起作用", en="with sinusoids added, order counts"),
        grounds.layers,
        must_be="above",
        variant="sinusoidal",
        given={"positions": "sinusoidal"},
        limits=LAYERS,
    ),
    Claim(
        "order",
        order_effect,
        Wording(zh="用了 RoPE，顺序起作用", en="with RoPE, order counts"),
        grounds.layers,
        must_be="above",
        variant="rope",
        given={"positions": "rope"},
        limits=LAYERS,
    ),
    Claim(
        "order",
        order_effect,
        Wording(zh="只加因果掩码，顺序也起作用", en="with a causal mask alone, order counts too"),
        grounds.layers,
        must_be="above",
        variant="causal",
        given={"positions": "none", "causal": True},
        limits=LAYERS,
    ),
    Claim(
        "order",
        causal_last_residual,
        Wording(zh="因果掩码，一层：最后的输出与前文顺序无关", en="one causal layer: the last output sees no order"),
        grounds.layers,
        limits=LAYERS,
    ),
    Claim(
        "order",
        last_word_residual,
        Wording(zh="因果掩码，一层：前两个词对调，第三个不变", en="one causal layer: swap two words, the third stays"),
        grounds.layers,
        limits=LAYERS,
    ),
    Claim(
        "order",
        causal_leak,
        Wording(zh="因果掩码，两层：最后的输出看得出顺序", en="two causal layers: the last output sees order"),
        grounds.layers,
        must_be="above",
        given={"layers": 2},
        limits=LAYERS,
    ),
    Claim(
        "order",
        row_sum_residual,
        Wording(zh="每一行权重之和为 1", en="each row of weights sums to 1"),
        grounds.row_sums,
        limits=ATTENDED,
    ),
    Claim(
        "order",
        addition_residual,
        Wording(zh="相加等于拼接后两块权重相同", en="adding is concatenating with equal weights"),
        grounds.products,
        limits=LAYERS,
    ),
)
