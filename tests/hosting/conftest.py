"""Two replicas behind nginx, started once."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.hosting.replicas import NGINX, free_ports, serve

MISSING = "The hosting tests need nginx. On Debian or Ubuntu: apt-get install nginx"


@pytest.fixture(scope="session")
def room():
    """A folder for states. Not below pytest's own, which nginx's user must not enter."""
    if NGINX is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(MISSING)
    made = Path(tempfile.mkdtemp(prefix="posenc-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="session")
def state(room):
    """The folder of the replicas that ``port`` leads to."""
    return room / "state"


@pytest.fixture(scope="session")
def port(state):
    """Where nginx listens; the two replicas are at the next two ports."""
    first = free_ports(3)
    try:
        done = serve("start", state, "--replicas", 2, "--port", first, "--address", "127.0.0.1")
        assert done.returncode == 0, done.stderr
        assert serve("status", state).returncode == 0
        yield first
    finally:
        serve("stop", state)
