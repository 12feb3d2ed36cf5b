"""Files of many figures: what slide programs, readers of PDF and archives find in them."""

import io
import re
import shutil
import subprocess
import zipfile

import pytest
from PIL import Image
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE
from pypdf import PdfReader

from pages.kit.collection import collect
from pages.kit.export.caption import address, caption, title
from pages.kit.export.deck import CHINESE, LANGUAGE, archive, unique
from pages.kit.export.drawing import PAPERS
from pages.kit.export.picture import INCHES, Sheet
from pages.kit.export.slides import MAKERS, document, pictures, pptx
from pages.kit.text import LANGUAGES, prose

HOME = "https://posenc.example.org"
CHOSEN = {"rope": ("rotation", "decay"), "order": ("weights",)}
EMU = 914_400
"""In an inch."""
SOFFICE = shutil.which("soffice")


@pytest.fixture(scope="module", params=LANGUAGES, name="figures")
def _figures(request):
    return collect(CHOSEN, request.param, {"m": "17", "base": "100"}, is_strict=True)


@pytest.fixture(scope="module", name="deck")
def _deck(figures):
    return pptx(figures, Sheet(home=HOME))


@pytest.fixture(scope="module", name="slides")
def _slides(deck):
    return list(Presentation(io.BytesIO(deck)).slides)


def picture_of(slide):
    (picture,) = [shape for shape in slide.shapes if shape.shape_type == MSO_SHAPE_TYPE.PICTURE]
    return picture


def text_of(slide):
    return "\n".join(shape.text_frame.text for shape in slide.shapes if shape.has_text_frame)


def test_each_figure_has_a_slide_with_its_title(figures, slides):
    assert [slide.shapes.title.text_frame.text for slide in slides] == [title(figure) for figure in figures]
    rope = prose("rope", figures[0].lang)
    assert slides[0].shapes.title.text_frame.text == rope["title"]
    assert slides[1].shapes.title.text_frame.text != rope["title"]


def test_settings_are_text_and_the_source_is_a_link(figures, slides):
    for figure, slide in zip(figures, slides, strict=True):
        assert caption(figure) in text_of(slide)
        runs = [run for shape in slide.shapes if shape.has_text_frame for run in runs_of(shape.text_frame)]
        links = [run.hyperlink.address for run in runs if run.hyperlink.address]
        assert links == [HOME + address(figure)]
    assert "m=17" in address(figures[0])


def runs_of(frame):
    return [run for paragraph in frame.paragraphs for run in paragraph.runs]


def test_pictures_are_sharp_have_an_alt_text_and_lie_on_the_slide(figures, slides):
    width, height = (length * EMU for length in INCHES["16:9"])
    for figure, slide in zip(figures, slides, strict=True):
        picture = picture_of(slide)
        pixels = Image.open(io.BytesIO(picture.image.blob)).size
        assert pixels == picture.image.size
        assert pixels[0] >= 1200
        assert picture._element.nvPicPr.cNvPr.get("descr") == figure.alt(figure.lang)
        assert 0 <= picture.left < picture.left + picture.width <= width
        assert 0 <= picture.top < picture.top + picture.height <= height
        assert picture.width / picture.height == pytest.approx(pixels[0] / pixels[1], rel=1e-3)


def test_notes_explain_without_marks_and_end_with_the_link(figures, slides):
    for figure, slide in zip(figures, slides, strict=True):
        notes = slide.notes_slide.notes_text_frame.text
        assert figure.alt(figure.lang) in notes
        assert notes.endswith(HOME + address(figure))
        assert not re.search(r"\$|\\[a-z]|\*\*|\]\(", notes)
    first = slides[0].notes_slide.notes_text_frame.text
    assert prose("rope", figures[0].lang)["lead"] in first
    assert "mθᵢ" in first
    assert "(cos mθᵢ, −sin mθᵢ; sin mθᵢ, cos mθᵢ)" in first
    assert prose("rope", figures[0].lang)["decay"] in slides[1].notes_slide.notes_text_frame.text


def test_no_placeholder_is_left_empty(slides):
    for slide in slides:
        assert [shape.name for shape in slide.placeholders if not shape.text_frame.text] == []


def test_every_text_names_its_language_and_a_typeface_for_chinese(figures, slides):
    for slide in slides:
        frames = [shape.text_frame for shape in slide.shapes if shape.has_text_frame]
        for run in [run for frame in (*frames, slide.notes_slide.notes_text_frame) for run in runs_of(frame)]:
            properties = run._r.rPr
            assert properties.get("lang") == LANGUAGE[figures[0].lang]
            assert properties.find("{*}ea").get("typeface") == CHINESE


def test_theme_of_the_deck_has_a_typeface_for_chinese(deck):
    with zipfile.ZipFile(io.BytesIO(deck)) as parts:
        theme = parts.read("ppt/theme/theme1.xml").decode()
    assert theme.count(f'<a:ea typeface="{CHINESE}"/>') == 2


def test_properties_of_the_deck(figures, deck):
    core = Presentation(io.BytesIO(deck)).core_properties
    assert (core.author, core.language) == ("posenc", LANGUAGE[figures[0].lang])
    assert "posenc" in core.title
    assert ("位置编码" in core.title) == (figures[0].lang == "zh")


@pytest.mark.parametrize("size", INCHES)
def test_slides_and_pages_have_the_size_asked_for(size):
    figures = collect({"rope": ("decay",)}, "en", {}, is_strict=True)
    deck = Presentation(io.BytesIO(pptx(figures, Sheet(size))))
    width, height = INCHES[size]
    assert (deck.slide_width / EMU, deck.slide_height / EMU) == pytest.approx((width, height), abs=1e-3)
    (page,) = PdfReader(io.BytesIO(document(figures, Sheet(size)))).pages
    assert [float(page.mediabox.width), float(page.mediabox.height)] == pytest.approx(
        [width * 72, height * 72], abs=0.1
    )


def test_a_dark_deck_is_dark_all_through():
    figures = collect({"rope": ("decay",)}, "en", {}, is_strict=True)
    deck = pptx(figures, Sheet(theme="dark"))
    with zipfile.ZipFile(io.BytesIO(deck)) as parts:
        master = parts.read("ppt/slideMasters/slideMaster1.xml").decode()
        theme = parts.read("ppt/theme/theme1.xml").decode()
    assert 'bg1="dk1"' in master
    assert f'<a:dk1><a:srgbClr val="{PAPERS["dark"].background[1:]}"/>' in theme
    (slide,) = Presentation(io.BytesIO(deck)).slides
    corner = Image.open(io.BytesIO(picture_of(slide).image.blob)).convert("RGB").getpixel((0, 0))
    assert corner == tuple(int(PAPERS["dark"].background[at : at + 2], 16) for at in (1, 3, 5))


@pytest.mark.parametrize("kind", MAKERS)
def test_the_same_figures_give_the_same_file(kind):
    figures = collect({"rope": ("decay",)}, "zh", {}, is_strict=True)
    assert MAKERS[kind](figures, Sheet()) == MAKERS[kind](figures, Sheet())


@pytest.mark.parametrize("kind", MAKERS)
def test_figures_are_asked_for_one_after_the_other_and_can_be_stopped_between(kind):
    figures = collect({"rope": ("decay", "rotation")}, "en", {}, is_strict=True)
    given = []

    def stopped():
        given.append(figures[0])
        yield figures[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        MAKERS[kind](stopped(), Sheet())
    assert len(given) == 1


def test_text_of_the_document_can_be_searched(figures):
    read = PdfReader(io.BytesIO(document(figures, Sheet(home=HOME))))
    assert len(read.pages) == len(figures)
    assert read.metadata.author == "posenc"
    for figure, page in zip(figures, read.pages, strict=True):
        found = re.sub(r"\s", "", page.extract_text())
        assert re.sub(r"\s", "", title(figure)) in found


def test_archive_has_each_figure_twice_under_its_own_name(figures):
    with zipfile.ZipFile(io.BytesIO(pictures([*figures, figures[0]], Sheet()))) as read:
        names = read.namelist()
        assert len(set(map(str.lower, names))) == len(names) == 2 * (len(figures) + 1)
        for name in names:
            assert re.fullmatch(r"[\w.-]+", name, re.ASCII)
            contents = read.read(name)
            assert contents.startswith(b"\x89PNG") if name.endswith("png") else contents.startswith(b"<svg")


def test_names_that_differ_in_case_alone_are_told_apart():
    assert list(unique(["a.png", "A.png", "a.png", "b.png"])) == ["a.png", "A-2.png", "a-3.png", "b.png"]


def test_archives_of_the_same_entries_are_the_same():
    assert archive([("a", b"1")]) == archive([("a", b"1")])


@pytest.mark.skipif(SOFFICE is None, reason="needs LibreOffice Impress: apt-get install libreoffice-impress")
def test_a_slide_program_shows_every_slide_with_its_text(figures, deck, tmp_path):
    (tmp_path / "deck.pptx").write_bytes(deck)
    command = [SOFFICE, f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}", "--headless", "--convert-to", "pdf"]
    subprocess.run([*command, "deck.pptx"], cwd=tmp_path, check=True, capture_output=True, timeout=180)
    pages = PdfReader(tmp_path / "deck.pdf").pages
    assert len(pages) == len(figures)
    for figure, page in zip(figures, pages, strict=True):
        found = re.sub(r"\s", "", page.extract_text())
        for text in (title(figure), caption(figure)):
            assert re.sub(r"\s", "", text) in found
