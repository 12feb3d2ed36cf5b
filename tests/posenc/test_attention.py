"""Attention: properties, naive loops, torch's own, published digits, and the cases A13, A14, A19, A23 and A24."""

import numpy as np
import pytest
import torch
from torch.autograd import gradcheck
from torch.nn.functional import scaled_dot_product_attention

import posenc

pytestmark = pytest.mark.filterwarnings("error")

RNG = np.random.default_rng(0)
Q, K, V = RNG.standard_normal((2, 3, 5, 8)), RNG.standard_normal((2, 3, 7, 8)), RNG.standard_normal((2, 3, 7, 4))
BIAS = RNG.standard_normal((5, 7))
MASK = RNG.random((2, 1, 5, 7)) < 0.6
MASK[0, 0, 2] = False  # one query that may attend nothing
INF, NAN = float("inf"), float("nan")


def naive_attention(q, k, v, bias, causal, mask, scale):
    """One number at a time, with Python's own exp."""
    out = np.zeros((len(q), v.shape[1]))
    for i in range(len(q)):
        powers = {}
        for j in range(len(k)):
            is_later = causal and j - (len(k) - len(q)) > i
            if mask[i, j] and not is_later:
                powers[j] = np.exp(sum(q[i] * k[j]) * scale + bias[i, j])
        for j, power in powers.items():
            out[i] += power / sum(powers.values()) * v[j]
    return out


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("scale", [None, 0.0, 2.0])
def test_equals_naive_loops(causal, scale):
    actual = posenc.attention(Q, K, V, bias=BIAS, causal=causal, mask=MASK, scale=scale)
    factor = 8**-0.5 if scale is None else scale
    for b, h in np.ndindex(2, 3):
        expected = naive_attention(Q[b, h], K[b, h], V[b, h], BIAS, causal, MASK[b, 0], factor)
        np.testing.assert_allclose(actual[b, h], expected, rtol=0, atol=1e-12)


def test_weights_times_values_are_the_output_and_scores_lead_to_the_weights():
    weights = posenc.attention_weights(Q, K, bias=BIAS, mask=MASK)
    np.testing.assert_allclose(weights @ V, posenc.attention(Q, K, V, bias=BIAS, mask=MASK), rtol=0, atol=1e-14)
    scores = posenc.attention_scores(Q, K) + np.where(MASK, BIAS, -INF)
    np.testing.assert_allclose(posenc.softmax(scores), weights, rtol=0, atol=1e-15)


TORCH = [torch.tensor(a) for a in (Q, K, V)]


@pytest.mark.parametrize("scale", [None, 0.3])
def test_equals_torch_with_masks_and_bias(scale):
    mask = torch.tensor(MASK | (np.arange(7) == 0))  # torch gives NaN or zeros, by version, for rows without any key
    expected = scaled_dot_product_attention(*TORCH, attn_mask=mask, scale=scale)
    torch.testing.assert_close(posenc.attention(*TORCH, mask=mask, scale=scale), expected, rtol=0, atol=1e-12)
    expected = scaled_dot_product_attention(*TORCH, attn_mask=torch.tensor(BIAS), scale=scale)
    torch.testing.assert_close(posenc.attention(*TORCH, bias=BIAS, scale=scale), expected, rtol=0, atol=1e-12)


def test_equals_torch_under_a_causal_mask():
    q, k, v = (tensor[..., :5, :] for tensor in TORCH)
    expected = scaled_dot_product_attention(q, k, v, is_causal=True)
    torch.testing.assert_close(posenc.attention(q, k, v, causal=True), expected, rtol=0, atol=1e-12)


def test_causal_mask_is_aligned_to_the_end_and_not_to_torchs_start():
    aligned = torch.tensor(posenc.causal_mask(5, 7))
    expected = scaled_dot_product_attention(*TORCH, attn_mask=aligned)
    torch.testing.assert_close(posenc.attention(*TORCH, causal=True), expected, rtol=0, atol=1e-12)
    from_start = scaled_dot_product_attention(*TORCH, is_causal=True)
    assert (posenc.attention(*TORCH, causal=True) - from_start).abs().max() > 0.1


def test_equals_torch_with_grouped_heads():
    q = torch.tensor(RNG.standard_normal((2, 6, 5, 8)))
    k, v = torch.tensor(RNG.standard_normal((2, 2, 3, 5, 8)))
    expected = scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
    grouped = posenc.attention(q.reshape(2, 3, 2, 5, 8), k[:, :, None], v[:, :, None], causal=True)
    torch.testing.assert_close(grouped.flatten(1, 2), expected, rtol=0, atol=1e-12)


def test_causal_mask_by_hand():
    assert posenc.causal_mask(2, 4).tolist() == [[True, True, True, False], [True, True, True, True]]
    assert posenc.causal_mask(1, 3).tolist() == [[True, True, True]]
    assert posenc.causal_mask(3, 3).tolist() == np.tril(np.ones((3, 3), bool)).tolist()


def test_rows_sum_to_one_or_to_nothing():
    sums = posenc.attention_weights(Q, K, causal=True, mask=MASK).sum(axis=-1)
    is_empty = ~(MASK & posenc.causal_mask(5, 7)).any(axis=-1)
    np.testing.assert_allclose(sums, np.broadcast_to(np.where(is_empty, 0.0, 1.0), sums.shape), rtol=0, atol=1e-15)
    assert is_empty.any()


def test_true_in_the_mask_means_may_be_attended():
    weights = posenc.attention_weights(Q, K, mask=MASK)
    assert np.all(weights[np.broadcast_to(~MASK, weights.shape)] == 0)
    assert np.all(weights[np.broadcast_to(MASK, weights.shape)] > 0)


def test_padding_changes_nothing():
    lengths = np.array([7, 4])
    is_token = np.arange(7) < lengths[:, None]  # (batch, k_len)
    padded = np.where(is_token[:, None, :, None], V, 1e6)
    actual = posenc.attention(Q, K, padded, mask=is_token[:, None, None, :])
    for b, length in enumerate(lengths):
        expected = posenc.attention(Q[b], K[b, :, :length], V[b, :, :length])
        np.testing.assert_allclose(actual[b], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", ["numpy", "torch"])
@pytest.mark.parametrize("way", ["mask", "bias"])
def test_a_query_that_may_attend_nothing_gets_zeros(kind, way):
    hidden = {"mask": False} if way == "mask" else {"bias": -INF}
    arrays = (Q, K, V) if kind == "numpy" else TORCH
    assert float(abs(posenc.attention(*arrays, **hidden)).max()) == 0
    assert float(abs(posenc.attention_weights(*arrays[:2], **hidden)).max()) == 0


@pytest.mark.parametrize("hidden", [{"mask": MASK}, {"bias": np.where(MASK, 0.0, -INF)}])
def test_gradients_are_finite_where_rows_are_empty(hidden):
    q, k, v = (tensor.clone().requires_grad_() for tensor in TORCH)
    posenc.attention(q, k, v, **hidden).square().sum().backward()
    assert all(torch.isfinite(tensor.grad).all() for tensor in (q, k, v))
    assert q.grad[0, :, 2].abs().max() == 0  # the empty row learns nothing
    assert q.grad[0, :, 1].abs().min() > 0


def test_gradients_with_everything_on_are_right():
    q, k, v = (tensor[:1, :1, :, :4].clone().requires_grad_() for tensor in TORCH)
    bias = torch.tensor(BIAS, requires_grad=True)
    mask = MASK[:1]
    assert gradcheck(lambda *a: posenc.attention(*a[:3], bias=a[3], mask=mask, causal=True), (q, k, v, bias))


def test_gradient_of_an_infinite_bias_is_zero():
    bias = torch.tensor(np.where(MASK[0, 0], BIAS, -INF), requires_grad=True)
    posenc.attention(*TORCH, bias=bias).square().sum().backward()
    assert torch.isfinite(bias.grad).all()
    assert bias.grad[torch.tensor(~MASK[0, 0])].abs().max() == 0


# case A24; 10 digits given
OVERFLOWING = [
    ([1000, 1001, 1002], [0.0900305732, 0.2447284711, 0.6652409558]),
    ([-1000, -1001, -1002], [0.6652409558, 0.2447284711, 0.0900305732]),
    ([89, 90, 88], [0.2447284711, 0.6652409558, 0.0900305732]),
]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(("scores", "expected"), OVERFLOWING)
def test_softmax_does_not_overflow(scores, expected, dtype):
    tolerance = {"float64": 1e-10, "float32": 1e-7}[dtype]
    for array in (np.array(scores, dtype=dtype), torch.tensor(scores, dtype=getattr(torch, dtype))):
        actual = posenc.softmax(array)
        assert actual.dtype == array.dtype
        np.testing.assert_allclose(np.asarray(actual), expected, rtol=0, atol=tolerance)


def test_softmax_along_any_axis_equals_torch():
    for axis in range(-4, 4):
        expected = torch.softmax(torch.tensor(Q), axis)
        np.testing.assert_allclose(posenc.softmax(Q, axis), expected.numpy(), rtol=0, atol=1e-15)


def test_softmax_at_the_ends_of_float64():
    assert posenc.softmax([1.7e308, -1.7e308]).tolist() == [1.0, 0.0]
    assert posenc.softmax([-INF, -1.7e308]).tolist() == [0.0, 1.0]
    assert posenc.softmax([-INF, -INF]).tolist() == [0.0, 0.0]
    assert posenc.softmax([5, 5]).tolist() == [0.5, 0.5]


def test_extreme_scale_gives_the_largest_score_everything():
    weights = posenc.attention_weights(Q, K, scale=1e300)
    assert np.array_equal(weights, np.eye(7)[np.argmax(Q @ np.swapaxes(K, -1, -2), axis=-1)])


def test_permutation_demonstration():
    # case A14; 10 digits given
    x = np.array([[1.0, 0], [0, 1], [1, 1]])
    swap = [1, 0, 2]
    once = posenc.attention(x, x, x)
    expected = [[0.8022241854, 0.5988879073], [0.5988879073, 0.8022241854], [0.7517449217, 0.7517449217]]
    np.testing.assert_allclose(once, expected, rtol=0, atol=1e-10)
    np.testing.assert_allclose(posenc.attention(x[swap], x[swap], x[swap]), once[swap], rtol=0, atol=1e-15)
    causal = posenc.attention(x, x, x, causal=True)
    np.testing.assert_allclose(causal[:2], [[1, 0], [0.3302384507, 0.6697615493]], rtol=0, atol=1e-10)
    swapped = posenc.attention(x[swap], x[swap], x[swap], causal=True)
    np.testing.assert_allclose(swapped[:2], [[0, 1], [0.6697615493, 0.3302384507]], rtol=0, atol=1e-10)
    np.testing.assert_allclose(swapped[2], causal[2], rtol=0, atol=1e-15)
    assert np.abs(swapped - causal[swap]).max() > 0.3


def test_same_token_everywhere_has_constant_diagonals_under_rotation():
    # case A13
    at = np.arange(8)
    q, k = (posenc.rotate(np.tile(x, (8, 1)), at) for x in RNG.standard_normal((2, 16)))
    scores = posenc.attention_scores(q, k)
    assert max(np.ptp(np.diagonal(scores, offset)) for offset in range(-7, 8)) < 1e-12
    turned = posenc.rotate([[1.0, 0.0]], [5]), posenc.rotate([[1.0, 0.0]], [3])
    assert posenc.attention_scores(*turned, scale=1.0).item() == pytest.approx(-0.4161468365, abs=1e-10)


def test_different_tokens_have_no_constant_diagonals():
    q, k = posenc.rotate(RNG.standard_normal((2, 8, 16)), np.arange(8))
    assert np.ptp(np.diagonal(posenc.attention_scores(q, k))) > 0.5


@pytest.mark.parametrize("pairing", ["interleaved", "half"])
def test_one_new_query_against_a_cache_is_the_last_row(pairing):
    # case A19
    x, at = RNG.standard_normal((3, 6, 8)), np.arange(6)
    q, k = (posenc.rotate(part, at, pairing=pairing) for part in x[:2])
    full = posenc.attention(q, k, x[2], causal=True)
    new = posenc.rotate(x[0, 5:6], [5], pairing=pairing)
    np.testing.assert_array_equal(new, q[5:6])
    np.testing.assert_allclose(posenc.attention(new, k, x[2], causal=True), full[5:6], rtol=0, atol=1e-15)
    stuck = posenc.rotate(x[0, 5:6], [0], pairing=pairing)
    np.testing.assert_array_equal(stuck, x[0, 5:6])
    assert np.abs(posenc.attention(stuck, k, x[2], causal=True) - full[5:6]).max() > 0.01


def test_rotated_token_at_position_five():
    x = np.arange(1.0, 9)
    expected = [2.2015107348, -0.3915999037, 0.7150455313, 4.9486068634]
    expected += [4.6938762864, 6.2423974087, 6.9599126668, 8.0348998544]
    np.testing.assert_allclose(posenc.rotate(x[None], [5])[0], expected, rtol=0, atol=1e-9)


def test_sequence_is_the_axis_before_the_last():
    # case A23: batch, heads, sequence and width all differ
    ones = np.ones((2, 3, 5, 4))
    turned = posenc.rotate(ones, np.arange(5))
    weights = posenc.attention_weights(turned, turned)
    assert weights.shape == (2, 3, 5, 5)
    assert np.array_equal(weights, np.broadcast_to(weights[0, 0], weights.shape))
    for t in range(5):
        np.testing.assert_array_equal(turned[1, 2, t], posenc.rotate(np.ones(4), t))
    row = turned[0, 0] @ turned[0, 0].T / 2
    np.testing.assert_allclose(weights[1, 2], np.exp(row) / np.exp(row).sum(-1, keepdims=True), rtol=0, atol=1e-15)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_dtype_is_kept_and_a_long_row_still_sums_to_one(dtype):
    q = torch.ones(1, 8, dtype=getattr(torch, dtype))
    k = torch.ones(2048, 8, dtype=q.dtype)
    out = posenc.attention(q, k, k)
    assert out.dtype == q.dtype
    assert torch.equal(out, q)  # the sum of 2,048 weights runs in float64


REFUSED = [
    (lambda: posenc.attention(Q, K, V[..., :5, :]), r"v must be of as many rows as k, 7, got shape \(2, 3, 5, 4\)"),
    (lambda: posenc.attention(Q, K[..., :6], V), r"k must be as wide as q, 8, got shape \(2, 3, 7, 6\)"),
    (lambda: posenc.attention(Q[0, 0, 0], K, V), r"q must be rows of vectors, \(..., n, width\), got shape \(8,\)"),
    (lambda: posenc.attention(Q, K[..., :0, :], V), r"k must be rows of vectors, .*, got shape \(2, 3, 0, 8\)"),
    (lambda: posenc.attention(Q, K[0, :2], V), r"k must be broadcastable with shape \(2, 3\), got shape \(2,\)"),
    (lambda: posenc.attention(K, Q, Q, causal=True), r"k_len must be an integer from 7 to \d+, got 5"),
    (lambda: posenc.attention(Q, K, V, causal=1), "causal must be True or False, got 1"),
    (lambda: posenc.attention(Q, K, V, scale=-1), "scale must be a finite number of at least 0, got -1"),
    (lambda: posenc.attention(Q, K, V, scale=NAN), "scale must be a finite number of at least 0, got nan"),
    (lambda: posenc.attention(Q, K, V, scale=INF), "scale must be a finite number of at least 0, got inf"),
    (lambda: posenc.attention(Q, K, V, mask=BIAS), r"mask must be booleans, got array"),
    (lambda: posenc.attention(Q, K, V, mask=torch.ones(7)), r"mask must be booleans, got tensor"),
    (lambda: posenc.attention(Q, K, V, mask=[[True], [1, 2]]), r"mask must be booleans, got \[\[True\], \[1, 2\]\]"),
    (lambda: posenc.attention(Q, K, V, mask="yes"), "mask must be booleans, got 'yes'"),
    (
        lambda: posenc.attention(Q[:1, :1, :1], K, V, mask=MASK),
        r"mask must be broadcastable with the weights' shape \(2, 3, 1, 7\), got shape \(2, 1, 5, 7\)",
    ),
    (lambda: posenc.attention(Q, K, V, bias=np.ones(5)), r"bias must be broadcastable with the weights' shape .*"),
    (lambda: posenc.attention(Q, K, V, bias=INF), "bias must be finite real numbers or -inf, got inf"),
    (lambda: posenc.attention(Q, K, V, bias=[NAN] * 7), r"bias must be finite real numbers or -inf, got \[nan"),
    (lambda: posenc.attention(Q, K, V, bias=True), "bias must be finite real numbers or -inf, got True"),
    (lambda: posenc.attention(1e200 * Q, 1e200 * K, V), "q must be small enough .* for finite scores, got array"),
    (lambda: posenc.attention(Q, K, V, scale=1.7e308, bias=1.7e308), "q must be small enough .*, got array"),
    (lambda: posenc.softmax(3.0), r"scores must be numbers along at least one axis, got shape \(\)"),
    (lambda: posenc.softmax([1, NAN]), r"scores must be finite real numbers or -inf, got \[1, nan\]"),
    (lambda: posenc.softmax([1, INF]), r"scores must be finite real numbers or -inf, got \[1, inf\]"),
    (lambda: posenc.softmax(torch.tensor([1, INF])), r"scores must be finite real numbers or -inf, got tensor"),
    (lambda: posenc.softmax(np.ones((2, 0))), r"scores must be of at least one number .*, got shape \(2, 0\)"),
    (lambda: posenc.softmax([1, 2], axis=1), "axis must be an integer from -1 to 0, got 1"),
    (lambda: posenc.softmax([1, 2], axis=True), "axis must be an integer from -1 to 0, got True"),
    (lambda: posenc.causal_mask(0, 3), r"q_len must be an integer from 1 to \d+, got 0"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_does_not_fit_is_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()
