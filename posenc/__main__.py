"""``python -m posenc``: the lesson in a terminal, and every claim checked."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import fields

from posenc.claims.catalogue import CLAIMS
from posenc.claims.registry import Claim, Outcome, chosen, verify_all
from posenc.claims.settings import Settings
from posenc.terminal import check, lesson, speech
from posenc.terminal.arguments import PROGRAM, parser
from posenc.terminal.process import run
from posenc.terminal.progress import counted


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: What follows ``python -m posenc``; the process's own if None.

    Returns:
        0 if all claims hold or nothing was checked, else 1.

    Raises:
        SystemExit: 2 for an option that can't be used, 0 for --help and --version.
    """
    encoding = sys.stdout.encoding or "ascii"
    arguments = sys.argv[1:] if arguments is None else arguments
    command_line = parser(speech.help_language(arguments, os.environ, encoding))
    given = command_line.parse_args(arguments)
    if given.command is None:
        command_line.print_help()
        return 0
    lang = given.lang or speech.language(os.environ)
    if given.command == "lesson":
        return _lesson(lang, encoding)
    try:
        return _check(given, lang, encoding)
    except ValueError as refusal:
        given.refuse(str(refusal))
        raise AssertionError("argparse ends the program") from refusal


def _lesson(lang: str, encoding: str) -> int:
    shown, shades = lesson.demonstrations(), speech.shades(encoding)
    print(speech.said(lambda spoken: lesson.text(shown, spoken, shades), lang, encoding))
    return _status(lesson.outcomes(shown))


def _check(given: argparse.Namespace, lang: str, encoding: str) -> int:
    settings = Settings(**{setting.name: getattr(given, setting.name) for setting in fields(Settings)})
    claims = CLAIMS if given.only is None else chosen(CLAIMS, given.only.split(","))
    if given.list:
        _list(claims, lang, encoding, as_json=given.json)
        return 0
    found = verify_all(claims, settings)
    outcomes = list(counted(found, len(claims), sys.stderr) if given.progress else found)
    if given.json:
        print(check.as_json(outcomes, settings, lang))
    else:
        print(speech.said(lambda spoken: check.report(outcomes, settings, spoken), lang, encoding))
    return _status(outcomes)


def _list(claims: Sequence[Claim], lang: str, encoding: str, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps([check.claim_entry(claim, lang) for claim in claims], indent=1))
    else:
        print(speech.said(lambda spoken: check.listing(claims, spoken), lang, encoding))


def _status(outcomes: Sequence[Outcome]) -> int:
    return int(any(outcome.status == "fails" for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(run(main, PROGRAM))
