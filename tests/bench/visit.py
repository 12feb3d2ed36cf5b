"""One visit in a real browser: how long until it shows what was asked for, and what was sent for it."""

import base64
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import BrowserContext, CDPSession, Page

OPEN_FOR = 1000
"""Milliseconds for which a page may go on loading after it has shown what was asked for."""


@dataclass(frozen=True)
class Visit:
    """Milliseconds until the page showed it, bytes received, and requests that a server answered."""

    milliseconds: float
    received: int
    requests: int


class Traffic:
    """Counts what a tab receives: answers with their headers as sent, and the content of websocket frames.

    What comes out of the browser's cache counts for nothing.
    """

    def __init__(self, tab: Page) -> None:
        self.received = self.requests = 0
        self._cached: set[str] = set()
        browser: CDPSession = tab.context.new_cdp_session(tab)
        browser.on("Network.responseReceived", self._note_if_cached)
        browser.on("Network.requestServedFromCache", lambda event: self._cached.add(event["requestId"]))
        browser.on("Network.loadingFinished", self._count)
        browser.on("Network.webSocketFrameReceived", self._count_frame)
        browser.on("Network.webSocketCreated", self._count_socket)
        browser.send("Network.enable")

    def _note_if_cached(self, event: dict[str, Any]) -> None:
        answer = event["response"]
        if answer.get("fromDiskCache") or not answer["url"].startswith("http"):
            self._cached.add(event["requestId"])

    def _count(self, event: dict[str, Any]) -> None:
        if event["requestId"] not in self._cached:
            self.received += int(event["encodedDataLength"])
            self.requests += 1

    def _count_frame(self, event: dict[str, Any]) -> None:
        frame = event["response"]
        is_binary = frame["opcode"] == 2
        self.received += len(base64.b64decode(frame["payloadData"])) if is_binary else len(frame["payloadData"])

    def _count_socket(self, _: dict[str, Any]) -> None:
        self.requests += 1


def visit(context: BrowserContext, url: str, shows: str, *, seconds: float = 60) -> Visit:
    """Open the address in a new tab.

    Args:
        context: A new one has an empty cache.
        url: What to open.
        shows: A JavaScript expression that is true as soon as the page shows what was asked for.
        seconds: To wait for it.

    Raises:
        TimeoutError: Playwright's, if it did not in time.
    """
    tab = context.new_page()
    traffic = Traffic(tab)
    tab.goto(url, wait_until="commit")
    shown = tab.wait_for_function(f"() => ({shows}) && performance.now()", timeout=seconds * 1000)
    milliseconds = float(shown.json_value())
    tab.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]", timeout=seconds * 1000)
    tab.wait_for_timeout(OPEN_FOR)
    tab.close()
    return Visit(milliseconds, traffic.received, traffic.requests)
