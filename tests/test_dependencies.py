"""What is installed and what is required are free of the security faults that were known of the app's dependencies."""

import re
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
FLOORS = {"protobuf": "6.33.5", "python-multipart": "0.0.32", "starlette": "1.3.1", "torch": "2.10"}
"""Name -> the first release without a fault that was published. An advisory for another package adds a line."""


def required(text: str) -> dict[str, Requirement]:
    """Name -> requirement, of a requirements file without what it includes."""
    lines = (line.partition(" #")[0].strip() for line in text.splitlines())
    wanted = [Requirement(line) for line in lines if line and not line.startswith(("#", "-"))]
    return {requirement.name: requirement for requirement in wanted}


def too_old(wanted: dict[str, Requirement]) -> list[str]:
    """The packages that are not required, or that an older release than their floor would satisfy."""
    faults = []
    for name, floor in FLOORS.items():
        specifiers = wanted[name].specifier if name in wanted else ()
        lowest = [Version(entry.version) for entry in specifiers if entry.operator in {"==", ">="}]
        if not lowest or max(lowest) < Version(floor):
            faults.append(name)
    return faults


REQUIRED = required((ROOT / "requirements.txt").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", FLOORS)
def test_what_is_installed_is_new_enough(name):
    assert Version(version(name)) >= Version(FLOORS[name])


def test_what_is_required_is_new_enough():
    assert too_old(REQUIRED) == []


@pytest.mark.parametrize("name", REQUIRED)
def test_what_is_installed_is_what_is_required(name):
    assert Version(version(name)).public in REQUIRED[name].specifier


@pytest.mark.parametrize(
    "changed",
    [
        {"torch": Requirement("torch==2.9.1")},
        {"starlette": Requirement("starlette>=0.46")},
        {"starlette": Requirement("starlette<2")},
        {"protobuf": Requirement("protobuf")},
    ],
)
def test_an_older_requirement_is_found(changed):
    assert too_old({**REQUIRED, **changed}) == list(changed)


def test_a_missing_requirement_is_found():
    assert too_old({name: entry for name, entry in REQUIRED.items() if name != "torch"}) == ["torch"]


def test_no_requirement_comes_from_elsewhere_than_the_package_index():
    for file in ("requirements.txt", "tests/requirements.txt"):
        text = (ROOT / file).read_text(encoding="utf-8")
        assert re.findall(r"^.*(?:://|git\+|--index-url|--extra-index-url|--trusted-host|file:).*$", text, re.M) == []
