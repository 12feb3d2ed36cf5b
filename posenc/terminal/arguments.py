"""The command line: what it takes, what its help says."""

from __future__ import annotations

import argparse
import platform
import tomllib
from collections.abc import Callable
from dataclasses import fields
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from posenc.claims.settings import Settings
from posenc.wording import LANGUAGES, Wording

PROGRAM = "python -m posenc"
ABOUT = Wording(zh="在终端里看位置编码，并核对每一条论断", en="positional encodings in a terminal, every claim checked")
LESSON = Wording(zh="把整堂课打印出来：数表、热力图、核对", en="print the whole lesson: tables, heatmap, checks")
CHECK = Wording(zh="在给定的设置下核对每一条论断", en="check every claim at the given settings")
LANG = Wording(zh="语言（默认看系统的语言设置）", en="language (default: that of the locale)")
EXAMPLES = Wording(zh="例子：", en="examples:")
STATUS = Wording(
    zh="退出状态：0 全部成立，1 有论断不成立，2 选项不可用。",
    en="exit status: 0 all hold, 1 a claim does not hold, 2 an option can't be used.",
)
OPTIONS = {
    "d_model": Wording(zh="编码维数：偶数，2 到 2048", en="width of encodings: even, 2 to 2048"),
    "head_dim": Wording(zh="头维数：偶数，2 到 2048", en="width of a head: even, 2 to 2048"),
    "base": Wording(zh="频率的底数：大于 1", en="base of the frequencies: above 1"),
    "seq_len": Wording(zh="位置个数：3 到 4096", en="positions: 3 to 4096"),
    "layout": Wording(
        zh="正弦编码的排列：interleaved 或 concatenated", en="columns of sinusoids: interleaved or concatenated"
    ),
    "pairing": Wording(zh="旋转的配对：interleaved 或 half", en="channels that turn together: interleaved or half"),
    "rotary_dim": Wording(zh="参与旋转的维数：偶数（默认全部）", en="leading channels that turn: even (default: all)"),
    "shift": Wording(zh="平移的步数：不为 0，不超过 1000000", en="positions to move by: not 0, at most 1000000"),
    "seed": Wording(zh="随机种子：0 或正整数", en="seed of what is drawn: 0 or above"),
}
ONLY = Wording(zh="只核对这些名称或页面，用逗号隔开", en="only these names or pages, with commas between")
LIST = Wording(zh="只列出论断，不计算", en="list the claims, compute nothing")
JSON = Wording(zh="以 JSON 输出全部数字", en="print JSON with all digits")
PROGRESS = Wording(zh="在标准错误上显示进度条", en="show a progress bar on the error stream")
LESSON_EXAMPLES = ("lesson", "lesson --lang zh", "lesson | less")
CHECK_EXAMPLES = (
    "check",
    "check --head-dim 128 --base 500000 --pairing half",
    "check --only rope,norm_residual --seq-len 4096",
    "check --json > claims.json",
)


def version() -> str:
    """Of posenc, from the project file beside it or from its installation, and of what it runs on."""
    project = Path(__file__).parents[2] / "pyproject.toml"
    if project.exists():
        own = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"]
    else:
        own = metadata.version("posenc")
    return f"posenc {own} (Python {platform.python_version()}, NumPy {np.__version__})"


def parser(lang: str) -> argparse.ArgumentParser:
    """The parser, its help in the language.

    Args:
        lang: "zh" or "en".

    Returns:
        A parser; settings that are no numbers stay text, for ``Settings`` to refuse.
    """
    top = _parser(PROGRAM, ABOUT, (*LESSON_EXAMPLES[:2], *CHECK_EXAMPLES[:2]), lang)
    top.add_argument("--version", action="version", version=version())
    commands = top.add_subparsers(dest="command", metavar="lesson | check", parser_class=argparse.ArgumentParser)
    for name, about, examples in (("lesson", LESSON, LESSON_EXAMPLES), ("check", CHECK, CHECK_EXAMPLES)):
        command = commands.add_parser(name, help=about(lang), **_looks(about, examples, lang))
        command.add_argument("--lang", choices=LANGUAGES, help=LANG(lang))
        command.set_defaults(refuse=command.error)
        if name == "check":
            _add_settings(command, lang)
    return top


def _parser(program: str, about: Wording, examples: tuple[str, ...], lang: str) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(program, **_looks(about, examples, lang))


def _looks(about: Wording, examples: tuple[str, ...], lang: str) -> dict[str, Any]:
    shown = "\n".join(f"  {PROGRAM} {example}" for example in examples)
    return {
        "description": about(lang),
        "epilog": f"{EXAMPLES(lang)}\n{shown}\n\n{STATUS(lang)}",
        "formatter_class": argparse.RawDescriptionHelpFormatter,
        "allow_abbrev": False,
    }


def _add_settings(command: argparse.ArgumentParser, lang: str) -> None:
    for setting in fields(Settings):
        kind = KINDS.get(setting.name, _whole)
        default = "" if setting.default is None else f" ({_plain(setting.default)})"
        command.add_argument(
            "--" + setting.name.replace("_", "-"),
            type=kind,
            default=setting.default,
            metavar="NAME" if kind is str else "N",
            help=OPTIONS[setting.name](lang) + default,
        )
    command.add_argument("--only", metavar="NAME,...", help=ONLY(lang))
    command.add_argument("--list", action="store_true", help=LIST(lang))
    command.add_argument("--json", action="store_true", help=JSON(lang))
    command.add_argument("--progress", action="store_true", help=PROGRESS(lang))


def _whole(written: str) -> int | str:
    """An integer, or the text as it is."""
    try:
        return int(written)
    except ValueError:
        return written


def _number(written: str) -> float | str:
    """A number, or the text as it is."""
    try:
        return float(written)
    except ValueError:
        return written


def _plain(default: object) -> str:
    return f"{default:g}" if isinstance(default, float) else str(default)


KINDS: dict[str, Callable[[str], Any]] = {"base": _number, "layout": str, "pairing": str}
"""How a setting is read that is not a whole number."""
