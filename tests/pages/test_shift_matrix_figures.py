"""The shift page draws posenc's numbers, multiplies rightly in the browser, and shows code that prints the same."""

import io
import json
import re
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
import vl_convert

import posenc
from pages.kit.cache import compute
from pages.kit.spec import seeded, spec
from pages.kit.text import LANGUAGES
from pages.kit.theme import NARROW
from pages.shift_matrix import figures, snippets

SETTINGS = [
    {"d_model": 8, "base": 10_000, "layout": "interleaved"},
    {"d_model": 4, "base": 10, "layout": "concatenated"},
    {"d_model": 64, "base": 500_000, "layout": "interleaved"},
]
MOVES = [{"k": 3, "p": 2, "block": 0}, {"k": -16, "p": 0, "block": 1}, {"k": 16, "p": 64, "block": 1}]


def built(d_model=8, base=10_000, layout="interleaved", *, lang="en", narrow=False):
    """The live figure as the page sends it."""
    table = {"d_model": d_model, "base": base, "layout": layout}
    inputs = {
        "blocks": compute(posenc.shift_blocks, k=figures.SHIFTS, d_model=d_model, base=base),
        "table": compute(posenc.sinusoidal, positions=figures.POSITIONS, **table),
        "channels": compute(posenc.pair_channels, d_model=d_model, layout=layout),
    }
    return spec(figures.shift, inputs, lang=lang, narrow=narrow)


def unpacked(specification):
    """The specification with its tables as rows."""
    tables = {
        name: pa.ipc.open_stream(io.BytesIO(table)).read_all().to_pylist()
        for name, table in specification["datasets"].items()
    }
    return {**specification, "datasets": tables}


def drawn(specification, **values):
    """What Vega draws with the handles at the values: the items of each mark by the mark's name."""
    scene = vl_convert.vegalite_to_scenegraph(unpacked(seeded(specification, values)))["scenegraph"]
    marks = {}

    def walk(node):
        if node.get("role") == "mark":
            marks[node["name"]] = node["items"]
        if node.get("role") == "title-text":
            marks.setdefault("titles", []).append(node["items"][0]["text"])
        for item in node.get("items", []):
            walk(item)

    walk(scene)
    return marks


def channels_of(items, side, d_model):
    return [round(item["y"] / side * d_model - 0.5) for item in items]


def across(items, width=130):
    """Values of points on the axis from -1.12 to 1.12."""
    return np.array([item["x"] / width * 2.24 - 1.12 for item in items])


@pytest.mark.parametrize("settings", SETTINGS)
def test_frames_are_the_matrix_for_every_shift(settings):
    (entries,) = (rows for rows in unpacked(built(**settings))["datasets"].values() if "column_part" in rows[0])
    matrices = np.zeros((len(figures.SHIFTS), settings["d_model"], settings["d_model"]))
    for entry in entries:
        matrices[entry["k"] - figures.K.minimum, entry["row"], entry["column"]] += entry["value"]
    np.testing.assert_array_equal(matrices, posenc.shift_matrix(figures.SHIFTS, **settings))


def test_tables_stay_small_at_the_widest():
    tables = unpacked(built(64))["datasets"].values()
    assert sum(map(len, tables)) <= 8192


@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize("settings", SETTINGS)
def test_browser_multiplies_to_what_posenc_gives(settings, move):
    marks = drawn(built(**settings), **move)
    rings, dots = (marks[f"concat_2_layer_{layer}_marks"] for layer in (1, 2))
    product = posenc.shifted(move["p"], move["k"], **settings)
    wanted = posenc.sinusoidal(move["p"] + move["k"], **settings)
    for items, expected in (dots, product), (rings, wanted):
        channels = channels_of(items, 236, settings["d_model"])
        assert sorted(channels) == list(range(settings["d_model"]))
        np.testing.assert_allclose(across(items), expected[channels], rtol=0, atol=1e-13)
    told = marks["concat_2_layer_3_marks"][0]["text"]
    assert read(told[2].removeprefix("最大相差 ").removeprefix("largest difference ")) == pytest.approx(
        np.abs(np.array(across(dots)) - np.array(across(rings))).max(), rel=0.05, abs=2e-15
    )


def read(written):
    """The number in ``4.4 · 10⁻¹⁶``."""
    mantissa, _, power = written.partition(" · 10")
    return float(mantissa) * 10.0 ** int(power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")) or "0")


def test_a_wrong_matrix_would_not_meet_the_rings():
    # case A7: the transpose goes to p - k, so the comparison above can fail
    broken = unpacked(built(4))
    for rows in broken["datasets"].values():
        for row in rows:
            if "column_part" in row:
                row["row"], row["column"] = row["column"], row["row"]
                row["row_part"], row["column_part"] = row["column_part"], row["row_part"]
    scene = json.dumps(
        vl_convert.vegalite_to_scenegraph(seeded(broken, {"k": 3, "p": 2, "block": 0})), ensure_ascii=False
    )
    assert read(re.search(r'largest difference ([^"]+)', scene)[1]) > 0.1


@pytest.mark.parametrize("move", MOVES)
def test_hand_points_where_posenc_says(move):
    marks = drawn(built(), **move)
    pair = slice(2 * move["block"], 2 * move["block"] + 2)
    half = 220 / 2
    for layer, position in (3, move["p"]), (5, move["p"] + move["k"]):
        (hand,) = marks[f"concat_3_concat_0_layer_{layer}_marks"]
        points = (np.array([hand["x"], 220 - hand["y"]]) / half - 1) * figures.REACH
        np.testing.assert_allclose(points, posenc.sinusoidal(position, 8)[pair], rtol=0, atol=1e-12)
    assert len(marks["concat_3_concat_0_layer_2_marks"]) == abs(move["k"]) + 1


def test_digits_are_those_of_case_a7():
    marks = drawn(built(4), k=3, p=2, block=0)
    assert [item["text"] for item in marks["concat_3_concat_1_marks"]] == ["−0.9900", "0.1411", "−0.1411", "−0.9900"]
    slow = drawn(built(4), k=3, p=2, block=1)
    assert [item["text"] for item in slow["concat_3_concat_1_marks"]] == ["0.9996", "0.0300", "−0.0300", "0.9996"]


def test_titles_follow_the_handles():
    assert drawn(built(), k=-12, p=5, block=2)["titles"] == ["M₋₁₂", "· PE(5)", "= PE(−7)", "pair 2"]


@pytest.mark.parametrize("settings", SETTINGS)
def test_three_handles_in_their_ranges(settings):
    handles = {param["name"]: param for param in built(**settings)["params"]}
    spans = {name: (param["bind"]["min"], param["bind"]["max"]) for name, param in handles.items()}
    assert spans == {"k": (-16, 16), "p": (0, 64), "block": (0, settings["d_model"] // 2 - 1)}
    assert "datum.block >= 0" in handles["block"]["select"]["on"]


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
def test_every_row_of_the_picture_answers_a_click_with_its_pair(layout):
    tables = unpacked(built(layout=layout))["datasets"].values()
    (lanes,) = (rows for rows in tables if set(rows[0]) == {"block", "row", "end"})
    channels = posenc.pair_channels(8, layout=layout)
    assert sorted(lane["row"] for lane in lanes) == [channel - 0.5 for channel in range(8)]
    assert all(lane["row"] + 0.5 in channels[lane["block"]] for lane in lanes)


def maps(k=2, *, lang="en", narrow=False, block=1):
    found = {name: posenc.best_linear_map(k, range(256), 8, features=name) for name in figures.FEATURES}
    wanted = posenc.sinusoidal(range(k, k + 256), 8, layout="concatenated")
    return found, wanted, figures.best_maps(**found, wanted=wanted, block=block, lang=lang, narrow=narrow).to_dict()


def test_errors_drawn_are_those_of_the_best_maps():
    found, _, chart = maps()
    lines = [rows for rows in chart["datasets"].values() if set(rows[0]) == {"p", "error"}]
    assert len(lines) == 3
    for rows, best in zip(lines, found.values(), strict=True):
        np.testing.assert_array_equal([row["error"] for row in rows], best.residuals[: len(rows)])
    largest = [max(row["error"] for row in rows) for rows in lines]
    assert largest[0] < 1e-12 < 0.1 < min(largest[1:])


def test_an_error_of_nothing_still_has_a_place_on_the_logarithmic_axis():
    _, _, chart = maps(k=0)
    errors = [row["error"] for rows in chart["datasets"].values() for row in rows if "error" in row]
    assert min(errors) >= figures.FLOOR


def test_guess_is_the_best_map_of_sines_beside_the_sines_wanted():
    found, wanted, chart = maps(block=1)
    (rows,) = (rows for rows in chart["datasets"].values() if "guess" in rows[0])
    np.testing.assert_array_equal([row["guess"] for row in rows], found["sine"].predicted[: len(rows), 1])
    np.testing.assert_array_equal([row["wanted"] for row in rows], wanted[: len(rows), 1])
    np.testing.assert_array_equal(wanted[:, 1], posenc.sinusoidal(range(2, 258), 8)[:, 2])


def widths(built):
    """Widths of all views of a specification, side by side ones added up."""
    if "hconcat" in built:
        return [sum(max(widths(view)) for view in built["hconcat"])]
    nested = [width for view in built.get("vconcat", []) for width in widths(view)]
    return nested or [built["width"]]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_views_stand_one_above_the_other_on_a_phone(lang):
    for chart in built(lang=lang, narrow=True), maps(lang=lang, narrow=True)[2]:
        assert len(chart["vconcat"]) >= 2
        assert max(widths(chart)) <= NARROW - 60
    assert max(widths(built(lang=lang))) <= 800


SHOWN = [
    {**SETTINGS[0], "k": 2, "p": 3, "block": 0},
    {**SETTINGS[1], "k": -5, "p": 64, "block": 1},
    {**SETTINGS[2], "k": 16, "p": 7, "block": 4},
]


@pytest.mark.parametrize("settings", SHOWN)
@pytest.mark.parametrize("snippet", [snippets.numpy, snippets.torch], ids=["numpy", "torch"])
def test_code_prints_the_numbers_of_the_page(snippet, settings, tmp_path):
    script = tmp_path / "shown.py"
    script.write_text(snippet(**settings), encoding="utf-8")
    printed = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout
    *numbers, apart = [float(found) for found in re.findall(r"-?\d+\.\d*(?:e[+-]\d+)?", printed)]
    table = {name: settings[name] for name in ("d_model", "base", "layout")}
    pair = posenc.pair_channels(table["d_model"], layout=table["layout"])[settings["block"]]
    k, p = settings["k"], settings["p"]
    block = posenc.shift_matrix(k, **table)[np.ix_(pair, pair)]
    product, wanted = posenc.shifted(p, k, **table)[pair], posenc.sinusoidal(p + k, **table)[pair]
    expected = [*block.ravel(), *product, *wanted]
    np.testing.assert_allclose(numbers, expected, rtol=0, atol=5.1e-5)  # four decimals
    assert apart < 1e-13
