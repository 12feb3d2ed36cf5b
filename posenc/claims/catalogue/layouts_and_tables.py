"""Claims of the pages about orders of channels and learned tables."""

from __future__ import annotations

from posenc.claims import _grounds as grounds
from posenc.claims import (
    conversion_residual,
    layout_residual,
    lookup_residual,
    pairing_residual,
    resize_residual,
)
from posenc.claims.catalogue._limits import CONVERTED, HALF_CONVERTED, HEADS, KV_HEADS, LOOKED_UP, REORDERED, STRETCHED
from posenc.claims.registry import Claim
from posenc.wording import Wording

MODEL = {"d_model": lambda s: HEADS * s.head_dim, "num_heads": HEADS, "num_kv_heads": KV_HEADS}

LAYOUTS_AND_TABLES = (
    Claim(
        "layouts",
        layout_residual,
        Wording(zh="两种排列里是同样的数", en="both layouts hold the same numbers"),
        grounds.nothing,
    ),
    Claim(
        "layouts",
        pairing_residual,
        Wording(zh="先重排再转，等于先转再重排", en="reorder, then turn: as turn, then reorder"),
        grounds.nothing,
        limits=REORDERED,
    ),
    Claim(
        "layouts",
        conversion_residual,
        Wording(zh="W_Q、W_K 都重排，分数不变", en="W_Q and W_K both reordered: same scores"),
        grounds.converted,
        given={**MODEL, "converted": "both"},
        limits=CONVERTED,
    ),
    Claim(
        "layouts",
        conversion_residual,
        Wording(zh="只重排 W_Q，分数就变了", en="only W_Q reordered: other scores"),
        grounds.converted,
        must_be="above",
        variant="queries",
        given={**MODEL, "converted": "queries"},
        limits=HALF_CONVERTED,
    ),
    Claim(
        "layouts",
        conversion_residual,
        Wording(zh="只重排 W_K，分数也变了", en="only W_K reordered: other scores"),
        grounds.converted,
        must_be="above",
        variant="keys",
        given={**MODEL, "converted": "keys"},
        limits=HALF_CONVERTED,
    ),
    Claim(
        "learned_table",
        lookup_residual,
        Wording(zh="查表就是用独热向量乘表", en="a lookup is one-hot rows times the table"),
        grounds.nothing,
        limits=LOOKED_UP,
    ),
    Claim(
        "learned_table",
        resize_residual,
        Wording(zh="拉长后的表就是线性插值", en="a stretched table is linear interpolation"),
        grounds.interpolated,
        given={"new_rows": lambda s: 2 * s.seq_len},
        limits=STRETCHED,
    ),
)
