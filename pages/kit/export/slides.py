"""Many figures as one file: slides, a document, or an archive of pictures.

Each maker takes its figures one after the other, the next only when the one before is done. So a caller sees how far
it is, and stops it by raising, in the iterable that it hands over.
"""

import io
from collections.abc import Callable, Iterable, Iterator

from pages.kit.export.caption import file_name
from pages.kit.export.deck import AUTHOR, LANGUAGE, NAME, archive, pptx, unique
from pages.kit.export.picture import MAKERS as SINGLE
from pages.kit.export.picture import Sheet, pdf
from pages.kit.figure import Figure


def document(figures: Iterable[Figure], sheet: Sheet) -> bytes:
    """A PDF with a page for each figure, as large as a slide of that size, its text searchable."""
    from pypdf import PdfWriter

    writer = PdfWriter()
    lang = "en"
    for figure in figures:
        lang = figure.lang
        writer.append(io.BytesIO(pdf(figure, sheet)), import_outline=False)
    writer.compress_identical_objects()
    writer.metadata = None
    writer.add_metadata({"/Title": NAME(lang), "/Author": AUTHOR, "/Producer": AUTHOR})
    writer.lang = LANGUAGE[lang]
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def pictures(figures: Iterable[Figure], sheet: Sheet) -> bytes:
    """A ZIP with each figure's sheet as PNG and as SVG."""
    return archive(_pictures(figures, sheet))


def _pictures(figures: Iterable[Figure], sheet: Sheet) -> Iterator[tuple[str, bytes]]:
    """Names and contents; figures of the same name and settings are numbered."""
    taken: list[str] = []
    for figure in figures:
        taken.append(file_name(figure, "svg"))
        *_, name = unique(taken)
        for suffix in ("svg", "png"):
            yield name.removesuffix("svg") + suffix, SINGLE[suffix](figure, sheet)


MAKERS: dict[str, Callable[[Iterable[Figure], Sheet], bytes]] = {"pptx": pptx, "pdf": document, "zip": pictures}
"""By the suffix of the file."""
