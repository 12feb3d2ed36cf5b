"""Refusals: each check returns the value in its plain type, or raises a ValueError of one form.

The form is "<argument> must be <rule>, got <value>".
"""

from __future__ import annotations

import math
import reprlib
from numbers import Integral, Real
from typing import Any

PAIRS = "a positive even integer (every sine needs its cosine, every turn two channels)"
WIDEST = 2**20
LARGEST_COUNT = 2**31 - 1


class _Short(reprlib.Repr):
    """Bounded repr; Python itself refuses to print integers of more than 4,300 digits."""

    def repr_int(self, x: int, level: int) -> str:  # noqa: ARG002
        if x.bit_length() > 128:
            return f"an integer of {x.bit_length()} bits"
        return repr(x)


_short = _Short()
_short.maxother = _short.maxstring = 60


def shown(value: object) -> str:
    """The value as one short line for an error message."""
    return " ".join(_short.repr(value).split())


def refusal(name: str, rule: str, value: object) -> ValueError:
    """The one form in which posenc refuses an argument."""
    return ValueError(f"{name} must be {rule}, got {shown(value)}")


def shape_refusal(name: str, rule: str, shape: tuple[int, ...]) -> ValueError:
    """A refusal that shows the shape of the argument in place of its values."""
    return ValueError(f"{name} must be {rule}, got shape {tuple(shape)}")


def count(name: str, value: Any, *, least: int = 1) -> int:
    """The value as an int that counts something an array can hold."""
    return integer(name, value, least=least, most=LARGEST_COUNT)


def integer(name: str, value: Any, *, least: int | None = None, most: int | None = None) -> int:
    """The value as an int within [least, most]; booleans and floats are refused."""
    is_integer = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_integer or (least is not None and value < least) or (most is not None and value > most):
        raise refusal(name, "an integer" + _span(least, most), value)
    return int(value)


def _span(least: int | None, most: int | None) -> str:
    if least is not None and most is not None:
        return f" from {least} to {most}"
    if most is not None:
        return f" of at most {most}"
    return "" if least is None else f" of at least {least}"


def even(name: str, value: Any, *, most: int | None = None) -> int:
    """The value as a positive even int of at most ``most``, or of any sensible width."""
    limit = WIDEST if most is None else most
    is_integer = isinstance(value, Integral) and not isinstance(value, bool)
    if is_integer and 1 <= value <= limit and value % 2 == 0:
        return int(value)
    is_limit_worth_a_word = most is not None or (is_integer and value > limit)
    raise refusal(name, PAIRS + _span(None, limit if is_limit_worth_a_word else None), value)


def real(name: str, value: Any, *, rule: str = "a finite number") -> float:
    """The value as a finite float."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise refusal(name, rule, value)
    try:
        number = float(value)
    except OverflowError:
        raise refusal(name, rule, value) from None
    if not math.isfinite(number):
        raise refusal(name, rule, value)
    return number


def base(value: Any) -> float:
    """The base of the frequencies as a float above 1."""
    rule = "a finite number above 1"
    number = real("base", value, rule=rule)
    if number <= 1:
        raise refusal("base", rule, value)
    return number


def choice(name: str, value: Any, options: tuple[str, ...]) -> str:
    """The value, if it is one of the options."""
    if not isinstance(value, str) or value not in options:
        raise refusal(name, " or ".join(map(repr, options)), value)
    return value


def flag(name: str, value: Any) -> bool:
    """The value as a bool, if it is one."""
    if type(value).__name__ not in ("bool", "bool_"):
        raise refusal(name, "True or False", value)
    return bool(value)
