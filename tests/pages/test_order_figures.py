"""What the order page draws and shows as code are posenc's numbers; a visitor's words stay data."""

import io
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
from pages.order import figures, snippets, weights

DOG = ("dog", "bites", "man")
LONG = ("one", "two", "three", "four", "five", "six", "extraordinarily1", "eight", "nine", "ten", "eleven", "twelve")
SETTINGS = [
    {"words": DOG, "positions": "none", "causal": False, "layers": 1},
    {"words": tuple("狗咬人"), "positions": "sinusoidal", "causal": True, "layers": 2},
    {"words": ("no", 'a"b', "\\'{x}", "no", "**"), "positions": "rope", "causal": False, "layers": 2},
]


def built(words=DOG, *, lang="en", narrow=False, **stack):
    """The live figure as the page sends it."""
    inputs = {
        "shuffles": compute(posenc.shuffles, words=words, **stack),
        "words": words,
        "told": stack.get("positions", "none") != "none",
    }
    return spec(figures.equivariance, inputs, lang=lang, narrow=narrow)


def tables(specification):
    return [
        pa.ipc.open_stream(io.BytesIO(table)).read_all().to_pylist() for table in specification["datasets"].values()
    ]


def rows_with(specification, *columns):
    """The one table that has all of these columns."""
    (found,) = (rows for rows in tables(specification) if set(columns) <= rows[0].keys())
    return found


def drawn(specification, **values):
    """The texts that Vega draws with the handle at the value, and how many cells and lines."""
    rows = dict(zip(specification["datasets"], tables(specification), strict=True))
    scene = vl_convert.vegalite_to_scenegraph({**seeded(specification, values), "datasets": rows})["scenegraph"]
    texts, counts = [], {"rect": 0, "rule": 0}

    def walk(node):
        if node.get("role") == "mark":
            if node["marktype"] == "text":
                texts.extend(item["text"] for item in node["items"])
            elif node["marktype"] in counts:
                counts[node["marktype"]] += len(node["items"])
        for item in node.get("items", []):
            walk(item)

    walk(scene)
    return texts, counts


@pytest.mark.parametrize("settings", SETTINGS)
def test_every_frame_has_the_outputs_and_changes_of_its_order(settings):
    found, made = built(**settings), posenc.shuffles(**settings)
    frames = rows_with(found, "shuffle", "dimension", "value", "change")
    assert len(frames) == made.shuffled.size
    for name, expected in ("value", made.shuffled), ("change", made.change):
        # float32 halves what is sent; it keeps seven digits
        np.testing.assert_allclose([row[name] for row in frames], expected.ravel(), rtol=1e-6)
    steps = [(row["shuffle"], row["place"], row["dimension"]) for row in frames]
    assert steps == list(np.ndindex(made.shuffled.shape))
    walk = rows_with(found, "shuffle", "word", "length")
    assert [row["word"] for row in walk] == made.permutations.ravel().tolist()
    np.testing.assert_allclose([row["length"] for row in walk], made.lengths.ravel(), rtol=1e-6)


@pytest.mark.parametrize("step", range(6))
def test_words_stand_in_the_order_of_the_frame_and_their_changes_beside_them(step):
    texts, counts = drawn(built(positions="rope"), shuffle=step)
    made = posenc.shuffles(DOG, "rope")
    shuffled = [DOG[i] for i in made.permutations[step]]
    assert texts[texts.index("shuffled") + 1 :][:6] == [*DOG, *shuffled]
    assert [text for text in texts if re.fullmatch(r"\d\.\d{4}", text)] == [f"{x:.4f}" for x in made.lengths[step]]
    assert counts == {"rect": 3 * (3 * 8 + 3), "rule": 3}


@pytest.mark.parametrize("settings", SETTINGS)
def test_sentence_below_says_whether_the_outputs_moved(settings):
    notes = [row["note"] for row in rows_with(built(**settings), "note")]
    residuals = posenc.shuffles(**settings).residuals
    assert len(notes) == len(residuals)
    for note, residual in zip(notes, residuals, strict=True):
        kept = settings["positions"] == "none" and not settings["causal"]
        assert note.startswith("every word keeps" if kept or residual == 0 else "words get other")
    assert residuals[-1] < 1e-9 or f"{residuals[-1]:.4f}" in notes[-1]


def test_positions_are_drawn_only_where_the_layers_are_told_them():
    assert [text for text in drawn(built(), shuffle=0)[0] if text.isdigit()] == []
    assert [text for text in drawn(built(positions="rope"), shuffle=0)[0] if text.isdigit()] == list("012012")


def test_handle_runs_through_every_order_and_starts_at_the_reverse():
    for n, most in (1, 0), (2, 1), (3, 5), (5, 119), (6, 15), (12, 66):
        setting = figures.shuffle(n)
        assert (setting.minimum, setting.maximum) == (0, most)
        assert posenc.neighbour_walk(n)[setting.default].tolist() == list(range(n))[::-1]
    (handle,) = (param for param in built(LONG)["params"] if param["name"] == "shuffle")
    assert (handle["bind"]["min"], handle["bind"]["max"]) == (0, 66)


@pytest.mark.parametrize("words", [LONG, ("extraordinarily1",) * 5], ids=["twelve", "five"])
def test_the_largest_figure_stays_small(words):
    found = built(words, positions="sinusoidal")
    assert max(map(len, tables(found))) <= 8192
    assert sum(map(len, found["datasets"].values())) < 95_000


@pytest.mark.parametrize("words", [("one",), ("<b>x</b>", "<img src=x>", "datum.value", "'+alert(1)+'")])
@pytest.mark.parametrize("narrow", [False, True])
def test_any_words_are_drawn_as_they_are(words, narrow):
    texts, _ = drawn(built(words, narrow=narrow), shuffle=0)
    assert [text for text in texts if text in words][: 2 * len(words)] == [*words, *words]
    specification = {**built(words, narrow=narrow), "datasets": None}
    assert not any(word in str(specification) for word in words if word != "one")


def comparison(words=DOG, positions="sinusoidal", **more):
    return posenc.order_comparison(words, tuple(range(len(words))), positions, **more)


@pytest.mark.parametrize("causal", [False, True])
def test_tables_of_weights_are_posencs(causal):
    found = comparison(causal=causal)
    chart = weights.weights(found, positions="sinusoidal", lang="en", narrow=False).to_dict()
    cells = [rows for rows in chart["datasets"].values() if "weight" in rows[0]]
    assert len(cells) == 3
    expected = found.plain_weights[0], found.weights[0], found.weights[0] - found.plain_weights[0]
    for rows, table in zip(cells, expected, strict=True):
        np.testing.assert_array_equal([row["weight"] for row in rows], table.ravel())
        assert [(row["from"], row["to"]) for row in rows] == [(a, b) for a in DOG for b in DOG]
    sums = [row["sum"] for rows in chart["datasets"].values() if "sum" in rows[0] for row in rows]
    np.testing.assert_allclose(sums, 1, rtol=0, atol=1e-15)
    titles = [view["title"]["text"] for view in chart["hconcat"]]
    assert titles == ["no positions", "positions: sinusoids", f"difference, distance {found.distance:.4f}"]


def test_each_table_of_weights_has_colours_of_its_own():
    chart = weights.weights(comparison(), positions="rope", lang="zh", narrow=True).to_dict()
    assert chart["resolve"]["scale"]["color"] == "independent"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_figures_fit_their_place(lang):
    narrow = built(LONG, lang=lang, narrow=True)
    assert [view["width"] for view in narrow["vconcat"]] == [NARROW - 60] * 2
    assert built(LONG, lang=lang)["width"] == "container"
    for is_narrow, parts in (True, "vconcat"), (False, "hconcat"):
        chart = weights.weights(comparison(LONG), positions="rope", lang=lang, narrow=is_narrow).to_dict()
        assert all(view["width"] <= NARROW - 60 for view in chart[parts])
    assert sum(view["width"] for view in chart["hconcat"]) <= 600


def test_case_a14_equivariant_without_a_mask_and_not_with_it():
    x = np.array([[1.0, 0], [0, 1], [1, 1]])
    swap = [1, 0, 2]
    plain, swapped = (posenc.attention(rows, rows, rows) for rows in (x, x[swap]))
    np.testing.assert_allclose(plain[0], [0.8022241854, 0.5988879073], atol=1e-9)
    np.testing.assert_allclose(swapped, plain[swap], rtol=0, atol=1e-15)
    masked, swapped = (posenc.attention(rows, rows, rows, causal=True) for rows in (x, x[swap]))
    np.testing.assert_allclose(masked[1], [0.3302384507, 0.6697615493], atol=1e-9)
    assert np.abs(swapped - masked[swap]).max() > 0.3
    np.testing.assert_allclose(swapped[2], masked[2], rtol=0, atol=1e-15)


CLAIM = {"zh": "每个词的输出都不变", "en": "each word keeps its output"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_page_states_equivariance_only_where_it_holds(visit, lang):
    def said(**address):
        app = visit("order", {"lang": lang, **address})
        assert not app.exception
        return any(CLAIM[lang] in caption.value for caption in app.caption)

    assert said()
    assert said(layers="2", words="a b c d e f g")
    assert not said(causal="on")
    assert not said(positions="sinusoidal")
    assert not said(positions="rope", causal="on", layers="2")


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("write", [snippets.numpy, snippets.torch])
def test_code_shown_prints_the_changes_on_screen(tmp_path, write, settings):
    if write is snippets.torch:
        pytest.importorskip("torch")
    made = posenc.shuffles(**settings)
    step = figures.shuffle(len(settings["words"])).default
    order = tuple(made.permutations[step].tolist())
    script = tmp_path / "shown.py"
    script.write_text(write(permutation=order, **settings), encoding="utf-8")
    shown = subprocess.run(
        [sys.executable, "-X", "utf8", script], capture_output=True, encoding="utf-8", check=True
    ).stdout.splitlines()
    assert shown[:-1] == [f"{settings['words'][i]}: {made.lengths[step][at]:.4f}" for at, i in enumerate(order)]
    assert float(shown[-1].removeprefix("largest change: ")) == pytest.approx(made.residuals[step], rel=0.05, abs=1e-13)
