"""The heatmap page draws posenc's numbers, computes the live row rightly, and shows code that prints the same."""

import base64
import copy
import io
import json
import re
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
import vl_convert
from PIL import Image

import posenc
from pages.heatmap import figures, snippets
from pages.kit.cache import compute
from pages.kit.spec import SPECS, seeded, spec
from pages.kit.text import LANGUAGES
from pages.kit.theme import NARROW

SETTINGS = [
    {"n": 64, "d_model": 64, "base": 10_000, "layout": "interleaved", "dimension": 6},
    {"n": 4096, "d_model": 1024, "base": 2, "layout": "concatenated", "dimension": 1023},
    {"n": 4096, "d_model": 8, "base": 1_000_000, "layout": "concatenated", "dimension": 0},
    {"n": 512, "d_model": 512, "base": 10, "layout": "interleaved", "dimension": 511},
    {"n": 1, "d_model": 2, "base": 10_000, "layout": "interleaved", "dimension": 1},
]
KB = 1024


def positions_of(n):
    return sorted({0, n // 3, n - 1})


MOVES = [(settings, position) for settings in SETTINGS for position in positions_of(settings["n"])]


def built(n, dimension, *, lang="en", narrow=False, **order):
    """The figure as the page sends it."""
    inputs = {
        "drawn": compute(posenc.drawn_table, n=n, rows=figures.MOST, columns=figures.MOST, **order),
        "known": compute(posenc.channels, **order),
        "hands": compute(posenc.spread_pairs, d_model=order["d_model"]),
        "wave": compute(posenc.channel_values, positions=range(n), dimension=dimension, **order),
        "dimension": dimension,
        "layout": order["layout"],
    }
    return spec(figures.table, inputs, lang=lang, narrow=narrow)


def rows_with(specification, *columns):
    """The longest table that has all of these columns."""
    tables = [pa.ipc.open_stream(io.BytesIO(table)).read_all() for table in specification["datasets"].values()]
    return max((table for table in tables if set(columns) <= set(table.column_names)), key=len).to_pylist()


def drawn(specification, position):
    """What Vega draws with the cursor at the position: a list of (kind, items) of every mark."""
    tables = {
        name: pa.ipc.open_stream(io.BytesIO(table)).read_all().to_pylist()
        for name, table in specification["datasets"].items()
    }
    started = seeded({**specification, "datasets": tables}, {"position": position})
    marks = []

    def walk(node):
        if node.get("role") == "mark":
            marks.append((node["marktype"], node["items"]))
        for item in node.get("items", []):
            walk(item)

    walk(vl_convert.vegalite_to_scenegraph(started)["scenegraph"])
    return marks


def the_one(marks, kind, mark):
    """The items of the only mark of a kind of which the first item is so."""
    (items,) = (items for found, items in marks if found == kind and items and mark(items[0]))
    return items


def number(text):
    return float(str(text).replace("−", "-").replace(",", ""))


def row_of(settings, position):
    order = {name: settings[name] for name in ("d_model", "base", "layout")}
    return posenc.sinusoidal(position, **order)


def drawn_row(marks, d_model, height=84):
    """The value of each channel, read off the pixels of the bars or of the two lines."""
    if d_model <= figures.BARS:
        bars = the_one(marks, "rect", lambda item: item.get("description", "").startswith("left"))
        ends = [max(bar["y"], bar["y"] + bar["height"], key=lambda y: abs(y - height / 2)) for bar in bars]
        return 1 - 2 * np.array(ends) / height
    lines = [items for kind, items in marks if kind == "line" and "dimension" in items[0]["description"]]
    points = sorted((point["x"], point["y"]) for line in lines for point in line)
    return 1 - 2 * np.array(points)[:, 1] / height


@pytest.mark.parametrize(("settings", "position"), MOVES)
def test_the_live_row_is_posencs_at_every_position(settings, position):
    row = drawn_row(drawn(built(**settings), position), settings["d_model"])
    np.testing.assert_allclose(row, row_of(settings, position), rtol=0, atol=1e-12)


def test_a_wrong_row_would_be_seen():
    row = drawn_row(drawn(built(**SETTINGS[0]), 17), 64)
    assert np.max(np.abs(row - row_of(SETTINGS[0], 18))) > 0.5


@pytest.mark.parametrize(("settings", "position"), MOVES)
def test_hands_point_at_sine_and_cosine_of_their_pairs(settings, position):
    marks = drawn(built(**settings), position)
    hands = the_one(marks, "rule", lambda item: item.get("strokeCap") == "round")
    pairs = posenc.spread_pairs(settings["d_model"])[::-1]
    expected = posenc.pair_angles(position, settings["d_model"], base=settings["base"])[pairs]
    pointed = np.array([(hand["x"] - hand["x2"], hand["y2"] - hand["y"]) for hand in hands])
    lengths = np.hypot(*pointed.T)
    np.testing.assert_allclose(pointed[:, 0] / lengths, np.sin(expected), rtol=0, atol=1e-11)
    np.testing.assert_allclose(pointed[:, 1] / lengths, np.cos(expected), rtol=0, atol=1e-11)
    assert np.all(np.diff(lengths) > 0)  # the fastest hand, drawn last, is the longest


@pytest.mark.parametrize(("settings", "position"), MOVES)
def test_digits_are_wavelength_sine_and_cosine_of_the_hands(settings, position):
    marks = drawn(built(**settings), position)
    columns = [items for kind, items in marks if kind == "text" and items[0].get("align") in ("left", "right")][1:]
    pair, turn, sine, cosine = ([number(item["text"]) for item in items] for items in columns[::2])
    pairs = posenc.spread_pairs(settings["d_model"])[::-1]
    angles = posenc.pair_angles(position, settings["d_model"], base=settings["base"])[pairs]
    assert pair == list(pairs)
    # half of the last digit shown
    wavelengths = posenc.wavelengths(settings["d_model"], base=settings["base"])[pairs]
    np.testing.assert_allclose(turn, wavelengths, rtol=0, atol=0.00501)
    np.testing.assert_allclose(sine, np.sin(angles), rtol=0, atol=0.0000501)
    np.testing.assert_allclose(cosine, np.cos(angles), rtol=0, atol=0.0000501)


@pytest.mark.parametrize(("settings", "position"), MOVES)
def test_wave_is_the_chosen_column_and_its_dot_the_framed_cell(settings, position):
    specification = built(**settings)
    marks = drawn(specification, position)
    order = {name: settings[name] for name in ("dimension", "d_model", "base", "layout")}
    lines = [(k, i) for k, i in marks if k == "line" and "dimension" not in i[0]["description"]]
    ((_, line),) = lines
    values = np.array([point["x"] for point in line]) / 68 * 2 - 1
    if "offset" in line[0]["description"]:  # in these settings only where sines come first
        assert order["layout"] == "concatenated"
        pair = order["dimension"] % (order["d_model"] // 2)
        wavelength = posenc.wavelengths(order["d_model"], base=order["base"])[pair]
        reach = int(np.ceil(figures.AROUND * wavelength))
        shown = np.arange(max(0, position - reach), min(settings["n"] - 1, position + reach) + 1)
    else:
        shown = np.arange(settings["n"])
    np.testing.assert_allclose(values, posenc.channel_values(shown, **order), rtol=0, atol=1e-11)
    (dot,) = the_one(marks, "symbol", lambda item: item["size"] == 110)
    assert dot["x"] / 68 * 2 - 1 == pytest.approx(float(posenc.channel_values(position, **order)), abs=1e-12)


def test_only_waves_too_fast_for_the_height_are_cut_to_the_cursor():
    fast = {"n": 4096, "d_model": 64, "base": 10_000, "layout": "interleaved"}
    assert rows_with(built(**fast, dimension=0), "offset")
    assert len(rows_with(built(**fast, dimension=63), "position", "value")) == 4096


@pytest.mark.parametrize("settings", SETTINGS)
def test_frames_stand_at_the_cursor_and_at_the_dimension(settings):
    n, d_model, dimension = settings["n"], settings["d_model"], settings["dimension"]
    position = n // 3
    frames = [items[0] for kind, items in drawn(built(**settings), position) if kind == "rect" and not items[0]["fill"]]
    column, row = frames
    assert (column["x"] + 1) * d_model / 336 == pytest.approx(dimension)
    assert column["width"] == pytest.approx(336 / d_model + 2)
    assert (row["y"] + 1.5) * n / 336 == pytest.approx(position)
    assert row["height"] == pytest.approx(336 / n + 3)


def pixels(specification):
    """The picture's values, back from its palette: (rows, columns), each right to half a step of 127."""
    (entry,) = rows_with(specification, "url", "left")
    image = Image.open(io.BytesIO(base64.b64decode(entry["url"].split(",")[1])))
    return (np.asarray(image).astype(float) - 127) / 127


@pytest.mark.parametrize("settings", SETTINGS)
def test_picture_is_the_drawn_table(settings):
    seen = pixels(built(**settings))
    order = {name: settings[name] for name in ("d_model", "base", "layout")}
    values = posenc.drawn_table(settings["n"], rows=figures.MOST, columns=figures.MOST, **order).values
    np.testing.assert_allclose(seen, values, rtol=0, atol=0.5 / 127 + 1e-12)


def test_no_cell_of_the_picture_is_smaller_than_a_pixel_of_the_figure():
    largest = built(n=4096, d_model=1024, base=10_000, layout="interleaved", dimension=0)
    assert max(pixels(largest).shape) <= 336
    assert '"smooth": false' in json.dumps({**largest, "datasets": {}})


@pytest.mark.parametrize("base", [2, 10, 10_000, 1_000_000])
def test_the_largest_table_stays_small_in_the_specification(base):
    specification = built(n=4096, d_model=1024, base=base, layout="interleaved", dimension=0)
    (entry,) = rows_with(specification, "url", "left")
    assert len(entry["url"]) < 400 * KB
    assert sum(map(len, specification["datasets"].values())) < 700 * KB
    assert SPECS.size <= SPECS.limit


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
def test_each_cell_of_a_small_table_has_its_value_under_the_pointer(layout):
    """A tooltip is not in the scene: its cells are drawn as the text that it would show."""
    specification = copy.deepcopy(built(**{**SETTINGS[0], "layout": layout}))
    (layer,) = (view for view in views(specification) if view.get("mark", {}).get("fillOpacity") == 0)
    told = layer["encoding"].pop("tooltip")
    assert [part["field"] for part in told] == ["position", "dimension", "value"]
    layer["mark"] = {"type": "text"}
    layer["encoding"]["text"] = told[-1]
    cells = the_one(drawn(specification, 17), "text", lambda item: item["text"] == "0.000000")
    shown = np.array([number(cell["text"]) for cell in cells]).reshape(64, 64)
    table = posenc.sinusoidal(np.arange(64), 64, layout=layout)
    np.testing.assert_allclose(shown, table, rtol=0, atol=5.1e-7)  # six decimals
    assert (cells[0]["x"], cells[0]["y"]) < (cells[65]["x"], cells[65]["y"])


def views(node):
    """Every view of a specification."""
    if isinstance(node, dict):
        yield node
        for part in node.values():
            yield from views(part)
    elif isinstance(node, list):
        for part in node:
            yield from views(part)


@pytest.mark.parametrize("d_model", [2, 1024])
def test_strips_of_a_large_table_cover_it_without_gaps(d_model):
    specification = built(n=4096, d_model=d_model, base=2, layout="interleaved", dimension=0)
    strips = rows_with(specification, "position", "top", "bottom", "right")
    assert len(strips) == figures.STRIPS
    assert (strips[0]["top"], strips[-1]["bottom"]) == (-0.5, 4095.5)
    assert all(one["bottom"] == other["top"] for one, other in pairwise(strips))
    assert all(strip["top"] < strip["position"] < strip["bottom"] for strip in strips)


@pytest.mark.parametrize("settings", SETTINGS)
def test_handle_spans_the_positions_and_a_click_moves_it(settings):
    (handle,) = (param for param in built(**settings)["params"] if param["name"] == "position")
    assert (handle["bind"]["min"], handle["bind"]["max"]) == (0, settings["n"] - 1)
    assert handle["select"]["on"].startswith("click")
    assert len(handle["views"]) == 1


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("narrow", [False, True])
def test_position_zero_is_at_the_top_and_the_axis_says_so(lang, narrow):
    text = str(built(**SETTINGS[0], lang=lang, narrow=narrow))
    assert ("position (0 at the top)" if lang == "en" else "位置（0 在最上面）") in text
    assert "[63.5, -0.5]" in text


def test_the_axis_names_the_layout():
    interleaved, concatenated = (
        str(built(n=4, d_model=4, base=10, layout=layout, dimension=0)) for layout in ("interleaved", "concatenated")
    )
    assert "even sin, odd cos" in interleaved
    assert "sin | cos" in concatenated


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_phone_gets_narrow_views_one_above_the_other(settings, lang):
    specification = built(**settings, lang=lang, narrow=True)
    assert "vconcat" in specification
    widths = [view["width"] for view in specification["vconcat"] if "width" in view]
    widths.append(sum(view["width"] for view in specification["vconcat"][0]["hconcat"]) + 14)
    assert max(widths) <= NARROW - 60


def test_the_figure_is_svg_which_takes_the_themes_colours():
    # for so many cells Streamlit would use a canvas by itself
    assert built(**SETTINGS[0])["usermeta"]["embedOptions"]["renderer"] == "svg"


SHOWN = [
    {"n_positions": 64, "d_model": 64, "base": 10_000, "layout": "interleaved", "position": 17, "dimension": 6},
    {"n_positions": 512, "d_model": 128, "base": 500_000, "layout": "concatenated", "position": 511, "dimension": 127},
    {"n_positions": 1, "d_model": 2, "base": 2, "layout": "concatenated", "position": 0, "dimension": 1},
]


@pytest.mark.parametrize("settings", SHOWN)
@pytest.mark.parametrize("write", [snippets.numpy, snippets.torch])
def test_code_shown_prints_the_cell_and_the_wavelength(write, settings, tmp_path):
    script = tmp_path / "shown.py"
    script.write_text(write(**settings))
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, cwd=tmp_path)
    order = {name: settings[name] for name in ("d_model", "base", "layout")}
    cell = float(posenc.channel_values(settings["position"], settings["dimension"], **order))
    wavelength = posenc.channels(**order).wavelength[settings["dimension"]]
    assert ran.stdout.split() == [f"{cell:.10f}", f"{wavelength:.6f}"]
    assert "posenc" not in script.read_text()


def page_text(app):
    return "\n".join(entry.value for entry in [*app.markdown, *app.caption])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_says_what_is_drawn_of_a_large_table(visit, lang):
    app = visit("heatmap", {"lang": lang, "n_positions": "4096", "d_model": "1024"})
    assert not app.exception
    drawn_part = posenc.drawn_table(4096, 1024, rows=figures.MOST, columns=figures.MOST)
    (said,) = (entry.value for entry in app.markdown if "4,096 × 1,024" in entry.value)
    assert "{:,} × {:,}".format(*drawn_part.values.shape) in said
    assert re.search(rf"\b{drawn_part.positions_per_row}\b", said)
    assert re.search(rf"\b{drawn_part.pair_step}\b", said)


@pytest.mark.parametrize(
    ("address", "position", "dimension", "order"),
    [
        ({}, 17, 6, {"d_model": 64}),
        (
            {"n_positions": "4096", "layout": "concatenated", "position": "4095", "dimension": "50"},
            4095,
            50,
            {"d_model": 64, "layout": "concatenated"},
        ),
    ],
)
def test_the_page_gives_any_cell_with_ten_decimals(visit, address, position, dimension, order):
    app = visit("heatmap", {"lang": "en", **address})
    cell = float(posenc.channel_values(position, dimension, **order))
    wavelength = posenc.channels(**order).wavelength[dimension]
    said = page_text(app)
    assert f"$PE({position},\\,{dimension})=" in said
    assert f"**{cell:.10f}**".replace("-", "−") in said
    assert f"**{wavelength:,.6f}**" in page_text(app)


def test_a_position_beyond_a_smaller_table_becomes_its_last(visit):
    app = visit("heatmap", {"lang": "en", "n_positions": "16", "position": "63"})
    assert app.session_state["session"].shown["position"] == 15
