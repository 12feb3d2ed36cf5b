"""A figure's file: what is on screen, with title, settings and source, readable anywhere, made without a browser."""

import io
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader

from pages.index import CONCEPTS
from pages.kit.address import FIRST
from pages.kit.export import font, picture
from pages.kit.export.caption import address, caption, file_name, source, title
from pages.kit.export.drawing import PAPERS, records
from pages.kit.export.picture import SIZES, Sheet
from pages.kit.record import record
from pages.kit.spec import arrow
from pages.kit.text import LANGUAGES

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = [concept.folder for concept in CONCEPTS]
HOSTILE = "<script>alert(1)</script> & \"'> ]]> &amp; ${x}"
SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    """Every text of the sheet, joined over its small parts."""
    return ["".join(text.itertext()) for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def words(svg: str) -> str:
    return "".join("".join(texts(svg)).split())


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("folder", FOLDERS)
def test_sheet_says_what_it_shows_at_which_settings_and_where_it_is_from(folder, lang):
    for figure in record(folder, lang).figures:
        said = words(picture.svg(figure))
        for wanted in (title(figure), figure.alt(lang), caption(figure), source(figure)):
            assert squeezed(wanted) in said, (figure.name, wanted)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("folder", FOLDERS)
def test_font_has_every_character_that_a_figure_uses(folder, lang):
    face = font._face(font.REGULAR)
    missing = bytes(face.getmask("\uffff"))
    for figure in record(folder, lang).figures:
        used = set("".join(texts(picture.svg(figure)))) - {" ", "\N{NO-BREAK SPACE}"}
        assert [character for character in used if bytes(face.getmask(character)) == missing] == []


def test_a_character_that_the_font_lacks_would_be_found():
    face = font._face(font.REGULAR)
    assert bytes(face.getmask("⁻")) == bytes(face.getmask("\uffff"))
    assert font.with_raised("<text>4 · 10⁻¹⁶ and x₂</text>").count("<tspan") == 4
    assert texts(f'<svg xmlns="http://www.w3.org/2000/svg">{font.with_raised("<text>10⁻¹⁶ m</text>")}</svg>') == [
        "10−16 m"
    ]


def test_a_line_never_ends_between_a_setting_and_its_value():
    settings = "键位置 n\xa0=\xa04 · 维度对 i\xa0=\xa01"
    lines = [line for room in range(60, 300, 10) for line in font.wrapped(settings, 20, room)]
    assert any(line.endswith("=\xa04") for line in lines)
    assert not any(line.endswith(("=", "n", "i")) or line.startswith(("=", "4", "1")) for line in lines)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_lines_fit_and_lose_nothing(lang):
    (figure, *_) = record("rope_attention", lang).figures
    told = figure.alt(lang) + " " + caption(figure) + "W" * 200
    lines = font.wrapped(told, 20, 300)
    assert squeezed("".join(lines)) == squeezed(told)
    assert all(font.width(line, 20) <= 300 for line in lines)
    assert not any(line.startswith(("，", "。", "：", "；", "、", "）", "”")) for line in lines)


@pytest.mark.parametrize(("theme", "other"), [("light", "dark"), ("dark", "light")])
def test_ink_is_that_of_the_paper(theme, other):
    svg = picture.svg(record("rope", "en").main, Sheet(theme=theme))
    assert "currentColor" not in svg
    assert svg.count(PAPERS[theme].ink) > 10
    assert PAPERS[other].ink not in svg
    assert f'<rect width="100%" height="100%" fill="{PAPERS[theme].background}"/>' in svg


def test_colours_are_those_of_the_pages():
    import tomllib

    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"]
    for name, paper in PAPERS.items():
        assert (paper.background, paper.ink) == (theme[name]["backgroundColor"], theme[name]["textColor"])


def test_words_of_a_visitor_are_only_text():
    figure = record("order", "en", {"words": HOSTILE}, is_strict=False).main
    svg = picture.svg(figure)
    tags = {element.tag for element in ElementTree.fromstring(svg).iter()}
    assert f"{SVG}script" not in tags
    assert "alert(1)" in words(svg)
    assert caption(figure).count("<script>") == 1
    assert squeezed(caption(figure)) in words(svg)
    assert picture.png(figure).startswith(b"\x89PNG")


@pytest.mark.parametrize("size", SIZES)
def test_pixels_are_at_least_two_for_each_unit(size):
    image = Image.open(io.BytesIO(picture.png(record("home", "en").main, Sheet(size))))
    width, height = SIZES[size]
    assert image.size == (2 * width, 2 * height)


def test_sixteen_to_nine_is_the_usual_sheet():
    assert SIZES[Sheet().size][0] / SIZES[Sheet().size][1] == pytest.approx(16 / 9)


def corner(made: bytes) -> tuple[int, ...]:
    return Image.open(io.BytesIO(made)).convert("RGBA").getpixel((3, 3))


def test_background_is_white_dark_or_none():
    figure = record("rope", "en").main
    assert corner(picture.png(figure)) == (255, 255, 255, 255)
    assert corner(picture.png(figure, Sheet(theme="dark"))) == (0x15, 0x16, 0x1B, 255)
    assert corner(picture.png(figure, Sheet(transparent=True)))[3] == 0
    assert corner(picture.figure_png(figure, Sheet(transparent=True)))[3] == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pdf_has_its_text_as_text(lang):
    figure = record("rope", lang, {"m": "17"}).main
    made = picture.pdf(figure)
    assert made.startswith(b"%PDF")
    said = squeezed(PdfReader(io.BytesIO(made)).pages[0].extract_text())
    assert squeezed(title(figure)) in said
    assert "m=17" in said


def test_handles_stand_in_the_file_where_they_were_let_go():
    files = {m: picture.svg(record("rope", "en", {"m": m}).main) for m in ("9", "17")}
    assert files["9"] != files["17"]
    assert files["17"] == picture.svg(record("rope", "en", {"m": "17"}).main)
    arms = {m: re.findall(r'<line[^>]*stroke="#3f7fd0"[^>]*>', svg) for m, svg in files.items()}
    assert arms["9"] != arms["17"]
    moved = replace(record("rope", "en").main, handles={"m": 17, "n": 4})
    assert re.findall(r'<line[^>]*stroke="#3f7fd0"[^>]*>', picture.svg(moved)) == arms["17"]


@pytest.mark.parametrize(
    ("folder", "written"),
    [
        ("heatmap", {"n_positions": "4096", "d_model": "1024", "position": "4095"}),
        ("heatmap", {"n_positions": "64", "d_model": "64"}),
        ("learned_table", {"rows": "1024", "n_tokens": "1025"}),
        ("order", {"words": " ".join(["averylongword"] * 8), "shuffle": "3"}),
    ],
)
def test_no_table_is_too_large_for_a_file(folder, written):
    figure = record(folder, "en", written).main
    assert len(picture.svg(figure)) < 3_000_000
    assert Image.open(io.BytesIO(picture.png(figure))).size == (2560, 1440)


def test_what_json_has_no_number_for_is_null():
    import pandas as pd

    table = pd.DataFrame({"x": [1.5, float("nan"), float("inf"), -float("inf")], "n": [1, 2, 3, 4]})
    assert json.dumps(records(arrow(table)), allow_nan=False)
    assert [row["x"] for row in records(arrow(table))] == [1.5, None, None, None]


@pytest.mark.parametrize(
    ("folder", "written", "lang", "name"),
    [
        ("rope", {}, "zh", "rope-rotation-zh.png"),
        ("rope", {"m": "17", "pairing": "interleaved"}, "en", "rope-rotation-pairing_interleaved-m17-en.png"),
        ("shift_matrix", {"k": "-3"}, "en", "shift_matrix-shift-k-3-en.png"),
    ],
)
def test_name_says_concept_settings_and_language(folder, written, lang, name):
    assert file_name(record(folder, lang, written).main, "png") == name


@pytest.mark.parametrize("sentence", ["人 咬 狗", "CON aux: <a>|*?", "../../etc/passwd", "word " * 12])
def test_name_is_plain_whatever_a_visitor_writes(sentence):
    figure = record("order", "zh", {"words": sentence, "layers": "2"}, is_strict=False).main
    name = file_name(figure, "svg")
    assert re.fullmatch(r"[a-z0-9_-]{1,110}\.svg", name)
    other = record("order", "zh", {"words": f"{sentence[:9]} x", "layers": "2"}, is_strict=False).main
    assert file_name(other, "svg") != name


def test_address_leads_to_the_same_state():
    assert FOLDERS[0] == FIRST
    assert address(record("home", "zh").main) == "/?lang=zh"
    assert address(record("rope", "en", {"m": "17", "base": "100"}).main) == "/rope?lang=en&base=100&m=17"


def test_a_figure_names_only_settings_that_it_depends_on():
    rotation, decay = record("rope", "en").figures
    assert list(rotation.handles) == ["m", "n"]
    assert {"m", "n"} <= rotation.settings.keys()
    assert "peak" not in rotation.settings
    assert "peak" in decay.settings
    assert not {"m", "n"} & decay.settings.keys()
    _, best_maps = record("shift_matrix", "en").figures
    assert {"k", "block"} <= best_maps.settings.keys()
    assert "p" not in best_maps.settings


LATIN_ONLY = """
import hashlib, sys
sys.path.insert(0, {root!r})
from pages.kit.export import font
from pages.kit.export.drawing import pixels
from pages.kit.text import LANGUAGES
sheet = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40" font-family="%s"><text y="30">%s</text></svg>'
for lang in LANGUAGES:
    for word in ("狗", "猫", "狗"):
        print(hashlib.sha256(pixels(sheet % (font.stack(lang), word), 2)).hexdigest())
"""


def test_chinese_is_drawn_on_a_machine_without_a_chinese_font(tmp_path):
    (tmp_path / "fonts").mkdir()
    configuration = tmp_path / "fonts.conf"
    configuration.write_text(f"<fontconfig><dir>{tmp_path}/fonts</dir></fontconfig>", encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-c", LATIN_ONLY.format(root=str(ROOT))],
        env={**os.environ, "FONTCONFIG_FILE": str(configuration)},
        capture_output=True,
        text=True,
        check=True,
    )
    for dog, cat, again in zip(*[iter(run.stdout.split())] * 3, strict=True):
        assert dog == again
        assert dog != cat
