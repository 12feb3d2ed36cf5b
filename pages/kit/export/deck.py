"""A PowerPoint file of figures, one a slide: everything on it but the picture can be edited."""

import io
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from pages.kit.export import font
from pages.kit.export.caption import address, caption, source, title
from pages.kit.export.drawing import PAPERS, Paper
from pages.kit.export.notes import notes
from pages.kit.export.picture import INCHES, Sheet, figure_png
from pages.kit.figure import Figure
from pages.kit.text import Label
from pages.kit.theme import POSITION

if TYPE_CHECKING:
    from pptx.presentation import Presentation
    from pptx.slide import Slide
    from pptx.text.text import TextFrame

LATIN, CHINESE = "Calibri", "Microsoft YaHei"
"""Typefaces that slide programs have. Where one is missing, the program takes the nearest that it knows."""

LANGUAGE = {"zh": "zh-CN", "en": "en-US"}
NAME = Label(zh="位置编码：posenc 的图", en="Positional encodings: figures from posenc")
AUTHOR = "posenc"

MARGIN = 0.55
"""Inches left free at the slide's sides."""
HEAD, FOOT = 1.25, 1.15
"""Inches above the figure, for the title, and below it, for its settings and where it is from."""
TITLE, LONG_TITLE, SETTINGS, SOURCE = 30, 24, 13, 11
"""Points of type."""

TITLE_ONLY = 5
"""Index of the layout with a title and nothing else."""
SAME_DATE = (1980, 1, 1, 0, 0, 0)
"""Of everything in an archive: the same figures always give the same file."""


def pptx(figures: Iterable[Figure], sheet: Sheet) -> bytes:
    """A slide for each figure: title, figure, settings, link; alt text on the figure; the explanation as notes.

    Args:
        figures: Asked for one after the other, each only when the slide before it is done.
        sheet: Size and colours; with a home, the slides' addresses are links.
    """
    from pptx import Presentation

    deck = Presentation()
    _size(deck, sheet.size)
    lang = "en"
    for index, figure in enumerate(figures):
        lang = figure.lang
        if index == 0:
            _colour(deck, PAPERS[sheet.theme], lang, is_dark=sheet.theme == "dark")
        _slide(deck, figure, sheet)
    core = deck.core_properties
    core.title, core.author, core.last_modified_by = NAME(lang), AUTHOR, AUTHOR
    core.language, core.revision = LANGUAGE[lang], 1
    for name in ("created", "modified"):
        for element in core._element.xpath(f"dcterms:{name}"):
            core._element.remove(element)
    file = io.BytesIO()
    deck.save(file)
    return _same_dates(file)


def _size(deck: "Presentation", size: str) -> None:
    """Give the deck its size, and move what stands on its master and layouts along."""
    from pptx.util import Inches

    width, height = (Inches(length) for length in INCHES[size])
    across, down = width / deck.slide_width, height / deck.slide_height
    deck.slide_width, deck.slide_height = width, height
    deck.element.sldSz.attrib.pop("type", None)
    for place in (
        deck.slide_master.element.iter("{*}xfrm"),
        *(layout.element.iter("{*}xfrm") for layout in deck.slide_layouts),
    ):
        for transform in place:
            _scale(transform, across, down)


def _scale(transform: Any, across: float, down: float) -> None:
    for part in transform:
        for name, factor in (("x", across), ("cx", across), ("y", down), ("cy", down)):
            if name in part.attrib:
                part.set(name, str(round(int(part.get(name)) * factor)))


def _colour(deck: "Presentation", paper: Paper, lang: str, *, is_dark: bool) -> None:
    """Let the deck's theme have the page's colours and fonts with Chinese, so that added slides look like these."""
    from pptx.opc.constants import RELATIONSHIP_TYPE
    from pptx.opc.oxml import serialize_part_xml
    from pptx.oxml import parse_xml

    part = deck.slide_master.part.part_related_by(RELATIONSHIP_TYPE.THEME)
    theme: Any = parse_xml(part.blob)
    dark, light = (paper.background, paper.ink) if is_dark else (paper.ink, paper.background)
    for name, colour in (("dk1", dark), ("lt1", light), ("accent1", POSITION), ("hlink", POSITION)):
        (entry,) = theme.iter(f"{{*}}{name}")
        entry[:] = [entry.makeelement(entry[0].tag.rpartition("}")[0] + "}srgbClr", {"val": colour[1:]})]
    for kind in ("majorFont", "minorFont"):
        (fonts,) = theme.iter(f"{{*}}{kind}")
        fonts.find("{*}latin").set("typeface", LATIN)
        fonts.find("{*}ea").set("typeface", CHINESE)
    part._blob = serialize_part_xml(theme)
    master: Any = deck.slide_master.element
    if is_dark:
        for name, mapped in (("bg1", "dk1"), ("tx1", "lt1"), ("bg2", "dk2"), ("tx2", "lt2")):
            master.find("{*}clrMap").set(name, mapped)
    for run in master.iter("{*}rPr", "{*}endParaRPr", "{*}defRPr"):
        if "lang" in run.attrib:
            run.set("lang", LANGUAGE[lang])


def _slide(deck: "Presentation", figure: Figure, sheet: Sheet) -> None:
    from pptx.util import Inches

    slide = deck.slides.add_slide(deck.slide_layouts[TITLE_ONLY])
    width, height = INCHES[sheet.size]
    _title(slide, figure, width)
    _picture(slide, figure, sheet)
    paper = PAPERS[sheet.theme]
    below = slide.shapes.add_textbox(
        Inches(MARGIN), Inches(height - FOOT), Inches(width - 2 * MARGIN), Inches(FOOT - 0.2)
    )
    below.name = "Caption"
    below.text_frame.word_wrap = True
    # The link leads to the state, and the notes spell it out.
    origin = source(figure, sheet.home, with_state=not sheet.home)
    _write(below.text_frame, [(caption(figure), SETTINGS), (origin, SOURCE)], figure.lang, paper)
    if sheet.home:
        run = below.text_frame.paragraphs[-1].runs[0]
        run.hyperlink.address = sheet.home.rstrip("/") + address(figure)
    said = slide.notes_slide.notes_text_frame
    assert said is not None
    _write(said, [(line, None) for line in notes(figure, sheet.home).splitlines()], figure.lang)


def _title(slide: "Slide", figure: Figure, width: float) -> None:
    from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
    from pptx.util import Inches

    shape, room = slide.shapes.title, width - 2 * MARGIN
    assert shape is not None
    shape.left, shape.top, shape.width, shape.height = (Inches(x) for x in (MARGIN, 0.25, room, HEAD - 0.35))
    is_long = font.width(title(figure), TITLE / 72, font.BOLD) > 0.85 * room
    _write(shape.text_frame, [(title(figure), LONG_TITLE if is_long else TITLE)], figure.lang)
    shape.text_frame.vertical_anchor = MSO_ANCHOR.MIDDLE
    (paragraph,) = shape.text_frame.paragraphs
    paragraph.alignment, paragraph.runs[0].font.bold = PP_ALIGN.LEFT, True


def _picture(slide: "Slide", figure: Figure, sheet: Sheet) -> None:
    """The figure as large as fits between title and settings, in the middle."""
    from pptx.util import Inches

    width, height = (Inches(length) for length in INCHES[sheet.size])
    room, tall = width - 2 * Inches(MARGIN), height - Inches(HEAD) - Inches(FOOT) - Inches(0.1)
    picture = slide.shapes.add_picture(io.BytesIO(figure_png(figure, sheet)), 0, 0)
    scale = min(room / picture.width, tall / picture.height)
    picture.width, picture.height = round(picture.width * scale), round(picture.height * scale)
    picture.left, picture.top = (width - picture.width) // 2, Inches(HEAD) + (tall - picture.height) // 2
    picture.name = f"{figure.concept}.{figure.name}"
    picture._element.nvPicPr.cNvPr.set("descr", figure.alt(figure.lang))


def _write(frame: "TextFrame", lines: Iterable[tuple[str, int | None]], lang: str, paper: Paper | None = None) -> None:
    """Fill the frame with paragraphs that name their language and their typeface for Chinese."""
    from pptx.dml.color import RGBColor
    from pptx.oxml.ns import qn
    from pptx.util import Pt

    for index, (text, points) in enumerate(lines):
        paragraph = frame.paragraphs[0] if index == 0 else frame.add_paragraph()
        if not text:
            continue
        run = paragraph.add_run()
        run.text = text
        properties: Any = run._r.get_or_add_rPr()
        properties.set("lang", LANGUAGE[lang])
        properties.set("altLang", LANGUAGE["en" if lang == "zh" else "zh"])
        if points:
            run.font.size = Pt(points)
        if paper:
            run.font.color.rgb = RGBColor.from_string(paper.muted[1:].upper())
        properties.append(properties.makeelement(qn("a:latin"), {"typeface": LATIN}))
        properties.append(properties.makeelement(qn("a:ea"), {"typeface": CHINESE}))


def _same_dates(file: io.BytesIO) -> bytes:
    """The archive with every entry dated the same."""
    with ZipFile(file) as read:
        return archive((name, read.read(name)) for name in read.namelist())


def archive(entries: Iterable[tuple[str, bytes]]) -> bytes:
    """A ZIP of names and contents, in their order; the same entries always give the same bytes."""
    file = io.BytesIO()
    with ZipFile(file, "w") as written:
        for name, contents in entries:
            written.writestr(_entry(name), contents, ZIP_DEFLATED)
    return file.getvalue()


def _entry(name: str) -> ZipInfo:
    entry = ZipInfo(name, SAME_DATE)
    entry.external_attr = 0o644 << 16
    return entry


def unique(names: Iterable[str]) -> Iterator[str]:
    """The names of files in turn; one that was there before, in whatever case, gets a number before its suffix."""
    seen: set[str] = set()
    for name in names:
        stem, _, suffix = name.rpartition(".")
        free, number = name, 1
        while free.lower() in seen:
            number += 1
            free = f"{stem}-{number}.{suffix}"
        seen.add(free.lower())
        yield free
