"""A figure at a state: what draws it, from what, in which language, with its handles where they stand."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.kit.settings import Setting
from pages.kit.spec import Draw, seeded, spec
from pages.kit.text import Label


@dataclass(frozen=True, eq=False)
class Numbers:
    """What a figure shows, as numbers at full resolution.

    Attributes:
        name: Of the entries, say "score".
        array: Of as many dimensions as there are axes.
        axes: What stands along each dimension, by name: numbers, or names of columns.
    """

    name: str
    array: np.ndarray
    axes: Mapping[str, Sequence[Any]]


def grid(name: str, array: np.ndarray, **axes: Sequence[Any]) -> Numbers:
    """The numbers of an array, with what stands along each of its axes in order."""
    return Numbers(name, array, axes)


def grids(name: str, arrays: Mapping[str, np.ndarray], **axes: Sequence[Any]) -> Numbers:
    """The numbers of a few arrays of one shape, by their names, with what stands along the axes that they share."""
    return Numbers(name, np.stack(list(arrays.values())), {"table": tuple(arrays), **axes})


def columns(along: str, values: Sequence[Any], **named: np.ndarray) -> Numbers:
    """The numbers of curves of one length: a row for each value along them, a column for each curve."""
    return Numbers("value", np.stack(list(named.values()), axis=-1), {along: values, "column": tuple(named)})


@dataclass(frozen=True)
class Figure:
    """One figure of a page as it stands.

    Attributes:
        concept: The page's folder.
        draw: The drawing function; its name is the figure's.
        alt: What it shows.
        inputs: Scalars and computations that it is drawn from.
        lang: "zh" or "en".
        handles: Where each handle that moves in the browser stands, by name.
        settings: Those that it depends on, with their values; its handles come last.
        numbers: Gives the numbers that it shows, when asked.
        section: Of the page's prose in which it stands; empty for a figure beside the settings.
        heading: Of that section.
    """

    concept: str
    draw: Draw
    alt: Label
    inputs: Mapping[str, Hashable]
    lang: str
    handles: Mapping[str, int]
    settings: Mapping[str, tuple[Setting[Any], Any]]
    numbers: Callable[[], Numbers] | None = None
    section: str = ""
    heading: Label | None = None

    @property
    def name(self) -> str:
        """The figure's name within its page."""
        return self.draw.__name__

    def spec(self, *, narrow: bool = False) -> dict[str, Any]:
        """The specification with its handles where they stand. Shared in its parts: never change it in place."""
        return seeded(spec(self.draw, self.inputs, lang=self.lang, narrow=narrow), self.handles)
