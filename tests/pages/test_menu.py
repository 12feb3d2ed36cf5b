"""The menu under a figure: closed it costs nothing, open it offers what is on screen."""

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from pages.index import CONCEPTS
from pages.kit import menu
from pages.kit.export.caption import address
from pages.kit.menu import FileError, made, qr_code
from pages.kit.record import record
from pages.kit.text import LANGUAGES
from tests.pages.conftest import visit

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = [concept.folder for concept in CONCEPTS]
VISIT = """
import sys
sys.path.insert(0, {root!r})
from tests.pages.conftest import visit
for folder in {folders!r}:
    assert not visit(folder, {{"lang": "zh"}}).exception
{extra}
converter = sys.modules.get("pages.kit.export.converter")
if converter is not None and converter.CONVERTER.is_running:
    print("a process that makes files")
print([name for name in ("vl_convert", "segno") if name in sys.modules])
"""


def loaded(folders: list[str], extra: str = "") -> str:
    """What of the exports is in memory after a visit."""
    script = VISIT.format(root=str(ROOT), folders=folders, extra=extra)
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()


def opened(folder, figure, state):
    """The page with the menu under that figure open."""
    app = visit(folder, state)
    app.session_state[f"menu.{folder}.{figure}"] = True
    return app.run()


def buttons(app):
    return {button.label: button for button in app.get("download_button")}


def test_a_visit_loads_nothing_that_makes_files():
    assert loaded([folder for folder in FOLDERS if folder != "slides"]) == "[]"


def test_what_a_visit_must_not_load_would_be_found():
    assert loaded(FOLDERS[:1], "import segno") == "['segno']"
    drawn = "from pages.kit.export import drawing\ndrawing.pixels('<svg xmlns=\"http://www.w3.org/2000/svg\"/>', 1)"
    assert loaded(FOLDERS[:1], drawn).startswith("a process")


@pytest.mark.parametrize("folder", [folder for folder in FOLDERS if record(folder, "en").figures])
def test_every_figure_has_one_closed_menu(folder):
    app = visit(folder, {"lang": "en"})
    for figure in record(folder, "en").figures:
        assert app.session_state[f"menu.{folder}.{figure.name}"] is False
    assert not {"PNG", "SVG", "PDF", "CSV", "NPY"} & buttons(app).keys()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_open_menu_offers_files_a_link_and_its_code(lang):
    app = opened("rope", "rotation", {"lang": lang, "m": "17", "pairing": "interleaved"})
    assert not app.exception
    assert {"PNG", "SVG", "PDF", "CSV", "NPY"} <= buttons(app).keys()
    (link,) = [code.value for code in app.code if "lang=" in code.value and "\n" not in code.value]
    figure = record("rope", lang, {"m": "17", "pairing": "interleaved"}).main
    assert link.endswith(f"/rope?lang={lang}&pairing=interleaved&m=17")
    assert link.endswith(address(figure))
    (image,) = app.get("image")
    assert menu.QR(lang) in [shown.alt for shown in image.proto.imgs]


def test_opening_one_menu_leaves_the_others_closed():
    app = opened("rope", "decay", {"lang": "en"})
    assert app.session_state["menu.rope.rotation"] is False
    assert sum(button.label == "PNG" for button in app.get("download_button")) == 1


def test_files_are_made_only_when_they_are_asked_for(monkeypatch):
    from pages.kit.export import numbers, picture

    def asked(*_, **__):
        raise AssertionError("made before anybody asked")

    for name in ("svg", "png", "pdf"):
        monkeypatch.setattr(picture, name, asked)
    for name in ("csv", "npy"):
        monkeypatch.setattr(numbers, name, asked)
    assert not opened("heatmap", "table", {"lang": "en", "n_positions": "4096", "d_model": "1024"}).exception


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_a_picture_from_the_menu_is_that_of_the_same_state_without_a_page(kind):
    from pages.kit.export import picture
    from pages.kit.export.picture import Sheet

    home = "https://posenc.example.org"
    for figure in record("rope", "zh", {"m": "17"}).figures:
        offered = menu._picture(kind, figure, home, is_transparent=False)
        alone = getattr(picture, kind)(figure, Sheet(home=home))
        assert offered == (alone.encode() if kind == "svg" else alone)


def test_a_failure_is_logged_without_a_word_of_the_visitors(caplog, monkeypatch):
    figure = record("order", "en", {"words": "my secret words"}).main

    def fails() -> bytes:
        raise ValueError(f"cannot draw {figure.inputs['words']}")

    monkeypatch.setattr(menu, "LOG", logging.getLogger("test of the menu"))
    with pytest.raises(FileError) as told:
        made(fails, figure)
    assert "secret" not in str(told.value)
    assert told.value.__suppress_context__
    assert "page=order figure=equivariance" in caplog.text
    assert "ValueError" in caplog.text
    assert "secret" not in caplog.text


def test_code_is_black_on_white_with_its_quiet_zone():
    svg = qr_code("https://posenc.example.org/rope?lang=zh&m=17")
    assert 'stroke="#000"' in svg
    assert 'fill="#fff"' in svg
    assert qr_code("https://posenc.example.org/rope?lang=zh&m=18") != svg


@pytest.mark.parametrize("lang", LANGUAGES)
def test_numbers_too_many_for_a_spreadsheet_come_as_npy_alone(lang):
    large = opened("heatmap", "table", {"lang": lang, "n_positions": "4096", "d_model": "1024"})
    assert "NPY" in buttons(large)
    assert "CSV" not in buttons(large)
    assert menu.LARGE(lang).format(count="4,194,304") in [caption.value for caption in large.caption]
    classic = opened("heatmap", "table", {"lang": lang, "n_positions": "512", "d_model": "512"})
    assert {"CSV", "NPY"} <= buttons(classic).keys()
