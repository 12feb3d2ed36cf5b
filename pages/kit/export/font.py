"""The one font of every file: Noto Sans CJK, whose Latin is that of the pages. It comes with a package."""

import re
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from PIL import ImageFont

FAMILY = "Noto Sans CJK SC"

FAMILIES = {"zh": FAMILY, "en": "Noto Sans CJK KR"}
"""Of each language: the one for Chinese has quotation marks as wide as its characters, English wants narrow ones."""

ELSEWHERE = {"zh": "'PingFang SC', 'Microsoft YaHei', sans-serif", "en": "'Source Sans 3', sans-serif"}
"""What an SVG is shown in where the font is not installed."""

AS_ON_SCREEN = 0.9
"""Its Latin is the pages' own, drawn larger by one ninth; so type without Chinese is set smaller by that."""

REGULAR, BOLD = 400, 700

SUPERSCRIPTS, SUBSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "₀₁₂₃₄₅₆₇₈₉₋₊"
"""The font lacks most of these characters."""
SMALL = 0.7
"""Size of raised and lowered digits, times that of the others."""
RAISED, LOWERED = 0.3, -0.14
"""How far up they stand, times the size of the others."""

_PLAIN = str.maketrans(SUPERSCRIPTS + SUBSCRIPTS, 2 * "0123456789−+")
_PACKAGE = "manimgx_fonts_cjk"
_UNIT = 100
"""Pixels of the type that is measured."""
_OPENING = "“‘（《「"
_CLOSING = "，。：；、！？”’）》」…"
_WIDE = "\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef"
_WORD = rf"(?:\xa0|[^\s{_WIDE}{_OPENING}{_CLOSING}])+"
"""Up to the next place where a line may end; a no-break space is part of a word."""
_PIECES = re.compile(rf"[^\S\xa0]+|[{_OPENING}]*(?:[{_WIDE}]|{_WORD}|[{_CLOSING}])[{_CLOSING}]*|\S")


def stack(lang: str) -> str:
    """What an SVG asks for."""
    return f"'{FAMILIES[lang]}', {ELSEWHERE[lang]}"


def as_on_screen(svg: str) -> str:
    """The SVG with the type of texts without Chinese as large as the pages' own font looks at its size."""

    def of_text(element: re.Match[str]) -> str:
        if re.search(f"[{_WIDE}]", re.sub("<[^>]*>", "", element[0])):
            return element[0]
        return re.sub(
            r'font-size="([\d.]+)px"', lambda size: f'font-size="{float(size[1]) * AS_ON_SCREEN:.4g}px"', element[0]
        )

    return re.sub(r"<text\b.*?</text>", of_text, svg, flags=re.S)


def with_raised(svg: str) -> str:
    """The SVG with small raised or lowered digits in its texts instead of characters that the font lacks.

    A renderer would take the whole line from another font for one such character.
    """

    def of_text(element: re.Match[str]) -> str:
        return re.sub(r">([^<]+)<", lambda inner: f">{_raised(inner[1])}<", element[0])

    return re.sub(r"<text\b.*?</text>", of_text, svg, flags=re.S)


def _raised(text: str) -> str:
    """A line of text as it is, or with its small digits as parts of their own."""
    pieces = re.split(f"([{SUPERSCRIPTS}]+|[{SUBSCRIPTS}]+)", text)
    if len(pieces) == 1:
        return text
    parts, at = [], 0.0
    for piece in filter(None, pieces):
        to = RAISED if piece[0] in SUPERSCRIPTS else LOWERED if piece[0] in SUBSCRIPTS else 0.0
        size = SMALL if to else 1.0
        # A shift lasts until it is taken back, and counts in the size of its own part.
        parts.append(f'<tspan dy="{(at - to) / size:.3g}em" font-size="{size:g}em">{piece.translate(_PLAIN)}</tspan>')
        at = to
    return "".join(parts)


def folder() -> Path:
    """Where the font's file is, known without importing or reading it."""
    found = find_spec(_PACKAGE)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f"the font must be installed: pip install {_PACKAGE.replace('_', '-')}")
    return Path(found.origin).parent


@lru_cache(maxsize=2)
def _face(weight: int) -> ImageFont.FreeTypeFont:
    (file,) = folder().glob("*.ttc")
    faces = (ImageFont.truetype(file, _UNIT, index=index) for index in range(10))
    face = next(face for face in faces if face.getname()[0] == FAMILY)
    face.set_variation_by_axes([weight])
    return face


def width(text: str, size: float, weight: int = REGULAR) -> float:
    """Pixels that the text takes in type of a size."""
    return float(_face(weight).getlength(text)) * size / _UNIT


def wrapped(text: str, size: float, room: float, weight: int = REGULAR) -> list[str]:
    """The text in lines of at most ``room`` pixels.

    Lines end between words and between Chinese characters, never before a closing mark or after an opening one. A word
    longer than a line is cut.
    """
    lines = [""]
    for piece in _PIECES.findall(text):
        if width((lines[-1] + piece).rstrip(), size, weight) <= room:
            lines[-1] += piece
        elif not piece.isspace():
            lines += _cut(piece, size, room, weight)
    return [line.strip() for line in lines if line.strip()]


def _cut(word: str, size: float, room: float, weight: int) -> list[str]:
    parts = [""]
    for character in word:
        if parts[-1] and width(parts[-1] + character, size, weight) > room:
            parts.append("")
        parts[-1] += character
    return parts
