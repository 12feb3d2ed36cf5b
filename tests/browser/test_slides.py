"""A lecturer chooses figures, waits and gets the file."""

import io

from pptx import Presentation

from tests.chromium import settle


def test_a_deck_is_made_and_saved(server, open_tab):
    tab = open_tab(f"{server}/slides?lang=zh&figures=rope.decay,order.weights")
    tab.locator(".st-key-make button").click()
    tab.locator(".st-key-download button").wait_for(timeout=60_000)
    with tab.expect_download() as download:
        tab.locator(".st-key-download button").click()
    assert download.value.suggested_filename == "posenc-zh.pptx"
    with open(download.value.path(), "rb") as file:
        slides = Presentation(io.BytesIO(file.read())).slides
    assert len(slides) == 2
    assert slides[0].notes_slide.notes_text_frame.text.endswith(f"{server}/rope?lang=zh")
    assert tab.faults == []


def test_making_can_be_cancelled_and_begun_again(server, open_tab):
    tab = open_tab(f"{server}/slides?lang=en&background=dark")
    tab.locator(".st-key-make button").click()
    tab.locator(".stProgress").wait_for(timeout=30_000)
    tab.locator(".st-key-cancel button").click()
    tab.locator(".st-key-make button").wait_for(timeout=30_000)
    settle(tab)
    assert tab.locator(".st-key-cancel").count() == 0
    assert "Cancelled." in tab.inner_text("[data-testid=stMain]")
    assert tab.faults == []


def test_all_or_none_is_one_click_and_keeps_the_other_choices(server, open_tab):
    tab = open_tab(f"{server}/slides?lang=en&size=4:3&figures=rope")
    for label, pressed in (("All", True), ("None", False)):
        tab.get_by_role("link", name=label, exact=True).click()
        settle(tab)
        pills = tab.locator(".st-key-shelf button[data-variant=pills]").all()
        assert pills
        assert {pill.get_attribute("aria-pressed") for pill in pills} == {str(pressed).lower()}
        assert "size=4%3A3" in tab.url or "size=4:3" in tab.url
    assert "figures=none" in tab.url
