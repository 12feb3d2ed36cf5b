"""The menu under a figure, as a visitor uses it: by keyboard, on a phone, at a state that was dragged to."""

import io

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from pages.kit.export.caption import file_name
from pages.kit.record import record
from tests.chromium import drag, settle

MENU = "[class*=st-key-menu] button[aria-haspopup=dialog]"


def open_menu(tab, index: int = 0):
    """Open a figure's menu by keyboard; returns what is in it."""
    tab.locator(MENU).nth(index).focus()
    tab.keyboard.press("Enter")
    content = tab.locator("[data-testid=stPopoverBody]")
    content.get_by_role("button", name="PNG").wait_for()
    settle(tab)
    return content


def saved(tab, content, kind: str) -> tuple[str, bytes]:
    """Name and content of the file that a button of the menu saves."""
    with tab.expect_download(timeout=60_000) as waiting:
        content.get_by_role("button", name=kind).click()
    return waiting.value.suggested_filename, waiting.value.path().read_bytes()


def test_files_are_those_of_the_state_that_was_dragged_to(server, open_tab):
    tab = open_tab(f"{server}/rope?lang=zh")
    handle = tab.locator(".vega-bindings input[type=range]").first
    drag(tab, handle, 0.7)
    settle(tab)
    m = handle.input_value()
    assert m != "9"
    figure = record("rope", "zh", {"m": m}).main
    content = open_menu(tab)
    name, made = saved(tab, content, "PNG")
    assert name == file_name(figure, "png")
    assert f"-m{m}-zh" in name
    assert Image.open(io.BytesIO(made)).size == (2560, 1440)
    name, made = saved(tab, content, "CSV")
    assert name == file_name(figure, "csv")
    table = pd.read_csv(io.BytesIO(made), index_col=0)
    assert np.array_equal(table.to_numpy(), figure.numbers().array)
    name, made = saved(tab, content, "SVG")
    assert f"查询位置 m\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{m}" in made.decode()
    assert f"{server}/rope?lang=zh&amp;m={m}" in made.decode()
    assert f"{server}/rope?lang=zh&m={m}" in content.inner_text()
    assert not tab.faults


def test_background_can_be_left_out(server, open_tab):
    tab = open_tab(f"{server}/distance?lang=en")
    content = open_menu(tab, 1)
    content.locator("[data-testid=stCheckbox] label").click()
    settle(tab)
    _, made = saved(tab, content, "PNG")
    assert Image.open(io.BytesIO(made)).convert("RGBA").getpixel((3, 3))[3] == 0


@pytest.mark.parametrize(("lang", "name"), [("zh", "保存此图"), ("en", "Save figure")])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_menu_fits_a_phone_and_has_a_name(server, open_tab, lang, name, theme):
    tab = open_tab(f"{server}/heatmap?lang={lang}", width=390, height=844, theme=theme)
    assert tab.locator(MENU).first.inner_text().strip().startswith(name) or name in tab.locator(MENU).first.inner_text()
    content = open_menu(tab)
    box = content.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    code = content.locator("img")
    assert code.get_attribute("alt")
    assert code.bounding_box()["width"] >= 150
    tab.keyboard.press("Escape")
    settle(tab)
    assert content.count() == 0
    assert not tab.faults
