"""In a lecture keys, presenters and buttons step; everything is on the screen and reads from the last row."""

import pytest

from pages.index import CONCEPTS
from pages.kit.address import place
from pages.kit.lecture import states
from pages.kit.text import prose
from tests.chromium import HANDLE, drag, settle

FOLDERS = [concept.folder for concept in CONCEPTS]

LOOK = """() => {
  const svg = document.querySelector('svg.marks'), drawn = svg.getBoundingClientRect(), box = svg.viewBox.baseVal;
  const scale = Math.min(drawn.width / box.width, drawn.height / box.height);
  const sizes = selector => [...svg.querySelectorAll(selector)].filter(text => text.textContent.trim())
      .map(text => parseFloat(getComputedStyle(text).fontSize) * scale);
  const shown = [...document.querySelectorAll(`h1, svg.marks, .vega-bind, [data-testid=stCaptionContainer],
      .st-key-bar :is(a, button)`)].map(element => [element.tagName, element.getBoundingClientRect()]);
  const places = shown.sort((one, other) => one[1].top - other[1].top);
  const main = document.querySelector('[data-testid=stMain]');
  return {
    outside: shown.filter(([, r]) => r.left < 0 || r.top < 0 || r.right > innerWidth || r.bottom > innerHeight)
        .map(([name]) => name),
    scrolls: main.scrollHeight > main.clientHeight + 1 || main.scrollWidth > main.clientWidth + 1,
    covered: places.filter(([, r], i) => places.slice(i + 1).some(([, s]) =>
        s.top < r.bottom - 1 && s.bottom > r.top + 1 && s.left < r.right - 1 && s.right > r.left + 1))
        .map(([name]) => name),
    labels: Math.min(...sizes('.role-axis-label text, .role-axis-title text, .role-title-text text')),
    words: Math.min(...sizes('text')),
    share: scale * Math.max(box.width / innerWidth, box.height / innerHeight),
    headline: parseFloat(getComputedStyle(document.querySelector('h1')).fontSize),
    chrome: document.querySelectorAll('[data-testid=stSidebar]').length,
  };
}"""


def lecture(server, folder, **written):
    query = "&".join(f"{name}={value}" for name, value in {"lang": "en", "mode": "lecture", **written}.items())
    return f"{server}/{place(folder)}?{query}"


def stands_at(tab):
    """Page, and what its address says."""
    path, _, query = tab.url.partition("?")
    return path.rpartition("/")[2], dict(part.split("=") for part in query.split("&"))


def press(tab, key):
    before = tab.url
    tab.keyboard.press(key)
    tab.wait_for_function("before => location.href !== before", arg=before)
    settle(tab)


@pytest.mark.parametrize(
    ("lang", "width", "height", "label", "word"),
    [("zh", 1024, 768, 20, 16), ("en", 1920, 1080, 28, 22)],
    ids=["projector", "hd"],
)
@pytest.mark.parametrize("folder", FOLDERS)
def test_all_is_on_the_screen_and_large(server, open_tab, folder, lang, width, height, label, word):
    """Labels from the last row; the densest tables within a figure have smaller digits, which say so in ``word``."""
    last = len(states(folder)) - 1
    state = dict(states(folder)[last][1])
    tab = open_tab(
        lecture(server, folder, lang=lang, **({"step": last} if last else {}), **state), width=width, height=height
    )
    seen = tab.evaluate(LOOK)
    assert (seen["outside"], seen["scrolls"], seen["covered"], seen["chrome"]) == ([], False, [], 0)
    assert seen["labels"] >= label
    assert seen["words"] >= word
    assert seen["share"] >= 0.6
    assert seen["headline"] >= 0.03 * width
    assert tab.faults == []


@pytest.mark.parametrize("folder", ["heatmap", "rope_attention", "shift_matrix"])
def test_a_phone_scrolls_a_figure_that_it_can_read(server, open_tab, folder):
    tab = open_tab(lecture(server, folder, lang="zh"), width=390, height=844)
    tab.wait_for_function("() => document.querySelector('svg.marks').getBoundingClientRect().width < 391")
    settle(tab)
    seen = tab.evaluate(LOOK)
    assert seen["words"] >= 9
    assert seen["scrolls"]
    assert tab.locator(HANDLE).first.bounding_box()["y"] < 844 / 3
    tab.locator(".st-key-onward a").scroll_into_view_if_needed()
    assert tab.locator(".st-key-onward a").bounding_box()["y"] < 844


def test_keys_and_buttons_lead_the_same_way(server, open_tab):
    tab = open_tab(lecture(server, "rope"))
    first = {"lang": "en", "mode": "lecture"}
    for forth, back in [("ArrowRight", "ArrowLeft"), ("PageDown", "PageUp")]:
        press(tab, forth)
        assert stands_at(tab) == ("rope", {**first, "step": "1", "m": "19", "n": "14"})
        assert tab.inner_text(".st-key-claim").splitlines()[-1] == states("rope")[1][0]("en")
        assert [handle.input_value() for handle in tab.locator(HANDLE).all()] == ["19", "14"]
        press(tab, forth)
        assert stands_at(tab) == ("rope", {**first, "step": "2", "m": "4", "n": "9"}), "one press is one step"
        press(tab, back)
        press(tab, back)
        assert stands_at(tab) == ("rope", first)
    press(tab, "ArrowLeft")
    assert stands_at(tab)[0] == "shift_matrix"
    assert stands_at(tab)[1]["step"] == "3"
    for click in ("onward", "onward"):
        before = tab.url
        tab.locator(f".st-key-{click} a").click()
        tab.wait_for_function("before => location.href !== before", arg=before)
        settle(tab)
    assert stands_at(tab) == ("rope", {**first, "step": "1", "m": "19", "n": "14"})
    assert tab.faults == []


@pytest.mark.parametrize("key", ["ArrowRight", "ArrowLeft"])
def test_a_handle_with_the_focus_keeps_the_arrows(server, open_tab, key):
    tab = open_tab(lecture(server, "rope", step=1, m=19, n=14))
    tab.locator(HANDLE).first.focus()
    tab.keyboard.press(key)
    settle(tab)
    assert stands_at(tab)[1]["step"] == "1"
    assert stands_at(tab)[1]["m"] != "19"
    assert stands_at(tab)[1]["m"] == tab.locator(HANDLE).first.input_value()


@pytest.mark.parametrize(("key", "step"), [("PageDown", "2"), ("PageUp", None)])
def test_a_presenter_steps_whatever_has_the_focus(server, open_tab, key, step):
    tab = open_tab(lecture(server, "rope", step=1, m=19, n=14))
    tab.locator(HANDLE).first.focus()
    press(tab, key)
    assert stands_at(tab)[1].get("step") == step
    assert tab.locator(HANDLE).first.input_value() == str(dict(states("rope")[int(step or 0)][1]).get("m", 9))


@pytest.mark.parametrize("key", ["ArrowRight", "PageDown"])
def test_after_a_drag_the_keys_step(server, open_tab, key):
    tab = open_tab(lecture(server, "rope", step=1, m=19, n=14))
    drag(tab, tab.locator(HANDLE).first, 0.5)
    settle(tab)
    press(tab, key)
    assert stands_at(tab) == (
        "rope",
        {"lang": "en", "mode": "lecture", "step": "2", **{n: str(v) for n, v in states("rope")[2][1].items()}},
    )


def test_after_a_click_on_the_language_the_arrows_step(server, open_tab):
    tab = open_tab(lecture(server, "rope"))
    tab.get_by_text("中文", exact=True).click()
    settle(tab)
    press(tab, "ArrowRight")
    assert stands_at(tab)[1]["step"] == "1"


def test_a_page_without_a_figure_is_no_lecture(server, open_tab):
    tab = open_tab(f"{server}/slides?lang=en&mode=lecture")
    settle(tab)
    assert stands_at(tab) == ("slides", {"lang": "en"})
    assert tab.locator("[data-testid=stSidebarNav] a").first.is_visible()
    assert tab.faults == []


@pytest.mark.parametrize("key", ["Home", "End", "Control+ArrowRight", "Shift+ArrowRight"])
def test_other_keys_do_not_step(server, open_tab, key):
    tab = open_tab(lecture(server, "rope"))
    tab.keyboard.press(key)
    settle(tab)
    assert stands_at(tab) == ("rope", {"lang": "en", "mode": "lecture"})


@pytest.mark.parametrize("folder", FOLDERS)
def test_handle_moves_and_a_reload_or_a_sent_link_shows_the_same(server, open_tab, folder):
    step = min(1, len(states(folder)) - 1)
    tab = open_tab(lecture(server, folder, **({"step": 1, **states(folder)[1][1]} if step else {})))
    drag(tab, tab.locator(HANDLE).first, 0.5)
    settle(tab)
    moved = tab.locator(HANDLE).first.input_value()
    assert f"={moved}" in tab.url
    words = tab.inner_text("[data-testid=stMain]")
    tab.reload()
    settle(tab)
    for other in (tab, open_tab(tab.url)):
        assert other.locator(HANDLE).first.input_value() == moved
        assert other.inner_text("[data-testid=stMain]") == words


def test_lecture_is_found_by_keyboard_and_left_by_escape_at_the_same_settings(server, open_tab):
    tab = open_tab(f"{server}/rope?lang=en&m=17&base=100")
    button = tab.get_by_role("button", name="Lecture mode")
    button.focus()
    press(tab, "Enter")
    assert stands_at(tab) == ("rope", {"lang": "en", "m": "17", "base": "100", "mode": "lecture"})
    assert tab.locator(HANDLE).first.input_value() == "17"
    press(tab, "Escape")
    assert stands_at(tab) == ("rope", {"lang": "en", "m": "17", "base": "100"})
    assert tab.locator("[data-testid=stSidebarNav] a").first.is_visible()
    assert tab.locator(HANDLE).first.input_value() == "17"
    tab.locator("h1").click()
    tab.keyboard.press("ArrowRight")
    settle(tab)
    assert stands_at(tab) == ("rope", {"lang": "en", "m": "17", "base": "100"}), "the page has no steps to listen for"


def test_leave_button_and_back_button_of_the_browser(server, open_tab):
    tab = open_tab(lecture(server, "distance"))
    press(tab, "ArrowRight")
    tab.go_back()
    settle(tab)
    assert stands_at(tab) == ("distance", {"lang": "en", "mode": "lecture"})
    tab.get_by_role("button", name="Leave").click()
    tab.wait_for_selector("[data-testid=stSidebarNav] a")
    settle(tab)
    assert stands_at(tab) == ("distance", {"lang": "en"})
    assert tab.inner_text("h1") == prose("distance", "en")["title"]


def test_language_switch_keeps_the_step(server, open_tab):
    tab = open_tab(lecture(server, "rope", step=1, m=19, n=14))
    tab.get_by_text("中文", exact=True).click()
    settle(tab)
    assert stands_at(tab) == ("rope", {"lang": "zh", "mode": "lecture", "step": "1", "m": "19", "n": "14"})
    assert tab.inner_text(".st-key-claim").splitlines()[-1] == states("rope")[1][0]("zh")


def test_a_click_into_a_scaled_figure_hits_what_is_under_the_pointer(server, open_tab):
    """In the table of all pairs, a click on a row moves the start there."""
    tab = open_tab(lecture(server, "distance"), width=1920, height=1080)
    labels = tab.locator("svg.marks .role-axis-label text", has_text="60").all()
    row = min((label.bounding_box() for label in labels), key=lambda box: box["x"])
    tab.mouse.click(row["x"] + row["width"] + 100, row["y"] + row["height"] / 2)
    settle(tab)
    assert abs(int(tab.locator(HANDLE).first.input_value()) - 60) <= 1
    assert stands_at(tab)[1]["p"] == tab.locator(HANDLE).first.input_value()
