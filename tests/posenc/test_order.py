"""Order: what a shuffled sentence changes, and the lesson's comparison of weights."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import posenc
from posenc import claims, lessons

pytestmark = pytest.mark.filterwarnings("error")

WORDS = ("dog", "bites", "man")
LONG = ("the", "old", "dog", "bites", "the", "man")
SWAP = (2, 1, 0)
SHUFFLE = (3, 0, 4, 2, 1, 5)


def test_same_word_same_vector_wherever_it_stands():
    vectors = posenc.embed_words(LONG, 8)
    assert np.array_equal(vectors[0], vectors[4])
    assert len(np.unique(vectors, axis=0)) == 5
    assert np.array_equal(posenc.embed_words(["dog"], 16)[0, :8], vectors[2])
    assert np.array_equal(posenc.embed_words(["caf\u00e9"], 8), posenc.embed_words(["cafe\u0301"], 8))
    assert not np.array_equal(posenc.embed_words(["dog"], 8, seed=1)[0], vectors[2])
    assert not np.array_equal(posenc.embed_words(["Dog"], 8)[0], vectors[2])


def test_words_of_any_script_are_drawn_from_a_standard_normal():
    vectors = posenc.embed_words(["狗", "咬", "人", "собака", "\ud800", " "], 512)
    # mean and variance of 3,072 draws
    assert abs(vectors.mean()) < 0.1
    assert vectors.var() == pytest.approx(1.0, abs=0.15)


def test_words_are_the_same_in_every_process():
    code = "import posenc; print(posenc.embed_words(['dog'], 8).tobytes().hex())"
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": str(Path(posenc.__file__).parents[1]), "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert found == {posenc.embed_words(["dog"], 8).tobytes().hex()}


@pytest.mark.parametrize("layers", [1, 2, 4])
def test_without_positions_attention_is_equivariant(layers):
    found = posenc.order_comparison(LONG, SHUFFLE, layers=layers)
    assert found.residual < 1e-13
    assert found.weights_residual < 1e-13
    assert found.word_change.max() < 1e-13
    assert found.distance == 0
    # equivariant, not invariant: the outputs do stand in another order
    assert np.abs(found.outputs - found.permuted_outputs).max() > 0.1


def test_two_equal_words_are_one_to_attention_without_positions():
    outputs = posenc.order_comparison(LONG, SHUFFLE).outputs
    np.testing.assert_allclose(outputs[0], outputs[4], rtol=0, atol=1e-15)
    with_positions = posenc.order_comparison(LONG, SHUFFLE, "sinusoidal").outputs
    assert np.abs(with_positions[0] - with_positions[4]).max() > 0.1


@pytest.mark.parametrize("d_model", [8, 64])
@pytest.mark.parametrize("positions", ["sinusoidal", "rope"])
def test_with_positions_order_counts(positions, d_model):
    found = posenc.order_comparison(WORDS, SWAP, positions, d_model=d_model)
    assert found.residual > 0.05
    assert found.weights_residual > 0.01
    assert found.distance > 0.05
    assert np.all(found.word_change > 0.01)


def test_one_causal_layer_cannot_tell_the_order_of_its_past_and_two_can():
    last = [posenc.order_comparison(LONG, SHUFFLE, causal=True, layers=n).word_change[-1] for n in (1, 2, 3)]
    assert last[0] < 1e-14
    assert min(last[1:]) > 0.01
    # yet one layer is not equivariant: earlier words see other words than before
    assert posenc.order_comparison(LONG, SHUFFLE, causal=True).residual > 0.1


def test_comparison_by_hand():
    found = posenc.order_comparison(list(WORDS), SWAP, "sinusoidal", d_model=4, seed=3)
    x = posenc.embed_words(WORDS, 4, seed=3)
    to_q, to_k, to_v = np.random.default_rng([3, 0]).standard_normal((3, 4, 4)) / 2

    def layer(rows):
        scores = (rows @ to_q) @ (rows @ to_k).T / 2
        weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        return weights, rows + weights @ rows @ to_v

    table = posenc.sinusoidal(range(3), 4)
    given, permuted, plain = layer(x + table), layer(x[::-1] + table), layer(x)
    for actual, expected in [
        (found.weights[0], given[0]),
        (found.permuted_weights[0], permuted[0]),
        (found.plain_weights[0], plain[0]),
        (found.outputs, given[1]),
        (found.permuted_outputs, permuted[1]),
        (found.word_change, np.linalg.norm(permuted[1][::-1] - given[1], axis=1)),
        (found.row_sums, np.ones((1, 3))),
    ]:
        np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-13)
    assert found.distance == pytest.approx(np.sqrt(((given[0] - plain[0]) ** 2).sum()), abs=1e-13)
    assert found.residual == pytest.approx(np.abs(permuted[1] - given[1][::-1]).max(), abs=1e-13)
    assert (found.words, found.permuted_words) == (WORDS, WORDS[::-1])


def test_change_is_told_for_each_word_and_not_for_each_place():
    order = (1, 2, 0)
    found = posenc.order_comparison(WORDS, order, "rope")
    for place, word in enumerate(order):
        moved = np.linalg.norm(found.permuted_outputs[place] - found.outputs[word])
        assert found.word_change[word] == pytest.approx(moved, abs=1e-15)
    assert found.permuted_words == ("bites", "man", "dog")


def test_first_layers_do_not_depend_on_how_many_follow():
    one, three = (posenc.order_comparison(WORDS, SWAP, "rope", layers=n) for n in (1, 3))
    np.testing.assert_array_equal(one.weights[0], three.weights[0])
    assert three.weights.shape == (3, 3, 3)


def test_the_same_arguments_give_the_same_numbers():
    first, second = (posenc.order_comparison(WORDS, SWAP, "rope") for _ in range(2))
    np.testing.assert_array_equal(first.outputs, second.outputs)


def test_the_lesson():
    lesson = lessons.attention_lesson()
    # recorded from the lesson's code, whose weights without positions are float32
    without = [0.8550228694934352, 0.022574458786801813, 0.019045373188185694, 0.10335729853157724]
    with_positions = [0.9242962150246231, 0.00544307452417434, 0.003096177424326156, 0.06716453302687635]
    np.testing.assert_allclose(lesson.weights_without[0], without, rtol=0, atol=2e-7)
    np.testing.assert_allclose(lesson.weights_with[0], with_positions, rtol=0, atol=1e-12)
    assert lesson.distance == pytest.approx(0.3199806858177361, abs=2e-7)
    assert lesson.embeddings.dtype == np.float32
    np.testing.assert_array_equal(lesson.embeddings[0, :2], np.float32([0.49671414494514465, -0.13826429843902588]))
    np.testing.assert_allclose(
        lesson.table[1, :3], [0.841470984807897, 0.540302305868140, 0.099833416646828], atol=1e-15
    )
    np.testing.assert_allclose(lesson.weights_with.sum(axis=1), 1.0, rtol=0, atol=1e-15)


def test_the_lesson_leaves_the_global_generator_alone():
    before = np.random.get_state()[1].copy()
    lessons.attention_lesson()
    assert np.array_equal(np.random.get_state()[1], before)


def test_claims_show_what_positions_and_masks_do():
    assert claims.order_effect(6, 8, "sinusoidal") > 0.1
    assert claims.order_effect(6, 8, "rope") > 0.1
    assert claims.order_effect(6, 8, "none", True) > 0.1
    assert claims.causal_leak(6, 64) > 0.1
    assert claims.causal_leak(3, 64, 3) > 0.1
    assert claims.cache_position_error(32, 8, 64) > 0.1


@pytest.mark.parametrize("seed", range(20))
def test_a_shuffle_of_two_is_never_the_identity(seed):
    assert claims.order_effect(2, 8, "rope", seed=seed) > 1e-3


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: posenc.embed_words([], 8), r"words must be 1 to 64 strings of 1 to 64 characters, got \[\]"),
        (lambda: posenc.embed_words(["a"] * 65, 8), "words must be 1 to 64 strings .*"),
        (lambda: posenc.embed_words(["a", ""], 8), r"words must be .*, got \['a', ''\]"),
        (lambda: posenc.embed_words(["a" * 65], 8), "words must be .*"),
        (lambda: posenc.embed_words("dog", 8), "words must be .*, got 'dog'"),
        (lambda: posenc.embed_words(["a", 1], 8), r"words must be .*, got \['a', 1\]"),
        (lambda: posenc.embed_words(["a"], 7), "d_model must be a positive even integer .* of at most 512, got 7"),
        (lambda: posenc.embed_words(["a"], 514), "d_model must be .* of at most 512, got 514"),
        (lambda: posenc.embed_words(["a"], 8, seed=-1), "seed must be an integer from 0 to .*, got -1"),
        (
            lambda: posenc.order_comparison(WORDS, (0, 1)),
            r"permutation must be every integer from 0 to 2 once, got \(0, 1\)",
        ),
        (lambda: posenc.order_comparison(WORDS, (0, 1, 1)), "permutation must be every integer from 0 to 2 once, .*"),
        (lambda: posenc.order_comparison(WORDS, (0, 1, 2.5)), "permutation must be integers, .*"),
        (lambda: posenc.order_comparison(WORDS, SWAP, "learned"), "positions must be 'none' or 'sinusoidal' or 'rope'"),
        (lambda: posenc.order_comparison(WORDS, SWAP, layers=5), "layers must be an integer from 1 to 4, got 5"),
        (lambda: posenc.order_comparison(WORDS, SWAP, causal="no"), "causal must be True or False, got 'no'"),
        (lambda: posenc.order_comparison(WORDS, SWAP, "rope", base=1), "base must be a finite number above 1, got 1"),
        (lambda: posenc.attention_stack(np.ones(8)), r"x must be \(n, d_model\) embeddings, got shape \(8,\)"),
        (lambda: claims.causal_leak(2, 8), "seq_len must be an integer from 3 to 512, got 2"),
        (lambda: claims.order_effect(513, 8), "seq_len must be an integer from 2 to 512, got 513"),
        (lambda: claims.cache_position_error(4, 4, 8), "prompt_len must be an integer from 1 to 3, got 4"),
        (lambda: claims.row_sum_residual(4, 5), "head_dim must be a positive even integer .*, got 5"),
    ],
)
def test_what_does_not_fit_is_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()
