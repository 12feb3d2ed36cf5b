"""Code that could let visitors reach each other, or let what they send do anything, stands nowhere."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ON_THE_USERS_OWN_MACHINE = (
    "posenc/terminal/",
    "posenc/__main__.py",
    "pages/__main__.py",
    "pages/kit/export/command.py",
)
"""The command lines: they read and write the files that their user names. No page may import them (the last test)."""
SOURCES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for top in ("posenc", "pages")
    for path in sorted((ROOT / top).rglob("*.py"))
}
HOSTED = [path for path in SOURCES if not path.startswith(ON_THE_USERS_OWN_MACHINE)]
READS_BY_NAME = {"pages/kit/text.py": "the prose of a page that index.py lists, in a language of two"}

OWN_GENERATORS = {"default_rng", "Generator", "SeedSequence", "RandomState"}
FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__"}
FORBIDDEN_MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "random", "yaml"}
FORBIDDEN_NAMES = {"os.system", "os.popen", "torch.manual_seed", "torch.seed", "torch.load"}
TORCH_DRAWS = {"rand", "randn", "randint", "randperm", "normal", "bernoulli", "multinomial"}
READERS = {"open", "read_text", "read_bytes", "write_text", "write_bytes", "load", "loadtxt", "fromfile", "memmap"}
MARKUP = {"html", "component"}


def forbidden(source: str) -> list[str]:
    """What the source does that could let visitors reach each other, or what they send do anything."""
    tree = ast.parse(source)
    imported = {(name.asname or name.name).split(".")[0] for node in _imports(tree) for name in node.names}
    found = [name for name in _modules(tree) if name.split(".")[0] in FORBIDDEN_MODULES]
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            name = ast.unparse(node)
            is_global = re.fullmatch(r"(np|numpy)\.random\.\w+", name) and node.attr not in OWN_GENERATORS
            found += [name] if is_global or name in FORBIDDEN_NAMES else []
        if isinstance(node, ast.Call):
            found += _call(node, imported)
    return found


def _imports(tree):
    return [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]


def _modules(tree) -> Iterator[str]:
    for node in _imports(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        else:
            yield node.module or ""
            if node.module == "numpy.random":
                yield from ("random" for name in node.names if name.name not in OWN_GENERATORS)
            if node.module == "numpy":
                yield from (name.name for name in node.names)


def _call(node: ast.Call, imported: set[str]) -> list[str]:
    name = ast.unparse(node.func)
    last = name.split(".")[-1]
    keywords = {keyword.arg: keyword.value for keyword in node.keywords}
    found = [name] if name in FORBIDDEN_CALLS else []
    for keyword in ("unsafe_allow_html", "allow_pickle", "shell", "unsafe_allow_javascript"):
        value = keywords.get(keyword)
        if value is not None and not (isinstance(value, ast.Constant) and value.value is False):
            found.append(f"{keyword}={ast.unparse(value)}")
    if last in MARKUP and name.startswith("st.") and not all(map(_is_constant, [*node.args, *keywords.values()])):
        found.append(f"{name} of what is no constant")
    if name.startswith("torch.") and last in TORCH_DRAWS and "generator" not in keywords:
        found.append(f"{name} without a generator")
    if last in READERS and (variables := _variables(node, name, imported)):
        found.append(f"{name} of {', '.join(variables)}")
    return found


def _is_constant(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_constant(node.left) and _is_constant(node.right)
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id.lstrip("_").isupper())


def _variables(node: ast.Call, name: str, imported: set[str]) -> list[str]:
    """The names that decide which file is read, other than modules and constants."""
    is_method = isinstance(node.func, ast.Attribute) and name.split(".")[0] not in {"np", "numpy", "io", "os"}
    if is_method and name.endswith(".load"):
        return []
    where = [node.func.value] if is_method else node.args[:1]
    names = [part.id for path in where for part in ast.walk(path) if isinstance(part, ast.Name)]
    return [part for part in names if part not in imported | {"__file__"} and not part.lstrip("_").isupper()]


@pytest.mark.parametrize("path", HOSTED)
def test_code_does_nothing_that_is_forbidden(path):
    found = forbidden(SOURCES[path])
    if path in READS_BY_NAME:
        found = [entry for entry in found if "read_text of" not in entry]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\nnp.random.seed(0)",
        "import numpy as np\nx = np.random.randn(3)",
        "import numpy\nnumpy.random.shuffle(x)",
        "from numpy.random import randn",
        "from numpy import random",
        "import random",
        "import torch\ntorch.manual_seed(0)",
        "import torch\ntorch.randn(3)",
        "eval(x)",
        "exec('1')",
        "import pickle",
        "from yaml import load",
        "import torch\ntorch.load(path)",
        "import numpy as np\nnp.load(DATA, allow_pickle=True)",
        "import numpy as np\nnp.load(DATA, allow_pickle=allowed)",
        "import streamlit as st\nst.markdown(TEXT, unsafe_allow_html=True)",
        "import streamlit as st\nst.html(text)",
        "import streamlit as st\nst.html(STYLE + text)",
        "import streamlit as st\nst.html(f'<b>{name}</b>')",
        "import streamlit as st\nst.components.v2.component('a', js=code)",
        "def f(path):\n    return open(path).read()",
        "from pathlib import Path\ndef f(name):\n    return (Path('a') / name).read_text()",
        "import numpy as np\ndef f(name):\n    return np.load(DATA / name, allow_pickle=False)",
        "import os\nos.system('ls')",
        "import subprocess\nsubprocess.run('ls', shell=True)",
    ],
)
def test_what_is_forbidden_is_found(source):
    assert forbidden(source) != []


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\nrng = np.random.default_rng(0)\nx = rng.standard_normal(3)",
        "import numpy as np\nnp.random.RandomState(SEED).randn(3)",
        "import torch\ntorch.randn(3, generator=g)",
        "import streamlit as st\nst.html(STYLE + PAPER)",
        "from pathlib import Path\nPath(__file__).read_text()",
        "import numpy as np\nnp.load(DATA / 'a.npz', allow_pickle=False)",
        'CODE = "np.random.seed(0); eval(x)"',
    ],
)
def test_what_is_harmless_is_not_found(source):
    assert forbidden(source) == []


def test_the_older_generator_is_an_object_of_its_own_with_seed_42():
    """The lesson that a page retells draws with RandomState(42)."""
    calls = [
        (path, ast.unparse(node))
        for path, source in SOURCES.items()
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("RandomState")
    ]
    assert calls
    for path, call in calls:
        seed = re.fullmatch(r"np\.random\.RandomState\(([A-Z_]*SEED)\)", call)
        assert seed, call
        assert re.search(rf"^{seed[1]}\b.*= 42$", SOURCES[path], re.M), path


def test_constants_that_go_into_markup_are_made_of_constants():
    """What st.html and components get is assigned at the top of a module, of text and other constants alone."""
    for path in (path for path in HOSTED if path.startswith("pages/")):
        for node in ast.parse(SOURCES[path]).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.JoinedStr):
                names = {part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)}
                assert {name for name in names if not name.lstrip("_").isupper()} == set(), path


def test_no_page_imports_the_command_lines():
    lines = ("posenc.terminal", "posenc.__main__", "pages.__main__", "pages.kit.export.command")
    for path in (path for path in HOSTED if path.startswith("pages/")):
        assert [name for name in _modules(ast.parse(SOURCES[path])) if name.startswith(lines)] == [], path
