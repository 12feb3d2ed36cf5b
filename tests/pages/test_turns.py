"""Runs take turns: never more at a time than agreed, and a run that fails gives its turn back."""

import threading
import time

import pytest

from pages.kit import session, shell
from pages.kit.turns import AT_ONCE, TURNS


class Count:
    """How many are inside at a time."""

    def __init__(self):
        self.now = self.most = self.done = 0
        self._lock = threading.Lock()

    def __enter__(self):
        with self._lock:
            self.now += 1
            self.most = max(self.most, self.now)

    def __exit__(self, *_):
        with self._lock:
            self.now -= 1
            self.done += 1


def all_at_once(act, times=12):
    threads = [threading.Thread(target=act) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def part_of_a_page():
    """A session as it is between two runs."""
    idle = session.Session.__new__(session.Session)
    idle._is_running = False
    idle.values = {}
    idle._kept = {"widgets": {}}
    idle.write_address = lambda: None
    return idle


@pytest.fixture
def count():
    return Count()


def test_pages_are_drawn_a_few_at_a_time(monkeypatch, count):
    def draw(concepts, tools):
        with count:
            time.sleep(0.02)

    monkeypatch.setattr(shell, "_draw", draw)
    all_at_once(lambda: shell.run([]))
    assert (count.most, count.done) == (AT_ONCE, 12)


def test_parts_are_drawn_a_few_at_a_time(count):
    def draw():
        with part_of_a_page().run(), count:
            time.sleep(0.02)

    all_at_once(draw)
    assert (count.most, count.done) == (AT_ONCE, 12)


def test_a_part_drawn_with_its_page_takes_no_turn_of_its_own():
    whole = part_of_a_page()
    with whole.run(), whole.run(), whole.run():
        assert TURNS._value == AT_ONCE - 1
    assert TURNS._value == AT_ONCE


@pytest.mark.parametrize("fault", [ValueError, SystemExit, KeyboardInterrupt])
def test_a_run_that_fails_gives_its_turn_back(monkeypatch, fault):
    def fail(*_):
        raise fault

    monkeypatch.setattr(shell, "_draw", fail)
    for _ in range(2 * AT_ONCE):
        with pytest.raises(fault):
            shell.run([])
        with pytest.raises(fault), part_of_a_page().run():
            fail()
    assert TURNS._value == AT_ONCE
