"""Shifting by k is one linear map: the same matrix carries every encoding k positions on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc import _checks as check
from posenc._arrays import (
    Array,
    cast,
    float64,
    in_one_namespace,
    namespace,
    outcome_dtype,
    phases,
    real_array,
    to_numpy,
)
from posenc.sinusoidal import LAYOUTS, inverse_frequencies, sinusoidal

FEATURES = ("pair", "sine", "cosine")


def shift_matrix(k: Any, d_model: int, *, base: float = 10_000.0, layout: str = "interleaved") -> Array:
    """The matrix M_k with M_k PE(p) = PE(p + k) for every p.

    Args:
        k: (...) positions to shift by, usually one number; any sign, integers or floats.
        d_model: Width; positive and even.
        base: Above 1.
        layout: "interleaved" or "concatenated": the order of rows and columns.

    Returns:
        (..., d_model, d_model), of k's kind of array and floating dtype: the blocks of ``shift_blocks``, else 0.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762, section 3.5 ("PE_{pos+k} can be represented as a linear function of
        PE_pos"); written out with the angle addition formulas.
    """
    k = real_array("k", k)
    pair, is_sine, partner = _channels(check.even("d_model", d_model), check.choice("layout", layout, LAYOUTS))
    angles = phases(k, inverse_frequencies(d_model, base=base)[pair])  # (..., d_model): each channel's own pair
    sign = np.where(is_sine, 1.0, -1.0)[:, None]
    xp, (angles, own, other) = in_one_namespace(angles, np.eye(d_model), sign * np.eye(d_model)[partner])
    matrix = xp.cos(angles)[..., None] * own + xp.sin(angles)[..., None] * other
    return cast(matrix + 0.0, outcome_dtype(k))  # + 0.0 turns every -0.0 into 0.0


def _channels(d_model: int, layout: str) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]:
    """For each channel its pair, whether it is the sine, and the other channel of the pair; all (d_model,)."""
    channel, half = np.arange(d_model), d_model // 2
    if layout == "interleaved":
        return channel // 2, channel % 2 == 0, channel ^ 1
    return channel % half, channel < half, (channel + half) % d_model


def shift_blocks(k: Any, d_model: int, *, base: float = 10_000.0) -> Array:
    """Each pair's own 2 x 2 block of M_k, [[cos k w, sin k w], [-sin k w, cos k w]] on (sin, cos).

    Args:
        k: (...) positions to shift by; any sign, integers or floats.
        d_model: Width; positive and even.
        base: Above 1.

    Returns:
        (..., d_model / 2, 2, 2), of k's kind of array and floating dtype.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``shift_matrix``. On (cos, sin), the order of a turning vector, the sines change sign.
    """
    k = real_array("k", k)
    angles = phases(k, inverse_frequencies(check.even("d_model", d_model), base=base))
    xp = namespace(angles)
    cosines, sines = xp.cos(angles), xp.sin(angles)
    upper, lower = xp.stack([cosines, sines], axis=-1), xp.stack([-sines, cosines], axis=-1)
    return cast(xp.stack([upper, lower], axis=-2) + 0.0, outcome_dtype(k))


def pair_channels(d_model: int, *, layout: str = "interleaved") -> NDArray[np.int64]:
    """Where each pair's sine and cosine stand: the rows and columns of M_k that its block takes.

    Args:
        d_model: Width; positive and even.
        layout: "interleaved" or "concatenated".

    Returns:
        (d_model / 2, 2) int64, the channel of the sine and the channel of the cosine.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``sinusoidal``.
    """
    _, is_sine, partner = _channels(check.even("d_model", d_model), check.choice("layout", layout, LAYOUTS))
    sines = np.flatnonzero(is_sine)
    return np.stack([sines, partner[sines]], axis=-1)


def shifted(positions: Any, k: Any, d_model: int, *, base: float = 10_000.0, layout: str = "interleaved") -> Array:
    """M_k PE(p) multiplied out: encodings carried k positions on by the one matrix.

    Args:
        positions: (...) positions p; integers or floats of any sign.
        k: One number to shift by, an integer or a float of any sign.
        d_model: Width; positive and even.
        base: Above 1.
        layout: "interleaved" or "concatenated".

    Returns:
        (..., d_model), of the positions' kind of array and floating dtype.

    Raises:
        ValueError: an argument is outside its range.

    Source:
        As ``shift_matrix``.
    """
    positions = real_array("positions", positions)
    start = sinusoidal(float64(positions), check.even("d_model", d_model), base=base, layout=layout)
    matrix = shift_matrix(check.real("k", k), d_model, base=base, layout=layout)
    xp, (start, matrix) = in_one_namespace(start, matrix)
    return cast(start @ xp.permute_dims(matrix, (1, 0)), outcome_dtype(positions))


@dataclass(frozen=True, eq=False)
class LinearMap:
    """The linear map nearest to a shift, and how far it misses.

    Attributes:
        matrix: (c, c) float64, features(p + k) is about matrix @ features(p).
        residuals: (n,) float64, Euclidean error at each position.
        rms: Root of the mean squared residual.
        table: (n, c) float64, the features at the positions.
        features: "pair", "sine" or "cosine".
    """

    matrix: NDArray[np.float64]
    residuals: NDArray[np.float64]
    rms: float
    table: NDArray[np.float64]
    features: str

    @property
    def predicted(self) -> NDArray[np.float64]:
        """(n, c) float64, what the map makes of each row of the table."""
        return self.table @ self.matrix.T


def best_linear_map(
    k: float,
    positions: Any,
    d_model: int,
    *,
    base: float = 10_000.0,
    features: str = "pair",
    layout: str = "interleaved",
) -> LinearMap:
    """The least-squares matrix from features(p) to features(p + k) over all positions at once.

    With sines and cosines the error is rounding; with one of them alone no matrix exists unless every k w_i is a
    multiple of pi, because sin((p + k) w) needs cos(p w). Few positions would hide that: a matrix with as many columns
    as there are rows fits anything, so at least twice as many positions as columns are asked for.

    Args:
        k: Positions to shift by; a finite number.
        positions: (n,) integers or floats, n at least 2 c.
        d_model: Width; positive and even.
        base: Above 1.
        features: "pair" (c = d_model columns), "sine" or "cosine" (c = d_model / 2 columns).
        layout: Order of the columns where features is "pair".

    Returns:
        A LinearMap of NumPy arrays.

    Raises:
        ValueError: an argument is outside its range, or there are too few positions.

    Source:
        Ordinary least squares, numpy.linalg.lstsq; the question of Vaswani et al. 2017, arXiv:1706.03762, section 3.5.
    """
    k = check.real("k", k)
    here = to_numpy(float64(real_array("positions", positions)))
    columns = _feature_columns(check.even("d_model", d_model), features, check.choice("layout", layout, LAYOUTS))
    if here.ndim != 1 or here.size < 2 * columns.size:
        rule = f"one-dimensional and hold at least {2 * columns.size} positions, two for each feature"
        raise check.shape_refusal("positions", rule, here.shape)
    table, target = (sinusoidal(p, d_model, base=base, layout=layout)[:, columns] for p in (here, here + k))
    solution = np.linalg.lstsq(table, target, rcond=None)[0]  # rows act from the left: target = table @ solution
    residuals = np.linalg.norm(table @ solution - target, axis=-1)
    return LinearMap(solution.T.copy(), residuals, float(np.sqrt(np.mean(residuals**2))), table, features)


def _feature_columns(d_model: int, features: str, layout: str) -> NDArray[np.int64]:
    is_sine = _channels(d_model, layout)[1]
    wanted = {"pair": is_sine | ~is_sine, "sine": is_sine, "cosine": ~is_sine}
    return np.flatnonzero(wanted[check.choice("features", features, FEATURES)])
