"""The same functions on torch tensors: same numbers, same kind and dtype out, gradients through."""

import numpy as np
import pytest
import torch
from torch.autograd import gradcheck

import posenc

pytestmark = pytest.mark.filterwarnings("error")

RNG = np.random.default_rng(0)
Q, K = RNG.standard_normal((2, 3, 5, 8))
POSITIONS = np.array([0.0, 1, -4, 100, 2.5])
TABLE = RNG.standard_normal((6, 4))
V, BIAS = RNG.standard_normal((3, 5, 4)), RNG.standard_normal((5, 5))
LOWER = np.tril(np.ones((5, 5), dtype=bool), -1)  # the first query may attend nothing

# name: (function of arrays, the arrays); every function of posenc that takes arrays
FUNCTIONS = {
    "sinusoidal": (lambda p: posenc.sinusoidal(p, 8), (POSITIONS,)),
    "sinusoidal-odd": (lambda p: posenc.sinusoidal(p, 5), (POSITIONS,)),
    "sinusoidal-concatenated": (
        lambda p: posenc.sinusoidal(p, 8, layout="concatenated", spectrum="tensor2tensor"),
        (POSITIONS,),
    ),
    "pair_angles": (lambda p: posenc.pair_angles(p, 8), (POSITIONS + 0.25,)),
    "distance_kernel": (lambda p: posenc.distance_kernel(p, 8), (POSITIONS.reshape(5, 1),)),
    "dot_products": (lambda p, k: posenc.dot_products(p, k, 8), (POSITIONS, POSITIONS[:, None])),
    "product_matrix": (lambda p: posenc.product_matrix(p, 8), (POSITIONS,)),
    "shift_matrix": (lambda k: posenc.shift_matrix(k, 8), (POSITIONS,)),
    "shift_blocks": (lambda k: posenc.shift_blocks(k, 8), (POSITIONS,)),
    "shifted": (lambda p: posenc.shifted(p, 3, 8), (POSITIONS,)),
    "rotate": (lambda x, p: posenc.rotate(x, p), (Q, POSITIONS)),
    "rotate-half-partial": (lambda x, p: posenc.rotate(x, p, pairing="half", rotary_dim=6), (Q, POSITIONS)),
    "rotate-inv_freq": (lambda x, p, w: posenc.rotate(x, p, inv_freq=w), (Q, POSITIONS, np.array([1, 0.5, 0.2, 0]))),
    "rotate_by": (lambda x: posenc.rotate_by(x, posenc.rotation_table(POSITIONS, 6)), (Q,)),
    "rotate_by-half": (lambda x: posenc.rotate_by(x, posenc.rotation_table(POSITIONS, 8), pairing="half"), (Q,)),
    "turned_pairs": (lambda x, p: posenc.turned_pairs(x, p), (Q, POSITIONS)),
    "pair_scores": (lambda q, k, m, n: posenc.pair_scores(q, k, m, n), (Q, K, POSITIONS, POSITIONS[::-1])),
    "score": (lambda q, k, m, n: posenc.score(q, k, m, n, rotary_dim=4), (Q, K, POSITIONS, POSITIONS[::-1])),
    "rest_score": (lambda q, k: posenc.rest_score(q, k, rotary_dim=4), (Q, K)),
    "additive_score": (lambda q, k, m, n: posenc.additive_score(q, k, m, n), (Q, K, POSITIONS, POSITIONS[::-1])),
    "score_curve": (lambda q, k, n: posenc.score_curve(q, k, n, rotary_dim=4), (Q, K, POSITIONS)),
    "lookup": (lambda w: posenc.LearnedTable(w, offset=1).lookup([[0, 4], [4, 2]]), (TABLE,)),
    "resize_table": (lambda w: posenc.resize_table(w, 9), (TABLE,)),
    "resize_table-aligned": (lambda w: posenc.resize_table(w, 4, align_corners=True), (TABLE,)),
    "repeat_last_row": (lambda w: posenc.repeat_last_row(w, 9), (TABLE,)),
    "row_norms": (lambda w: posenc.row_norms(w), (TABLE,)),
    "softmax": (lambda s: posenc.softmax(s, axis=0), (TABLE,)),
    "attention_scores": (lambda q, k: posenc.attention_scores(q, k), (Q, K)),
    "attention_weights": (lambda q, k: posenc.attention_weights(q, k, causal=True), (Q, K)),
    "attention_weights-bias": (lambda q, k: posenc.attention_weights(q, k, bias=BIAS, scale=2.0), (Q, K)),
    "attention": (lambda q, k, v: posenc.attention(q, k, v, causal=True), (Q, K, V)),
    "attention-mask": (lambda q, k, v: posenc.attention(q, k, v, mask=LOWER), (Q, K, V)),
    "mixed_up": (lambda x, p: posenc.mixed_up(x, p), (Q, POSITIONS)),
    "mixed_up-half": (lambda x, p: posenc.mixed_up(x, p, frequencies="half"), (Q, POSITIONS)),
    "permute_projection": (
        lambda w: posenc.permute_projection(w, num_heads=1, source="half", target="interleaved"),
        (TABLE,),
    ),
    "cosine_similarities": (lambda w: posenc.cosine_similarities(w), (TABLE,)),
}


def tensors(arrays, dtype=torch.float64, requires_grad=False):
    return [torch.tensor(a.copy(), dtype=dtype, requires_grad=requires_grad) for a in arrays]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_numpy_and_torch_agree(name):
    function, arrays = FUNCTIONS[name]
    expected, actual = function(*arrays), function(*tensors(arrays))
    assert isinstance(actual, torch.Tensor)
    assert not isinstance(expected, torch.Tensor)
    assert actual.dtype == torch.float64
    # the two libraries' sines and sums differ in the last bits
    np.testing.assert_allclose(actual.numpy(), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_are_right(name):
    function, arrays = FUNCTIONS[name]
    assert gradcheck(function, tensors(arrays, requires_grad=True))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_dtype_is_kept_and_rounded_once(name, dtype):
    function, arrays = FUNCTIONS[name]
    given = tensors(arrays, dtype)
    actual = function(*given)
    assert actual.dtype == (torch.float64 if name == "dot_products" else dtype)
    exact = function(*[tensor.to(torch.float64) for tensor in given])
    # float32 is turned in float32: to 2.5e-7 of a pair's length, here below 4; all else is rounded once
    tolerance = 1e-6 if dtype == torch.float32 and name.startswith("rotate") else 0
    torch.testing.assert_close(actual, exact.to(actual.dtype), rtol=0, atol=tolerance)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_mixed_arrays_become_tensors(name):
    function, arrays = FUNCTIONS[name]
    given = [torch.tensor(arrays[0].copy()), *arrays[1:]]
    np.testing.assert_array_equal(function(*given).numpy(), function(*tensors(arrays)).numpy())
    if len(arrays) > 1:
        frozen = arrays[0].copy()
        frozen.setflags(write=False)
        last = torch.tensor(arrays[-1].copy())
        assert isinstance(function(frozen, *arrays[1:-1], last), torch.Tensor)


def test_integer_tensors_become_float64():
    assert posenc.sinusoidal(torch.arange(5), 8).dtype == torch.float64
    assert posenc.rotate(torch.ones(5, 8, dtype=torch.int32), torch.arange(5)).dtype == torch.float64


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("pairing", ["interleaved", "half"])
def test_half_precision_queries_still_get_float64_angles(dtype, pairing):
    # case A5: angles in the input's own precision are off by 0.78 (float16) and 2.0 (bfloat16) at 1857
    x = torch.ones(2048, 32, dtype=dtype)
    turned = posenc.rotate(x, torch.arange(2048), pairing=pairing)
    exact = posenc.rotate(x.double(), torch.arange(2048), pairing=pairing)
    assert turned.dtype == dtype
    # half a unit in the last place of values below 2
    assert (turned.double() - exact).abs().max() <= torch.finfo(dtype).eps


def test_far_positions_are_right_to_1e8_on_tensors():
    x = torch.ones(1, 64, dtype=torch.float64)
    expected = posenc.rotate(np.ones((1, 64)), [1_000_003])
    np.testing.assert_allclose(posenc.rotate(x, torch.tensor([1_000_003])).numpy(), expected, rtol=0, atol=1e-8)


def test_untouched_channels_are_bit_identical_on_tensors():
    x = torch.randn(3, 8, dtype=torch.bfloat16, generator=torch.Generator().manual_seed(0))
    turned = posenc.rotate(x, torch.arange(3), rotary_dim=4)
    assert torch.equal(turned[:, 4:].view(torch.int16), x[:, 4:].view(torch.int16))


def test_least_squares_takes_tensors():
    positions = torch.arange(100, dtype=torch.float64, requires_grad=True)
    found = posenc.best_linear_map(3, positions, 8)
    assert isinstance(found.matrix, np.ndarray)
    np.testing.assert_array_equal(found.matrix, posenc.best_linear_map(3, np.arange(100), 8).matrix)


def test_a_rotation_learns_its_frequencies():
    inv_freq = torch.tensor([1.0, 0.1], dtype=torch.float64, requires_grad=True)
    turned = posenc.rotate(np.ones((3, 4)), [0, 1, 2], inv_freq=inv_freq)
    turned[:, 0].sum().backward()
    # d/dw (cos(p w) - sin(p w)) = -p (sin(p w) + cos(p w))
    expected = -sum(p * (np.sin(p) + np.cos(p)) for p in range(3))
    assert inv_freq.grad[0].item() == pytest.approx(expected, abs=1e-14)


def test_tensors_handed_in_are_left_alone():
    x = torch.ones(3, 8)
    posenc.rotate(x, torch.arange(3)).zero_()
    posenc.resize_table(x, 3).zero_()
    posenc.repeat_last_row(x, 3).zero_()
    assert torch.equal(x, torch.ones(3, 8))
