"""A bar on the error stream while claims are computed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO, TypeVar

T = TypeVar("T")
LENGTH = 30


def counted(items: Iterable[T], total: int, stream: TextIO) -> Iterator[T]:
    """The items as they come, with a bar on the stream that is wiped away at the end.

    Args:
        items: What takes its time.
        total: How many there will be; positive.
        stream: Where the bar goes; nothing is written to one that is no terminal.

    Yields:
        The items.
    """
    for done, item in enumerate(items, 1):
        yield item
        if stream.isatty():
            bar = ("#" * (LENGTH * done // total)).ljust(LENGTH)
            stream.write(f"\r[{bar}] {done}/{total}" if done < total else "\r\x1b[K")
            stream.flush()
