"""Every public function names the argument, the rule and what it got."""

import numpy as np
import pytest
import torch

import posenc

pytestmark = pytest.mark.filterwarnings("error")

NAN, INF = float("nan"), float("inf")
X = np.ones((3, 8))
TABLE = np.ones((4, 2))

BAD_NUMBERS = ["3", b"3", None, True, np.True_, NAN, INF, -INF, 1j, 10**400, {}, {3}, object(), np.datetime64("2020")]
BAD_ARRAYS = [
    *BAD_NUMBERS,
    [1, NAN],
    [True, 2],
    (1, [2, False]),
    ["1"],
    [None],
    [[1], [2, 3]],
    np.array([True]),
    np.array([INF]),
    np.array([1j]),
    np.array(["1"]),
    np.array([None]),
    np.timedelta64(3, "D"),
    torch.tensor([True]),
    torch.tensor([NAN]),
    torch.tensor(1j),
    [torch.tensor(1.0, requires_grad=True), "x"],
]
BAD_WIDTHS = [*BAD_NUMBERS, 0, -2, 5, 8.0, np.float64(8), [8], np.array(8), torch.tensor(8), 10**400 + 1]
BAD_INTEGERS = [*BAD_NUMBERS, -1, 1.0, 2.5, [3], np.float64(3)]
BAD_BASES = [*BAD_NUMBERS, 1, 1.0, 0, -10.0, [10.0], np.array(10.0)]
BAD_CHOICES = ["", "Half", "other", None, 3, True, ["half"], np.array(["half"]), b"half"]

WIDTH_RULE = "a positive even integer"
ARRAY_RULE = "finite real numbers"
BASE_RULE = "a finite number above 1"

WIDTHS = {
    "inverse_frequencies": ("dim", lambda d: posenc.inverse_frequencies(d)),
    "wavelengths": ("dim", lambda d: posenc.wavelengths(d)),
    "sinusoidal-concatenated": ("d_model", lambda d: posenc.sinusoidal(1, d, layout="concatenated")),
    "sinusoidal-tensor2tensor": ("d_model", lambda d: posenc.sinusoidal(1, d, spectrum="tensor2tensor")),
    "pair_angles": ("d_model", lambda d: posenc.pair_angles(1, d)),
    "distance_kernel": ("d_model", lambda d: posenc.distance_kernel(1, d)),
    "dot_products": ("d_model", lambda d: posenc.dot_products(1, 1, d)),
    "product_matrix": ("d_model", lambda d: posenc.product_matrix([1], d)),
    "first_rise": ("d_model", lambda d: posenc.first_rise(d)),
    "first_negative": ("d_model", lambda d: posenc.first_negative(d)),
    "shift_matrix": ("d_model", lambda d: posenc.shift_matrix(1, d)),
    "shift_blocks": ("d_model", lambda d: posenc.shift_blocks(1, d)),
    "pair_channels": ("d_model", lambda d: posenc.pair_channels(d)),
    "shifted": ("d_model", lambda d: posenc.shifted(1, 1, d)),
    "best_linear_map": ("d_model", lambda d: posenc.best_linear_map(1, np.arange(99), d)),
    "pair_members": ("head_dim", lambda d: posenc.pair_members(d)),
    "pairing_permutation": ("head_dim", lambda d: posenc.pairing_permutation(d, source="half", target="half")),
    "peaked_pair": ("head_dim", lambda d: posenc.peaked_pair(1, d)),
    "random_score_spread": ("head_dim", lambda d: posenc.random_score_spread([1], d)),
    "layout_permutation": (
        "d_model",
        lambda d: posenc.layout_permutation(d, source="interleaved", target="concatenated"),
    ),
    "compare_spectra": ("d_model", lambda d: posenc.compare_spectra(d)),
    "embed_words": ("d_model", lambda d: posenc.embed_words(["dog"], d)),
    "mix_ups": ("head_dim", lambda d: posenc.mix_ups(d)),
    "dots_by_distance": ("d_model", lambda d: posenc.lessons.dots_by_distance(d)),
}
ARRAYS = {
    "sinusoidal": ("positions", lambda a: posenc.sinusoidal(a, 8)),
    "pair_angles": ("positions", lambda a: posenc.pair_angles(a, 8)),
    "distance_kernel": ("distances", lambda a: posenc.distance_kernel(a, 8)),
    "dot_products-starts": ("starts", lambda a: posenc.dot_products(a, 1, 8)),
    "dot_products-distances": ("distances", lambda a: posenc.dot_products(1, a, 8)),
    "product_matrix": ("positions", lambda a: posenc.product_matrix(a, 8)),
    "shift_matrix": ("k", lambda a: posenc.shift_matrix(a, 8)),
    "shift_blocks": ("k", lambda a: posenc.shift_blocks(a, 8)),
    "shifted": ("positions", lambda a: posenc.shifted(a, 1, 8)),
    "best_linear_map": ("positions", lambda a: posenc.best_linear_map(1, a, 8)),
    "rotate-x": ("x", lambda a: posenc.rotate(a, 0)),
    "rotate-positions": ("positions", lambda a: posenc.rotate(X, a)),
    "turned_pairs-x": ("x", lambda a: posenc.turned_pairs(a, 0)),
    "turned_pairs-positions": ("positions", lambda a: posenc.turned_pairs(X, a)),
    "pair_scores-q": ("q", lambda a: posenc.pair_scores(a, X, 0, 0)),
    "pair_scores-k": ("k", lambda a: posenc.pair_scores(X, a, 0, 0)),
    "pair_scores-m": ("m", lambda a: posenc.pair_scores(X, X, a, 0)),
    "pair_scores-n": ("n", lambda a: posenc.pair_scores(X, X, 0, a)),
    "score-m": ("m", lambda a: posenc.score(X, X, a, 0)),
    "rest_score": ("q", lambda a: posenc.rest_score(a, X)),
    "additive_score": ("n", lambda a: posenc.additive_score(X, X, 0, a)),
    "score_curve": ("distances", lambda a: posenc.score_curve(X, X, a)),
    "random_score_spread": ("distances", lambda a: posenc.random_score_spread(a, 8)),
    "LearnedTable": ("weights", lambda a: posenc.LearnedTable(a)),
    "resize_table": ("weights", lambda a: posenc.resize_table(a, 3)),
    "repeat_last_row": ("weights", lambda a: posenc.repeat_last_row(a, 3)),
    "row_norms": ("weights", lambda a: posenc.row_norms(a)),
    "attention-q": ("q", lambda a: posenc.attention(a, X, X)),
    "attention-k": ("k", lambda a: posenc.attention(X, a, X)),
    "attention-v": ("v", lambda a: posenc.attention(X, X, a)),
    "attention_scores": ("q", lambda a: posenc.attention_scores(a, X)),
    "attention_weights": ("k", lambda a: posenc.attention_weights(X, a)),
    "attention_stack": ("x", lambda a: posenc.attention_stack(a)),
    "mixed_up-x": ("x", lambda a: posenc.mixed_up(a, 0)),
    "mixed_up-positions": ("positions", lambda a: posenc.mixed_up(X, a)),
    "permute_projection": (
        "weight",
        lambda a: posenc.permute_projection(a, num_heads=1, source="half", target="half"),
    ),
    "cosine_similarities": ("weights", lambda a: posenc.cosine_similarities(a)),
}
BASES = {
    "inverse_frequencies": lambda b: posenc.inverse_frequencies(8, base=b),
    "wavelengths": lambda b: posenc.wavelengths(8, base=b),
    "sinusoidal": lambda b: posenc.sinusoidal(1, 8, base=b),
    "pair_angles": lambda b: posenc.pair_angles(1, 8, base=b),
    "distance_kernel": lambda b: posenc.distance_kernel(1, 8, base=b),
    "dot_products": lambda b: posenc.dot_products(1, 1, 8, base=b),
    "product_matrix": lambda b: posenc.product_matrix([1], 8, base=b),
    "first_rise": lambda b: posenc.first_rise(8, base=b),
    "first_negative": lambda b: posenc.first_negative(8, base=b),
    "shift_matrix": lambda b: posenc.shift_matrix(1, 8, base=b),
    "shift_blocks": lambda b: posenc.shift_blocks(1, 8, base=b),
    "shifted": lambda b: posenc.shifted(1, 1, 8, base=b),
    "best_linear_map": lambda b: posenc.best_linear_map(1, np.arange(99), 8, base=b),
    "rotate": lambda b: posenc.rotate(X, 0, base=b),
    "rotate-inv_freq": lambda b: posenc.rotate(X, 0, base=b, inv_freq=[1, 1, 1, 1]),
    "turned_pairs": lambda b: posenc.turned_pairs(X, 0, base=b),
    "pair_scores": lambda b: posenc.pair_scores(X, X, 0, 0, base=b),
    "score": lambda b: posenc.score(X, X, 0, 0, base=b),
    "additive_score": lambda b: posenc.additive_score(X, X, 0, 0, base=b),
    "score_curve": lambda b: posenc.score_curve(X, X, [0], base=b),
    "peaked_pair": lambda b: posenc.peaked_pair(1, 8, base=b),
    "random_score_spread": lambda b: posenc.random_score_spread([1], 8, base=b),
    "mixed_up": lambda b: posenc.mixed_up(X, 0, base=b),
    "mix_ups": lambda b: posenc.mix_ups(base=b),
    "compare_spectra": lambda b: posenc.compare_spectra(base=b),
    "attention_stack": lambda b: posenc.attention_stack(X, positions="sinusoidal", base=b),
    "attention_lesson": lambda b: posenc.lessons.attention_lesson(base=b),
    "rope_vs_additive": lambda b: posenc.lessons.rope_vs_additive(base=b),
}
CHOICES = {
    "wavelengths": ("spectrum", "'paper' or 'tensor2tensor'", lambda c: posenc.wavelengths(8, spectrum=c)),
    "sinusoidal-layout": ("layout", "'interleaved' or 'concatenated'", lambda c: posenc.sinusoidal(1, 8, layout=c)),
    "sinusoidal-spectrum": ("spectrum", "'paper' or 'tensor2tensor'", lambda c: posenc.sinusoidal(1, 8, spectrum=c)),
    "shift_matrix": ("layout", "'interleaved' or 'concatenated'", lambda c: posenc.shift_matrix(1, 8, layout=c)),
    "pair_channels": ("layout", "'interleaved' or 'concatenated'", lambda c: posenc.pair_channels(8, layout=c)),
    "shifted": ("layout", "'interleaved' or 'concatenated'", lambda c: posenc.shifted(1, 1, 8, layout=c)),
    "best_linear_map": (
        "features",
        "'pair' or 'sine' or 'cosine'",
        lambda c: posenc.best_linear_map(1, np.arange(99), 8, features=c),
    ),
    "rotate": ("pairing", "'interleaved' or 'half'", lambda c: posenc.rotate(X, 0, pairing=c)),
    "score": ("pairing", "'interleaved' or 'half'", lambda c: posenc.score(X, X, 0, 0, pairing=c)),
    "pair_members": ("pairing", "'interleaved' or 'half'", lambda c: posenc.pair_members(8, pairing=c)),
    "permutation-source": (
        "source",
        "'interleaved' or 'half'",
        lambda c: posenc.pairing_permutation(8, source=c, target="half"),
    ),
    "permutation-target": (
        "target",
        "'interleaved' or 'half'",
        lambda c: posenc.pairing_permutation(8, source="half", target=c),
    ),
    "peaked_pair": ("pairing", "'interleaved' or 'half'", lambda c: posenc.peaked_pair(1, 8, pairing=c)),
    "random_score_spread": (
        "content",
        "'independent' or 'equal'",
        lambda c: posenc.random_score_spread([1], 8, content=c),
    ),
}


def refused(name, rule, call, value):
    with pytest.raises(ValueError, match=" must be ") as caught:
        call(value)
    message = str(caught.value)
    assert message.startswith(f"{name} must be {rule}"), message
    assert ", got " in message
    assert len(message) < 220
    assert "\n" not in message


def labels(values):
    return [f"{i}-{type(value).__name__}" for i, value in enumerate(values)]


@pytest.mark.parametrize("value", BAD_WIDTHS, ids=labels(BAD_WIDTHS))
@pytest.mark.parametrize("name", WIDTHS)
def test_width_must_pair_up(name, value):
    argument, call = WIDTHS[name]
    refused(argument, WIDTH_RULE, call, value)


@pytest.mark.parametrize("value", BAD_ARRAYS, ids=labels(BAD_ARRAYS))
@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_must_hold_finite_real_numbers(name, value):
    argument, call = ARRAYS[name]
    refused(argument, ARRAY_RULE, call, value)


@pytest.mark.parametrize("value", BAD_BASES, ids=labels(BAD_BASES))
@pytest.mark.parametrize("name", BASES)
def test_base_must_be_above_one(name, value):
    refused("base", BASE_RULE, BASES[name], value)


@pytest.mark.parametrize("value", BAD_CHOICES, ids=labels(BAD_CHOICES))
@pytest.mark.parametrize("name", CHOICES)
def test_choices_are_named(name, value):
    argument, rule, call = CHOICES[name]
    refused(argument, rule, call, value)


@pytest.mark.parametrize("value", BAD_INTEGERS, ids=labels(BAD_INTEGERS))
@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("limit", lambda v: posenc.first_rise(8, limit=v)),
        ("num_heads", lambda v: posenc.pairing_permutation(8, source="half", target="half", num_heads=v)),
        ("draws", lambda v: posenc.random_score_spread([1], 8, draws=v)),
        ("seed", lambda v: posenc.random_score_spread([1], 8, seed=v)),
        ("offset", lambda v: posenc.LearnedTable(TABLE, offset=v)),
        ("rows", lambda v: posenc.resize_table(TABLE, v)),
        ("rows", lambda v: posenc.untrained_table(v, 2)),
        ("dim", lambda v: posenc.untrained_table(2, v)),
        ("num_heads", lambda v: posenc.permute_projection(X, num_heads=v, source="half", target="half")),
        ("q_len", lambda v: posenc.causal_mask(v, 3)),
        ("k_len", lambda v: posenc.causal_mask(1, v)),
        ("layers", lambda v: posenc.attention_stack(X, layers=v)),
        ("seed", lambda v: posenc.embed_words(["dog"], 8, seed=v)),
        ("seed", lambda v: posenc.mix_ups(seed=v)),
        ("pad_id", lambda v: posenc.roberta_positions([1, 2], pad_id=v)),
    ],
)
def test_counts_must_be_integers(argument, call, value):
    refused(argument, "an integer", call, value)


@pytest.mark.parametrize("value", [*BAD_NUMBERS, [1.0]], ids=labels([*BAD_NUMBERS, [1.0]]))
@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("k", lambda v: posenc.best_linear_map(v, np.arange(99), 8)),
        ("distance", lambda v: posenc.peaked_pair(v, 8)),
        ("scale", lambda v: posenc.untrained_table(2, 2, scale=v)),
    ],
)
def test_numbers_must_be_finite(argument, call, value):
    refused(argument, "a finite number", call, value)


@pytest.mark.parametrize("value", [7, 10, 0, -2, 4.0, True])
@pytest.mark.parametrize(
    "call",
    [
        lambda v: posenc.rotate(X, 0, rotary_dim=v),
        lambda v: posenc.score(X, X, 0, 0, rotary_dim=v),
        lambda v: posenc.rest_score(X, X, rotary_dim=v),
        lambda v: posenc.pair_members(8, rotary_dim=v),
        lambda v: posenc.score_curve(X, X, [1], rotary_dim=v),
    ],
)
def test_turning_channels_pair_up_within_the_head(call, value):
    refused("rotary_dim", WIDTH_RULE, call, value)


@pytest.mark.parametrize("value", [np.ones(5), np.ones((2, 3)), np.float64(3), np.ones((2, 0)), torch.ones(3)])
@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("x", lambda v: posenc.rotate(v, 0)),
        ("q", lambda v: posenc.score(v, X, 0, 0)),
        ("k", lambda v: posenc.additive_score(X, v, 0, 0)),
    ],
)
def test_vectors_of_odd_width_are_refused_with_the_reason(argument, call, value):
    refused(argument, "of even width, two channels to a turn", call, value)


@pytest.mark.parametrize("value", [0, -1, 1.0, "5", True, 10**400])
def test_the_table_alone_may_be_odd_but_is_never_empty(value):
    refused("d_model", "an integer from 1 to 1048576", lambda d: posenc.sinusoidal(1, d), value)


@pytest.mark.parametrize("value", [1, "yes", None, 0.0])
def test_flags_must_be_true_or_false(value):
    refused("align_corners", "True or False", lambda v: posenc.resize_table(TABLE, 3, align_corners=v), value)


@pytest.mark.parametrize("value", [[1.5], 2.0, "1", None, [True], NAN, 3])
def test_token_ids_must_be_integers_along_an_axis(value):
    refused("token_ids", "integers", posenc.roberta_positions, value)
