"""``python -m posenc lesson``: the lesson's digits, the same in both languages, with NumPy alone, in any terminal."""

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import posenc
from posenc import lessons
from posenc.__main__ import main
from posenc.lesson_attention import lesson_attention
from posenc.terminal import lesson, speech
from posenc.terminal.table import width
from tests.posenc.test_lesson_tables import DOTS as DOT_PRODUCTS
from tests.posenc.test_lesson_tables import ROWS as ROPE

ROOT = Path(posenc.__file__).parents[1]
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:e[-+]\d+)?")
RULE = re.compile(r" *-+(?:  -+)*")

# recorded from the lessons' code, as in test_lesson_tables, test_attention and test_nn
DOTS = dict(zip((0, 1, 2, 4, 8, 16, 32, 64), DOT_PRODUCTS, strict=True))
Q_LENGTH = 1.8626529785979864
PE_ROW_1 = [0.8414709848078965, 0.5403023058681398, 0.09983341664682815, 0.9950041652780258]
PE_ROW_1 += [0.009999833334166664, 0.9999500004166653, 0.0009999998333333417, 0.9999995000000417]
WITHOUT = [0.8550228694934352, 0.022574458786801813, 0.019045373188185694, 0.10335729853157724]
WITH = [0.9242962150246231, 0.00544307452417434, 0.003096177424326156, 0.06716453302687635]
FROBENIUS = 0.3199806858177361
Q = [0.027347251772880554, 0.1169435977935791, -0.27976417541503906, 0.30056220293045044]
Q += [-0.5601635575294495, -0.6276330947875977, -0.5665505528450012, -0.6104522347450256]
Q_ROTATED = [-0.08362885564565659, 0.08619681000709534, -0.3083726763725281, 0.27113083004951477]
Q_ROTATED += [-0.553859293460846, -0.6332032084465027, -0.5659397840499878, -0.6110184788703918]
WEIGHTS_3 = [0.11601875722408295, 0.15241794288158417, 0.340298593044281]
WEIGHTS_3 += [0.1937367469072342, 0.1296040564775467, 0.06792395561933517]


@pytest.fixture(scope="module")
def shown():
    return lesson.demonstrations()


@pytest.fixture(scope="module", params=["zh", "en"])
def text(request, shown):
    return lesson.text(shown, request.param, speech.BLOCKS)


def rows(text):
    """The numbers of every line, in order."""
    return [[float(found.replace(",", "")) for found in NUMBER.findall(line)] for line in text.splitlines()]


def has_row(text, *numbers, places=4):
    """Whether a line ends in these numbers, as the lesson rounds them."""
    wanted = np.round(numbers, places)
    return any(
        len(row) >= len(wanted) and np.allclose(row[-len(wanted) :], wanted, rtol=0, atol=1e-9) for row in rows(text)
    )


def test_rope_against_addition(text):
    for m, n, rope, additive in ROPE:
        assert has_row(text, m, n, m - n, rope, additive)


def test_dot_products(text):
    for k, dot in DOTS.items():
        assert has_row(text, k, dot, dot, dot, places=3)


def test_lengths_of_q(text):
    for position in (0, 1, 10, 100, 1000):
        assert has_row(text, position, Q_LENGTH)


def test_attention_without_and_with_positions(text):
    assert has_row(text, 0, 0, 1, 0, 1, 0, 1, 0, 1)
    assert has_row(text, 1, *PE_ROW_1)
    assert has_row(text, 0, *WITHOUT, 1)
    assert has_row(text, 0, *WITH, 1)
    assert f"{FROBENIUS:.4f}" in text


def test_rope_inside_attention(text):
    assert has_row(text, *Q)
    assert has_row(text, *Q_ROTATED)
    assert has_row(text, 3, *WEIGHTS_3, 1)


def test_numbers_are_posencs(text):
    for position, row in zip(lessons.DIGIT_POSITIONS, lessons.row_digits(), strict=True):
        assert has_row(text, position, *row)
    for token, row in enumerate(lesson_attention().weights[0]):
        assert has_row(text, token, *row, row.sum())


def test_the_search_for_rows_can_fail(text):
    assert not has_row(text, 5, 2, 3, -3.7239, 1.1769)


def test_sentence_longer_than_the_table_is_refused_in_the_readers_language(shown):
    said = {lang: lesson.text(shown, lang, speech.BLOCKS) for lang in ("zh", "en")}
    assert "12  位置 8 没有对应的行：8 行只管到位置 7" in said["zh"]
    assert "12  position 8 is outside the table: 8 rows serve positions 0 to 7" in said["en"]


def tables(text):
    """Each table as its lines: header, rule, rows."""
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if RULE.fullmatch(line) and line.startswith("  "):
            end = next(i for i in range(at, len(lines)) if not lines[i])
            yield lines[at - 1 : end]


def columns_of(line):
    """The character in each column of a terminal; a wide one is there twice."""
    return "".join(character * width(character) for character in line)


def test_columns_line_up(text):
    found = list(tables(text))
    assert len(found) == 20
    for header, rule, *body in found:
        edges = [at for at, character in enumerate(rule) if character == " "]
        for line in (header, *body):
            spread = columns_of(line)
            assert len(spread) <= len(rule)
            assert all(spread[at] == " " for at in edges if at < len(spread)), line
    assert max(width(line) for line in text.splitlines()) <= 86


def numbers_of_tables(text):
    """The cells of each line of each table that are numbers."""
    return [
        [[cell for cell in re.split(r"  +", line.strip()) if NUMBER.fullmatch(cell)] for line in body]
        for _, _, *body in tables(text)
    ]


def test_both_languages_have_the_same_tables(shown):
    zh, en = (numbers_of_tables(lesson.text(shown, lang, speech.BLOCKS)) for lang in ("zh", "en"))
    assert zh == en
    assert sum(len(line) for table in zh for line in table) > 200


def test_english_is_ascii_but_for_the_blocks(shown):
    assert lesson.text(shown, "en", speech.PLAIN).isascii()
    lesson.text(shown, "zh", speech.PLAIN).encode("gbk")


def test_no_digit_is_typed_into_the_explanations(shown):
    for demonstration in shown:
        for words in (demonstration.title, demonstration.says):
            left = re.sub(r"\{\w+\}|q = k|2 x 2|是 1|to 1", "", words.zh + words.en)
            assert not re.search(r"\d", left), left


def test_heatmap_is_the_table(shown):
    lines = [line for line in lesson.text(shown, "en", speech.PLAIN).splitlines() if line.endswith("|")]
    assert len(lines) == 40
    table = posenc.sinusoidal(np.arange(40), 16)
    for row, line in zip(table, lines, strict=True):
        picture = line.split("|")[1]
        assert [speech.PLAIN.index(shade) for shade in picture[::2]] == [round((x + 1) / 2 * 9) for x in row.tolist()]


def run(*arguments, prelude="", **environment):
    start = f"import runpy, sys; sys.argv[1:] = {list(arguments)!r}; runpy.run_module('posenc', run_name='__main__')"
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", prelude + start],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        check=False,
    )


BLOCKED = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name in ("torch", "streamlit", "altair", "pandas"):
            raise ModuleNotFoundError(f"No module named {name!r}")
sys.meta_path.insert(0, Blocked())
"""


def test_lesson_runs_with_numpy_alone_and_takes_less_than_a_second():
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run("lesson", prelude=BLOCKED, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert (done.returncode, done.stderr) == (0, b"")
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 1  # of CPU: others may share it


def test_check_without_torch_skips_what_needs_it_and_says_so():
    done = run("check", "--only", "rope_attention", "--lang", "en", prelude=BLOCKED)
    assert (done.returncode, done.stderr) == (0, b"")
    said = done.stdout.decode()
    assert said.count(" skipped\n") == 6
    assert "Skipped (" in said
    assert "module_cache_residual" in said
    assert "9 claims: 3 hold, 0 do not, 6 skipped." in said


@pytest.mark.parametrize("encoding", ["ascii", "gbk", "latin-1", "utf-8"])
@pytest.mark.parametrize(
    "arguments", [("lesson", "--lang", "zh"), ("check", "--only", "rope", "--lang", "zh"), ("--help",)]
)
def test_any_encoding_will_do(encoding, arguments):
    done = run(*arguments, PYTHONIOENCODING=encoding, LC_ALL="zh_CN.UTF-8")
    assert (done.returncode, done.stderr) == (0, b"")
    said = done.stdout.decode(encoding)
    assert any("一" <= character <= "龥" for character in said) == (encoding in ("gbk", "utf-8"))
    assert ("█" in said) == (encoding == "utf-8" and arguments[0] == "lesson")


def test_output_is_plain(capsys):
    assert main(["lesson"]) == 0
    said = capsys.readouterr()
    assert "\x1b" not in said.out
    assert said.err == ""


@pytest.mark.parametrize("lines", [0, 3])
def test_a_closed_pipe_ends_quietly(lines):
    command = [sys.executable, "-m", "posenc", "lesson"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as process:
        for _ in range(lines):
            process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode in (0, 141)


def shell(line):
    return subprocess.run(["sh", "-c", line, sys.executable], capture_output=True, cwd=ROOT, check=False)


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.is_char_device(), reason="no /dev/full here")
def test_output_that_cannot_be_written_is_told_in_one_sentence():
    done = shell('"$0" -m posenc check --list >/dev/full')
    assert (done.returncode, done.stderr) == (74, b"python -m posenc: error: [Errno 28] No space left on device\n")


def test_no_output_at_all_is_no_error():
    assert shell('"$0" -m posenc check --only heatmap >&-').returncode == 0


def test_language_follows_the_locale_until_it_is_asked_for():
    assert "正弦编码" in run("lesson", LC_ALL="zh_CN.UTF-8", PYTHONIOENCODING="utf-8").stdout.decode()
    assert "Sinusoids" in run("lesson", "--lang", "en", LC_ALL="zh_CN.UTF-8", PYTHONIOENCODING="utf-8").stdout.decode()


def test_a_check_that_fails_is_seen(monkeypatch, capsys):
    monkeypatch.setattr("posenc.claims.sinusoidal.sinusoidal", lambda p, d, **o: 1.001 * posenc.sinusoidal(p, d, **o))
    assert main(["lesson", "--lang", "en"]) == 1
    assert "FAILS" in capsys.readouterr().out
