"""Words in two languages: short labels beside their use, prose from Markdown, terms used twice in one glossary."""

import math
import re
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from posenc.wording import LANGUAGES as LANGUAGES
from posenc.wording import Wording as Label

PAGES = Path(__file__).resolve().parents[1]
NBSP = "\N{NO-BREAK SPACE}"


@lru_cache(maxsize=64)
def prose(concept: str, lang: str) -> MappingProxyType[str, str]:
    """Section name -> Markdown of ``pages/<concept>/<lang>.md``, where a line ``# name`` opens a section.

    Raises:
        ValueError: The file repeats a section or has text before the first.
    """
    sections: dict[str, str] = {}
    head, *parts = re.split(r"^# (.+)$", (PAGES / concept / f"{lang}.md").read_text(encoding="utf-8"), flags=re.M)
    if head.strip():
        raise ValueError(f"{concept}/{lang}.md must open with a section, got {head.strip()[:40]!r}")
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        if name in sections:
            raise ValueError(f"{concept}/{lang}.md must have each section once, got {name!r} again")
        sections[name] = body.strip().replace(" − ", f"{NBSP}−{NBSP}")  # a line never breaks in m − n
    return MappingProxyType(sections)


_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def scientific(value: float, digits: int = 1) -> str:
    """A residual as people write it: ``2.2 · 10⁻¹⁶``; zero is ``0``."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    mantissa, exponent = f"{value:.{digits}e}".split("e")
    return f"{mantissa}{NBSP}·{NBSP}10{str(int(exponent)).translate(_SUPERSCRIPT)}"


def number(value: float, digits: int = 4) -> str:
    """A fixed number of decimals with a true minus sign; what rounds to zero has none."""
    return f"{value:z.{digits}f}".replace("-", "−")


# Terms that more than one page uses.
POSITION = Label(zh="位置", en="position")
DIMENSION = Label(zh="维度", en="dimension")
PAIR = Label(zh="维度对 i", en="pair i")
D_MODEL = Label(zh="编码维数 d_model", en="d_model")
HEAD_DIM = Label(zh="头维数 head_dim", en="head_dim")
BASE = Label(zh="底数 base", en="base")
LAYOUT = Label(zh="排列方式", en="layout")
INTERLEAVED = Label(zh="sin、cos 交错", en="interleaved")
CONCATENATED = Label(zh="先 sin 后 cos", en="sin, then cos")
PAIRING = Label(zh="配对方式", en="pairing")
PAIR_NEIGHBOURS = Label(zh="相邻两维", en="neighbours")
PAIR_HALVES = Label(zh="前后两半", en="halves")
QUERY_POSITION = Label(zh="查询位置 m", en="query position m")
KEY_POSITION = Label(zh="键位置 n", en="key position n")
RELATIVE = Label(zh="相对位置 m − n", en="relative position m − n")
DISTANCE = Label(zh="距离 k", en="distance k")
DOT_PRODUCT = Label(zh="点积", en="dot product")
SCORE = Label(zh="分数 q·k", en="score q·k")
