"""What a visitor meets: links, languages, themes, a phone; on a server that nobody has visited before."""

import tomllib

import pytest

from pages.index import CONCEPTS, TOOLS
from pages.kit.address import place
from pages.kit.text import prose
from pages.kit.theme import rgb
from tests.browser.conftest import visitable
from tests.chromium import settle
from tests.serving import ROOT

FOLDERS = [concept.folder for concept in (*CONCEPTS, *TOOLS)]

LOOK = """() => {
  const main = document.querySelector('[data-testid=stMain]');
  const charts = [...document.querySelectorAll('[data-testid=stVegaLiteChart]')];
  const right = main.getBoundingClientRect().right;
  return {
    exceptions: document.querySelectorAll('[data-testid=stException]').length,
    dialogs: document.querySelectorAll('[role=dialog]').length,
    katex: document.querySelectorAll('.katex-error').length,
    empty: charts.filter(chart => !chart.querySelector('svg *')).length,
    unnamed: charts.filter(chart => !chart.getAttribute('aria-label')).length,
    sideways: Math.max(0, main.scrollWidth - main.clientWidth - 2),
    cut: charts.filter(chart => {
      const drawn = chart.querySelector('svg')?.getBoundingClientRect();
      const room = chart.parentElement.getBoundingClientRect();
      return drawn && (drawn.right > right + 1 || drawn.right > room.right + 2);
    }).length,
    stars: (main.innerText.match(/\\*\\*[^*\\n]{1,60}/g) || []).length,
    latex: (main.innerText.match(/\\\\(frac|omega|theta|mathbf|begin)/g) || []).length,
  };
}"""


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (390, "dark")])
@pytest.mark.parametrize("folder", FOLDERS)
def test_page_draws_whole(server, open_tab, folder, width, theme, lang):
    tab = open_tab(f"{server}/{place(folder)}?lang={lang}", width=width, theme=theme)
    assert tab.inner_text("h1") == prose(folder, lang)["title"]
    seen = tab.evaluate(LOOK)
    assert {name: count for name, count in seen.items() if count} == {}
    assert tab.faults == []


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_first_visit_by_deep_link_shows_that_page(open_tab, lang):
    with visitable("app.py") as url:
        tab = open_tab(f"{url}/rope?lang={lang}&m=17&n=3&pairing=interleaved")
        assert tab.inner_text("h1") == prose("rope", lang)["title"]
        assert tab.locator("[role=dialog]").count() == 0
        assert [slider.input_value() for slider in tab.locator(".vega-bindings input").all()] == ["17", "3"]
        assert tab.locator("[data-testid=stSidebarNav] a").count() == len(FOLDERS)
        assert tab.faults == []


def test_app_runs_when_started_from_another_folder(open_tab, tmp_path):
    with visitable(str(ROOT / "app.py"), cwd=tmp_path) as url:
        tab = open_tab(f"{url}/distance?lang=en")
        assert tab.inner_text("h1") == prose("distance", "en")["title"]
        ours = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["theme"]["light"]["textColor"]
        text = tab.evaluate("() => getComputedStyle(document.querySelector('h1')).color")
        assert text == f"rgb{rgb(ours)}"


def test_entry_script_runs_as_a_plain_script(open_tab):
    with visitable(str(ROOT / "pages" / "index.py")) as url:
        tab = open_tab(f"{url}/heatmap?lang=zh")
        assert tab.inner_text("h1") == prose("heatmap", "zh")["title"]


@pytest.mark.parametrize(("locale", "lang"), [("zh-CN", "zh"), ("en-GB", "en"), ("fr-FR", "en")])
def test_first_visit_follows_the_language_of_the_browser(server, open_tab, locale, lang):
    assert open_tab(server, locale=locale).inner_text("h1") == prose("home", lang)["title"]


def test_unknown_address_falls_back_to_home_with_a_message(server, open_tab):
    tab = open_tab(f"{server}/no_such_page?lang=en")
    assert tab.inner_text("h1") == prose("home", "en")["title"]
    assert "not found" in tab.inner_text("[role=dialog]").lower()


def test_language_switch_keeps_the_state_in_the_address(server, open_tab):
    tab = open_tab(f"{server}/rope?lang=zh&base=100&m=20&pair=2")
    tab.get_by_text("English", exact=True).click()
    settle(tab)
    assert tab.inner_text("h1") == prose("rope", "en")["title"]
    assert query(tab) == {"lang=en", "base=100", "m=20", "pair=2"}


def test_cards_lead_to_states_and_back(server, open_tab):
    tab = open_tab(f"{server}/rope?lang=en")
    tab.locator(".st-key-try a").first.click()
    settle(tab)
    assert {"m=19", "n=14"} <= query(tab)
    assert tab.locator(".vega-bindings input").first.input_value() == "19"
    tab.go_back()
    settle(tab)
    assert query(tab) == {"lang=en"}
    assert tab.locator(".vega-bindings input").first.input_value() == "9"


def query(tab) -> set[str]:
    return set(tab.url.partition("?")[2].split("&"))


def test_dark_theme_is_dark_and_its_figures_are_too(server, open_tab):
    tab = open_tab(f"{server}/rope?lang=en", theme="dark")
    ground = tab.evaluate("() => getComputedStyle(document.querySelector('.stApp')).backgroundColor")
    label = tab.evaluate(
        "() => getComputedStyle(document.querySelector('[data-testid=stVegaLiteChart] .role-axis-label text')).fill"
    )
    assert brightness(ground) < 60 < 150 < brightness(label)


def brightness(colour: str) -> float:
    channels = [float(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    return sum(channels) / 3


def test_shared_settings_survive_the_way_to_another_page_and_back(server, open_tab):
    tab = open_tab(f"{server}/rope?lang=en&base=100&pair=3")
    for name in ("distance", "rope"):
        tab.locator(f"[data-testid=stSidebarNav] a[href$='/{name}']").click()
        tab.wait_for_url(f"**/{name}?**")
        settle(tab)
        assert "base=100" in query(tab)
    assert query(tab) == {"lang=en", "base=100", "pair=3"}


@pytest.mark.parametrize("watcher", ["none", "auto"])
def test_server_says_nothing_alarming(open_tab, tmp_path, watcher):
    log = tmp_path / "log"
    with visitable("app.py", "--server.fileWatcherType", watcher, log=log) as url:
        for folder in FOLDERS[1:]:
            assert open_tab(f"{url}/{folder}?lang=en").faults == []
    said = log.read_text()
    assert [word for word in ("torch", "Traceback", "Error", "Warning", "inotify") if word in said] == []
