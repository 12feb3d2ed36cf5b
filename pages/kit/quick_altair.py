"""Altair builds a chart in a quarter of the time, to the same specification: no checks, and copies of what is there.

Most of what Altair takes for a figure of many layers goes into copies: every layer is copied at each level above it,
each time by its class's own constructor, which merges the layers below once more, and with the hundred entries that
nobody gave. Importing this module changes that for the whole process; ``tests/pages/test_quick_altair.py`` compares the
specifications of all figures with those of Altair as it comes.
"""

from typing import Any

import altair as alt
from altair.utils import schemapi
from altair.utils.schemapi import SchemaBase, debug_mode

KINDS = (dict, list, SchemaBase)
"""What a copy of a chart does not share with it."""


def unchecked() -> debug_mode:
    """While this context is open, no part of a chart is held against Vega-Lite's schema. Tests check the whole."""
    return debug_mode(False)


def _copy(value: Any, by_reference: set[str]) -> Any:
    if not isinstance(value, KINDS):
        return value
    if isinstance(value, SchemaBase):
        if own := getattr(value, "__deepcopy__", None):
            return own({})
        copied = object.__new__(type(value))
        copied.__dict__.update(value.__dict__)
        copied.__dict__["_args"] = tuple(_copy(entry, by_reference) for entry in value._args)
        copied.__dict__["_kwds"] = _copy(value._kwds, by_reference)
        return copied
    if isinstance(value, dict):
        return {
            name: entry if entry is alt.Undefined or name in by_reference else _copy(entry, by_reference)
            for name, entry in value.items()
        }
    return [_copy(entry, by_reference) for entry in value]


def _check(*args: Any, **options: Any) -> None:
    if schemapi.DEBUG_MODE:
        _checked(*args, **options)


def _channel(cls: type, dct: dict[str, Any], validate: bool = True) -> Any:  # noqa: ARG001
    return cls(**dct)


_checked = schemapi.validate_jsonschema

CHANGES: tuple[tuple[Any, str, Any, Any], ...] = (
    (schemapi, "_deep_copy", schemapi._deep_copy, _copy),
    (schemapi, "validate_jsonschema", _checked, _check),
    # A channel written as text or as a value, for each part of which Altair looks through the schemas of 900 classes.
    *(
        (kind, "from_dict", SchemaBase.__dict__["from_dict"], classmethod(_channel))
        for kind in (alt.FieldChannelMixin, alt.ValueChannelMixin, alt.DatumChannelMixin)
    ),
)
"""What is changed: its owner, its name, as Altair has it, as we have it."""

for _owner, _name, _theirs, _ours in CHANGES:
    setattr(_owner, _name, _ours)
