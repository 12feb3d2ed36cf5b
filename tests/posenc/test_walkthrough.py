"""The walkthrough: the lesson's digits, the same by NumPy alone, what a shift leaves, and what a cache gets wrong."""

import numpy as np
import pytest

import posenc
from posenc.walkthrough import lesson_digits

FLOAT32 = 1e-6
# recorded from the lesson's code, float32, as in test_nn
Q_0_1 = [0.027347251772880554, 0.1169437977935791, -0.27976417541503906, 0.30056220293045044]
Q_ROTATED_0_1 = [-0.08362885564565659, 0.08619681000709534, -0.3083726763725281, 0.27113083004951477]
WEIGHTS_0_0 = [0.2925582826137543, 0.20597420632839203, 0.11525296419858932, 0.10997840762138367]
OUT_0_0 = [-0.02105274796485901, -0.1849173903465271, 0.31712377071380615, 0.12672320008277893]

OPTIONS = [
    {},
    {"causal": True, "sample": 1},
    {"num_heads": 2, "rotate_values": True},
    {"num_heads": 4, "num_kv_heads": 2, "causal": True, "rotate_values": True},
    {"num_heads": 4, "num_kv_heads": 1, "rotate": False},
]


def test_the_lesson():
    digits = lesson_digits()
    for name, expected in [
        ("q[0, 1]", Q_0_1),
        ("q_rotated[0, 1]", Q_ROTATED_0_1),
        ("weights[0, 0]", WEIGHTS_0_0),
        ("weights[0].sum(-1)", [1.0] * 4),
        ("out[0, 0]", OUT_0_0),
    ]:
        np.testing.assert_allclose(digits[name], expected, rtol=0, atol=FLOAT32)


@pytest.mark.parametrize("options", OPTIONS)
def test_numpy_alone_gives_the_same_from_q_k_and_v(options):
    shifts = (0, 3, -40)
    walk = posenc.attention_walkthrough(shifts=shifts, **options)
    repeats = len(walk.q) // len(walk.k)
    for index, shift in enumerate(shifts):
        at = np.arange(6) + shift
        turns = {"q": options.get("rotate", True), "k": options.get("rotate", True)}
        turns["v"] = options.get("rotate_values", False)
        parts = {name: getattr(walk, name) for name in "qkv"}
        q, k, v = (posenc.rotate(parts[n], at) if turns[n] else parts[n] for n in "qkv")
        for part, shown in ((q, walk.q_rotated), (k, walk.k_rotated), (v, walk.v_rotated)):
            np.testing.assert_allclose(shown[index], part, rtol=0, atol=1e-13)
        k, v = (part.repeat(repeats, axis=0) for part in (k, v))
        weights = posenc.attention_weights(q, k, causal=options.get("causal", False))
        np.testing.assert_allclose(walk.scores[index], posenc.attention_scores(q, k), rtol=0, atol=1e-13)
        np.testing.assert_allclose(walk.weights[index], weights, rtol=0, atol=1e-13)
        np.testing.assert_allclose(walk.mixed[index], weights @ v, rtol=0, atol=1e-13)


def test_shapes_are_those_of_the_module_with_its_batch():
    shapes = posenc.attention_walkthrough(num_heads=4, num_kv_heads=2).shapes
    assert shapes["x"] == shapes["out"] == (2, 6, 8)
    assert shapes["q"] == shapes["q_rotated"] == shapes["mixed"] == (2, 4, 6, 2)
    assert shapes["k"] == shapes["v"] == (2, 2, 6, 2)
    assert shapes["scores"] == shapes["weights"] == (2, 4, 6, 6)


@pytest.mark.parametrize("shift", [1, -7, 1000, 1_000_000])
def test_a_shift_of_all_positions_leaves_weights_and_output(shift):
    walk = posenc.attention_walkthrough(shifts=(0, shift), causal=True, num_heads=2)
    assert walk.weights_change < 1e-11  # angles of a million radians have lost six digits
    assert walk.output_change < 1e-11
    assert np.abs(walk.q_rotated[1] - walk.q_rotated[0]).max() > 0.1


def test_turned_values_make_the_output_depend_on_where_the_text_stands():
    walk = posenc.attention_walkthrough(shifts=(0, 1000), rotate_values=True)
    assert walk.weights_change < 1e-12
    assert walk.output_change > 0.1


@pytest.mark.parametrize("options", OPTIONS)
def test_rows_sum_to_one(options):
    assert posenc.attention_walkthrough(shifts=range(20), **options).row_sum_error < 1e-15 * 6


def test_both_samples_are_there():
    first, second = (posenc.attention_walkthrough(sample=sample) for sample in (0, 1))
    assert np.abs(first.x - second.x).max() > 1


def test_cache_is_right_while_positions_count_on_and_wrong_from_the_first_token_that_does_not():
    # case A19
    errors = posenc.cache_errors()
    assert errors.counting.max() < 1e-14
    assert errors.stuck.shape == (11, 12)
    for prompt, row in enumerate(errors.stuck, 1):
        assert row[:prompt].max() < 1e-14
        assert row[prompt] > 1e-3
    grouped = posenc.cache_errors(num_heads=4, num_kv_heads=2)
    assert grouped.counting.max() < 1e-14 < 1e-3 < grouped.stuck[3, 4:].max()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shifts": ()}, r"shifts must be .*"),
        ({"shifts": (1.5,)}, "shifts must be .*integers.*"),
        ({"shifts": (10**12,)}, "shifts must be 1 to 1,024 integers within 1,000,000,000 of 0, got .*"),
        ({"shifts": range(2000)}, "shifts must be 1 to 1,024 integers .*"),
        ({"sample": 2}, "sample must be an integer from 0 to 1, got 2"),
        ({"num_heads": 3}, "num_heads must be a divisor of dim / 2, 4, got 3"),
        ({"num_heads": 4, "num_kv_heads": 3}, "num_kv_heads must be a divisor of num_heads, 4, got 3"),
        ({"causal": 1}, "causal must be True or False, got 1"),
        ({"rotate": None}, "rotate_queries_and_keys must be True or False, got None"),
    ],
)
def test_what_does_not_fit_is_refused(options, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        posenc.attention_walkthrough(**options)
