"""The learned-table page draws the rows that a lookup gives, at every length, and shows code that prints the same."""

import base64
import io
import json
import runpy

import altair as alt
import numpy as np
import pandas as pd
import pytest
from PIL import Image

import posenc
from pages.kit.text import LANGUAGES
from pages.kit.theme import NARROW, WARNING
from pages.learned_table import figures, lookup, snippets

TABLES = [(8, 0), (8, 2), (512, 0), (514, 2), (1024, 0)]
DIM = 16


@pytest.fixture(autouse=True)
def _no_row_limit():
    """The pages send Arrow; Altair's own limit concerns JSON only."""
    with alt.data_transformers.enable("default", max_rows=None, consolidate_datasets=True):
        yield


def live(rows=8, offset=0, *, lang="en", narrow=False):
    return lookup.lookup(posenc.untrained_table(rows, DIM), offset=offset, lang=lang, narrow=narrow)


def similarity(*, lang="en", narrow=False):
    before, after = (posenc.row_similarities(64, trained=trained) for trained in (False, True))
    return figures.similarity(before, after, lang=lang, narrow=narrow)


def ways(*, lang="en", narrow=False):
    return figures.ways(posenc.lengthened_tables(64), dims=32, lang=lang, narrow=narrow)


def with_column(chart, name):
    """The one table of the chart that has the column."""
    tables = [pd.DataFrame(rows) for rows in chart.to_dict()["datasets"].values()]
    (found,) = [table for table in tables if name in table.columns]
    return found


def pictures(chart):
    """The size of each picture of the chart, and its entries' sign where they have one (0 where transparent)."""
    for rows in chart.to_dict()["datasets"].values():
        for url in (row["url"] for row in rows if "url" in row):
            yield np.asarray(Image.open(io.BytesIO(base64.b64decode(url.split(",")[1]))), dtype=int) - 127


@pytest.mark.parametrize(("rows", "offset"), TABLES)
def test_every_position_draws_the_row_that_a_lookup_gives(rows, offset):
    table = posenc.LearnedTable(posenc.untrained_table(rows, DIM), offset=offset)
    drawn = with_column(live(rows, offset), "word")
    assert list(drawn["position"]) == list(range(lookup.tokens(rows).maximum))
    found = drawn[drawn["found"]]
    assert len(found) == table.usable
    numbers = found[[f"d{i}" for i in range(DIM)]].to_numpy()
    # stored as float32
    np.testing.assert_allclose(numbers, table.lookup(found["position"].to_numpy()), rtol=1e-6, atol=0)
    assert (found["row"] == found["position"] + offset).all()


@pytest.mark.parametrize(("rows", "offset"), TABLES)
def test_every_length_counts_the_tokens_without_a_row(rows, offset):
    frames = with_column(live(rows, offset), "missing")
    assert list(frames["n_tokens"]) == list(range(1, lookup.tokens(rows).maximum + 1))
    assert list(frames["missing"]) == [max(0, n - (rows - offset)) for n in frames["n_tokens"]]
    assert (frames["used"] - frames["start"] + frames["missing"] == frames["n_tokens"]).all()
    assert (frames["used"].max(), frames["end"].max()) == (rows, lookup.tokens(rows).maximum + offset)
    listed = frames["used"] - frames["window"] + frames["missing"].clip(upper=lookup.LINES)
    assert (listed == frames["n_tokens"].clip(upper=lookup.LINES)).all()
    for n, says in zip(frames["n_tokens"], frames["says"], strict=True):
        overflows = posenc.first_overflow(n, rows=rows, offset=offset) is not None
        assert ("without a row" in says) == overflows


@pytest.mark.parametrize("lang", LANGUAGES)
def test_sentence_of_the_lesson_has_twelve_words_in_both_languages(lang):
    drawn = with_column(live(lang=lang), "word")
    assert tuple(drawn["word"]) == lookup.WORDS[lang]
    assert len(drawn) == 12
    assert list(drawn[~drawn["found"]]["position"]) == [8, 9, 10, 11]


def test_words_past_the_end_are_drawn_in_the_colour_of_warnings():
    text = json.dumps(live().to_dict()["hconcat"][1])
    assert text.count(f'"value": "{WARNING}"') >= 2
    assert '"filter": "!datum.found"' in text


def test_long_text_repeats_the_sentence():
    words = list(with_column(live(512), "word")["word"])
    assert words[12:24] == words[:12] == list(lookup.WORDS["en"])


@pytest.mark.parametrize(("rows", "offset"), TABLES)
@pytest.mark.parametrize("narrow", [False, True])
def test_whole_table_is_one_picture_and_says_which_rows_it_draws(rows, offset, narrow):
    chart = live(rows, offset, narrow=narrow)
    (drawn,) = pictures(chart)
    step = -(-rows // len(drawn))
    weights = posenc.untrained_table(rows, DIM)
    weights[:offset] = 0
    expected = np.clip(np.rint(weights[::step] / lookup.LIMIT * 127), -127, 127)
    np.testing.assert_array_equal(drawn, expected)
    said = json.dumps(chart.to_dict())
    assert ("is drawn" in said) == (step > 1)
    assert step in (1, 2) or f"every {step}th is drawn" in said


def test_chosen_row_shows_its_cosine_with_every_other():
    curve = with_column(similarity(), "cosine")
    assert len(curve) == 2 * 64 * 64 <= 8192
    for table, trained in (("before training", False), ("after training", True)):
        drawn = curve[curve["table"] == table].pivot(index="row", columns="other", values="cosine").to_numpy()
        np.testing.assert_allclose(drawn, posenc.row_similarities(64, trained=trained), rtol=0, atol=1e-12)
    assert figures.ROW.maximum == 63


def test_similarity_is_two_pictures_of_the_cosines():
    for drawn, trained in zip(pictures(similarity()), (False, True), strict=True):
        expected = np.rint(posenc.row_similarities(64, trained=trained) * 127)
        np.testing.assert_array_equal(drawn, expected)


def test_ways_are_pictures_of_the_four_tables():
    tables = posenc.lengthened_tables(64)
    expected = [tables.cut, tables.repeated, tables.interpolated, tables.trained]
    for drawn, table in zip(pictures(ways()), expected, strict=True):
        np.testing.assert_array_equal(drawn, np.clip(np.rint(table[:, :32] / figures.LIMIT * 127), -127, 127))


def widths(built):
    """The width of each view side by side, summed along a row."""
    if "hconcat" in built:
        return [sum(max(widths(view)) for view in built["hconcat"])]
    return [built["width"]] if "width" in built else [w for view in built["vconcat"] for w in widths(view)]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("draw", [live, similarity, ways])
def test_figures_fit_a_phone_and_a_column(draw, lang):
    assert max(widths(draw(lang=lang, narrow=True).to_dict())) <= NARROW - 60
    assert max(widths(draw(lang=lang).to_dict())) <= 700


@pytest.mark.parametrize(("rows", "offset", "n_tokens"), [(8, 0, 12), (8, 0, 8), (514, 2, 514), (1024, 0, 1025)])
@pytest.mark.parametrize("snippet", [snippets.numpy, snippets.torch], ids=["numpy", "torch"])
def test_code_prints_the_numbers_of_the_page(snippet, rows, offset, n_tokens, tmp_path, capsys):
    script = tmp_path / "shown.py"
    script.write_text(snippet(rows=rows, dim=DIM, offset=offset, n_tokens=n_tokens), encoding="utf-8")
    runpy.run_path(str(script))
    printed = capsys.readouterr().out.splitlines()
    table = posenc.LearnedTable(posenc.untrained_table(rows, DIM), offset=offset)
    last = table.lookup(min(n_tokens, table.usable) - 1)[:4]
    missing = max(0, n_tokens - table.usable)
    expected = [f"tokens without a row: {missing}", " ".join(f"{x:.4f}" for x in last)]
    if missing and snippet is snippets.torch:
        expected.insert(0, f"torch says: {posenc.torch_embedding_error().message}")
    assert printed == expected


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ({}, "position 8 is outside the table: 8 rows serve positions 0 to 7"),
        ({"offset": "2"}, "position 6 is outside the table: 8 rows serve positions 0 to 5"),
        ({"rows": "514", "offset": "2", "n_tokens": "513"}, "position 512 is outside the table: 514 rows serve"),
    ],
)
def test_error_of_torch_stands_beside_ours(visit, address, said):
    app = visit("learned_table", {"lang": "en", **address})
    (table,) = [element.value for element in app.markdown if "word for word" in element.value]
    assert said in table
    assert posenc.torch_embedding_error().message in table


def test_our_sentence_is_the_message_of_the_error(visit):
    app = visit("learned_table", {"lang": "en"})
    (table,) = [element.value for element in app.markdown if "word for word" in element.value]
    assert str(posenc.first_overflow(12, rows=8)) in table


def test_sentence_that_fits_shows_no_error(visit):
    app = visit("learned_table", {"lang": "en", "n_tokens": "8"})
    assert not [element for element in app.markdown if "word for word" in element.value]
