"""A file that was made on a click is there when the browser asks for it, however many others are at work."""

import pytest
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from pages.kit import saving
from pages.kit.saving import Shelf

MADE = b"the file"


class Served:
    """What Streamlit keeps of files, as far as it matters here."""

    def __init__(self):
        self.storage = MemoryMediaFileStorage("/media")
        self.media_file_mgr = MediaFileManager(self.storage)

    def click(self, make, name="a.svg", mime="image/svg+xml"):
        """The address that the browser is told."""
        placeholder = self.media_file_mgr.add_deferred(make, mime, "where the button is", file_name=name)
        return self.media_file_mgr.execute_deferred(placeholder)

    def end_runs(self, times=3):
        """What the end of any visitor's run does."""
        for _ in range(times):
            self.media_file_mgr.remove_orphaned_files()

    def fetch(self, address):
        return self.storage.get_file(address.rpartition("/")[2]).content


@pytest.fixture(name="served")
def _served(monkeypatch):
    served = Served()
    monkeypatch.setattr(saving.runtime, "get_instance", lambda: served)
    monkeypatch.setattr(saving.runtime, "exists", lambda: True)
    return served


@pytest.fixture(name="button")
def _button(monkeypatch):
    """What ``save_button`` gives Streamlit to call."""
    given = []
    monkeypatch.setattr(saving.st, "download_button", lambda label, made, *_, **__: given.append(made))
    return given


def test_a_made_file_outlives_the_runs_of_others(served, button, caplog):
    saving.save_button("SVG", lambda: MADE, "a.svg", key="k")
    address = served.click(button[0])
    served.end_runs()
    assert served.fetch(address) == MADE
    # Streamlit warns of a thread without a session, which the test's own is.
    assert {entry.threadName for entry in caplog.records} <= {"MainThread"}


def test_without_the_shelf_it_would_be_gone(served):
    address = served.click(lambda: MADE)
    served.end_runs()
    with pytest.raises(MediaFileStorageError):
        served.fetch(address)


def test_what_lies_on_the_shelf_is_bounded_and_the_oldest_goes_first(served):
    shelf, names = Shelf(limit=25), [f"{index}.svg" for index in range(5)]
    addresses = []
    for name in names:
        shelf.put(b"0123456789", "image/svg+xml", name)
        addresses.append(served.click(lambda: b"0123456789", name))
    served.end_runs()
    for address in addresses[:3]:
        with pytest.raises(MediaFileStorageError):
            served.fetch(address)
    assert [served.fetch(address) for address in addresses[3:]] == [b"0123456789"] * 2


def test_the_newest_stays_however_large(served):
    shelf = Shelf(limit=1)
    shelf.put(MADE, "image/svg+xml", "a.svg")
    address = served.click(lambda: MADE)
    served.end_runs()
    assert served.fetch(address) == MADE


def test_what_goes_wrong_in_making_reaches_streamlit(served, button):
    def wrong():
        raise saving.FileError("no file")

    saving.save_button("SVG", wrong, "a.svg", key="k")
    with pytest.raises(MediaFileStorageError, match="no file"):
        served.click(button[0])
