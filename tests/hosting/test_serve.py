"""The script that starts and stops the replicas: one secret, survivors of a death, nothing left over."""

import asyncio
import json
import os
import signal
import socket
import stat
import subprocess
import sys

import psutil
import pytest

from tests.bench.session import Session
from tests.hosting.replicas import first_visit, free_ports, get, pid_of, serve, wait_until
from tests.serving import ROOT

pytestmark = pytest.mark.alone


def test_the_cookie_secret_is_shared_private_and_never_said(port, state):
    secret = (state / "cookie_secret").read_text()
    assert len(secret) == 64
    assert stat.S_IMODE((state / "cookie_secret").stat().st_mode) == 0o600
    assert not state.is_relative_to(ROOT)
    for name in ("replica-1", "replica-2"):
        process = psutil.Process(pid_of(state, name))
        assert process.environ()["STREAMLIT_SERVER_COOKIE_SECRET"] == secret
        assert not any(secret in argument for argument in process.cmdline())
    others = [file for file in state.rglob("*") if file.is_file() and file.name != "cookie_secret"]
    assert [file for file in others if secret.encode() in file.read_bytes()] == []
    assert secret not in serve("status", state).stdout


def test_replicas_listen_on_this_machine_only(port, state):
    for name in ("replica-1", "replica-2"):
        listening = [c for c in psutil.Process(pid_of(state, name)).net_connections() if c.status == "LISTEN"]
        assert {connection.laddr.ip for connection in listening} == {"127.0.0.1"}


def test_starting_again_changes_nothing_and_other_settings_are_refused(port, state):
    before = {file.name: file.read_text() for file in state.glob("*.process")}
    again = serve("start", state, "--replicas", 2, "--port", port, "--address", "127.0.0.1")
    assert again.returncode == 0, again.stderr
    other = serve("start", state, "--replicas", 3, "--port", port, "--address", "127.0.0.1")
    assert (other.returncode, other.stderr) == (1, "Not started: it runs with other settings: stop it first.\n")
    assert {file.name: file.read_text() for file in state.glob("*.process")} == before


def test_nobody_sees_an_error_when_a_replica_dies_and_start_revives_it(port, state):
    visits = [first_visit(port) for _ in range(12)]
    os.kill(pid_of(state, "replica-1"), signal.SIGKILL)
    assert {get(port, "/")[0] for _ in range(30)} == {200}
    for cookie, _ in visits:
        status, headers, _ = get(port, "/rope", Cookie=cookie)
        assert (status, headers["X-Replica"].split(", ")[-1]) == (200, f"127.0.0.1:{port + 2}")

    async def draw():
        async with Session(port, "rope", "lang=en") as session:
            return session.query

    assert asyncio.run(asyncio.wait_for(draw(), 120)) == "lang=en"
    said = serve("status", state)
    assert (said.returncode, said.stdout.count("not running")) == (1, 1)
    survivor = pid_of(state, "replica-2")
    assert serve("start", state, "--replicas", 2, "--port", port, "--address", "127.0.0.1").returncode == 0
    assert serve("status", state).returncode == 0
    assert pid_of(state, "replica-2") == survivor
    wait_until(
        lambda: {get(port, "/", Cookie=cookie)[1]["X-Replica"] for cookie, _ in visits} == {r for _, r in visits}
    )


def test_a_taken_port_is_said_and_nothing_stays(room):
    state, port = room / "taken", free_ports(2)
    with socket.socket() as other:
        other.bind(("127.0.0.1", port + 1))
        other.listen()
        done = serve("start", state, "--replicas", 1, "--port", port, "--address", "127.0.0.1")
    assert done.returncode == 1
    assert done.stderr.startswith("Not started: replica-1 must answer")
    assert list(state.glob("*.process")) == []


def test_a_failure_is_logged_without_address_and_question(room):
    state, port = room / "failing", free_ports(2)
    try:
        assert serve("start", state, "--replicas", 1, "--port", port, "--address", "127.0.0.1").returncode == 0
        assert get(port, "/rope?words=secret")[0] == 200
        os.kill(pid_of(state, "replica-1"), signal.SIGKILL)
        assert get(port, "/order?words=secret", **{"User-Agent": "secret"})[0] == 502
        wait_until(lambda: (state / "failures.log").read_text().endswith("\n"))
        _, *said = (state / "failures.log").read_text().split()
        assert (said[0], *said[-2:]) == ("502", "GET", "/order")
        for log in state.glob("*.log"):
            assert "secret" not in log.read_text()
            assert "client:" not in log.read_text()
    finally:
        serve("stop", state)


def test_stop_ends_all_that_it_started_and_nothing_else(room):
    state, port = room / "brief", free_ports(2)
    assert serve("start", state, "--replicas", 1, "--port", port, "--address", "127.0.0.1").returncode == 0
    ours = [psutil.Process(pid_of(state, name)) for name in ("nginx", "replica-1")]
    ours += [child for process in ours for child in process.children(recursive=True)]
    assert len(ours) >= 3
    # A process whose number stands in our files by chance, since ours ended and the number was given away.
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True) as stranger:
        (state / "replica-9.process").write_text(f"{stranger.pid} 1")
        assert serve("stop", state).returncode == 0
        assert stranger.poll() is None
        stranger.communicate(b"\n")
    assert [p for p in ours if p.is_running() and p.status() != psutil.STATUS_ZOMBIE] == []
    assert list(state.glob("*.process")) == []
    assert serve("stop", state).returncode == 0
    assert serve("status", state).stdout == "not started\n"
    with pytest.raises(ConnectionRefusedError):
        get(port, "/")


def test_the_settings_are_kept_as_plain_text(port, state):
    kept = json.loads((state / "settings.json").read_text())
    assert kept == {"replicas": 2, "address": "127.0.0.1", "port": port, "base": ""}
