"""Each claim holds to rounding, and its residual shows when the mathematics behind it is wrong."""

import numpy as np
import pytest

from posenc import (
    LearnedTable,
    attention,
    attention_stack,
    claims,
    inverse_frequencies,
    rotate,
    shift_matrix,
    sinusoidal,
    softmax,
)

pytestmark = pytest.mark.filterwarnings("error")

TRUE_CLAIMS = [
    (claims.norm_residual, (500, 64)),
    (claims.norm_residual, (4096, 6, 500_000.0)),
    (claims.circle_residual, (500, 64)),
    (claims.circle_residual, (4096, 6, 500_000.0)),
    (claims.distance_residual, (300, 64)),
    (claims.distance_residual, (1, 2)),
    (claims.toeplitz_residual, (300, 64)),
    (claims.shift_residual, (7, 500, 64)),
    (claims.shift_residual, (-2.5, 500, 64, 100.0, "concatenated")),
    (claims.shift_composition_residual, (3, -40, 64)),
    (claims.shift_composition_residual, (3, 4, 8, 100.0, "concatenated")),
    (claims.shift_inverse_residual, (5, 64)),
    (claims.shift_inverse_residual, (5, 8, 100.0, "concatenated")),
    (claims.map_residual, (3, 500, 64)),
    (claims.relative_residual, (64, 17, 64)),
    (claims.relative_residual, (64, -1000, 64, 500_000.0, "half", 16, 3)),
    (claims.rotation_norm_residual, (64,)),
    (claims.rotation_norm_residual, (64, 100.0, "half", 16, 3)),
    (claims.pair_sum_residual, (90, 2, 64)),
    (claims.pair_sum_residual, (90, 2, 64, 100.0, "half", 16, 3)),
    (claims.curve_residual, (512, 64)),
    (claims.curve_residual, (512, 64, 100.0, "half", 16, 3)),
    (claims.resize_residual, (64, 100, 3)),
    (claims.resize_residual, (64, 20, 3, True)),
    (claims.lookup_residual, (64, 3, 2)),
    (claims.equivariance_residual, (12, 64)),
    (claims.equivariance_residual, (2, 8, 4, 3)),
    (claims.causal_last_residual, (12, 64)),
    (claims.row_sum_residual, (64, 64)),
    (claims.row_sum_residual, (64, 8, True, 3)),
    (claims.weights_shift_residual, (64, 17, 64)),
    (claims.weights_shift_residual, (64, -1000, 64, 500_000.0, "half", 16, True, 3)),
    (claims.cache_residual, (48, 64)),
    (claims.cache_residual, (48, 64, 100.0, "half", 16, 3)),
    (claims.conversion_residual, (12, 64, 4)),
    (claims.conversion_residual, (12, 64, 4, 100.0, "both", 3, 2, "half")),
    (claims.pairing_residual, (100, 64)),
    (claims.pairing_residual, (100, 6, 100.0, "half")),
    (claims.layout_residual, (100, 64)),
    (claims.addition_residual, (64, 64)),
    (claims.addition_residual, (5, 8, 100.0, 3)),
]
EXACT = {"lookup_residual", "layout_residual", "pairing_residual"}
"""A product with one-hot rows adds only zeros, and a permutation computes nothing, so they round nothing."""
NO_RESIDUALS = {"additive_drift", "peak_margin", "order_effect", "causal_leak", "cache_position_error"}


@pytest.mark.parametrize(("claim", "settings"), TRUE_CLAIMS)
def test_true_claims_hold_to_rounding(claim, settings):
    residual = claim(*settings)
    assert type(residual) is float
    # angles below 5,000 are right to 1e-12, and at most 64 products are summed
    assert 0 <= residual < 1e-10


def test_residuals_are_measured_and_not_zero_by_construction():
    largest: dict[str, float] = {}
    for claim, settings in TRUE_CLAIMS:
        largest[claim.__name__] = max(largest.get(claim.__name__, 0.0), claim(*settings))
    assert all((residual == 0) == (name in EXACT) for name, residual in largest.items()), largest


def test_every_claim_is_in_the_list_or_known_to_be_no_residual():
    listed = {claim.__name__ for claim, _ in TRUE_CLAIMS}
    assert set(claims.__all__) == listed | NO_RESIDUALS


def test_false_claims_have_large_residuals():
    assert claims.map_residual(3, 500, 64, features="sine") > 1
    assert claims.map_residual(3, 500, 64, features="cosine") > 1
    assert claims.additive_drift(64, 17, 64) > 1


@pytest.mark.parametrize("pairing", ["interleaved", "half"])
@pytest.mark.parametrize("distance", [0, 30, 511])
def test_peak_stands_above_all_other_distances(pairing, distance):
    assert claims.peak_margin(distance, 512, 64, pairing=pairing) > 1


def mixed_up(x, positions, *, base, pairing, rotary_dim):
    """Case A8: frequencies repeated for interleaved pairs, halves rotated."""
    half = x.shape[-1] // 2
    angles = np.repeat(np.asarray(positions)[..., None] * inverse_frequencies(2 * half, base=base), 2, axis=-1)
    return x * np.cos(angles) + np.concatenate([-x[..., half:], x[..., :half]], axis=-1) * np.sin(angles)


@pytest.mark.parametrize("claim", [claims.relative_residual, claims.rotation_norm_residual, claims.pair_sum_residual])
def test_mixed_up_rotation_is_seen(monkeypatch, claim):
    monkeypatch.setattr("posenc.claims.rotary.rotate", mixed_up)
    settings = next(settings for listed, settings in TRUE_CLAIMS if listed is claim)
    assert claim(*settings) > 0.1


def test_mixed_up_rotation_leaves_correct_rotation_visible():
    x = np.random.default_rng(0).standard_normal(8)
    options = {"base": 10_000.0, "pairing": "half", "rotary_dim": None}
    assert not np.allclose(mixed_up(x, 3, **options), rotate(x, 3, **options))


@pytest.mark.parametrize(
    ("claim", "target", "wrong"),
    [
        (claims.norm_residual, "sinusoidal.sinusoidal", lambda p, d, **o: 1.001 * sinusoidal(p, d, **o)),
        (claims.circle_residual, "sinusoidal.sinusoidal", lambda p, d, **o: 1.001 * sinusoidal(p, d, **o)),
        (claims.distance_residual, "sinusoidal.distance_kernel", lambda k, d, **o: np.full(len(k), d / 2)),
        (claims.toeplitz_residual, "sinusoidal.product_matrix", lambda p, d, **o: np.outer(p, p)),
        (claims.shift_residual, "shift.shift_matrix", lambda k, d, **o: shift_matrix(k, d, **o).T),
        (claims.shift_composition_residual, "shift.shift_matrix", lambda k, d, **o: shift_matrix(k * k, d, **o)),
        (claims.shift_inverse_residual, "shift.shift_matrix", lambda k, d, **o: shift_matrix(abs(k), d, **o)),
        (claims.map_residual, "shift.best_linear_map", None),
        (claims.curve_residual, "rotary.score_curve", lambda q, k, n, **o: np.zeros(len(n))),
        (claims.resize_residual, "learned.resize_table", lambda w, rows, **o: np.resize(w, (rows, w.shape[1]))),
        (claims.equivariance_residual, "attention.attention_stack", lambda x, **o: attention_stack(x, causal=True)),
        (
            claims.causal_last_residual,
            "attention.attention_stack",
            lambda x, **o: attention_stack(x, causal=True, layers=2),
        ),
        (claims.row_sum_residual, "attention.attention_weights", lambda q, k, **o: softmax(q @ k.T, axis=0)),
        (claims.weights_shift_residual, "attention.rotate", mixed_up),
        (claims.cache_residual, "attention.attention", lambda q, k, v, **o: attention(q, k, v)),
        (claims.conversion_residual, "layouts.permute_projection", lambda w, **o: w),
        (claims.layout_residual, "layouts.layout_permutation", lambda d, **o: np.arange(d)),
        (claims.pairing_residual, "layouts.pairing_permutation", lambda d, **o: np.arange(d)),
        (claims.lookup_residual, "learned.LearnedTable", lambda w, offset: LearnedTable(w[::-1], offset=offset)),
    ],
)
def test_wrong_mathematics_is_seen(monkeypatch, claim, target, wrong):
    if wrong is None:  # sines in place of pairs
        found = claims.shift.best_linear_map
        wrong = lambda *a, **o: found(*a, **{**o, "features": "sine"})  # noqa: E731
    monkeypatch.setattr(f"posenc.claims.{target}", wrong)
    settings = next(settings for listed, settings in TRUE_CLAIMS if listed is claim)
    assert claim(*settings) > 1e-3


@pytest.mark.parametrize(
    ("claim", "settings", "message"),
    [
        (claims.norm_residual, (4097, 64), "n must be an integer from 1 to 4096, got 4097"),
        (claims.norm_residual, (0, 64), "n must be an integer from 1 to 4096, got 0"),
        (claims.distance_residual, (2049, 64), "n must be an integer from 1 to 2048, got 2049"),
        (claims.toeplitz_residual, (10, 2050), "d_model must be a positive even integer .* of at most 2048, got 2050"),
        (claims.shift_residual, (1e10, 10, 8), "k must be a number from -1000000000 to 1000000000, got 1"),
        (claims.shift_residual, (1, 10, 7), "d_model must be a positive even integer .*, got 7"),
        (claims.shift_composition_residual, (1, float("nan"), 8), "b must be a finite number, got nan"),
        (claims.shift_inverse_residual, ("1", 8), "k must be a finite number, got '1'"),
        (claims.map_residual, (1, 31, 16), "positions must be .* at least 32 positions"),
        (claims.map_residual, (1, 2000, 514), "d_model must be a positive even integer .* of at most 512, got 514"),
        (claims.relative_residual, (10, 1.5, 8), "shift must be an integer from .*, got 1.5"),
        (claims.relative_residual, (10, 1, 8, 1.0), "base must be a finite number above 1, got 1.0"),
        (claims.rotation_norm_residual, (8, 10.0, "halves"), "pairing must be 'interleaved' or 'half', got 'halves'"),
        (claims.rotation_norm_residual, (8, 10.0, "half", 10), "rotary_dim must be .* of at most 8, got 10"),
        (claims.pair_sum_residual, (1, 2, 8, 10.0, "half", None, -1), "seed must be an integer from 0 to .*, got -1"),
        (claims.curve_residual, (True, 8), "n must be an integer from 1 to 4096, got True"),
        (claims.peak_margin, (512, 512, 8), "distance must be an integer from 0 to 511, got 512"),
        (claims.additive_drift, (10, 3, 9), "d_model must be a positive even integer .*, got 9"),
        (claims.resize_residual, (0, 3, 3), "rows must be an integer from 1 to 4096, got 0"),
        (claims.lookup_residual, (4097, 3), "rows must be an integer from 1 to 4096, got 4097"),
        (claims.lookup_residual, (3, 3, 3), "offset must be an integer from 0 to 2, got 3"),
    ],
)
def test_settings_outside_the_bounds_are_refused(claim, settings, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        claim(*settings)
