"""In a frame of a course site the app draws, moves, steps and stays embedded."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from pages.kit.headers import EMBED_SITES
from pages.kit.text import prose
from tests.browser.conftest import visitable
from tests.browser.test_live import drag

COURSE = b"""<!doctype html><meta charset="utf-8"><title>Course</title><h1>Week 3</h1>
<iframe src="%s" width="960" height="640" style="border: 0"></iframe>"""


@pytest.fixture
def course() -> Iterator:
    """A course site of its own origin; gives its address for what it is to frame."""
    framed = {}

    class Page(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200 if self.path == "/" else 404)
            self.end_headers()
            if self.path == "/":
                self.wfile.write(COURSE % framed["address"].replace("&", "&amp;").encode())

        def log_message(self, *_):
            pass

    site = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{site.server_port}", framed
    site.shutdown()
    site.server_close()


@pytest.fixture
def tab_of_its_own(browser):
    """Opens an empty tab that notes what the console calls an error."""
    contexts = []

    def opened():
        contexts.append(browser.new_context(viewport={"width": 1000, "height": 760}, reduced_motion="reduce"))
        tab = contexts[-1].new_page()
        tab.said = []
        tab.on("console", lambda message: tab.said.append(message.text) if message.type == "error" else None)
        tab.on("pageerror", lambda error: tab.said.append(str(error)))
        return tab

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture
def framed(course, tab_of_its_own, monkeypatch):
    """Opens a course page with the app in it at an address; gives the tab and the frame."""
    site, wanted = course
    monkeypatch.setenv(EMBED_SITES, site)
    with visitable("app.py") as app:

        def opened(address: str):
            wanted["address"] = f"{app}{address}"
            tab = tab_of_its_own()
            tab.goto(site)
            frame = tab.frames[1]
            frame.wait_for_selector("svg.marks", timeout=60_000)
            rest(frame)
            return tab, frame

        yield opened


def rest(frame) -> None:
    for _ in range(2):
        frame.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]", timeout=60_000)
        frame.wait_for_timeout(400)


def query(frame) -> set[str]:
    return set(frame.url.partition("?")[2].split("&"))


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_page_in_a_frame_draws_moves_and_stays_embedded(framed, lang):
    tab, frame = framed(f"/rope?embed=true&lang={lang}&m=17")
    assert frame.inner_text("h1") == prose("rope", lang)["title"]
    assert [frame.locator(f"[data-testid={name}]").count() for name in ("stSidebar", "stAppDeployButton")] == [0, 0]
    switch, headline = frame.locator(".st-key-language").bounding_box(), frame.locator("h1").bounding_box()
    assert switch["y"] + switch["height"] <= headline["y"] + 12
    drag(tab, frame.locator(".vega-bindings input[type=range]").first, 0.5)
    rest(frame)
    moved = frame.locator(".vega-bindings input[type=range]").first.input_value()
    assert moved != "17"
    assert {"embed=true", f"lang={lang}", f"m={moved}"} <= query(frame)
    frame.locator(".st-key-try a").first.click()
    rest(frame)
    assert {"embed=true", "m=19", "n=14"} <= query(frame)
    frame.locator(".st-key-next a").click()
    frame.wait_for_url("**/rope_attention?**")
    rest(frame)
    assert "embed=true" in query(frame)
    assert faults(tab) == []


def test_lecture_in_a_frame_steps_and_stays_embedded(framed):
    tab, frame = framed("/rope?mode=lecture&embed=true&lang=en")
    frame.locator("h1").click()
    tab.keyboard.press("ArrowRight")
    rest(frame)
    assert query(frame) == {"embed=true", "mode=lecture", "lang=en", "step=1", "m=19", "n=14"}
    svg, bar = frame.locator("svg.marks").bounding_box(), frame.locator(".st-key-bar").bounding_box()
    edge = tab.locator("iframe").bounding_box()
    assert edge["y"] <= svg["y"]
    assert svg["y"] + svg["height"] < bar["y"]
    assert bar["y"] + bar["height"] <= edge["y"] + edge["height"] + 1
    drag(tab, frame.locator(".vega-bindings input[type=range]").first, 0.5)
    rest(frame)
    assert {"embed=true", "mode=lecture", "step=1"} <= query(frame)
    assert "m=19" not in query(frame)
    assert faults(tab) == []


def faults(tab) -> list[str]:
    """What the console said is wrong, but for files that are only missing, as Streamlit's custom style and our icon."""
    return [said for said in tab.said if "status of 404" not in said]
