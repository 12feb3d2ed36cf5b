"""The distance page draws posenc's numbers, moves through every start, and shows code that prints the same numbers."""

import io
import json
import runpy

import altair as alt
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import posenc
from pages.distance import figures, snippets
from pages.kit.settings import BASE, D_MODEL
from pages.kit.spec import spec
from pages.kit.text import LANGUAGES
from pages.kit.theme import NARROW
from posenc import lessons

POSITIONS = np.arange(figures.P.maximum + 1)
REACH = np.arange(-figures.P.maximum, figures.P.maximum + 1)
SETTINGS = [(64, 10_000), (2, 10_000), (512, 500_000)]
TOLERANCE = 1e-10
"""Two routes to sums of up to 512 cosines."""


def inputs(d_model=64, base=10_000):
    return {
        "products": posenc.product_matrix(POSITIONS, d_model, base=base),
        "kernel": posenc.distance_kernel(REACH, d_model, base=base),
        "profile": posenc.distance_profile(d_model, base=base),
    }


def live(d_model=64, base=10_000, *, lang="en", narrow=False):
    return figures.moving_start(**inputs(d_model, base), lang=lang, narrow=narrow)


def far(base=10_000, *, lang="en", narrow=False):
    small, middle, large = (posenc.distance_profile(width, base=base) for width in (64, 128, 512))
    return figures.long_range(small, middle, large, lang=lang, narrow=narrow)


def tables(chart):
    """All tables that the chart holds."""
    return [pd.DataFrame(rows) for rows in chart.to_dict()["datasets"].values()]


@pytest.fixture(autouse=True)
def _no_row_limit():
    """The pages send Arrow; Altair's own limit concerns JSON only."""
    with alt.data_transformers.enable("default", max_rows=None, consolidate_datasets=True):
        yield


def with_columns(chart, *columns):
    return [table for table in tables(chart) if set(table.columns) == set(columns)]


@pytest.mark.parametrize(("d_model", "base"), SETTINGS)
def test_every_start_has_a_frame_of_products_multiplied_out(d_model, base):
    (frames,) = with_columns(live(d_model, base), "p", "other", "distance", "product")
    assert set(frames["p"]) == set(POSITIONS)
    assert frames.groupby("p").size().eq(len(POSITIONS)).all()
    expected = posenc.dot_products(frames["p"].to_numpy(), frames["distance"].to_numpy(), d_model, base=base)
    np.testing.assert_allclose(frames["product"], expected, rtol=0, atol=TOLERANCE)
    assert (frames["other"] - frames["p"]).equals(frames["distance"])


@pytest.mark.parametrize(("d_model", "base"), SETTINGS)
def test_dots_of_every_frame_lie_on_the_curve_that_does_not_move(d_model, base):
    chart = live(d_model, base)
    (frames,) = with_columns(chart, "p", "other", "distance", "product")
    curve = next(t for t in with_columns(chart, "distance", "product") if len(t) == len(REACH))
    np.testing.assert_array_equal(curve["distance"], REACH)
    on_curve = frames["distance"].map(curve.set_index("distance")["product"])
    np.testing.assert_allclose(frames["product"], on_curve, rtol=0, atol=TOLERANCE)


def test_one_handle_moves_all_views():
    built = live().to_dict()
    (handle,) = (param for param in built["params"] if param["name"] == "p")
    assert (handle["bind"]["min"], handle["bind"]["max"]) == (0, 100)
    matrix, column = built["hconcat"]
    for view in (matrix, *column["vconcat"]):
        assert '"filter": {"param": "p"}' in json.dumps(view["layer"])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_first_rise_is_ringed_and_a_negative_value_out_of_view_is_named(lang):
    chart = live(lang=lang)
    rings = [t for t in with_columns(chart, "distance", "product") if len(t) == 2]
    assert [sorted(ring["distance"]) for ring in rings] == [[-6, 6]]
    assert "5 → 6" in json.dumps(chart.to_dict(), ensure_ascii=False)
    beyond = figures.NEGATIVE_BEYOND(lang).format(k=725)
    assert beyond in json.dumps(chart.to_dict(), ensure_ascii=False)


@pytest.mark.parametrize(("d_model", "base"), [(2, 10_000), (4, 10_000), (1024, 10)])
def test_a_negative_value_in_view_is_ringed(d_model, base):
    profile = posenc.distance_profile(d_model, base=base)
    rings = [t for t in with_columns(live(d_model, base), "distance", "product") if len(t) == 2]
    assert [max(ring["distance"]) for ring in rings] == [profile.rise, profile.negative]
    assert (rings[1]["product"] < 0).all()


@pytest.mark.parametrize("d_model", D_MODEL.options)
@pytest.mark.parametrize("base", BASE.options)
def test_first_rise_is_in_view_for_every_setting(d_model, base):
    assert posenc.distance_profile(d_model, base=base, limit=figures.P.maximum).rise is not None


def test_no_negative_value_is_said_and_not_ringed():
    profile = posenc.distance_profile(512, base=1_000_000)
    assert profile.negative is None
    chart = figures.long_range(profile, profile, profile, lang="en", narrow=False)
    assert figures.NO_NEGATIVE("en").format(limit="4,096") in json.dumps(chart.to_dict(), ensure_ascii=False)
    assert {len(t) for t in with_columns(chart, "distance", "product")} == {profile.limit, 1}


def test_long_curves_are_the_kernel_over_half_the_width():
    curves = [t for t in with_columns(far(), "distance", "product") if len(t) > 1]
    assert len(curves) == 3
    for d_model, curve in zip((64, 128, 512), curves, strict=True):
        expected = posenc.distance_kernel(curve["distance"].to_numpy(), d_model) / (d_model / 2)
        np.testing.assert_allclose(curve["product"], expected, rtol=0, atol=1e-12)
    rings = [int(t["distance"].iloc[0]) for t in with_columns(far(), "distance", "product") if len(t) == 1]
    assert sorted(rings) == [6, 12, 44, 725, 1707, 3284]


def widths(built):
    """Widths of all views of a specification."""
    nested = [view for key in ("hconcat", "vconcat") for view in built.get(key, [])]
    return [built["width"]] if "width" in built else [width for view in nested for width in widths(view)]


@pytest.mark.parametrize("draw", [live, far])
def test_views_stand_one_above_the_other_on_a_phone(draw):
    built = draw(narrow=True).to_dict()
    assert len(built["vconcat"]) == 3
    assert max(widths(built)) <= NARROW - 60


def test_the_page_gets_the_frames_as_one_shared_table():
    settings = inputs()

    def draw(*, lang, narrow):
        return figures.moving_start(**settings, lang=lang, narrow=narrow)

    built = spec(draw, {}, lang="en", narrow=False)
    read = [pa.ipc.open_stream(io.BytesIO(table)).read_all() for table in built["datasets"].values()]
    assert sorted(table.num_rows for table in read)[-1] == len(POSITIONS) ** 2
    assert sum(table.num_rows == len(POSITIONS) ** 2 for table in read) == 1


@pytest.mark.parametrize(("p", "d_model", "base"), [(30, 64, 10_000), (100, 2, 2), (0, 512, 500_000)])
@pytest.mark.parametrize("snippet", [snippets.numpy, snippets.torch], ids=["numpy", "torch"])
def test_code_prints_the_numbers_of_the_page(snippet, p, d_model, base, tmp_path, capsys):
    script = tmp_path / "shown.py"
    script.write_text(snippet(p=p, d_model=d_model, base=base, distances=lessons.DISTANCES), encoding="utf-8")
    runpy.run_path(str(script))
    column = lessons.dots_by_distance(d_model, starts=(p,), base=base)[:, 0]
    expected = [f"k = {k:2}: {value:.3f}" for k, value in zip(lessons.DISTANCES, column, strict=True)]
    expected.append(f"first rise: k = {posenc.first_rise(d_model, base=base)}")
    assert capsys.readouterr().out.splitlines() == expected


def test_the_prediction_holds_farther_is_more_alike():
    near, far_off = lessons.dots_by_distance(64, distances=(16, 32), starts=(0,))[:, 0]
    assert far_off > near
    assert posenc.distance_kernel(np.arange(17, 32), 64).min() < near


def test_choosing_an_answer_shows_both_numbers(visit):
    app = visit("distance", {"lang": "en"})
    app.button_group(key="distance.question.en").select("32 on").run()
    assert any("19.373" in element.value and "19.554" in element.value for element in app.markdown[-3:])
