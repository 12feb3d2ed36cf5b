"""How a command ends: quietly when its reader has gone or its user has had enough."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

CLOSED_PIPE = 128 + 13
"""What a shell reports of a program that wrote into a closed pipe."""
INTERRUPTED = 128 + 2
FAILED_TO_WRITE = 74
"""EX_IOERR of sysexits.h."""


def run(main: Callable[[], int], program: str) -> int:
    """What ``main`` gives as the process's status, or why it could not say all that it had to say.

    Args:
        main: Writes to the standard streams; its own troubles with files it tells itself.
        program: What it is called, for the sentence on the error stream.

    Returns:
        The status: of ``main``, ``CLOSED_PIPE``, ``FAILED_TO_WRITE`` or ``INTERRUPTED``.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed before the start
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
    try:
        try:
            return main()
        finally:
            sys.stdout.flush()
    except OSError as failure:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python would fail once more at its end
        if isinstance(failure, BrokenPipeError):
            return CLOSED_PIPE
        print(f"{program}: error: {failure}", file=sys.stderr)
        return FAILED_TO_WRITE
    except KeyboardInterrupt:
        return INTERRUPTED
