"""A short text in both languages. Formulas and numbers need none; what a terminal or a page shows does."""

from __future__ import annotations

from dataclasses import dataclass

LANGUAGES = ("zh", "en")


@dataclass(frozen=True)
class Wording:
    """The same said in Chinese and in English.

    Attributes:
        zh: Chinese.
        en: English; in ASCII where a terminal shows it, so that any can.
    """

    zh: str
    en: str

    def __call__(self, lang: str, **values: object) -> str:
        """The text in the language, "zh" or "en", with its ``{names}`` filled in."""
        text = self.zh if lang == "zh" else self.en
        return text.format(**values) if values else text
