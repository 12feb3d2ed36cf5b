"""Pieces that figures share: the live handle, and what turns an array into a table or a picture."""

import base64
import io
from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from PIL import Image

from pages.kit.settings import Whole
from pages.kit.theme import NEGATIVE, POSITIVE, rgb


def handle(setting: Whole, lang: str, *, on: str | None = None) -> alt.Parameter:
    """A slider under the figure that moves with the hand and chooses the rows whose field has its value.

    Args:
        setting: Gives the name (of the parameter and of the field), the label and the range.
        lang: "zh" or "en".
        on: An event on the marks that moves it too, say "pointerover".
    """
    # An event away from the marks has no row, and would clear the selection.
    row = f"event.item && event.item.datum && event.item.datum.{setting.name} >= {setting.minimum}"
    more = {"on": f"{on}[{row}]"} if on else {}
    return alt.selection_point(
        name=setting.name,
        fields=[setting.name],
        bind=alt.binding_range(min=setting.minimum, max=setting.maximum, step=1, name=setting.label(lang)),
        value=[{setting.name: setting.default}],
        clear=False,
        toggle=False,
        **more,
    )


def picture(values: np.ndarray, limit: float = 1.0) -> str:
    """A table of signed values as a data URL: one pixel a cell, zero transparent, ±limit in full colour.

    Args:
        values: (rows, columns) in any float dtype; clipped to ±limit.
        limit: The value with the full colour.
    """
    level = np.clip(np.rint(values / limit * 127), -127, 127).astype(np.int16) + 127
    image = Image.fromarray(level.astype(np.uint8), mode="P")
    image.putpalette([channel for step in range(255) for channel in rgb(NEGATIVE if step < 127 else POSITIVE)])
    transparency = bytes(round(abs(step - 127) / 127 * 255) for step in range(255))
    file = io.BytesIO()
    image.save(file, format="PNG", transparency=transparency, optimize=False)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode("ascii")


def tidy(value: str, array: np.ndarray, **axes: Sequence[Any]) -> pd.DataFrame:
    """The array as a table with one row an entry: a column for each axis, in order, and one for the value.

    Args:
        value: Name of the column for the entries.
        array: As many axes as named, of those lengths.
        axes: What stands along each axis.

    Raises:
        ValueError: The lengths of the axes are not the array's shape.
    """
    shape = tuple(len(along) for along in axes.values())
    if shape != array.shape:
        raise ValueError(f"axes must have the array's lengths {array.shape}, got {shape}")
    grids = np.meshgrid(*(np.asarray(along) for along in axes.values()), indexing="ij")
    columns = {name: grid.ravel() for name, grid in zip(axes, grids, strict=True)}
    return pd.DataFrame({**columns, value: array.ravel()})


def scientific(number: str) -> str:
    """``text.scientific`` for the browser: an expression that writes what ``number`` gives: 0, or 1e-99 to 1e99."""
    mantissa, power = (f"split(format({number}, '.1e'), 'e')[{part}]" for part in (0, 1))
    power, digits = f"toNumber({power})", "'⁰¹²³⁴⁵⁶⁷⁸⁹'"
    sign = f"({power} < 0 ? '⁻' : '')"
    tens = f"(abs({power}) > 9 ? {digits}[floor(abs({power}) / 10)] : '')"
    written = f"{mantissa} + ' · 10' + {sign} + {tens} + {digits}[abs({power}) % 10]"
    return f"({number} == 0 ? '0' : {written})"
