"""One demonstration of the lesson: a heading, what it shows, tables, and the claims behind it, checked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from posenc.claims.catalogue import CLAIMS
from posenc.claims.registry import Outcome, chosen, verify
from posenc.claims.settings import Settings
from posenc.terminal.check import outcome_table
from posenc.terminal.table import COLUMNS, heatmap, table, width, wrapped
from posenc.wording import Wording

INDENT = "  "
Cell = str | Wording


@dataclass(frozen=True)
class Table:
    """Cells that read the same in both languages, or are Wordings.

    Attributes:
        header: Names of the columns.
        rows: As many cells each.
        words: Columns of words.
    """

    header: Sequence[Cell]
    rows: Sequence[Sequence[Cell]]
    words: Collection[int] = ()

    def lines(self, lang: str, shades: str) -> list[str]:  # noqa: ARG002
        """The table in the language."""
        header, *rows = (
            [cell if isinstance(cell, str) else cell(lang) for cell in row] for row in (self.header, *self.rows)
        )
        return table(header, rows, words=self.words)


@dataclass(frozen=True, eq=False)
class Heatmap:
    """Values from -1 to 1, a row a position.

    Attributes:
        name: What stands over the numbers of the rows.
        values: (rows, columns).
        key: Explains the shades; gets the lightest and the darkest as ``light`` and ``dark``.
    """

    name: Wording
    values: NDArray[np.float64]
    key: Wording

    def lines(self, lang: str, shades: str) -> list[str]:
        """The picture between bars, its rows numbered."""
        rows = heatmap(self.values.tolist(), shades)
        size = max(width(self.name(lang)), len(str(len(rows) - 1)))
        numbered = [f"{position:>{size}} |{row}|" for position, row in enumerate(rows)]
        key = self.key(lang, light=f"[{2 * shades[0]}]", dark=f"[{2 * shades[-1]}]")
        return [f"{self.name(lang)}  {key}", *numbered]


@dataclass(frozen=True, eq=False)
class Demonstration:
    """One demonstration.

    Attributes:
        title: Its heading.
        says: One to three sentences, with ``{names}`` for the numbers in them.
        values: What the names stand for, computed.
        shown: Tables and pictures.
        outcomes: The claims behind it, at its own settings.
    """

    title: Wording
    says: Wording
    values: Mapping[str, str]
    shown: Sequence[Table | Heatmap]
    outcomes: Sequence[Outcome] = field(default_factory=tuple)

    def lines(self, number: int, lang: str, shades: str) -> list[str]:
        """All of it, as lines."""
        heading = f"{number}. {self.title(lang)}"
        lines = [heading, "=" * width(heading), *wrapped(self.says(lang, **self.values), COLUMNS), ""]
        for part in (*(shown.lines(lang, shades) for shown in self.shown), self._checks(lang)):
            lines += [*((INDENT + line).rstrip() for line in part), ""]
        return lines

    def _checks(self, lang: str) -> list[str]:
        return outcome_table(self.outcomes, lang, with_pages=False)


def checked(names: Sequence[str], settings: Settings) -> tuple[Outcome, ...]:
    """The outcomes of the claims of these names, all their variants, at the demonstration's settings."""
    return tuple(verify(claim, settings) for claim in chosen(CLAIMS, names))


def digits(values: Sequence[float] | NDArray[np.float64], places: int = 4) -> list[str]:
    """Numbers to so many decimals; what rounds to zero has no minus sign."""
    return [f"{value:z.{places}f}" for value in values]
