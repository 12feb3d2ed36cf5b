"""Large runs of positions are made by adding angles: as exact as one sine for each entry, and nobody notices."""

import math

import mpmath
import numpy as np
import pytest
import torch

import posenc
from posenc import _turns
from posenc._turns import LEAST_FOR_BLOCKS

pytestmark = pytest.mark.filterwarnings("error")

BOUND = 2.3e-16
"""As the docstring of ``sinusoidal`` says, for each unit of 2 + |p|."""
RUNS = {
    "from 0": (0, 1),
    "through 0": (-3000, 1),
    "far out": (10**6, 1),
    "in steps of 2": (1, 2),
    "backwards": (5, -3),
    "all the same": (7, 0),
    "where float64 ends": (2**53 - 2**40, 2),
}


def run_of(start, step, pairs):
    """Just enough positions for the block route, and not a whole number of blocks."""
    count = -(-LEAST_FOR_BLOCKS // pairs) + 5
    return start + step * np.arange(count)


def exact(positions, pairs, d_model, base, spectrum):
    """(rows, pairs) sines and cosines of some pairs in 40 digits, rounded once."""
    half = d_model // 2
    with mpmath.workdps(40):
        powers = [mpmath.mpf(i) / (half if spectrum == "paper" else max(half - 1, 1)) for i in pairs]
        angles = [[int(p) * mpmath.mpf(base) ** -power for power in powers] for p in positions]
        return [np.array([[float(f(a)) for a in row] for row in angles]) for f in (mpmath.sin, mpmath.cos)]


def one_by_one(positions, d_model, **options):
    """The other route: too few rows at a time for blocks."""
    return np.concatenate([posenc.sinusoidal(row, d_model, **options) for row in positions[:, None]])


@pytest.fixture
def routes(monkeypatch):
    """What ``_blocks`` answered to each call."""
    answers = []
    blocks = _turns._blocks

    def noted(*arguments):
        answers.append(blocks(*arguments))
        return answers[-1]

    monkeypatch.setattr(_turns, "_blocks", noted)
    return answers


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("d_model", [2, 64, 1024])
@pytest.mark.parametrize("base", [10.0, 10_000.0, 1_000_000.0])
@pytest.mark.parametrize(("layout", "spectrum"), [("interleaved", "paper"), ("concatenated", "tensor2tensor")])
def test_block_route_keeps_its_bound_against_exact_arithmetic(routes, run, d_model, base, layout, spectrum):
    positions = run_of(*RUNS[run], d_model // 2)
    table = posenc.sinusoidal(positions, d_model, base=base, layout=layout, spectrum=spectrum)
    assert routes[0] is not None
    size = math.isqrt(positions.size)
    inside = [0, 1, size - 1, size, size + 1, int(np.argmin(np.abs(positions))), -size, -2, -1]  # and seams of blocks
    rows = table[inside]
    parts = (rows[:, 0::2], rows[:, 1::2]) if layout == "interleaved" else np.split(rows, 2, axis=1)
    pairs = np.unique(np.linspace(0, d_model // 2 - 1, 24).astype(int)).tolist()
    bound = BOUND * (2 + float(np.abs(positions).max()))
    for part, expected in zip(parts, exact(positions[inside], pairs, d_model, base, spectrum), strict=True):
        np.testing.assert_allclose(part[:, pairs], expected, rtol=0, atol=bound)


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
@pytest.mark.parametrize("d_model", [2, 128, 1024])
def test_both_routes_agree_on_every_entry(routes, layout, d_model):
    positions = run_of(-400, 1, d_model // 2)
    table = posenc.sinusoidal(positions, d_model, layout=layout)
    assert routes[0] is not None
    other = one_by_one(positions[: 2**13], d_model, layout=layout)
    assert all(answer is None for answer in routes[1:])
    bound = 2 * BOUND * (2 + float(np.abs(positions).max()))
    np.testing.assert_allclose(table[: 2**13], other, rtol=0, atol=bound)


def test_odd_width_loses_the_slowest_cosine_only(routes):
    positions = np.arange(LEAST_FOR_BLOCKS // 32)
    table = posenc.sinusoidal(positions, 65)
    assert routes[0] is not None
    assert table.shape == (positions.size, 65)
    np.testing.assert_allclose(table[-1], posenc.sinusoidal(int(positions[-1]), 65), rtol=0, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.int64, np.uint64, np.int32, np.float64, np.float32])
def test_every_dtype_of_whole_positions_gives_the_same_run(routes, dtype):
    positions = np.arange(LEAST_FOR_BLOCKS // 32).astype(dtype)
    table = posenc.sinusoidal(positions, 64)
    assert routes[0] is not None
    expected = posenc.sinusoidal(positions.astype(np.float64), 64)
    np.testing.assert_array_equal(table, expected.astype(table.dtype))
    assert table.dtype == (np.float32 if dtype == np.float32 else np.float64)


AWKWARD = {
    "halves": lambda n: np.arange(n) / 2,
    "a hole": lambda n: np.delete(np.arange(n + 1), n // 2),
    "two swapped": lambda n: np.concatenate([[0, 1], [3, 2], np.arange(4, n)]),
    "beyond float64": lambda n: 2**60 + 2**10 * np.arange(n),
    "very large": lambda n: np.linspace(-1e300, 1e300, n),
    "two axes": lambda n: np.arange(n).reshape(2, -1),
}


@pytest.mark.parametrize("name", AWKWARD)
def test_what_is_no_run_has_its_own_sines(routes, name):
    positions = AWKWARD[name](LEAST_FOR_BLOCKS)
    table = posenc.sinusoidal(positions, 4)
    assert routes == [None]
    angles = positions[..., None].astype(np.float64) * posenc.inverse_frequencies(4)
    np.testing.assert_array_equal(table[..., 0::2], np.sin(angles))
    np.testing.assert_array_equal(table[..., 1::2], np.cos(angles))


def test_small_tables_and_tensors_have_their_own_sines(routes):
    posenc.sinusoidal(np.arange(LEAST_FOR_BLOCKS // 32 - 1), 64)
    tensor = torch.arange(float(LEAST_FOR_BLOCKS // 32), requires_grad=True, dtype=torch.float64)
    table = posenc.sinusoidal(tensor, 64)
    assert routes == [None, None]
    table[:, 1].sum().backward()
    torch.testing.assert_close(tensor.grad, -tensor.detach().sin(), rtol=0, atol=1e-12)


@pytest.mark.parametrize("layout", ["interleaved", "concatenated"])
def test_tables_share_no_memory(layout):
    positions = np.arange(LEAST_FOR_BLOCKS // 32)
    first = posenc.sinusoidal(positions, 64, layout=layout)
    kept = first.copy()
    second = posenc.sinusoidal(positions, 64, layout=layout)
    assert not np.shares_memory(first, second)
    second[:] = 7
    np.testing.assert_array_equal(first, kept)
    np.testing.assert_array_equal(posenc.sinusoidal(positions, 64, layout=layout), kept)
    np.testing.assert_array_equal(positions, np.arange(LEAST_FOR_BLOCKS // 32))


def test_rotation_table_of_a_run_is_its_entries(routes):
    positions = np.arange(-100, LEAST_FOR_BLOCKS // 32)
    table = posenc.rotation_table(positions, 64)
    assert routes[0] is not None
    angles = positions[:, None] * posenc.inverse_frequencies(64)
    assert table.dtype == np.complex128
    np.testing.assert_allclose(table, np.exp(1j * angles), rtol=0, atol=2 * BOUND * (2 + positions.size))
