"""Imports run one way: posenc knows no pages, figures know no Streamlit, a page knows no other page."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DRAWING = {"streamlit", "altair", "pandas", "pages"}
WITHOUT_STREAMLIT = (
    "address",
    "cache",
    "collection",
    "concept",
    "export",
    "figure",
    "marks",
    "opening",
    "record",
    "settings",
    "silence",
    "spec",
    "subset",
    "text",
    "theme",
)
"""Modules of the kit that figures, pages' scripts and exports use."""


def imported(source: str) -> Iterator[str]:
    """Every module that the source imports, anywhere in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module or ""
            yield from (f"{node.module}.{name.name}" for name in node.names)


def faults(path: str, source: str) -> list[str]:
    """The imports of the file that the rule forbids."""
    parts = Path(path).parts
    names = set(imported(source))
    tops = {name.split(".")[0] for name in names}
    if parts[0] == "posenc":
        torch = {"torch"} if parts[-1] != "nn.py" else set()
        return sorted(tops & (DRAWING | torch))
    if parts[1] == "kit":
        known = {"streamlit"} if Path(parts[2]).stem in WITHOUT_STREAMLIT else set()
        return sorted((tops & (known | {"torch"})) | {n for n in names if n.startswith("pages.") and not _kit(n)})
    if len(parts) == 2:
        return []
    own = ("pages.kit", f"pages.{parts[1]}")
    others = {name for name in names if name.startswith("pages.") and not name.startswith(own)}
    forbidden = {"streamlit", "torch"} | ({"altair", "pandas"} if parts[-1] == "page.py" else set())
    on_screen = {name for name in names if _kit(name) and not _is_plain(name)}
    return sorted(others | on_screen | (tops & forbidden))


def _is_plain(name: str) -> bool:
    """Whether a module of the kit, or a name in one, is there without Streamlit."""
    return name == "pages.kit" or name.split(".")[2] in WITHOUT_STREAMLIT


def _kit(name: str) -> bool:
    return name == "pages.kit" or name.startswith("pages.kit.")


FILES = sorted(str(path.relative_to(ROOT)) for top in ("posenc", "pages") for path in (ROOT / top).rglob("*.py"))


@pytest.mark.parametrize("path", FILES)
def test_imports_run_one_way(path):
    assert faults(path, (ROOT / path).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("path", "source", "found"),
    [
        ("posenc/rotary.py", "import streamlit as st", ["streamlit"]),
        ("posenc/rotary.py", "def f():\n    import torch", ["torch"]),
        ("posenc/learned.py", "from pandas import DataFrame", ["pandas"]),
        ("pages/rope/figures.py", "import streamlit", ["streamlit"]),
        ("pages/rope/page.py", "from pages.distance import figures", ["pages.distance", "pages.distance.figures"]),
        ("pages/rope/page.py", "import torch", ["torch"]),
        ("pages/rope/page.py", "import streamlit as st", ["streamlit"]),
        ("pages/rope/page.py", "from pages.kit import frame", ["pages.kit.frame"]),
        ("pages/kit/spec.py", "import streamlit", ["streamlit"]),
        ("pages/kit/export/deck.py", "import streamlit", ["streamlit"]),
        ("pages/kit/frame.py", "from pages.rope.figures import M", ["pages.rope.figures", "pages.rope.figures.M"]),
    ],
)
def test_a_forbidden_import_is_found(path, source, found):
    assert faults(path, source) == found


def test_snippets_may_show_any_import_since_they_are_text():
    assert faults("pages/rope/snippets.py", 'CODE = "import torch"') == []
