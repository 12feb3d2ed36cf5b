"""A concept is one folder and one line of the entry script; nothing is missing, nothing left over."""

from pathlib import Path

import pytest

from pages.index import CONCEPTS, TOOLS

PAGES = Path(__file__).resolve().parents[2] / "pages"
FILES = ("page.py", "figures.py", "en.md", "zh.md")
TAUGHT = [concept.folder for concept in CONCEPTS]
LISTED = [*TAUGHT, *(tool.folder for tool in TOOLS)]


@pytest.mark.parametrize("folder", LISTED)
def test_concept_has_its_files(folder):
    needed = FILES if folder in TAUGHT else [name for name in FILES if name != "figures.py"]
    assert [name for name in needed if not (PAGES / folder / name).is_file()] == []


def test_every_folder_is_listed_once():
    folders = {path.name for path in PAGES.iterdir() if path.is_dir() and path.name not in {"kit", "__pycache__"}}
    assert sorted(LISTED) == sorted(folders)


def test_addresses_are_plain_ascii():
    assert all(folder.isascii() and folder.replace("_", "").isalnum() for folder in LISTED)
