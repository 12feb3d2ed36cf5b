"""Response headers that let a browser run, fetch and frame only what this app itself serves."""

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.middleware import Middleware
from streamlit import file_util

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

EMBED_SITES = "POSENC_EMBED_SITES"
"""Environment variable: the course sites that may show the app in a frame, separated by spaces."""

_SITE = re.compile(
    r"https://(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?(:\d{1,5})?"
    r"|http://(localhost|127\.0\.0\.1)(:\d{1,5})?"
)
_SITE_RULE = (
    "https addresses without a path, separated by spaces, such as https://moodle.example.edu https://*.example.org"
)
_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_DEVICES = ("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer", "microphone")
_UNUSED = (*_DEVICES, "midi", "payment", "screen-wake-lock", "usb", "xr-spatial-tracking")


class SecurityHeaders:
    """Sets the headers on every HTTP response, in place of any of the same name; other traffic passes untouched."""

    def __init__(self, app: "ASGIApp", headers: Mapping[str, str]) -> None:
        self.app = app
        self.headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        self.names = {name for name, _ in self.headers}

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Pass the request on, and the response with the headers back."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: "Message") -> None:
            if message["type"] == "http.response.start":
                others = [entry for entry in message.get("headers", ()) if entry[0].lower() not in self.names]
                message = {**message, "headers": [*others, *self.headers]}
            await send(message)

        await self.app(scope, receive, send_with_headers)


def security(environment: Mapping[str, str]) -> Middleware:
    """The middleware for ``st.App``, with the sites that the environment names.

    Raises:
        SystemExit: The environment names something that is no site; the message says so in a sentence.
    """
    try:
        sites = embed_sites(environment.get(EMBED_SITES, ""))
    except ValueError as error:
        raise SystemExit(f"The app can't start: {error}.") from None
    return Middleware(SecurityHeaders, headers=response_headers(sites))


def embed_sites(written: str) -> tuple[str, ...]:
    """The sites in a text that lists them.

    Raises:
        ValueError: An entry is no origin; "*" is none, since any site could then lay its own page over the app.
    """
    sites = tuple(written.lower().split())
    for site in sites:
        if not _SITE.fullmatch(site):
            raise ValueError(f"{EMBED_SITES} must be {_SITE_RULE}, got {site!r}")
    return sites


def response_headers(sites: tuple[str, ...] = ()) -> dict[str, str]:
    """Name -> value of each header.

    Args:
        sites: Origins, beside the app's own, that may show it in a frame.
    """
    headers = {
        "Content-Security-Policy": "; ".join(_policy(sites)),
        "X-Content-Type-Options": "nosniff",
        # The address holds what a visitor has set and written: a link to another site must not carry it there.
        "Referrer-Policy": "same-origin",
        "Permissions-Policy": ", ".join(f"{feature}=()" for feature in _UNUSED),
    }
    if not sites:  # The older header knows no list of sites, so with one it is left out.
        headers["X-Frame-Options"] = "SAMEORIGIN"
    return headers


def _policy(sites: tuple[str, ...]) -> Iterator[str]:
    """The directives. Each exception from "only what the app serves" names what of Streamlit 1.67 needs it."""
    yield "default-src 'self'"
    # One inline script in Streamlit's index.html; blob: is how it imports the code of a component (kit/viewport.py).
    # No 'unsafe-eval': Streamlit gives Vega an interpreter of its expressions.
    yield f"script-src 'self' blob: {' '.join(_inline_scripts())}"
    # Its styled components, KaTeX, Vega's tooltips and our st.html all write styles into the page.
    yield "style-src 'self' 'unsafe-inline'"
    # The page's icon and the heatmaps are data: images, and one of KaTeX's fonts stands in Streamlit's style sheet.
    yield "img-src 'self' data:"
    yield "font-src 'self' data:"
    yield "connect-src 'self'"
    yield from (f"{kind}-src 'none'" for kind in ("object", "frame", "worker", "media"))
    yield "base-uri 'none'"
    yield "form-action 'none'"
    yield " ".join(("frame-ancestors 'self'", *sites))


def _inline_scripts() -> Iterator[str]:
    """The hashes of the scripts that stand in Streamlit's page itself."""
    page = (Path(file_util.get_static_dir()) / "index.html").read_text(encoding="utf-8")
    for script in _INLINE.findall(page):
        digest = hashlib.sha256(script.encode()).digest()
        yield f"'sha256-{base64.b64encode(digest).decode()}'"
