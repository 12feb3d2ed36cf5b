"""Small real data and recorded results that come with the package; ``data/README.md`` says where each is from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check

DATA = Path(__file__).parent / "data"

TRAINED_ROWS = 128
TRAINED_DIM = 96


def trained_table(rows: int = TRAINED_ROWS, dim: int = TRAINED_DIM) -> NDArray[np.float64]:
    """The first rows and columns of a position table that a real model learned, all-MiniLM-L6-v2.

    Args:
        rows: 1 to 128; the model has 512.
        dim: Columns, 1 to 96; the model has 384.

    Returns:
        (rows, dim) float64, a new array at each call; the values were stored as float16.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        sentence-transformers/all-MiniLM-L6-v2, Apache-2.0; see data/README.md.
    """
    rows = check.integer("rows", rows, least=1, most=TRAINED_ROWS)
    dim = check.integer("dim", dim, least=1, most=TRAINED_DIM)
    with np.load(DATA / "minilm_positions.npz", allow_pickle=False) as stored:
        return np.array(stored["rows"][:rows, :dim], dtype=np.float64)


@dataclass(frozen=True)
class RecordedError:
    """What a library said when it was asked for something that it does not have.

    Attributes:
        library: Its name.
        version: Its version then.
        code: What was run.
        error: Name of the exception.
        message: Its text.
    """

    library: str
    version: str
    code: str
    error: str
    message: str


def torch_embedding_error() -> RecordedError:
    """What torch says to position 8 in a table of 8 rows, recorded so that nobody needs torch to read it.

    Args:
        Takes none.

    Returns:
        A RecordedError.

    Raises:
        OSError: the data that comes with the package is not there.

    Source:
        torch.nn.functional.embedding on a CPU; see data/README.md. A test asks torch again.
    """
    found = json.loads((DATA / "torch_embedding_error.json").read_text(encoding="utf-8"))
    return RecordedError(**{name: found[name] for name in RecordedError.__dataclass_fields__})
