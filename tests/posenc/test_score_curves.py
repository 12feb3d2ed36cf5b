"""Scores against distance: equal content falls on the whole, random content averages nothing, chosen content peaks."""

import numpy as np
import pytest

from posenc import distance_kernel, peaked_pair, random_score_spread, rotate, score, score_curve

pytestmark = pytest.mark.filterwarnings("error")

PAIRINGS = ["interleaved", "half"]


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("rotary_dim", [None, 6])
def test_curve_is_the_score_at_each_distance(pairing, rotary_dim):
    q, k = np.random.default_rng(0).standard_normal((2, 3, 8))
    distances = np.arange(-20, 200)
    curves = score_curve(q, k, distances, pairing=pairing, rotary_dim=rotary_dim)
    assert curves.shape == (3, 220)
    for row, a, b in zip(curves, q, k, strict=True):
        direct = score(a, b, distances + 5, 5, pairing=pairing, rotary_dim=rotary_dim)
        np.testing.assert_allclose(row, direct, rtol=0, atol=1e-12)


def test_curve_of_ones_is_twice_the_kernel():
    ones, distances = np.ones(64), np.arange(300)
    np.testing.assert_allclose(
        score_curve(ones, ones, distances), 2 * distance_kernel(distances, 64), rtol=0, atol=1e-12
    )


def test_equal_content_is_largest_at_distance_zero_but_not_monotone():
    q = np.random.default_rng(1).standard_normal(64)
    curve = score_curve(q, q, np.arange(100))
    assert np.all(curve[1:] < curve[0])
    assert np.any(np.diff(curve) > 0)


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("distance", [0, 1, 17, 300, -40])
@pytest.mark.parametrize("head_dim", [8, 64])
def test_peak_lies_exactly_at_the_asked_distance(pairing, distance, head_dim):
    q, k = peaked_pair(distance, head_dim, pairing=pairing)
    distances = np.arange(-512, 513)
    scores = score(q, k, distances, 0, pairing=pairing)
    assert distances[np.argmax(scores)] == distance
    assert scores.max() == pytest.approx(head_dim, abs=1e-11)
    assert np.sort(scores)[-2] < head_dim - 0.1
    for vector in (q, k):
        assert np.linalg.norm(vector) == pytest.approx(np.sqrt(head_dim), rel=1e-14)


def test_key_of_the_peak_comes_before_the_query():
    q, k = peaked_pair(3, 64)
    at_query_ten = [rotate(q, 10) @ rotate(k, n) for n in range(20)]
    assert int(np.argmax(at_query_ten)) == 7


@pytest.mark.parametrize("content", ["independent", "equal"])
@pytest.mark.parametrize("rotary_dim", [None, 4])
def test_spread_is_that_of_a_loop_over_the_draws(content, rotary_dim):
    distances, options = np.arange(20), {"pairing": "half", "rotary_dim": rotary_dim}
    spread = random_score_spread(distances, 8, draws=300, content=content, seed=5, **options)
    pairs = np.random.default_rng(5).standard_normal((300, 2, 8))
    scores = np.array(
        [[score(q, q if content == "equal" else k, m, 0, **options) for m in distances] for q, k in pairs]
    )
    # sums of squares of about 64, 300 terms
    np.testing.assert_allclose(spread.mean, scores.mean(axis=0), rtol=0, atol=1e-11)
    np.testing.assert_allclose(spread.std, scores.std(axis=0), rtol=0, atol=1e-11)
    np.testing.assert_array_equal(spread.distances, distances)


def test_independent_content_scores_nothing_on_average_at_every_distance():
    spread = random_score_spread(np.arange(512), 128)
    # standard error of the mean of 1,000 draws; five of them, over 512 correlated distances
    assert np.all(np.abs(spread.mean) < 5 * spread.std / np.sqrt(1000))
    # the variance of a product of 128 pairs of standard normals is 128 at every distance
    np.testing.assert_allclose(spread.std, np.sqrt(128), rtol=0.15)


def test_equal_content_averages_the_kernel():
    spread = random_score_spread(np.arange(512), 128, content="equal")
    expected = 2 * distance_kernel(np.arange(512), 128)
    assert np.all(np.abs(spread.mean - expected) < 5 * spread.std / np.sqrt(1000))


def test_spread_repeats_with_its_seed_and_not_with_another():
    first, again, other = (random_score_spread([0, 1, 2], 8, draws=10, seed=s).mean for s in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_many_distances_are_worked_through_in_pieces():
    distances = np.arange(5000)
    spread = random_score_spread(distances, 2, draws=3)
    tail = random_score_spread(distances[4900:], 2, draws=3)
    np.testing.assert_array_equal(spread.mean[4900:], tail.mean)
    assert random_score_spread([], 2, draws=3).mean.shape == (0,)
