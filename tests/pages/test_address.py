"""The address holds the state; whatever else it holds can do no harm."""

import functools
import re

import pytest

from pages.index import CONCEPTS, TOOLS
from pages.kit.settings import Choice, Whole, Words
from pages.kit.subset import Subset
from tests.pages.conftest import visit as first_visit

FOLDERS = [concept.folder for concept in (*CONCEPTS, *TOOLS)]
# Texts that say nothing of the kind that a setting has are in test_fuzz.py, many more of them.
HOSTILE = {
    "empty": "",
    "negative": "-5",
    "ten digits": "9999999999",
    "very long": "9" * 5_000,
    "markup": "<script>alert(1)</script>",
    "repeated": ["8", "64", "abc"],
    "Markdown": "**`a`** $x$ [b](javascript:alert(1))",
}


def settings_of(app):
    return {name: setting for name, setting in app.session_state["session"].settings.items() if name != "lang"}


@functools.cache
def settings_in(folder):
    """The settings of the page as a first visitor finds them."""
    return settings_of(first_visit(folder, {"lang": "en"}))


def assert_in_range(app):
    """Every setting has a value that its rule allows, and every widget shows the value in force."""
    session = app.session_state["session"]
    for name, setting in session.settings.items():
        assert setting.allowed(session.shown[name]) == session.shown[name], name
    for kind in ("slider", "select_slider", "number_input"):
        for widget in app.get(kind):
            name = widget.key.split(".")[0]
            assert widget.value == session.shown[name], name


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("folder", FOLDERS)
def test_hostile_values_of_every_setting_do_no_harm(visit, folder, text):
    names = settings_in(folder)
    app = visit(folder, {"lang": "en", **dict.fromkeys(names, text)})
    assert not app.exception
    assert_in_range(app)
    for note in app.info:  # outside of Markdown's code quotes nothing of a visitor's text is left
        assert not re.search(r"[<$*\[]", re.sub(r"``.*?``", "", note.value))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_language_falls_back(visit, text):
    app = visit("rope", {"lang": text})
    assert not app.exception
    assert app.query_params["lang"] in {"zh", "en"}


@pytest.mark.parametrize("folder", FOLDERS[1:])
def test_a_value_that_cannot_be_used_is_named(visit, folder):
    name = next(iter(settings_in(folder)))
    notes = [note.value for note in visit(folder, {"lang": "en", name: "abc"}).info]
    assert [note for note in notes if name in note and "abc" in note]


def ends(setting: Choice | Whole | Words | Subset) -> list:
    if isinstance(setting, Subset):
        return ["none", setting.groups[0][0]]
    if isinstance(setting, Words):
        longest = ("w" * setting.longest_word + " ") * setting.most
        return ["a", setting.allowed(longest), setting.allowed("a " * setting.most)]
    return (
        [setting.minimum, setting.maximum] if isinstance(setting, Whole) else [setting.options[0], setting.options[-1]]
    )


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_setting_can_be_linked_to_at_its_ends(visit, folder):
    for name, setting in settings_in(folder).items():
        for value in ends(setting):
            app = visit(folder, {"lang": "en", name: str(value)})
            assert not app.exception, (name, value)
            assert_in_range(app)
            assert app.session_state["session"].shown[name] == value
            if value != setting.default:
                assert app.query_params[name] == str(value)


@pytest.mark.parametrize("end", [0, 1], ids=["least", "most"])
@pytest.mark.parametrize("folder", FOLDERS)
def test_all_settings_work_at_their_ends_together(visit, folder, end):
    names = settings_in(folder)
    app = visit(folder, {"lang": "en", **{name: str(ends(setting)[end]) for name, setting in names.items()}})
    assert not app.exception
    assert_in_range(app)


DEPENDENT = [
    ("rope", "head_dim", "rotary"),
    ("rope", "head_dim", "pair"),
    ("rope", "rotary", "pair"),
    ("heatmap", "n_positions", "position"),
    ("heatmap", "d_model", "dimension"),
    ("shift_matrix", "width", "block"),
    ("learned_table", "rows", "n_tokens"),
    ("order", "words", "shuffle"),
]


@pytest.mark.parametrize(("folder", "one", "other"), DEPENDENT)
def test_settings_that_depend_on_each_other_agree_at_every_end(visit, folder, one, other):
    for outer in ends(settings_in(folder)[one]):
        inner = settings_of(visit(folder, {"lang": "en", one: str(outer)}))[other]
        for value in [*ends(inner), 10**6]:
            app = visit(folder, {"lang": "en", one: str(outer), other: str(value)})
            assert not app.exception, (outer, value)
            assert_in_range(app)
            assert app.session_state["session"].shown[one] == outer


def test_a_control_moved_out_of_range_by_another_shows_the_value_used(visit):
    app = visit("rope", {"lang": "en", "head_dim": "64", "pair": "31"})
    app.select_slider(key=key_of(app.select_slider, "head_dim")).set_value(4).run()
    assert not app.exception
    assert app.slider(key=key_of(app.slider, "pair")).value == 1
    assert_in_range(app)


def test_a_value_that_another_setting_cut_short_comes_back(visit):
    app = visit("rope", {"lang": "en", "head_dim": "64", "pair": "31"})
    for head_dim, pair in ((4, 1), (64, 31)):
        app.select_slider(key=key_of(app.select_slider, "head_dim")).set_value(head_dim).run()
        assert app.slider(key=key_of(app.slider, "pair")).value == pair
        assert_in_range(app)


def key_of(widgets, name):
    return next(widget.key for widget in widgets if widget.key.split(".")[0] == name)


def test_switching_the_language_keeps_every_setting(visit):
    state = {
        "head_dim": "64",
        "base": "100",
        "pairing": "interleaved",
        "rotary": "half",
        "pair": "5",
        "m": "30",
        "n": "2",
        "peak": "7",
    }
    app = visit("rope", {"lang": "zh", **state})
    app.button_group(key=key_of(app.button_group, "lang")).select("en").run()
    assert not app.exception
    assert {name: app.query_params[name] for name in state} == state
    assert app.query_params["lang"] == "en"
    assert_in_range(app)


def test_a_setting_survives_leaving_the_page_and_coming_back(visit):
    app = visit("rope", {"lang": "en"})
    app.select_slider(key=key_of(app.select_slider, "base")).set_value(100).run()
    app.slider(key=key_of(app.slider, "pair")).set_value(3).run()
    app.switch_page("home/page.py").run()
    assert app.query_params["lang"] == "en"
    assert "base" not in app.query_params
    app.switch_page("rope/page.py").run()
    assert (app.query_params["base"], app.query_params["pair"]) == ("100", "3")
    assert_in_range(app)


def test_a_shared_setting_is_the_same_on_the_next_page(visit):
    app = visit("heatmap", {"lang": "en"})
    app.select_slider(key=key_of(app.select_slider, "d_model")).set_value(16).run()
    app.switch_page("distance/page.py").run()
    assert app.session_state["session"].shown["d_model"] == 16
    assert_in_range(app)


def test_a_control_moved_once_is_in_the_address_at_once(visit):
    app = visit("rope", {"lang": "en"})
    app.select_slider(key=key_of(app.select_slider, "head_dim")).set_value(32).run()
    assert app.query_params["head_dim"] == "32"
    again = visit("rope", {name: app.query_params[name] for name in app.query_params})
    assert [caption.value for caption in again.caption] == [caption.value for caption in app.caption]


def test_the_address_leaves_out_what_is_at_its_default(visit):
    assert dict(visit("rope", {"lang": "en", "m": "9", "unknown": "1"}).query_params) == {"lang": "en"}
