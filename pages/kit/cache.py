"""One cache for what pages show: keyed by scalars, bounded in bytes, handing out only what cannot be changed."""

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Generic, TypeVar

import numpy as np

T = TypeVar("T")

LIMIT = 40 * 2**20
"""Bytes that the results may take together."""


class BoundedCache:
    """Least recently used results up to a number of bytes; each is made once, however many ask at the same time."""

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self.size = 0
        self._results: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._making: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The result for the key, made on the first call. One larger than a quarter of the limit is not kept."""
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
                return self._results[key][0]
            making = self._making.setdefault(key, threading.Lock())
        with making:
            with self._lock:
                if key in self._results:
                    return self._results[key][0]
            try:
                result = make()
                self._keep(key, result)
            finally:
                with self._lock:
                    self._making.pop(key, None)
        return result

    def _keep(self, key: Hashable, result: Any) -> None:
        size = size_of(result)
        if size > self.limit // 4:
            return
        with self._lock:
            self._results[key] = (result, size)
            self.size += size
            while self.size > self.limit:
                _, (_, gone) = self._results.popitem(last=False)
                self.size -= gone

    def __len__(self) -> int:
        return len(self._results)


RESULTS = BoundedCache()


@dataclass(frozen=True)
class Computation(Generic[T]):
    """A function of ``posenc`` with the scalars it gets: the key of its result, and the result when asked for."""

    function: Callable[..., T]
    settings: tuple[tuple[str, Hashable], ...]

    @property
    def value(self) -> T:
        """The result, computed at most once; its arrays are read-only."""
        return RESULTS.get(self, lambda: freeze(self.function(**dict(self.settings))))


def compute(function: Callable[..., T], **settings: Hashable) -> Computation[T]:
    """What the function gives for these settings, not yet computed.

    Raises:
        TypeError: A setting is not a scalar (or a tuple or range of scalars), so the result could not be cached safely.
    """
    for name, value in settings.items():
        if not _is_scalar(value):
            raise TypeError(f"{name} must be a scalar, a range or a tuple of scalars, got {type(value).__name__}")
    return Computation(function, tuple(sorted(settings.items())))


def _is_scalar(value: object) -> bool:
    if isinstance(value, tuple):
        return all(_is_scalar(entry) for entry in value)
    return value is None or isinstance(value, bool | int | float | str | range)


def freeze(result: T) -> T:
    """The result with every NumPy array in it made read-only."""
    if isinstance(result, np.ndarray):
        result.flags.writeable = False
    elif isinstance(result, tuple | list):
        for entry in result:
            freeze(entry)
    elif isinstance(result, dict):
        for entry in result.values():
            freeze(entry)
    elif is_dataclass(result):
        for field in fields(result):
            freeze(getattr(result, field.name))
    return result


def size_of(result: object) -> int:
    """Bytes that a result takes, near enough to bound their sum."""
    if isinstance(result, np.ndarray):
        return result.nbytes
    if isinstance(result, tuple | list):
        return sum(size_of(entry) for entry in result) + 64
    if isinstance(result, dict):
        return sum(size_of(key) + size_of(entry) for key, entry in result.items()) + 64
    if is_dataclass(result):
        return sum(size_of(getattr(result, field.name)) for field in fields(result)) + 64
    return sys.getsizeof(result)
