"""``python -m pages figures``: every figure from a terminal."""

import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from PIL import Image
from pptx import Presentation

from pages.index import CONCEPTS
from pages.kit.collection import catalogue
from pages.kit.export.command import main

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = [concept.folder for concept in CONCEPTS]


def run(*arguments):
    """The status that the command ends with."""
    try:
        return main(["figures", *map(str, arguments)], FOLDERS)
    except SystemExit as end:
        return end.code


def test_every_figure_is_made_without_streamlit(tmp_path):
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from pages.index import CONCEPTS\n"
        "from pages.kit.export.command import main\n"
        "status = main(sys.argv[1:], [concept.folder for concept in CONCEPTS])\n"
        "print('streamlit' in sys.modules, status)"
    )
    command = [sys.executable, "-c", script, "figures", "--lang", "zh", "--out", str(tmp_path), "--format", "svg"]
    told = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "80"})
    *paths, last = told.stdout.splitlines()
    assert last == "False 0"
    assert told.stderr == ""  # no bar, since this is no terminal
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == sorted(Path(path).name for path in paths)
    assert len(made) == sum(len(names) for names in catalogue(tuple(FOLDERS)).values())
    for folder in FOLDERS:
        assert [name for name in made if name.startswith(f"{folder}-")]
    assert all("<text" in (tmp_path / name).read_text(encoding="utf-8") for name in made)


def test_module_runs_from_a_terminal():
    command = [sys.executable, "-m", "pages", "figures", "--help"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert told.count("python -m pages figures --") == 3
    assert "--set NAME=VALUE" in told


def test_every_format_of_one_figure(tmp_path, capsys):
    out = tmp_path / "made" / "here"
    asked = ("--lang", "en", "--out", out, "--only", "rope.decay", "--set", "base=100", "--size", "4:3")
    assert run(*asked, "--format", "png,svg,pdf,pptx,zip") == 0
    paths = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert {path.suffix for path in paths} == {".png", ".svg", ".pdf", ".pptx", ".zip"}
    assert sorted(paths) == sorted(out.iterdir())
    by = {path.suffix: path for path in paths}
    assert by[".png"].name == "rope-decay-base100-en.png"
    assert Image.open(io.BytesIO(by[".png"].read_bytes())).size == (2048, 1536)
    assert by[".pdf"].read_bytes().startswith(b"%PDF")
    assert len(Presentation(str(by[".pptx"])).slides) == 1
    assert zipfile.ZipFile(by[".zip"]).testzip() is None


def test_transparent_pictures_are(tmp_path):
    run("--out", tmp_path, "--only", "rope.decay", "--transparent")
    (made,) = tmp_path.iterdir()
    assert Image.open(io.BytesIO(made.read_bytes())).convert("RGBA").getpixel((0, 0))[3] == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--set", "d_model=63"], "d_model must be one of 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, got '63'"),
        (["--only", "rope", "--set", "pair=4"], "pair must be a whole number from 0 to 3, got '4'"),
        (["--only", "rope", "--set", "d_model=64"], "a setting must be one of the chosen pages' (head_dim, base, "),
        (["--set", "d_model"], "--set must be NAME=VALUE, got 'd_model'"),
        (["--only", "rope,ropes"], "--only must name pages (home, "),
        (
            ["--only", "rope.table"],
            "--only must name a figure of that page (rope.rotation, rope.decay), got 'rope.table'",
        ),
        (["--format", "png,gif"], "--format must be some of png, svg, pdf, pptx, zip, got 'gif'"),
        (["--theme", "blue"], "argument --theme: invalid choice: 'blue'"),
        (["--lang", "fr"], "argument --lang: invalid choice: 'fr'"),
        (["--colour", "red"], "unrecognized arguments: --colour red"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(tmp_path, capsys, arguments, told):
    assert run("--out", tmp_path, *arguments) == 2
    said = capsys.readouterr()
    assert told in said.err
    assert said.err.startswith("python -m pages")
    assert said.err.count("\n") == 1
    assert said.out == ""
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_needed_that_is_no_file(tmp_path, capsys):
    assert run() == 2
    assert "--out" in capsys.readouterr().err
    file = tmp_path / "file"
    file.touch()
    assert run("--out", file) == 2
    assert f"--out must be a folder, got the file {str(file)!r}" in capsys.readouterr().err


def test_what_is_there_is_kept_unless_it_may_be_replaced(tmp_path, capsys):
    asked = ("--out", tmp_path, "--only", "rope.decay")
    there = tmp_path / "rope-decay-en.png"
    there.write_text("mine")
    assert run(*asked, "--format", "svg,png") == 2
    assert "is already there; --force replaces it" in capsys.readouterr().err
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]
    assert run(*asked, "--force") == 0
    assert there.read_bytes().startswith(b"\x89PNG")


def test_a_folder_that_cannot_be_written_is_told(tmp_path, capsys):
    (tmp_path / "file").touch()
    assert run("--out", tmp_path / "file" / "below", "--only", "rope.decay") == 1
    said = capsys.readouterr().err
    assert "can't be written" in said
    assert said.count("\n") == 1


def test_a_bar_is_drawn_on_a_terminal(tmp_path):
    pty = pytest.importorskip("pty", reason="a terminal of one's own is a thing of Unix")
    import termios

    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 100))
    command = [sys.executable, "-m", "pages", "figures", "--out", str(tmp_path), "--only", "rope.decay"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    said = b""
    try:
        while part := os.read(ours, 4096):
            said += part
    except OSError:  # How Linux says that the other side has closed.
        pass
    os.close(ours)
    written, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert b"1/1" in said
    assert written.decode().split() == [str(tmp_path / "rope-decay-en.png")]
