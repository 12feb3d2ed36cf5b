"""What a server does before its first visitor."""

import gc
import socket
import subprocess
import sys

import pytest

from pages.index import CONCEPTS
from pages.kit import warm
from pages.kit.record import record
from pages.kit.spec import SPECS, in_order
from pages.kit.text import LANGUAGES
from pages.kit.warm import answer_at_once, prepare
from tests.serving import ROOT


def is_at_once(known):
    return known.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_connections_of_a_listening_socket_answer_at_once(family):
    with socket.socket(family, socket.SOCK_STREAM) as listening, socket.socket(family, socket.SOCK_STREAM) as other:
        listening.bind(("::1" if family == socket.AF_INET6 else "127.0.0.1", 0))
        listening.listen()
        answer_at_once()
        other.connect(listening.getsockname()[:2])
        accepted, _ = listening.accept()
        with accepted:
            assert is_at_once(accepted)
            assert not is_at_once(other)


def test_sockets_that_do_not_listen_by_tcp_do_no_harm():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM), socket.socket(socket.AF_UNIX) as local:
        closed = socket.socket()
        closed.close()
        local.bind(b"\0posenc-test")
        local.listen()
        answer_at_once()


def test_no_object_is_asked_anything_unless_it_is_a_socket():
    class Touchy:
        asked = ()

        def __getattribute__(self, name):
            Touchy.asked += (name,)
            return object.__getattribute__(self, name)

    touchy = Touchy()
    answer_at_once()
    assert Touchy.asked == ()
    del touchy


@pytest.fixture
def no_collections():
    gc.disable()
    yield
    gc.enable()
    gc.unfreeze()


def test_collections_begin_after_the_preparation_and_skip_what_it_left(no_collections):
    prepare(["rope"])
    assert gc.isenabled()
    assert gc.get_freeze_count() > 10_000


def test_collections_begin_even_if_the_preparation_fails(no_collections, monkeypatch):
    monkeypatch.setattr(warm, "warm_up", lambda folders: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        prepare(["rope"])
    assert gc.isenabled()


def test_what_a_class_asks_for_first_is_drawn_in_both_languages(no_collections):
    prepare(["distance"], drawn=["distance"])
    for lang in LANGUAGES:
        for figure in record("distance", lang).figures:
            assert (figure.draw, in_order(figure.inputs), lang, False) in SPECS._results


def test_torch_is_used_by_the_pages_that_say_so_and_no_other():
    code = f"""
import sys
from pages.kit.record import record
for folder in {[concept.folder for concept in CONCEPTS if not concept.uses_torch]}:
    for figure in record(folder, "en").figures:
        figure.spec()
assert "torch" not in sys.modules
for folder in {[concept.folder for concept in CONCEPTS if concept.uses_torch]}:
    assert record(folder, "en").figures
assert "torch" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
