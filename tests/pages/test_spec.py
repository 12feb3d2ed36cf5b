"""A figure's specification: tables as Arrow, handles where Vega-Lite takes them, shared by all and so unchanged."""

import io

import altair as alt
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from pages.kit.marks import handle, picture, tidy
from pages.kit.settings import Whole
from pages.kit.spec import seeded, spec
from pages.kit.text import Label

A = Whole("a", Label(zh="甲", en="first"), 0, 9, 3)
B = Whole("b", Label(zh="乙", en="second"), 0, 9, 4)
ROWS = pd.DataFrame({"a": range(10), "b": range(10), "y": np.linspace(0, 1, 10)})


def two_handles(*, lang, narrow):
    a, b = handle(A, lang), handle(B, lang)
    points = alt.Chart(ROWS).mark_point().encode(y="y:Q")
    views = (points.transform_filter(a).add_params(a) + points, points.transform_filter(b).add_params(b))
    return alt.vconcat(*views) if narrow else alt.hconcat(*views)


def read(table: bytes) -> pd.DataFrame:
    return pa.ipc.open_stream(io.BytesIO(table)).read_pandas()


def built(lang="en", narrow=False):
    return spec(two_handles, {}, lang=lang, narrow=narrow)


def test_tables_travel_as_arrow_once_each():
    tables = built()["datasets"]
    assert len(tables) == 1
    pd.testing.assert_frame_equal(read(*tables.values()), ROWS, check_dtype=False)  # fewer bytes, same numbers


def test_each_handle_is_carried_by_one_view():
    assert [len(param["views"]) for param in built()["params"]] == [1, 1]


def test_handles_start_where_told_and_are_listed_in_the_order_asked_for():
    started = seeded(built(), {"b": 7, "a": 2})
    # Vega lists its inputs last to first.
    assert [(param["name"], param["value"]) for param in started["params"]] == [("a", [{"a": 2}]), ("b", [{"b": 7}])]


def test_starting_the_handles_changes_nothing_shared():
    before = [dict(param) for param in built()["params"]]
    seeded(built(), {"a": 9, "b": 9})
    assert built()["params"] == before


def test_handles_are_named_in_the_language():
    assert {param["bind"]["name"] for param in built("zh")["params"]} == {"甲", "乙"}


def test_a_phone_gets_the_views_one_above_the_other():
    assert "hconcat" in built()
    assert "vconcat" in built(narrow=True)


def test_a_table_of_any_size_can_be_drawn():
    def long(*, lang, narrow):
        return alt.Chart(tidy("y", np.zeros((300, 100)), a=range(300), b=range(100))).mark_point().encode(y="y:Q")

    assert len(read(*spec(long, {}, lang="en", narrow=False)["datasets"].values())) == 30_000


def test_tidy_has_one_row_an_entry_in_order():
    rows = tidy("y", np.arange(6).reshape(2, 3), a=[10, 20], b=[1, 2, 3])
    assert rows.to_numpy().tolist() == [[10, 1, 0], [10, 2, 1], [10, 3, 2], [20, 1, 3], [20, 2, 4], [20, 3, 5]]


def test_tidy_refuses_axes_of_other_lengths():
    with pytest.raises(ValueError, match=r"axes must have the array's lengths \(2, 3\), got \(3, 2\)"):
        tidy("y", np.zeros((2, 3)), a=range(3), b=range(2))


def test_picture_has_one_pixel_a_cell_zero_transparent_and_full_colour_at_the_limit():
    import base64

    from PIL import Image

    from pages.kit.theme import NEGATIVE, POSITIVE, rgb

    url = picture(np.array([[-2.0, 0.0, 2.0], [5.0, -1.0, 1.0]]), limit=2.0)
    image = Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))).convert("RGBA")
    assert image.size == (3, 2)
    pixels = np.asarray(image).astype(int)
    assert tuple(pixels[0, 0]) == (*rgb(NEGATIVE), 255)
    assert pixels[0, 1, 3] == 0
    assert tuple(pixels[0, 2]) == (*rgb(POSITIVE), 255)
    assert tuple(pixels[1, 0]) == (*rgb(POSITIVE), 255)
    assert pixels[1, 1, 3] == pixels[1, 2, 3] == pytest.approx(128, abs=1)
