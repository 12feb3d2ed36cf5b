"""One sentence in many orders: a walk by swaps of neighbours, and in each order what the comparison of two gives."""

import math
from itertools import pairwise, permutations

import numpy as np
import pytest

import posenc
from posenc.shuffles import EVERY_ORDER_OF, MOST_WALKED

pytestmark = pytest.mark.filterwarnings("error")

WORDS = ("the", "dog", "bites", "the", "man")
DOG = ("dog", "bites", "man")


@pytest.mark.parametrize("n", range(1, MOST_WALKED + 1))
def test_each_order_is_a_swap_of_neighbours_after_the_one_before(n):
    walk = posenc.neighbour_walk(n)
    np.testing.assert_array_equal(walk[0], np.arange(n))
    assert len({tuple(order) for order in walk}) == len(walk)
    for before, after in pairwise(walk):
        (first, second) = np.flatnonzero(before != after)
        assert second == first + 1
        assert (before[first], before[second]) == (after[second], after[first])


@pytest.mark.parametrize("n", range(1, EVERY_ORDER_OF + 1))
def test_few_words_take_every_order(n):
    assert {tuple(order) for order in posenc.neighbour_walk(n)} == set(permutations(range(n)))


@pytest.mark.parametrize("n", range(1, MOST_WALKED + 1))
def test_the_reverse_is_on_the_walk_and_ends_a_long_one(n):
    walk, step = posenc.neighbour_walk(n), posenc.reverse_step(n)
    np.testing.assert_array_equal(walk[step], np.arange(n)[::-1])
    if n > EVERY_ORDER_OF:
        assert step == len(walk) - 1 == math.comb(n, 2)


@pytest.mark.parametrize("positions", ["none", "sinusoidal", "rope"])
@pytest.mark.parametrize("causal", [False, True])
def test_every_order_is_what_the_comparison_of_two_gives(positions, causal):
    found = posenc.shuffles(WORDS, positions, causal, 2)
    for step in (0, 1, 50, 64, 119):
        order = tuple(found.permutations[step].tolist())
        two = posenc.order_comparison(WORDS, order, positions, causal, 2)
        np.testing.assert_array_equal(found.shuffled[step], two.permuted_outputs)
        np.testing.assert_array_equal(found.outputs, two.outputs)
        np.testing.assert_array_equal(found.lengths[step], two.word_change[list(order)])
        assert found.residuals[step] == two.residual
        np.testing.assert_array_equal(found.change[step], two.permuted_outputs - two.outputs[list(order)])


@pytest.mark.parametrize("layers", [1, 2])
def test_without_positions_no_order_changes_any_output(layers):
    assert posenc.shuffles(WORDS, layers=layers).residual < 1e-13
    assert posenc.shuffles(tuple("abcdefghijkl"), layers=layers).residual < 1e-13


@pytest.mark.parametrize("positions", ["sinusoidal", "rope"])
def test_with_positions_every_other_order_changes_some_output(positions):
    residuals = posenc.shuffles(DOG, positions).residuals
    assert residuals[0] == 0
    assert residuals[1:].min() > 0.05


@pytest.mark.parametrize("words", [DOG, tuple("狗咬人"), WORDS])
def test_one_causal_layer_cannot_tell_the_past_and_more_can(words):
    changes = posenc.last_word_changes(words, 3)
    assert changes[0] < 1e-13
    assert changes[1:].min() > 0.01


def test_a_past_that_reads_the_same_backwards_tells_nothing():
    assert posenc.last_word_changes(("no", "no", "dog"), 4).max() < 1e-13
    np.testing.assert_array_equal(posenc.last_word_changes(("dog",)), [0, 0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: posenc.neighbour_walk(0), "n must be an integer from 1 to 16, got 0"),
        (lambda: posenc.reverse_step(17), "n must be an integer from 1 to 16, got 17"),
        (lambda: posenc.shuffles(("a",) * 17), "n must be an integer from 1 to 16, got 17"),
        (lambda: posenc.shuffles(()), r"words must be 1 to 64 strings .*, got \(\)"),
        (lambda: posenc.shuffles(DOG, "learned"), "positions must be 'none' or 'sinusoidal' or 'rope'"),
        (lambda: posenc.last_word_changes(DOG, 5), "most_layers must be an integer from 1 to 4, got 5"),
    ],
)
def test_what_does_not_fit_is_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()
