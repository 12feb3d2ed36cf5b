"""A page noted down is the page that a visitor sees."""

import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import altair as alt
import pandas as pd
import pytest

from pages.index import CONCEPTS
from pages.kit.frame import Page
from pages.kit.record import Recorder, record
from pages.kit.settings import Choice, Whole
from pages.kit.spec import build, spec
from pages.kit.text import LANGUAGES
from tests.pages.conftest import visit

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = [concept.folder for concept in CONCEPTS]
FOR_SCRIPTS_ONLY = {"head", "tell_refused"}
"""What the frame itself calls."""


def methods(kind):
    return {
        name: list(inspect.signature(method).parameters)
        for name, method in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_")
    }


def changed(setting, value):
    """Other values that the setting may have."""
    if isinstance(setting, Choice):
        return [option for option in setting.options if option != value]
    if isinstance(setting, Whole):
        return [number for number in (setting.minimum, setting.maximum) if number != value]
    return ["a b c d"]


def looks(folder, name, written):
    """Everything that a figure is drawn from, at a state."""
    (figure,) = (one for one in record(folder, "en", written, is_strict=False).figures if one.name == name)
    built = figure.spec()
    return {**built, "datasets": sorted(built.get("datasets", {}).items())}


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_figure_depends_on_every_setting_that_its_caption_names(folder):
    for figure in record(folder, "en").figures:
        before = looks(folder, figure.name, {})
        for name, (setting, value) in figure.settings.items():
            others = (looks(folder, figure.name, {name: str(other)}) for other in changed(setting, value))
            assert any(other != before for other in others), f"{figure.name} looks the same whatever {name} is"


def test_recorder_takes_what_a_page_on_screen_takes():
    on_screen = {name: taken for name, taken in methods(Page).items() if name not in FOR_SCRIPTS_ONLY}
    assert methods(Recorder) == on_screen


def plain(given):
    """How a specification looks: without its tables, and without the names that Altair and Streamlit give views."""
    looks = {name: part for name, part in given.items() if name != "datasets"}
    return re.sub(r"\b(view|param)_?[0-9a-f]+(_\d+)?\b", "", json.dumps(looks, sort_keys=True))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("folder", FOLDERS)
def test_recorded_figures_are_those_on_screen(folder, lang):
    app = visit(folder, {"lang": lang})
    shown = [json.loads(chart.proto.spec) for chart in app.get("vega_lite_chart")]
    for figure in record(folder, lang).figures:
        assert plain(figure.spec()) in [plain(chart) for chart in shown], figure.name


@pytest.mark.parametrize("folder", FOLDERS)
def test_recorded_settings_are_those_in_force(folder):
    on_screen = visit(folder, {"lang": "en"}).session_state["session"].shown
    noted = {name: value for name, (_, value) in record(folder, "en").settings.items()}
    assert noted == {name: value for name, value in on_screen.items() if name != "lang"}


def test_recording_takes_the_values_that_an_address_has():
    recorded = record("rope", "en", {"m": "17", "pairing": "interleaved", "of_another_page": "x"})
    assert recorded.main.handles == {"m": 17, "n": 4}
    assert recorded.main.settings["pairing"][1] == "interleaved"


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ({"m": "65"}, "m must be a whole number from 0 to 64, got '65'"),
        ({"pairing": "halves"}, "pairing must be one of interleaved, half, got 'halves'"),
    ],
)
def test_a_value_that_a_setting_cannot_have_is_refused(written, message):
    with pytest.raises(ValueError, match=message):
        record("rope", "en", written)
    assert record("rope", "en", written, is_strict=False).main.settings["m"][1] in (9, 64)


def test_recording_needs_no_streamlit():
    script = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n" + (
        "from pages.index import CONCEPTS\n"
        "from pages.kit.record import record\n"
        "for concept in CONCEPTS: [figure.spec() for figure in record(concept.folder, 'zh').figures]\n"
        "print('streamlit' in sys.modules)"
    )
    assert (
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "False\n"
    )


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_figure_keeps_to_the_schema_of_vega_lite(folder):
    """Building leaves that out for speed."""
    for figure in record(folder, "zh").figures:
        for narrow in (False, True):
            checked = build(figure.draw, figure.inputs, lang="zh", narrow=narrow, validate=True)
            assert plain(checked) == plain(spec(figure.draw, figure.inputs, lang="zh", narrow=narrow))


def test_a_figure_that_breaks_the_schema_is_found():
    def broken(*, lang, narrow):
        return alt.Chart(pd.DataFrame({"x": [1]})).mark_point().encode(x=alt.X("x:Q", axis={"titleFontSize": "large"}))

    assert build(broken, {}, lang="zh", narrow=False)
    with pytest.raises(alt.utils.schemapi.SchemaValidationError, match="titleFontSize"):
        build(broken, {}, lang="zh", narrow=False, validate=True)
