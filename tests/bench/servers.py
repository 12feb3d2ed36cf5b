"""The servers that are compared: the app, the least page that has a slider, a page of any script, Streamlit's own."""

import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
from streamlit.hello import streamlit_app

from tests.serving import ROOT, serving

ONE_SLIDER = """\
import streamlit as st

st.write("value", st.slider("n", 0, 100, 10))
"""
SERVED = """\
from pathlib import Path

import streamlit as st

app = st.App(Path(__file__).with_name("page.py"))
"""
OPTIONS = {"server.address": "127.0.0.1", "client.showErrorDetails": "full"}


@dataclass(frozen=True)
class Server:
    """A running server: its port, and the CPU time that its process has taken."""

    port: int
    process: psutil.Process

    @property
    def url(self) -> str:
        """Of its first page."""
        return f"http://127.0.0.1:{self.port}/"

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
def page(script: str, **options: str) -> Iterator[Server]:
    """A page of one script, served in the same way with the same settings and theme, but for these options."""
    with TemporaryDirectory() as folder:
        here = Path(folder)
        shutil.copytree(ROOT / ".streamlit", here / ".streamlit")
        (here / "page.py").write_text(script, encoding="utf-8")
        (here / "served.py").write_text(SERVED, encoding="utf-8")
        with _serve(here / "served.py", here, **options) as server:
            yield server


def one_slider() -> AbstractContextManager[Server]:
    """A page of one slider and one line of text."""
    return page(ONE_SLIDER)


@contextmanager
def hello() -> Iterator[Server]:
    """What ``streamlit hello`` serves, with Streamlit's own settings; it opens no browser and reports nothing."""
    quiet = {"server.headless": "true", "browser.gatherUsageStats": "false"}
    with TemporaryDirectory() as folder, _serve(Path(streamlit_app.__file__), Path(folder), **quiet) as server:
        yield server


@contextmanager
def _serve(script: Path, folder: Path, **more: str) -> Iterator[Server]:
    options = [f"--{name}={value}" for name, value in {**OPTIONS, **more}.items()]
    with serving(str(script), *options, cwd=folder) as (port, process):
        yield Server(port, psutil.Process(process.pid))
