"""Altair made quick builds what Altair builds: every figure, and charts of kinds that no figure has."""

import re
from itertools import count

import altair as alt
import pandas as pd
import pytest

from pages.index import CONCEPTS
from pages.kit.quick_altair import CHANGES
from pages.kit.record import record
from pages.kit.spec import build
from pages.kit.text import LANGUAGES

ROWS = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})


@pytest.fixture
def as_altair_comes(monkeypatch):
    def restore():
        for owner, name, theirs, _ in CHANGES:
            monkeypatch.setattr(owner, name, theirs)

    return restore


def built(figures, lang):
    """Their specifications. Altair names a view after a hash of its parts, which we number instead."""
    numbers = {}
    number = count()

    def renamed(part):
        if isinstance(part, dict):
            return {key: renamed(value) for key, value in part.items()}
        if isinstance(part, list):
            return [renamed(value) for value in part]
        if isinstance(part, str) and re.match("view_[0-9a-f]{16}", part):
            return numbers.setdefault(part, f"view {next(number)}")
        return part

    return [
        renamed(build(figure.draw, figure.inputs, lang=lang, narrow=narrow))
        for figure in figures
        for narrow in (False, True)
    ]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("concept", [concept.folder for concept in CONCEPTS])
def test_figures_are_those_of_altair_as_it_comes(concept, lang, as_altair_comes):
    figures = record(concept, lang).figures
    quick = built(figures, lang)
    as_altair_comes()
    assert quick == built(figures, lang)
    assert quick


def test_a_copy_shares_nothing_that_can_be_changed():
    chart = alt.Chart(ROWS).mark_point().encode(x="a:Q", color=alt.value("red")).transform_filter("datum.a > 1")
    copied = chart.copy()
    copied.encoding.x.shorthand = "b:N"
    copied.transform.append(alt.FilterTransform("true"))
    assert chart.encoding.x.shorthand == "a:Q"
    assert len(chart.transform) == 1
    assert len(copied.transform) == 2


def test_the_schema_is_still_asked_when_asked_for():
    with pytest.raises(alt.utils.schemapi.SchemaValidationError, match="sideways"):
        alt.Chart(ROWS).mark_point(opacity="sideways").encode(x="a:Q").to_dict()
