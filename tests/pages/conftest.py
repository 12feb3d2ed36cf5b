"""A visitor's first request to any page, without a browser."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

INDEX = Path(__file__).resolve().parents[2] / "pages" / "index.py"

Visit = Callable[..., AppTest]


def visit(concept: str, address: Mapping[str, str | list[str]] | None = None) -> AppTest:
    """The page as drawn for a first visitor who follows a link to it.

    ``AppTest.switch_page`` can only leave a page already drawn, which would use the address up there. So the page is
    named as the browser names it, by the hash of its address.
    """
    app = AppTest.from_file(str(INDEX), default_timeout=60)
    for name, value in (address or {}).items():
        app.query_params[name] = value
    app._page_hash = calc_hash(concept)
    return app.run()


def headings(app: AppTest) -> list[str]:
    """What stands over the parts of the page, below its title: by itself, or with the text under it."""
    blocks = [(element.type, element.value) for element in app.main if element.type in {"subheader", "markdown"}]
    return [
        text.splitlines()[0].removeprefix("### ")
        for kind, text in blocks
        if kind == "subheader" or text.startswith("### ")
    ]


@pytest.fixture(name="visit")
def _visit() -> Visit:
    return visit
