"""A setting takes what its rule allows and nothing else."""

import pytest

from pages.kit.settings import BASE, LAYOUT, Choice, Whole, Words
from pages.kit.text import Label

NAME = Label(zh="数", en="number")
WHOLE = Whole("x", NAME, 0, 64, 9)


@pytest.mark.parametrize(("written", "parsed"), [("0", 0), ("64", 64), ("65", 64), ("-5", 0), ("9999999999", 64)])
def test_whole_numbers_are_brought_into_range(written, parsed):
    assert WHOLE.parse(written) == parsed


@pytest.mark.parametrize("written", ["", "-", "abc", "NaN", "inf", "64.5", "1e3", "６４", "0x10", "1_000", " 5", "--5"])
def test_what_is_no_whole_number_is_refused(written):
    assert WHOLE.parse(written) is None


@pytest.mark.parametrize("value", [None, "9", 2.5, True])
def test_a_value_of_another_kind_gives_the_default(value):
    assert WHOLE.allowed(value) == 9


def test_the_default_stays_in_a_range_that_another_setting_shrank():
    assert Whole("pair", NAME, 0, 0, 1).allowed(None) == 0


@pytest.mark.parametrize(("value", "nearest"), [(3, 2), (9_000, 10_000), (10**9, 1_000_000)])
def test_a_number_that_is_no_option_gives_the_nearest(value, nearest):
    assert BASE.allowed(value) == nearest


@pytest.mark.parametrize("value", ["diagonal", 3, None])
def test_a_word_that_is_no_option_gives_the_default(value):
    assert LAYOUT.allowed(value) == "interleaved"


def test_the_address_holds_words_that_no_language_changes():
    assert LAYOUT.parse("interleaved") == "interleaved"
    assert LAYOUT.parse(LAYOUT.show("interleaved", "zh")) is None


def test_options_read_as_people_write_them():
    assert BASE.show(10_000, "en") == "10,000"
    assert LAYOUT.show("interleaved", "zh") == "sin、cos 交错"
    assert Choice("x", NAME, ("a",), "a").show("a", "en") == "a"


SENTENCE = Words("words", NAME, Label(zh="狗咬人", en="dog bites man"))


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("man bites dog", "man bites dog"),
        ("  man\t\n bites\u3000dog ", "man bites dog"),
        ("a\x00b \u202ec\ud800 \u200b", "ab c"),
        ("cafe\u0301", "caf\u00e9"),
        ("<b>x</b> $y$ **z**", "<b>x</b> $y$ **z**"),
        ("x" * 40, "x" * 16),
        ("a " * 30, " ".join("a" * 12)),
        (("w" * 16 + " ") * 12, " ".join(["w" * 16] * 7 + ["w"])),
        (" \x00 ", ""),
    ],
)
def test_a_sentence_is_cut_to_plain_words(written, kept):
    assert SENTENCE.parse(written) == kept
    assert SENTENCE.parse(kept) == kept
    assert len(kept) <= SENTENCE.longest


def test_a_sentence_is_split_into_words_and_chinese_into_characters():
    assert SENTENCE.words("man bites dog", "zh") == ("man", "bites", "dog")
    assert SENTENCE.words("狗不咬人", "en") == ("狗", "不", "咬", "人")
    assert SENTENCE.words("小狗 咬 人", "zh") == ("小狗", "咬", "人")
    assert len(SENTENCE.words("咬" * 16, "zh")) == SENTENCE.most
    assert SENTENCE.words("word", "en") == ("word",)


def test_no_sentence_means_the_example_of_the_language():
    assert SENTENCE.words("", "zh") == ("狗", "咬", "人")
    assert SENTENCE.words("\x00", "en") == ("dog", "bites", "man")


@pytest.mark.parametrize("value", [None, 3, ["a"]])
def test_what_is_no_text_is_no_sentence(value):
    assert SENTENCE.allowed(value) == ""
