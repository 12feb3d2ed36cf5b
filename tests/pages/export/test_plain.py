"""Formulas and Markdown as plain text."""

import re

import pytest

from pages.index import CONCEPTS
from pages.kit.export.plain import KNOWN, formula, plain
from pages.kit.text import LANGUAGES, prose


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"m\theta_i", "mθᵢ"),
        (r"M_{-k} = M_k^\top", "M₋ₖ = Mₖᵀ"),
        (r"\text{base}^{-2i/d}", "base^(−2i/d)"),
        (r"\sqrt{d/2}", "√(d/2)"),
        (r"\sin a\,\sin b+\cos a\,\cos b=\cos(a-b)", "sin a sin b + cos a cos b = cos(a−b)"),
        (r"\sum_{i=0}^{d/2-1}\cos(k\,\omega_i)", "∑ᵢ₌₀^(d/2−1) cos(k ωᵢ)"),
        (r"\tfrac{1}{2}", "1/2"),
        (r"\frac{a+b}{\sqrt{d_{\text{head}}}}", "(a+b)/(√d_head)"),
        (r"\begin{pmatrix}\cos a & -\sin a\\ \sin a & \cos a\end{pmatrix}", "(cos a, −sin a; sin a, cos a)"),
        (r"\begin{aligned}x &= 1\\ y &\le 2\end{aligned}", "x = 1\ny ≤ 2"),
        (r"\operatorname{softmax}\bigl(QK^\top\bigr)\,V", "softmax(QKᵀ) V"),
        (r"R'_m P", "R′ₘ P"),
        (r"\begin{pmatrix}a & b\\ c & d\end{pmatrix}\qquad\omega_i = 1", "(a, b; c, d)\nωᵢ = 1"),
    ],
)
def test_formulas_read_well(latex, text):
    assert formula(latex) == text


def test_markdown_loses_its_marks_and_keeps_its_words():
    written = "A **bold** *word*, `x[0]`, a [link](https://a.example/b_c_d).\n\n- one $x_i$\n- two :gray[quiet]"
    assert plain(written) == "A bold word, x[0], a link (https://a.example/b_c_d).\n\n• one xᵢ\n• two quiet"


def test_chinese_punctuation_has_no_spaces_beside_it():
    assert plain("长度都是 $\\sqrt{d/2}$ 。 另一种：**截断。** 留下") == "长度都是 √(d/2)。另一种：截断。留下"
    assert plain("One, two. Three: (four)") == "One, two. Three: (four)"


def test_a_formula_of_its_own_stands_on_lines_of_its_own():
    assert plain("So\n\n$$\na = b\n$$\n\nand") == "So\n\n    a = b\n\nand"


def test_a_star_between_spaces_is_no_mark():
    assert plain("2 * 3 * 4") == "2 * 3 * 4"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("folder", [concept.folder for concept in CONCEPTS])
def test_every_section_of_the_pages_becomes_plain(folder, lang):
    for name, body in prose(folder, lang).items():
        formulas = " ".join(re.findall(r"\$(.+?)\$", body.replace("$$", "$"), flags=re.DOTALL))
        used = set(re.findall(r"\\([a-zA-Z]+|.)", formulas))
        assert used - KNOWN - {"\n"} == set(), name
        if name not in ("sources",):
            assert not re.search(r"\$|\*\*|\\[a-zA-Z]", re.sub(r"`[^`]*`", "", plain(body))), name
