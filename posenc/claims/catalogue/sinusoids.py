"""Claims of the pages about sinusoids."""

from __future__ import annotations

from posenc.claims import _grounds as grounds
from posenc.claims import (
    circle_residual,
    distance_residual,
    map_residual,
    norm_residual,
    shift_composition_residual,
    shift_inverse_residual,
    shift_residual,
    toeplitz_residual,
)
from posenc.claims.catalogue._limits import FITTED, SQUARED
from posenc.claims.registry import Claim
from posenc.wording import Wording

FIT = {"n": lambda s: max(s.seq_len, 2 * s.d_model)}

SINUSOIDS = (
    Claim(
        "heatmap",
        norm_residual,
        Wording(zh="每一行的长度都是 √(d/2)", en="every row has length sqrt(d/2)"),
        grounds.lengths,
    ),
    Claim(
        "heatmap",
        circle_residual,
        Wording(zh="每一对都满足 sin^2 + cos^2 = 1", en="sin^2 + cos^2 = 1 in every pair"),
        grounds.circle,
    ),
    Claim(
        "distance",
        distance_residual,
        Wording(zh="距离相同，点积就相同，与起点无关", en="same distance, same dot product, from any start"),
        grounds.dot_products,
        limits=SQUARED,
    ),
    Claim(
        "distance",
        toeplitz_residual,
        Wording(zh="方阵的每条对角线上数值不变", en="the matrix is constant along each diagonal"),
        grounds.dot_products,
        limits=SQUARED,
    ),
    Claim(
        "shift_matrix",
        shift_residual,
        Wording(zh="同一个矩阵，把任何位置都移 k 步", en="one matrix moves every position by k"),
        grounds.turns,
    ),
    Claim(
        "shift_matrix",
        shift_composition_residual,
        Wording(zh="先移 a 步，再移 b 步，等于移 a + b 步", en="moving by a and then by b is moving by a + b"),
        grounds.turns,
        given={"a": lambda s: s.shift, "b": lambda s: s.seq_len},
    ),
    Claim(
        "shift_matrix",
        shift_inverse_residual,
        Wording(zh="矩阵的转置正好移回去", en="the transpose of the matrix moves back"),
        grounds.circle,
    ),
    Claim(
        "shift_matrix",
        map_residual,
        Wording(zh="sin 和 cos 都用，最小二乘找得到这个矩阵", en="with sin and cos, least squares finds a matrix"),
        grounds.fits,
        given={**FIT, "features": "pair"},
        limits=FITTED,
    ),
    Claim(
        "shift_matrix",
        map_residual,
        Wording(zh="只用 sin，没有这样的矩阵", en="with sines alone there is no such matrix"),
        grounds.fits,
        must_be="above",
        variant="sine",
        given={**FIT, "features": "sine"},
        limits=FITTED,
    ),
    Claim(
        "shift_matrix",
        map_residual,
        Wording(zh="只用 cos，也没有", en="nor is there with cosines alone"),
        grounds.fits,
        must_be="above",
        variant="cosine",
        given={**FIT, "features": "cosine"},
        limits=FITTED,
    ),
)
