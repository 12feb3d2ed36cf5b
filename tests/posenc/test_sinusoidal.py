"""Sinusoidal tables against naive loops, exact arithmetic and published digits."""

import math

import mpmath
import numpy as np
import pytest

from posenc import (
    distance_kernel,
    dot_products,
    first_negative,
    first_rise,
    inverse_frequencies,
    pair_angles,
    product_matrix,
    sinusoidal,
    wavelengths,
)

pytestmark = pytest.mark.filterwarnings("error")

FAR = 1_000_003
WIDTHS = [2, 4, 8, 64, 512]


def naive_row(position, d_model, base):
    row = []
    for column in range(d_model):
        angle = position * base ** (-2 * (column // 2) / d_model)
        row.append(math.cos(angle) if column % 2 else math.sin(angle))
    return row


def exact_row(position, d_model, base):
    """The interleaved row in 40 digits, rounded once."""
    with mpmath.workdps(40):
        frequencies = [mpmath.mpf(base) ** (-mpmath.mpf(2 * i) / d_model) for i in range(d_model // 2)]
        angles = [mpmath.mpf(position) * w for w in frequencies]
        return [float(f(a)) for a in angles for f in (mpmath.sin, mpmath.cos)]


@pytest.mark.parametrize("d_model", [1, 2, 3, 5, 8, 64])
@pytest.mark.parametrize("base", [2.0, 10_000.0, 500_000.0])
def test_table_agrees_with_a_naive_loop(d_model, base):
    positions = [0, 1, 7, -13, 2.5]
    expected = [naive_row(p, d_model, base) for p in positions]
    # both evaluate the same float64 formula, differing in the rounding of the power only
    np.testing.assert_allclose(sinusoidal(positions, d_model, base=base), expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("base", [10_000.0, 500_000.0])
@pytest.mark.parametrize("position", [FAR, -FAR, 65_537])
def test_table_is_right_to_1e8_far_out(position, base):
    np.testing.assert_allclose(sinusoidal(position, 64, base=base), exact_row(position, 64, base), rtol=0, atol=1e-8)


@pytest.mark.parametrize(
    ("position", "d_model", "expected"),
    [
        # cases A6
        (1, 5, [0.8414709848, 0.5403023059, 0.0251162229, 0.9996845379, 0.0006309573]),
        (1, 3, [0.8414709848, 0.5403023059, 0.0021544330]),
        (1, 1, [0.8414709848]),
        # case A21
        (
            3,
            8,
            [
                0.1411200081,
                -0.9899924966,
                0.2955202067,
                0.9553364891,
                0.0299955002,
                0.9995500337,
                0.0029999955,
                0.9999955,
            ],
        ),
        (1, 4, [0.8414709848, 0.5403023059, 0.0099998333, 0.9999500004]),
        # the lesson's row 1, in its code's digits
        (
            1,
            8,
            [
                0.8414709848078965,
                0.5403023058681398,
                0.09983341664682815,
                0.9950041652780258,
                0.009999833334166664,
                0.9999500004166653,
                0.0009999998333333417,
                0.9999995000000417,
            ],
        ),
        (0, 8, [0, 1, 0, 1, 0, 1, 0, 1]),
        # case A7
        (5, 4, [-0.9589242747, 0.2836621855, 0.0499791693, 0.9987502604]),
    ],
)
def test_golden_rows(position, d_model, expected):
    # half a unit of the ten digits given
    np.testing.assert_allclose(sinusoidal(position, d_model), expected, rtol=0, atol=6e-11)


def test_concatenated_holds_the_interleaved_columns_in_another_order():
    order = [0, 2, 4, 6, 1, 3, 5, 7]
    np.testing.assert_array_equal(sinusoidal(3, 8, layout="concatenated"), sinusoidal(3, 8)[order])


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
@pytest.mark.parametrize("spectrum", ["paper", "tensor2tensor"])
@pytest.mark.parametrize("d_model", WIDTHS)
def test_norm_is_the_root_of_half_the_width(layout, spectrum, d_model):
    table = sinusoidal([-5, 0, 1, 999, FAR], d_model, layout=layout, spectrum=spectrum)
    np.testing.assert_allclose(np.linalg.norm(table, axis=-1), math.sqrt(d_model / 2), rtol=1e-14)


def test_tensor2tensor_spectrum_by_loop():
    expected = [10_000 ** (-i / 31) for i in range(32)]
    np.testing.assert_allclose(inverse_frequencies(64, spectrum="tensor2tensor"), expected, rtol=1e-14)
    np.testing.assert_array_equal(inverse_frequencies(2, spectrum="tensor2tensor"), [1.0])


def test_tensor2tensor_is_another_spectrum_not_a_permutation():
    # facts 13
    assert distance_kernel(10, 8, spectrum="tensor2tensor") == pytest.approx(2.05489, abs=5e-6)
    assert distance_kernel(10, 8) == pytest.approx(1.69618, abs=5e-6)
    table = sinusoidal([0, 10], 8, spectrum="tensor2tensor", layout="concatenated")
    assert table[0] @ table[1] == pytest.approx(2.05489, abs=5e-6)


@pytest.mark.parametrize(("dim", "slowest"), [(64, 47_117), (128, 54_410), (512, 60_611)])
def test_slowest_wavelength(dim, slowest):
    # facts 2; the digits given are whole positions
    assert wavelengths(dim)[-1] == pytest.approx(slowest, abs=0.5)
    assert wavelengths(dim)[0] == pytest.approx(2 * math.pi, rel=1e-15)
    assert wavelengths(dim, spectrum="tensor2tensor")[-1] == pytest.approx(62_832, abs=0.5)


@pytest.mark.parametrize("dim", WIDTHS)
def test_frequencies_fall_from_one(dim):
    inv_freq = inverse_frequencies(dim)
    assert inv_freq.shape == (dim // 2,)
    assert inv_freq.dtype == np.float64
    assert inv_freq[0] == 1.0
    assert np.all(np.diff(inv_freq) < 0)


@pytest.mark.parametrize("position", [3, -3, 7.5, FAR, -1e-20])
def test_pair_angles_lie_within_a_turn_and_point_where_the_table_does(position):
    angles = pair_angles(position, 64)
    assert angles.shape == (32,)
    assert np.all((angles >= 0) & (angles < 2 * math.pi))
    # reducing modulo the rounded 2 pi costs up to 1.6e5 turns x 2.4e-16
    np.testing.assert_allclose(np.sin(angles), sinusoidal(position, 64)[0::2], rtol=0, atol=1e-9)
    np.testing.assert_allclose(np.cos(angles), sinusoidal(position, 64)[1::2], rtol=0, atol=1e-9)


@pytest.mark.parametrize("d_model", WIDTHS)
def test_kernel_is_the_dot_product_from_every_start(d_model):
    distances = np.array([0, 1, 2, 10, 100, 1000])
    products = dot_products(np.array([[0], [20], [100], [-7]]), distances, d_model)
    # d_model / 2 terms of at most 1, each right to about 1e-13 at these positions
    np.testing.assert_allclose(products, np.tile(distance_kernel(distances, d_model), (4, 1)), atol=1e-10, rtol=0)


def test_kernel_is_even_and_largest_at_zero():
    distances = np.arange(1, 2000)
    np.testing.assert_array_equal(distance_kernel(distances, 64), distance_kernel(-distances, 64))
    assert np.all(distance_kernel(distances, 64) < distance_kernel(0, 64))
    assert distance_kernel(0, 64) == 32.0


def test_kernel_in_chunks_equals_kernel_at_once():
    distances = np.arange(3000)  # 1,024 pairs: three chunks
    expected = np.cos(distances[:, None] * inverse_frequencies(2048)).sum(axis=-1)
    np.testing.assert_array_equal(distance_kernel(distances, 2048), expected)
    assert distance_kernel(np.zeros((0, 3)), 64).shape == (0, 3)
    assert distance_kernel(distances.reshape(3, 1000), 4).shape == (3, 1000)


def test_kernel_digits_of_the_paper_width():
    # facts, Formulae; four digits
    expected = [0.9731, 0.9052, 0.7406, 0.6789, 0.4373, 0.1757]
    np.testing.assert_allclose(distance_kernel([1, 2, 5, 10, 100, 1000], 512) / 256, expected, rtol=0, atol=5e-5)


def test_kernel_far_out_against_exact_arithmetic():
    with mpmath.workdps(40):
        exact = mpmath.fsum(mpmath.cos(FAR * mpmath.mpf(10_000) ** (-mpmath.mpf(2 * i) / 64)) for i in range(32))
    assert distance_kernel(FAR, 64) == pytest.approx(float(exact), abs=1e-8)


def test_kernel_is_not_monotone():
    # facts 3: ten equal rows of a lesson table show it too
    assert distance_kernel(16, 64) == pytest.approx(19.373, abs=5e-4)
    assert distance_kernel(32, 64) == pytest.approx(19.554, abs=5e-4)


@pytest.mark.parametrize(("d_model", "rise"), [(64, 6), (128, 12), (512, 44)])
def test_first_rise_is_the_far_end_of_the_first_step_up(d_model, rise):
    # facts 3: 5 to 6, 11 to 12, 43 to 44
    assert first_rise(d_model) == rise
    kernel = [sum(math.cos(k * w) for w in inverse_frequencies(d_model)) for k in range(rise + 1)]
    assert all(kernel[k] < kernel[k - 1] for k in range(1, rise))
    assert kernel[rise] > kernel[rise - 1]


@pytest.mark.parametrize(("d_model", "distance"), [(64, 725), (2, 2)])
def test_first_negative(d_model, distance):
    assert first_negative(d_model) == distance
    kernel = distance_kernel(np.arange(distance + 1), d_model)
    assert np.all(kernel[:-1] >= 0)
    assert kernel[-1] < 0


def test_searches_stop_at_their_limit():
    assert first_negative(64, limit=724) is None
    assert first_negative(64, limit=725) == 725
    assert first_rise(64, limit=5) is None
    assert first_rise(64, limit=6) == 6


def test_product_matrix_has_constant_diagonals():
    matrix = product_matrix(np.arange(50), 64)
    assert matrix.shape == (50, 50)
    for offset in range(-49, 50):
        # 64 products of at most 1
        np.testing.assert_allclose(np.diagonal(matrix, offset), distance_kernel(offset, 64), rtol=0, atol=1e-12)


@pytest.mark.parametrize("positions", [7, 7.0, [1, 2, 3], [[1], [2]], (), np.arange(6).reshape(2, 3), range(4)])
def test_shape_is_that_of_the_positions_and_the_width(positions):
    assert sinusoidal(positions, 8).shape == (*np.shape(positions), 8)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_floating_dtype_is_kept_and_angles_are_still_float64(dtype):
    positions = np.array([0, 1, 1000], dtype=dtype)
    table = sinusoidal(positions, 64)
    assert table.dtype == dtype
    np.testing.assert_array_equal(table, sinusoidal(positions.astype(np.float64), 64).astype(dtype))


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.uint64])
def test_integers_become_float64(dtype):
    table = sinusoidal(np.array([0, 1, 100], dtype=dtype), 64)
    assert table.dtype == np.float64
    np.testing.assert_array_equal(table, sinusoidal([0, 1, 100], 64))


def test_large_table_is_within_reach():
    table = sinusoidal(np.arange(4096, dtype=np.float32), 1024)
    assert table.shape == (4096, 1024)
    # one rounding to float32 at the end
    np.testing.assert_allclose(table[4095], sinusoidal(4095, 1024), rtol=0, atol=6e-8)


def test_positions_are_left_as_they_were():
    positions = np.arange(5.0)
    table = sinusoidal(positions, 8)
    table[:] = 7
    np.testing.assert_array_equal(positions, np.arange(5.0))


def test_table_added_along_the_sequence_is_the_same_for_every_batch_and_head():
    # case A23: batch, heads and sequence all differ
    x = np.ones((2, 3, 5, 4))
    added = x + sinusoidal(np.arange(5), 4)
    np.testing.assert_array_equal(added, np.broadcast_to(added[0, 0], x.shape))
    np.testing.assert_array_equal(added[1, 2, 3], 1 + sinusoidal(3, 4))
