"""Several replicas of the app on this machine behind Debian's nginx: ``serve.py start``, ``stop``, ``status``.

Run it with the Python that has the app's requirements. Everything it writes is in one folder outside of the project.
"""

import argparse
import fcntl
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
SECONDS_TO_START = 120
SECONDS_TO_STOP = 15


class NotServingError(Exception):
    """Why the app could not be started; a sentence."""


@dataclass(frozen=True)
class Settings:
    """What is served: how many replicas, nginx's address and port (the replicas take the ports after it), sub-path."""

    replicas: int
    address: str
    port: int
    base: str

    def ports(self) -> dict[str, int]:
        """Name -> port of each replica."""
        return {f"replica-{number}": self.port + number for number in range(1, self.replicas + 1)}


@dataclass(frozen=True)
class Started:
    """A process that was started here: the leader of a session of its own, and when it started (clock ticks)."""

    pid: int
    ticks: int

    def running(self) -> list[int]:
        """The process ids of its session that still run; none if the number now belongs to another process."""
        leader = _stat(self.pid)
        if leader and int(leader[19]) != self.ticks:
            return []
        states = {int(entry): _stat(int(entry)) for entry in os.listdir("/proc") if entry.isdigit()}
        return [pid for pid, stat in states.items() if stat and stat[0] != "Z" and int(stat[3]) == self.pid]


def _stat(pid: int) -> list[str]:
    """The fields of /proc/<pid>/stat after the name, from the state on; empty if there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return []


class State:
    """The folder with the secret, the process ids, the filled-in configuration and the logs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # nginx started by root works as another user, who must reach the cache in here.
        folder.mkdir(mode=0o755 if os.geteuid() == 0 else 0o700, parents=True, exist_ok=True)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """One command at a time."""
        with (self.folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def secret(self) -> str:
        """The key that all replicas sign cookies with; made once, readable by its owner only, never printed."""
        path = self.folder / "cookie_secret"
        if not path.exists():
            with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
                file.write(secrets.token_hex(32))
        path.chmod(0o600)
        return path.read_text()

    def settings(self) -> Settings | None:
        """With which settings it was started; None if it is not."""
        path = self.folder / "settings.json"
        return Settings(**json.loads(path.read_text())) if path.exists() else None

    def keep(self, settings: Settings) -> None:
        """Remember the settings until ``stop``."""
        (self.folder / "settings.json").write_text(json.dumps(asdict(settings)))

    def started(self) -> dict[str, Started]:
        """Name -> what was started under it and not stopped since."""
        files = sorted(self.folder.glob("*.process"))
        return {file.stem: Started(*map(int, file.read_text().split())) for file in files}

    def start(self, name: str, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        """Start a process that outlives this one, its output in ``<name>.log``."""
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                command,
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **(environment or {})},
                start_new_session=True,
            )
        (self.folder / f"{name}.process").write_text(f"{process.pid} {_stat(process.pid)[19]}")

    def stop(self) -> None:
        """End what was started here, nginx first, and nothing else."""
        for name, started in sorted(self.started().items()):
            ends = time.monotonic() + SECONDS_TO_STOP
            _signal(started, signal.SIGTERM)
            while started.running():
                if time.monotonic() > ends:
                    _signal(started, signal.SIGKILL)
                time.sleep(0.05)
            (self.folder / f"{name}.process").unlink()
        (self.folder / "settings.json").unlink(missing_ok=True)


def _signal(started: Started, kind: signal.Signals) -> None:
    for pid in started.running():
        try:
            os.kill(pid, kind)
        except ProcessLookupError:
            continue


def start(state: State, settings: Settings) -> None:
    """Start what of it does not run yet, and wait until it answers.

    Raises:
        NotServingError: nginx is missing or refuses the configuration, it runs with other settings, or a part of it
            did not answer in time. What this call started is then stopped again.
    """
    if NGINX is None:
        raise NotServingError("nginx must be installed (apt-get install nginx)")
    running = {name for name, started in state.started().items() if started.running()}
    if running and state.settings() != settings:
        raise NotServingError("it runs with other settings: stop it first")
    state.keep(settings)
    try:
        for name, port in settings.ports().items():
            if name not in running:
                state.start(name, _replica(port, settings), {"STREAMLIT_SERVER_COOKIE_SECRET": state.secret()})
        for name, port in settings.ports().items():
            _wait(state, name, "127.0.0.1", port, settings)
        if "nginx" not in running:
            state.start("nginx", _nginx(state, settings))
        _wait(state, "nginx", settings.address, settings.port, settings)
    except NotServingError:
        if not running:
            state.stop()
        raise


def _replica(port: int, settings: Settings) -> list[str]:
    options = {"server.address": "127.0.0.1", "server.port": str(port), "server.baseUrlPath": settings.base}
    return [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        "app.py",
        *(f"--{name}={value}" for name, value in options.items()),
    ]


def _nginx(state: State, settings: Settings) -> list[str]:
    """The command that starts nginx, once nginx has found no fault in the configuration."""
    path = state.folder / "nginx.conf"
    path.write_text(configuration(state.folder, settings))
    (state.folder / "tmp").mkdir(mode=0o755, exist_ok=True)
    (state.folder / "gzip.sock").unlink(missing_ok=True)  # left by one that was killed
    command = [str(NGINX), "-e", str(state.folder / "nginx.log"), "-p", str(state.folder), "-c", str(path)]
    check = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    if check.returncode:
        raise NotServingError(f"nginx refuses its configuration: {check.stderr.strip()}")
    return [*command, "-g", "daemon off;"]


def configuration(folder: Path, settings: Settings) -> str:
    """The template with its values filled in."""
    servers = (f"        server 127.0.0.1:{port} max_fails=1 fail_timeout=5s;" for port in settings.ports().values())
    values = {
        "USER": "user www-data;" if os.geteuid() == 0 else "",
        "STATE": str(folder),
        "BASE": f"/{settings.base}" if settings.base else "",
        "LISTEN": f"{settings.address}:{settings.port}",
        "REPLICAS": "\n".join(servers),
    }
    text = (HERE / "nginx.conf").read_text()
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text


def _wait(state: State, name: str, address: str, port: int, settings: Settings) -> None:
    """Until it says that it is well."""
    host = "127.0.0.1" if address == "0.0.0.0" else address
    url = f"http://{host}:{port}/{settings.base}{'/' if settings.base else ''}_stcore/health"
    ends = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < ends and state.started()[name].running():
        if _is_well(url):
            return
        time.sleep(0.1)
    raise NotServingError(f"{name} must answer within {SECONDS_TO_START} s: see {state.folder / name}.log")


def _is_well(url: str) -> bool:
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def status(state: State) -> bool:
    """Print a line for each part; whether all of it runs."""
    settings = state.settings()
    if settings is None:
        print("not started")
        return False
    started, is_whole = state.started(), True
    for name, port in (("nginx", settings.port), *settings.ports().items()):
        running = started[name].running() if name in started else []
        is_whole &= bool(running)
        print(f"{name}  port {port}  {f'{_megabytes(running)} MB' if running else 'not running'}")
    return is_whole


def _megabytes(pids: Sequence[int]) -> int:
    """Resident memory, pages shared between the processes counted for each."""
    pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids)
    return pages * os.sysconf("SC_PAGE_SIZE") // 10**6


def _default_state() -> Path:
    if os.geteuid() == 0:
        return Path("/var/lib/posenc")
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "posenc"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=("start", "stop", "status"))
    parser.add_argument("--replicas", type=int, default=2, help="processes of the app; as many as there are cores")
    parser.add_argument("--port", type=int, default=8080, help="where nginx listens; the replicas take the next ports")
    parser.add_argument("--address", default="0.0.0.0", help="127.0.0.1 if something else stands before it")
    parser.add_argument("--base", default="", help="a sub-path, such as demo for /demo/")
    parser.add_argument("--state", type=Path, default=_default_state(), help="folder for secret, process ids and logs")
    return parser.parse_args()


def main() -> int:
    """Do what the command line asks for; 0 if all is well."""
    given = _arguments()
    state = State(given.state.resolve())
    with state.locked():
        if given.command == "status":
            return 0 if status(state) else 1
        if given.command == "stop":
            state.stop()
            return 0
        settings = Settings(given.replicas, given.address, given.port, given.base.strip("/"))
        try:
            start(state, settings)
        except NotServingError as error:
            print(f"Not started: {error}.", file=sys.stderr)
            return 1
        print(f"http://localhost:{settings.port}/{settings.base}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
