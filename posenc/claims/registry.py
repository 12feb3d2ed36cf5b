"""A claim as a thing to check: where it is stated, what it says, what computes it, how small or large it must be."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from posenc.claims.settings import Settings
from posenc.wording import Wording

Parameters = Mapping[str, Any]
SETTING_OF = {"n": "seq_len", "rows": "seq_len", "dim": "d_model", "k": "shift", "source": "pairing"}
"""The setting that a parameter of another name takes."""


@dataclass(frozen=True)
class Claim:
    """One claim of one page.

    Attributes:
        page: The page that states it.
        function: Returns its residual.
        says: The claim in one short sentence.
        bound: What the residual is compared with, from the parameters that the function was given.
        must_be: "below" for what holds up to rounding: at most the bound. "above" for what must be no rounding, as when
            order counts or something breaks.
        variant: Tells apart claims that one function computes; part of the name.
        given: Parameter -> its value, or a function of the settings that gives it; all others are settings by name.
        limits: Setting -> (least, most) that the function's bounds on work allow; a setting outside is brought in.
        needs_torch: Whether the function imports torch.
    """

    page: str
    function: Callable[..., float]
    says: Wording
    bound: Callable[[Parameters], float]
    must_be: Literal["below", "above"] = "below"
    variant: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    needs_torch: bool = False

    @property
    def name(self) -> str:
        """The function's name, and the variant."""
        return "_".join(part for part in (self.function.__name__, self.variant) if part)

    def narrowed(self, settings: Settings) -> Settings:
        """The settings within the claim's limits."""
        moved: dict[str, Any] = {}
        for name, (least, most) in self.limits.items():
            moved[name] = min(max(getattr(settings, name), least), most)
        if moved.get("head_dim", settings.head_dim) != settings.head_dim:
            moved["rotary_dim"] = None  # might be wider than the head now; no claim that limits heads takes it
        return replace(settings, **moved)

    def parameters(self, settings: Settings) -> Parameters:
        """What the function is called with."""
        within = self.narrowed(settings)
        found = {}
        for name, parameter in inspect.signature(self.function).parameters.items():
            setting = SETTING_OF.get(name, name)
            if name in self.given:
                value = self.given[name]
                found[name] = value(within) if callable(value) else value
            elif hasattr(within, setting):
                found[name] = getattr(within, setting)
            elif parameter.default is inspect.Parameter.empty:
                raise TypeError(f"{self.name} needs {name}, which is no setting and is not given")
        return found


@dataclass(frozen=True)
class Outcome:
    """What became of a claim.

    Attributes:
        claim: The claim.
        parameters: What its function was called with.
        residual: What it returned; NaN if it was skipped.
        bound: What the residual was compared with.
        skipped: Why it was not computed; empty if it was.
        narrowed: Setting -> value used in its place, where the claim's limits are narrower.
    """

    claim: Claim
    parameters: Parameters
    residual: float
    bound: float
    skipped: str = ""
    narrowed: Mapping[str, int] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Whether the residual is where the claim says; NaN is nowhere."""
        return self.residual <= self.bound if self.claim.must_be == "below" else self.residual > self.bound

    @property
    def status(self) -> Literal["holds", "fails", "skipped"]:
        """The outcome in a word."""
        return "skipped" if self.skipped else "holds" if self.holds else "fails"


def verify(claim: Claim, settings: Settings) -> Outcome:
    """The claim computed at the settings.

    Args:
        claim: What to compute.
        settings: At which sizes and choices.

    Returns:
        An Outcome; skipped where the claim needs torch and torch can't be imported.

    Raises:
        ValueError: the function refuses the parameters; its name is in the message.
    """
    parameters, within = claim.parameters(settings), claim.narrowed(settings)
    bound = claim.bound(parameters)
    narrowed = {name: value for name in claim.limits if (value := getattr(within, name)) != getattr(settings, name)}
    try:
        residual = claim.function(**parameters)
    except ImportError as missing:
        if not claim.needs_torch:
            raise
        return Outcome(claim, parameters, math.nan, bound, str(missing), narrowed)
    except ValueError as refusal:
        raise ValueError(f"{claim.name}: {refusal}") from refusal
    return Outcome(claim, parameters, residual, bound, "", narrowed)


def verify_all(claims: Sequence[Claim], settings: Settings) -> Iterator[Outcome]:
    """The outcome of each claim in turn, as it becomes known."""
    return (verify(claim, settings) for claim in claims)


def chosen(claims: Sequence[Claim], names: Sequence[str]) -> tuple[Claim, ...]:
    """The claims that the names stand for, in the order of the registry.

    Args:
        claims: To choose from.
        names: Names of claims, of functions with several variants, or of pages.

    Returns:
        At least one claim for every name.

    Raises:
        ValueError: a name stands for nothing.
    """
    for name in names:
        if not any(_is_called(claim, name) for claim in claims):
            raise ValueError(f"only must be names of claims or pages (--list shows them), got {name[:60]!r}")
    return tuple(claim for claim in claims if any(_is_called(claim, name) for name in names))


def _is_called(claim: Claim, name: str) -> bool:
    return name in (claim.name, claim.function.__name__, claim.page)
