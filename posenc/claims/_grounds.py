"""What rounding alone may leave in a residual, and why: the bounds of claims, from the sizes they are computed at.

A residual below its bound is rounding; one above it is something else, which is what the claims say that are about
breaking. The bounds grow with what is computed, as rounding does, and know nothing of any measured residual.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

Parameters = Mapping[str, Any]

FLOAT64 = 2.0**-52
FLOAT32 = 2.0**-23
SAFETY = 8.0
"""Roundings have random signs; so many standard deviations of them do not come together."""
MODULE_WIDTH = 8
MODULE_TOKENS = 12


def rounding(summed: int, *, farthest: float = 0.0, size: float = 1.0, unit: float = FLOAT64) -> float:
    """The largest residual that rounding explains.

    Args:
        summed: How many numbers are added up. Their roundings have random signs and grow with the root of it.
        farthest: The largest position. The fastest pair turns one radian per position, and so large an angle is known
            only to so many units.
        size: What the numbers that are added up come to, all taken as positive.
        unit: Distance of 1 from the next number: float64's, or float32's where a library drew or computed in it.

    Returns:
        The bound.

    Source:
        Higham and Mary 2019, *A New Approach to Probabilistic Rounding Error Analysis*, SIAM J. Sci. Comput. 41(5).
    """
    return SAFETY * unit * size * (math.sqrt(summed) + farthest)


def drawn(width: int) -> float:
    """About the product of the lengths of two standard normal vectors, with room for the luck of short ones."""
    return width + 16.0


def nothing(_: Parameters) -> float:
    """The same numbers in another order, or added to zeros: nothing is rounded."""
    return 0.0


def circle(_: Parameters) -> float:
    """Two squares of one angle, whatever the angle: its own rounding does not enter."""
    return rounding(2)


def lengths(p: Parameters) -> float:
    """A root of d_model squares that come to d_model / 2."""
    return rounding(p["d_model"], size=math.sqrt(p["d_model"] / 2))


def dot_products(p: Parameters) -> float:
    """d_model products of at most 1, two by two at most 1 together, of angles up to the last position."""
    return rounding(p["d_model"], farthest=p["n"], size=p["d_model"] / 2)


def products(p: Parameters) -> float:
    """Normal rows times normal columns, encodings of at most 1 among them."""
    return rounding(2 * p["d_model"], size=2 * drawn(p["d_model"]))


def turns(p: Parameters) -> float:
    """Two products of sines and cosines, of angles up to the farthest position and the shifts together."""
    return rounding(2, farthest=sum(abs(p[name]) for name in ("k", "n", "a", "b") if name in p))


def fits(p: Parameters) -> float:
    """Least squares drops what is below max(shape) units of its largest singular value, about the root of the sum."""
    kept: float = p["n"] * math.sqrt(p["n"] * p["d_model"] / 2)
    return rounding(p["d_model"], farthest=p["n"] + abs(p["k"]), size=math.sqrt(p["d_model"])) + FLOAT64 * kept


def layers(p: Parameters) -> float:
    """Sums over channels and over words; softmax turns the error of a score, of its size, into one of a weight."""
    return rounding(p["d_model"] + p.get("seq_len", 0), size=drawn(p["d_model"]) / math.sqrt(p["d_model"]) * 4)


def row_sums(p: Parameters) -> float:
    """seq_len weights that come to 1."""
    return rounding(p["seq_len"])


def scores(p: Parameters) -> float:
    """head_dim products; both routes turn by the same angles, so only the products round."""
    return rounding(p["head_dim"], size=drawn(p["head_dim"]))


def curves(p: Parameters) -> float:
    """The same, but one route turns vectors and the other takes cosines of distances: angles up to the last one."""
    return rounding(p["head_dim"], farthest=p["n"], size=drawn(p["head_dim"]))


def moved_scores(p: Parameters) -> float:
    """head_dim products of vectors turned by angles up to the last position after the shift."""
    return rounding(p["head_dim"], farthest=p["seq_len"] + abs(p["shift"]), size=drawn(p["head_dim"]))


def moved_sums(p: Parameters) -> float:
    """The same for d_model channels of content and encoding."""
    return rounding(p["d_model"], farthest=p["seq_len"] + abs(p["shift"]), size=2 * drawn(p["d_model"]))


def moved_weights(p: Parameters) -> float:
    """The error of a score over sqrt(head_dim): a weight, at most 1, moves by no more than its score."""
    return moved_scores(p) / math.sqrt(p["head_dim"]) + rounding(p["seq_len"])


def mixtures(p: Parameters) -> float:
    """Weighted means of normal values, their scores at the same angles by both routes."""
    return 4 * (scores(p) / math.sqrt(p["head_dim"]) + rounding(p["seq_len"]))


def peaks(p: Parameters) -> float:
    """head_dim products of at most 1, of angles up to the last distance."""
    return rounding(p["head_dim"], farthest=p["n"], size=p["head_dim"])


def rotated_lengths(p: Parameters) -> float:
    """A root of head_dim squares; a turn keeps a length whatever its angle."""
    return rounding(p["head_dim"], size=math.sqrt(drawn(p["head_dim"])))


def converted(p: Parameters) -> float:
    """Normal projections of normal rows, then head_dim products of them; angles are the same before and after."""
    return rounding(p["d_model"], size=drawn(p["d_model"] // p["num_heads"]))


def interpolated(p: Parameters) -> float:
    """A place between two rows is known to so many units, and rows of normal numbers differ by up to 8 or so."""
    return rounding(2, farthest=p["rows"], size=8)


def module_row_sums(_: Parameters) -> float:
    """A few weights that come to 1; the module computes in float64."""
    return rounding(MODULE_TOKENS)


def module_moved(p: Parameters) -> float:
    """As ``moved_weights``, for the width of the lesson's module."""
    size = drawn(MODULE_WIDTH) / math.sqrt(MODULE_WIDTH)
    return rounding(MODULE_TOKENS, farthest=abs(p["shift"]) + MODULE_TOKENS, size=size)


def module_cache(_: Parameters) -> float:
    """The module's sums, at the same angles by both routes."""
    return rounding(MODULE_TOKENS, size=drawn(MODULE_WIDTH) / math.sqrt(MODULE_WIDTH))


def module_digits(_: Parameters) -> float:
    """torch draws in float32, and computes logarithm and cosine of the draw in it."""
    return rounding(MODULE_WIDTH, unit=FLOAT32)
