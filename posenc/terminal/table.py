"""Text that lines up: tables and paragraphs, where a Chinese character takes two columns."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence

GAP = "  "
COLUMNS = 78
"""Of a paragraph."""
CJK = r"[\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]"
OPENING, CLOSING = "“（《", "，。：；、）”》！？"
WORD = rf"(?:(?!{CJK})[^\s{OPENING}{CLOSING}])+"
PIECE = re.compile(rf"[{OPENING}]*(?:(?![{OPENING}{CLOSING}]){CJK}|{WORD})[{CLOSING}]*|\s+|.")
"""What a line may not be broken within: a Chinese character or a word, with the marks that hang on to it."""


def width(text: str) -> int:
    """Columns that the text takes in a terminal.

    Args:
        text: One line, without control characters.

    Returns:
        Two for each wide or full-width character, none for combining ones, one for all others.

    Source:
        Unicode Standard Annex 11, East Asian Width; ambiguous characters count as narrow.
    """
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


def padded(text: str, columns: int, *, left: bool) -> str:
    """The text with spaces before it, or after it if it stands to the left, up to so many columns."""
    spaces = " " * max(0, columns - width(text))
    return text + spaces if left else spaces + text


def table(header: Sequence[str], rows: Sequence[Sequence[str]], *, words: Collection[int] = ()) -> list[str]:
    """Lines of a table: a header, a rule, the rows.

    Args:
        header: Names of the columns.
        rows: As many cells each.
        words: Columns of words, which stand to the left; all others are numbers and stand to the right.

    Returns:
        One line each, no spaces at their ends.
    """
    columns = [max(map(width, cells)) for cells in zip(header, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        sized = zip(cells, columns, strict=True)
        return GAP.join(padded(cell, size, left=at in words) for at, (cell, size) in enumerate(sized)).rstrip()

    return [line(cells) for cells in (header, ["-" * size for size in columns], *rows)]


def wrapped(text: str, columns: int) -> list[str]:
    """The text in lines of at most so many columns, broken at spaces and between Chinese characters.

    Args:
        text: One paragraph.
        columns: Most columns of a line; a longer word has a line to itself.

    Returns:
        The lines; a closing mark never begins one.
    """
    lines, line = [], ""
    for piece in PIECE.findall(text):
        if line and width((line + piece).rstrip()) > columns:
            lines.append(line.rstrip())
            line = ""
        line += piece if line or not piece.isspace() else ""
    return [*lines, line.rstrip()] if line else lines


def heatmap(rows: Sequence[Sequence[float]], shades: str) -> list[str]:
    """Values from -1 to 1 as characters from light to dark, two for each value, so that a cell is about a square.

    Args:
        rows: Values; one beyond -1 or 1 takes the outermost shade.
        shades: From the lightest to the darkest.

    Returns:
        One line a row.
    """
    last = len(shades) - 1

    def shade(value: float) -> str:
        return shades[min(max(round((value + 1) / 2 * last), 0), last)]

    return ["".join(2 * shade(value) for value in row) for row in rows]
