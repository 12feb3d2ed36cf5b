"""Scores pair by pair and in sum, for rotation and for addition."""

import numpy as np
import pytest

from posenc import additive_score, distance_kernel, pair_scores, rest_score, rotate, score, sinusoidal

pytestmark = pytest.mark.filterwarnings("error")

PAIRINGS = ["interleaved", "half"]
Q, K = np.array([1.0, 2, 3, 4]), np.array([4.0, 3, 2, 1])


@pytest.mark.parametrize(
    ("m", "n", "interleaved", "half"),
    [
        # case A8
        (2, 4, 10.4830121688, 15.1294926364),
        (5, 7, 10.4830121688, 15.1294926364),
        (0, 8, 13.8593814279, 19.2057461309),
        (7, 5, 1.1900512336, -3.4564292340),
    ],
)
def test_golden_scores(m, n, interleaved, half):
    # half a unit of the ten decimals given
    assert score(Q, K, m, n) == pytest.approx(interleaved, abs=6e-11)
    assert score(Q, K, m, n, pairing="half") == pytest.approx(half, abs=6e-11)


def test_angles_subtract_and_do_not_add():
    # case A13: cos(8) = -0.1455 is the wrong sum
    assert score([1, 0], [1, 0], 5, 3) == pytest.approx(-0.4161468365, abs=6e-11)


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("rotary_dim", [None, 6])
def test_table_of_scores_is_the_product_of_rotated_rows(pairing, rotary_dim):
    q, k = np.random.default_rng(0).standard_normal((2, 8))
    m, n = np.arange(-3, 9), np.arange(7)
    rows = rotate(np.tile(q, (12, 1)), m, pairing=pairing, rotary_dim=rotary_dim)
    columns = rotate(np.tile(k, (7, 1)), n, pairing=pairing, rotary_dim=rotary_dim)
    table = score(q, k, m[:, None], n, pairing=pairing, rotary_dim=rotary_dim)
    np.testing.assert_allclose(table, rows @ columns.T, rtol=0, atol=1e-13)


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("rotary_dim", [None, 6])
def test_pairs_and_rest_sum_to_the_score(pairing, rotary_dim):
    q, k = np.random.default_rng(1).standard_normal((2, 5, 8))
    options = {"pairing": pairing, "rotary_dim": rotary_dim}
    pairs = pair_scores(q, k, 9, np.arange(5), **options)
    assert pairs.shape == (5, (rotary_dim or 8) // 2)
    whole = score(q, k, 9, np.arange(5), **options)
    np.testing.assert_allclose(pairs.sum(axis=-1) + rest_score(q, k, rotary_dim=rotary_dim), whole, rtol=0, atol=1e-14)


def test_contribution_of_a_pair_is_the_real_part_of_a_complex_product():
    q, k = np.random.default_rng(2).standard_normal((2, 8))
    zq, zk = (v[0::2] + 1j * v[1::2] for v in (q, k))
    expected = (zq * np.conj(zk) * np.exp(1j * (11 - 4) * 10_000.0 ** (-np.arange(4) / 4))).real
    np.testing.assert_allclose(pair_scores(q, k, 11, 4), expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_scores_are_unmoved_by_a_common_shift_for_all_pairs_up_to_64(pairing):
    # case A8
    q, k = np.random.default_rng(3).standard_normal((2, 64))
    m, n = np.arange(64)[:, None], np.arange(64)
    here, there = score(q, k, m, n, pairing=pairing), score(q, k, m + 17, n + 17, pairing=pairing)
    np.testing.assert_allclose(here, there, rtol=0, atol=1e-9)


def test_content_held_fixed_gives_a_toeplitz_matrix():
    # case A13: below 1e-12 in float64
    q, k = np.random.default_rng(4).standard_normal((2, 16))
    matrix = score(q, k, np.arange(8)[:, None], np.arange(8))
    for offset in range(-7, 8):
        assert np.ptp(np.diagonal(matrix, offset)) < 1e-12


def test_score_is_not_symmetric_in_the_distance():
    q, k = np.random.default_rng(5).standard_normal((2, 16))
    assert abs(score(q, k, 7, 5) - score(q, k, 5, 7)) > 0.1


def test_channels_that_do_not_turn_add_the_same_everywhere():
    q, k = np.random.default_rng(6).standard_normal((2, 8))
    assert rest_score(q, k, rotary_dim=4) == pytest.approx(q[4:] @ k[4:], abs=1e-15)
    assert rest_score(q, k) == 0


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
def test_additive_score_is_the_product_of_sums(layout):
    q, k = np.random.default_rng(7).standard_normal((2, 8))
    table = sinusoidal(np.arange(20), 8, layout=layout)
    actual = additive_score(q, k, np.arange(20)[:, None], np.arange(20), layout=layout)
    np.testing.assert_allclose(actual, (q + table) @ (k + table).T, rtol=0, atol=1e-13)


def test_additive_score_without_content_is_the_kernel():
    nothing = np.zeros(64)
    actual = additive_score(nothing, nothing, 20, 20 + np.arange(50))
    np.testing.assert_allclose(actual, distance_kernel(np.arange(50), 64), rtol=0, atol=1e-12)


def test_additive_score_moves_under_a_common_shift():
    q, k = np.random.default_rng(8).standard_normal((2, 16))
    assert abs(additive_score(q, k, 5, 2) - additive_score(q, k, 105, 102)) > 0.1


def test_widths_and_shapes_must_fit():
    with pytest.raises(ValueError, match=r"k must be as wide as q, 4, got shape \(6,\)"):
        score(np.ones(4), np.ones(6), 0, 0)
    with pytest.raises(ValueError, match=r"n must be broadcastable with shape \(3,\), got shape \(2,\)"):
        pair_scores(np.ones(4), np.ones(4), np.arange(3), np.arange(2))
    with pytest.raises(ValueError, match=r"k must be broadcastable with shape \(3,\), got shape \(2,\)"):
        additive_score(np.ones((3, 4)), np.ones((2, 4)), 0, 0)
