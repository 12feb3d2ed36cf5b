"""What pages show is computed once, bounded, and cannot be changed by one visitor for another."""

import threading

import numpy as np
import pytest

import posenc
from pages.kit.cache import BoundedCache, compute, size_of


def test_a_result_cannot_be_changed():
    table = compute(posenc.sinusoidal, positions=range(4), d_model=8).value
    with pytest.raises(ValueError, match="read-only"):
        table[0, 0] = 1.0


def test_arrays_inside_a_result_cannot_be_changed_either():
    spread = compute(posenc.random_score_spread, distances=range(4), head_dim=4, draws=10).value
    with pytest.raises(ValueError, match="read-only"):
        spread.mean[0] = 1.0
    q, _ = compute(posenc.peaked_pair, distance=3, head_dim=4).value
    with pytest.raises(ValueError, match="read-only"):
        q[0] = 1.0


def test_every_setting_is_part_of_the_key():
    def table(**settings):
        return compute(posenc.sinusoidal, **{"positions": range(4), "d_model": 8, **settings}).value

    usual = table()
    for other in (
        {"base": 100.0},
        {"layout": "concatenated"},
        {"spectrum": "tensor2tensor"},
        {"positions": range(1, 5)},
    ):
        assert not np.array_equal(usual, table(**other)), other


@pytest.mark.parametrize("value", [np.zeros(2), [1, 2], {"a": 1}, object()])
def test_only_scalars_may_be_keys(value):
    with pytest.raises(TypeError, match="x must be a scalar"):
        compute(posenc.sinusoidal, x=value)


def test_the_same_call_is_computed_once():
    calls = []
    cache = BoundedCache()
    assert [cache.get("key", lambda: calls.append(1) or 7) for _ in range(3)] == [7, 7, 7]
    assert len(calls) == 1


def test_many_at_once_wait_for_one_computation():
    calls, cache, ready = [], BoundedCache(), threading.Barrier(8)

    def make():
        calls.append(1)
        threading.Event().wait(0.05)
        return 7

    def ask():
        ready.wait()
        assert cache.get("key", make) == 7

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 1


def test_the_cache_stays_below_its_limit_and_drops_the_oldest():
    cache = BoundedCache(limit=100_000)
    for key in range(50):
        cache.get(key, lambda: np.zeros(1_000))
    assert cache.size <= 100_000
    calls = []
    cache.get(49, lambda: calls.append("newest"))
    cache.get(0, lambda: calls.append("oldest"))
    assert calls == ["oldest"]


def test_a_result_too_large_is_given_but_not_kept():
    cache = BoundedCache(limit=1_000)
    assert cache.get("key", lambda: np.zeros(1_000)).size == 1_000
    assert (len(cache), cache.size) == (0, 0)


def test_a_computation_that_fails_is_tried_again():
    cache = BoundedCache()
    with pytest.raises(ZeroDivisionError):
        cache.get("key", lambda: 1 // 0)
    assert cache.get("key", lambda: 1) == 1


def test_sizes_count_the_arrays_inside():
    assert size_of((np.zeros(100), {"a": np.zeros(50)})) >= 1_200
