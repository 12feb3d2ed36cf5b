"""The shift as a matrix: its blocks, its group laws, and why sines alone have none."""

import numpy as np
import pytest

from posenc import (
    best_linear_map,
    inverse_frequencies,
    pair_channels,
    shift_blocks,
    shift_matrix,
    shifted,
    sinusoidal,
)

pytestmark = pytest.mark.filterwarnings("error")

LAYOUTS = ["interleaved", "concatenated"]


def naive_shift(k, d_model, base):
    matrix = np.zeros((d_model, d_model))
    for i, w in enumerate(inverse_frequencies(d_model, base=base)):
        c, s = np.cos(k * w), np.sin(k * w)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
    return matrix


def test_golden_matrix_and_its_orientation():
    # case A7
    expected = np.zeros((4, 4))
    expected[:2, :2] = [[-0.9899924966, 0.1411200081], [-0.1411200081, -0.9899924966]]
    expected[2:, 2:] = [[0.9995500337, 0.0299955002], [-0.0299955002, 0.9995500337]]
    matrix = shift_matrix(3, 4)
    np.testing.assert_allclose(matrix, expected, rtol=0, atol=6e-11)
    shifted = [-0.9589242747, 0.2836621855, 0.0499791693, 0.9987502604]
    np.testing.assert_allclose(matrix @ sinusoidal(2, 4), shifted, rtol=0, atol=6e-11)
    np.testing.assert_allclose((matrix.T @ sinusoidal(2, 4))[:2], [-0.8414709848, 0.5403023059], rtol=0, atol=6e-11)


@pytest.mark.parametrize("k", [0, 1, -4, 2.5, 1000])
@pytest.mark.parametrize("base", [50.0, 10_000.0])
def test_matrix_agrees_with_explicit_blocks(k, base):
    np.testing.assert_array_equal(shift_matrix(k, 16, base=base), naive_shift(k, 16, base))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("k", [1, -7, 0.5, 4096])
@pytest.mark.parametrize("d_model", [2, 6, 64])
def test_one_matrix_shifts_every_position(layout, k, d_model):
    positions = np.array([-50, 0, 1, 13, 5000])
    matrix = shift_matrix(k, d_model, layout=layout)
    moved = sinusoidal(positions, d_model, layout=layout) @ matrix.T
    # angles near 9,000 carry an error of 1e-12
    np.testing.assert_allclose(moved, sinusoidal(positions + k, d_model, layout=layout), rtol=0, atol=1e-11)


def test_far_shift_is_right_to_1e8():
    moved = shift_matrix(1_000_000, 64) @ sinusoidal(3, 64)
    np.testing.assert_allclose(moved, sinusoidal(1_000_003, 64), rtol=0, atol=1e-8)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_shifts_compose_invert_and_keep_volume(layout):
    a, b = shift_matrix(5, 16, layout=layout), shift_matrix(-12, 16, layout=layout)
    np.testing.assert_allclose(a @ b, shift_matrix(-7, 16, layout=layout), rtol=0, atol=1e-14)
    np.testing.assert_array_equal(shift_matrix(-5, 16, layout=layout), a.T)
    np.testing.assert_allclose(a.T @ a, np.eye(16), rtol=0, atol=1e-15)
    assert np.linalg.det(a) == pytest.approx(1.0, abs=1e-13)


def test_shift_by_nothing_is_the_identity_without_negative_zeros():
    for k in (0, 3, -3):
        zeros = shift_matrix(k, 8)[shift_matrix(k, 8) == 0]
        assert zeros.size
        assert not np.any(np.signbit(zeros))
    np.testing.assert_array_equal(shift_matrix(0, 8), np.eye(8))


def test_layouts_differ_by_a_permutation_of_rows_and_columns():
    order = [0, 2, 4, 6, 1, 3, 5, 7]
    np.testing.assert_array_equal(shift_matrix(3, 8, layout="concatenated"), shift_matrix(3, 8)[np.ix_(order, order)])


def test_blocks_are_the_diagonal_of_the_matrix():
    matrix, blocks = shift_matrix(3, 8), shift_blocks(3, 8)
    assert blocks.shape == (4, 2, 2)
    for i, block in enumerate(blocks):
        np.testing.assert_array_equal(block, matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_pair_channels_are_where_the_blocks_stand(layout):
    channels = pair_channels(8, layout=layout)
    matrix = np.zeros((8, 8))
    for block, pair in zip(shift_blocks(3, 8), channels, strict=True):
        matrix[np.ix_(pair, pair)] = block
    np.testing.assert_array_equal(matrix, shift_matrix(3, 8, layout=layout))
    np.testing.assert_array_equal(sinusoidal(5, 8, layout=layout)[channels], sinusoidal(5, 8).reshape(4, 2))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("k", [0, 3, -7])
def test_shifted_encodings_are_those_of_the_later_positions(layout, k):
    positions = np.array([[2, 0, 64], [1000, -5, 7]])
    moved = shifted(positions, k, 6, base=50.0, layout=layout)
    assert moved.shape == (2, 3, 6)
    np.testing.assert_allclose(moved, sinusoidal(positions + k, 6, base=50.0, layout=layout), rtol=0, atol=1e-12)


def test_shifted_keeps_the_dtype_of_the_positions():
    moved = shifted(np.array([2.0, 9.0], dtype=np.float32), 3, 4)
    assert moved.dtype == np.float32
    np.testing.assert_allclose(moved, sinusoidal(np.array([5.0, 12.0]), 4), rtol=0, atol=1e-6)


def test_shift_helpers_refuse_what_they_cannot_mean():
    with pytest.raises(ValueError, match="d_model must be a positive even integer"):
        pair_channels(5)
    with pytest.raises(ValueError, match="layout must be 'interleaved' or 'concatenated', got 'half'"):
        pair_channels(4, layout="half")
    with pytest.raises(ValueError, match="k must be a finite number"):
        shifted([1, 2], [1, 2], 4)


def test_many_shifts_at_once():
    stack = shift_matrix(np.arange(6).reshape(2, 3), 4)
    assert stack.shape == (2, 3, 4, 4)
    np.testing.assert_array_equal(stack[1, 2], shift_matrix(5, 4))
    assert shift_blocks(np.arange(6), 4).shape == (6, 2, 2, 2)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("k", [1, 3, -5])
def test_least_squares_on_pairs_finds_a_shift(layout, k):
    found = best_linear_map(k, np.arange(512), 16, layout=layout)
    assert found.matrix.shape == (16, 16)
    assert found.residuals.shape == (512,)
    assert found.residuals.max() < 1e-11  # rounding; slow pairs make the problem ill-conditioned
    np.testing.assert_array_equal(found.table, sinusoidal(np.arange(512), 16, layout=layout))


def test_least_squares_matrix_is_the_shift_matrix_where_the_pairs_are_told_apart():
    # base 50: the slowest pair still turns many times over the positions
    found = best_linear_map(3, np.arange(1000), 8, base=50.0)
    np.testing.assert_allclose(found.matrix, shift_matrix(3, 8, base=50.0), rtol=0, atol=1e-12)


@pytest.mark.parametrize("features", ["sine", "cosine"])
@pytest.mark.parametrize("k", [1, 3, 5])
def test_no_matrix_shifts_one_kind_alone(features, k):
    found = best_linear_map(k, np.arange(512), 64, features=features)
    assert found.matrix.shape == (32, 32)
    assert found.features == features
    assert found.rms > 0.9


def test_lone_sine_misses_by_the_sine_of_the_shift():
    # one frequency over whole turns: sin(p + k) = cos k sin p + sin k cos p, and cos p is orthogonal to sin p
    positions = np.arange(1000) * 2 * np.pi / 1000
    found = best_linear_map(0.7, positions, 2, features="sine")
    assert found.matrix.item() == pytest.approx(np.cos(0.7), abs=1e-12)
    np.testing.assert_allclose(found.residuals, np.abs(np.sin(0.7) * np.cos(positions)), rtol=0, atol=1e-12)
    assert found.rms == pytest.approx(np.sin(0.7) / np.sqrt(2), abs=1e-12)


def test_residuals_are_what_the_matrix_misses():
    positions = np.arange(200)
    found = best_linear_map(3, positions, 16, features="cosine")
    missed = sinusoidal(positions + 3, 16)[:, 1::2] - found.table @ found.matrix.T
    np.testing.assert_array_equal(found.predicted, found.table @ found.matrix.T)
    np.testing.assert_allclose(found.residuals, np.linalg.norm(missed, axis=-1), rtol=0, atol=1e-12)
    assert found.rms == pytest.approx(np.sqrt(np.mean(np.sum(missed**2, axis=-1))), rel=1e-12)


def test_too_few_positions_are_refused_because_they_would_fit_anything():
    with pytest.raises(ValueError, match=r"positions must be one-dimensional and hold at least 32 positions.*\(31,\)"):
        best_linear_map(3, np.arange(31), 16)
    assert best_linear_map(3, np.arange(32), 16).residuals.shape == (32,)
    with pytest.raises(ValueError, match="at least 16 positions"):
        best_linear_map(3, np.arange(15), 16, features="sine")
