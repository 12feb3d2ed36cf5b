"""Importing posenc brings in neither torch nor anything that draws."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import posenc

ROOT = Path(posenc.__file__).parents[1]
HEAVY = ["torch", "streamlit", "altair", "pandas"]
REPORT = "; import sys; print(*[name for name in {names!r} if name in sys.modules])"


def heavy_after(code, *folders):
    path = os.pathsep.join(map(str, [*folders, ROOT]))
    command = [sys.executable, "-W", "error", "-c", code + REPORT.format(names=HEAVY)]
    return subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True
    ).stdout.split()


def test_import_brings_in_nothing_heavy():
    assert heavy_after("import posenc") == []


def test_numpy_work_brings_in_nothing_heavy():
    work = "posenc.score([1, 2], [3, 4], 5, [6, 7]); posenc.claims.norm_residual(9, 8)"
    assert heavy_after(f"import posenc; {work}") == []


@pytest.mark.parametrize("name", HEAVY)
def test_the_check_can_fail(tmp_path, name):
    (tmp_path / f"{name}.py").write_text("")
    assert heavy_after(f"import posenc, {name}", tmp_path) == [name]


def imports_torch(source):
    modules = [
        name
        for node in ast.walk(ast.parse(source))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    ]
    return any(name.split(".")[0] == "torch" or name == "posenc.nn" for name in modules)


def test_only_the_torch_modules_import_torch():
    found = [path.name for path in (ROOT / "posenc").rglob("*.py") if imports_torch(path.read_text(encoding="utf-8"))]
    assert sorted(found) == ["nn.py", "walkthrough.py"]  # the second within its functions, or the first test would fail
    assert imports_torch("def f():\n    from torch import nn")
    assert not imports_torch("import torchless")


def test_every_public_name_exists_and_is_documented():
    for name in posenc.__all__:
        assert getattr(posenc, name).__doc__
    assert sorted(posenc.__all__) == posenc.__all__


@pytest.mark.parametrize("name", sorted(set(posenc.__all__) - {"claims", "lessons"}) + posenc.claims.__all__)
def test_every_public_function_says_what_it_takes_returns_and_comes_from(name):
    thing = getattr(posenc, name, None) or getattr(posenc.claims, name)
    is_record = isinstance(thing, type)
    sections = ["Attributes:"] if is_record and "Attributes:" in thing.__doc__ else ["Args:", "Raises:", "Source:"]
    assert all(section in thing.__doc__ for section in sections)
    assert is_record or "Returns:" in thing.__doc__


def test_example_of_the_package_runs():
    import doctest

    assert doctest.testmod(posenc) == doctest.TestResults(failed=0, attempted=4)


def test_types_are_published():
    assert (Path(posenc.__file__).parent / "py.typed").exists()
