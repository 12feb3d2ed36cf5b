"""No visitor reaches another: neither through what is drawn in turn, nor through results that pages share."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from pages.index import CONCEPTS
from pages.kit.cache import RESULTS
from pages.kit.settings import Choice
from pages.kit.spec import SPECS
from tests.pages.conftest import visit

TWO = {
    "rope": ({"lang": "zh", "m": "17", "base": "100"}, {"lang": "en", "m": "3", "head_dim": "64", "pair": "2"}),
    "order": ({"lang": "en", "words": "my own words"}, {"lang": "zh", "positions": "rope", "causal": "on"}),
    "heatmap": ({"lang": "en", "d_model": "16"}, {"lang": "zh", "layout": "concatenated", "base": "100"}),
    "distance": ({"lang": "zh", "d_model": "8"}, {"lang": "en", "d_model": "512"}),
}


def shown(app):
    """All that the page says and draws: texts, code, values of widgets, address, and each figure's specification."""
    texts = [element.value for kind in ("title", "markdown", "caption", "code", "info") for element in app.get(kind)]
    widgets = [widget.value for kind in ("slider", "select_slider", "number_input") for widget in app.get(kind)]
    charts = [(chart.proto.spec, tables(chart.proto)) for chart in app.get("vega_lite_chart")]
    return texts, widgets, charts, dict(app.query_params)


def tables(chart):
    digests = [hashlib.sha256(table.data.data).hexdigest() for table in chart.datasets]
    return [*digests, hashlib.sha256(chart.data.data).hexdigest()]


def move(app, step):
    """Write another sentence or, where there is no field for one, move the next slider to another place."""
    if app.text_input:
        app.text_input[0].set_value(f"{app.text_input[0].value} {step}".strip()).run()
    else:
        sliders = [*app.select_slider, *app.slider]
        slider = sliders[step % len(sliders)]
        setting = app.session_state["session"].settings[slider.key.split(".")[0]]
        options = setting.options if isinstance(setting, Choice) else range(setting.minimum, setting.maximum + 1)
        slider.set_value(options[(step * 5 + 1) % len(options)]).run()
    assert not app.exception
    return shown(app)


@pytest.mark.parametrize("folder", TWO)
def test_visitors_who_move_in_turn_see_what_each_would_see_alone(folder):
    alone = []
    for address in TWO[folder]:
        app = visit(folder, address)
        alone.append([shown(app), *(move(app, step) for step in range(3))])
    together = [visit(folder, address) for address in TWO[folder]]
    seen = [[shown(app)] for app in together]
    for step in range(3):
        for app, views in zip(together, seen, strict=True):
            views.append(move(app, step))
    assert seen == alone
    assert alone[0] != alone[1]


def can_be_changed(result, path="") -> Iterator[str]:
    """Where in a result a visitor's run could write, so that another visitor would see it."""
    if result is None or isinstance(result, str | bytes | int | float | complex | bool | range | np.generic):
        return
    if isinstance(result, np.ndarray):
        if result.flags.writeable:
            yield f"{path} is a writable array"
    elif isinstance(result, tuple | list):
        for index, entry in enumerate(result):
            yield from can_be_changed(entry, f"{path}[{index}]")
    elif isinstance(result, dict):
        for key, entry in result.items():
            yield from can_be_changed(entry, f"{path}[{key!r}]")
    elif is_dataclass(result):
        for field in fields(result):
            yield from can_be_changed(getattr(result, field.name), f"{path}.{field.name}")
    elif isinstance(result, Exception):  # one that a page shows
        yield from can_be_changed((*result.args, *vars(result).values()), path)
    else:
        yield f"{path} is a {type(result).__name__}, of which nothing is known"


def test_no_array_that_the_pages_share_can_be_written_to():
    for concept in CONCEPTS:
        visit(concept.folder, {"lang": "en"})
    kept = {key: result for key, (result, _) in RESULTS._results.items()}
    assert len(kept) > 20
    for key, result in kept.items():
        assert list(can_be_changed(result, key.function.__name__)) == []


@pytest.mark.parametrize(
    ("result", "found"),
    [(np.zeros(2), 1), ({"a": [(np.zeros(2),)]}, 1), ((1, "a", None, np.float64(1)), 0), ({1, 2}, 1)],
)
def test_what_could_be_written_to_is_found(result, found):
    assert len(list(can_be_changed(result))) == found


def test_drawing_for_others_leaves_the_shared_specifications_as_they_are():
    def written():
        return {key: json.dumps(spec, default=bytes.hex) for key, (spec, _) in SPECS._results.items()}

    for folder, addresses in TWO.items():
        app = visit(folder, addresses[0])
        before = written()
        move(app, 1)
        visit(folder, addresses[1])
        after = written()
        same = before.keys() & after.keys()
        assert same
        assert {key: after[key] for key in same} == {key: before[key] for key in same}
