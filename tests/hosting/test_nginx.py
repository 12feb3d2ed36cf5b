"""nginx before two replicas: a visitor stays with one, files are compressed and kept, the inside stays closed."""

import asyncio
import gzip
import http.client

import psutil
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from pages.index import CONCEPTS
from pages.kit.address import place
from pages.kit.headers import response_headers
from tests.bench.session import Session
from tests.hosting.replicas import first_visit, free_ports, get, hashed_file, pid_of, serve, wait_until
from tests.serving import active_sessions

pytestmark = pytest.mark.alone

FOLDERS = [concept.folder for concept in CONCEPTS]


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_page_answers_and_draws(port, folder):
    address = place(folder)
    status, _, body = get(port, f"/{address}?lang=zh")
    assert (status, b'<div id="root">' in body) == (200, True)

    async def draw():
        async with Session(port, address, "lang=zh") as session:
            return session.query

    assert asyncio.run(asyncio.wait_for(draw(), 120)) == "lang=zh"


def test_a_visitor_stays_with_one_replica_and_visitors_spread(port):
    visits = [first_visit(port) for _ in range(12)]
    assert len({replica for _, replica in visits}) == 2
    for cookie, replica in visits:
        answers = [get(port, path, Cookie=f"other=1; {cookie}")[1] for path in ("/", "/rope", "/x")]
        assert {headers["X-Replica"] for headers in answers} == {replica}
        assert {headers["Set-Cookie"] for headers in answers} == {None}


@pytest.mark.parametrize(
    ("proto", "rules"),
    [(None, "SameSite=Lax"), ("https", "SameSite=None; Secure; Partitioned"), ("x; y", "SameSite=Lax")],
)
def test_the_cookie_says_nothing_and_is_out_of_reach_of_scripts(port, proto, rules):
    _, headers, _ = get(port, "/", **({"X-Forwarded-Proto": proto} if proto else {}))
    name, *attributes = headers["Set-Cookie"].split("; ")
    assert len(name) == len("posenc=") + 32
    assert "; ".join(attributes) == f"Path=/; HttpOnly; {rules}"


def test_a_made_up_cookie_is_replaced(port):
    assert get(port, "/", Cookie="posenc=x")[1]["Set-Cookie"].startswith("posenc=")


def test_a_session_draws_and_moves_through_nginx(port):
    async def visit():
        async with Session(port, "rope", "lang=en") as session:
            slider = next(widget for widget in session.widgets.values() if widget.name == "peak")
            run = await session.move(slider, 6.0)
            return session.query, run.elements

    query, elements = asyncio.run(asyncio.wait_for(visit(), 120))
    assert "peak=6" in query
    assert "vega_lite_chart" in elements


def test_a_websocket_goes_to_the_visitors_replica(port):
    async def sessions_of(cookie):
        async with connect(
            f"ws://127.0.0.1:{port}/_stcore/stream",
            subprotocols=["streamlit", "no-token"],
            additional_headers={"Cookie": cookie},
            origin=f"http://127.0.0.1:{port}",
            proxy=None,
        ):
            return [active_sessions(replica) for replica in (port + 1, port + 2)]

    for _ in range(4):
        cookie, replica = first_visit(port)
        wait_until(lambda: [active_sessions(port + 1), active_sessions(port + 2)] == [0, 0])
        assert asyncio.run(sessions_of(cookie)) == [int(replica.endswith(f":{port + n}")) for n in (1, 2)]


def test_a_websocket_from_another_site_is_refused(port):
    async def knock():
        async with connect(f"ws://127.0.0.1:{port}/_stcore/stream", origin="https://elsewhere.example", proxy=None):
            pass

    with pytest.raises(InvalidStatus, match="403"):
        asyncio.run(knock())


def test_static_files_are_compressed_and_kept_for_long(port, state):
    path = hashed_file(port)
    plain, packed = get(port, path), get(port, path, **{"Accept-Encoding": "gzip, br"})
    assert plain[1]["Content-Encoding"] is None
    assert packed[1]["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed[2]) == plain[2]
    assert len(packed[2]) < 0.5 * len(plain[2])
    for _, headers, _ in (plain, packed):
        assert headers["Cache-Control"] == "public, immutable, max-age=31536000"
        assert headers["Set-Cookie"] is None
    assert [file for file in (state / "cache").rglob("*") if file.is_file()]


def test_a_static_file_is_asked_of_the_replicas_once(port, state):
    """Both are stopped for the while; what is in the cache is served all the same."""
    path = hashed_file(port)
    wanted = get(port, path)[2]
    replicas = [psutil.Process(pid_of(state, name)) for name in ("replica-1", "replica-2")]
    for replica in replicas:
        replica.suspend()
    try:
        assert get(port, path)[2] == wanted
    finally:
        for replica in replicas:
            replica.resume()


@pytest.mark.parametrize("encoding", ["", "gzip"])
@pytest.mark.parametrize("kind", ["page", "file", "health"])
def test_the_apps_headers_come_through_once(port, kind, encoding):
    path = {"page": "/rope", "file": hashed_file(port), "health": "/_stcore/health"}[kind]
    _, headers, _ = get(port, path, **{"Accept-Encoding": encoding})
    for name, value in response_headers().items():
        assert headers.get_all(name) == [value], name
    assert len(headers.get_all("Cache-Control")) == 1
    assert headers["Server"] == "nginx"


@pytest.mark.parametrize(
    "path",
    [
        "/_stcore/metrics",
        "//_stcore/metrics",
        "/_stcore%2Fmetrics",
        "/x/../_stcore/metrics",
        "/_stcore/metrics?families=session_events",
        "/_stcore/upload_file/a/b",
        "/_stcore/agent/openapi.json",
        "/_stcore/script-health-check",
    ],
)
def test_what_only_the_server_needs_is_closed(port, path):
    assert get(port + 1, "/_stcore/metrics")[0] == 200
    assert get(port, path)[0] == 404


def test_metrics_are_not_behind_a_page_either(port):
    assert b"active_sessions" not in get(port, "/rope/_stcore/metrics")[2]


def test_large_bodies_are_refused(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("POST", "/", body=b"x" * 70_000)
    assert connection.getresponse().status == 413
    connection.close()


def test_a_sub_path_works(room):
    port, state = free_ports(2), room / "below"
    try:
        done = serve("start", state, "--replicas", 1, "--port", port, "--address", "127.0.0.1", "--base", "demo")
        assert done.returncode == 0, done.stderr
        for path in ("/demo/", "/demo/rope?lang=zh"):
            status, headers, body = get(port, path)
            assert (status, b'<div id="root">' in body) == (200, True)
            assert "Path=/demo/;" in headers["Set-Cookie"]
        status, headers, _ = get(port, "/demo")
        assert (status, headers["Location"]) == (301, "/demo/")
        assert get(port, "/")[0] == 404
        assert get(port, "/demo/_stcore/metrics")[0] == 404
        packed = get(port, hashed_file(port, "/demo"), **{"Accept-Encoding": "gzip"})
        assert (packed[0], packed[1]["Content-Encoding"]) == (200, "gzip")

        async def knock():
            async with connect(
                f"ws://127.0.0.1:{port}/demo/_stcore/stream", subprotocols=["streamlit", "no-token"], proxy=None
            ) as socket:
                return socket.subprotocol

        assert asyncio.run(knock()) == "streamlit"
    finally:
        serve("stop", state)
