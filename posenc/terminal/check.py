"""Every claim with its residual, as a table or as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from posenc.claims.registry import Claim, Outcome
from posenc.claims.settings import Settings
from posenc.terminal.table import COLUMNS, table, wrapped
from posenc.wording import Wording

PAGE = Wording(zh="页面", en="page")
NAME = Wording(zh="名称", en="name")
CLAIM = Wording(zh="论断", en="claim")
RESIDUAL = Wording(zh="偏差", en="residual")
BOUND = Wording(zh="界限", en="bound")
OUTCOME = Wording(zh="结果", en="outcome")
STATUS = {
    "holds": Wording(zh="成立", en="holds"),
    "fails": Wording(zh="不成立", en="FAILS"),
    "skipped": Wording(zh="跳过", en="skipped"),
}
AT_MOST = Wording(zh="注：{names} 按 {setting} = {value} 算。", en="Note: at {setting} = {value}: {names}.")
SKIPPED = Wording(zh="跳过（{reason}）：{names}。", en="Skipped ({reason}): {names}.")
FAILED = Wording(zh="不成立：{names}。", en="Does not hold: {names}.")
COUNT = Wording(
    zh="共 {all} 条：成立 {holds}，不成立 {fails}，跳过 {skipped}。",
    en="{all} claims: {holds} hold, {fails} do not, {skipped} skipped.",
)


def small(value: float) -> str:
    """A residual or a bound in two digits."""
    return f"{value:.2g}" if value == 0 or 1e-3 <= abs(value) < 100 else f"{value:.1e}"


def cells(outcome: Outcome, lang: str) -> list[str]:
    """Claim, residual, bound and outcome of one row."""
    sign = "<=" if outcome.claim.must_be == "below" else ">"
    residual = "-" if outcome.skipped else small(outcome.residual)
    return [outcome.claim.says(lang), residual, f"{sign} {small(outcome.bound)}", STATUS[outcome.status](lang)]


def outcome_table(outcomes: Sequence[Outcome], lang: str, *, with_pages: bool) -> list[str]:
    """Lines of a table of outcomes.

    Args:
        outcomes: Its rows.
        lang: "zh" or "en".
        with_pages: Whether the first column says which page states the claim.
    """
    header = [label(lang) for label in (CLAIM, RESIDUAL, BOUND, OUTCOME)]
    rows = [cells(outcome, lang) for outcome in outcomes]
    if not with_pages:
        return table(header, rows, words=(0, 3))
    return table(
        [PAGE(lang), *header],
        [[outcome.claim.page, *row] for outcome, row in zip(outcomes, rows, strict=True)],
        words=(0, 1, 4),
    )


def report(outcomes: Sequence[Outcome], settings: Settings, lang: str) -> str:
    """The settings, the table, and what there is to say about it."""
    given = (f"{name}={_shown(value)}" for name, value in asdict(settings).items() if value is not None)
    lines = [*wrapped(", ".join(given), COLUMNS), "", *outcome_table(outcomes, lang, with_pages=True), ""]
    separator = "、" if lang == "zh" else ", "
    for (setting, value), names in _grouped((pair, o) for o in outcomes for pair in o.narrowed.items()):
        lines.append(AT_MOST(lang, names=separator.join(names), setting=setting, value=value))
    for reason, names in _grouped((o.skipped, o) for o in outcomes if o.skipped):
        lines.append(SKIPPED(lang, reason=reason, names=separator.join(names)))
    failed = [outcome.claim.name for outcome in outcomes if outcome.status == "fails"]
    if failed:
        lines.append(FAILED(lang, names=separator.join(failed)))
    found: list[str] = [outcome.status for outcome in outcomes]
    lines.append(COUNT(lang, all=len(found), **{status: found.count(status) for status in STATUS}))
    return "\n".join(lines)


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _grouped(pairs: Any) -> list[tuple[Any, list[str]]]:
    """What is the same once, with the names of all claims that it is about."""
    groups: dict[Any, list[str]] = {}
    for reason, outcome in pairs:
        groups.setdefault(reason, []).append(outcome.claim.name)
    return list(groups.items())


def listing(claims: Sequence[Claim], lang: str) -> str:
    """The claims by page and name, nothing computed."""
    rows = [[claim.page, claim.name, claim.says(lang)] for claim in claims]
    return "\n".join(table([PAGE(lang), NAME(lang), CLAIM(lang)], rows, words=range(3)))


def claim_entry(claim: Claim, lang: str) -> dict[str, Any]:
    """What JSON says of a claim that is not computed."""
    return {"page": claim.page, "name": claim.name, "claim": claim.says(lang), "must_be": claim.must_be}


def as_json(outcomes: Sequence[Outcome], settings: Settings, lang: str) -> str:
    """Settings and outcomes in full digits, in ASCII; a residual that is no number is null."""
    entries = [
        {
            **claim_entry(outcome.claim, lang),
            "parameters": dict(outcome.parameters),
            "residual": outcome.residual if math.isfinite(outcome.residual) else None,
            "bound": outcome.bound,
            "status": outcome.status,
            **({"skipped": outcome.skipped} if outcome.skipped else {}),
        }
        for outcome in outcomes
    ]
    return json.dumps({"settings": asdict(settings), "claims": entries}, indent=1)
