"""Learned tables: lookup, the edge of the table, and ways to stretch it."""

import pickle

import numpy as np
import pytest
import torch

from posenc import (
    LearnedTable,
    PositionOverflowError,
    cosine_similarities,
    first_overflow,
    repeat_last_row,
    resize_table,
    roberta_positions,
    row_norms,
    untrained_table,
)

pytestmark = pytest.mark.filterwarnings("error")

WEIGHTS = np.random.default_rng(0).standard_normal((10, 4))


@pytest.mark.parametrize("positions", [0, 9, [3, 3, 0], [[1, 2], [8, 9]], np.uint8(5), np.arange(10), []])
@pytest.mark.parametrize("kind", [np.asarray, torch.asarray])
def test_lookup_gives_the_rows(positions, kind):
    found = LearnedTable(kind(WEIGHTS)).lookup(positions)
    assert isinstance(found, type(kind(WEIGHTS)))
    np.testing.assert_array_equal(np.asarray(found), WEIGHTS[np.asarray(positions, dtype=int)])


def test_lookup_is_a_product_with_one_hot_rows():
    positions = np.array([4, 0, 9])
    np.testing.assert_array_equal(LearnedTable(WEIGHTS).lookup(positions), np.eye(10)[positions] @ WEIGHTS)


def test_offset_counts_from_the_row_after():
    table = LearnedTable(WEIGHTS, offset=2)
    assert (table.rows, table.dim, table.offset, table.usable) == (10, 4, 2, 8)
    np.testing.assert_array_equal(table.lookup([0, 7]), WEIGHTS[[2, 9]])


def test_position_after_the_last_row_is_an_error_that_says_where_the_table_ends():
    # case A25
    table = LearnedTable(np.zeros((1024, 2)))
    with pytest.raises(PositionOverflowError) as caught:
        table.lookup([0, 1023, 1024, 5000])
    assert str(caught.value) == "position 1024 is outside the table: 1024 rows serve positions 0 to 1023"
    error = caught.value
    assert (error.position, error.rows, error.first, error.last) == (1024, 1024, 0, 1023)
    assert isinstance(error, IndexError)
    assert isinstance(error, ValueError)


def test_offset_table_of_514_rows_serves_512_positions():
    # case A25, RoBERTa
    table = LearnedTable(np.zeros((514, 2)), offset=2)
    assert table.lookup(511).shape == (2,)
    with pytest.raises(PositionOverflowError, match=r"^position 512 is outside .* 514 rows serve positions 0 to 511$"):
        table.lookup(512)


@pytest.mark.parametrize("kind", [np.asarray, torch.asarray])
@pytest.mark.parametrize("position", [-1, -10, [3, -1], np.int8(-1), 2**63])
def test_nothing_wraps_around(kind, position):
    with pytest.raises(PositionOverflowError, match="is outside the table: 10 rows serve positions 0 to 9"):
        LearnedTable(kind(WEIGHTS)).lookup(position)


@pytest.mark.parametrize(("rows", "offset"), [(8, 0), (8, 2), (514, 2), (1024, 0), (1, 0)])
def test_sentence_overflows_from_the_first_token_without_a_row(rows, offset):
    usable = rows - offset
    assert all(first_overflow(length, rows=rows, offset=offset) is None for length in {1, usable})
    refusal = first_overflow(usable + 3, rows=rows, offset=offset)
    assert isinstance(refusal, PositionOverflowError)
    assert (refusal.position, refusal.rows, refusal.last) == (usable, rows, usable - 1)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"length": 0, "rows": 8}, "length must be an integer from 1 to 2147483647, got 0"),
        ({"length": 5, "rows": 0}, "rows must be an integer from 1 to 2147483647, got 0"),
        ({"length": 5, "rows": 8, "offset": 8}, "offset must be an integer from 0 to 7, got 8"),
    ],
)
def test_a_sentence_and_a_table_have_at_least_one_place(settings, message):
    with pytest.raises(ValueError, match=message):
        first_overflow(**settings)


def test_libraries_answer_as_the_page_says():
    table = np.arange(16.0).reshape(8, 2)
    embedding = torch.nn.Embedding.from_pretrained(torch.asarray(table))
    np.testing.assert_array_equal(table[-1], table[7])
    with pytest.raises(IndexError):
        table[8]
    for position in (8, -1):
        with pytest.raises(IndexError, match="index out of range in self"):
            embedding(torch.tensor(position))


def test_overflow_error_survives_pickling():
    error = pickle.loads(pickle.dumps(PositionOverflowError(600, 514, 2)))
    assert (str(error), error.last) == (str(PositionOverflowError(600, 514, 2)), 511)


@pytest.mark.parametrize("positions", [1.0, [1.5], "1", True, [True], None, np.nan, np.array([1.0])])
def test_positions_must_be_integers(positions):
    with pytest.raises(ValueError, match=r"^positions must be integers, got "):
        LearnedTable(WEIGHTS).lookup(positions)


def test_table_is_not_changed_from_outside():
    weights = WEIGHTS.copy()
    table = LearnedTable(weights)
    weights[:] = 0
    found = table.lookup([1, 2])
    found[:] = 7
    np.testing.assert_array_equal(table.weights, WEIGHTS)
    with pytest.raises(ValueError, match="read-only"):
        table.weights[0, 0] = 1
    one = table.lookup(3)
    one[:] = 7
    np.testing.assert_array_equal(table.lookup(3), WEIGHTS[3])


def test_gradients_reach_the_rows_that_were_read():
    weights = torch.nn.Parameter(torch.asarray(WEIGHTS))
    LearnedTable(weights, offset=1).lookup([0, 0, 4]).sum().backward()
    np.testing.assert_array_equal(weights.grad[:, 0].numpy(), [0, 2, 0, 0, 0, 1, 0, 0, 0, 0])


def test_untrained_table_is_normal_with_the_asked_deviation_and_repeats():
    table = untrained_table(1000, 100)
    # standard errors of 100,000 draws: 0.02 / 316 and 0.02 / 447
    assert abs(table.mean()) < 4 * 0.02 / 316
    assert table.std() == pytest.approx(0.02, abs=4 * 0.02 / 447)
    np.testing.assert_array_equal(table, untrained_table(1000, 100, seed=0))
    assert not np.array_equal(table, untrained_table(1000, 100, seed=1))
    np.testing.assert_array_equal(untrained_table(3, 2, scale=0), np.zeros((3, 2)))


@pytest.mark.parametrize("align_corners", [False, True])
@pytest.mark.parametrize(("old", "new"), [(10, 25), (10, 20), (10, 10), (10, 7), (10, 1), (1, 4), (2, 3), (514, 700)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_resizing_gives_the_numbers_of_torch_interpolate(align_corners, old, new, dtype):
    weights = torch.asarray(np.random.default_rng(1).standard_normal((old, 3))).to(dtype)
    expected = torch.nn.functional.interpolate(weights.T[None], size=new, mode="linear", align_corners=align_corners)
    # torch works float32 tables in float32; positions near 700 then carry 700 x 6e-8
    tolerance = 1e-12 if dtype == torch.float64 else 3e-4
    resized = resize_table(weights, new, align_corners=align_corners)
    assert resized.dtype == dtype
    torch.testing.assert_close(resized, expected[0].T, rtol=0, atol=tolerance)
    from_numpy = resize_table(weights.numpy(), new, align_corners=align_corners)
    np.testing.assert_array_equal(from_numpy, resized.numpy())


@pytest.mark.parametrize("new", [4, 10, 37])
def test_resizing_gives_the_numbers_of_numpy_interp(new):
    at = {True: np.linspace(0, 9, new), False: (np.arange(new) + 0.5) * 10 / new - 0.5}
    for align_corners, where in at.items():
        expected = np.stack([np.interp(where, np.arange(10), column) for column in WEIGHTS.T], axis=-1)
        actual = resize_table(WEIGHTS, new, align_corners=align_corners)
        np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-13)


def test_aligned_corners_keep_the_first_and_last_row():
    resized = resize_table(WEIGHTS, 33, align_corners=True)
    np.testing.assert_allclose(resized[[0, -1]], WEIGHTS[[0, -1]], rtol=0, atol=1e-14)


def test_resizing_to_the_same_size_is_a_copy():
    resized = resize_table(WEIGHTS, 10)
    np.testing.assert_array_equal(resized, WEIGHTS)
    resized[:] = 0
    assert np.any(WEIGHTS != 0)


def test_last_row_is_repeated():
    longer = repeat_last_row(WEIGHTS, 13)
    np.testing.assert_array_equal(longer[:10], WEIGHTS)
    np.testing.assert_array_equal(longer[10:], np.tile(WEIGHTS[-1], (3, 1)))
    with pytest.raises(ValueError, match="rows must be an integer from 10 to 2147483647, got 9"):
        repeat_last_row(WEIGHTS, 9)


@pytest.mark.parametrize("kind", [np.asarray, torch.asarray, list])
def test_roberta_positions_skip_padding(kind):
    # case A25
    found = roberta_positions(kind([0, 31414, 232, 2, 1, 1]))
    np.testing.assert_array_equal(np.asarray(found), [2, 3, 4, 5, 1, 1])


def test_roberta_positions_by_loop_with_padding_anywhere():
    ids = np.random.default_rng(2).integers(0, 4, size=(3, 20))
    expected = []
    for row in ids:
        count = 0
        for token in row:
            count += int(token != 3)
            expected.append(3 + count if token != 3 else 3)
    np.testing.assert_array_equal(roberta_positions(ids, pad_id=3).reshape(-1), expected)


def test_similarities_are_cosines_and_a_row_of_zeros_has_none():
    weights = np.array([[3.0, 4.0], [0, 0], [-3, -4], [4, -3]])
    np.testing.assert_array_equal(row_norms(weights), [5, 0, 5, 5])
    expected = [[1, 0, -1, 0], [0, 0, 0, 0], [-1, 0, 1, 0], [0, 0, 0, 1]]
    np.testing.assert_allclose(cosine_similarities(weights), expected, rtol=0, atol=1e-15)


def test_a_table_has_two_axes_and_at_least_one_row():
    for weights in (np.zeros(3), np.zeros((0, 3)), np.zeros((3, 0)), np.zeros((1, 2, 3)), 5):
        with pytest.raises(ValueError, match=r"weights must be a table of shape \(rows, dim\), got shape "):
            LearnedTable(weights)
    with pytest.raises(ValueError, match="offset must be an integer from 0 to 9, got 10"):
        LearnedTable(WEIGHTS, offset=10)
