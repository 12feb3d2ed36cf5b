"""The lesson's tables, against the full digits that its own code gives."""

import numpy as np
import pytest

from posenc import lessons

pytestmark = pytest.mark.filterwarnings("error")

# recorded from the lesson's code (default_rng(0)); angles up to 100 leave 1e-14 between equal formulas
TOLERANCE = 1e-12
Q = [0.1257302210933933, -0.1321048632913019, 0.6404226504432821, 0.10490011715303971]
Q += [-0.535669373161111, 0.36159505490948474, 1.3040000451301372, 0.9470809631292422]
K = [-0.7037352358069926, -1.2654214710460525, -0.6232744625373522, 0.0413259793472436]
K += [-2.3250307746388343, -0.21879166393254573, -1.2459109472530652, -0.7322673547034516]
ROWS = [
    (5, 2, -3.723952746238052, 1.176863012045842),
    (10, 7, -3.723952746238052, 2.0001270535977342),
    (100, 97, -3.7239527462380524, -2.134787209384013),
    (5, 5, -1.467987048636727, 3.0411482427578873),
    (50, 50, -1.4679870486367268, 0.3314139451990614),
    (2, 5, -3.822770734421264, 0.8292870534908493),
    (60, 63, -3.8227707344212645, 0.8417425953392655),
]
DOTS = [32.0, 30.916831661619028, 28.303862004129687, 23.934361559514322]
DOTS += [22.41391194408451, 19.372820258085167, 19.553972216313106, 13.906089258841096]


def test_query_and_key():
    q, k = lessons.query_and_key()
    np.testing.assert_array_equal(q, Q)
    np.testing.assert_array_equal(k, K)
    q[:] = 0
    np.testing.assert_array_equal(lessons.query_and_key()[0], Q)


def test_rope_against_addition():
    table = lessons.rope_vs_additive()
    actual = np.stack([table.m, table.n, table.rope, table.additive], axis=-1)
    np.testing.assert_allclose(actual, ROWS, rtol=0, atol=TOLERANCE)


def test_other_settings_are_used():
    usual = lessons.rope_vs_additive()
    assert not np.allclose(usual.rope, lessons.rope_vs_additive(pairing="interleaved").rope)
    assert not np.allclose(usual.additive, lessons.rope_vs_additive(base=100.0).additive)


def test_rotation_keeps_the_length_of_q():
    np.testing.assert_allclose(lessons.rotated_lengths(), [1.8626529785979864] * 5, rtol=0, atol=TOLERANCE)


def test_dots_by_distance():
    table = lessons.dots_by_distance()
    np.testing.assert_allclose(table, np.tile(np.array(DOTS)[:, None], (1, 3)), rtol=0, atol=TOLERANCE)


def test_digits_of_rows_by_hand():
    digits = lessons.row_digits()
    columns = [0, 1, 2, 3, 14, 15]
    for row, p in zip(digits, [0, 1, 2, 3, 10, 50], strict=True):
        angles = [p * 10_000 ** (-2 * (c // 2) / 16) for c in columns]
        expected = [np.cos(a) if c % 2 else np.sin(a) for a, c in zip(angles, columns, strict=True)]
        np.testing.assert_allclose(row, expected, rtol=0, atol=1e-14)


def test_columns_outside_the_table_are_refused():
    with pytest.raises(ValueError, match=r"columns must be integers from 0 to 7, got \[0, 8\]"):
        lessons.row_digits(8, columns=[0, 8])
    with pytest.raises(ValueError, match=r"starts must be one-dimensional, got shape \(1, 1\)"):
        lessons.dots_by_distance(starts=[[1]])


def test_weights_are_the_same_wherever_the_content_stands():
    near, far = lessons.shifted_weights((0, 1000))
    # float64 angles at 1,000 positions
    np.testing.assert_allclose(near, far, rtol=0, atol=1e-12)
    np.testing.assert_allclose(near.sum(axis=-1), 1.0, rtol=0, atol=1e-12)
    assert near.shape == (6, 6)


@pytest.mark.parametrize(("name", "value"), [("seq_len", 0), ("head_dim", 7), ("seed", -1), ("shifts", (0.5,))])
def test_shifted_weights_refuse_what_has_no_weights(name, value):
    with pytest.raises(ValueError, match=f"{name} must be"):
        lessons.shifted_weights(**{"shifts": (0,), name: value})
