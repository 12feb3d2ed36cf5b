"""What the RoPE page draws and shows as code are posenc's numbers."""

import runpy

import numpy as np
import pytest

import posenc
from pages.kit.spec import chart
from pages.kit.theme import NARROW
from pages.rope import figures, snippets
from posenc import lessons

POSITIONS = range(figures.M.maximum + 1)


def inputs(head_dim=8, pair=1, **turn):
    q, k = lessons.query_and_key(head_dim)
    positions = np.arange(len(POSITIONS))
    return {
        "q_turned": posenc.turned_pairs(q, positions, **turn),
        "k_turned": posenc.turned_pairs(k, positions, **turn),
        "scores": posenc.score(q, k, positions[:, None], positions, **turn),
        "parts": posenc.pair_scores(q, k, np.arange(-positions[-1], positions[-1] + 1), 0, **turn),
        "pair": pair,
    }


def tables(drawn):
    """The rows of every table that the chart carries."""
    return list(drawn.to_dict()["datasets"].values())


def rows_with(drawn, *columns):
    """The longest table that has all of these columns."""
    return max((table for table in tables(drawn) if set(columns) <= table[0].keys()), key=len)


@pytest.fixture(autouse=True)
def _any_number_of_rows():
    import altair as alt

    with alt.data_transformers.enable("default", max_rows=None):
        yield


def test_dial_has_a_frame_for_every_position_with_the_turned_pair():
    given = inputs(pairing="half")
    drawn = chart(figures.rotation, given, lang="en")
    for name, position in (("q", "m"), ("k", "n")):
        frames = rows_with(drawn, position, "name_x")
        assert [frame[position] for frame in frames] == list(POSITIONS)
        expected = given[f"{name}_turned"][:, 1]
        np.testing.assert_allclose([(frame["x"], frame["y"]) for frame in frames], expected)


def test_marker_has_the_score_of_every_pair_of_positions():
    q, k = lessons.query_and_key()
    frames = rows_with(chart(figures.rotation, inputs(), lang="en"), "m", "n", "score")
    assert len(frames) == len(POSITIONS) ** 2
    for frame in frames[::97]:
        assert frame["relative"] == frame["m"] - frame["n"]
        assert frame["score"] == pytest.approx(float(posenc.score(q, k, frame["m"], frame["n"])), abs=1e-12)


def test_parts_of_the_pairs_add_up_to_the_score():
    drawn = chart(figures.rotation, inputs(pairing="half"), lang="en")
    parts = rows_with(drawn, "part", "pair", "relative")
    frames = rows_with(drawn, "m", "n", "score")
    total = dict.fromkeys(range(-POSITIONS[-1], len(POSITIONS)), 0.0)
    for part in parts:
        total[part["relative"]] += part["part"]
    for frame in frames[::97]:
        # Both are sums of the same rounded products, taken at other absolute positions.
        assert frame["score"] == pytest.approx(total[frame["relative"]], abs=1e-11)


def test_a_wide_head_stays_within_what_moves_smoothly():
    drawn = chart(figures.rotation, inputs(head_dim=128), lang="en")
    assert max(len(table) for table in tables(drawn)) <= 8_300


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_phone_gets_views_no_wider_than_its_screen(lang):
    drawn = chart(figures.rotation, inputs(), lang=lang, narrow=True).to_dict()
    assert all(view["width"] <= NARROW for view in drawn["vconcat"])


def test_decay_panels_show_mean_spread_and_peak():
    distances = np.arange(257)
    equal, apart = (posenc.random_score_spread(distances, 8, content=content) for content in ("equal", "independent"))
    q, k = posenc.peaked_pair(40, 8)
    peaked = posenc.score_curve(q, k, distances)
    drawn = chart(figures.decay, {"equal": equal, "independent": apart, "peaked": peaked, "peak": 40}, lang="en")
    panels = [table for table in tables(drawn) if "low" in table[0]]
    for panel, mean, std in zip(panels, (equal.mean, apart.mean, peaked), (equal.std, apart.std, 0), strict=True):
        np.testing.assert_allclose([row["score"] for row in panel], mean)
        np.testing.assert_allclose(
            [row["high"] - row["low"] for row in panel], np.broadcast_to(2 * std, 257), atol=1e-12
        )
    assert max(panels[2], key=lambda row: row["score"])["distance"] == 40


STATES = [
    {"m": 9, "n": 4, "head_dim": 8, "base": 10_000, "pairing": "half", "rotary_dim": 8},
    {"m": 60, "n": 63, "head_dim": 64, "base": 100, "pairing": "interleaved", "rotary_dim": 32},
    {"m": 0, "n": 64, "head_dim": 128, "base": 1_000_000, "pairing": "half", "rotary_dim": 32},
]


@pytest.mark.parametrize("state", STATES, ids=lambda state: f"{state['pairing']}-{state['rotary_dim']}")
@pytest.mark.parametrize("write", [snippets.numpy, snippets.torch])
def test_code_shown_prints_the_score_on_screen(tmp_path, capsys, write, state):
    script = tmp_path / "shown.py"
    script.write_text(write(**state))
    runpy.run_path(str(script))
    settings = dict(state)
    m, n = settings.pop("m"), settings.pop("n")
    q, k = lessons.query_and_key(settings.pop("head_dim"))
    assert float(capsys.readouterr().out) == pytest.approx(float(posenc.score(q, k, m, n, **settings)), abs=5.1e-5)
