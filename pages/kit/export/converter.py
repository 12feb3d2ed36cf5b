"""Asks the process that makes files, which is started at the first one that somebody asks for."""

import atexit
import json
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from pages.kit.export import font
from pages.kit.export.worker import receive, send

LONGEST = 60.0
"""Seconds that a file may take."""

WORKER = Path(__file__).with_name("worker.py")


class ConversionError(RuntimeError):
    """A file could not be made; the message says why."""


class Converter:
    """One process, and one file at a time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    @property
    def is_running(self) -> bool:
        """Whether there is a process now."""
        return self._process is not None and self._process.poll() is None

    def convert(self, function: str, **arguments: Any) -> bytes:
        """What a function of vl-convert gives, text as UTF-8.

        Raises:
            ConversionError: It fails, or takes too long.
        """
        task = json.dumps({"function": function, "arguments": arguments}, allow_nan=False).encode()
        with self._lock:
            is_good, made = self._answer(function, task)
        if not is_good:
            raise ConversionError(made.decode())
        return made

    def _answer(self, function: str, task: bytes) -> tuple[bool, bytes]:
        """What the process says. One that was idle may be just ending; then another is asked."""
        was_there = self.is_running
        try:
            return self._ask(task)
        except (EOFError, OSError) as failure:
            self.end()
            if isinstance(failure, TimeoutError):
                raise ConversionError(f"{function} must end within {LONGEST:g} seconds") from failure
            if was_there:
                return self._answer(function, task)
            raise ConversionError(f"the process that makes files must not end during {function}") from failure

    def _ask(self, task: bytes) -> tuple[bool, bytes]:
        if not self.is_running:
            self.end()
            self._process = subprocess.Popen(
                [sys.executable, str(WORKER), str(font.folder())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        is_late = threading.Event()

        def stop() -> None:
            is_late.set()
            process.kill()

        alarm = threading.Timer(LONGEST, stop)
        alarm.daemon = True
        alarm.start()
        try:
            send(process.stdin, task)
            return receive(process.stdout)
        except (EOFError, OSError):
            if is_late.is_set():
                raise TimeoutError from None
            raise
        finally:
            alarm.cancel()

    def end(self) -> None:
        """End the process, if there is one; the next file starts another."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None and not pipe.closed:
                with suppress(OSError):  # What was written last may have no reader any more.
                    pipe.close()


CONVERTER = Converter()
atexit.register(CONVERTER.end)
