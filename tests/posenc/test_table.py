"""Cells, pictures, hands and nearest rows of the sinusoidal table against the table itself and exact arithmetic."""

import re
import tracemalloc
from itertools import combinations

import mpmath
import numpy as np
import pytest

import posenc
from posenc import lessons

pytestmark = pytest.mark.filterwarnings("error")

LAYOUTS = ["interleaved", "concatenated"]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("d_model", "base"), [(2, 10_000.0), (8, 2.0), (64, 10_000.0), (1024, 1_000_000.0)])
def test_channels_make_the_table(layout, d_model, base):
    known = posenc.channels(d_model, base=base, layout=layout)
    angles = np.arange(0, 4096, 91)[:, None] * known.inv_freq
    made = np.where(known.is_cosine, np.cos(angles), np.sin(angles))
    table = posenc.sinusoidal(np.arange(0, 4096, 91), d_model, base=base, layout=layout)
    np.testing.assert_array_equal(made, table)
    np.testing.assert_allclose(known.inv_freq * known.wavelength, 2 * np.pi, rtol=1e-15)


def test_both_channels_of_a_pair_are_named_after_it():
    np.testing.assert_array_equal(posenc.channels(8).pair, [0, 0, 1, 1, 2, 2, 3, 3])
    np.testing.assert_array_equal(posenc.channels(8, layout="concatenated").pair, [0, 1, 2, 3, 0, 1, 2, 3])
    np.testing.assert_array_equal(posenc.channels(4, layout="concatenated").is_cosine, [False, False, True, True])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_channel_is_a_column_of_the_table(layout):
    table = posenc.sinusoidal(np.arange(100), 16, layout=layout)
    for dimension in range(16):
        wave = posenc.channel_values(range(100), dimension, 16, layout=layout)
        np.testing.assert_array_equal(wave, table[:, dimension])


@pytest.mark.parametrize("base", [2, 10_000, 1_000_000])
def test_a_cell_is_right_to_ten_decimals(base):
    rng = np.random.default_rng(0)
    for position, dimension in zip(rng.integers(0, 4096, 200), rng.integers(0, 1024, 200), strict=True):
        with mpmath.workdps(40):
            angle = int(position) * mpmath.mpf(base) ** (-mpmath.mpf(2 * int(dimension // 2)) / 1024)
            exact = mpmath.cos(angle) if dimension % 2 else mpmath.sin(angle)
            cell = float(posenc.channel_values(int(position), int(dimension), 1024, base=base))
            assert abs(exact - mpmath.mpf(cell)) < 5e-12


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("n", "d_model"), [(1, 2), (64, 64), (512, 512)])
def test_a_table_that_fits_is_drawn_cell_by_cell(n, d_model, layout):
    drawn = posenc.drawn_table(n, d_model, base=100.0, layout=layout)
    assert (drawn.positions_per_row, drawn.pair_step) == (1, 1)
    np.testing.assert_array_equal(drawn.kept, np.arange(d_model))
    table = posenc.sinusoidal(np.arange(n), d_model, base=100.0, layout=layout)
    np.testing.assert_array_equal(drawn.values, table)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("n", "d_model", "rows", "columns"), [(4096, 1024, 512, 512), (10, 16, 4, 6), (7, 8, 7, 3)])
def test_a_larger_table_is_block_means_of_whole_pairs(n, d_model, rows, columns, layout):
    drawn = posenc.drawn_table(n, d_model, layout=layout, rows=rows, columns=columns)
    assert drawn.values.shape[0] <= rows
    assert drawn.values.shape[1] <= columns
    block, step = drawn.positions_per_row, drawn.pair_step
    known = posenc.channels(d_model, layout=layout)
    kept_pairs = known.pair[drawn.kept]
    np.testing.assert_array_equal(np.unique(kept_pairs), np.arange(0, d_model // 2, step))
    assert all(np.sum(kept_pairs == pair) == 2 for pair in kept_pairs)
    table = posenc.sinusoidal(np.arange(n), d_model, layout=layout)
    expected = [table[start : start + block, drawn.kept].mean(axis=0) for start in range(0, n, block)]
    # at n positions each entry is right to n x 2.3e-16, whichever way it was made
    np.testing.assert_allclose(drawn.values, expected, rtol=0, atol=n * 2.3e-16)


def test_the_largest_table_is_never_held_at_once():
    tracemalloc.start()
    posenc.drawn_table(4096, 1024)
    posenc.claims.norm_residual(4096, 1024)
    posenc.claims.circle_residual(4096, 1024)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 4096 * 1024 * 8 * 1.5  # bytes of the full table in float64, and half as much again


@pytest.mark.parametrize(
    ("d_model", "count", "pairs"),
    [(2, 5, [0]), (4, 5, [0, 1]), (8, 5, [0, 1, 2, 3]), (64, 5, [0, 8, 16, 23, 31]), (64, 1, [0]), (1024, 2, [0, 511])],
)
def test_hands_run_from_the_fastest_to_the_slowest(d_model, count, pairs):
    np.testing.assert_array_equal(posenc.spread_pairs(d_model, count=count), pairs)


@pytest.mark.parametrize(("n", "d_model", "base"), [(2, 2, 10_000.0), (60, 2, 10_000.0), (60, 8, 2.0), (60, 64, 100.0)])
def test_nearest_rows_against_every_pair_of_rows(n, d_model, base):
    table = posenc.sinusoidal(np.arange(n), d_model, base=base)
    lengths = {(a, b): float(np.linalg.norm(table[a] - table[b])) for a, b in combinations(range(n), 2)}
    nearest = posenc.nearest_rows(n, d_model, base=base)
    assert nearest.distance == pytest.approx(min(lengths.values()), abs=1e-12)
    assert lengths[0, nearest.apart] == pytest.approx(nearest.distance, abs=1e-12)


def test_nearest_rows_known_by_hand():
    # 710 is close to 113 turns: the fastest pair alone comes back to within 6.03e-5 of where it was
    nearest = posenc.nearest_rows(4096, 2)
    assert nearest.apart == 710
    assert nearest.distance == pytest.approx(710 - 226 * np.pi, abs=1e-11)
    # facts 1: with d_model 512 the closest two are neighbours
    assert posenc.nearest_rows(65_536, 512).apart == 1


def test_digit_columns_are_the_lessons_at_its_width():
    assert lessons.digit_columns(16) == lessons.DIGIT_COLUMNS
    assert lessons.digit_columns(2) == (0, 1)
    assert lessons.digit_columns(4) == (0, 1, 2, 3)
    assert lessons.digit_columns(16, layout="concatenated") == (0, 1, 7, 8, 9, 15)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_digits_are_cells_of_the_table(layout):
    columns = lessons.digit_columns(64, layout=layout)
    digits = lessons.row_digits(64, columns=columns, base=100.0, layout=layout)
    table = posenc.sinusoidal(np.arange(51), 64, base=100.0, layout=layout)
    np.testing.assert_array_equal(digits, table[np.ix_(lessons.DIGIT_POSITIONS, columns)])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: posenc.channels(5), "d_model must be a positive even integer"),
        (lambda: posenc.channels(8, layout="other"), "layout must be 'interleaved' or 'concatenated', got 'other'"),
        (lambda: posenc.channels(8, base=1), "base must be a finite number above 1, got 1"),
        (lambda: posenc.channel_values(0, 8, 8), "dimension must be an integer from 0 to 7, got 8"),
        (lambda: posenc.channel_values(0, -1, 8), "dimension must be an integer from 0 to 7, got -1"),
        (lambda: posenc.channel_values("x", 0, 8), "positions must be finite real numbers, got 'x'"),
        (lambda: posenc.drawn_table(0, 8), "n must be an integer from 1 to 65536, got 0"),
        (lambda: posenc.drawn_table(8, 7), "d_model must be a positive even integer"),
        (lambda: posenc.drawn_table(8, 8, rows=0), "rows must be an integer from 1 to"),
        (lambda: posenc.drawn_table(8, 8, columns=1), "columns must be an integer from 2 to"),
        (lambda: posenc.spread_pairs(3), "d_model must be a positive even integer"),
        (lambda: posenc.spread_pairs(8, count=0), "count must be an integer from 1 to"),
        (lambda: posenc.nearest_rows(1, 8), "n must be an integer from 2 to 65536, got 1"),
        (lambda: posenc.nearest_rows(9, 8, base=0), "base must be a finite number above 1, got 0"),
        (lambda: posenc.claims.circle_residual(0, 8), "n must be an integer from 1 to 4096, got 0"),
    ],
)
def test_refusals_name_the_argument_and_the_rule(call, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()
