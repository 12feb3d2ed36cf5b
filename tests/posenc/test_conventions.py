"""One vector in two conventions, and what a mix-up does to its length."""

import numpy as np
import pytest

import posenc

pytestmark = pytest.mark.filterwarnings("error")

ORDERS = [("interleaved", "half"), ("half", "interleaved")]


@pytest.mark.parametrize(("source", "target"), ORDERS)
@pytest.mark.parametrize("width", [4, 8, 16])
@pytest.mark.parametrize("encoding", ["rope", "sinusoid"])
def test_each_convention_gives_the_same_numbers_in_its_own_order(encoding, width, source, target):
    found = posenc.conversion(width, source=source, target=target, encoding=encoding)
    np.testing.assert_array_equal(found.after, found.before[found.order])
    both, converted, one = found.products
    # at most 16 products of size 16 squared, summed in another order
    assert converted == pytest.approx(both, abs=1e-11)
    assert abs(one - both) > 0.1


def test_rotated_vector_is_that_of_case_a10():
    found = posenc.conversion(8)
    np.testing.assert_array_equal(found.given, np.arange(1.0, 9))
    expected = [-1.2722325127, -1.8388649851, 1.6839286407, 4.7079065765]
    np.testing.assert_allclose(found.before[:4], expected, rtol=0, atol=1e-9)
    assert found.order.tolist() == [0, 2, 4, 6, 1, 3, 5, 7]
    assert found.members.tolist() == [[0, 1], [2, 3], [4, 5], [6, 7]]


def test_product_of_rotated_vectors_is_their_score():
    found = posenc.conversion(8, source="half", target="interleaved", positions=(2, 9), base=100.0)
    q, k = np.arange(1.0, 9), np.arange(8.0, 0, -1)
    assert found.products[0] == pytest.approx(posenc.score(q, k, 2, 9, base=100.0, pairing="half"), abs=1e-12)
    converted = posenc.score(q[found.order], k, 2, 9, base=100.0)
    rotated_first = posenc.rotate(q[found.order], 2, base=100.0) @ posenc.rotate(k, 9, base=100.0, pairing="half")
    assert found.products[2] == pytest.approx(rotated_first, abs=1e-12)
    assert abs(converted - found.products[0]) > 0.1


def test_sinusoids_are_those_of_case_a21_with_their_angles():
    found = posenc.conversion(8, encoding="sinusoid")
    expected = [0.1411200081, -0.9899924966, 0.2955202067, 0.9553364891]
    np.testing.assert_allclose(found.before[:4], expected, rtol=0, atol=1e-9)
    np.testing.assert_allclose(np.sin(found.given[0::2]), found.before[0::2], rtol=0, atol=1e-15)
    np.testing.assert_allclose(np.cos(found.given[1::2]), found.before[1::2], rtol=0, atol=1e-15)
    assert found.products[0] == pytest.approx(1.69618, abs=5e-6)
    half = posenc.conversion(8, source="half", target="interleaved", encoding="sinusoid")
    np.testing.assert_allclose(np.sin(half.given[:4]), half.before[:4], rtol=0, atol=1e-15)


def test_only_the_right_turn_keeps_the_length_of_case_a8():
    right, interleaved, half = posenc.squared_lengths([1, 2, 3, 4], range(65))
    np.testing.assert_allclose(right, 30, rtol=0, atol=1e-13)
    assert interleaved[[0, 1]] == pytest.approx([30, 34.377182], abs=5e-7)
    assert half[[0, 1]] == pytest.approx([30, 24.629552], abs=5e-7)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: posenc.conversion(7), "width must be .*, got 7"),
        (lambda: posenc.conversion(514), "width must be .* of at most 512, got 514"),
        (lambda: posenc.conversion(8, encoding="x"), "encoding must be 'rope' or 'sinusoid', got 'x'"),
        (lambda: posenc.conversion(8, source="x"), "source must be 'interleaved' or 'half', got 'x'"),
        (lambda: posenc.conversion(8, positions=(1, 2, 3)), r"positions must be two numbers, got shape \(3,\)"),
        (lambda: posenc.squared_lengths([[1, 2]], [0]), r"x must be one-dimensional, got shape \(1, 2\)"),
        (lambda: posenc.squared_lengths([1, 2, 3], [0]), r"x must be of even width, .*"),
        (lambda: posenc.squared_lengths([1, 2], 0), r"positions must be one-dimensional, got shape \(\)"),
        (lambda: posenc.claims.conversion_residual(4, 16, 4, num_kv_heads=3), "num_kv_heads must be a divisor .*"),
        (lambda: posenc.claims.conversion_residual(4, 16, source="x"), "source must be .*, got 'x'"),
        (lambda: posenc.claims.pairing_residual(0, 16), "seq_len must be .*, got 0"),
    ],
)
def test_what_does_not_fit_is_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()
