"""An error anywhere on a page is told kindly; the log has what is needed to find it, and nothing of the visitor."""

import logging

import pytest
import streamlit as st
from streamlit.util import calc_hash

from pages.kit import failure
from pages.kit.frame import Page
from pages.kit.text import prose
from pages.order import figures as order
from pages.rope import figures, snippets
from tests.pages.conftest import headings, visit

SECRET = "Hasenpfeffer"


@pytest.fixture
def log():
    """The entries that the server's log gets."""
    entries = []
    handler = logging.Handler()
    handler.emit = entries.append
    failure.LOG.addHandler(handler)
    yield entries
    failure.LOG.removeHandler(handler)


def boom(*given, **named):
    raise ArithmeticError("no such angle")


def quoting(*given, words=(), **named):
    raise LookupError(f"got {words!r} and {st.query_params.to_dict()}")


def told(app):
    return [warning.value for warning in app.warning]


def links(app):
    """Address and query of the links that follow the sentence."""
    labels = {label(lang) for label in (failure.AFRESH, failure.HOME) for lang in ("zh", "en")}
    return [(link.proto.page, link.proto.query_string) for link in app.get("page_link") if link.proto.label in labels]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_figure_that_fails_leaves_a_sentence_in_its_place_and_the_rest_as_it_is(monkeypatch, log, lang):
    whole = visit("rope", {"lang": lang, "m": "17", "base": "100"})
    monkeypatch.setattr(figures, "rotation", boom)
    app = visit("rope", {"lang": lang, "m": "17", "base": "100"})
    assert not app.exception
    assert told(app) == [failure.PART(lang)]
    assert links(app) == [("rope", f"lang={lang}"), ("", f"lang={lang}")]
    assert headings(app) == headings(whole)
    assert len(app.get("vega_lite_chart")) == len(whole.get("vega_lite_chart")) - 1
    assert [code.value for code in app.code] == [code.value for code in whole.code]
    assert dict(app.query_params) == dict(whole.query_params)


def test_the_log_has_page_settings_and_error(monkeypatch, log):
    monkeypatch.setattr(figures, "rotation", boom)
    visit("rope", {"lang": "en", "m": "17"})
    [record] = log
    first, *trace = record.getMessage().splitlines()
    assert record.levelno == logging.ERROR
    assert first.split()[:2] == ["page=rope", "lang=en"]
    assert {"m=17", "n=4", "head_dim=8", "pairing=half"} <= set(first.split())
    assert any("in boom" in line for line in trace)
    assert trace[-1] == "ArithmeticError: no such angle"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_part_that_fails_is_told_under_the_lead(monkeypatch, log, lang):
    monkeypatch.setattr(snippets, "numpy", boom)
    app = visit("rope", {"lang": lang})
    assert not app.exception
    assert told(app) == [failure.BELOW(lang)]
    kinds = [element.type for element in app.main if element.type in {"title", "warning", "subheader"}]
    assert kinds[:3] == ["title", "warning", "subheader"]
    assert len(app.get("vega_lite_chart")) == 2
    assert len(log) == 1


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_page_that_fails_says_so(monkeypatch, log, lang):
    monkeypatch.setattr(Page, "try_this", boom)
    app = visit("rope", {"lang": lang, "m": "17"})
    assert not app.exception
    assert [title.value for title in app.title] == [prose("rope", lang)["title"]]
    assert told(app) == [failure.PAGE(lang)]
    assert links(app) == [("rope", f"lang={lang}"), ("", f"lang={lang}")]
    assert log[0].getMessage().startswith("page=rope ")


def test_a_rerun_of_a_part_that_fails_says_so_too(monkeypatch, log):
    app = visit("rope", {"lang": "en"})
    assert told(app) == []
    monkeypatch.setattr(figures, "decay", boom)
    slider = next(slider for slider in app.slider if slider.key.startswith("peak."))
    slider.set_value(100).run()
    assert not app.exception
    assert told(app) == [failure.PART("en")]
    assert "peak=100" in log[0].getMessage()
    monkeypatch.undo()
    app.run()
    assert told(app) == []


def test_an_answer_that_fails_says_so(monkeypatch, log):
    app = visit("rope", {"lang": "en"})
    monkeypatch.setattr(st, "info", boom)
    question = next(group for group in app.button_group if group.key and ".question." in group.key)
    question.select(question.options[0]).run()
    assert not app.exception
    assert told(app) == [failure.PART("en")]
    assert "ArithmeticError" in log[0].getMessage()


@pytest.mark.parametrize(
    "address",
    [
        {"words": f"{SECRET} bites"},
        {"words": SECRET * 9},
        {SECRET: "1"},
        {"layers": SECRET},
        {"lang": SECRET},
        {"causal": [SECRET, "on"]},
        {"causal": ["on", SECRET]},
    ],
)
@pytest.mark.parametrize(("owner", "name"), [(order, "equivariance"), (Page, "stage"), (Page, "head"), (Page, "code")])
def test_nothing_that_a_visitor_wrote_is_in_the_log(monkeypatch, log, address, owner, name):
    monkeypatch.setattr(owner, name, quoting)
    app = visit("order", {"lang": "en", **address})
    assert not app.exception
    assert len(log) == 1
    said = log[0].getMessage()
    assert "LookupError" in said
    assert SECRET[:6].lower() not in said.lower()


def test_a_sentence_counts_by_its_length(monkeypatch, log):
    monkeypatch.setattr(order, "equivariance", boom)
    visit("order", {"lang": "zh", "words": "我 爱 你"})
    assert " words=<5 characters>" in log[0].getMessage()
    assert "爱" not in log[0].getMessage()


def test_what_a_visitor_typed_on_another_page_is_not_in_the_log_either(monkeypatch, log):
    app = visit("order", {"lang": "en", "words": SECRET})
    assert app.session_state["session"].values["words"] == SECRET
    monkeypatch.setattr(figures, "rotation", boom)
    app._page_hash = calc_hash("rope")
    app.run()
    assert told(app) == [failure.PART("en")]
    assert "its message may quote the visitor" in log[0].getMessage()


def test_the_causes_of_an_error_are_in_the_log(monkeypatch, log):
    def chained(**named):
        try:
            boom()
        except ArithmeticError as error:
            raise KeyError("angle") from error

    monkeypatch.setattr(figures, "rotation", chained)
    visit("rope", {"lang": "en"})
    said = log[0].getMessage()
    assert said.index("ArithmeticError: no such angle") < said.index("KeyError: 'angle'")


def test_stopping_a_script_is_no_error(monkeypatch, log):
    monkeypatch.setattr(figures, "rotation", lambda **named: st.stop())
    app = visit("rope", {"lang": "en"})
    assert not app.exception
    assert told(app) == []
    assert log == []


def test_after_a_failure_the_address_stays_and_the_way_on_forgets_the_settings(monkeypatch, log):
    app = visit("rope", {"lang": "en", "m": "17", "base": "100"})
    monkeypatch.setattr(Page, "stage", boom)
    app.run()
    assert dict(app.query_params) == {"lang": "en", "m": "17", "base": "100"}
    monkeypatch.undo()
    for name in ("m", "base"):
        del app.query_params[name]
    app.run()
    assert dict(app.query_params) == {"lang": "en"}
    assert app.session_state["session"].shown["m"] == figures.M.default
    assert app.session_state["session"].shown["base"] == 10_000
