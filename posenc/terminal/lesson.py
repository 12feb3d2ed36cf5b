"""The whole lesson as text."""

from __future__ import annotations

from collections.abc import Sequence

from posenc.claims.registry import Outcome
from posenc.terminal.arguments import PROGRAM
from posenc.terminal.demonstration import Demonstration
from posenc.terminal.demonstrations import DEMONSTRATIONS
from posenc.terminal.table import COLUMNS, wrapped
from posenc.wording import Wording

OPENING = Wording(
    zh="位置编码：Transformer 怎么知道一个词站在哪里。下面每个数都是现算的。每一节末尾的表是核对："
    "论断、最大偏差、舍入误差的界限、结果。界限前写 <= 的，偏差不超过它才算成立；写 > 的，偏差要大过它，"
    "因为论断说的就是“变了”。",
    en="Positional encodings: how a Transformer knows where a word stands. Every number below was computed just now."
    " The table that ends each part checks its claims: the largest residual, the bound that rounding explains, the"
    " outcome. <= asks for no more than rounding; > asks for more, where the claim is that something changes.",
)
ENDING = Wording(
    zh="一共核对了 {all} 条论断，{holds} 条成立。想换别的设置再核对，请看：",
    en="{all} claims checked, {holds} hold. To check them at settings of your own:",
)


def demonstrations() -> list[Demonstration]:
    """All demonstrations, computed, in the lesson's order."""
    return [demonstrate() for demonstrate in DEMONSTRATIONS]


def outcomes(shown: Sequence[Demonstration]) -> list[Outcome]:
    """The checks of all demonstrations."""
    return [outcome for demonstration in shown for outcome in demonstration.outcomes]


def text(shown: Sequence[Demonstration], lang: str, shades: str) -> str:
    """The lesson.

    Args:
        shown: What to show.
        lang: "zh" or "en".
        shades: Characters from light to dark.
    """
    lines = [*wrapped(OPENING(lang), COLUMNS), ""]
    for number, demonstration in enumerate(shown, 1):
        lines += demonstration.lines(number, lang, shades)
    held = [outcome.holds for outcome in outcomes(shown)]
    return "\n".join([*lines, ENDING(lang, all=len(held), holds=sum(held)), f"  {PROGRAM} check --help"])
