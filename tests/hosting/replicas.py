"""Replicas behind nginx, started as the hosting page says, and requests to them."""

import http.client
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.serving import ROOT

SCRIPT = ROOT / ".streamlit" / "hosting" / "serve.py"
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def serve(command, state, *arguments):
    """Run the script; what it said and its exit code."""
    return subprocess.run(
        [sys.executable, str(SCRIPT), command, "--state", str(state), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )


@contextmanager
def folder_for_states() -> Iterator[Path]:
    """A folder that nginx's user may enter, unlike pytest's own; it goes with the block."""
    made = Path(tempfile.mkdtemp(prefix="posenc-"))
    made.chmod(0o755)
    try:
        yield made
    finally:
        shutil.rmtree(made)


@contextmanager
def behind_nginx(state: Path, replicas: int) -> Iterator[int]:
    """Where nginx listens before so many replicas, which are at the next ports; they end with the block."""
    first = free_ports(1 + replicas)
    try:
        done = serve("start", state, "--replicas", replicas, "--port", first, "--address", "127.0.0.1")
        assert done.returncode == 0, done.stderr
        yield first
    finally:
        serve("stop", state)


def free_ports(count):
    """The first of so many ports in a row that nobody uses."""
    for first in range(8640, 9640, count):
        try:
            for port in range(first, first + count):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port))
        except OSError:
            continue
        return first
    raise AssertionError("no free ports")


def get(port, path, **headers):
    """Status, headers and body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, answer.headers, body


def first_visit(port):
    """The cookie that a new visitor gets, and the replica that answered."""
    status, headers, _ = get(port, "/")
    assert status == 200
    return headers["Set-Cookie"].partition(";")[0], headers["X-Replica"]


def hashed_file(port, base=""):
    """The address of the app's largest script, which has a hash in its name."""
    page = get(port, f"{base}/")[2].decode()
    return base + next(part for part in page.split('"') if part.startswith("./static/js/index."))[1:]


def wait_until(holds, seconds=20):
    """Until it holds; fails if it does not in time."""
    ends = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.05)


def pid_of(state, name):
    """The number of a process that was started under this name."""
    return int((state / f"{name}.process").read_text().split()[0])
