"""The file of every figure: how long each takes, beside the picture of an empty sheet.

    python -m tests.bench.exports               every figure in Chinese, at every state that its page names
    python -m tests.bench.exports --lang en

The first file of all, which waits for the process that makes files, is not counted. Every other is made anew.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from pages.index import CONCEPTS
from pages.kit.export.drawing import pixels
from pages.kit.export.picture import MAKERS, Sheet
from pages.kit.figure import Figure
from pages.kit.lecture import states
from pages.kit.record import record
from pages.kit.text import LANGUAGES

EMPTY = '<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720"/>'
LIMIT = 1.0
"""Seconds that a file may take."""


@dataclass(frozen=True)
class Made:
    """Seconds for one figure: in the longest state, for each kind of file; and of an empty sheet meanwhile."""

    figure: str
    seconds: dict[str, float]
    empty: float


def measure(lang: str, folders: Sequence[str]) -> Iterator[Made]:
    """Each figure of the pages, in turn."""
    pixels(EMPTY, 2)
    made = 0
    for folder in folders:
        written = [{name: str(value) for name, value in state.items()} for _, state in states(folder)]
        at = [record(folder, lang, state).figures for state in written]
        for figure in at[0]:
            same = [one for figures in at for one in figures if one.name == figure.name]
            longest = dict.fromkeys(MAKERS, 0.0)
            for one in same:
                for kind in MAKERS:
                    made += 1
                    # Another address is another file, which no cache has.
                    longest[kind] = max(longest[kind], _seconds(kind, one, Sheet(home=f"https://{made}.example")))
            began = time.perf_counter()
            pixels(EMPTY, 2)
            yield Made(f"{folder}.{figure.name}", longest, time.perf_counter() - began)


def _seconds(kind: str, figure: Figure, sheet: Sheet) -> float:
    began = time.perf_counter()
    MAKERS[kind](figure, sheet)
    return time.perf_counter() - began


def report(measured: Sequence[Made]) -> Iterator[str]:
    """The table, as lines of text."""
    yield f"{'ms, longest state':<28}{''.join(f'{kind:>8}' for kind in MAKERS)}{'png : empty':>14}"
    for one in measured:
        times = "".join(f"{1000 * one.seconds[kind]:8.0f}" for kind in MAKERS)
        yield f"{one.figure:<28}{times}{one.seconds['png'] / one.empty:14.1f}"
    slow = [f"{one.figure} ({kind})" for one in measured for kind in MAKERS if one.seconds[kind] > LIMIT]
    yield f"median of an empty sheet {1000 * median(one.empty for one in measured):.0f} ms"
    yield f"above {LIMIT:g} s: {', '.join(slow) or 'none'}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lang", choices=LANGUAGES, default="zh")
    measured = list(measure(parser.parse_args().lang, [concept.folder for concept in CONCEPTS]))
    for line in report(measured):
        print(line)


if __name__ == "__main__":
    main()
