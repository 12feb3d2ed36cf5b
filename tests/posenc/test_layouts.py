"""Orders of channels: permutations that convert, and mix-ups that do not."""

import itertools

import numpy as np
import pytest
import torch

import posenc
from posenc import claims

pytestmark = pytest.mark.filterwarnings("error")

X8 = np.arange(1.0, 9)
P8 = [0, 2, 4, 6, 1, 3, 5, 7]
BACK8 = [0, 4, 1, 5, 2, 6, 3, 7]
RNG = np.random.default_rng(0)


def test_layout_permutation_converts_the_table_both_ways():
    at = RNG.integers(-1000, 1000, 20)
    interleaved, concatenated = (posenc.sinusoidal(at, 8, layout=s) for s in ("interleaved", "concatenated"))
    there = posenc.layout_permutation(8, source="interleaved", target="concatenated")
    back = posenc.layout_permutation(8, source="concatenated", target="interleaved")
    assert there.tolist() == P8
    assert back.tolist() == BACK8
    np.testing.assert_array_equal(interleaved[:, there], concatenated)
    np.testing.assert_array_equal(concatenated[:, back], interleaved)
    same = posenc.layout_permutation(8, source="interleaved", target="interleaved")
    assert same.tolist() == list(range(8))


def test_case_a10():
    turned = posenc.rotate(X8, 3)
    expected = [-1.2722325127, -1.8388649851, 1.6839286407, 4.7079065765]
    expected += [4.8177771675, 6.1472777035, 6.9759685360, 8.0209639685]
    np.testing.assert_allclose(turned, expected, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(posenc.rotate(X8[P8], 3, pairing="half"), turned[P8])
    half = [-1.6955925369, 0.1375517383, 2.7886815998, 3.9759820360]
    half += [-4.8088424749, 6.3230593481, 7.0868367369, 8.0119639820]
    np.testing.assert_allclose(posenc.rotate(X8, 3, pairing="half"), half, rtol=0, atol=1e-9)


def test_projection_is_permuted_within_each_head():
    weight = np.arange(16 * 3).reshape(16, 3)
    there = posenc.permute_projection(weight, num_heads=2, source="interleaved", target="half")
    np.testing.assert_array_equal(there, weight[[*P8, *[8 + p for p in P8]]])
    assert there.dtype == weight.dtype
    back = posenc.permute_projection(there, num_heads=2, source="half", target="interleaved")
    np.testing.assert_array_equal(back, weight)
    bias = posenc.permute_projection(X8, num_heads=1, source="interleaved", target="half")
    np.testing.assert_array_equal(bias, X8[P8])


def test_converting_twice_is_not_the_identity():
    twice = X8
    for _ in range(2):
        twice = posenc.permute_projection(twice, num_heads=1, source="interleaved", target="half")
    assert not np.array_equal(twice, X8)
    # with four channels it happens to be, so a test on four would prove nothing
    four = posenc.pairing_permutation(4, source="interleaved", target="half")
    assert four[four].tolist() == [0, 1, 2, 3]


def test_channels_that_do_not_turn_keep_their_places():
    options = {"num_heads": 2, "source": "half", "target": "interleaved", "rotary_dim": 4}
    assert posenc.permute_projection(np.arange(16), **options).tolist() == [
        *[0, 2, 1, 3, 4, 5, 6, 7],
        *[8, 10, 9, 11, 12, 13, 14, 15],
    ]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_tensors_stay_tensors_and_gradients_follow(dtype):
    weight = torch.arange(24, dtype=dtype).reshape(8, 3).requires_grad_()
    there = posenc.permute_projection(weight, num_heads=1, source="interleaved", target="half")
    assert there.dtype == dtype
    assert torch.equal(there, weight[P8])
    (there * torch.arange(8, dtype=dtype)[:, None]).sum().backward()
    assert weight.grad[:, 0].tolist() == BACK8


def test_scores_are_the_same_only_if_both_are_converted():
    assert claims.conversion_residual(12, 64, 4) < 1e-13
    assert claims.conversion_residual(12, 64, 4, converted="queries") > 1
    assert claims.conversion_residual(12, 64, 4, converted="keys") > 1


# case A8; digits of the faulty outcome from the case, 6 to 8 places
FAULTS = [("interleaved", 34.377182, (19.8808, 24.3175)), ("half", 24.629552, None)]


@pytest.mark.parametrize(("frequencies", "squared", "scores"), FAULTS)
def test_mixed_up_pairs_show_the_known_signature(frequencies, squared, scores):
    x = np.array([1.0, 2, 3, 4])
    faulty = posenc.mixed_up(x, 1, frequencies=frequencies)
    assert faulty @ faulty == pytest.approx(squared, abs=5e-7)
    for pairing in ("interleaved", "half"):
        right = posenc.rotate(x, 1, pairing=pairing)
        assert right @ right == pytest.approx(30, abs=1e-13)
    found = [
        posenc.mixed_up(x, m, frequencies=frequencies) @ posenc.mixed_up(x[::-1], n, frequencies=frequencies)
        for m, n in ((2, 4), (5, 7))
    ]
    assert abs(found[0] - found[1]) > 1
    if scores:
        assert found == pytest.approx(scores, abs=5e-5)


@pytest.mark.parametrize("frequencies", ["interleaved", "half"])
def test_mixed_up_pairs_by_hand(frequencies):
    x, w = RNG.standard_normal(6), posenc.inverse_frequencies(6)
    if frequencies == "interleaved":
        angles, partner = 3 * np.array([w[0], w[0], w[1], w[1], w[2], w[2]]), np.array([*-x[3:], *x[:3]])
    else:
        angles, partner = 3 * np.array([*w, *w]), np.array([-x[1], x[0], -x[3], x[2], -x[5], x[4]])
    expected = x * np.cos(angles) + partner * np.sin(angles)
    np.testing.assert_allclose(posenc.mixed_up(x, 3, frequencies=frequencies), expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize("frequencies", ["interleaved", "half"])
def test_mixed_up_pairs_pass_a_short_demonstration(frequencies):
    x = RNG.standard_normal((2, 6, 8))
    q = posenc.mixed_up(x, np.arange(6), frequencies=frequencies)
    assert q.shape == x.shape
    assert not np.allclose(q[:, 1:], x[:, 1:])
    np.testing.assert_array_equal(q[:, 0], x[:, 0])
    np.testing.assert_allclose(posenc.attention_weights(q, q).sum(axis=-1), 1.0, rtol=0, atol=1e-15)


def test_two_channels_cannot_be_mixed_up():
    x = RNG.standard_normal((5, 2))
    for frequencies in ("interleaved", "half"):
        turned = posenc.mixed_up(x, np.arange(5), frequencies=frequencies)
        # written out here, one complex product there: the last bit may differ
        np.testing.assert_allclose(turned, posenc.rotate(x, np.arange(5)), rtol=0, atol=1e-15)


@pytest.mark.parametrize("pairing", ["interleaved", "half"])
@pytest.mark.parametrize("head_dim", [4, 8, 64])
def test_the_other_pairing_passes_every_check_without_a_reference(head_dim, pairing):
    right, other, *mixed = posenc.mix_ups(head_dim, pairing=pairing)
    assert right.score_error == 0
    for way in (right, other):
        assert way.is_changed
        assert way.norm_change < 1e-14
        assert way.shift_change < 1e-12
    assert other.score_error > 0.5
    for way in mixed:
        assert way.is_changed
        assert way.norm_change > 0.01
        assert way.shift_change > 0.1
        assert way.score_error > 0.1
    names = ["right", "other pairing", "interleaved frequencies", "half frequencies"]
    assert [way.name for way in (right, other, *mixed)] == names


def test_spectra_differ_in_dot_products_that_no_permutation_changes():
    spectra = posenc.compare_spectra()
    assert spectra.paper_dots[0] == pytest.approx(1.69618, abs=5e-6)
    assert spectra.tensor2tensor_dots[0] == pytest.approx(2.05489, abs=5e-6)
    order = RNG.permutation(8)
    for name in ("paper", "tensor2tensor"):
        here, there = posenc.sinusoidal([0, 10], 8, spectrum=name, layout="concatenated")[:, order]
        assert here @ there == pytest.approx(getattr(spectra, f"{name}_dots")[0], abs=1e-13)


def test_frequency_gap_is_the_smallest_over_all_permutations():
    for d_model, base in ((8, 10_000.0), (10, 100.0)):
        spectra = posenc.compare_spectra(d_model, base=base)
        orders = itertools.permutations(range(d_model // 2))
        smallest = min(np.abs(spectra.paper - spectra.tensor2tensor[list(order)]).max() for order in orders)
        assert spectra.frequency_gap == pytest.approx(smallest, abs=1e-15)
        assert spectra.frequency_gap > 0.05
    assert posenc.compare_spectra(2).frequency_gap == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: posenc.layout_permutation(7, source="interleaved", target="concatenated"),
            "d_model must be .*, got 7",
        ),
        (
            lambda: posenc.layout_permutation(8, source="half", target="interleaved"),
            "source must be 'interleaved' or 'concatenated', got 'half'",
        ),
        (
            lambda: posenc.permute_projection(np.ones((10, 3)), num_heads=2, source="half", target="half"),
            r"weight must be rows of 2 heads of even width, got shape \(10, 3\)",
        ),
        (lambda: posenc.permute_projection(3.0, num_heads=1, source="half", target="half"), "weight must be rows .*"),
        (lambda: posenc.permute_projection(X8, num_heads=0, source="half", target="half"), "num_heads must be .*"),
        (
            lambda: posenc.permute_projection(X8, num_heads=1, source="half", target="x"),
            "target must be 'interleaved' or 'half', got 'x'",
        ),
        (lambda: posenc.mixed_up(np.ones((2, 5)), 0), r"x must be of even width, .*, got shape \(2, 5\)"),
        (lambda: posenc.mixed_up(np.ones((2, 4)), [0, 1, 2]), r"positions must be broadcastable .*, got shape \(3,\)"),
        (lambda: posenc.mixed_up(np.ones((2, 4)), np.ones((3, 2))), r"positions must be broadcastable to \(2,\), .*"),
        (lambda: posenc.mixed_up(X8, 0, frequencies="x"), "frequencies must be 'interleaved' or 'half', got 'x'"),
        (lambda: posenc.mix_ups(514), "head_dim must be .* of at most 512, got 514"),
        (lambda: posenc.mix_ups(8, 513), "seq_len must be an integer from 1 to 512, got 513"),
        (lambda: posenc.compare_spectra(8, [[1]]), r"distances must be one-dimensional, got shape \(1, 1\)"),
        (lambda: posenc.compare_spectra(8, [1.5]), r"distances must be integers, got \[1.5\]"),
        (lambda: claims.conversion_residual(4, 8, 3), r"weight must be rows of 3 heads of even width, .*"),
        (lambda: claims.conversion_residual(4, 8, converted="none"), "converted must be 'both' or .*, got 'none'"),
    ],
)
def test_what_does_not_fit_is_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()
