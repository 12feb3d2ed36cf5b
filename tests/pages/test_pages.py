"""Every page in both languages, through the entry script, as a first visitor sees it."""

import functools
import json
import re

import pytest

from pages.index import CONCEPTS, TOOLS
from pages.kit.text import LANGUAGES, prose
from tests.pages.conftest import headings, visit

FOLDERS = [concept.folder for concept in CONCEPTS]
EVERY = [*FOLDERS, *(tool.folder for tool in TOOLS)]
CHINESE = re.compile(r"[\u4e00-\u9fff]")
CONTROL = re.compile(r"[\x07\x08\x0b\x0c\r\t]")


@functools.cache
def seen(folder, lang):
    """The page as a first visitor finds it, to be looked at and left as it is."""
    return visit(folder, {"lang": lang})


def texts(app):
    """All that the page says, except the switch that names both languages."""
    said = [
        element.value for kind in ("title", "subheader", "markdown", "caption", "info") for element in app.get(kind)
    ]
    labels = [widget.label for kind in ("slider", "select_slider", "number_input") for widget in app.get(kind)]
    return [text for text in said + labels if text and not text.startswith("<style>")]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("folder", EVERY)
def test_page_opens_in_its_language(folder, lang):
    app = seen(folder, lang)
    assert not app.exception
    assert [title.value for title in app.title] == [prose(folder, lang)["title"]]
    assert app.query_params["lang"] == lang
    assert not app.error
    if lang == "en":
        assert [text for text in texts(app) if CHINESE.search(text.replace("中文", ""))] == []
    else:
        assert all(CHINESE.search(heading) for heading in headings(app))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("folder", FOLDERS)
def test_every_figure_has_an_alt_text_in_the_language(folder, lang):
    charts = seen(folder, lang).get("vega_lite_chart")
    assert charts
    for chart in charts:
        assert len(chart.proto.alt) > 15
        assert bool(CHINESE.search(chart.proto.alt)) == (lang == "zh")


def made_from_itself(transforms):
    """The fields that a chain of calculations makes out of themselves, directly or through others.

    Vega keeps the rows between two movements of a handle, so such a field would add up while the hand moves.
    """
    needs, found = {}, []
    for step in (step for step in transforms if "calculate" in step):
        used = set(re.findall(r"datum\.(\w+)", step["calculate"]))
        needs[step["as"]] = used.union(*(needs.get(field, set()) for field in used))
        if step["as"] in needs[step["as"]]:
            found.append(step["as"])
    return found


def chains(view):
    """Every list of transforms in a specification."""
    if isinstance(view, dict):
        yield view.get("transform", [])
    for part in view.values() if isinstance(view, dict) else view if isinstance(view, list) else ():
        yield from chains(part)


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_figure_makes_a_field_out_of_itself(folder):
    for chart in seen(folder, "en").get("vega_lite_chart"):
        assert [
            made_from_itself(chain) for chain in chains(json.loads(chart.proto.spec)) if made_from_itself(chain)
        ] == []


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        ([("top", "datum.top + 1")], ["top"]),
        ([("x", "datum.sin * 2"), ("sin", "datum.x")], ["sin"]),
        ([("above", "datum.top + 1"), ("below", "datum.above + 1")], []),
    ],
)
def test_a_field_made_out_of_itself_is_found(steps, found):
    assert made_from_itself([{"as": name, "calculate": expression} for name, expression in steps]) == found


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("folder", EVERY)
def test_no_escape_has_turned_into_a_control_character(folder, lang):
    for text in texts(seen(folder, lang)):
        assert not CONTROL.search(text), text
        assert text.count("$") % 2 == 0, text


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("folder", EVERY)
def test_nothing_is_said_twice(folder, lang):
    said = "\n".join(text for text in texts(seen(folder, lang)))
    told = {name: said.count(body) for name, body in prose(folder, lang).items() if len(body) > 24 and name != "title"}
    assert {name: times for name, times in told.items() if times > 1} == {}
    assert told["lead"] == 1


@pytest.mark.parametrize("folder", FOLDERS[1:])
def test_page_has_every_part(folder):
    from pages.kit import frame

    for part in (frame.TRY, frame.WHY, frame.WRONG, frame.PREDICT, frame.CODE, frame.SOURCES):
        assert part("en") in headings(seen(folder, "en"))


@pytest.mark.parametrize("folder", FOLDERS[1:])
def test_page_states_a_residual_that_holds(folder):
    captions = [caption.value for caption in seen(folder, "en").caption]
    checked = [caption for caption in captions if ":material/check_circle:" in caption]
    assert checked
    assert not [caption for caption in captions if ":material/error:" in caption]


@pytest.mark.parametrize("folder", FOLDERS[1:])
def test_prediction_is_answered_only_after_a_choice(folder):
    answer = prose(folder, "en")["answer"]
    app = visit(folder, {"lang": "en"})
    shown = [element.value for kind in ("success", "info") for element in app.get(kind)]
    assert answer not in shown
    question = next(group for group in app.button_group if group.key and ".question." in group.key)
    question.select(question.options[0]).run()
    assert not app.exception
    assert answer in [element.value for kind in ("success", "info") for element in app.get(kind)]
