"""A visitor saves the code for what is on screen, with the keyboard alone."""

from pathlib import Path

import nbformat
import pytest

from pages.kit import menu as offered
from tests.chromium import settle

SUFFIXES = {"py": offered.SCRIPT, "ipynb": offered.NOTEBOOK}


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_code_is_saved_at_the_settings_on_screen(server, open_tab, lang):
    tab = open_tab(f"{server}/rope?lang={lang}&m=17&head_dim=16")
    shown = tab.locator("[data-testid=stCode]").first.inner_text()
    assert "rotate(q, 17)" in shown
    menu = tab.get_by_role("button", name=offered.SAVE_CODE(lang)).first
    menu.focus()
    tab.keyboard.press("Enter")
    settle(tab)
    for suffix, label in SUFFIXES.items():
        with tab.expect_download() as saving:
            tab.get_by_role("button", name=label(lang)).press("Enter")
        saved = saving.value
        assert saved.suggested_filename == f"posenc_rope_numpy_{lang}.{suffix}"
        text = Path(saved.path()).read_text(encoding="utf-8")
        source = text if suffix == "py" else nbformat.reads(text, as_version=4).cells[1].source
        assert "rotate(q, 17)" in source
        assert f"/rope?lang={lang}&head_dim=16&m=17" in text
    assert tab.faults == []
