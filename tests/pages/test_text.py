"""The prose says the same in both languages, with the agreed terms, and renders as written."""

import json
import re

import altair as alt
import pandas as pd
import pytest
import vl_convert

from pages.index import CONCEPTS, TOOLS
from pages.kit import marks
from pages.kit.text import LANGUAGES, NBSP, PAGES, Label, number, prose, scientific

TAUGHT = [concept.folder for concept in CONCEPTS]
FOLDERS = [*TAUGHT, *(tool.folder for tool in TOOLS)]
REQUIRED = ("nav", "title", "lead", "why", "wrong", "question", "answer", "sources")
NEVER = {"变压器": "Transformer", "令牌": "词元", "代币": "词元", "嵌入式": "嵌入", "遮罩": "掩码"}


def formulas(text: str) -> list[str]:
    return sorted(re.findall(r"\$\$(.+?)\$\$", text, flags=re.DOTALL))


def stuck(text: str) -> list[str]:
    """Bold passages that would show their asterisks, by the rule of left- and right-flanking delimiter runs."""
    found = []
    for mark in re.finditer(r"\*\*(?P<body>[^*\n]+)\*\*", text):
        before = text[mark.start() - 1] if mark.start() else "\n"
        after = text[mark.end()] if mark.end() < len(text) else "\n"
        body = mark["body"]
        opens = not _punctuation(body[0]) or before.isspace() or _punctuation(before)
        closes = not _punctuation(body[-1]) or after.isspace() or _punctuation(after)
        if not (opens and closes):
            found.append(mark[0])
    return found


def _punctuation(character: str) -> bool:
    return not character.isalnum() and not character.isspace()


@pytest.mark.parametrize("folder", FOLDERS)
def test_both_languages_have_the_same_sections_in_the_same_order(folder):
    assert list(prose(folder, "zh")) == list(prose(folder, "en"))


@pytest.mark.parametrize("folder", TAUGHT[1:])
def test_concept_has_the_parts_of_a_page(folder):
    assert [name for name in REQUIRED if name not in prose(folder, "en")] == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_both_languages_state_the_same_formulas(folder):
    chinese, english = prose(folder, "zh"), prose(folder, "en")
    for name in english:
        assert formulas(chinese[name]) == formulas(english[name]), name


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("folder", FOLDERS)
def test_sections_are_filled_and_in_their_language(folder, lang):
    for name, body in prose(folder, lang).items():
        assert body, name
        has_chinese = bool(re.search(r"[\u4e00-\u9fff]", body))
        assert has_chinese == (lang == "zh"), (name, body[:60])


@pytest.mark.parametrize("folder", FOLDERS)
def test_agreed_terms_are_used(folder):
    source = (PAGES / folder / "zh.md").read_text(encoding="utf-8")
    code = "".join(path.read_text(encoding="utf-8") for path in (PAGES / folder).glob("*.py"))
    assert [word for word in NEVER if word in source + code] == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("folder", FOLDERS)
def test_no_bold_is_left_as_asterisks(folder, lang):
    assert stuck((PAGES / folder / f"{lang}.md").read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("text", ["它**旋转（RoPE）**编码", "即**“相对”**位置"])
def test_bold_stuck_to_full_width_punctuation_is_found(text):
    assert stuck(text)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("folder", FOLDERS)
def test_dollars_come_in_pairs(folder, lang):
    for name, body in prose(folder, lang).items():
        assert len(re.findall(r"(?<!\\)\$", body)) % 2 == 0, name


def test_label_speaks_the_language_asked_for():
    label = Label(zh="位置", en="position")
    assert (label("zh"), label("en")) == ("位置", "position")


@pytest.mark.parametrize(
    ("value", "shown"), [(2.22e-16, "2.2 · 10⁻¹⁶"), (0.0, "0"), (1.5, "1.5 · 10⁰"), (-3e12, "-3.0 · 10¹²")]
)
def test_residuals_read_as_powers_of_ten(value, shown):
    assert scientific(value).replace("\N{NO-BREAK SPACE}", " ") == shown
    assert " " not in scientific(value)


def test_numbers_have_a_true_minus_sign():
    assert number(-1.4679870, 4) == "−1.4680"
    assert number(-1e-17, 4) == "0.0000"


@pytest.mark.parametrize("value", [0.0, 2.3e-99, 4.44e-16, 9.97e-15, 0.25, 1.0, 99.6])
def test_the_browser_writes_a_residual_as_python_does(value):
    drawn = alt.Chart(pd.DataFrame({"x": [value]})).transform_calculate(told=marks.scientific("datum.x"))
    scene = json.dumps(vl_convert.vegalite_to_scenegraph(drawn.mark_text().encode(text="told:N").to_dict()))
    assert json.dumps(scientific(value).replace(NBSP, " ")) in scene
