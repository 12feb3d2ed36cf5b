"""What a server does before its first visitors, and soon after it has begun to answer."""

import gc
import importlib
import socket
from collections.abc import Iterable

from pages.kit.record import record
from pages.kit.text import LANGUAGES, prose


def prepare(folders: Iterable[str], drawn: Iterable[str] = ()) -> None:
    """Warm up and draw what a class will ask for first, freeze that heap, and let collections begin, which skip it.

    ``runner.postScriptGC`` is off for the same reason.

    Args:
        folders: Of the pages to warm up for.
        drawn: Of those whose figures, as they first stand, are drawn in both languages.
    """
    try:
        warm_up(folders)
        for folder in drawn:
            for lang in LANGUAGES:
                for figure in record(folder, lang).figures:
                    figure.spec()
        gc.collect()
        gc.freeze()
    finally:
        gc.enable()


def warm_up(folders: Iterable[str]) -> None:
    """Import what the pages of these folders import, and read their prose; torch is not among it."""
    for folder in folders:
        importlib.import_module(f"pages.{folder}.figures")
        for lang in LANGUAGES:
            prose(folder, lang)


def answer_at_once() -> None:
    """Let every listening socket of this process hand its connections over with TCP_NODELAY.

    Streamlit makes its socket without naming the protocol, and asyncio then leaves Nagle's algorithm on: each answer to
    a visitor would wait 40 ms for the acknowledgement of the one before. The server gives no access to its socket.
    """
    for known in gc.get_objects():
        # Not isinstance: it asks a foreign object for its __class__, and some answer with a warning (torch does).
        if issubclass(type(known), socket.socket) and _listens_by_tcp(known):
            known.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _listens_by_tcp(known: socket.socket) -> bool:
    is_open_tcp = known.fileno() >= 0 and known.family in (socket.AF_INET, socket.AF_INET6)
    is_stream = is_open_tcp and known.type == socket.SOCK_STREAM
    return is_stream and bool(known.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))
