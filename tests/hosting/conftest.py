"""Two replicas behind nginx, started once."""

import os

import pytest

from tests.hosting.replicas import NGINX, behind_nginx, folder_for_states, serve

MISSING = "The hosting tests need nginx. On Debian or Ubuntu: apt-get install nginx"


@pytest.fixture(scope="session")
def room():
    """A folder for states."""
    if NGINX is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(MISSING)
    with folder_for_states() as made:
        yield made


@pytest.fixture(scope="session")
def state(room):
    """The folder of the replicas that ``port`` leads to."""
    return room / "state"


@pytest.fixture(scope="session")
def port(state):
    """Where nginx listens; the two replicas are at the next two ports."""
    with behind_nginx(state, 2) as first:
        assert serve("status", state).returncode == 0
        yield first
