"""Files are made one at a time, in the order of asking; whoever asked can stop, and nothing piles up."""

import gc
import threading
import time
import weakref

import pytest

from pages.kit.export import press as module
from pages.kit.export.press import Job, Press, State


def job(figures=(1, 2, 3), make=lambda figures: bytes(figures), name="a"):
    return Job(name, lambda: list(figures), make, len(figures))


def until(condition, seconds=10):
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends, "must happen in time"
        time.sleep(0.005)


@pytest.fixture(name="gate")
def _gate():
    """Holds a job between its figures, until opened."""
    gate = threading.Event()
    yield gate
    gate.set()


def held(gate):
    """A job that waits at the gate after its first figure."""

    def make(figures):
        made = []
        for figure in figures:
            made.append(figure)
            gate.wait(10)
        return bytes(made)

    return job(make=make, name="held")


def test_a_job_ends_with_its_file():
    press, one = Press(), job()
    assert press.start(one)
    until(lambda: one.is_over)
    assert (one.state, one.file, one.done, one.total) == (State.DONE, b"\x01\x02\x03", 3, 3)


def test_one_is_made_at_a_time_and_the_others_know_how_many_are_before_them(gate):
    press, first, second, third = Press(), held(gate), job(), job()
    for each in (first, second, third):
        assert press.start(each)
    until(lambda: first.state is State.WORKING)
    assert [press.ahead(each) for each in (first, second, third)] == [0, 1, 2]
    assert (second.look(), third.look()) == (State.WAITING, State.WAITING)
    second.cancel()
    assert press.ahead(third) == 1
    gate.set()
    until(lambda: third.is_over)
    assert [each.state for each in (first, second, third)] == [State.DONE, State.CANCELLED, State.DONE]


def test_a_job_under_way_stops_before_its_next_figure(gate):
    press, one = Press(), held(gate)
    press.start(one)
    until(lambda: one.state is State.WORKING and one.has_begun)
    one.cancel()
    gate.set()
    until(lambda: one.is_over)
    assert (one.state, one.file) == (State.CANCELLED, None)
    assert one.done <= 1


def test_a_job_that_nobody_looks_at_is_given_up(gate, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", -1.0)
    press, one = Press(), job()
    press.start(one)
    until(lambda: one.is_over)
    assert one.state is State.CANCELLED


def test_a_job_that_somebody_looks_at_is_not_given_up(gate, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    press, first, watched, forgotten = Press(), held(gate), job(), job()
    for each in (first, watched, forgotten):
        press.start(each)
    ends = time.monotonic() + 1.0
    while time.monotonic() < ends:
        first.look()
        watched.look()
        time.sleep(0.01)
    gate.set()
    until(lambda: forgotten.is_over)
    assert [each.state for each in (first, watched, forgotten)] == [State.DONE, State.DONE, State.CANCELLED]


def test_a_machine_without_a_thread_to_spare_refuses_and_recovers(monkeypatch):
    def refused(_):
        raise RuntimeError("can't start new thread")

    press, one = Press(), job()
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refused)
        assert not press.start(one)
    assert press.start(one)
    until(lambda: one.is_over)
    assert one.state is State.DONE


def test_the_queue_is_bounded(gate):
    press = Press(longest=2)
    first = held(gate)
    press.start(first)
    until(lambda: first.state is State.WORKING)
    assert [press.start(job()) for _ in range(3)] == [True, True, False]


@pytest.mark.parametrize("error", [ZeroDivisionError, SystemExit])
def test_what_goes_wrong_is_kept_for_the_one_who_asked_and_stops_no_other(error):
    press = Press()

    def wrong(figures):
        raise error

    bad, good = job(make=wrong), job()
    press.start(bad)
    press.start(good)
    until(lambda: good.is_over)
    assert (bad.state, good.state) == (State.FAILED, State.DONE)
    assert isinstance(bad.fault, error)


def test_finished_files_are_bounded_and_the_oldest_goes_first():
    press = Press(limit=5)
    jobs = [job(), job()]
    for each in jobs:
        press.start(each)
        until(lambda each=each: each.is_over)
    until(lambda: jobs[0].state is State.GONE)
    assert jobs[0].file is None
    assert jobs[1].file == b"\x01\x02\x03"


def test_a_file_is_freed_with_its_job():
    press, one = Press(), job()
    press.start(one)
    reference = weakref.ref(one)
    until(lambda: reference().is_over and not press._is_working)
    del one
    gc.collect()
    assert reference() is None
