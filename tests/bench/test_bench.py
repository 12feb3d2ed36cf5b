"""Reruns stay cheap: of every page against a page of one slider, and of a large heatmap against a small one."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from pages.index import CONCEPTS
from tests.bench import servers
from tests.bench.rerun_cpu import LIMIT, Cost, heatmap_cost, page_cost

pytestmark = [pytest.mark.bench, pytest.mark.alone]

RERUNS = 60


@pytest.fixture(scope="module")
def slider():
    with servers.one_slider() as server:
        yield server


@pytest.fixture(scope="module")
def app():
    with servers.app() as server:
        yield server


def within_limit(cost: Callable[[int], Coroutine[Any, Any, Cost]]) -> Cost:
    """The cost, measured again with more reruns if the first try is above the limit: other work is uneven."""
    first = asyncio.run(cost(RERUNS))
    return first if first.ratio <= LIMIT else asyncio.run(cost(4 * RERUNS))


@pytest.mark.parametrize("page", [concept.folder for concept in CONCEPTS])
def test_a_warm_rerun_costs_at_most_three_times_a_page_of_one_slider(slider, app, page):
    cost = within_limit(lambda reruns: page_cost(slider, app, page, reruns))
    assert cost.ratio <= LIMIT, cost


def test_a_large_heatmap_costs_at_most_three_times_a_small_one(app):
    cost = within_limit(lambda reruns: heatmap_cost(app, reruns))
    assert cost.ratio <= LIMIT, cost
