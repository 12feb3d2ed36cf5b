"""The process that makes files: it starts when needed, says what goes wrong, and neither hangs nor stays."""

import subprocess
import sys

import pytest

from pages.kit.export import converter as module
from pages.kit.export import font
from pages.kit.export.converter import ConversionError, Converter


def test_what_cannot_be_drawn_is_told_and_the_next_is_drawn():
    converter = Converter()
    try:
        with pytest.raises(ConversionError):
            converter.convert("svg_to_png", svg="<svg")
        empty = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>'
        assert converter.convert("svg_to_png", svg=empty, scale=1).startswith(b"\x89PNG")
    finally:
        converter.end()


def test_a_converter_that_has_ended_starts_again():
    converter, empty = Converter(), '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>'
    try:
        before = converter.convert("svg_to_png", svg=empty, scale=1)
        assert converter.is_running
        assert converter._process is not None
        converter._process.kill()
        assert converter.convert("svg_to_png", svg=empty, scale=1) == before
    finally:
        converter.end()
    assert not converter.is_running


@pytest.fixture(name="with_worker")
def _with_worker(monkeypatch, tmp_path):
    """A converter whose process runs this instead; the process notes that it was started."""
    converters, starts = [], tmp_path / "starts"

    def made(script):
        (tmp_path / "worker.py").write_text(f"open({str(starts)!r}, 'a').write('x')\n{script}")
        monkeypatch.setattr(module, "WORKER", tmp_path / "worker.py")
        converters.append(Converter())
        return converters[-1], lambda: len(starts.read_text())

    yield made
    for converter in converters:
        converter.end()


def test_a_file_that_takes_too_long_is_given_up_and_not_tried_again(with_worker, monkeypatch):
    monkeypatch.setattr(module, "LONGEST", 1.0)
    converter, starts = with_worker("import time; time.sleep(60)")
    with pytest.raises(ConversionError, match="svg_to_png must end within 1 seconds"):
        converter.convert("svg_to_png", svg="")
    assert starts() == 1
    assert not converter.is_running


def test_a_process_that_cannot_start_is_no_matter_of_time(with_worker):
    converter, starts = with_worker("raise SystemExit(3)")
    with pytest.raises(ConversionError, match="must not end during svg_to_png"):
        converter.convert("svg_to_png", svg="")
    assert starts() == 1


def test_the_process_ends_when_nobody_has_asked_for_a_while():
    script = "import sys, worker; worker.IDLE = 0.2; worker.main(sys.argv[1])"
    command = [sys.executable, "-c", script, str(font.folder())]
    with subprocess.Popen(command, cwd=module.WORKER.parent, stdin=subprocess.PIPE) as process:
        assert process.wait(timeout=30) == 0, "its standard input is still open"
