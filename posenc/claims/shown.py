"""Claims that pages read off the very arrays that they draw, as functions of plain numbers like all others.

Those about torch's module import torch when they are called.
"""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from posenc.lesson_attention import LessonAttention, lesson_attention
from posenc.shuffles import last_word_changes, shuffles
from posenc.walkthrough import attention_walkthrough, cache_errors

SENTENCE = ("dog", "bites", "man")


def shuffled_sentence_residual(d_model: int, layers: int = 1, seed: int = 0) -> float:
    """Largest residual of "dog bites man" over all its orders: what every word's output gains by the shuffle.

    Args:
        d_model: Width; even, 2 to 512.
        layers: 1 to 4.
        seed: Of embeddings and projections; an integer of at least 0.

    Returns:
        The residual, at least 0.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``shuffles``.
    """
    return shuffles(SENTENCE, d_model=d_model, layers=layers, seed=seed).residual


def last_word_residual(d_model: int, seed: int = 0) -> float:
    """How far one causal layer moves the last word of "dog bites man" when the words before it change places.

    Args:
        d_model: Width; even, 2 to 512.
        seed: Of embeddings and projections; an integer of at least 0.

    Returns:
        The residual, at least 0.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``last_word_changes``.
    """
    return float(last_word_changes(SENTENCE, most_layers=1, d_model=d_model, seed=seed)[0])


def module_row_sum_residual(shift: int) -> float:
    """Largest | 1 - sum of a row | of the weights of the lesson's module, where it stands and shifted. Imports torch.

    Args:
        shift: Added to all positions, within 10 ** 9 of 0.

    Returns:
        The residual, at least 0.

    Raises:
        ValueError: shift is outside its range.

    Source:
        As ``attention_walkthrough``.
    """
    return attention_walkthrough(shifts=(0, shift)).row_sum_error


def module_weights_residual(shift: int) -> float:
    """Largest change of the weights of the lesson's module when all positions move. Imports torch.

    Args:
        shift: Added to all positions, within 10 ** 9 of 0.

    Returns:
        The residual, at least 0.

    Raises:
        ValueError: shift is outside its range.

    Source:
        As ``attention_walkthrough``.
    """
    return attention_walkthrough(shifts=(0, shift)).weights_change


def module_output_residual(shift: int, rotate_values: bool = False) -> float:
    """Largest change of the output of the lesson's module when all positions move. Imports torch.

    Args:
        shift: Added to all positions, within 10 ** 9 of 0.
        rotate_values: True turns values too, and the claim no longer holds.

    Returns:
        The residual, at least 0.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``attention_walkthrough``.
    """
    return attention_walkthrough(shifts=(0, shift), rotate_values=rotate_values).output_change


def module_cache_residual() -> float:
    """Largest difference between the lesson's module fed token by token, with a cache, and at once. Imports torch.

    Returns:
        The residual, at least 0.

    Source:
        As ``cache_errors``.
    """
    return float(cache_errors().counting.max())


def module_digits_residual(shift: int) -> float:
    """Largest difference between the lesson's module and the same attention drawn and computed by NumPy alone.

    Imports torch.

    Args:
        shift: Added to all positions, within 10 ** 9 of 0.

    Returns:
        The residual over x, q, k, v, both rotated, the weights and the output; at least 0.

    Raises:
        ValueError: shift is outside its range.

    Source:
        As ``lesson_attention``.
    """
    ours, worst = lesson_attention(shift=shift), 0.0
    for sample in range(len(ours.x)):
        walk = attention_walkthrough(shifts=(shift,), sample=sample)
        for field in fields(LessonAttention):
            theirs = np.asarray(getattr(walk, field.name))
            shape = getattr(ours, field.name)[sample].shape
            worst = max(worst, float(np.max(np.abs(getattr(ours, field.name)[sample] - theirs.reshape(shape)))))
    return worst
