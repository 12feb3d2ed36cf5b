"""The server's settings are the ones that the measurements ask for, and Streamlit still knows them."""

import tomllib
from pathlib import Path

import pytest
from streamlit import config

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


def options(section: dict, prefix: str = ""):
    for name, value in section.items():
        if isinstance(value, dict):
            yield from options(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


@pytest.mark.parametrize("name", [name for name, _ in options(SETTINGS)])
def test_streamlit_knows_the_option(name):
    assert name in config._config_options_template


@pytest.mark.parametrize(
    ("section", "name", "value"),
    [
        ("runner", "postScriptGC", False),
        ("runner", "magicEnabled", False),
        ("browser", "gatherUsageStats", False),
        ("client", "toolbarMode", "minimal"),
        ("client", "showErrorDetails", "none"),
    ],
)
def test_option_is_set(section, name, value):
    assert SETTINGS[section][name] == value


def test_sizes_are_bounded():
    assert SETTINGS["server"]["maxUploadSize"] <= 1
    assert SETTINGS["server"]["maxMessageSize"] <= 50


def test_both_themes_are_our_own():
    assert SETTINGS["theme"]["light"].keys() == SETTINGS["theme"]["dark"].keys()
    assert SETTINGS["theme"]["light"]["backgroundColor"] != SETTINGS["theme"]["dark"]["backgroundColor"]


def test_requirements_are_pinned():
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    required = [line for line in lines if line and not line.startswith("#")]
    assert "torch==2.13.0" in required
    assert [line for line in required if "==" not in line] == []
