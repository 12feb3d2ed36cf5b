"""The servers that are compared: the app, and the least page that has a slider."""

import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from tests.serving import ROOT, serving

ONE_SLIDER = """\
import streamlit as st

st.write("value", st.slider("n", 0, 100, 10))
"""
SERVED = """\
from pathlib import Path

import streamlit as st

app = st.App(Path(__file__).with_name("one_slider.py"))
"""
OPTIONS = {"server.address": "127.0.0.1", "client.showErrorDetails": "full"}


@dataclass(frozen=True)
class Server:
    """A running server: its port, and the CPU time that its process has taken."""

    port: int
    process: psutil.Process

    def cpu(self) -> float:
        """Seconds, user and system, of all threads that the process has had."""
        if sys.platform == "linux":
            return time.clock_gettime(~self.process.pid << 3 | 2)  # its clock as in clock_getcpuclockid(3)
        times = self.process.cpu_times()  # counted in steps of 10 ms
        return float(times.user + times.system)


@contextmanager
def app() -> Iterator[Server]:
    """The app of this repository."""
    with _serve(ROOT / "app.py", ROOT) as server:
        yield server


@contextmanager
def one_slider() -> Iterator[Server]:
    """A page of one slider and one line of text, served in the same way with the same settings and theme."""
    with TemporaryDirectory() as folder:
        here = Path(folder)
        shutil.copytree(ROOT / ".streamlit", here / ".streamlit")
        (here / "one_slider.py").write_text(ONE_SLIDER, encoding="utf-8")
        (here / "served.py").write_text(SERVED, encoding="utf-8")
        with _serve(here / "served.py", here) as server:
            yield server


@contextmanager
def _serve(script: Path, folder: Path) -> Iterator[Server]:
    options = [f"--{name}={value}" for name, value in OPTIONS.items()]
    with serving(str(script), *options, cwd=folder) as (port, process):
        yield Server(port, psutil.Process(process.pid))
