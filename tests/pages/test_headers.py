"""Every response tells the browser to run, fetch and frame only what the app itself serves."""

import asyncio
import base64
import hashlib
import re
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from streamlit import file_util

from pages.kit.headers import EMBED_SITES, embed_sites, response_headers, security
from tests.serving import serving

POLICY = response_headers()["Content-Security-Policy"]
DIRECTIVES = {name: sources.split() for name, _, sources in (part.partition(" ") for part in POLICY.split("; "))}
LOCAL = {"'self'", "'none'", "'unsafe-inline'", "blob:", "data:"}


def test_no_other_host_is_allowed():
    sources = {source for listed in DIRECTIVES.values() for source in listed}
    assert {source for source in sources - LOCAL if not source.startswith("'sha256-")} == set()


@pytest.mark.parametrize(
    ("directive", "sources"),
    [
        ("default-src", ["'self'"]),
        ("style-src", ["'self'", "'unsafe-inline'"]),
        ("img-src", ["'self'", "data:"]),
        ("connect-src", ["'self'"]),
        ("object-src", ["'none'"]),
        ("frame-src", ["'none'"]),
        ("base-uri", ["'none'"]),
        ("form-action", ["'none'"]),
        ("frame-ancestors", ["'self'"]),
    ],
)
def test_directive(directive, sources):
    assert DIRECTIVES[directive] == sources


def test_scripts_are_the_apps_own_without_eval_or_unnamed_inline_code():
    own, blob, *inline = DIRECTIVES["script-src"]
    assert (own, blob) == ("'self'", "blob:")
    page = (Path(file_util.get_static_dir()) / "index.html").read_bytes()
    scripts = [body for attributes, body in re.findall(rb"<script([^>]*)>(.*?)</script>", page, re.S) if body.strip()]
    digests = [base64.b64encode(hashlib.sha256(script).digest()).decode() for script in scripts]
    assert inline == [f"'sha256-{digest}'" for digest in digests]
    assert "unsafe-eval" not in POLICY


def test_other_headers():
    headers = response_headers()
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert {"camera=()", "geolocation=()", "microphone=()"} <= set(headers["Permissions-Policy"].split(", "))


def test_values_fit_into_headers():
    for name, value in response_headers(embed_sites("https://a.example.edu")).items():
        assert re.fullmatch(r"[\x20-\x7e]+", value), name


@pytest.mark.parametrize(
    ("written", "ancestors", "frame_options"),
    [
        ("", "'self'", "SAMEORIGIN"),
        ("   ", "'self'", "SAMEORIGIN"),
        ("https://moodle.example.edu", "'self' https://moodle.example.edu", None),
        (
            "https://*.Example.edu:8443  http://localhost:9",
            "'self' https://*.example.edu:8443 http://localhost:9",
            None,
        ),
    ],
)
def test_course_sites_may_frame_the_app(written, ancestors, frame_options):
    headers = response_headers(embed_sites(written))
    assert headers["Content-Security-Policy"].endswith(f"frame-ancestors {ancestors}")
    assert headers.get("X-Frame-Options") == frame_options


@pytest.mark.parametrize(
    "written",
    [
        "*",
        "moodle.example.edu",
        "http://moodle.example.edu",
        "https://moodle.example.edu/course",
        "https://a.example.edu, https://b.example.edu",
        "https://a.example.edu;script-src *",
        "https://*.*.edu",
        "https://*",
        "https://localhost",
        "https://a.example.edu https://",
        "'none'",
        "https://例子.edu",
    ],
)
def test_what_is_no_site_is_refused_in_a_sentence(written):
    with pytest.raises(ValueError, match=f"^{EMBED_SITES} must be https addresses without a path.*, got ['\"]"):
        embed_sites(written)
    with pytest.raises(SystemExit, match=f"^The app can't start: {EMBED_SITES} must be"):
        security({EMBED_SITES: written})


def messages(middleware, scope, answer):
    """What the middleware sends when the app under it answers with these messages."""
    sent = []

    async def app(scope, receive, send):
        for message in answer:
            await send(message)

    async def send(message):
        sent.append(message)

    async def receive():
        raise AssertionError("the middleware must not read the request")

    asyncio.run(middleware.cls(app, **middleware.kwargs)(scope, receive, send))
    return sent


def test_every_response_gets_each_header_once():
    theirs = [(b"Referrer-Policy", b"unsafe-url"), (b"x-other", b"1"), (b"set-cookie", b"a"), (b"set-cookie", b"b")]
    start, body = {"type": "http.response.start", "status": 404, "headers": theirs}, {"type": "http.response.body"}
    sent = messages(security({}), {"type": "http"}, [start, body])
    names = [name for name, _ in sent[0]["headers"]]
    assert (sent[0]["status"], sent[1]) == (404, body)
    assert names.count(b"set-cookie") == 2
    assert sorted(set(names)) == sorted([b"set-cookie", b"x-other", *(n.lower().encode() for n in response_headers())])
    assert (b"referrer-policy", b"same-origin") in sent[0]["headers"]
    assert start["headers"] is theirs


@pytest.mark.parametrize("kind", ["websocket", "lifespan"])
def test_other_traffic_is_untouched(kind):
    answer = [{"type": f"{kind}.accept", "headers": []}, {"type": "http.response.start", "headers": []}]
    assert messages(security({}), {"type": kind}, answer) == answer


@pytest.fixture(scope="module")
def port():
    with serving("app.py") as (port, _):
        yield port


def answer(port, path):
    """Status and headers of what a served app answers; an error's too."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as got:
            return got.status, got.headers
    except urllib.error.HTTPError as error:
        return error.code, error.headers


@pytest.mark.parametrize(
    ("path", "status"),
    [("/", 200), ("/rope?lang=zh", 200), ("/favicon.png", 200), ("/_stcore/health", 200), ("/media/none.txt", 404)],
)
def test_the_app_serves_them_once_with_every_answer(port, path, status):
    got, headers = answer(port, path)
    assert got == status
    for name, value in response_headers().items():
        assert headers.get_all(name) == [value], name


def test_a_wrong_site_ends_the_start_with_the_sentence(monkeypatch, tmp_path):
    monkeypatch.setenv(EMBED_SITES, "moodle.example.edu")
    log = tmp_path / "log"
    with log.open("wb") as sink, pytest.raises(RuntimeError, match="it ended"), serving("app.py", output=sink):
        pass
    said = log.read_text()
    assert f"The app can't start: {EMBED_SITES} must be" in said
    assert "Traceback" not in said
