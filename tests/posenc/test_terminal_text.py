"""Text that lines up, in any terminal: widths, tables, paragraphs, shades, languages, the bar."""

import io

import numpy as np
import pytest

from posenc.terminal import speech
from posenc.terminal.progress import counted
from posenc.terminal.table import CLOSING, heatmap, table, width, wrapped
from posenc.wording import Wording


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", 0),
        ("abc", 3),
        ("位置", 4),
        ("，（", 4),
        ("a位b", 4),
        ("√·−█", 4),
        ("e\u0301", 1),
        ("ﾊ", 1),
        ("Ａ", 2),
        ("𠀀", 2),
    ],
)
def test_width(text, columns):
    assert width(text) == columns


def test_table_lines_up_whatever_the_characters():
    lines = table(["位置", "name", "值"], [["1", "狗 bites", "0.5"], ["100", "x", "-12.25"]], words=(1,))
    assert lines == [
        "位置  name          值",
        "----  --------  ------",
        "   1  狗 bites     0.5",
        " 100  x         -12.25",
    ]
    assert {width(line) for line in lines} == {22}


def test_table_of_uneven_rows_is_refused():
    with pytest.raises(ValueError, match="shorter"):
        table(["a", "b"], [["1"]])


PARAGRAPHS = [
    "Each row starts from three places and finds one number: only k counts.",
    "同一个 q 放在位置 m，同一个 k 放在位置 n，各按自己的位置旋转，再做点积（不缩放）。“变了”就是变了！",
    "averyveryverylongwordthatfitsnowhere and more",
    "位置" * 40,
    "",
]


@pytest.mark.parametrize("columns", [8, 20, 78])
@pytest.mark.parametrize("text", PARAGRAPHS)
def test_paragraphs_keep_to_their_width_and_lose_nothing(text, columns):
    lines = wrapped(text, columns)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    for line in lines:
        assert width(line) <= columns or " " not in line.strip()
        assert line == line.strip()
        assert line[0] not in CLOSING
        assert line[-1] not in "（“《"


def test_words_stay_whole():
    assert wrapped("one two three", 7) == ["one two", "three"]
    assert wrapped("词元 token，好", 8) == ["词元", "token，", "好"]


def test_heatmap_goes_from_light_to_dark():
    assert heatmap([[-1.0, 0.0, 1.0], [-5.0, 5.0, 0.5]], " .#") == ["  ..##", "  ####"]
    values = np.linspace(-1, 1, 201)
    shown = heatmap([values.tolist()], speech.BLOCKS)[0][::2]
    levels = [speech.BLOCKS.index(shade) for shade in shown]
    assert levels == sorted(levels)
    assert set(levels) == set(range(5))


@pytest.mark.parametrize(
    ("environment", "lang"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "ZH_tw"}, "zh"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "zh_CN", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US", "LC_MESSAGES": "zh_HK"}, "zh"),
        ({"LANG": "zh_CN", "LC_ALL": ""}, "zh"),
    ],
)
def test_language_of_the_locale(environment, lang):
    assert speech.language(environment) == lang


@pytest.mark.parametrize(
    ("encoding", "shades"),
    [
        ("utf-8", speech.BLOCKS),
        ("ascii", speech.PLAIN),
        ("gbk", speech.PLAIN),
        ("cp437", speech.BLOCKS),
        ("none", speech.PLAIN),
    ],
)
def test_shades_that_the_encoding_has(encoding, shades):
    assert speech.shades(encoding) == shades


def test_chinese_where_it_can_be_shown_and_english_elsewhere():
    say = Wording(zh="位置", en="position")
    assert [speech.said(say, "zh", e) for e in ("utf-8", "gbk", "ascii", "latin-1")] == ["位置"] * 2 + ["position"] * 2


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_bar_grows_and_is_wiped_away():
    stream = Terminal()
    assert list(counted(iter("abc"), 3, stream)) == list("abc")
    assert stream.getvalue() == f"\r[{'#' * 10:<30}] 1/3\r[{'#' * 20:<30}] 2/3\r\x1b[K"


def test_no_bar_outside_a_terminal():
    stream = io.StringIO()
    assert list(counted("ab", 2, stream)) == ["a", "b"]
    assert stream.getvalue() == ""
