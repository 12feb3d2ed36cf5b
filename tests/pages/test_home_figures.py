"""The home page: what its figures draw is what posenc gives, and its map leads to every other page."""

import base64
import io

import numpy as np
import pandas as pd
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

import posenc
from pages.home import figures
from pages.index import CONCEPTS
from pages.kit.text import PAGES, Label
from pages.kit.theme import NARROW

POSITIONS = range(figures.FIRST.maximum + figures.WORDS)
HANDS = posenc.pair_angles(POSITIONS, 16)


def layers(chart):
    """Each layer's mark, table and encoding."""
    built = chart.to_dict()
    tables = {name: pd.DataFrame(rows) for name, rows in built["datasets"].items()}
    return [
        (layer["mark"], tables[layer.get("data", built.get("data"))["name"]], layer["encoding"])
        for layer in built["layer"]
    ]


def hero(lang="en", narrow=False):
    return figures.sentences(HANDS, shown=4, lang=lang, narrow=narrow)


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("narrow", [False, True])
def test_every_frame_points_each_hand_where_sine_and_cosine_are(lang, narrow):
    mark, table, encoding = layers(hero(lang, narrow))[1]
    assert mark["shape"] == figures.HAND
    assert encoding["angle"] == {"field": "angle", "scale": None, "type": "quantitative"}
    assert len(table) == len(range(figures.FIRST.minimum, figures.FIRST.maximum + 1)) * 2 * figures.WORDS * 4
    assert (table["position"] == table["first"] + table["place"]).all()
    rows = posenc.sinusoidal(table["position"].to_numpy(), 16)
    pair = 2 * table["pair"].to_numpy()
    across, up = np.sin(np.radians(table["angle"])), np.cos(np.radians(table["angle"]))
    np.testing.assert_allclose(across, np.take_along_axis(rows, pair[:, None], 1)[:, 0], atol=1e-12)
    np.testing.assert_allclose(up, np.take_along_axis(rows, pair[:, None] + 1, 1)[:, 0], atol=1e-12)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_both_sentences_have_the_same_words_and_the_marked_word_moves(lang):
    one, other = figures.SENTENCES[lang]
    assert sorted(one) == sorted(other)
    assert one.index(figures.SAME[lang]) != other.index(figures.SAME[lang])


def test_hands_and_position_labels_move_with_the_same_handle():
    built = hero().to_dict()
    assert [param["name"] for param in built["params"]] == [figures.FIRST.name]
    filtered = [layer["mark"]["type"] for layer in built["layer"] if layer.get("transform")]
    assert filtered == ["point", "text"]


def test_on_a_phone_the_sentences_stand_one_under_the_other():
    wide, narrow = layers(hero())[2][1], layers(hero(narrow=True))[2][1]
    assert wide["top"].nunique() == 1
    assert wide["x"].nunique() == 2 * figures.WORDS
    assert narrow["top"].nunique() == 2
    assert narrow["x"].nunique() == figures.WORDS
    assert hero(narrow=True).to_dict()["width"] <= NARROW - 60


def test_map_marks_the_first_rise_of_the_kernel():
    dots, rise = posenc.distance_kernel(range(25), 64), posenc.first_rise(64)
    line, _, mark, _ = layers(figures.curve(dots, rise=rise, lang="en", narrow=False))
    np.testing.assert_array_equal(line[1]["dot"], dots)
    assert mark[1]["distance"].tolist() == [rise]
    assert mark[1]["dot"].tolist() == [dots[rise]]
    assert dots[rise] > dots[rise - 1]
    assert (np.diff(dots[:rise]) < 0).all()


@pytest.mark.parametrize("narrow", [False, True])
def test_map_turns_q_and_k_with_the_same_angle_between_them(narrow):
    k, q = (posenc.turned_pairs((1.0, 0.0), range(start, start + 7)) for start in (0, 1))
    table = layers(figures.turns(q, k, lang="en", narrow=narrow))[1][1]
    np.testing.assert_allclose(table["end"] - table["start"], -1.0, atol=1e-12)  # clockwise, so minus
    for name, turned in (("q", q), ("k", k)):
        up, across = np.cos(np.radians(table[name])), np.sin(np.radians(table[name]))
        np.testing.assert_allclose(np.stack([across, up], 1), turned[:, 0], atol=1e-12)


def opacities(url):
    """The picture's opacity, which is |value| / limit."""
    image = Image.open(io.BytesIO(base64.b64decode(url.split(",")[1]))).convert("RGBA")
    return np.asarray(image)[..., 3] / 255


def test_map_shows_tables_and_matrices_cell_for_cell():
    table = posenc.sinusoidal(range(64), 64)
    shifts = posenc.shift_matrix((1, 4, 16), 8)
    built = figures.rows(table, lang="en", narrow=False).to_dict()
    (heat,) = built["datasets"].values()
    np.testing.assert_allclose(opacities(heat[0]["url"]), np.abs(table), atol=1 / 127)
    drawn = layers(figures.matrices(shifts, names=("k = 1", "k = 4", "k = 16"), lang="en", narrow=False))[1][1]
    assert drawn["name"].tolist() == ["k = 1", "k = 4", "k = 16"]
    for url, matrix in zip(drawn["url"], shifts, strict=True):
        np.testing.assert_allclose(opacities(url), np.abs(matrix), atol=1 / 127)


def test_map_ends_the_learned_table_after_its_last_row():
    table = posenc.untrained_table(8, 48)
    image, absent, end = layers(figures.ending_rows(table, missing=3, limit=0.05, lang="en", narrow=False))
    np.testing.assert_allclose(opacities(image[1]["url"][0]), np.minimum(np.abs(table) / 0.05, 1), atol=1 / 127)
    assert end[1]["top"].tolist() == [image[1]["bottom"][0]] == [len(table)]
    assert (absent[1]["top"] > len(table)).all()
    assert len(absent[1]) == 3


def test_map_draws_each_line_to_the_place_that_takes_it():
    order = posenc.pairing_permutation(8, source="interleaved", target="half")
    lines = layers(figures.crossings(order, group=2, lang="en", narrow=False))[0][1]
    assert dict(zip(lines["below"], lines["above"], strict=True)) == dict(enumerate(order))
    assert lines.groupby(lines["above"] // 2)["shade"].nunique().eq(1).all()
    words = layers(
        figures.crossings(np.array([2, 1, 0]), names=Label(zh="狗 咬 人", en="dog bites man"), lang="zh", narrow=True)
    )
    assert words[1][1]["name"].tolist() == ["人", "咬", "狗"]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_map_leads_to_every_other_page_in_reading_order(lang):
    app = AppTest.from_file(PAGES / "index.py", default_timeout=30)
    app.query_params["lang"] = lang
    app.run()
    assert not app.exception
    links = [link.proto for link in app.get("page_link")]
    cards = [link.page for link in links if link.label.startswith("**")][: len(CONCEPTS) - 1]
    assert cards == [concept.folder for concept in CONCEPTS[1:]]
    assert all(f"lang={lang}" in link.query_string for link in links)
