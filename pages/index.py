"""What runs first on every rerun: the list of pages, the language, the common frame; then the chosen page."""

import sys
from pathlib import Path

ROOT = str(Path(__file__).resolve().parents[1])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from pages.kit.concept import Concept, Group  # noqa: E402
from pages.kit.text import Label  # noqa: E402

START = Group(Label(zh="开始", en="Start"))
SINUSOIDS = Group(Label(zh="正弦编码", en="Sinusoids"))
ROTARY = Group(Label(zh="旋转编码", en="Rotary"))
LEARNED = Group(Label(zh="可学习编码", en="Learned"))
LECTURERS = Group(Label(zh="给讲课的人", en="For lecturers"))

CONCEPTS = (
    Concept("home", START, ":material/map:"),
    Concept("order", START, ":material/swap_horiz:"),
    Concept("heatmap", SINUSOIDS, ":material/grid_on:"),
    Concept("distance", SINUSOIDS, ":material/straighten:"),
    Concept("shift_matrix", SINUSOIDS, ":material/rotate_right:"),
    Concept("rope", ROTARY, ":material/360:"),
    Concept("rope_attention", ROTARY, ":material/hub:", uses_torch=True),
    Concept("layouts", ROTARY, ":material/shuffle:"),
    Concept("learned_table", LEARNED, ":material/table_rows:"),
)

TOOLS = (Concept("slides", LECTURERS, ":material/slideshow:"),)
"""Pages that teach nothing themselves: they have no claim, no figure and no place in the order of learning."""

if __name__ == "__main__":
    from pages.kit.shell import run

    run(CONCEPTS, TOOLS)
