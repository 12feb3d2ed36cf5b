"""What the page of RoPE in attention draws and shows as code are posenc's numbers."""

import runpy
import subprocess
import sys

import altair as alt
import numpy as np
import pytest
import vl_convert

import posenc
from pages.kit.cache import compute
from pages.kit.spec import chart
from pages.kit.theme import NARROW
from pages.rope_attention import figures, frames, snippets
from pages.rope_attention.frames import SHIFTS, STEPS, TOKENS

CASES = [
    {"num_heads": 1, "num_kv_heads": 1, "causal": False, "rotate_values": False, "head": 0},
    {"num_heads": 4, "num_kv_heads": 2, "causal": True, "rotate_values": True, "head": 3},
    {"num_heads": 2, "num_kv_heads": 1, "causal": True, "rotate_values": False, "head": 1, "sample": 1},
]


def walked(case):
    options = {name: value for name, value in case.items() if name != "head"}
    return posenc.attention_walkthrough(shifts=SHIFTS, **options)


def drawn(case, *, lang="en", narrow=False, **more):
    inputs = {"walk": walked(case), "head": case["head"], "causal": case["causal"], **more}
    inputs["turned"] = (True, case["rotate_values"])
    return chart(figures.steps, inputs, lang=lang, narrow=narrow)


@pytest.fixture(autouse=True)
def _any_number_of_rows():
    with alt.data_transformers.enable("default", max_rows=None):
        yield


def rows_with(figure, *columns):
    tables = figure.to_dict()["datasets"].values()
    return max((table for table in tables if set(columns) <= table[0].keys()), key=len)


@pytest.mark.parametrize("case", CASES)
def test_every_step_has_a_frame_for_every_shift(case):
    walk, figure = walked(case), drawn(case)
    moving = rows_with(figure, "shift", "q_turned", "mixed", "out")
    assert len(moving) == len(SHIFTS) * TOKENS * 8
    for name, expected in (("q_turned", walk.q_rotated), ("mixed", walk.mixed)):
        joined = np.moveaxis(expected, 1, 2).reshape(len(SHIFTS), TOKENS, 8)
        np.testing.assert_allclose([row[name] for row in moving], joined.ravel(), atol=1e-6)
    np.testing.assert_allclose([row["out"] for row in moving], walk.out.ravel(), atol=1e-6)
    keys = rows_with(figure, "shift", "k_turned")
    np.testing.assert_allclose(
        [row["k_turned"] for row in keys], np.moveaxis(walk.k_rotated, 1, 2).ravel(), rtol=0, atol=1e-6
    )
    assert ("v_turned" in keys[0]) == case["rotate_values"]
    attended = rows_with(figure, "shift", "score", "weight")
    for name, expected in (("score", walk.scores), ("weight", walk.weights)):
        np.testing.assert_allclose([row[name] for row in attended], expected[:, case["head"]].ravel(), atol=1e-6)


def test_still_steps_are_those_before_the_turn():
    walk = walked(CASES[0])
    table = rows_with(drawn(CASES[0]), "step", "value")
    for step, expected in (
        ("x", walk.x),
        ("q", walk.q[0]),
        ("k", walk.k[0]),
        ("v", walk.v[0]),
        ("v_turned", walk.v[0]),
    ):
        shown = [row["value"] for row in table if row["step"] == step]
        np.testing.assert_allclose(shown, expected.ravel(), atol=1e-6)


def test_frames_are_few_enough_to_move_smoothly():
    tables = drawn(CASES[1]).to_dict()["datasets"].values()
    assert sum(map(len, tables)) <= 8_192


def told(figure, token, shift):
    """Every text in the picture that the browser draws for this token and shift."""
    spec = figure.to_dict()
    for param in spec["params"]:
        param["views"] = param["views"][:1]
        param["value"] = [{param["name"]: {"token": token, "shift": shift}[param["name"]]}]
    found = []

    def walk(node):
        if isinstance(node, dict):
            if isinstance(node.get("text"), str):
                found.append(node["text"])
            for entry in node.values():
                walk(entry)
        elif isinstance(node, list):
            for entry in node:
                walk(entry)

    walk(vl_convert.vegalite_to_scenegraph(spec))
    return found


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize(("token", "shift"), [(2, 0), (5, 13)])
def test_the_numbers_written_out_are_those_of_the_token_at_its_shift(token, shift, narrow):
    case = CASES[1]
    walk, said = walked(case), told(drawn(case, narrow=narrow), token, shift)
    head = case["head"]
    written = [
        *walk.scores[shift, head, token],
        *walk.weights[shift, head, token],
        *walk.q[:, token].ravel(),
        *walk.q_rotated[shift, :, token].ravel(),
        *walk.mixed[shift, :, token].ravel(),
        *walk.out[shift, token],
    ]
    numbers = [float(text.replace("−", "-")) for text in said if "." in text and "=" not in text]
    np.testing.assert_allclose(sorted(numbers), sorted(written), rtol=0, atol=5.1e-5)
    assert "Σ = 1.0000" in said
    assert f"token {token} (position {token + shift}), channel by channel" in said
    assert {str(n + shift) for n in range(TOKENS)} <= set(said)


def test_in_a_lecture_the_scores_and_weights_are_written_out_and_no_channels():
    case = CASES[1]
    walk, said = walked(case), told(drawn(case, afar=True), 5, 13)
    written = [*walk.scores[13, case["head"], 5], *walk.weights[13, case["head"], 5]]
    numbers = [float(text.replace("−", "-")) for text in said if "." in text and "=" not in text]
    np.testing.assert_allclose(sorted(numbers), sorted(written), rtol=0, atol=5.1e-5)
    assert not any("channel by channel" in text for text in said)
    near, far = (drawn(case, **more).to_dict()["vconcat"][0] for more in ({}, {"afar": True}))
    assert far["width"] / far["height"] > 1.7 > near["width"] / near["height"], "a screen is wide"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_phone_gets_a_board_no_wider_than_its_screen(lang):
    board = drawn(CASES[0], lang=lang, narrow=True).to_dict()["vconcat"][0]
    assert board["width"] <= NARROW - 60
    assert drawn(CASES[0], lang=lang).to_dict()["vconcat"][0]["width"] <= 800


def test_cache_figure_has_both_errors_for_every_prompt():
    errors = posenc.cache_errors()
    figure = chart(figures.cache, {"errors": errors}, lang="en")
    stuck = rows_with(figure, "prompt", "at", "error")
    assert {row["prompt"] for row in stuck} == set(range(figures.PROMPT.minimum, figures.PROMPT.maximum + 1))
    np.testing.assert_allclose([row["error"] for row in stuck], np.maximum(errors.stuck, figures.FLOOR).ravel())
    counting = min((t for t in figure.to_dict()["datasets"].values() if "error" in t[0]), key=len)
    np.testing.assert_allclose([row["error"] for row in counting], np.maximum(errors.counting, figures.FLOOR))


def test_every_step_in_the_table_of_shapes_has_as_many_names_as_axes():
    shapes = posenc.attention_walkthrough().shapes
    assert [len(shapes[step]) for step in STEPS] == [len(axes.split(", ")) for axes in STEPS.values()]


def test_heads_stand_side_by_side():
    heads = np.arange(24).reshape(2, 3, 4)
    np.testing.assert_array_equal(frames.joined(heads)[1], [4, 5, 6, 7, 16, 17, 18, 19])


STATES = [
    {**CASES[0], "token": 2, "shift": 0, "rotate": True},
    {**CASES[1], "token": 5, "shift": 13, "rotate": True},
    {**CASES[2], "token": 1, "shift": 20, "rotate": False},
    {**CASES[0], "token": 0, "shift": 7, "rotate": False, "rotate_values": True},
]


def numbers(printed):
    lines = [line.removeprefix("weights · v").removeprefix("weights").removeprefix("output") for line in printed]
    return [[float(entry) for entry in line.split()] for line in lines]


@pytest.mark.parametrize("state", STATES)
def test_numpy_code_prints_the_weights_and_the_mixture_on_screen(tmp_path, capsys, state):
    options = {name: state[name] for name in ("num_heads", "num_kv_heads", "causal", "rotate", "rotate_values")}
    walk = posenc.attention_walkthrough(shifts=SHIFTS, sample=state.get("sample", 0), **options)
    head, group = state["head"], state["head"] * len(walk.k) // len(walk.q)
    script = tmp_path / "shown.py"
    more = {name: state[name] for name in ("token", "shift", "rotate", "rotate_values", "causal")}
    script.write_text(snippets.numpy(q=walk.q[head], k=walk.k[group], v=walk.v[group], **more), encoding="utf-8")
    runpy.run_path(str(script))
    weights, mixed = numbers(capsys.readouterr().out.splitlines())
    np.testing.assert_allclose(weights, walk.weights[state["shift"], head, state["token"]], atol=5.1e-5)
    np.testing.assert_allclose(mixed, walk.mixed[state["shift"], head, state["token"]], atol=5.1e-5)


@pytest.mark.parametrize("state", STATES)
def test_torch_code_prints_the_weights_and_the_output_on_screen(tmp_path, state):
    options = {name: state[name] for name in ("num_heads", "num_kv_heads", "causal", "rotate", "rotate_values")}
    sample = state.get("sample", 0)
    walk = posenc.attention_walkthrough(shifts=SHIFTS, sample=sample, **options)
    script = tmp_path / "shown.py"
    more = {name: state[name] for name in ("head", "token", "shift", "rotate", "rotate_values", "causal")}
    heads = {"heads": state["num_heads"], "kv_heads": state["num_kv_heads"]}
    script.write_text(snippets.torch(sample=sample, **heads, **more), encoding="utf-8")
    # In a process of its own, since it seeds torch's global generator.
    printed = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True).stdout
    weights, out = numbers(printed.splitlines())
    np.testing.assert_allclose(weights, walk.weights[state["shift"], state["head"], state["token"]], atol=5.1e-5)
    np.testing.assert_allclose(out, walk.out[state["shift"], state["token"]], atol=5.1e-5)


def test_a_known_setting_needs_no_second_run_of_torch():
    runs = []

    def counted(**options):
        runs.append(options)
        return posenc.attention_walkthrough(**options)

    first, second = (compute(counted, shifts=range(3), causal=True).value for _ in range(2))
    assert first is second
    assert len(runs) == 1
    with pytest.raises(ValueError, match="read-only"):
        first.weights[0] = 0
