"""The page where a lecturer chooses figures and gets them as a file."""

import io
import time
import zipfile

import pytest
from pptx import Presentation

from pages.index import CONCEPTS, TOOLS
from pages.kit import workshop
from pages.kit.collection import catalogue
from pages.kit.export.press import LONGEST, PRESS, Job, State
from pages.kit.saving import FileError
from pages.kit.text import LANGUAGES, prose
from tests.pages.conftest import visit

FOLDERS = tuple(concept.folder for concept in CONCEPTS)
NAMES = {"file", "size", "background", "figures"}


def choices(app):
    """Page -> its group of figures to tick."""
    return {group.key.split(".")[1]: group for group in app.button_group if group.key.startswith("figures.")}


def button(app, key):
    return next((one for one in app.button if one.key == key), None)


def made(app, seconds=90):
    """The page as it is when the file is."""
    ends = time.monotonic() + seconds
    while not app.session_state["job"].is_over:
        assert time.monotonic() < ends, "must be made in time"
        time.sleep(0.05)
    return app.run()


@pytest.fixture(name="busy")
def _busy():
    """Somebody else's file, which takes as long as the test does."""
    ended = []

    def make(figures):
        while not ended:
            time.sleep(0.01)
        return b""

    other = Job("other", list, make, 1)
    PRESS.start(other)
    while other.state is not State.WORKING:
        time.sleep(0.01)
    yield other
    ended.append(True)
    while not other.is_over:
        time.sleep(0.01)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_figure_is_offered_under_its_page_and_chosen(lang):
    app = visit("slides", {"lang": lang})
    assert not app.exception
    groups = choices(app)
    assert tuple(groups) == FOLDERS
    for folder, names in catalogue(FOLDERS).items():
        assert groups[folder].label == prose(folder, lang)["title"]
        assert groups[folder].value == list(names)
        assert list(groups[folder].options) == [label(lang) for label in names.values()]
    count = sum(map(len, catalogue(FOLDERS).values()))
    assert button(app, "make").label == workshop.MAKE(lang).format(n=count)


def test_the_choice_is_in_the_address():
    app = visit("slides", {"lang": "en", "figures": "rope,order.weights", "size": "4:3", "background": "dark"})
    groups = choices(app)
    assert {folder: group.value for folder, group in groups.items() if group.value} == {
        "rope": ["rotation", "decay"],
        "order": ["weights"],
    }
    groups["rope"].unselect("decay").run()
    assert app.query_params["figures"] == "order.weights,rope.rotation"
    assert (app.query_params["size"], app.query_params["background"]) == ("4:3", "dark")
    assert button(app, "make").label == "Make the file (2)"


def test_nothing_chosen_makes_nothing():
    app = visit("slides", {"lang": "en", "figures": "none"})
    assert not any(group.value for group in choices(app).values())
    assert button(app, "make").disabled


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_deck_of_one_figure_has_the_state_in_which_the_visitor_left_it(lang):
    app = visit("rope", {"lang": lang, "m": "17", "base": "100"})
    app.switch_page("slides/page.py").run()
    for folder, group in choices(app).items():
        if folder != "rope":
            for name in list(group.value):
                choices(app)[folder].unselect(name).run()
    choices(app)["rope"].unselect("decay").run()
    button(app, "make").click().run()
    app = made(app)
    job = app.session_state["job"]
    assert (job.state, job.name) == (State.DONE, f"posenc-{lang}.pptx")
    (slide,) = Presentation(io.BytesIO(job.file)).slides
    notes = slide.notes_slide.notes_text_frame.text
    assert "/rope?" in notes
    assert "m=17" in notes
    assert "base=100" in notes
    (offered,) = app.get("download_button")
    assert offered.label == workshop.DOWNLOAD(lang).format(name=job.name, size=f"{len(job.file) / 2**20:.1f}")


@pytest.mark.parametrize(("file", "start"), [("pdf", b"%PDF"), ("zip", b"PK")])
def test_other_kinds_of_file_are_made_as_chosen(file, start):
    app = visit("slides", {"lang": "en", "figures": "rope.decay", "file": file, "background": "dark"})
    button(app, "make").click().run()
    job = made(app).session_state["job"]
    assert job.name == f"posenc-en.{file}"
    assert job.file.startswith(start)
    if file == "zip":
        assert zipfile.ZipFile(io.BytesIO(job.file)).namelist() == ["rope-decay-en.svg", "rope-decay-en.png"]


def test_a_file_waits_for_its_turn_and_can_be_cancelled(busy):
    app = visit("slides", {"lang": "en", "figures": "rope.decay"})
    button(app, "make").click().run()
    job = app.session_state["job"]
    assert job.state is State.WAITING
    assert PRESS.ahead(job) == 1
    assert button(app, "make") is None
    button(app, "cancel").click().run()
    assert job.state is State.CANCELLED
    assert button(app, "cancel") is None
    assert button(app, "make") is not None
    assert workshop.STOPPED("en") in [caption.value for caption in app.caption]


def test_leaving_the_page_cancels_and_frees(busy):
    app = visit("slides", {"lang": "en", "figures": "rope.decay"})
    button(app, "make").click().run()
    job = app.session_state["job"]
    app.switch_page("rope/page.py").run()
    assert job.state is State.CANCELLED
    assert "job" not in app.session_state


def test_a_file_of_earlier_choices_says_so_and_steps_back():
    app = visit("slides", {"lang": "en", "figures": "rope.decay"})
    button(app, "make").click().run()
    app = made(app)
    assert workshop.READY("en") in [caption.value for caption in app.caption]
    assert button(app, "make").label == workshop.AGAIN("en").format(n=1)
    choices(app)["rope"].select("rotation").run()
    assert workshop.EARLIER("en") in [caption.value for caption in app.caption]
    assert button(app, "make").label == workshop.MAKE("en").format(n=2)
    assert len(app.get("download_button")) == 1


def test_a_file_that_was_put_away_is_told_and_never_saved_empty():
    app = visit("slides", {"lang": "en", "figures": "rope.decay"})
    button(app, "make").click().run()
    app = made(app)
    job = app.session_state["job"]
    assert workshop._file(job) == job.file
    job.state, job.file = State.GONE, None  # as the press does with the oldest
    with pytest.raises(FileError, match="put away"):
        workshop._file(job)
    app.run()
    assert app.get("download_button") == []
    assert workshop.GONE("en") in [caption.value for caption in app.caption]
    assert button(app, "make").label == workshop.MAKE("en").format(n=1)


def test_a_full_queue_is_told(busy):
    waiting = [Job(str(index), list, lambda figures: b"", 1) for index in range(LONGEST)]
    try:
        assert all(PRESS.start(job) for job in waiting)
        app = visit("slides", {"lang": "en", "figures": "rope.decay"})
        button(app, "make").click().run()
        assert [warning.value for warning in app.warning] == [workshop.FULL("en")]
        assert "job" not in app.session_state
    finally:
        for job in waiting:
            job.cancel()


def test_a_failure_is_told_and_can_be_tried_again(monkeypatch):
    def wrong(figures, sheet):
        raise ZeroDivisionError

    monkeypatch.setitem(workshop.MAKERS, "pptx", wrong)
    app = visit("slides", {"lang": "zh", "figures": "rope.decay"})
    button(app, "make").click().run()
    app = made(app)
    assert not app.exception
    assert [warning.value for warning in app.warning] == [workshop.FAILED("zh")]
    assert button(app, "make") is not None


def test_settings_of_the_page_are_no_other_pages():
    for folder in FOLDERS:
        shown = visit(folder, {"lang": "en"}).session_state["session"].shown
        assert not NAMES & shown.keys()


def test_tools_stand_last_and_outside_the_order_of_learning():
    app = visit(FOLDERS[-1], {"lang": "en"})
    assert list(app.session_state["tools"]) == [tool.folder for tool in TOOLS]
    following = [link for link in app.get("page_link") if link.proto.label.startswith("Next: ")]
    assert [link.proto.label for link in following] == [f"Next: {prose(FOLDERS[0], 'en')['nav']}"]
