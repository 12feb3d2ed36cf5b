"""The numbers of a figure as files: CSV for spreadsheets, NPY for NumPy."""

import csv as csv_format
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from pages.kit.figure import Numbers

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a text must not begin, or a spreadsheet takes it for a formula."""


def csv(numbers: Numbers) -> bytes:
    """UTF-8 with a byte order mark, so that spreadsheets read it as such; every number in full precision.

    One or two axes make a wide table: the first axis down, the second across. More make a long one: a column for each
    axis and one for the value. What is no number (NaN) is an empty cell.
    """
    file = io.BytesIO()
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    csv_format.writer(text).writerows(_wide(numbers) if numbers.array.ndim <= 2 else _long(numbers))
    text.flush()
    return file.getvalue()


def npy(numbers: Numbers) -> bytes:
    """The array as ``numpy.save`` writes it; it needs no pickles to be read."""
    file = io.BytesIO()
    np.save(file, numbers.array, allow_pickle=False)
    return file.getvalue()


def _wide(numbers: Numbers) -> Iterator[Sequence[Any]]:
    (along, labels), *across = numbers.axes.items()
    if not across:
        yield along, numbers.name
        yield from zip(_cells(labels), _cells(numbers.array.tolist()), strict=True)
        return
    name, heads = across[0]
    yield along if name == "column" else f"{along}/{name}", *_cells(heads)
    for label, row in zip(_cells(labels), numbers.array, strict=True):
        yield label, *_cells(row.tolist())


def _long(numbers: Numbers) -> Iterator[Sequence[Any]]:
    yield *numbers.axes, numbers.name
    rows = product(*(list(_cells(labels)) for labels in numbers.axes.values()))
    for labels, value in zip(rows, _cells(numbers.array.ravel().tolist()), strict=True):
        yield *labels, value


def _cells(values: Iterable[Any]) -> Iterator[Any]:
    """Each value as a cell: a visitor's word that begins like a formula gets an apostrophe before it."""
    for value in values:
        if isinstance(value, str):
            yield f"'{value}" if value.startswith(FORMULA) else value
        else:
            yield "" if value != value else value
