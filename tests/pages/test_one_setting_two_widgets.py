"""A setting may have a field and a handle in a figure: whichever moves last, both show its value."""

from types import SimpleNamespace

import pytest

from pages.kit import session as module
from pages.kit.session import Session
from pages.kit.settings import Whole
from pages.kit.text import Label

POSITION = Whole("position", Label(zh="位置", en="position"), 0, 63, 17)
FIELD, FIGURE = "position.en.1", "heatmap.table.1"


class Address(dict):
    def get_all(self, name):
        return [self[name]]

    def from_dict(self, values):
        self.clear()
        self.update(values)


@pytest.fixture(name="browser")
def _browser(monkeypatch):
    """What widgets hold, by their keys, with no server."""
    fake = SimpleNamespace(session_state={}, query_params=Address())
    monkeypatch.setattr(module, "st", fake)
    return fake.session_state


def rerun(browser):
    """One run of a page that has both widgets: their keys, and the value in force."""
    session = Session()
    value = session.value(POSITION)
    field, figure = session.key(FIELD, "position"), session.key(FIGURE, "position")
    browser.setdefault(field, value)
    session.watch(field, value, lambda moved: {"position": moved}, widget=FIELD)
    session.watch(figure, browser.get(figure), lambda moved: {"position": moved}, widget=FIGURE)
    session.write_address()
    return field, figure, value


def test_a_field_that_moves_makes_the_figure_start_anew(browser):
    field, figure, _ = rerun(browser)
    browser[field] = 40
    assert rerun(browser) == (field, f"{figure}.1", 40)
    assert rerun(browser) == (field, f"{figure}.1", 40)


def test_a_handle_that_moves_makes_the_field_start_anew_and_not_the_figure(browser):
    field, figure, _ = rerun(browser)
    browser[figure] = 3
    assert rerun(browser) == (f"{field}.1", figure, 3)
    browser[figure] = 4
    assert rerun(browser) == (f"{field}.2", figure, 4)


def test_whichever_moves_last_counts(browser):
    field, figure, _ = rerun(browser)
    browser[figure] = 3
    field, figure, _ = rerun(browser)
    browser[field] = 50
    field, figure, value = rerun(browser)
    assert (figure, value) == (f"{FIGURE}.1", 50)
    browser[figure] = 9
    field, figure, value = rerun(browser)
    assert (field, figure, value) == (f"{FIELD}.2", f"{FIGURE}.1", 9)


def test_widgets_of_their_own_settings_keep_their_keys(browser):
    field, _, _ = rerun(browser)
    browser[field] = 40
    rerun(browser)
    assert Session().key("base.en.1", "base") == "base.en.1"
