"""posenc beside other libraries: the table of sinusoids, and turning queries, in one run on one thread.

    python -m tests.bench.peers                  everything, 15 rounds
    python -m tests.bench.peers --rounds 5

All contenders of a comparison take turns (A B C A B C ...), so that whatever else the machine does falls on all. What
is printed is CPU time of the process, a median, and how many times as long as posenc each takes: the median of the
rounds' own ratios. CPU time, because other programs then count for little.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import mpmath
import numpy as np
import torch

import posenc
from tests.bench import contenders
from tests.bench.contenders import LLAMA, Contender, Maker

TABLE = (4096, 512)
QUERIES = (1, 32, 4096, 128)
ROWS = 48
"""Rows of the table that are compared with mpmath: the first, the last, and others evenly between."""
EQUAL_ACCURACY = 1e-11
"""An error below this has its angles in float64: at position 4095 they are right to 5e-13, in float32 to 2e-4."""

Error = Callable[[Contender, object], float]


@dataclass(frozen=True)
class Measured:
    """A contender's CPU seconds in each round, and its largest error."""

    contender: Contender
    seconds: tuple[float, ...]
    error: float


def measure(makers: Iterator[tuple[str, Maker]], error: Error, rounds: int) -> tuple[list[Measured], list[str]]:
    """Every contender in turn, round after round, and the libraries that are missing.

    The run before the first round gives the errors.
    """
    found, missing = contenders.present(makers)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.no_grad():
            errors = [error(contender, contender.run()) for contender in found]
            laps = [[_seconds(contender) for contender in found] for _ in range(rounds)]
    finally:
        torch.set_num_threads(threads)
    return [Measured(*row) for row in zip(found, zip(*laps, strict=True), errors, strict=True)], missing


def _seconds(contender: Contender) -> float:
    start = time.process_time()
    contender.run()
    return time.process_time() - start


def ratio(slow: Measured, fast: Measured) -> float:
    """How many times as long the slow one takes: median over the rounds."""
    return median(a / max(b, 1e-9) for a, b in zip(slow.seconds, fast.seconds, strict=True))


def table_error(contender: Contender, result: object) -> float:
    """Largest distance from the exact table, on some rows."""
    n, width = TABLE
    rows = np.linspace(0, n - 1, ROWS).astype(int)
    table = contender.read(result)[rows]
    half = width // 2
    sines, cosines = (
        (table[:, 0::2], table[:, 1::2]) if contender.group == "interleaved" else np.split(table, [half], 1)
    )
    with mpmath.workdps(30):
        inv_freq = [mpmath.mpf(10_000) ** (-mpmath.mpf(2 * pair) / width) for pair in range(half)]
        exact = np.array([[[float(f(int(p) * w)) for w in inv_freq] for p in rows] for f in (mpmath.sin, mpmath.cos)])
    return float(np.abs(np.stack([sines, cosines]) - exact).max())


def turn_error(x: torch.Tensor) -> Error:
    """Largest distance from posenc's result in float64."""
    exact = {
        pairing: posenc.rotate(x.double().numpy(), np.arange(x.shape[2]), pairing=pairing)
        for pairing in ("interleaved", "half")
    }
    return lambda contender, result: float(np.abs(contender.read(result) - exact[contender.group]).max())


def queries() -> torch.Tensor:
    """Standard normal queries, float32."""
    return torch.randn(*QUERIES, generator=torch.Generator().manual_seed(0))


def tables(rounds: int) -> tuple[list[Measured], list[str]]:
    """The table of sinusoids."""
    return measure(contenders.tables(*TABLE), table_error, rounds)


def turns(rounds: int) -> tuple[list[Measured], list[str]]:
    """Queries turned, with sines and cosines given."""
    x = queries()
    return measure(contenders.turns(x), turn_error(x), rounds)


def turns_from_positions(rounds: int) -> tuple[list[Measured], list[str]]:
    """Queries turned, given their positions."""
    x = queries()
    return measure(contenders.turns_from_positions(x), turn_error(x), rounds)


def named(measured: Sequence[Measured], name: str, group: str) -> Measured:
    """The one of this name in its group."""
    return next(m for m in measured if (m.contender.name, m.contender.group) == (name, group))


def fastest_peer(measured: Sequence[Measured]) -> Measured:
    """The fastest of the others whose angles are as exact as ours, whatever its layout."""
    peers = [m for m in measured if not m.contender.name.startswith("posenc") and m.error < EQUAL_ACCURACY]
    return min(peers, key=lambda m: median(m.seconds))


def times_the_fastest(measured: Sequence[Measured]) -> float:
    """How many times as long as posenc's interleaved table the fastest peer of equal accuracy takes for its own."""
    return ratio(fastest_peer(measured), named(measured, "posenc, interleaved", "interleaved"))


def lines(measured: Sequence[Measured], groups: Sequence[str], reference: str) -> Iterator[str]:
    """A table for each group, against its reference."""
    for group in groups:
        base = next(m for m in measured if m.contender.group == group and m.contender.name.startswith(reference))
        yield f"  {group:<40}{'CPU ms':>9}{'times ' + base.contender.name:>28}{'largest error':>16}"
        for m in measured:
            if m.contender.group == group:
                ms = median(m.seconds) * 1000
                yield f"    {m.contender.name:<38}{ms:9.1f}{ratio(m, base):28.2f}{m.error:16.1e}"


def report(rounds: int) -> Iterator[str]:
    """All comparisons, as lines of text."""
    yield f"one thread, {rounds} rounds in turn; torch {torch.__version__}, NumPy {np.__version__}"
    yield f"\nTable of sinusoids, {TABLE[0]} x {TABLE[1]}; error against mpmath on {ROWS} rows"
    measured, missing = tables(rounds)
    yield from lines(measured, ("interleaved", "concatenated"), "posenc")
    peer, times = fastest_peer(measured).contender.name, times_the_fastest(measured)
    yield f"    fastest with float64 angles: {peer}, {times:.2f} times posenc, interleaved"
    yield from (f"    missing: {name}" for name in missing)
    for title, run in (("sines and cosines given", turns), ("positions given", turns_from_positions)):
        yield f"\nTurning {QUERIES} float32, {title}; error against posenc in float64"
        measured, missing = run(rounds)
        yield from lines(measured, ("interleaved", "half"), "posenc, NumPy")
        yield from (f"    missing: {name}" for name in missing)
        llama = named(measured, LLAMA, "half")
        yield f"    {LLAMA} takes as many times as long as"
        for m in measured:
            if m.contender.name.startswith("posenc"):
                yield f"      {m.contender.group}: {m.contender.name:<30}{ratio(llama, m):8.2f}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    for line in report(parser.parse_args().rounds):
        print(line, flush=True)


if __name__ == "__main__":
    main()
