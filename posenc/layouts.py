"""Orders of channels: which conventions differ only by a permutation, and which mix-ups do not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc._arrays import (
    Array,
    cast,
    common_shape,
    float64,
    in_one_namespace,
    integer_array,
    outcome_dtype,
    phases,
    real_array,
    to_numpy,
)
from posenc._rotation import PAIRINGS, joined, members, vectors
from posenc.rotary import pairing_permutation, rotate
from posenc.sinusoidal import LAYOUTS, distance_kernel, inverse_frequencies

WIDEST = 512
LONGEST = 512
_PAIRING_OF = dict(zip(LAYOUTS, PAIRINGS, strict=True))
"""Sines are the first members of their pairs, cosines the second."""


def layout_permutation(d_model: int, *, source: str, target: str) -> NDArray[np.int64]:
    """Index array p that turns the source layout's columns into the target's: table[..., p].

    Args:
        d_model: Width; positive and even.
        source: Layout that the table is in: "interleaved" or "concatenated".
        target: Layout that it is wanted in.

    Returns:
        (d_model,) int64; for d_model 8 from interleaved to concatenated 0 2 4 6 1 3 5 7.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        The layouts of ``sinusoidal``; the same two orders as the pairings of ``rotate``.
    """
    width = check.even("d_model", d_model)
    source, target = check.choice("source", source, LAYOUTS), check.choice("target", target, LAYOUTS)
    return pairing_permutation(width, source=_PAIRING_OF[source], target=_PAIRING_OF[target])


def permute_projection(
    weight: Any, *, num_heads: int, source: str, target: str, rotary_dim: int | None = None
) -> Array:
    """A query or key projection whose outputs stand in the other pairing's order.

    Scores stay the same only if queries and keys are both converted. Converting twice in the same direction is not the
    identity for 8 channels or more; swapping source and target is the way back.

    Args:
        weight: (num_heads * head_dim, ...) rows that make the heads' channels, as torch's ``Linear.weight`` or its
            bias; head_dim even.
        num_heads: Heads in these rows: for keys with grouped queries the number of key heads.
        source: Pairing that the rows are in: "interleaved" or "half".
        target: Pairing that they are wanted in.
        rotary_dim: Leading channels of each head that turn; all if None. The others keep their places.

    Returns:
        Like weight in shape, kind of array and dtype; a copy.

    Raises:
        ValueError: an argument is outside its range, or the rows do not make num_heads heads of even width.

    Source:
        huggingface/transformers: src/transformers/models/llama/convert_llama_weights_to_hf.py, ``permute``.
    """
    weight, heads = real_array("weight", weight), check.count("num_heads", num_heads)
    if weight.ndim < 1 or weight.shape[0] < 1 or weight.shape[0] % (2 * heads):
        raise check.shape_refusal("weight", f"rows of {heads} heads of even width", weight.shape)
    head_dim = weight.shape[0] // heads
    order = pairing_permutation(head_dim, source=source, target=target, num_heads=heads, rotary_dim=rotary_dim)
    xp, (weight, index) = in_one_namespace(weight, order)
    return xp.take(weight, index, axis=0)


def mixed_up(x: Any, positions: Any, *, base: float = 10_000.0, frequencies: str = "interleaved") -> Array:
    """A fault on show, not an encoding: angles laid out for one pairing, channels paired the other way.

    The two members of a pair then turn by different angles, so the length changes and scores no longer depend on
    relative positions alone. Shapes are right, the vectors do change, softmax rows still sum to 1, and position 0 is
    untouched: a short demonstration notices nothing.

    Args:
        x: (..., n, head_dim) queries or keys; head_dim positive and even.
        positions: As in ``rotate``.
        base: Above 1.
        frequencies: The pairing that the angles are laid out for: "interleaved" repeats each twice (t0 t0 t1 t1) while
            halves are paired, "half" repeats them all (t0 t1 t0 t1) while neighbours are paired.

    Returns:
        Like x in shape, kind of array and floating dtype. [1, 2, 3, 4] at position 1, of squared length 30, comes out
        with 34.377 ("interleaved") or 24.630 ("half"). With two channels there is one pair, and nothing to mix up.

    Raises:
        ValueError: an argument is outside its range or does not broadcast.

    Source:
        raiyanyahya/how-to-train-your-gpt PR #7; Tongjilibo/bert4torch #1.
    """
    x, positions = vectors("x", x), real_array("positions", positions)
    laid_out = check.choice("frequencies", frequencies, PAIRINGS)
    turned = PAIRINGS[1 - PAIRINGS.index(laid_out)]
    if common_shape(x=x[..., 0], positions=positions) != tuple(x.shape[:-1]):
        raise check.shape_refusal("positions", f"broadcastable to {tuple(x.shape[:-1])}", positions.shape)
    xp, (x, positions, inv_freq) = in_one_namespace(x, positions, inverse_frequencies(x.shape[-1], base=base))
    angles = phases(positions, inv_freq)  # (..., head_dim / 2)
    angles = joined(angles, angles, laid_out)  # (..., head_dim): one for each channel, not for each pair
    first, second = members(x, turned)
    return cast(float64(x) * xp.cos(angles) + joined(-second, first, turned) * xp.sin(angles), outcome_dtype(x))


@dataclass(frozen=True, eq=False)
class MixUp:
    """How one way of rotating fares in a short demonstration and in a real one.

    Attributes:
        name: "right"; "other pairing" (queries and keys both rotated in the pairing that the weights are not in);
            "interleaved frequencies" or "half frequencies" (``mixed_up``).
        is_changed: Whether rotated vectors differ from unrotated ones: all that a short demonstration asks.
        norm_change: Largest relative change of a vector's length; rounding for a rotation.
        shift_change: Largest change of a score when both positions move by 17; rounding for a rotation.
        score_error: Largest difference from the scores that the weights were trained with.
    """

    name: str
    is_changed: bool
    norm_change: float
    shift_change: float
    score_error: float


def mix_ups(
    head_dim: int = 8, seq_len: int = 16, *, base: float = 10_000.0, pairing: str = "interleaved", seed: int = 0
) -> tuple[MixUp, ...]:
    """The right rotation and three wrong ones, measured on the same random q and k.

    "other pairing" passes every check that needs no reference: lengths are kept, and scores depend on relative
    positions alone. Only scores known from elsewhere show it.

    Args:
        head_dim: Width; even, 2 to 512. With 2 channels all four are the same.
        seq_len: Positions, 1 to 512.
        base: Above 1.
        pairing: The pairing that the weights were trained in.
        seed: Of the standard normal q and k; an integer of at least 0.

    Returns:
        Four MixUps: right, other pairing, interleaved frequencies, half frequencies.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        huggingface/transformers #25199 (other pairing); as ``mixed_up``.
    """
    width, at = (
        check.even("head_dim", head_dim, most=512),
        np.arange(check.integer("seq_len", seq_len, least=1, most=512)),
    )
    other = PAIRINGS[1 - PAIRINGS.index(check.choice("pairing", pairing, PAIRINGS))]
    rng = np.random.default_rng(check.count("seed", seed, least=0))
    content = np.repeat(rng.standard_normal((2, 1, width)), at.size, axis=1)  # (2, seq_len, head_dim)
    ways: dict[str, Callable[[NDArray[np.int64]], NDArray[np.float64]]] = {
        "right": lambda positions: rotate(content, positions, base=base, pairing=pairing),
        "other pairing": lambda positions: rotate(content, positions, base=base, pairing=other),
        "interleaved frequencies": lambda positions: mixed_up(content, positions, base=base),
        "half frequencies": lambda positions: mixed_up(content, positions, base=base, frequencies="half"),
    }
    right = _products(ways["right"](at))
    return tuple(_measured(name, content, way(at), way(at + 17), right) for name, way in ways.items())


def _products(turned: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(turned[0] @ turned[1].T)


def _measured(
    name: str,
    content: NDArray[np.float64],
    here: NDArray[np.float64],
    there: NDArray[np.float64],
    right: NDArray[np.float64],
) -> MixUp:
    lengths = np.linalg.norm(here, axis=-1) / np.linalg.norm(content, axis=-1)
    return MixUp(
        name=name,
        is_changed=not np.array_equal(here, content),
        norm_change=float(np.max(np.abs(lengths - 1.0))),
        shift_change=float(np.max(np.abs(_products(here) - _products(there)))),
        score_error=float(np.max(np.abs(_products(here) - right))),
    )


@dataclass(frozen=True, eq=False)
class Spectra:
    """The paper's frequencies beside tensor2tensor's, which no permutation turns into each other.

    Attributes:
        paper: (d_model / 2,) float64, radians per position, falling.
        tensor2tensor: (d_model / 2,) float64, likewise.
        frequency_gap: Largest difference between the two in the best order of pairs.
        distances: (n,) float64.
        paper_dots: (n,) float64, dot products of two encodings that lie so far apart; no order of columns changes them.
        tensor2tensor_dots: (n,) float64, likewise.
    """

    paper: NDArray[np.float64]
    tensor2tensor: NDArray[np.float64]
    frequency_gap: float
    distances: NDArray[np.float64]
    paper_dots: NDArray[np.float64]
    tensor2tensor_dots: NDArray[np.float64]


def compare_spectra(d_model: int = 8, distances: Any = (10,), *, base: float = 10_000.0) -> Spectra:
    """Both spectra, and the dot products that tell them apart whatever the order of columns.

    Args:
        d_model: Width; positive and even.
        distances: (n,) integers.
        base: Above 1.

    Returns:
        A Spectra. d_model 8 at distance 10: 1.69618 in the paper's, 2.05489 in tensor2tensor's.
        Two channels have one pair, of frequency 1 in both.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        tensorflow/tensor2tensor: tensor2tensor/layers/common_attention.py (base ** (-i / (d_model / 2 - 1))).
    """
    apart = to_numpy(integer_array("distances", distances))
    if apart.ndim != 1:
        raise check.shape_refusal("distances", "one-dimensional", apart.shape)
    width = check.even("d_model", d_model)
    paper, other = (inverse_frequencies(width, base=base, spectrum=s) for s in ("paper", "tensor2tensor"))
    dots = [distance_kernel(apart, width, base=base, spectrum=s) for s in ("paper", "tensor2tensor")]
    # both fall, and pairing two sorted rows in order has the smallest largest difference
    gap = float(np.max(np.abs(paper - other)))
    return Spectra(paper, other, gap, apart.astype(np.float64), dots[0], dots[1])
