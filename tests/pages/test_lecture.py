"""A lecture shows a page's claim and its live figure, and steps through its states; the address holds where it is."""

import inspect
import json
from urllib.parse import parse_qsl

import pytest

from pages.index import CONCEPTS
from pages.kit.frame import Page
from pages.kit.lecture import Lecture, states
from pages.kit.lecture_style import LARGER, LARGER_MARKS, SHAPE, enlarged
from pages.kit.record import record
from pages.kit.spec import chart
from pages.kit.text import LANGUAGES, prose
from tests.pages.conftest import headings, visit

FOLDERS = [concept.folder for concept in CONCEPTS]
NOT_SHOWN = ("slider", "select_slider", "number_input", "text_input", "code", "tab", "subheader", "info", "success")
STATES = [(folder, step) for folder in FOLDERS for step in range(len(states(folder)))]
LEAVE = {"zh": "退出", "en": "Leave"}
BACK, ONWARD = ({"zh": "上一步", "en": "Back"}, {"zh": "下一步", "en": "Next"})


def lecture(folder, lang="en", **written):
    return visit(folder, {"lang": lang, "mode": "lecture", **written})


def link(app, label):
    """The page that the link leads to, and the address there."""
    (found,) = (link.proto for link in app.get("page_link") if link.proto.label == label)
    return found.page or FOLDERS[0], dict(parse_qsl(found.query_string))


def address(app):
    """What the address says, a value a name."""
    return {name: value if isinstance(value, str) else value[0] for name, value in app.query_params.items()}


def spoken(app):
    return [element.value for element in app.markdown if element.value and not element.value.startswith("<style>")]


def handles(app):
    """Where the handles of the figure start."""
    (chart,) = app.get("vega_lite_chart")
    params = json.loads(chart.proto.spec)["params"]
    return {p["name"]: p["value"][0][p["name"]] for p in params if "bind" in p}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("folder", FOLDERS)
def test_lecture_shows_the_claim_the_figure_and_the_way_on_and_no_more(folder, lang):
    app = lecture(folder, lang)
    assert not app.exception
    assert [title.value for title in app.title] == [prose(folder, lang)["title"]]
    assert len(app.get("vega_lite_chart")) == 1
    assert [kind for kind in NOT_SHOWN if app.get(kind)] == []
    assert spoken(app) == [f"1 / {len(states(folder))}"]
    assert len(app.caption) <= 1
    assert [button.label for button in app.button] == [LEAVE[lang]]
    assert [found.proto.label for found in app.get("page_link")] == [BACK[lang], ONWARD[lang]]


@pytest.mark.parametrize("folder", FOLDERS)
def test_figure_of_a_lecture_is_the_live_figure_of_the_page(folder):
    (chart,) = lecture(folder).get("vega_lite_chart")
    main = record(folder, "en").main
    assert chart.proto.alt == main.alt("en")
    assert handles(lecture(folder)) == main.handles


@pytest.mark.parametrize("lang", LANGUAGES)
def test_steps_lead_through_every_state_of_every_page_and_round(lang):
    first = FOLDERS[0], {"lang": lang, "mode": "lecture"}
    here, before, seen = first, None, []
    for _ in STATES:
        app, (folder, written) = visit(*here), here
        step = int(written.get("step", 0))
        seen.append((folder, step))
        label, state = states(folder)[step]
        assert spoken(app) == [*([label(lang)] if step else []), f"{step + 1} / {len(states(folder))}"]
        shown = app.session_state["session"].shown
        assert {name: shown[name] for name in state} == dict(state)
        assert before in (None, link(app, BACK[lang]))
        before, here = here, link(app, ONWARD[lang])
    assert seen == STATES
    assert here == first
    assert link(visit(*first), BACK[lang]) == before


@pytest.mark.parametrize(("folder", "step"), [state for state in STATES if state[1]])
def test_address_of_a_step_is_its_state(folder, step):
    state = {name: str(value) for name, value in states(folder)[step][1].items()}
    app = lecture(folder, **{"step": str(step), **state})
    written = address(app)
    defaults = {name: str(value) for name, (_, value) in record(folder, "en").settings.items()}
    changed = {name: value for name, value in state.items() if defaults.get(name) != value}
    assert written == {"lang": "en", "mode": "lecture", "step": str(step), **changed}
    assert {name: str(value) for name, value in handles(app).items() if name in state}.items() <= state.items()


def test_settings_without_a_widget_keep_their_values():
    app = lecture("layouts", num_heads="2", head_dim="16")
    assert address(app) == {"lang": "en", "mode": "lecture", "num_heads": "2", "head_dim": "16"}


@pytest.mark.parametrize("written", ["lectures", "", "LECTURE", "page"])
def test_another_mode_is_the_page(written):
    app = visit("rope", {"lang": "en", "mode": written})
    assert len(headings(app)) > 3
    assert address(app) == {"lang": "en"}
    assert bool(app.info) == (written != "page")


@pytest.mark.parametrize("written", ["99", "-1", "x"])
def test_a_step_that_is_not_there_falls_back_and_says_so(written):
    app = lecture("rope", step=written)
    assert not app.exception
    assert app.info[0].value.startswith("The link’s step = ")


def test_a_step_is_the_same_whatever_was_set_before():
    app = visit("rope", {"lang": "en", "base": "100", "pair": "3"})
    for name in ("base", "pair"):
        del app.query_params[name]
    app.query_params["mode"] = "lecture"
    app.run()
    assert {name: app.session_state["session"].shown[name] for name in ("base", "pair")} == {"base": 10_000, "pair": 1}


def press(app, label):
    next(button for button in app.button if button.label == label).click().run()


def test_lecture_is_entered_and_left_at_the_settings_on_screen():
    app = visit("rope", {"lang": "en", "m": "17", "pairing": "interleaved"})
    press(app, "Lecture mode")
    assert address(app) == {"lang": "en", "m": "17", "pairing": "interleaved", "mode": "lecture"}
    assert handles(app) == {"m": 17, "n": 4}
    press(app, "Leave")
    assert address(app) == {"lang": "en", "m": "17", "pairing": "interleaved"}
    assert len(headings(app)) > 3
    press(app, "Lecture mode")
    assert len(headings(app)) == 0


def test_mode_and_step_survive_the_language_switch():
    app = lecture("rope", step="1", m="19", n="14")
    switch = next(group for group in app.button_group if group.key.startswith("lang."))
    switch.set_value("zh").run()
    assert [title.value for title in app.title] == [prose("rope", "zh")["title"]]
    assert address(app) == {"lang": "zh", "mode": "lecture", "step": "1", "m": "19", "n": "14"}
    assert spoken(app) == [states("rope")[1][0]("zh"), "2 / 4"]


def test_lecture_takes_what_a_page_takes():
    def methods(kind):
        found = inspect.getmembers(kind, inspect.isfunction)
        return {name: list(inspect.signature(method).parameters) for name, method in found if name[0] != "_"}

    assert {name: taken for name, taken in methods(Lecture).items() if methods(Page).get(name) != taken} == {}


@pytest.mark.parametrize("folder", FOLDERS)
def test_enlarged_figure_is_the_same_with_larger_type_at_a_fixed_size(folder):
    built = record(folder, "en").main.spec()
    before = json.dumps({name: part for name, part in built.items() if name != "datasets"})
    large = enlarged(built)
    assert json.dumps({name: part for name, part in built.items() if name != "datasets"}) == before, "shared, so kept"
    assert large["config"]["axis"]["labelFontSize"] == pytest.approx(built["config"]["axis"]["labelFontSize"] * LARGER)
    assert large["config"]["text"]["fontSize"] == pytest.approx(built["config"]["text"]["fontSize"] * LARGER_MARKS)
    assert large.get("datasets") is built.get("datasets")
    if "height" in built:
        assert large["width"] == round(SHAPE * built["height"])
    assert without_type(large) == without_type(built)


@pytest.mark.parametrize("folder", ["heatmap", "rope_attention"])
def test_a_figure_with_a_form_for_afar_is_drawn_in_it(folder):
    main = record(folder, "en").main
    near, far = (
        sizes(chart(main.draw, {**main.inputs, **more}, lang="en").to_dict(validate=False))
        for more in ({}, {"afar": True})
    )
    assert near != far
    for mode, expected in (("page", near), ("lecture", far)):
        shown = visit(folder, {"lang": "en", "mode": mode}).get("vega_lite_chart")[0]
        assert sizes(json.loads(shown.proto.spec)) == expected


def sizes(part):
    """Width and height of every view."""
    views = part if isinstance(part, list) else part.values() if isinstance(part, dict) else ()
    within = [size for view in views for size in sizes(view)]
    own = (part.get("width"), part.get("height")) if isinstance(part, dict) else ()
    return [*within, own] if all(isinstance(side, int | float) for side in own) and own else within


def without_type(part):
    """A specification but for what a lecture changes."""
    if isinstance(part, list):
        return [without_type(entry) for entry in part]
    if not isinstance(part, dict):
        return part
    changed = ("autosize", "datasets", "config") + (("width",) if "autosize" in part else ())
    kept = {
        name: entry for name, entry in part.items() if name not in changed and not name.lower().endswith("fontsize")
    }
    return {name: without_type(entry) for name, entry in kept.items()}
