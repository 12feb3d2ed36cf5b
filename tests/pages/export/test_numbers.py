"""Numbers of a figure: those of posenc at the state on screen, in full precision, readable by other programs."""

import io

import numpy as np
import pandas as pd
import pytest

import posenc
from pages.index import CONCEPTS
from pages.kit.export.numbers import FORMULA, csv, npy
from pages.kit.figure import columns, grid, grids
from pages.kit.record import record
from pages.layouts import faults
from posenc import lessons

FOLDERS = [concept.folder for concept in CONCEPTS]
STATES = {
    "home": {"first": "7"},
    "order": {"words": "dog bites man again", "causal": "on", "layers": "2", "shuffle": "5"},
    "heatmap": {"n_positions": "512", "d_model": "512", "base": "100", "layout": "concatenated"},
    "distance": {"d_model": "32", "p": "12"},
    "shift_matrix": {"k": "-3", "block": "1", "layout": "concatenated"},
    "rope": {"m": "17", "pairing": "interleaved", "rotary": "half", "peak": "30"},
    "rope_attention": {"token": "4", "shift": "11", "mask": "causal"},
    "layouts": {"encoding": "sinusoid", "progress": "20"},
    "learned_table": {"rows": "512"},
}
"""Away from every default that the numbers depend on."""


def wanted(folder: str) -> dict[str, np.ndarray]:
    """The figures' numbers, computed without the page."""
    return WANTED[folder]()


def of_rope():
    q, k = lessons.query_and_key(head_dim=8)
    turn = {"base": 10_000, "pairing": "interleaved"}
    turned = [
        np.concatenate([posenc.rotate(np.tile(x[:4], (65, 1)), range(65), **turn), np.tile(x[4:], (65, 1))], axis=1)
        for x in (q, k)
    ]
    spreads = [
        posenc.random_score_spread(range(257), content=content, head_dim=8, **turn)
        for content in ("equal", "independent")
    ]
    peaked = posenc.score_curve(*posenc.peaked_pair(30, 8, **turn), distances=range(257), **turn)
    decay = [part for spread in spreads for part in (spread.mean, spread.std)]
    return {"rotation": turned[0] @ turned[1].T, "decay": np.stack([*decay, peaked], axis=-1)}


def of_order():
    words = ("dog", "bites", "man", "again")
    stack = {"words": words, "causal": True, "layers": 2, "d_model": 8}
    permutation = posenc.shuffles(**stack).permutations[5]
    moved = posenc.order_comparison(permutation=tuple(permutation.tolist()), positions="none", **stack)
    back = np.empty_like(moved.outputs)
    back[permutation] = moved.permuted_outputs
    placed = posenc.order_comparison(permutation=(0, 1, 2, 3), positions="sinusoidal", **stack)
    plain, given = placed.plain_weights[0], placed.weights[0]
    return {"equivariance": np.stack([moved.outputs, back]), "weights": np.stack([plain, given, given - plain])}


def of_shift_matrix():
    table = {"d_model": 8, "base": 10_000, "layout": "concatenated"}
    maps = [posenc.best_linear_map(k=-3, positions=range(256), features=f, **table) for f in ("pair", "sine", "cosine")]
    sines = posenc.sinusoidal(np.arange(256) - 3, **table)[:, 1]
    return {
        "shift": posenc.shift_matrix(-3, **table),
        "best_maps": np.stack([*(found.residuals for found in maps), sines, maps[1].predicted[:, 1]], axis=-1),
    }


def of_rope_attention():
    walk = posenc.attention_walkthrough(
        shifts=(11,), rotate=True, rotate_values=False, causal=True, num_heads=1, num_kv_heads=1, sample=0
    )
    errors = posenc.cache_errors()
    return {
        "steps": np.stack([walk.scores[0, 0], walk.weights[0, 0]]),
        "cache": np.stack([errors.counting, errors.stuck[3]], axis=-1),
    }


def of_layouts():
    made = posenc.conversion(8, positions=(3, 13), encoding="sinusoid", source="interleaved", target="half")
    before = posenc.sinusoidal([3], 8)[0]
    after = posenc.sinusoidal([3], 8, layout="concatenated")[0]
    goes_to = [list(made.order).index(channel) for channel in range(8)]
    spectra = posenc.compare_spectra(8, distances=range(65))
    return {
        "permutation": np.stack([made.given, before, goes_to, after[goes_to]], axis=-1),
        "lengths": posenc.squared_lengths((1, 2, 3, 4), positions=faults.POSITIONS).T,
        "spectra": np.stack([posenc.distance_kernel(range(65), 8), spectra.tensor2tensor_dots], axis=-1),
    }


def of_learned_table():
    tables = posenc.lengthened_tables(kept=64, rows=128)
    alike = [posenc.row_similarities(rows=64, trained=trained) for trained in (False, True)]
    return {
        "ways": np.stack([tables.repeated, tables.interpolated, tables.trained])[:, :, :32],
        "lookup": posenc.untrained_table(512, 16),
        "similarity": np.stack(alike),
    }


def of_distance():
    table = posenc.sinusoidal(range(101), 32)
    profiles = [posenc.distance_kernel(range(1, 4097), d) / (d / 2) for d in (64, 128, 512)]
    return {"moving_start": table @ table.T, "long_range": np.stack(profiles, axis=-1)}


WANTED = {
    "home": lambda: {"sentences": posenc.pair_angles(range(63), 16)[:, :4]},
    "order": of_order,
    "heatmap": lambda: {"table": posenc.sinusoidal(range(512), 512, base=100, layout="concatenated")},
    "distance": of_distance,
    "shift_matrix": of_shift_matrix,
    "rope": of_rope,
    "rope_attention": of_rope_attention,
    "layouts": of_layouts,
    "learned_table": of_learned_table,
}


@pytest.mark.parametrize("folder", FOLDERS)
def test_numbers_are_those_that_posenc_gives(folder):
    """In float64; products summed in another order may differ by rounding."""
    figures = record(folder, "en", STATES.get(folder, {})).figures
    known = wanted(folder) if figures else {}
    assert {figure.name for figure in figures} == known.keys()
    for figure in figures:
        np.testing.assert_allclose(figure.numbers().array, known[figure.name], rtol=0, atol=1e-12, err_msg=figure.name)


@pytest.mark.parametrize("folder", FOLDERS)
def test_numbers_open_in_other_programs(folder):
    for figure in record(folder, "zh").figures:
        numbers = figure.numbers()
        assert tuple(map(len, numbers.axes.values())) == numbers.array.shape, figure.name
        assert np.array_equal(np.load(io.BytesIO(npy(numbers)), allow_pickle=False), numbers.array, equal_nan=True)
        made = csv(numbers)
        assert made.startswith(b"\xef\xbb\xbf")
        table = pd.read_csv(io.BytesIO(made))
        assert all(column.isascii() for column in table.columns)
        if numbers.array.ndim > 2:
            assert table.shape == (numbers.array.size, numbers.array.ndim + 1)
            read = table[numbers.name].to_numpy().reshape(numbers.array.shape)
        else:
            assert table.shape == (len(numbers.array), numbers.array.shape[1] + 1)
            read = table.iloc[:, 1:].to_numpy()
        assert np.array_equal(read, numbers.array, equal_nan=True), figure.name


def test_table_shapes_follow_the_axes():
    array = np.array([[0.1, -2.0], [np.nan, 1e-300]])
    lines = csv(grid("score", array, m=range(2), n=range(2))).decode("utf-8-sig").splitlines()
    assert lines == ["m/n,0,1", "0,0.1,-2.0", "1,,1e-300"]
    assert csv(grid("score", array[0], m=range(2))).decode("utf-8-sig").splitlines() == ["m,score", "0,0.1", "1,-2.0"]
    assert csv(columns("m", range(2), a=array[0], b=array[1])).decode("utf-8-sig").splitlines()[0] == "m,a,b"
    long = csv(grids("score", {"x": array, "y": array}, m=range(2), n=range(2))).decode("utf-8-sig").splitlines()
    assert long[:2] == ["table,m,n,score", "x,0,0,0.1"]
    assert len(long) == 9


@pytest.mark.parametrize("sign", FORMULA)
def test_no_word_of_a_visitor_becomes_a_formula(sign):
    numbers = grid("weight", np.array([-1.0]), word=(f'{sign}HYPERLINK("x")',))
    table = pd.read_csv(io.BytesIO(csv(numbers)))
    assert table["word"][0] == f'\'{sign}HYPERLINK("x")'
    assert table["weight"][0] == -1.0
