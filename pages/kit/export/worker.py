"""The process that makes files with vl-convert. It is given its fonts' folder, then tasks on its standard input.

A process of its own, since vl-convert stops every other thread of the one that it is in for as long as it works, and
keeps 200 MB afterwards. It ends when nobody has asked for a minute or its server has ended.
"""

import json
import os
import struct
import sys
import threading
from typing import BinaryIO

LENGTH = struct.Struct(">?Q")
"""Before every message: whether it is what was asked for (else it says what went wrong), and its length in bytes."""

IDLE = 60.0
"""Seconds after which it ends."""


def send(pipe: BinaryIO, message: bytes, *, is_good: bool = True) -> None:
    """Write a message."""
    pipe.write(LENGTH.pack(is_good, len(message)) + message)
    pipe.flush()


def receive(pipe: BinaryIO) -> tuple[bool, bytes]:
    """Read a message.

    Raises:
        EOFError: The other side has ended.
    """
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    is_good, length = LENGTH.unpack(head)
    message = pipe.read(length)
    if len(message) < length:
        raise EOFError
    return is_good, message


def main(fonts: str) -> None:
    """Do what is asked, one thing after another."""
    tasks, files = sys.stdin.buffer, sys.stdout.buffer
    if hasattr(os, "nice"):
        os.nice(10)  # Visitors who move something come first.
    import vl_convert

    vl_convert.register_font_directory(fonts)
    while True:
        alarm = threading.Timer(IDLE, os._exit, [0])
        alarm.daemon = True
        alarm.start()
        try:
            _, message = receive(tasks)
        except EOFError:
            return
        alarm.cancel()
        try:
            task = json.loads(message)
            made = getattr(vl_convert, task["function"])(**task["arguments"])
        except Exception as failure:
            send(files, str(failure).encode(), is_good=False)
        else:
            send(files, made.encode() if isinstance(made, str) else bytes(made))


if __name__ == "__main__":
    main(sys.argv[1])
