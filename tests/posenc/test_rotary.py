"""Rotation against complex numbers, explicit matrices and published digits."""

import mpmath
import numpy as np
import pytest

from posenc import inverse_frequencies, pair_members, pairing_permutation, rotate, shift_blocks, turned_pairs

pytestmark = pytest.mark.filterwarnings("error")

PAIRINGS = ["interleaved", "half"]
ONE_TO_EIGHT = np.arange(1.0, 9.0)
FAR = 1_000_003


def complex_rotate(x, positions, pairing, base=10_000.0):
    """Second method: each pair is one complex number, times e^(i angle)."""
    half = x.shape[-1] // 2
    real, imag = (x[..., 0::2], x[..., 1::2]) if pairing == "interleaved" else (x[..., :half], x[..., half:])
    z = (real + 1j * imag) * np.exp(1j * np.asarray(positions)[..., None] * inverse_frequencies(2 * half, base=base))
    out = np.empty_like(x)
    for i, member in enumerate(pair_members(2 * half, pairing=pairing)):
        out[..., member[0]], out[..., member[1]] = z[..., i].real, z[..., i].imag
    return out


@pytest.mark.parametrize(
    ("x", "position", "options", "expected"),
    [
        # case A8
        ([1, 2, 3, 4], 1, {}, [-1.1426396637, 1.9220755965, 2.9598506679, 4.0297995017]),
        ([1, 2, 3, 4], 1, {"pairing": "half"}, [-1.9841106486, 1.9599006675, 2.4623779024, 4.0197996683]),
        # case A10
        (
            ONE_TO_EIGHT,
            3,
            {},
            [
                -1.2722325127,
                -1.8388649851,
                1.6839286407,
                4.7079065765,
                4.8177771675,
                6.1472777035,
                6.975968536,
                8.0209639685,
            ],
        ),
        (
            ONE_TO_EIGHT,
            3,
            {"pairing": "half"},
            [
                -1.6955925369,
                0.1375517383,
                2.7886815998,
                3.975982036,
                -4.8088424749,
                6.3230593481,
                7.0868367369,
                8.011963982,
            ],
        ),
        # case A11
        (
            ONE_TO_EIGHT,
            2,
            {"pairing": "half", "rotary_dim": 4},
            [-3.1440391170, 1.9196053466, -0.3391430828, 4.0391973601, 5, 6, 7, 8],
        ),
        (ONE_TO_EIGHT, 2, {"rotary_dim": 4}, [-2.2347416902, 0.0770037537, 2.9194053532, 4.0591960267, 5, 6, 7, 8]),
        # case A19
        (
            ONE_TO_EIGHT,
            5,
            {},
            [
                2.2015107348,
                -0.3915999037,
                0.7150455313,
                4.9486068634,
                4.6938762864,
                6.2423974087,
                6.9599126668,
                8.0348998544,
            ],
        ),
    ],
)
def test_golden_rotations(x, position, options, expected):
    # half a unit of the ten decimals given
    np.testing.assert_allclose(rotate(x, position, **options), expected, rtol=0, atol=6e-11)


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("head_dim", [2, 8, 64])
@pytest.mark.parametrize("base", [100.0, 10_000.0])
def test_rotation_is_multiplication_by_a_complex_number(pairing, head_dim, base):
    x = np.random.default_rng(1).standard_normal((3, 7, head_dim))
    positions = np.array([0, 1, -4, 100, 2.5, 4096, 7])
    expected = complex_rotate(x, positions, pairing, base)
    np.testing.assert_allclose(rotate(x, positions, base=base, pairing=pairing), expected, rtol=0, atol=1e-13)


def test_rotation_is_the_transposed_shift_block():
    # facts 14: [[cos, -sin], [sin, cos]] here, its transpose in (sin, cos) order
    x = np.random.default_rng(2).standard_normal(8)
    expected = np.einsum("ijk,ij->ik", shift_blocks(3, 8), x.reshape(4, 2)).reshape(8)
    np.testing.assert_allclose(rotate(x, 3), expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("position", [FAR, -FAR])
def test_rotation_far_out_is_right_to_1e8(pairing, position):
    with mpmath.workdps(40):
        angles = [position * mpmath.mpf(10_000) ** (-mpmath.mpf(2 * i) / 64) for i in range(32)]
        turns = [[float(mpmath.cos(a) - mpmath.sin(a)), float(mpmath.sin(a) + mpmath.cos(a))] for a in angles]
    turned = rotate(np.ones(64), position, pairing=pairing)
    np.testing.assert_allclose(turned[pair_members(64, pairing=pairing)], turns, rtol=0, atol=1e-8)


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("rotary_dim", [None, 2, 16])
def test_norm_of_every_pair_is_kept(pairing, rotary_dim):
    x = np.random.default_rng(3).standard_normal((5, 32))
    turned = rotate(x, [0, 1, 10, 100, 1000], pairing=pairing, rotary_dim=rotary_dim)
    members = pair_members(32, pairing=pairing, rotary_dim=rotary_dim)
    before, after = (np.linalg.norm(v[:, members], axis=-1) for v in (x, turned))
    np.testing.assert_allclose(after, before, rtol=1e-14)


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_squared_norm_of_the_convention_mix_up(pairing):
    # case A8: 30, where the mix-up gives 34.38 or 24.63
    assert np.sum(rotate([1, 2, 3, 4], 1, pairing=pairing) ** 2) == pytest.approx(30, abs=1e-13)


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_score_depends_only_on_relative_position(pairing):
    q, k = np.random.default_rng(0).standard_normal((2, 1, 64))

    def score(m, n):
        return (rotate(q, [m], pairing=pairing) @ rotate(k, [n], pairing=pairing).T).item()

    for m, n, shift in [(3, 7, 1), (0, 5, 1000), (90, 2, 4096)]:
        assert score(m, n) == pytest.approx(score(m + shift, n + shift), abs=1e-9)


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_rotations_add_and_undo(pairing):
    x = np.random.default_rng(4).standard_normal(16)
    twice = rotate(rotate(x, 5, pairing=pairing), 9, pairing=pairing)
    np.testing.assert_allclose(twice, rotate(x, 14, pairing=pairing), rtol=0, atol=1e-14)
    np.testing.assert_allclose(rotate(rotate(x, 5, pairing=pairing), -5, pairing=pairing), x, rtol=0, atol=1e-14)
    np.testing.assert_array_equal(rotate(x, 0, pairing=pairing), x)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("pairing", PAIRINGS)
def test_channels_that_do_not_turn_are_bit_identical(dtype, pairing):
    x = np.random.default_rng(5).standard_normal((4, 12)).astype(dtype)
    x[0, 8] = -0.0
    turned = rotate(x, np.arange(4), pairing=pairing, rotary_dim=8)
    assert turned.dtype == dtype
    assert turned[:, 8:].tobytes() == x[:, 8:].tobytes()
    np.testing.assert_array_equal(turned[:, :8], rotate(x[:, :8], np.arange(4), pairing=pairing))


def test_result_is_the_same_over_batch_and_heads():
    # case A23: batch, heads and sequence all differ
    turned = rotate(np.ones((2, 3, 5, 4)), np.arange(5))
    for t in range(5):
        np.testing.assert_array_equal(turned[:, :, t], np.broadcast_to(rotate(np.ones(4), t), (2, 3, 4)))


def test_one_row_of_a_cache_equals_that_row_of_the_whole():
    # case A19
    whole = rotate(np.tile(ONE_TO_EIGHT, (6, 1)), np.arange(6))
    np.testing.assert_array_equal(rotate(ONE_TO_EIGHT[None], [5])[0], whole[5])
    assert not np.array_equal(whole[5], ONE_TO_EIGHT)


def test_batches_may_have_their_own_positions():
    x = np.random.default_rng(6).standard_normal((2, 3, 5, 8))
    positions = np.array([[0, 1, 2, 3, 4], [7, 8, 9, 10, 11]])
    turned = rotate(x, positions[:, None])
    for b in range(2):
        np.testing.assert_array_equal(turned[b], rotate(x[b], positions[b]))
    np.testing.assert_array_equal(rotate(x, 3), rotate(x, [3, 3, 3, 3, 3]))


@pytest.mark.parametrize("positions", [np.arange(3), np.arange(4), np.zeros((2, 5)), np.zeros((1, 2, 3, 5))])
def test_positions_of_another_axis_are_refused(positions):
    with pytest.raises(ValueError, match=r"positions must be broadcast"):
        rotate(np.ones((2, 3, 5, 4)), positions)


def test_own_frequencies_replace_the_base():
    x = np.random.default_rng(7).standard_normal((3, 8))
    same = rotate(x, [1, 2, 3], inv_freq=inverse_frequencies(8, base=77.0))
    np.testing.assert_array_equal(same, rotate(x, [1, 2, 3], base=77.0))
    still = rotate(x, [1, 2, 3], inv_freq=[1, 0, 0, 0])
    np.testing.assert_array_equal(still[:, 2:], x[:, 2:])
    with pytest.raises(ValueError, match=r"inv_freq must be of shape \(4,\), one for each pair, got shape \(3,\)"):
        rotate(x, [1, 2, 3], inv_freq=[1, 0, 0])


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("rotary_dim", [None, 4])
def test_turned_pairs_are_the_rotated_channels(pairing, rotary_dim):
    x = np.random.default_rng(8).standard_normal(8)
    frames = turned_pairs(x, np.arange(65), pairing=pairing, rotary_dim=rotary_dim)
    members = pair_members(8, pairing=pairing, rotary_dim=rotary_dim)
    assert frames.shape == (65, len(members), 2)
    whole = rotate(np.tile(x, (65, 1)), np.arange(65), pairing=pairing, rotary_dim=rotary_dim)
    np.testing.assert_array_equal(frames, whole[:, members])


def test_pair_members():
    np.testing.assert_array_equal(pair_members(6), [[0, 1], [2, 3], [4, 5]])
    np.testing.assert_array_equal(pair_members(6, pairing="half"), [[0, 3], [1, 4], [2, 5]])
    np.testing.assert_array_equal(pair_members(8, pairing="half", rotary_dim=4), [[0, 2], [1, 3]])


def test_golden_permutations():
    # case A10
    there = pairing_permutation(8, source="interleaved", target="half")
    back = pairing_permutation(8, source="half", target="interleaved")
    np.testing.assert_array_equal(there, [0, 2, 4, 6, 1, 3, 5, 7])
    np.testing.assert_array_equal(back, [0, 4, 1, 5, 2, 6, 3, 7])
    assert not np.array_equal(there[there], np.arange(8))


@pytest.mark.parametrize(("source", "target"), [("interleaved", "half"), ("half", "interleaved"), ("half", "half")])
@pytest.mark.parametrize("rotary_dim", [None, 6])
def test_permuting_turns_one_pairing_into_the_other(source, target, rotary_dim):
    x = np.random.default_rng(9).standard_normal((4, 8))
    p = pairing_permutation(8, source=source, target=target, rotary_dim=rotary_dim)
    converted = rotate(x[:, p], np.arange(4), pairing=target, rotary_dim=rotary_dim)
    np.testing.assert_array_equal(converted, rotate(x, np.arange(4), pairing=source, rotary_dim=rotary_dim)[:, p])


def test_permuted_weights_give_permuted_queries_head_by_head():
    rng = np.random.default_rng(10)
    weights, token = rng.standard_normal((3 * 8, 5)), rng.standard_normal(5)
    p = pairing_permutation(8, source="interleaved", target="half", num_heads=3)
    one = pairing_permutation(8, source="interleaved", target="half")
    q, permuted = (w @ token for w in (weights, weights[p]))
    # a matrix product may sum in another order where rows move
    np.testing.assert_allclose(permuted.reshape(3, 8), q.reshape(3, 8)[:, one], rtol=0, atol=1e-14)


def test_scores_survive_only_if_both_are_permuted():
    # case A10
    q, k = np.random.default_rng(11).standard_normal((2, 8))
    p = pairing_permutation(8, source="interleaved", target="half")
    right = rotate(q, 9) @ rotate(k, 2)
    both = rotate(q[p], 9, pairing="half") @ rotate(k[p], 2, pairing="half")
    one = rotate(q[p], 9, pairing="half") @ rotate(k, 2, pairing="half")
    assert both == pytest.approx(right, abs=1e-13)
    assert abs(one - right) > 0.1


def test_arrays_handed_in_are_left_alone():
    x = np.ones((3, 4))
    x.setflags(write=False)
    turned = rotate(x, [0, 1, 2])
    turned[:] = 7
    np.testing.assert_array_equal(x, np.ones((3, 4)))
