"""Order: attention without positions carries a shuffled sentence to shuffled outputs, and positions end that."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc._arrays import integer_array, to_numpy
from posenc._rotation import vectors
from posenc.attention import attention_weights
from posenc.rotary import rotate
from posenc.sinusoidal import sinusoidal

POSITIONS = ("none", "sinusoidal", "rope")
MOST_WORDS = 64
LONGEST_WORD = 64
MOST_LAYERS = 4
WIDEST = 512


def embed_words(words: Sequence[str], d_model: int, *, seed: int = 0) -> NDArray[np.float64]:
    """A vector for each word, made from its spelling: standard normal numbers, always the same for the same word.

    Args:
        words: (n,) strings, 1 to 64 of them, each of 1 to 64 characters. Case counts; Unicode's composed and
            decomposed forms do not.
        d_model: Width; even, 2 to 512. A wider vector begins with the numbers of a narrower one.
        seed: Of the whole table; an integer of at least 0.

    Returns:
        (n, d_model) float64, the same in every process.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Stands for a trained table of embeddings; the numbers are drawn from the word's SHA-256.
    """
    width = check.even("d_model", d_model, most=WIDEST)
    seed = check.count("seed", seed, least=0)
    return np.stack([_word_rng(word, seed).standard_normal(width) for word in _words(words)])


def _words(words: Sequence[str]) -> tuple[str, ...]:
    rule = f"1 to {MOST_WORDS} strings of 1 to {LONGEST_WORD} characters"
    if not isinstance(words, list | tuple) or not 1 <= len(words) <= MOST_WORDS:
        raise check.refusal("words", rule, words)
    if not all(isinstance(word, str) and 1 <= len(word) <= LONGEST_WORD for word in words):
        raise check.refusal("words", rule, words)
    return tuple(words)


def _word_rng(word: str, seed: int) -> np.random.Generator:
    spelling = unicodedata.normalize("NFC", word).encode("utf-8", "surrogatepass")
    digest = hashlib.sha256(spelling).digest()  # hash() differs from process to process
    return np.random.default_rng([seed, 1, int.from_bytes(digest, "big")])


@dataclass(frozen=True, eq=False)
class Stack:
    """What a stack of attention layers makes of one sentence.

    Attributes:
        outputs: (n, d_model) float64, of the last layer.
        weights: (layers, n, n) float64, row i of a layer: what word i attends to.
    """

    outputs: NDArray[np.float64]
    weights: NDArray[np.float64]


def attention_stack(
    x: Any,
    *,
    positions: str = "none",
    causal: bool = False,
    layers: int = 1,
    base: float = 10_000.0,
    seed: int = 0,
) -> Stack:
    """Single-head attention layers with fixed random projections, each added to what it is given.

    Args:
        x: (n, d_model) embeddings; d_model even. Rows stand at the positions 0 to n - 1.
        positions: "none", "sinusoidal" (added to x once) or "rope" (turns queries and keys of every layer).
        causal: Whether later words are hidden.
        layers: 1 to 4.
        base: Above 1.
        seed: Of the projections; an integer of at least 0.

    Returns:
        A Stack. The same seed gives the same first layers whatever their number.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762, equation 1 and section 3.1, without norms and feed-forward layers; Su
        et al. 2021, arXiv:2104.09864, equation 16.
    """
    x = to_numpy(vectors("x", x))
    if x.ndim != 2 or x.shape[0] < 1:
        raise check.shape_refusal("x", "(n, d_model) embeddings", x.shape)
    check.choice("positions", positions, POSITIONS)
    at, states, weights = np.arange(x.shape[0]), np.asarray(x, dtype=np.float64), []
    if positions == "sinusoidal":
        states = states + sinusoidal(at, x.shape[1], base=base)
    for to_q, to_k, to_v in _projections(x.shape[1], layers, seed):
        q, k = states @ to_q, states @ to_k
        if positions == "rope":
            q, k = rotate(q, at, base=base), rotate(k, at, base=base)
        weights.append(attention_weights(q, k, causal=causal))
        states = states + weights[-1] @ (states @ to_v)  # without the sum, all words soon become one
    return Stack(states, np.stack(weights))


def _projections(d_model: int, layers: int, seed: int) -> NDArray[np.float64]:
    """(layers, 3, d_model, d_model), scaled to keep the size of what they multiply."""
    count = check.integer("layers", layers, least=1, most=MOST_LAYERS)
    rng = np.random.default_rng([check.count("seed", seed, least=0), 0])
    return np.asarray(rng.standard_normal((count, 3, d_model, d_model)) / np.sqrt(d_model))


@dataclass(frozen=True, eq=False)
class OrderComparison:
    """One sentence in two orders, through the same layers.

    Attributes:
        words: (n,) strings, as given.
        permuted_words: (n,) strings, ``words[permutation[i]]`` at place i.
        permutation: (n,) int64.
        weights: (layers, n, n) float64, of the sentence as given.
        permuted_weights: (layers, n, n) float64, of the permuted sentence.
        plain_weights: (layers, n, n) float64, of the sentence as given without any positions.
        outputs: (n, d_model) float64, of the sentence as given.
        permuted_outputs: (n, d_model) float64, of the permuted sentence.
        row_sums: (layers, n) float64, of weights.
        word_change: (n,) float64, for each word of the sentence as given, how far its output moves when the sentence is
            permuted: length of the difference. With sinusoids a word that changes its place also carries another
            encoding into its own output; a word that keeps its place shows what attention alone makes of the order.
        residual: Largest | permuted_outputs - outputs[permutation] |; rounding where attention is equivariant.
        weights_residual: The same for the weights of all layers, rows and columns permuted.
        distance: Frobenius distance between weights and plain_weights of the first layer; 0 without positions.
    """

    words: tuple[str, ...]
    permuted_words: tuple[str, ...]
    permutation: NDArray[np.int64]
    weights: NDArray[np.float64]
    permuted_weights: NDArray[np.float64]
    plain_weights: NDArray[np.float64]
    outputs: NDArray[np.float64]
    permuted_outputs: NDArray[np.float64]
    row_sums: NDArray[np.float64]
    word_change: NDArray[np.float64]
    residual: float
    weights_residual: float
    distance: float


def order_comparison(
    words: tuple[str, ...],
    permutation: tuple[int, ...],
    positions: str = "none",
    causal: bool = False,
    layers: int = 1,
    d_model: int = 8,
    seed: int = 0,
    base: float = 10_000.0,
) -> OrderComparison:
    """A sentence and its permutation, each through the same attention layers.

    Args:
        words: As in ``embed_words``.
        permutation: (n,) integers, each of 0 to n - 1 once: place i of the permuted sentence holds word permutation[i].
        positions: "none", "sinusoidal" or "rope", as in ``attention_stack``, like the next two.
        causal: Whether later words are hidden.
        layers: 1 to 4.
        d_model: Width; even, 2 to 512.
        seed: Of embeddings and projections; an integer of at least 0.
        base: Above 1.

    Returns:
        An OrderComparison. Without positions and mask the residual is rounding: attention is permutation-equivariant,
        not invariant. With ``causal`` it is not even that.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``attention_stack``; Irie 2024, arXiv:2501.00659, for the causal mask.
    """
    x, order = embed_words(words, d_model, seed=seed), _permutation(permutation, len(words))

    def stack(rows: NDArray[np.float64], kind: str) -> Stack:
        return attention_stack(rows, positions=kind, causal=causal, layers=layers, base=base, seed=seed)

    given, permuted, plain = stack(x, positions), stack(x[order], positions), stack(x, "none")
    change = permuted.outputs - given.outputs[order]
    return OrderComparison(
        words=tuple(words),
        permuted_words=tuple(words[i] for i in order),
        permutation=order,
        weights=given.weights,
        permuted_weights=permuted.weights,
        plain_weights=plain.weights,
        outputs=given.outputs,
        permuted_outputs=permuted.outputs,
        row_sums=given.weights.sum(axis=-1),
        word_change=np.linalg.norm(change, axis=-1)[np.argsort(order)],
        residual=float(np.max(np.abs(change))),
        weights_residual=float(np.max(np.abs(permuted.weights - given.weights[:, order][:, :, order]))),
        distance=float(np.linalg.norm(given.weights[0] - plain.weights[0])),
    )


def _permutation(value: Any, n: int) -> NDArray[np.int64]:
    order = np.asarray(to_numpy(integer_array("permutation", value)), dtype=np.int64)
    if order.shape != (n,) or not np.array_equal(np.sort(order), np.arange(n)):
        raise check.refusal("permutation", f"every integer from 0 to {n - 1} once", value)
    return order
