"""Whatever an address says of a setting: no page breaks, and the value in force is one that the setting allows."""

import string
from collections.abc import Hashable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pages.kit import session as module
from pages.kit.session import Session
from pages.kit.settings import LANG, Setting
from tests.pages.conftest import visit
from tests.pages.test_address import FOLDERS, assert_in_range, settings_in

FIXED = settings(
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
LEAST = 10_000
"""Addresses of a single setting that are to be tried in all."""
BATCH = 8
"""Of them in one example of Hypothesis, whose own work for each takes longer than ours."""
AT_ONCE = settings(FIXED, max_examples=15)
"""Whole runs of each page."""

NASTY = [
    *["", " ", "\t", "-", "--5", "+1", "-0", "007", "1e3", "0x10", "1_000", "1,000", "64.5", "NaN", "inf", "-inf", "٣"],
    *["６４", "²", "½", "None", "True", "on", "abc", "\x00", "8\x00", "\u202e8", "\ufeff8", "🧮", "e\u0301", "狗咬人"],
    *["<script>alert(1)</script>", "**`a`** $x$ [b](javascript:alert(1))", "{value}", "%s", "a&b=c", "=1+1", "'; --"],
    *["9" * 400, "9" * 5_000, "-" + "9" * 5_000, "x" * 10_000, "\\", "../../etc/passwd", "__class__"],
]
NUMBERS = st.one_of(
    st.integers(-2, 5_000).map(str),
    st.integers(-(10**30), 10**30).map(str),
    st.floats().map(str),
    st.decimals().map(str),
)
TEXTS = st.one_of(
    st.text(max_size=12),
    st.text(st.characters(categories=["Cc", "Cf", "Co", "Zl", "Zp", "Mn"]), max_size=8),
    st.text(st.characters(min_codepoint=0x3400, max_codepoint=0x9FFF), max_size=8),
    st.text(string.printable, max_size=20),
    st.builds(lambda text, times: text * times, st.text(min_size=1, max_size=4), st.integers(1, 2_000)),
)


def written(setting: Setting[Any]) -> st.SearchStrategy[list[str]]:
    """What an address may say of the setting, up to three times: anything, or what is allowed, as it is or spoilt."""
    allowed = st.sampled_from([*map(str, getattr(setting, "options", ())), str(setting.default)])
    spoilt = st.tuples(allowed, st.sampled_from(["", " ", "0", "\x00", "\u200b", ".0", "x"])).map("".join)
    value = st.one_of(st.sampled_from(NASTY), NUMBERS, TEXTS, allowed, spoilt, allowed.map(str.upper))
    return st.lists(value, min_size=1, max_size=3)


class Address(dict[str, list[str]]):
    """The query parameters of a request, as far as a session uses them."""

    def get_all(self, name: str) -> list[str]:
        return self[name]

    def from_dict(self, values: dict[str, str]) -> None:
        self.clear()
        self.update({name: [value] for name, value in values.items()})


def arrive(setting: Setting[Any], address: Address) -> Hashable:
    """The value in force for a first visitor by this address, which is then written anew."""
    module.st.session_state, module.st.query_params = {}, address
    session = Session()
    value: Hashable = session.value(setting)
    session.end()
    return value


def try_addresses(setting: Setting[Any], times: int) -> int:
    """How many addresses of the setting were tried, each with an allowed value whose own link gives it again."""
    tried = 0

    @settings(FIXED, max_examples=times // BATCH + 1)
    @given(st.lists(written(setting), min_size=BATCH, max_size=BATCH))
    def hold(batch: list[list[str]]) -> None:
        nonlocal tried
        for values in batch:
            tried += 1
            parsed = setting.parse(values[0])
            assert parsed is None or setting.allowed(parsed) == parsed
            address = Address({setting.name: values})
            value = arrive(setting, address)
            assert setting.allowed(value) == value
            assert type(value) is type(setting.default)
            assert value == setting.default or address[setting.name] == [str(value)]
            assert arrive(setting, address) == value

    hold()
    return tried


def test_whatever_an_address_says_the_value_is_allowed_and_its_link_gives_it_again(monkeypatch):
    """Of every setting of every page, and of the language: 10,000 addresses and more."""
    every = [LANG, *(setting for folder in FOLDERS for setting in settings_in(folder).values())]
    monkeypatch.setattr(module, "st", SimpleNamespace())
    assert sum(try_addresses(setting, LEAST // len(every) + BATCH) for setting in every) >= LEAST


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_page_stands_whatever_an_address_says_of_all_its_settings(folder):
    known = settings_in(folder)
    some = {name: written(setting) for name, setting in {**known, "lang": LANG}.items()}

    @AT_ONCE
    @given(st.fixed_dictionaries({}, optional={**some, "unknown": st.lists(TEXTS, min_size=1, max_size=2)}))
    def stands(address: dict[str, list[str]]) -> None:
        app = visit(folder, address)
        assert not app.exception
        assert not app.error
        assert_in_range(app)

    stands()
