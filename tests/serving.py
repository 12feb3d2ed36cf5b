"""Servers that tests start on this machine, and end."""

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[1]


@contextmanager
def serving(
    *arguments: str, cwd: Path = ROOT, output: int | IO[bytes] = subprocess.DEVNULL, port: int | None = None
) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """The port and process of what ``streamlit run`` with these arguments serves; it ends with the block.

    Without a port it takes a free one.

    Raises:
        RuntimeError: It ended, or did not answer in time.
    """
    port = port or _free_port()
    command = [sys.executable, "-m", "streamlit", "run", *arguments, "--server.port", str(port)]
    process = subprocess.Popen(command, cwd=cwd, stdout=output, stderr=subprocess.STDOUT)
    try:
        _wait(port, process)
        yield port, process
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(port: int, process: subprocess.Popen[bytes], *, seconds: float = 60) -> None:
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        if process.poll() is not None:
            raise RuntimeError(f"the server must keep running, it ended with {process.returncode}")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.02)  # what measures a start waits here
    raise RuntimeError(f"the server must answer within {seconds:g} s")


def active_sessions(port: int) -> int:
    """Connected sessions, as the server's metrics count them."""
    url = f"http://127.0.0.1:{port}/_stcore/metrics?families=active_sessions"
    with urllib.request.urlopen(url, timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("active_sessions "))
