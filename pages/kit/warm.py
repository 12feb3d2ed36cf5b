"""What a server does before its first visitor."""

import importlib
from collections.abc import Iterable

import altair as alt
import pandas as pd

from pages.kit.spec import spec
from pages.kit.text import LANGUAGES, prose


def warm_up(folders: Iterable[str]) -> None:
    """Import what the pages of these folders import, read their prose, draw one figure; torch is not among it.

    The first figure of a process is slow, since Altair then compiles its schema.
    """
    for folder in folders:
        importlib.import_module(f"pages.{folder}.figures")
        for lang in LANGUAGES:
            prose(folder, lang)
    spec(_point, {}, lang="en", narrow=False)


def _point(*, lang: str, narrow: bool) -> alt.HConcatChart:  # noqa: ARG001
    dots = alt.Chart(pd.DataFrame({"x": [0.0], "y": [0.0]})).mark_point().encode(x="x:Q", y="y:Q")
    return alt.hconcat(dots + dots, dots)
