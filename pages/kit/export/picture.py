"""A figure as a file: a sheet with the page's claim, the figure as it stands, its settings and where it is from."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from pages.kit.cache import BoundedCache
from pages.kit.export import font
from pages.kit.export.caption import caption, source, title
from pages.kit.export.drawing import PAPERS, drawn, page, pixels
from pages.kit.figure import Figure
from pages.kit.spec import in_order

SIZES = {"16:9": (1280, 720), "4:3": (1024, 768), "A4": (1188, 840)}
"""Width and height of each sheet in its own units; A4 lies on its side."""

INCHES = {"16:9": (40 / 3, 7.5), "4:3": (10.0, 7.5), "A4": (297 / 25.4, 210 / 25.4)}
"""Width and height of each as a page or a slide, the usual ones of slide programs."""

MARGIN = 40
GAP = 14
"""Between the figure and the words above and below it."""
LARGEST = 2.0
"""A figure is not blown up beyond this."""

FILES = BoundedCache(limit=16 * 2**20)
"""Rendered files, since a class asks for the same ones."""


@dataclass(frozen=True)
class Sheet:
    """What a figure is put on.

    Attributes:
        size: One of ``SIZES``.
        theme: "light" or "dark".
        transparent: Whether what lies behind shines through.
        home: The server's own address, for the source line; empty where there is none.
    """

    size: str = "16:9"
    theme: str = "light"
    transparent: bool = False
    home: str = ""


WHITE = Sheet()


@dataclass(frozen=True)
class Style:
    """Type of a paragraph on a sheet: pixels, weight, and whether it stands back."""

    size: float
    weight: int = font.REGULAR
    is_muted: bool = False


TITLE, ABOUT, SETTINGS, SOURCE = Style(31, font.BOLD), Style(17, is_muted=True), Style(17), Style(14, is_muted=True)
LEADING = 1.38
"""Height of a line, times its type's size."""


def svg(figure: Figure, sheet: Sheet = WHITE) -> str:
    """The whole sheet as SVG, its text as text."""
    return _kept("svg", figure, sheet, lambda: _sheet(figure, sheet))


def png(figure: Figure, sheet: Sheet = WHITE, *, scale: float = 2) -> bytes:
    """The whole sheet in pixels, ``scale`` for each of its units."""
    return _kept(("png", scale), figure, sheet, lambda: pixels(svg(figure, sheet), scale))


def pdf(figure: Figure, sheet: Sheet = WHITE) -> bytes:
    """The whole sheet as a page of PDF, its text as text."""
    return _kept("pdf", figure, sheet, lambda: page(_as_large_as_a_page(svg(figure, sheet), sheet.size)))


def _as_large_as_a_page(drawn: str, size: str) -> str:
    """The sheet with the page's own width and height in points, which is how vl-convert takes its pixels."""
    units = 'width="{:g}" height="{:g}"'
    return drawn.replace(units.format(*SIZES[size]), units.format(*(72 * length for length in INCHES[size])), 1)


MAKERS: dict[str, Callable[[Figure, Sheet], bytes]] = {
    "png": png,
    "svg": lambda figure, sheet: svg(figure, sheet).encode(),
    "pdf": pdf,
}
"""Of a file with one figure, by its suffix."""


def figure_png(figure: Figure, sheet: Sheet = WHITE, scale: float = 2) -> bytes:
    """The figure alone in pixels, ``scale`` for each of its own. Only the colours of the sheet count."""

    def make() -> bytes:
        drawing = drawn(figure, PAPERS[sheet.theme])
        placed = _placed(drawing.svg, 0, 0, drawing.width, drawing.height)
        return pixels(_document(figure, (drawing.width, drawing.height), placed, sheet), scale)

    return _kept(("figure", scale), figure, sheet, make)


def _kept(kind: Hashable, figure: Figure, sheet: Sheet, make: Callable[[], Any]) -> Any:
    """The file, made once as long as it is asked for."""
    state = tuple((name, value) for name, (_, value) in figure.settings.items())
    handles = tuple(figure.handles.items())
    drawn_from = in_order(figure.inputs)
    key = (kind, sheet, figure.concept, figure.draw, figure.section, figure.lang, drawn_from, state, handles)
    return FILES.get(key, make)


def _sheet(figure: Figure, sheet: Sheet) -> str:
    """The claim above, then what the figure shows, the figure as large as fits, its settings, its source."""
    width, height = SIZES[sheet.size]
    paper, room = PAPERS[sheet.theme], width - 2 * MARGIN

    def written(text: str, style: Style) -> "Paragraph":
        lines = font.wrapped(text, style.size, room, style.weight)
        return Paragraph(lines, style, paper.muted if style.is_muted else paper.ink)

    above = [written(title(figure), TITLE), written(figure.alt(figure.lang), ABOUT)]
    below = [written(caption(figure), SETTINGS), written(source(figure, sheet.home), SOURCE)]
    top = MARGIN + sum(part.height for part in above) + GAP
    bottom = height - MARGIN + 10 - sum(part.height for part in below) - GAP
    drawing = drawn(figure, paper)
    scale = min(room / drawing.width, (bottom - top) / drawing.height, LARGEST)
    size = drawing.width * scale, drawing.height * scale
    at = MARGIN + (room - size[0]) / 2, top + (bottom - top - size[1]) / 2
    parts = [*_stacked(above, MARGIN), _placed(drawing.svg, *at, *size), *_stacked(below, bottom + GAP)]
    return _document(figure, (width, height), "\n".join(parts), sheet)


@dataclass(frozen=True)
class Paragraph:
    """Lines of one style."""

    lines: Sequence[str]
    style: Style
    colour: str

    @property
    def height(self) -> float:
        return len(self.lines) * self.style.size * LEADING

    def at(self, top: float) -> str:
        """As SVG with its upper edge there."""
        size, weight = self.style.size, self.style.weight
        rows = "".join(
            f'<text x="{MARGIN}" y="{top + (index + 0.78) * size * LEADING:.1f}">{escape(line)}</text>'
            for index, line in enumerate(self.lines)
        )
        return f'<g font-size="{size:g}" font-weight="{weight}" fill="{self.colour}">{rows}</g>'


def _stacked(paragraphs: Sequence[Paragraph], top: float) -> list[str]:
    placed = []
    for paragraph in paragraphs:
        placed.append(paragraph.at(top))
        top += paragraph.height
    return placed


def _placed(inner: str, x: float, y: float, width: float, height: float) -> str:
    """A drawing's SVG in a place of its own within another."""
    head, rest = inner.split(">", 1)
    view_box = head[head.index("viewBox") :]
    return f'<svg x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" {view_box}>{rest}'


def _document(figure: Figure, size: tuple[float, float], content: str, sheet: Sheet) -> str:
    width, height = size
    ground = f'<rect width="100%" height="100%" fill="{PAPERS[sheet.theme].background}"/>\n'
    whole = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" role="img"'
        f' width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
        f' font-family="{font.stack(figure.lang)}">\n'
        f"<title>{escape(title(figure))}</title>\n<desc>{escape(figure.alt(figure.lang))}</desc>\n"
        f"{'' if sheet.transparent else ground}{content}\n</svg>\n"
    )
    return font.with_raised(whole)
