"""``python -m posenc``: the lesson in a terminal, and every claim checked."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import fields
from itertools import pairwise

from posenc.claims.catalogue import CLAIMS
from posenc.claims.registry import Claim, Outcome, chosen, verify_all
from posenc.claims.settings import Settings
from posenc.terminal import check, lesson, speech
from posenc.terminal.arguments import PROGRAM, parser
from posenc.terminal.progress import counted
from posenc.wording import LANGUAGES

CLOSED_PIPE = 128 + 13
"""What a shell reports of a program that wrote into a closed pipe."""
INTERRUPTED = 128 + 2
FAILED_TO_WRITE = 74
"""EX_IOERR of sysexits.h."""


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
    command_line = parser(_help_language(sys.argv[1:] if arguments is None else arguments, encoding))
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


def _help_language(arguments: Sequence[str], encoding: str) -> str:
    """The language of the help, which may be asked for before the arguments are read."""
    asked = [after for before, after in pairwise(arguments) if before == "--lang" and after in LANGUAGES]
    lang = asked[-1] if asked else speech.language(os.environ)
    return lang if lang == "en" or speech.shows("中文", encoding) else "en"


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


def run() -> int:
    """``main``, which ends quietly when its reader has gone or its user has had enough."""
    if sys.stdout is None:  # closed before the start
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    try:
        try:
            return main()
        finally:
            sys.stdout.flush()
    except OSError as failure:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python would fail once more at its end
        if isinstance(failure, BrokenPipeError):
            return CLOSED_PIPE
        print(f"{PROGRAM}: error: {failure}", file=sys.stderr)
        return FAILED_TO_WRITE
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(run())
