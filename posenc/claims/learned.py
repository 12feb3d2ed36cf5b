"""Claims about learned tables."""

from __future__ import annotations

import numpy as np

from posenc import _checks as check
from posenc.claims import _bounds as bounds
from posenc.learned import LearnedTable, resize_table, untrained_table


def lookup_residual(rows: int, dim: int, offset: int = 0, seed: int = 0) -> float:
    """Largest difference between what ``LearnedTable`` reads and one-hot rows times the table, over all positions.

    Args:
        rows: Rows, 1 to 4,096.
        dim: Width, 1 to 2,048.
        offset: Rows before the row of position 0: 0 to rows - 1.
        seed: Of the untrained table; an integer of at least 0.

    Returns:
        The residual, at least 0.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Definition of a lookup; google-research/bert: modeling.py (``use_one_hot_embeddings``).
    """
    count = check.integer("rows", rows, least=1, most=bounds.POSITIONS)
    weights = untrained_table(count, check.integer("dim", dim, least=1, most=bounds.WIDTH), seed=seed)
    table = LearnedTable(weights, offset=offset)
    positions = np.arange(table.usable)
    one_hot = np.eye(count)[positions + table.offset]  # (usable, rows)
    return float(np.max(np.abs(table.lookup(positions) - one_hot @ weights)))


def resize_residual(rows: int, new_rows: int, dim: int, align_corners: bool = False, seed: int = 0) -> float:
    """Largest difference between ``resize_table`` and NumPy's own interpolation of every column of a random table.

    Args:
        rows: Rows before, 1 to 4,096.
        new_rows: Rows after, 1 to 4,096.
        dim: Width, 1 to 2,048.
        align_corners: As in ``resize_table``.
        seed: Of the standard normal table; an integer of at least 0.

    Returns:
        The residual, at least 0.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        numpy.interp; as ``resize_table``.
    """
    old = check.integer("rows", rows, least=1, most=bounds.POSITIONS)
    new = check.integer("new_rows", new_rows, least=1, most=bounds.POSITIONS)
    table = untrained_table(old, check.integer("dim", dim, least=1, most=bounds.WIDTH), seed=seed, scale=1.0)
    resized = resize_table(table, new, align_corners=align_corners)
    middles = (np.arange(new) + 0.5) / new * old - 0.5  # reaches past both ends, where numpy.interp holds the end rows
    at = np.linspace(0.0, old - 1.0, new) if align_corners else middles
    expected = np.stack([np.interp(at, np.arange(old), column) for column in table.T], axis=-1)
    return float(np.max(np.abs(resized - expected)))
