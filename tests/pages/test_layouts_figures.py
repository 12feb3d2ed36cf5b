"""What the layouts page draws, shows as code and offers to save are posenc's numbers."""

import runpy
import subprocess
import sys

import numpy as np
import pytest

import posenc
from pages.kit.spec import chart
from pages.kit.theme import NARROW
from pages.layouts import faults, figures, snippets, words
from posenc import claims

ENCODINGS = ("rope", "sinusoid")
TURNS = ({"source": "interleaved", "target": "half"}, {"source": "half", "target": "interleaved"})
LAST = figures.PROGRESS.maximum


def drawn(width=8, encoding="rope", turn=TURNS[0], lang="en", narrow=False):
    given = {"converted": posenc.conversion(width, encoding=encoding, **turn), "position": 3, "encoding": encoding}
    return chart(figures.permutation, {**given, **turn}, lang=lang, narrow=narrow)


def tables(figure):
    return list(figure.to_dict()["datasets"].values())


def rows_with(figure, *columns):
    """The longest table that has all of these columns."""
    return max((table for table in tables(figure) if set(columns) <= table[0].keys()), key=len)


@pytest.fixture(autouse=True)
def _any_number_of_rows():
    import altair as alt

    with alt.data_transformers.enable("default", max_rows=None):
        yield


@pytest.mark.parametrize("turn", TURNS, ids=lambda turn: turn["target"])
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("width", [4, 8, 16])
def test_every_tile_goes_from_its_channel_to_where_the_permutation_puts_it(width, encoding, turn):
    frames = rows_with(drawn(width, encoding, turn), "progress", "along", "across")
    assert len(frames) == width * len(figures.FRAMES)
    order = posenc.pairing_permutation(width, **turn)
    start = [frame for frame in frames if frame["progress"] == 0]
    end = sorted((frame for frame in frames if frame["progress"] == LAST), key=lambda frame: frame["along"])
    assert [frame["along"] for frame in start] == [frame["channel"] for frame in start] == list(range(width))
    assert [frame["channel"] for frame in end] == order.tolist()
    for frames_of_row, row in ((start, 0), (end, 1)):
        # float32 holds pixels to far less than one
        rows = [frame["across"] for frame in frames_of_row]
        np.testing.assert_allclose(rows, figures.Plan(False, width).rows[row], atol=1e-4)


@pytest.mark.parametrize("turn", TURNS, ids=lambda turn: turn["target"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_each_tile_carries_the_number_that_waits_where_it_arrives(encoding, turn):
    figure = drawn(16, encoding, turn)
    expected = posenc.conversion(16, encoding=encoding, **turn)
    tiles = rows_with(figure, "channel", "value", "there")
    assert [tile["value"] for tile in tiles] == expected.before.tolist()
    assert [expected.after[tile["end"]] for tile in tiles] == [tile["value"] for tile in tiles]
    waiting = {row["along"]: row["text"] for row in rows_with(figure, "along", "across", "text") if "pair" in row}
    assert {tile["end"]: f"{tile['value']:z.2f}".replace("-", "−") for tile in tiles} == waiting


@pytest.mark.parametrize("turn", TURNS, ids=lambda turn: turn["target"])
def test_members_of_a_pair_share_number_and_shade(turn):
    tiles = rows_with(drawn(16, turn=turn), "channel", "shade")
    pairs = posenc.pair_members(16, pairing=turn["source"])
    for i, (first, second) in enumerate(pairs):
        assert tiles[first]["pair"] == tiles[second]["pair"] == i
        assert tiles[first]["shade"] == tiles[second]["shade"]
        assert tiles[first]["name"] == tiles[second]["name"] == f"θ{'₀₁₂₃₄₅₆₇'[i]}"
    assert len({tile["shade"] for tile in tiles}) == 8


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("width", [8, 16])
def test_no_tile_covers_another_on_the_way(width, narrow):
    plan = figures.Plan(narrow, width)
    frames = rows_with(drawn(width, narrow=narrow), "progress", "along", "across")
    at = np.array([(frame["along"], frame["across"]) for frame in frames]).reshape(len(figures.FRAMES), width, 2)
    # In the middle third the members of the pairs have parted into two rows; at the ends there is one.
    for places in at[20:41]:
        apart = np.abs(places[:, None] - places) / (2 * np.array(plan.tile))
        covered = apart.max(axis=-1) < (0.6 if narrow else 0.99)
        assert covered.sum() == width


def test_way_ahead_of_a_tile_shrinks_to_nothing():
    ways = rows_with(drawn(), "until")
    left = [sum(point["until"] >= progress for point in ways) for progress in figures.FRAMES]
    assert left[0] == len(ways) > 100
    assert left == sorted(left, reverse=True)
    assert left[-1] == 0


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_phone_gets_views_no_wider_than_its_screen(lang, encoding):
    assert drawn(16, encoding, lang=lang, narrow=True).to_dict()["width"] <= NARROW - 60
    squared = posenc.squared_lengths([1, 2, 3, 4], faults.POSITIONS)
    spectra = posenc.compare_spectra(8, faults.DISTANCES)
    for draw, given in ((faults.lengths, {"squared": squared}), (faults.spectra, {"compared": spectra})):
        views = chart(draw, given, lang=lang, narrow=True).to_dict()["vconcat"]
        assert all(view["width"] <= NARROW - 60 for view in views)


def test_ring_of_a_mix_up_has_the_area_of_its_squared_length():
    squared = posenc.squared_lengths([1, 2, 3, 4], faults.POSITIONS)
    figure = chart(faults.lengths, {"squared": squared}, lang="en")
    rings = rows_with(figure, "area", "way", "p")
    assert len(rings) == squared.size
    for ring in rings:
        assert ring["squared"] == pytest.approx(squared[ring["way"], ring["p"]])
        assert ring["area"] / ring["squared"] == pytest.approx(rings[0]["area"] / rings[0]["squared"])
    at_one = {row["name"]: row["squared"] for row in rows_with(figure, "name", "squared") if row["p"] == 1}
    assert at_one == {
        "turned correctly": pytest.approx(30),
        "angles for neighbours, halves turned": pytest.approx(34.377182, abs=5e-7),
        "angles for halves, neighbours turned": pytest.approx(24.629552, abs=5e-7),
    }


@pytest.mark.parametrize("d_model", words.WIDTH.options)
def test_spectra_show_both_frequencies_and_both_products(d_model):
    compared = posenc.compare_spectra(d_model, faults.DISTANCES)
    figure = chart(faults.spectra, {"compared": compared}, lang="en")
    for name, value in (("frequency", ("paper", "tensor2tensor")), ("dot", ("paper_dots", "tensor2tensor_dots"))):
        rows = rows_with(figure, "which", name)
        for label, field in zip((faults.PAPER, faults.TENSOR2TENSOR), value, strict=True):
            shown = [row[name] for row in rows if row["which"] == label("en")]
            np.testing.assert_array_equal(shown, getattr(compared, field))


STATES = [(8, "rope", TURNS[0]), (16, "rope", TURNS[1]), (4, "sinusoid", TURNS[0]), (16, "sinusoid", TURNS[1])]


@pytest.mark.parametrize(("width", "encoding", "turn"), STATES)
@pytest.mark.parametrize("write", [snippets.numpy, snippets.torch])
def test_code_shown_prints_the_numbers_on_screen(tmp_path, write, width, encoding, turn):
    script = tmp_path / "shown.py"
    script.write_text(write(width=width, encoding=encoding, **turn), encoding="utf-8")
    ran = subprocess.run([sys.executable, "-W", "error", script], capture_output=True, text=True, check=True)
    before, after, products, agrees = (line.split() for line in ran.stdout.splitlines())
    expected = posenc.conversion(width, encoding=encoding, **turn)
    np.testing.assert_allclose(np.array(before, float), expected.before, rtol=0, atol=5.1e-3)
    np.testing.assert_allclose(np.array(after, float), expected.after, rtol=0, atol=5.1e-3)
    np.testing.assert_allclose(np.array(products, float), expected.products, rtol=0, atol=5.1e-5)
    assert agrees == ["True"]


MODELS = [(8, 4, 2, "half"), (16, 4, 1, "interleaved"), (4, 1, 1, "half"), (8, 2, 2, "interleaved")]


@pytest.mark.parametrize(("head_dim", "num_heads", "num_kv_heads", "target"), MODELS)
def test_saved_script_converts_as_posenc_does_and_finds_the_residuals_on_screen(
    tmp_path, capsys, head_dim, num_heads, num_kv_heads, target
):
    model = {"num_heads": num_heads, "num_kv_heads": num_kv_heads}
    script = tmp_path / "saved.py"
    script.write_text(snippets.conversion_script(head_dim=head_dim, target=target, **model), encoding="utf-8")
    convert = runpy.run_path(str(script), run_name="__main__")["convert"]
    found = dict(line.rsplit(" ", 1) for line in capsys.readouterr().out.splitlines())
    source = "interleaved" if target == "half" else "half"
    for name, converted in (("both", "both"), ("q only", "queries"), ("k only", "keys")):
        residual = claims.conversion_residual(16, head_dim * num_heads, converted=converted, source=source, **model)
        # rounding where both are converted; else the same number to the two digits printed
        assert float(found[name]) == pytest.approx(residual, rel=0.051, abs=1e-12)
    import torch

    weights = [np.arange(heads * head_dim * 3).reshape(-1, 3) for heads in model.values()]
    for make in (np.asarray, torch.as_tensor):
        for new, old, heads in zip(convert(*map(make, weights)), weights, model.values(), strict=True):
            right = posenc.permute_projection(old, num_heads=heads, source=source, target=target)
            assert type(new) is type(make(old))
            np.testing.assert_array_equal(np.asarray(new), right)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_page_gives_the_products_and_the_verdicts(visit, lang):
    app = visit("layouts", {"lang": lang, "head_dim": "8"})
    assert not app.exception
    shown = [element.value for element in app.markdown]
    rope = posenc.conversion(8)
    assert any(all(f"{x:.4f}" in text for x in rope.products) for text in shown)
    # the mix-up that passes every check without a reference, and the spectrum that is no permutation
    assert any("2.65" in text and text.count("✗") == 7 for text in shown)
    assert any("1.69618" in text and "2.05489" in text for text in shown)
    assert any("0 2 4 6 1 3 5 7" in text and "0 4 1 5 2 6 3 7" in text for text in shown)


@pytest.mark.parametrize("address", [{"num_heads": "1"}, {"num_heads": "1", "num_kv_heads": "4"}, {"head_dim": "128"}])
def test_settings_that_do_not_fit_together_are_brought_into_range(visit, address):
    app = visit("layouts", {"lang": "en", **address})
    assert not app.exception
    assert not app.error


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_conversion_script_can_be_saved_in_either_language(visit, lang):
    app = visit("layouts", {"lang": lang, "target": "interleaved"})
    (button,) = app.get("download_button")
    assert button.proto.label == words.SAVE(lang)
    assert button.proto.ignore_rerun
