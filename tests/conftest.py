"""A browser for the tests that need one."""

import os

import pytest

from tests.chromium import CHROMIUM, MISSING, chromium


@pytest.fixture(scope="module")
def browser():
    """Headless Chromium; without one the tests skip, except in CI, where that is a failure.

    Of a module only: as long as Playwright runs, no other test of the process can use asyncio.run.
    """
    if CHROMIUM is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(MISSING)
    with chromium() as started:
        yield started
