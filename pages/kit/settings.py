"""What a visitor can set: named values, the rule for each, and the ones that several pages share."""

import unicodedata
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pages.kit import text
from pages.kit.text import Label

V = TypeVar("V", bound=Hashable)


class Setting(Protocol[V]):
    """A named value with a rule that says which values it may take."""

    @property
    def name(self) -> str: ...
    @property
    def label(self) -> Label: ...
    @property
    def default(self) -> V: ...
    def parse(self, written: str) -> V | None: ...
    def allowed(self, value: Any) -> V: ...


@dataclass(frozen=True)
class Choice(Generic[V]):
    """One of a few values. ``names`` translates those that are words; the address holds ``str(value)``."""

    name: str
    label: Label
    options: tuple[V, ...]
    default: V
    names: Mapping[V, Label] | None = None

    def parse(self, written: str) -> V | None:
        """The option that the text names exactly, or None."""
        return next((option for option in self.options if str(option) == written), None)

    def allowed(self, value: Any) -> V:
        """The value itself if it is an option, else the nearest (numbers) or the default (words)."""
        if value in self.options:
            return next(option for option in self.options if option == value)
        if isinstance(value, int | float) and all(isinstance(option, int | float) for option in self.options):
            return min(self.options, key=lambda option: abs(option - value))  # type: ignore[operator]
        return self.default

    def show(self, value: V, lang: str) -> str:
        """How the option reads."""
        if self.names and value in self.names:
            return self.names[value](lang)
        return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Whole:
    """A whole number from ``minimum`` to ``maximum``."""

    name: str
    label: Label
    minimum: int
    maximum: int
    default: int

    def parse(self, written: str) -> int | None:
        """The number if the text is one in plain digits, brought into range; else None."""
        digits = written.removeprefix("-")
        if not (digits.isascii() and digits.isdigit()):
            return None
        return self.allowed(int(written))

    def allowed(self, value: Any) -> int:
        """The nearest number in range."""
        if isinstance(value, bool) or not isinstance(value, int):
            return min(max(self.default, self.minimum), self.maximum)
        return min(max(value, self.minimum), self.maximum)


@dataclass(frozen=True)
class Words:
    """A sentence of the visitor's own: plain text without control characters, a few words of bounded length.

    An empty one stands for the example of the visitor's language.
    """

    name: str
    label: Label
    examples: Label
    most: int = 12
    longest_word: int = 16
    longest: int = 120
    """Characters, spaces included."""

    default = ""

    def parse(self, written: str) -> str:
        """The words that the text has, a space between each two; at most as many and as long as allowed."""
        spaced = " ".join(written.split())
        printed = "".join(character for character in spaced if unicodedata.category(character)[0] != "C")
        words = (word[: self.longest_word] for word in unicodedata.normalize("NFC", printed).split()[: self.most])
        return " ".join(words)[: self.longest].rstrip()

    def allowed(self, value: Any) -> str:
        """The same for any value; what is no text is empty."""
        return self.parse(value) if isinstance(value, str) else self.default

    def words(self, value: str, lang: str) -> tuple[str, ...]:
        """The words of the text, or of the language's example. Chinese without spaces is split by characters."""
        text = self.allowed(value) or self.examples(lang)
        found = tuple(text.split())
        if len(found) == 1 and any("\u3400" <= character <= "\u9fff" for character in text):
            found = tuple(text)[: self.most]
        return found


LANG = Choice(
    "lang",
    Label(zh="语言", en="language"),
    ("zh", "en"),
    "en",
    {"zh": Label(zh="中文", en="中文"), "en": Label(zh="English", en="English")},
)

# Shared: what one page sets, the next one keeps.
D_MODEL = Choice("d_model", text.D_MODEL, (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024), 64)
HEAD_DIM = Choice("head_dim", text.HEAD_DIM, (2, 4, 8, 16, 32, 64, 128), 8)
BASE = Choice("base", text.BASE, (2, 10, 100, 1_000, 10_000, 100_000, 500_000, 1_000_000), 10_000)
LAYOUT = Choice(
    "layout",
    text.LAYOUT,
    ("interleaved", "concatenated"),
    "interleaved",
    {"interleaved": text.INTERLEAVED, "concatenated": text.CONCATENATED},
)
PAIRING = Choice(
    "pairing",
    text.PAIRING,
    ("interleaved", "half"),
    "half",
    {"interleaved": text.PAIR_NEIGHBOURS, "half": text.PAIR_HALVES},
)
