"""Under the response headers every page works whole, and nothing that they forbid happens."""

import http.server
import threading
from contextlib import contextmanager

import pytest

from pages.index import CONCEPTS
from pages.kit.address import place
from pages.kit.headers import EMBED_SITES
from pages.kit.text import prose
from tests.browser.conftest import visitable
from tests.chromium import settle

FOLDERS = [concept.folder for concept in CONCEPTS]
CHARTS = "[data-testid=stVegaLiteChart]"
FRAMED = """<!DOCTYPE html><iframe src="{url}" style="width: 100%; height: 800px"></iframe>"""


@pytest.mark.parametrize("folder", [FOLDERS[0], "heatmap", "rope_attention"])  # test_visit opens every page
def test_page_works_in_both_languages_without_a_violation(server, open_tab, folder):
    tab = open_tab(f"{server}/{place(folder)}?lang=zh")
    wait_for_figures(tab)
    move_handle(tab)
    press_every_tab(tab)
    save_first_figure(tab)
    tab.get_by_text("English", exact=True).first.click()
    settle(tab)
    wait_for_figures(tab)
    assert tab.inner_text("h1") == prose(folder, "en")["title"]
    assert tab.faults == []


def wait_for_figures(tab):
    tab.wait_for_selector(f"{CHARTS} svg", timeout=60_000)
    tab.wait_for_function(
        f"() => [...document.querySelectorAll('{CHARTS}')].every(chart => chart.querySelector('svg'))", timeout=60_000
    )


def move_handle(tab):
    handle = tab.locator(".vega-bindings input[type=range]").first
    before = int(handle.input_value())
    handle.focus()
    tab.keyboard.press("ArrowLeft" if before == int(handle.get_attribute("max")) else "ArrowRight")
    settle(tab)
    assert int(tab.locator(".vega-bindings input[type=range]").first.input_value()) != before


def press_every_tab(tab):
    for name in [entry.inner_text() for entry in tab.get_by_role("tab").all()]:
        tab.get_by_role("tab", name=name, exact=True).first.click()
        settle(tab, 200)


def save_first_figure(tab):
    tab.locator(CHARTS).first.scroll_into_view_if_needed()
    with tab.expect_download() as saved:
        tab.locator("[data-testid=stElementToolbarButton] [aria-label^='Download as PNG']").first.dispatch_event(
            "click"
        )
    assert saved.value.suggested_filename.endswith(".png")


def test_a_file_can_be_saved(server, open_tab):
    tab = open_tab(f"{server}/layouts?lang=en")
    with tab.expect_download() as saved:
        tab.locator("[data-testid=stDownloadButton] button").first.click()
    assert saved.value.path().stat().st_size > 100
    assert tab.faults == []


def test_the_component_that_tells_the_windows_width_runs(server, open_tab):
    """Its code is imported from a blob: address."""
    tab = open_tab(f"{server}/rope?lang=en")
    wide = tab.locator(f"{CHARTS} svg").first.bounding_box()["height"]
    tab.set_viewport_size({"width": 390, "height": 800})
    settle(tab, 1500)
    narrow = tab.locator(f"{CHARTS} svg").first.bounding_box()
    assert narrow["height"] > wide, "a phone gets the linked views one below the other"
    assert narrow["width"] <= 390
    assert tab.faults == []


@pytest.mark.parametrize(
    "deed",
    [
        "() => document.head.append(Object.assign(document.createElement('script'), {src: 'data:text/javascript,1'}))",
        "() => document.head.append(Object.assign(document.createElement('script'), {textContent: 'window.x = 1'}))",
        "() => document.body.append(Object.assign(new Image(), {src: 'http://localhost:9/x.png'}))",
        "() => fetch('http://localhost:9/').catch(() => 0)",
        "() => document.body.append(Object.assign(document.createElement('iframe'), {src: 'data:text/html,x'}))",
        "() => { setTimeout('window.x = 1') }",
    ],
)
def test_what_is_forbidden_is_refused_and_seen(server, open_tab, deed):
    tab = open_tab(f"{server}/?lang=en")
    assert tab.faults == []
    tab.evaluate(deed)
    tab.wait_for_timeout(300)
    assert [fault for fault in tab.faults if "Content Security Policy" in fault]


@contextmanager
def course_site(url):
    """Another site on this machine, whose page shows the address in a frame."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(FRAMED.format(url=url[0]).encode())

        def log_message(self, *_):
            pass

    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    try:
        yield f"http://localhost:{site.server_address[1]}"
    finally:
        site.shutdown()
        site.server_close()


def framed(browser, site):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    tab = context.new_page()
    tab.goto(site)
    tab.wait_for_timeout(500)
    return context, tab.frames[1]


def test_a_named_course_site_may_show_the_app_in_a_frame(browser, monkeypatch):
    url = [""]
    with course_site(url) as site:
        monkeypatch.setenv(EMBED_SITES, site)
        with visitable("app.py") as app:
            url[0] = f"{app}/rope?embed=true&lang=en"
            context, frame = framed(browser, site)
            frame.wait_for_selector(f"{CHARTS} svg", timeout=60_000)
            assert frame.inner_text("h1") == prose("rope", "en")["title"]
            assert frame.locator("[data-testid=stSidebar]").count() == 0
            context.close()


def test_other_sites_may_not(browser, server):
    url = [f"{server}/rope?embed=true"]
    with course_site(url) as site:
        context, frame = framed(browser, site)
        frame.wait_for_timeout(1_500)
        assert frame.url.startswith("chrome-error:")
        assert frame.locator("#root").count() == 0
        context.close()
