"""Shuffles: one sentence in many orders, each a swap of two neighbours after the one before, in the same layers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc.order import MOST_LAYERS, attention_stack, embed_words, order_comparison

EVERY_ORDER_OF = 5
"""Words of which every order is walked through: 120 for five."""
MOST_WALKED = 16


def neighbour_walk(n: int) -> NDArray[np.int64]:
    """Orders of n things, from the given one on, each differing from the one before by a swap of two neighbours.

    Args:
        n: 1 to 16.

    Returns:
        (orders, n) int64; place i of an order holds thing order[i]. All n! orders up to n = 5. Beyond, the
        n (n - 1) / 2 swaps that end in the reverse: the first thing moves to the end, then the next behind it, ...

    Raises:
        ValueError: n is outside its range.

    Source:
        Johnson 1963, *Generation of permutations by adjacent transposition*, for all orders; bubble sort for the walk.
    """
    count = check.integer("n", n, least=1, most=MOST_WALKED)
    orders = _every_order(count) if count <= EVERY_ORDER_OF else _to_the_reverse(count)
    return np.array(orders, dtype=np.int64)


def _every_order(n: int) -> list[list[int]]:
    """The last thing walks through each order of the others, there and back in turn."""
    if n == 1:
        return [[0]]
    orders = []
    for turn, rest in enumerate(_every_order(n - 1)):
        places = range(n) if turn % 2 else range(n - 1, -1, -1)
        orders += [[*rest[:place], n - 1, *rest[place:]] for place in places]
    return orders


def _to_the_reverse(n: int) -> list[list[int]]:
    order = list(range(n))
    orders = [order.copy()]
    for end in range(n - 1, 0, -1):
        for place in range(end):
            order[place], order[place + 1] = order[place + 1], order[place]
            orders.append(order.copy())
    return orders


def reverse_step(n: int) -> int:
    """The step of ``neighbour_walk`` at which the order is the reverse of the given one.

    Args:
        n: 1 to 16.

    Returns:
        Its index, from 0.

    Raises:
        ValueError: n is outside its range.

    Source:
        As ``neighbour_walk``.
    """
    walk = neighbour_walk(n)
    return int(np.flatnonzero((walk == walk[0][::-1]).all(axis=1))[0])


@dataclass(frozen=True, eq=False)
class Shuffles:
    """What attention layers make of a sentence in every order of ``neighbour_walk``.

    Attributes:
        permutations: (orders, n) int64; place i of an order holds word permutations[order, i].
        outputs: (n, d_model) float64, of the sentence as given.
        shuffled: (orders, n, d_model) float64, of the sentence in each order; row i is the output at place i.
        change: (orders, n, d_model) float64, shuffled - outputs[permutation]: what each word's output gained.
        lengths: (orders, n) float64, of the rows of change.
        residuals: (orders,) float64, largest | change |; rounding where attention is equivariant.
    """

    permutations: NDArray[np.int64]
    outputs: NDArray[np.float64]
    shuffled: NDArray[np.float64]
    change: NDArray[np.float64]
    lengths: NDArray[np.float64]
    residuals: NDArray[np.float64]

    def by_word(self, order: int) -> NDArray[np.float64]:
        """(n, d_model) outputs of the sentence in that order, brought back to the words' order as given."""
        return np.asarray(self.shuffled[order][np.argsort(self.permutations[order])])

    @property
    def residual(self) -> float:
        """The largest of all orders."""
        return float(self.residuals.max())


def shuffles(
    words: tuple[str, ...],
    positions: str = "none",
    causal: bool = False,
    layers: int = 1,
    d_model: int = 8,
    seed: int = 0,
    base: float = 10_000.0,
) -> Shuffles:
    """A sentence in many orders, each through the same attention layers.

    Args:
        words: (n,) strings as in ``embed_words``, 1 to 16 of them.
        positions: "none", "sinusoidal" or "rope", as in ``attention_stack``, like the next two.
        causal: Whether later words are hidden.
        layers: 1 to 4.
        d_model: Width; even, 2 to 512.
        seed: Of embeddings and projections; an integer of at least 0.
        base: Above 1.

    Returns:
        Shuffles; an order of them is what ``order_comparison`` gives for its permutation.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``attention_stack``.
    """
    x, orders = embed_words(words, d_model, seed=seed), neighbour_walk(len(words))
    given, *others = (
        attention_stack(x[order], positions=positions, causal=causal, layers=layers, base=base, seed=seed).outputs
        for order in orders
    )
    shuffled = np.stack([given, *others])
    change = shuffled - given[orders]
    lengths = np.asarray(np.linalg.norm(change, axis=-1))
    return Shuffles(orders, given, shuffled, change, lengths, np.abs(change).max(axis=(1, 2)))


def last_word_changes(
    words: tuple[str, ...], most_layers: int = 2, d_model: int = 8, seed: int = 0
) -> NDArray[np.float64]:
    """How far the last word's output moves when all words before it are reversed: a causal mask, no positions.

    Args:
        words: (n,) strings as in ``embed_words``.
        most_layers: 1 to 4.
        d_model: Width; even, 2 to 512.
        seed: Of embeddings and projections; an integer of at least 0.

    Returns:
        (most_layers,) float64: for 1 layer, 2 layers, ... The first is rounding; the others are not, unless the words
        before the last read the same backwards.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Irie 2024, arXiv:2501.00659.
    """
    last = len(words) - 1
    order = (*reversed(range(last)), last)
    count = check.integer("most_layers", most_layers, least=1, most=MOST_LAYERS)
    found = (
        order_comparison(words, order, causal=True, layers=layers, d_model=d_model, seed=seed)
        for layers in range(1, count + 1)
    )
    return np.array([comparison.word_change[last] for comparison in found])
