"""Similarity against distance: its values, and where it first rises and first turns negative."""

import numpy as np
import pytest

import posenc


@pytest.mark.parametrize(("d_model", "base"), [(2, 10_000.0), (64, 10_000.0), (128, 100.0), (512, 500_000.0)])
def test_similarity_is_the_cosine_of_the_angle_between_encodings(d_model, base):
    profile = posenc.distance_profile(d_model, base=base, limit=300)
    start, there = (posenc.sinusoidal(p, d_model, base=base) for p in (np.array([7]), 7 + profile.distances))
    lengths = np.linalg.norm(start, axis=-1) * np.linalg.norm(there, axis=-1)
    np.testing.assert_array_equal(profile.distances, np.arange(1, 301))
    np.testing.assert_allclose(profile.similarity, there @ start[0] / lengths, rtol=0, atol=1e-11)


@pytest.mark.parametrize(("d_model", "rise", "negative"), [(64, 6, 725), (128, 12, 1707), (512, 44, 3284)])
def test_first_rise_and_first_negative_stand_where_the_similarity_shows_them(d_model, rise, negative):
    profile = posenc.distance_profile(d_model)
    assert (profile.rise, profile.negative) == (rise, negative)
    at = {int(k): s for k, s in zip(profile.distances, profile.similarity, strict=True)}
    assert at[rise] > at[rise - 1]
    assert np.all(np.diff(profile.similarity[: rise - 1]) < 0)
    assert at[negative] < 0
    assert np.all(profile.similarity[: negative - 1] >= 0)


def test_what_does_not_happen_within_the_limit_is_none():
    profile = posenc.distance_profile(64, limit=5)
    assert (profile.rise, profile.negative, profile.limit) == (None, None, 5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"d_model": 64, "limit": 0}, "limit must be an integer from 1 to 65536, got 0"),
        ({"d_model": 64, "limit": 65_537}, "limit must be an integer from 1 to 65536, got 65537"),
        ({"d_model": 63}, "d_model must be a positive even integer"),
        ({"d_model": 64, "base": 1}, "base must be a finite number above 1, got 1"),
    ],
)
def test_settings_outside_their_range_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        posenc.distance_profile(**arguments)
