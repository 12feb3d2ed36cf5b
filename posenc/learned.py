"""Learned positions: a table with one trained row for each position, and nothing past its end."""

from __future__ import annotations

from typing import Any

import numpy as np
from array_api_compat import is_torch_array
from numpy.typing import NDArray

from posenc import _checks as check
from posenc._arrays import (
    Array,
    cast,
    float64,
    in_one_namespace,
    integer_array,
    namespace,
    outcome_dtype,
    real_array,
    to_numpy,
)


class PositionOverflowError(IndexError, ValueError):
    """A position that the table has no row for; an IndexError as in NumPy and torch, a ValueError as all of posenc's.

    Attributes:
        position: The first position outside.
        rows: Rows of the table.
        first: Smallest position served, 0.
        last: Largest position served, rows - offset - 1.
    """

    def __init__(self, position: int, rows: int, offset: int = 0) -> None:
        self.position, self.rows, self.first, self.last = position, rows, 0, rows - offset - 1
        self._offset = offset
        super().__init__(
            f"position {position} is outside the table: {rows} rows serve positions {self.first} to {self.last}"
        )

    def __reduce__(self) -> tuple[type[PositionOverflowError], tuple[int, int, int]]:
        return type(self), (self.position, self.rows, self._offset)


class LearnedTable:
    """A table of position vectors, read by position.

    NumPy weights are copied and read-only; a torch tensor is kept as it is, so that training it trains the table.

    Args:
        weights: (rows, dim) numbers; integers become float64.
        offset: Rows before the row of position 0: 0 to rows - 1. RoBERTa and OPT have 2.

    Raises:
        ValueError: weights is not a table of finite numbers, or offset is outside its range.

    Source:
        openai/gpt-2: src/model.py (``wpe``); facebookresearch/fairseq: fairseq/modules/learned_positional_embedding.py.
    """

    def __init__(self, weights: Any, *, offset: int = 0) -> None:
        self._weights = _table(weights)
        self._offset = check.integer("offset", offset, least=0, most=self.rows - 1)

    @property
    def weights(self) -> Array:
        """(rows, dim), read-only for NumPy."""
        return self._weights

    @property
    def rows(self) -> int:
        """Rows of the table."""
        return int(self._weights.shape[0])

    @property
    def dim(self) -> int:
        """Width of a row."""
        return int(self._weights.shape[1])

    @property
    def offset(self) -> int:
        """Rows before the row of position 0."""
        return self._offset

    @property
    def usable(self) -> int:
        """Number of positions served, rows - offset."""
        return self.rows - self._offset

    def lookup(self, positions: Any) -> Array:
        """Rows of the positions.

        Args:
            positions: (...) integers from 0 to usable - 1.

        Returns:
            (..., dim), a copy, of the weights' kind of array and dtype.

        Raises:
            ValueError: positions are not integers.
            PositionOverflowError: a position is negative or past the last row; nothing wraps, clamps or fills.
        """
        wanted = to_numpy(integer_array("positions", positions))
        outside = wanted[(wanted < 0) | (wanted >= self.usable)]
        if outside.size:
            raise PositionOverflowError(int(outside.flat[0]), self.rows, self._offset)
        return _rows(self._weights, wanted.astype(np.int64) + self._offset)


def first_overflow(length: int, *, rows: int, offset: int = 0) -> PositionOverflowError | None:
    """The refusal that a sentence meets in a table, or None if every position has its row.

    Args:
        length: Tokens of the sentence, at positions from 0; positive.
        rows: Rows of the table; positive.
        offset: Rows before the row of position 0: 0 to rows - 1.

    Returns:
        What ``LearnedTable.lookup`` raises for the positions 0 to length - 1.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        ``LearnedTable``.
    """
    table = LearnedTable(np.zeros((check.count("rows", rows), 1)), offset=offset)
    try:
        table.lookup(np.arange(check.count("length", length)))
    except PositionOverflowError as refusal:
        return refusal.with_traceback(None)
    return None


def _table(weights: Any) -> Array:
    array = real_array("weights", weights)
    if array.ndim != 2 or 0 in array.shape:
        raise check.shape_refusal("weights", "a table of shape (rows, dim)", array.shape)
    array = cast(array, outcome_dtype(array))
    if not is_torch_array(array):
        array = array.copy()
        array.setflags(write=False)
    return array


def _rows(weights: Array, index: NDArray[np.int64]) -> Array:
    """(..., dim) copies of the rows in the index."""
    xp, (weights, flat) = in_one_namespace(weights, index.reshape(-1))
    return xp.reshape(xp.take(weights, flat, axis=0), (*index.shape, weights.shape[1]))


def untrained_table(rows: int, dim: int, *, seed: int = 0, scale: float = 0.02) -> NDArray[np.float64]:
    """A table before training: normal numbers.

    Args:
        rows: Rows; positive.
        dim: Width; positive.
        seed: Of numpy.random.default_rng; an integer of at least 0.
        scale: Standard deviation, at least 0; 0.02 in BERT and, for token vectors, in GPT-2.

    Returns:
        (rows, dim) float64; the same seed gives the same table.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        google-research/bert: modeling.py (``initializer_range``); openai/gpt-2: src/model.py, which starts positions
        at 0.01 and tokens at 0.02.
    """
    rows, dim = check.count("rows", rows), check.count("dim", dim)
    rule = "a finite number of at least 0"
    std = check.real("scale", scale, rule=rule)
    if std < 0:
        raise check.refusal("scale", rule, scale)
    rng = np.random.default_rng(check.count("seed", seed, least=0))
    return rng.standard_normal((rows, dim)) * std


def resize_table(weights: Any, rows: int, *, align_corners: bool = False) -> Array:
    """The table stretched or squeezed to another number of rows by linear interpolation.

    Args:
        weights: (old_rows, dim) numbers.
        rows: Rows wanted; positive.
        align_corners: True keeps the first and last row in place; False treats rows as the middles of equal cells, so
            that both ends repeat when the table grows.

    Returns:
        (rows, dim), a copy, of the weights' kind of array and floating dtype; differentiable for torch.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        torch.nn.functional.interpolate(mode="linear"), whose numbers it gives.
    """
    is_aligned, table = check.flag("align_corners", align_corners), _table(weights)
    old, rows = int(table.shape[0]), check.count("rows", rows)
    at = _sources(old, rows, is_aligned)  # (rows,): where each new row lies among the old
    low = np.floor(at).astype(np.int64)
    _, (exact, share) = in_one_namespace(float64(table), (at - low)[:, None])
    resized = _rows(exact, low) * (1.0 - share) + _rows(exact, np.minimum(low + 1, old - 1)) * share
    return cast(resized, table.dtype)


def _sources(old: int, new: int, align_corners: bool) -> NDArray[np.float64]:
    steps = np.arange(new, dtype=np.float64)
    if align_corners:
        return steps * ((old - 1) / (new - 1)) if new > 1 else steps
    return np.clip((steps + 0.5) * (old / new) - 0.5, 0.0, old - 1.0)


def repeat_last_row(weights: Any, rows: int) -> Array:
    """The table made longer by repeating its last row.

    Args:
        weights: (old_rows, dim) numbers.
        rows: Rows wanted; at least old_rows.

    Returns:
        (rows, dim), a copy, of the weights' kind of array and floating dtype.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        The simplest way to lengthen a table; what clamping the position does (the silent fault of jax-ml/jax #3774).
    """
    table = _table(weights)
    old = int(table.shape[0])
    wanted = check.count("rows", rows, least=old)
    return _rows(table, np.minimum(np.arange(wanted), old - 1))


def roberta_positions(token_ids: Any, *, pad_id: int = 1) -> Array:
    """Row of each token: pad_id + 1 for the first that is no padding, then one more each; padding has row pad_id.

    Args:
        token_ids: (..., n) integers.
        pad_id: Id of padding, at least 0.

    Returns:
        (..., n) int64, of the ids' kind of array.

    Raises:
        ValueError: token_ids are not integers along an axis, or pad_id is negative.

    Source:
        facebookresearch/fairseq: fairseq/utils.py, ``make_positions``.
    """
    ids = integer_array("token_ids", token_ids)
    if ids.ndim < 1:
        raise check.shape_refusal("token_ids", "integers along at least one axis", ids.shape)
    xp = namespace(ids)
    is_token = xp.astype(ids != check.count("pad_id", pad_id, least=0), xp.int64)
    return xp.cumulative_sum(is_token, axis=-1) * is_token + int(pad_id)


def row_norms(weights: Any) -> Array:
    """Euclidean length of each row.

    Args:
        weights: (rows, dim) numbers.

    Returns:
        (rows,), of the weights' kind of array and floating dtype.

    Raises:
        ValueError: weights is not a table of finite numbers.

    Source:
        Definition.
    """
    table = _table(weights)
    exact = float64(table)
    return cast(namespace(table).sum(exact * exact, axis=-1) ** 0.5, table.dtype)


def cosine_similarities(weights: Any) -> Array:
    """Cosine of the angle between every two rows; 0 where a row is all zeros, such as RoBERTa's row 1.

    Args:
        weights: (rows, dim) numbers.

    Returns:
        (rows, rows), of the weights' kind of array and floating dtype.

    Raises:
        ValueError: weights is not a table of finite numbers.

    Source:
        Definition.
    """
    table = _table(weights)
    xp, exact = namespace(table), float64(table)
    squares = xp.sum(exact * exact, axis=-1, keepdims=True)
    unit = exact / xp.where(squares > 0, squares, xp.ones_like(squares)) ** 0.5  # a root at 0 would have no gradient
    return cast(unit @ unit.T, table.dtype)
