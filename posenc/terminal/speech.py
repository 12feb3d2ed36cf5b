"""Which language a terminal is spoken to in, and with which characters, so that nothing it is sent can't be shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from posenc.wording import LANGUAGES

BLOCKS = " ░▒▓█"
PLAIN = " .:-=+*#%@"


def language(environment: Mapping[str, str]) -> str:
    """The language of the locale: "zh" where it begins so, else "en".

    Args:
        environment: As ``os.environ``; the first of LC_ALL, LC_MESSAGES and LANG that is set decides, as in POSIX.

    Returns:
        "zh" or "en".
    """
    values = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "zh" if next(filter(None, values), "").lower().startswith("zh") else "en"


def help_language(arguments: Sequence[str], environment: Mapping[str, str], encoding: str) -> str:
    """The language of the help, which may be asked for before the arguments are read.

    Args:
        arguments: As they were given; the last ``--lang zh`` or ``--lang=zh`` counts.
        environment: As ``os.environ``, for who gives none.
        encoding: Of the terminal; English where it lacks Chinese characters.

    Returns:
        "zh" or "en".
    """
    pairs = pairwise([*arguments, ""])
    whole = [f"{one}={after}" if one == "--lang" else one for one, after in pairs]
    asked = [lang for one in whole for lang in LANGUAGES if one == f"--lang={lang}"]
    lang = asked[-1] if asked else language(environment)
    return lang if lang == "en" or shows("中文", encoding) else "en"


def shows(text: str, encoding: str) -> bool:
    """Whether the encoding has every character of the text; an encoding that Python does not know has none."""
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def shades(encoding: str) -> str:
    """Characters from light to dark: blocks, or plain ones where the encoding has no blocks."""
    return BLOCKS if shows(BLOCKS, encoding) else PLAIN


def said(say: Callable[[str], str], lang: str, encoding: str) -> str:
    """What there is to say, in the language if the encoding has its characters, else in English, which is ASCII."""
    text = say(lang)
    return text if shows(text, encoding) else say("en")
