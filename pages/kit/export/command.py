"""Figures as files from a terminal, without a browser and without Streamlit."""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NoReturn

from pages.kit.collection import all_figures, collect
from pages.kit.export.caption import file_name
from pages.kit.export.deck import unique
from pages.kit.export.picture import MAKERS as SINGLE
from pages.kit.export.picture import SIZES, Sheet
from pages.kit.export.slides import MAKERS
from pages.kit.figure import Figure
from pages.kit.subset import ALL, NONE
from pages.kit.text import LANGUAGES, Label
from posenc.terminal.process import INTERRUPTED
from posenc.terminal.speech import help_language

TOGETHER = ("pptx", "zip")
"""Files of all figures; the others of ``FORMATS`` are one for each."""
FORMATS = (*SINGLE, *TOGETHER)

PROGRAM = "python -m pages"
ABOUT = Label(zh="在终端里使用这些网页", en="The pages in a terminal.")
FIGURES = Label(zh="把图存成文件", en="make figures as files")
FIGURES_ABOUT = Label(
    zh="不用浏览器，把各页的图存成文件。", en="Make the figures of the pages as files, without a browser."
)
LANG = Label(zh="图中文字的语言（默认 en）", en="language of the figures (default: en)")
OUT = Label(zh="存放文件的文件夹，没有就新建", en="folder for the files, made if it is not there")
FORMAT = Label(zh="{formats} 中的一种或几种（默认 png）", en="some of {formats} (default: png)")
ONLY = Label(
    zh="只要这些页，或这些页的某几张图：{folders}（默认全部）",
    en="pages, or figures of pages: {folders} (default: all)",
)
SET = Label(zh="一项设置，写法同网页地址；可以多次使用", en="a setting, as in a page's address; repeatable")
THEME = Label(zh="浅色或深色（默认 light）", en="(default: light)")
SIZE = Label(zh="每张图或每页幻灯片的大小（默认 16:9）", en="of each sheet or slide (default: 16:9)")
TRANSPARENT = Label(zh="不画背景", en="leave the background out")
WHERE = Label(
    zh="图上的链接指向哪个网站，例如 https://your.host（默认不写网站）",
    en="site that the links of the figures lead to, say https://your.host (default: none)",
)
FORCE = Label(zh="替换已有的文件", en="replace files that are already there")
EXAMPLES = Label(
    zh="""\
例子：
  python -m pages figures --lang zh --out figures
      所有的图，中文，PNG
  python -m pages figures --lang zh --out figures --format pptx --theme dark --size 4:3
      一个 PowerPoint 文件，每张图一页
  python -m pages figures --lang zh --out figures --only rope,heatmap.table --set base=100 --format svg,pdf
      为论文准备的几张图，用自己的设置

png、svg、pdf 每张图一个文件，pptx、zip 把所有的图放进一个文件。设置的名称与网页地址里的相同。
已有的文件不会动，也什么都不生成，除非加上 --force。
""",
    en="""\
examples:
  python -m pages figures --lang zh --out figures
      every figure in Chinese as PNG
  python -m pages figures --lang en --out figures --format pptx --theme dark --size 4:3
      one PowerPoint file with a slide for each figure
  python -m pages figures --out figures --only rope,heatmap.table --set base=100 --format svg,pdf
      some figures at other settings, for a paper

png, svg and pdf are a file for each figure; pptx and zip are one file of all. Settings are named as in a page's
address. A file that is already there is kept, and nothing is made, unless --force is given.
""",
)


class _Parser(argparse.ArgumentParser):
    """Tells a mistake in one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


class _UnwritableError(Exception):
    """A file could not be written; the message says which and why."""


@dataclass(frozen=True)
class Task:
    """A file to be made.

    Attributes:
        path: Where.
        figures: What it shows.
        make: Gives its contents; takes one figure after the other.
    """

    path: Path
    figures: Sequence[Figure]
    make: Callable[[Iterable[Figure]], bytes]


def main(arguments: Sequence[str], folders: Sequence[str]) -> int:
    """Do what the arguments say; the status to end with.

    Args:
        arguments: Without the program's name.
        folders: Of all pages, in order.
    """
    lang = help_language(arguments, os.environ, sys.stdout.encoding or "ascii")
    parser, figures = _parsers(folders, lang)
    asked = parser.parse_args(arguments)
    try:
        try:
            tasks = _tasks(asked, folders)
        except ValueError as mistake:
            figures.error(str(mistake))
        for path in _made(tasks):
            print(_shown(path))
    except _UnwritableError as failure:
        print(f"{figures.prog}: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"{figures.prog}: stopped; what is listed is whole", file=sys.stderr)
        return INTERRUPTED
    return 0


def _shown(path: Path) -> str:
    """The path in characters that the terminal has."""
    encoding = sys.stdout.encoding or "ascii"
    return str(path).encode(encoding, "backslashreplace").decode(encoding)


def _parsers(folders: Sequence[str], lang: str) -> tuple[argparse.ArgumentParser, argparse.ArgumentParser]:
    parser = _Parser(prog=PROGRAM, description=ABOUT(lang))
    commands = parser.add_subparsers(dest="command", required=True, metavar="figures", parser_class=_Parser)
    figures = commands.add_parser(
        "figures",
        help=FIGURES(lang),
        description=FIGURES_ABOUT(lang),
        epilog=EXAMPLES(lang),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = figures.add_argument
    add("--lang", choices=LANGUAGES, default="en", help=LANG(lang))
    add("--out", type=Path, required=True, metavar="DIR", help=OUT(lang))
    add("--format", default="png", metavar="LIST", help=FORMAT(lang, formats=",".join(FORMATS)))
    add("--only", default=ALL, metavar="LIST", help=ONLY(lang, folders=", ".join(folders)))
    add("--set", action="append", default=[], metavar="NAME=VALUE", help=SET(lang))
    add("--theme", choices=("light", "dark"), default="light", help=THEME(lang))
    add("--size", choices=tuple(SIZES), default="16:9", help=SIZE(lang))
    add("--transparent", action="store_true", help=TRANSPARENT(lang))
    add("--site", default="", metavar="URL", help=WHERE(lang))
    add("--force", action="store_true", help=FORCE(lang))
    return parser, figures


def _tasks(asked: argparse.Namespace, folders: Sequence[str]) -> list[Task]:
    """What is to be made.

    Raises:
        ValueError: It can't be; the message says what is wrong, in one sentence.
    """
    formats = list(dict.fromkeys(_names(asked.format)))
    for name in formats:
        if name not in FORMATS:
            raise ValueError(f"--format must be some of {', '.join(FORMATS)}, got {name!r}")
    try:
        if asked.out.exists() and not asked.out.is_dir():
            raise ValueError(f"--out must be a folder, got the file {str(asked.out)!r}")
    except OSError as failure:
        raise ValueError(
            f"--out must be a folder that there can be ({failure.strerror}), got {str(asked.out)!r}"
        ) from failure
    if asked.site and not asked.site.startswith(("http://", "https://")):
        raise ValueError(f"--site must begin with https:// or http://, got {asked.site!r}")
    figures = _figures(asked, folders)
    sheet = Sheet(asked.size, asked.theme, asked.transparent, home=asked.site)
    tasks: list[Task] = []
    for suffix in formats:
        if suffix in TOGETHER:
            path = asked.out / f"posenc-{asked.lang}.{suffix}"
            tasks.append(Task(path, figures, partial(MAKERS[suffix], sheet=sheet)))
            continue
        for figure, name in zip(figures, unique(file_name(figure, suffix) for figure in figures), strict=True):
            tasks.append(Task(asked.out / name, [figure], partial(_single, suffix, sheet)))
    there = [task.path for task in tasks if task.path.exists()]
    if there and not asked.force:
        more = f" (and {len(there) - 1} more)" if len(there) > 1 else ""
        raise ValueError(f"{str(there[0])!r} is already there{more}; --force replaces it")
    return tasks


def _figures(asked: argparse.Namespace, folders: Sequence[str]) -> list[Figure]:
    only = ",".join(_names(asked.only))
    named = {name.partition(".")[0] for name in _names(only)}
    # A page is computed to know its figures, so only those that are asked for.
    subset = all_figures([folder for folder in folders if folder in named] if named <= set(folders) else folders)
    chosen = subset.parse(only)
    if chosen == NONE:
        raise ValueError(f"--only must name at least one page or figure, got {asked.only!r}")
    if chosen is None:
        known = f"pages ({', '.join(folders)}) or their figures, each once"
        unknown = subset.unknown(only)
        group = (unknown or "").partition(".")[0]
        if group in folders:
            known = f"a figure of that page ({', '.join(f'{group}.{name}' for name in dict(subset.groups)[group])})"
        raise ValueError(f"--only must name {known}, got {unknown or asked.only!r}")
    return collect(subset.chosen(chosen), asked.lang, dict(_pairs(asked.set)), is_strict=True)


def _names(listed: str) -> list[str]:
    return [name.strip() for name in listed.split(",")]


def _pairs(given: Sequence[str]) -> Iterator[tuple[str, str]]:
    for pair in given:
        name, equals, value = pair.partition("=")
        if not (name and equals):
            raise ValueError(f"--set must be NAME=VALUE, got {pair!r}")
        yield name, value


def _single(suffix: str, sheet: Sheet, figures: Iterable[Figure]) -> bytes:
    (made,) = (SINGLE[suffix](figure, sheet) for figure in figures)
    return made


def _made(tasks: Sequence[Task]) -> Iterator[Path]:
    """Make the files, and give each one's path when it is whole. A bar tells how far it is, on a terminal only."""
    from tqdm import tqdm

    with tqdm(total=sum(len(task.figures) for task in tasks), unit="figure", disable=None, file=sys.stderr) as bar:

        def counted(figures: Sequence[Figure]) -> Iterator[Figure]:
            for figure in figures:
                yield figure
                bar.update()

        for task in tasks:
            _write(task.path, task.make(counted(task.figures)))
            with bar.external_write_mode(file=sys.stdout):
                yield task.path


def _write(path: Path, contents: bytes) -> None:
    """Write the file whole or not at all, its folder before it."""
    part = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_bytes(contents)
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as failure:
        raise _UnwritableError(f"{failure.filename or path} can't be written: {failure.strerror}") from failure
