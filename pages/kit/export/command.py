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
from pages.kit.subset import ALL
from pages.kit.text import LANGUAGES

TOGETHER = ("pptx", "zip")
"""Files of all figures; the others of ``FORMATS`` are one for each."""
FORMATS = (*SINGLE, *TOGETHER)

SITE = "http://localhost:8501"
"""Where ``streamlit run app.py`` serves the pages unless told otherwise."""

EXAMPLES = """\
examples:
  python -m pages figures --lang zh --out figures
      every figure in Chinese as PNG
  python -m pages figures --lang en --out figures --format pptx --theme dark --size 4:3
      one PowerPoint file with a slide for each figure
  python -m pages figures --out figures --only rope,heatmap.table --set base=100 --format svg,pdf
      some figures at other settings, for a paper

png, svg and pdf are a file for each figure; pptx and zip are one file of all. Settings are named as in a page's
address. A file that is already there is kept, and nothing is made, unless --force is given.
"""


class _Parser(argparse.ArgumentParser):
    """Tells a mistake in one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


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
    parser, figures = _parsers(folders)
    asked = parser.parse_args(arguments)
    try:
        tasks = _tasks(asked, folders)
    except ValueError as mistake:
        figures.error(str(mistake))
    try:
        for path in _made(tasks):
            print(path)
    except OSError as failure:
        print(f"{figures.prog}: {failure.filename or asked.out} can't be written: {failure.strerror}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"{figures.prog}: stopped; what is listed is whole", file=sys.stderr)
        return 130
    return 0


def _parsers(folders: Sequence[str]) -> tuple[argparse.ArgumentParser, argparse.ArgumentParser]:
    parser = _Parser(prog="python -m pages", description="The pages in a terminal.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="figures", parser_class=_Parser)
    figures = commands.add_parser(
        "figures",
        help="make figures as files",
        description="Make the figures of the pages as files, without a browser.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = figures.add_argument
    add("--lang", choices=LANGUAGES, default="en", help="language of the figures (default: en)")
    add("--out", type=Path, required=True, metavar="DIR", help="folder for the files, made if it is not there")
    add("--format", default="png", metavar="LIST", help=f"some of {','.join(FORMATS)} (default: png)")
    add("--only", default=ALL, metavar="LIST", help=f"pages, or figures of pages: {', '.join(folders)} (default: all)")
    add(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a setting, as in a page's address; repeatable"
    )
    add("--theme", choices=("light", "dark"), default="light", help="(default: light)")
    add("--size", choices=tuple(SIZES), default="16:9", help="of each sheet or slide (default: 16:9)")
    add("--transparent", action="store_true", help="leave the background out")
    add("--site", default=SITE, metavar="URL", help=f"where the links of the figures lead (default: {SITE})")
    add("--force", action="store_true", help="replace files that are already there")
    return parser, figures


def _tasks(asked: argparse.Namespace, folders: Sequence[str]) -> list[Task]:
    """What is to be made.

    Raises:
        ValueError: It can't be; the message says what is wrong, in one sentence.
    """
    formats = list(dict.fromkeys(asked.format.split(",")))
    for name in formats:
        if name not in FORMATS:
            raise ValueError(f"--format must be some of {', '.join(FORMATS)}, got {name!r}")
    if asked.out.exists() and not asked.out.is_dir():
        raise ValueError(f"--out must be a folder, got the file {str(asked.out)!r}")
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
    subset = all_figures(folders)
    chosen = subset.parse(asked.only)
    if chosen is None:
        known = f"pages ({', '.join(folders)}) or their figures, each once"
        unknown = subset.unknown(asked.only)
        group = (unknown or "").partition(".")[0]
        if group in folders:
            known = f"a figure of that page ({', '.join(f'{group}.{name}' for name in dict(subset.groups)[group])})"
        raise ValueError(f"--only must name {known}, got {unknown or asked.only!r}")
    return collect(subset.chosen(chosen), asked.lang, dict(_pairs(asked.set)), is_strict=True)


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
            contents = task.make(counted(task.figures))
            task.path.parent.mkdir(parents=True, exist_ok=True)
            part = task.path.with_name(f"{task.path.name}.part")
            try:
                part.write_bytes(contents)
                os.replace(part, task.path)
            finally:
                part.unlink(missing_ok=True)
            with bar.external_write_mode(file=sys.stdout):
                yield task.path
