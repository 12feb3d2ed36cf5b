"""On paper a page is whole: every section, figures within the sheet, black on white, and nothing to press."""

import io
import itertools
import unicodedata

import pytest
from pypdf import PdfReader

from pages.index import CONCEPTS
from pages.kit.address import place
from pages.kit.export.caption import caption
from pages.kit.record import record
from pages.kit.text import prose
from tests.chromium import settle

FOLDERS = [concept.folder for concept in CONCEPTS]
SHEET = (680, 1017)
"""Pixels of A4 between its margins, at 96 to the inch."""

RADICALS = str.maketrans("⻓⻅⻔⻢⻚⻋", "长见门马页车")
"""Signs of their own that Unicode does not call the same as the characters."""

DRAWN = """() => [...document.querySelectorAll('[data-testid=stVegaLiteChart]')]
    .every(chart => chart.querySelector('svg.marks'))"""

LOOK = """([width, height]) => {
  const main = document.querySelector('[data-testid=stMain]');
  const seen = element => element.getClientRects().length && getComputedStyle(element).visibility !== 'hidden';
  const all = selector => [...document.querySelectorAll(selector)].filter(seen);
  const names = found => found.map(element => element.className.toString().slice(0, 40) || element.tagName);
  const dark = colour => { const c = colour.match(/[\\d.]+/g).map(Number); return (c[0] + c[1] + c[2]) / 3; };
  return {
    pressed: names(all('button, input, select, textarea, [role=slider], [role=radio], [role=tab], nav, header')),
    charts: all('svg.marks').length,
    wide: names(all('svg.marks, pre, table, .katex-display, p, h1').filter(element => {
      const r = element.getBoundingClientRect();
      return r.left < -1 || r.right > width + 1 || element.scrollWidth > element.clientWidth + 2 && element.clientWidth;
    })),
    high: names(all('svg.marks').filter(svg => svg.getBoundingClientRect().height > height)),
    scrolling: names(all('[data-testid=stMain], [data-testid=stMain] div').filter(
      element => element.scrollHeight > element.clientHeight + 2
        && ['auto', 'scroll', 'hidden'].includes(getComputedStyle(element).overflowY) && element.clientHeight > 2)),
    pale: names(all('[data-testid=stMain] :is(p, li, h1, h2, h3, td, th, code)').filter(
      element => dark(getComputedStyle(element).color) > 40)),
    paleInFigures: all('svg.marks :is(.role-axis-label, .role-axis-title, .role-title-text) text').filter(
      element => dark(getComputedStyle(element).fill) > 40).length,
    ground: getComputedStyle(document.querySelector('.stApp')).backgroundColor,
  };
}"""


def page(server, folder, lang):
    return f"{server}/{place(folder)}?lang={lang}"


@pytest.mark.parametrize(("folder", "theme"), list(zip(FOLDERS, itertools.cycle(["dark", "light"]), strict=False)))
def test_sheet_has_whole_figures_in_black_on_white_and_nothing_to_press(server, open_tab, folder, theme):
    tab = open_tab(page(server, folder, "en"), theme=theme)
    tab.wait_for_function(DRAWN)
    charts = tab.locator("[data-testid=stVegaLiteChart]").count()
    tab.emulate_media(media="print")
    tab.set_viewport_size({"width": SHEET[0], "height": SHEET[1]})
    tab.wait_for_timeout(500)
    seen = tab.evaluate(LOOK, SHEET)
    assert seen.pop("ground") in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)")
    assert seen.pop("charts") == charts
    assert {name: found for name, found in seen.items() if found} == {}


@pytest.mark.parametrize(("folder", "lang"), list(zip(FOLDERS, itertools.cycle(["zh", "en"]), strict=False)))
def test_print_has_the_page_from_its_claim_to_its_last_source(server, open_tab, folder, lang):
    tab = open_tab(page(server, folder, lang))
    last = tab.locator("[data-testid=stMain] li").last.inner_text()
    sheets = [sheet.extract_text() for sheet in PdfReader(io.BytesIO(tab.pdf(format="A4"))).pages]
    assert 2 <= len(sheets) <= 6
    assert letters(prose(folder, lang)["title"]) in letters(sheets[0])
    assert letters(last) in letters("".join(sheets[-2:]))
    assert [number for number, sheet in enumerate(sheets, 1) if not sheet.strip()] in ([], [len(sheets)])


def letters(text: str) -> str:
    """The text's letters and digits, where a font draws several as one sign or a Chinese one as its radical."""
    return "".join(sign for sign in unicodedata.normalize("NFKC", text).translate(RADICALS) if sign.isalnum())


def test_print_of_a_state_shows_that_state(server, open_tab):
    tab = open_tab(f"{server}/rope?lang=en&m=60&n=4&pair=3")
    settle(tab)
    text = letters("".join(sheet.extract_text() for sheet in PdfReader(io.BytesIO(tab.pdf(format="A4"))).pages))
    assert letters("rotate(q, 60)") in text
    for figure in record("rope", "en", {"m": "60", "n": "4", "pair": "3"}).figures:
        assert letters(caption(figure)) in text


def test_settings_under_a_figure_are_for_paper_alone(server, open_tab):
    tab = open_tab(f"{server}/rope?lang=en")
    settle(tab)
    assert tab.locator(".stText").count() == len(record("rope", "en").figures)
    assert not any(line.is_visible() for line in tab.locator(".stText").all())


@pytest.mark.parametrize("folder", FOLDERS)
def test_streamlits_own_buttons_on_a_figure_are_hidden(server, open_tab, folder):
    """Their file has the page's dark ink on nothing and is cut; the menu's has not."""
    tab = open_tab(page(server, folder, "en"))
    tab.locator("[data-testid=stVegaLiteChart]").first.hover()
    assert not any(bar.is_visible() for bar in tab.locator("[data-testid=stElementToolbar]").all())
