"""A trained table: neighbours are alike; and what lengthening it keeps and loses."""

import numpy as np
import pytest

from posenc import cosine_similarities, lengthened_tables, lengthening_agreement, row_similarities, trained_table
from posenc.trained import WAYS


def test_neighbours_are_alike_after_training_and_not_before():
    after, before = row_similarities(64, trained=True), row_similarities(64, trained=False)
    # Row 0, the start token's, is unlike all others.
    assert np.diag(after, 1)[1:].min() > 0.6
    # A cosine of independent rows of 96 numbers has standard deviation 96 ** -0.5.
    assert np.abs(np.diag(before, 1)).max() < 4 * 96**-0.5
    np.testing.assert_array_equal(after, cosine_similarities(trained_table(64)))


def test_lengthened_tables_start_as_they_say():
    tables = lengthened_tables(64, 128)
    np.testing.assert_array_equal(tables.cut, tables.trained[:64])
    np.testing.assert_array_equal(tables.repeated[:64], tables.cut)
    np.testing.assert_array_equal(tables.repeated[64:], np.tile(tables.cut[-1], (64, 1)))
    np.testing.assert_array_equal(tables.random[:64], tables.cut)
    # Twice as many rows: new row 2 i + 1 lies a quarter of the way from old row i to the next.
    between = 0.75 * tables.cut[:-1] + 0.25 * tables.cut[1:]
    np.testing.assert_allclose(tables.interpolated[1:-1:2], between, rtol=0, atol=1e-14)
    assert {getattr(tables, way).shape for way in WAYS} == {tables.trained.shape}


def test_agreement_is_the_mean_cosine_of_rows_at_one_position():
    tables = lengthened_tables(40, 100)
    found = lengthening_agreement(40, 100)
    for way, (old, new) in zip(WAYS, found, strict=True):
        cosines = np.diag(cosine_similarities(np.concatenate([getattr(tables, way), tables.trained])), 100)
        np.testing.assert_allclose([old, new], [cosines[:40].mean(), cosines[40:].mean()], rtol=0, atol=1e-12)


def test_no_way_gives_the_rows_that_training_would_have_given():
    repeated, interpolated, random = lengthening_agreement(64)
    assert [repeated[0], random[0]] == pytest.approx([1, 1], abs=1e-12)
    assert interpolated[0] < 0.5, "the old positions change too"
    assert max(repeated[1], interpolated[1]) < 0.5
    # 64 cosines of standard deviation 96 ** -0.5
    assert abs(random[1]) < 4 * 96**-0.5 / 8


@pytest.mark.parametrize(
    ("kept", "rows", "message"),
    [
        (0, 128, "kept must be an integer from 1 to 127, got 0"),
        (64, 129, "rows must be an integer from 2 to 128, got 129"),
        (9, 9, "kept must be an integer from 1 to 8, got 9"),
    ],
)
def test_a_table_can_be_lengthened_only_within_what_is_known(kept, rows, message):
    for function in (lengthened_tables, lengthening_agreement):
        with pytest.raises(ValueError, match=message):
            function(kept, rows)
