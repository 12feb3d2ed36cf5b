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
from pages.kit.export import command
from pages.kit.export.command import main
from pages.kit.record import record

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
    assert run(*asked, "--format", "png, svg,pdf,pptx, zip") == 0
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
        (["--only", "none"], "--only must name at least one page or figure, got 'none'"),
        (["--format", "png,gif"], "--format must be some of png, svg, pdf, pptx, zip, got 'gif'"),
        (["--site", "your.host"], "--site must begin with https:// or http://, got 'your.host'"),
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


def test_a_folder_that_there_cannot_be_is_told(tmp_path, capsys):
    assert run("--out", tmp_path / ("x" * 300), "--only", "rope.decay") == 2
    said = capsys.readouterr().err
    assert "--out must be a folder that there can be" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("when", ["_tasks", "_single"])
def test_who_has_had_enough_is_told_what_is_whole(tmp_path, capsys, monkeypatch, when):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(command, when, stopped)
    assert run("--out", tmp_path, "--only", "rope.decay") == 130
    assert capsys.readouterr().err.endswith("stopped; what is listed is whole\n")


@pytest.mark.parametrize("broken", ["write_bytes", "replace"])
def test_a_file_is_written_whole_or_not_at_all(tmp_path, capsys, monkeypatch, broken):
    there = tmp_path / "rope-decay-en.png"
    there.write_text("mine")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path if broken == "write_bytes" else os, broken, full)
    assert run("--out", tmp_path, "--only", "rope.decay", "--force") == 1
    assert "can't be written: No space left on device" in capsys.readouterr().err
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(there.name, "mine")]


def test_only_the_pages_asked_for_are_computed(tmp_path, monkeypatch):
    computed = []
    monkeypatch.setattr(
        "pages.kit.collection.record",
        lambda folder, *more, **how: computed.append(folder) or record(folder, *more, **how),
    )
    catalogue.cache_clear()
    assert run("--out", tmp_path, "--only", "rope.decay", "--format", "svg") == 0
    assert set(computed) == {"rope"}


@pytest.mark.parametrize("asked", [("--lang", "zh"), ("--lang=zh",)])
def test_help_is_in_the_language_asked_for(capsys, monkeypatch, asked):
    assert run(*asked, "--help") == 0
    assert "把各页的图存成文件" in capsys.readouterr().out


def test_a_path_that_the_terminal_has_no_characters_for_is_shown_all_the_same(tmp_path):
    command = [sys.executable, "-m", "pages", "figures", "--only", "rope.decay", "--format", "svg", "--out"]
    told = subprocess.run(
        [*command, str(tmp_path / "图")],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == f"{tmp_path}/\\u56fe/rope-decay-en.svg\n".replace("/", os.sep)
    assert told.stderr == ""


def test_a_reader_who_has_gone_is_no_error_of_the_folder(tmp_path):
    command = f"'{sys.executable}' -m pages figures --only rope --format svg --out '{tmp_path}' 2>&1 >&3 3>&- | cat"
    shell = f"exec 3> >(exec 0<&-); sleep 0.2; {command}; echo ${{PIPESTATUS[0]}}"
    told = subprocess.run(["bash", "-c", shell], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout == "141\n"
    assert "can't be written" not in told.stderr


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
