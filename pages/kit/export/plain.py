"""Markdown with formulas as plain text that reads well: for speaker notes, where nothing is rendered."""

import re
from collections.abc import Iterator


def _pairs(table: str) -> dict[str, str]:
    """Name -> character, of a text in which they take turns."""
    words = table.split()
    return dict(zip(words[::2], words[1::2], strict=True))


LETTERS = _pairs(
    "alpha α beta β gamma γ delta δ epsilon ε varepsilon ε theta θ lambda λ mu μ pi π rho ρ sigma σ tau τ phi φ "
    "varphi φ psi ψ omega ω Delta Δ Theta Θ Lambda Λ Sigma Σ Phi Φ Omega Ω ell ℓ infty ∞ partial ∂ top ⊤ prime ′ "
    "circ ∘ dots … ldots … cdots ⋯ vdots ⋮ ddots ⋱ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ langle ⟨ rangle ⟩ lvert | "
    "rvert | lVert ‖ rVert ‖ | ‖ odot ⊙"
)
RELATIONS = _pairs(
    "cdot · times × div ÷ pm ± mp ∓ neq ≠ ne ≠ le ≤ leq ≤ ge ≥ geq ≥ ll ≪ gg ≫ approx ≈ sim ∼ equiv ≡ propto ∝ in "
    "∈ notin ∉ subset ⊂ to → rightarrow → mapsto ↦ Rightarrow ⇒ iff ⇔ mid | oplus ⊕ otimes ⊗ sum ∑ prod ∏ int ∫ "
    "mod mod bmod mod"
)
FUNCTIONS = frozenset(
    {"sin", "cos", "tan", "exp", "log", "ln", "max", "min", "arg", "argmax", "argmin", "det", "operatorname"}
)
"""Names that stand apart from what follows them. ``operatorname`` takes its own from its argument."""
SPACES = frozenset({",", ";", ":", ">", " ", "quad"})
DROPPED = frozenset(
    {"!", "left", "right", "big", "bigl", "bigr", "Big", "Bigl", "Bigr", "displaystyle", "limits", "nolimits"}
)
WRITTEN = frozenset(
    {"text", "textbf", "mathrm", "mathbf", "mathit", "mathsf", "mathbb", "boldsymbol", "hat", "tilde", "bar"}
)
"""Commands whose argument is shown as it is."""
ESCAPED = frozenset({"{", "}", "%", "_", "&", "#", "$"})
SCRIPTS = frozenset({"^", "_"})
OTHERS = frozenset({"begin", "end", "frac", "tfrac", "dfrac", "sqrt", "phantom", "qquad", "\\"})
KNOWN = frozenset(LETTERS) | frozenset(RELATIONS) | FUNCTIONS | SPACES | DROPPED | WRITTEN | ESCAPED | OTHERS
"""Every command that is turned into text; any other leaves its name."""

_BELOW = dict(zip("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
_ABOVE = dict(zip("0123456789+-−=()in⊤′", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁱⁿᵀ′", strict=True))
_TOKEN = re.compile(r"\\[a-zA-Z]+\*?|\\.|[^\\]", re.DOTALL)
_INERT = re.compile(r"\$\$(?P<display>.+?)\$\$|(?<!\\)\$(?P<inline>.+?)(?<!\\)\$|`+(?P<code>[^`]+)`+", re.DOTALL)
_HELD = re.compile("\ue000(\\d+)\ue001")
_MARKUP = (
    (re.compile(r":(?:small|gray|[a-z]+)\[([^\[\]]*)\]"), r"\1"),  # Streamlit's own, as :gray[text]
    (re.compile(r"!?\[([^\]]*)\]\(([^)\s]*)\)"), r"\1 (\2)"),
    (re.compile(r"(\*{1,3})(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"^#{1,6} +", re.M), ""),
    (re.compile(r"^(\s*)[-*] +", re.M), r"\1• "),
    (re.compile(r"\\([\\`*_{}\[\]()#+.!$-])"), r"\1"),
)

_BESIDE_WIDE = re.compile(r" +(?=[，。：；、！？）》」])|(?<=[，。：；、！？（《「]) +")
"""Spaces that Chinese punctuation, as wide as a character, does without."""

_SPACING = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        (r"[ \t]+", " "),
        (r" ?= ?", " = "),
        (r"([(⟨⌊]) | (?=[),;⟩⌋])", r"\1"),
        (r"(?<=\w) \(", "("),
        (r"(?<=[\w)])([+−]) ", r" \1 "),
        (r"((?:^|[(;,=]) ?)− ", r"\1−"),
    )
)


def plain(markdown: str) -> str:
    """The text without its marks: formulas in Unicode, those on a line of their own indented, addresses in brackets."""
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        display, inline, code = found["display"], found["inline"], found["code"]
        if display:
            held.append("\n" + "\n".join(f"    {line}" for line in formula(display).splitlines()) + "\n")
        else:
            held.append(code if code else formula(inline))
        return f"\ue000{len(held) - 1}\ue001"

    text = _INERT.sub(hold, markdown)
    for pattern, by in _MARKUP:
        text = pattern.sub(by, text)
    whole = _BESIDE_WIDE.sub("", _HELD.sub(lambda found: held[int(found[1])], text))
    return re.sub(r"\n{3,}", "\n\n", whole).strip()


def formula(latex: str) -> str:
    """A formula as a line of Unicode, or several where it has several: ``M_{-k}`` is M₋ₖ."""
    text = _Formula(latex).until("")
    for pattern, by in _SPACING:
        text = pattern.sub(by, text)
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


class _Formula:
    """Reads a formula token by token."""

    def __init__(self, latex: str) -> None:
        self._tokens: Iterator[str] = iter(_TOKEN.findall(latex))
        self._rows = [" ", "\n"]

    def until(self, end: str) -> str:
        """The text up to the closing token, or to the end."""
        text = ""
        for token in self._tokens:
            if token == end:
                break
            text = (text.rstrip(" ") if token in SCRIPTS else text) + self._one(token)
        return text

    def _argument(self) -> str:
        token = next((token for token in self._tokens if not token.isspace()), "")
        return self.until("}") if token == "{" else self._one(token)

    def _one(self, token: str) -> str:
        if token.startswith("\\"):
            return self._command(token[1:].rstrip("*"))
        if token == "{":
            return self.until("}")
        if token in SCRIPTS:
            return script(self._argument().strip(), is_above=token == "^")
        if token == "&":
            return self._rows[0]
        return {"-": "−", "\n": " ", "'": "′", "~": " "}.get(token, token)

    def _command(self, name: str) -> str:
        if name in FUNCTIONS:
            return f" {self._argument().strip() if name == 'operatorname' else name} "
        if name in RELATIONS:
            return f" {RELATIONS[name]} "
        if name in SPACES or name in DROPPED:
            return " " if name in SPACES else ""
        if name == "qquad":  # Two formulas side by side.
            return "\n"
        if name in ("frac", "tfrac", "dfrac"):
            return f"{grouped(self._argument())}/{grouped(self._argument())}"
        if name == "sqrt":
            return f"√{grouped(self._argument())}"
        if name == "phantom":
            self._argument()
            return ""
        if name in ("begin", "\\"):
            return self._environment(self._argument()) if name == "begin" else self._rows[1]
        return self._argument() if name in WRITTEN else LETTERS.get(name, name)

    def _environment(self, name: str) -> str:
        is_matrix = name.endswith(("matrix", "array"))
        before, self._rows = self._rows, [", ", "; "] if is_matrix else [" ", "\n"]
        body = self.until("\\end").strip()
        self._rows = before
        self._argument()
        return f"({body})" if is_matrix else body


def script(text: str, *, is_above: bool) -> str:
    """The text raised or lowered in Unicode where every character can be, else after ``^`` or ``_``."""
    table = _ABOVE if is_above else _BELOW
    if text and all(character in table for character in text):
        return "".join(table[character] for character in text)
    return ("^" if is_above else "_") + (text if text.isalnum() else f"({text})")


def grouped(text: str) -> str:
    """The text in brackets unless it is one thing."""
    text = text.strip()
    return text if len(text) == 1 or re.fullmatch(r"[\w.]+", text) else f"({text})"
