"""What a visit may cost the server: no torch, and memory that settles."""

import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from pages.index import CONCEPTS

ROOT = Path(__file__).resolve().parents[2]
VISIT_ALL = """
import sys
sys.path.insert(0, {root!r})
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash
for folder in {folders!r}:
    app = AppTest.from_file({root!r} + "/pages/index.py", default_timeout=60)
    app._page_hash = calc_hash(folder)
    assert not app.run().exception
{extra}
print("torch" in sys.modules)
"""


RUNS_TORCH = "rope_attention"
"""The one page that shows torch at work."""
OTHERS = [concept.folder for concept in CONCEPTS if concept.folder != RUNS_TORCH]


def visit_all(folders: list[str], extra: str = "") -> str:
    script = VISIT_ALL.format(root=str(ROOT), folders=folders, extra=extra)
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip()


def settings_of(app):
    return app.session_state["session"].settings


def test_no_page_loads_torch_but_the_one_that_runs_it():
    assert visit_all(OTHERS) == "False"


def test_a_loaded_torch_would_be_found():
    pytest.importorskip("torch")
    assert visit_all(OTHERS[:1], "import torch") == "True"
    assert visit_all([RUNS_TORCH]) == "True"


@pytest.mark.parametrize("folder", ["heatmap", "distance"])
def test_memory_settles_over_many_settings(visit, folder):
    """Widths and bases in turn: after the first fifty settings, at most 50 MB more."""
    app = visit(folder, {"lang": "en"})
    process, used = psutil.Process(), []
    for step in range(120):
        name = ("d_model", "base")[step % 2]
        options = settings_of(app)[name].options
        widget = next(widget for widget in app.select_slider if widget.key.startswith(f"{name}."))
        widget.set_value(options[(step * 7) % len(options)]).run()
        assert not app.exception
        used.append(process.memory_info().rss)
    assert max(used[50:]) - used[49] < 50 * 2**20
