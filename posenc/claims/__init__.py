"""The claims that pages state, each as the largest residual with which it holds for the given settings.

Every function takes plain numbers and strings, returns a float, bounds its work, and compares two routes: what it
returns is rounding where the claim is true.
"""

from posenc.claims.attention import (
    cache_position_error,
    cache_residual,
    causal_last_residual,
    causal_leak,
    equivariance_residual,
    order_effect,
    row_sum_residual,
    weights_shift_residual,
)
from posenc.claims.layouts import conversion_residual, layout_residual, pairing_residual
from posenc.claims.learned import lookup_residual, resize_residual
from posenc.claims.rotary import (
    additive_drift,
    curve_residual,
    pair_sum_residual,
    peak_margin,
    relative_residual,
    rotation_norm_residual,
)
from posenc.claims.shift import map_residual, shift_composition_residual, shift_inverse_residual, shift_residual
from posenc.claims.sinusoidal import (
    addition_residual,
    circle_residual,
    distance_residual,
    norm_residual,
    toeplitz_residual,
)

__all__ = [
    "addition_residual",
    "additive_drift",
    "cache_position_error",
    "cache_residual",
    "causal_last_residual",
    "causal_leak",
    "circle_residual",
    "conversion_residual",
    "curve_residual",
    "distance_residual",
    "equivariance_residual",
    "layout_residual",
    "lookup_residual",
    "map_residual",
    "norm_residual",
    "order_effect",
    "pair_sum_residual",
    "pairing_residual",
    "peak_margin",
    "relative_residual",
    "resize_residual",
    "rotation_norm_residual",
    "row_sum_residual",
    "shift_composition_residual",
    "shift_inverse_residual",
    "shift_residual",
    "toeplitz_residual",
    "weights_shift_residual",
]
