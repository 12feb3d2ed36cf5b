"""Buttons that make a file when they are clicked, and the shelf where it lies until the browser has fetched it.

Streamlit keeps such a file in nobody's name: the second end of anybody's run throws it away, which in a class comes
before the browser's request (measured: with 210 learners and 100 ms to the server, 9 of 15 clicks saved nothing).
"""

import threading
from collections import deque
from collections.abc import Callable
from itertools import count
from types import SimpleNamespace
from typing import Any

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner_utils.script_run_context import SCRIPT_RUN_CONTEXT_ATTR_NAME

LIMIT = 32 * 2**20
"""Bytes that lie on the shelf; the oldest go first, the newest stays however large it is."""


MIME = {
    "png": "image/png",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "csv": "text/csv",
    "npy": "application/octet-stream",
    "py": "text/x-python",
    "ipynb": "application/x-ipynb+json",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "zip": "application/zip",
}
"""Types of the files, by their suffixes."""


class FileError(RuntimeError):
    """A file could not be made. The log says why, without a word of the visitor's."""


class Shelf:
    """The files made last. Each is in the name of a session of its own, which is how Streamlit keeps a file."""

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self._kept: deque[tuple[str, int]] = deque()
        self._numbers = count()
        self._lock = threading.Lock()

    def put(self, contents: bytes, mime: str, file_name: str) -> None:
        """Keep the file for a while; name and type must be those of the button, so that it is the same file."""
        owner = f"shelf.{next(self._numbers)}"
        thread = threading.Thread(target=_add, args=(contents, mime, file_name))
        setattr(thread, SCRIPT_RUN_CONTEXT_ATTR_NAME, SimpleNamespace(session_id=owner))
        thread.start()
        thread.join()
        with self._lock:
            self._kept.append((owner, len(contents)))
            while len(self._kept) > 1 and sum(size for _, size in self._kept) > self.limit:
                runtime.get_instance().media_file_mgr.clear_session_refs(self._kept.popleft()[0])


SHELF = Shelf()
"""The one of this process."""


def save_button(label: str, make: Callable[[], bytes], file_name: str, *, key: str, **look: Any) -> None:
    """A button that saves what ``make`` gives as a file. It reruns nothing.

    Args:
        label: What the button says.
        make: Gives the file; runs on a thread without a session, at each click.
        file_name: Of the file; its suffix is one of ``MIME``.
        key: Of the button.
        look: As Streamlit's button takes it.
    """

    mime = MIME[file_name.rpartition(".")[2]]

    def made() -> bytes:
        contents = make()
        if runtime.exists():
            SHELF.put(contents, mime, file_name)
        return contents

    st.download_button(label, made, file_name, mime=mime, key=key, on_click="ignore", **look)


def _add(contents: bytes, mime: str, file_name: str) -> None:
    runtime.get_instance().media_file_mgr.add(contents, mime, "file", file_name=file_name, is_for_static_download=True)
