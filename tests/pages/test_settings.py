"""A setting takes what its rule allows and nothing else."""

import pytest

from pages.kit.settings import BASE, LAYOUT, Choice, Whole
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
