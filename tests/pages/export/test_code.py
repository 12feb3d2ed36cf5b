"""The code that a visitor saves runs as it is, and prints the numbers of the page."""

import contextlib
import io
import runpy
from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest
import torch
from jupyter_client import KernelManager
from nbclient import NotebookClient

from pages.index import CONCEPTS
from pages.kit.export.code import Code
from pages.kit.record import record
from pages.kit.text import LANGUAGES

FOLDERS = [concept.folder for concept in CONCEPTS if record(concept.folder, "en").snippets]
LIBRARIES = ("numpy", "pytorch")


def codes(folder, lang="en", state="x=1"):
    page = record(folder, lang)
    return [
        Code(page, library, source, f"/{folder}?lang={lang}&{state}")
        for library, source in zip(LIBRARIES, page.snippets, strict=True)
    ]


def printed(path):
    """What the script prints. What it sets for all of torch is set back."""
    out, dtype = io.StringIO(), torch.get_default_dtype()
    try:
        with contextlib.redirect_stdout(out), torch.random.fork_rng(devices=[]):
            runpy.run_path(str(path))
    finally:
        torch.set_default_dtype(dtype)
        torch.set_printoptions(profile="default")
    return out.getvalue()


@pytest.fixture
def kernel():
    """A Jupyter kernel of the test's own: what a notebook sets in it must not reach the next."""
    manager = KernelManager(kernel_name="python3")
    yield manager
    manager.shutdown_kernel(now=True)
    manager.cleanup_resources()


@pytest.mark.parametrize("folder", FOLDERS)
def test_script_prints_what_the_code_on_the_page_prints(tmp_path, folder):
    for code in codes(folder):
        for name, source in (("shown.py", code.source.encode()), ("saved.py", code.script())):
            (tmp_path / name).write_bytes(source)
        shown, saved = printed(tmp_path / "shown.py"), printed(tmp_path / "saved.py")
        assert any(character.isdigit() for character in shown)
        assert saved == shown


def run(book, kernel):
    """What the notebook's cells put out in a kernel that is new or begins anew."""
    if kernel.has_kernel:
        kernel.restart_kernel(now=True)
    client = NotebookClient(book, km=kernel, timeout=60)
    try:
        ran = client.execute(cleanup_kc=False)
    finally:
        client.kc.stop_channels()
        client.kc.context.term()
    return [output for cell in ran.cells if cell.cell_type == "code" for output in cell.outputs]


@pytest.mark.parametrize("folder", FOLDERS)
def test_notebook_prints_what_the_code_on_the_page_prints(tmp_path, kernel, folder):
    for code in codes(folder):
        (tmp_path / "shown.py").write_bytes(code.source.encode())
        book = nbformat.reads(code.notebook().decode(), as_version=4)
        nbformat.validate(book)
        outputs = run(book, kernel)
        assert {output.output_type for output in outputs} == {"stream"}
        assert "".join(output.text for output in outputs) == printed(tmp_path / "shown.py")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_file_says_what_it_is_and_where_it_is_from(lang):
    code = codes("rope", lang)[0]
    head = code.script().decode().split("\n\n")[0]
    assert all(line.startswith("# ") for line in head.splitlines())
    assert code.page.prose["title"] in head
    (address,) = (line.removeprefix("# ") for line in head.splitlines() if line.startswith("# /rope"))
    assert parse_qs(urlsplit(address).query) == {"lang": [lang], "x": ["1"]}
    about = nbformat.reads(code.notebook().decode(), as_version=4).cells[0]
    assert about.cell_type == "markdown"
    assert code.page.prose["lead"] in about.source
    assert code.file_name("py") == f"posenc_rope_numpy_{lang}.py"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_long_address_stays_on_one_line_to_be_copied(lang):
    state = "encoding=rope&num-heads=4&" + "&".join(f"setting{index}={index}" for index in range(20))
    code = codes("rope", lang, state)[0]
    assert f"# /rope?lang={lang}&{state}" in code.script().decode().splitlines()


def test_same_state_gives_the_same_notebook():
    assert codes("rope")[0].notebook() == codes("rope")[0].notebook()
