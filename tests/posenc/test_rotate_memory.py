"""Rotation of large and awkward arrays: pieces, layouts in memory, dtypes, and results into memory that is given."""

import warnings

import numpy as np
import pytest
import torch
from torch.autograd import gradcheck

from posenc import _rotation, pair_members, rotate, rotate_by, rotation_table

pytestmark = pytest.mark.filterwarnings("error")

PAIRINGS = ["interleaved", "half"]
RNG = np.random.default_rng(0)
X = RNG.standard_normal((2, 3, 50, 8))
AT = np.arange(50) * 7 - 20
FLOAT32 = 2.5e-7
"""Of a pair's length, as the docstring of ``rotate`` says."""


def written_out(x, positions, pairing, rotary_dim=None):
    """Second method, in float64: cosines and sines by hand, channel by channel."""
    out = np.array(x, dtype=np.float64)
    width = rotary_dim or out.shape[-1]
    for i, (a, b) in enumerate(pair_members(out.shape[-1], pairing=pairing, rotary_dim=rotary_dim)):
        angle = np.asarray(positions) * 10_000.0 ** (-2 * i / width)
        first, second = np.array(x[..., a], dtype=np.float64), np.array(x[..., b], dtype=np.float64)
        out[..., a] = first * np.cos(angle) - second * np.sin(angle)
        out[..., b] = first * np.sin(angle) + second * np.cos(angle)
    return out


def lengths(x, pairing):
    """The length of the pair that each channel belongs to."""
    out = np.empty(x.shape)
    for members in pair_members(x.shape[-1], pairing=pairing):
        out[..., members] = np.linalg.norm(x[..., members].astype(np.float64), axis=-1, keepdims=True)
    return out


@pytest.fixture(params=[1, 100, 2**18])
def piece(request, monkeypatch):
    """Channels turned at once: one row, a few, all."""
    monkeypatch.setattr(_rotation, "PIECE", request.param)


VIEWS = {
    "dense": lambda x: x,
    "heads behind tokens": lambda x: np.ascontiguousarray(x.transpose(0, 2, 1, 3)).transpose(0, 2, 1, 3),
    "every second channel": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    "odd start": lambda x: np.pad(x, [(0, 0)] * 3 + [(1, 2)])[..., 1:-2],
    "backwards rows": lambda x: x[..., ::-1, :].copy()[..., ::-1, :],
    "one row for all": lambda x: np.broadcast_to(x[:1, :1, :1], x.shape),
    "read-only": lambda x: np.frombuffer(x.tobytes(), x.dtype).reshape(x.shape),
}


@pytest.mark.usefixtures("piece")
@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("rotary_dim", [None, 2, 6])
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("kind", ["numpy", "torch"])
def test_any_layout_in_memory_gives_the_same(kind, view, rotary_dim, pairing):
    x = VIEWS[view](X.copy())
    before = x.copy()
    given = x if kind == "numpy" else _tensor_like(x)
    turned = rotate(given, AT, pairing=pairing, rotary_dim=rotary_dim)
    expected = written_out(before, AT, pairing, rotary_dim)
    np.testing.assert_allclose(np.asarray(turned), expected, rtol=0, atol=1e-14)  # values of at most 5
    np.testing.assert_array_equal(np.asarray(given), before)
    assert not np.shares_memory(np.asarray(turned), np.asarray(given))


def _tensor_like(x):
    """A tensor with the array's own strides where torch has such."""
    if min(x.strides) < 0 or not x.flags.writeable:
        return torch.tensor(x.copy())
    return torch.from_numpy(x)


@pytest.mark.usefixtures("piece")
@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, np.int64])
def test_numpy_dtypes_keep_their_bound(dtype, pairing):
    x = (100 * X).astype(dtype)
    turned = rotate(x, AT, pairing=pairing)
    assert turned.dtype == (np.float64 if dtype == np.int64 else dtype)
    error = np.abs(turned.astype(np.float64) - written_out(x, AT, pairing))
    unit = {np.float32: FLOAT32, np.float16: 2**-11 + FLOAT32}.get(dtype, 1e-15)
    assert np.all(error <= unit * lengths(x, pairing))


@pytest.mark.usefixtures("piece")
@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("has_gradient", [True, False])
def test_torch_dtypes_keep_their_bound(dtype, pairing, has_gradient):
    x = torch.tensor(X).to(dtype).requires_grad_(has_gradient)
    turned = rotate(x, torch.tensor(AT), pairing=pairing)
    assert turned.dtype == dtype
    assert turned.requires_grad == has_gradient
    plain = x.detach().double().numpy()
    error = np.abs(turned.detach().double().numpy() - written_out(plain, AT, pairing))
    unit = {torch.float64: 1e-15, torch.float32: FLOAT32}.get(dtype, torch.finfo(dtype).eps / 2 + FLOAT32)
    assert np.all(error <= unit * lengths(plain, pairing))


def test_far_positions_of_float32_have_float64_angles():
    x = np.ones((1, 8), dtype=np.float32)
    expected = written_out(x, [1_000_003], "half")
    np.testing.assert_allclose(rotate(x, [1_000_003], pairing="half"), expected, rtol=0, atol=4e-7)


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("rotary_dim", [None, 4])
def test_gradients_are_right_forwards_backwards_and_twice(pairing, rotary_dim):
    x = torch.tensor(X[0, :2, :3], requires_grad=True)
    at = torch.tensor([0.0, 2.5, -4.0], dtype=torch.float64, requires_grad=True)

    def turn(x, at):
        return rotate(x, at, pairing=pairing, rotary_dim=rotary_dim)

    def turn_by_table(x, at):
        return rotate_by(x, rotation_table(at, rotary_dim or 8), pairing=pairing)

    for way in (turn, turn_by_table):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*torch.jit.script")  # torch's own, at its first forward derivative
            assert gradcheck(way, (x, at), check_forward_ad=True)
        assert torch.autograd.gradgradcheck(way, (x, at))


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_gradient_of_a_rotation_is_the_rotation_back(pairing):
    x = torch.tensor(X, dtype=torch.float32, requires_grad=True)
    upstream = torch.tensor(X[..., ::-1].copy(), dtype=torch.float32)
    rotate(x, AT, pairing=pairing).backward(upstream)
    expected = rotate(upstream, -AT, pairing=pairing)
    torch.testing.assert_close(x.grad, expected, rtol=0, atol=2e-6)


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_parameters_without_a_gradient_asked_for_take_the_quick_way(pairing):
    x = torch.tensor(X, requires_grad=True)
    with torch.no_grad():
        turned = rotate(x, AT, pairing=pairing)
    assert not turned.requires_grad
    torch.testing.assert_close(turned, rotate(x, AT, pairing=pairing).detach(), rtol=0, atol=1e-15)


@pytest.mark.usefixtures("piece")
@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("rotary_dim", [None, 6])
@pytest.mark.parametrize("view", ["dense", "heads behind tokens", "every second channel", "odd start"])
@pytest.mark.parametrize("kind", ["numpy", "torch"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_result_can_be_written_into_x_or_elsewhere(dtype, kind, view, rotary_dim, pairing):
    x, out = (VIEWS[view](array.astype(dtype)) for array in (X, np.zeros_like(X)))
    if kind == "torch":
        x, out = torch.from_numpy(x), torch.from_numpy(out)
    expected = rotate(x, AT, pairing=pairing, rotary_dim=rotary_dim)
    assert rotate(x, AT, pairing=pairing, rotary_dim=rotary_dim, out=out) is out
    np.testing.assert_array_equal(np.asarray(x), X.astype(dtype))
    assert rotate(x, AT, pairing=pairing, rotary_dim=rotary_dim, out=x) is x
    for result in (out, x):
        # a processor may round a product and a sum at once in one memory layout and not in another
        np.testing.assert_allclose(np.asarray(result), np.asarray(expected), rtol=0, atol=8 * np.finfo(dtype).eps)


@pytest.mark.parametrize(
    ("out", "message"),
    [
        (np.zeros((50, 8), np.float32), r"out must be an array like x, of float64, got"),
        (torch.zeros(50, 8, dtype=torch.float64), r"out must be an array like x, of float64, got torch.float64"),
        ([[0.0] * 8] * 50, r"out must be an array like x, of float64, got"),
        (np.zeros((50, 6)), r"out must be of x's shape \(50, 8\), got shape \(50, 6\)"),
        (np.zeros((2, 50, 8)), r"out must be of x's shape \(50, 8\), got shape \(2, 50, 8\)"),
    ],
)
def test_memory_that_does_not_fit_is_refused(out, message):
    with pytest.raises(ValueError, match=message):
        rotate(X[0, 0], AT, out=out)


def test_a_gradient_and_given_memory_exclude_each_other():
    x = torch.tensor(X[0, 0], requires_grad=True)
    for given, out in ((x, torch.zeros_like(x)), (x, x), (x.detach(), torch.zeros_like(x, requires_grad=True))):
        with pytest.raises(ValueError, match="out must be None where a gradient is asked for"):
            rotate(given, AT, out=out)


@pytest.mark.parametrize("shape", [(0, 8), (3, 0, 8), (8,), (4096, 1, 2)])
@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.usefixtures("piece")
def test_shapes_at_the_edge(shape, pairing):
    x = RNG.standard_normal(shape)
    for given in (x, torch.tensor(x)):
        turned = rotate(given, 3, pairing=pairing)
        assert tuple(turned.shape) == shape
        np.testing.assert_allclose(np.asarray(turned), written_out(x, 3, pairing), rtol=0, atol=1e-14)


@pytest.mark.parametrize("most", [1, 2, 7, 1000])
def test_pieces_cover_every_place_once(most):
    seen = np.zeros((3, 1, 17, 5), dtype=int)
    for piece in _rotation._pieces(seen.shape, most):
        assert seen[piece].size <= most
        seen[piece] += 1
    assert np.all(seen == 1)


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("kind", ["numpy", "torch"])
def test_a_table_made_once_turns_as_the_positions_do(kind, pairing):
    x = X.astype(np.float32)
    table = rotation_table(AT, 6)
    x, table = (x, table) if kind == "numpy" else (torch.from_numpy(x), torch.from_numpy(table))
    expected = rotate(x, AT, pairing=pairing, rotary_dim=6)
    np.testing.assert_array_equal(np.asarray(rotate_by(x, table, pairing=pairing)), np.asarray(expected))
    own = np.array([AT, AT + 3])[:, None]  # (batch, 1, n)
    turned = rotate_by(X, rotation_table(own, 8), pairing=pairing)
    np.testing.assert_array_equal(turned, rotate(X, own, pairing=pairing))


def test_what_is_not_finite_stays_in_its_pair():
    x = np.ones((2, 4))
    x[0, 1] = np.nan
    turned = rotate_by(x, rotation_table([1, 2], 4))
    np.testing.assert_array_equal(np.isnan(turned), [[True, True, False, False], [False] * 4])


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.ones((50, 4)), "table must be finite complex numbers, got"),
        (np.full((50, 4), np.nan + 0j), "table must be finite complex numbers, got"),
        ("table", "table must be finite complex numbers, got 'table'"),
        (np.ones((50, 5), complex), r"table must be broadcastable to \(2, 3, 50\) and at most 4 pairs, got shape"),
        (np.ones((50, 0), complex), r"table must be broadcastable to \(2, 3, 50\) and at most 4 pairs, got shape"),
        (np.ones((49, 4), complex), r"table must be broadcastable with shape \(2, 3, 50\), got shape"),
        (np.ones((4, 1, 1, 50, 4), complex), r"table must be broadcastable to \(2, 3, 50\) and at most 4 pairs"),
    ],
)
def test_tables_that_do_not_fit_are_refused(table, message):
    with pytest.raises(ValueError, match=message):
        rotate_by(X, table)
    with pytest.raises(ValueError, match="pairing must be"):
        rotate_by(X, rotation_table(AT, 8), pairing="other")
    with pytest.raises(ValueError, match="dim must be a positive even integer"):
        rotation_table(AT, 5)


def test_large_finite_values_are_not_taken_for_infinite():
    x = np.full((4, 2), 3e38, dtype=np.float32)  # their sum overflows
    np.testing.assert_array_equal(rotate(x, 0), x)
    x[3, 1] = np.inf
    with pytest.raises(ValueError, match="x must be finite real numbers"):
        rotate(x, 0)
    x[0, 0] = -np.inf
    with pytest.raises(ValueError, match="x must be finite real numbers"):
        rotate(x, 0)
