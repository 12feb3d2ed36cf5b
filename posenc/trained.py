"""What training writes into a table, and what the ways to make a table longer do to it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc.learned import cosine_similarities, repeat_last_row, resize_table, untrained_table
from posenc.recorded import TRAINED_ROWS, trained_table

WAYS = ("repeated", "interpolated", "random")
"""The ways of ``Lengthened``, by the names of its attributes."""


def row_similarities(rows: int, *, trained: bool) -> NDArray[np.float64]:
    """Cosine between every two of the first rows, of the trained table or of an untrained one as wide.

    Args:
        rows: 1 to 128.
        trained: True for the table that a real model learned, False for normal numbers.

    Returns:
        (rows, rows) float64.

    Raises:
        ValueError: rows is outside its range.

    Source:
        ``cosine_similarities`` of ``trained_table`` or ``untrained_table``.
    """
    learned = trained_table(rows)
    return np.asarray(cosine_similarities(learned if trained else untrained_table(*learned.shape)))


@dataclass(frozen=True, eq=False)
class Lengthened:
    """One trained table cut short, and made long again in three ways.

    Attributes:
        trained: (rows, dim) float64, what training gave.
        cut: (kept, dim), its first rows.
        repeated: (rows, dim), the cut table with its last row repeated.
        interpolated: (rows, dim), the cut table stretched.
        random: (rows, dim), the cut table with untrained rows after it.
    """

    trained: NDArray[np.float64]
    cut: NDArray[np.float64]
    repeated: NDArray[np.float64]
    interpolated: NDArray[np.float64]
    random: NDArray[np.float64]


def lengthened_tables(kept: int, rows: int = TRAINED_ROWS, *, seed: int = 0) -> Lengthened:
    """The trained table cut to its first rows and lengthened again.

    Args:
        kept: Rows before, 1 to rows - 1.
        rows: Rows after, 2 to 128.
        seed: Of the untrained rows.

    Returns:
        A Lengthened.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        ``repeat_last_row``, ``resize_table``, ``untrained_table``, ``trained_table``.
    """
    rows = check.integer("rows", rows, least=2, most=TRAINED_ROWS)
    kept = check.integer("kept", kept, least=1, most=rows - 1)
    trained = trained_table(rows)
    cut = trained[:kept]
    added = untrained_table(rows - kept, trained.shape[1], seed=seed)
    return Lengthened(
        trained=trained,
        cut=cut,
        repeated=np.asarray(repeat_last_row(cut, rows)),
        interpolated=np.asarray(resize_table(cut, rows)),
        random=np.concatenate([cut, added]),
    )


def lengthening_agreement(kept: int, rows: int = TRAINED_ROWS, *, seed: int = 0) -> NDArray[np.float64]:
    """How far each way of ``lengthened_tables`` agrees with what training gave: mean cosine of rows at one position.

    Args:
        kept: Rows before, 1 to rows - 1.
        rows: Rows after, 2 to 128.
        seed: Of the untrained rows.

    Returns:
        (3, 2) float64, -1 to 1: the ways in the order of ``WAYS``; over the positions kept, and over those added.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Definition.
    """
    tables = lengthened_tables(kept, rows, seed=seed)
    cosines = [_cosines(getattr(tables, way), tables.trained) for way in WAYS]
    return np.array([[along[: len(tables.cut)].mean(), along[len(tables.cut) :].mean()] for along in cosines])


def _cosines(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)  # (n,)
    return np.asarray(np.sum(left * right, axis=1) / lengths)
