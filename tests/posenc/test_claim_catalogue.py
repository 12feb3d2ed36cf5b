"""Every claim of every page is in the catalogue, holds at any settings, and fails when the mathematics does."""

import ast
import inspect
import math
from dataclasses import replace
from pathlib import Path

import pytest

import posenc
from posenc import claims, rotate, sinusoidal
from posenc.claims import _grounds as grounds
from posenc.claims import shown
from posenc.claims.catalogue import CLAIMS
from posenc.claims.registry import Claim, chosen, verify, verify_all
from posenc.claims.settings import Settings
from posenc.wording import Wording

PAGES = Path(posenc.__file__).parents[1] / "pages"
NAMES = {claim.name: claim for claim in CLAIMS}

READ_OFF = {
    ("order", "shuffles"): "shuffled_sentence_residual",
    ("order", "changes[0]"): "last_word_residual",
    ("rope_attention", "row_sum_error"): "module_row_sum_residual",
    ("rope_attention", "weights_change"): "module_weights_residual",
    ("rope_attention", "output_change"): "module_output_residual",
    ("rope_attention", "counting.max"): "module_cache_residual",
}
"""What pages check without calling a function of posenc.claims: page, part of the expression -> the same claim here."""


def sources():
    return {path.parent.name: ast.parse(path.read_text(encoding="utf-8")) for path in PAGES.glob("*/page.py")}


def functions_used(tree):
    """Names of posenc.claims that the page computes."""
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "claims"
    }


def values_checked(tree):
    """The expression of each checked line, as source."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "checked":
                yield ast.unparse(node.args[0])
            elif node.func.attr == "all_checked":
                yield from (ast.unparse(pair.elts[0]) for pair in node.args)


def assigned(tree, name):
    """Everything that is assigned to the name, as source."""
    return " ".join(
        ast.unparse(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets)
    )


def missing(tree, page):
    """What the page checks and the catalogue lacks."""
    listed = {claim.function.__name__ for claim in CLAIMS if claim.page == page}
    yield from sorted(functions_used(tree) - listed)
    for value in values_checked(tree):
        variable = value.split(".")[0].split("[")[0]
        if "claims." in value or "claims." in assigned(tree, variable):
            continue
        known = next((name for (of, read), name in READ_OFF.items() if of == page and read in value), None)
        if known is None or NAMES[known].page != page:
            yield value


@pytest.mark.parametrize("page", sorted(sources()))
def test_every_claim_that_a_page_checks_is_in_the_catalogue_for_that_page(page):
    assert list(missing(sources()[page], page)) == []


def test_the_search_can_fail():
    tree = ast.parse("page.checked(compute(claims.norm_residual).value, A)\npage.checked(x.value.error, B)")
    assert list(missing(tree, "rope")) == ["norm_residual", "x.value.error"]


def test_what_is_read_off_is_still_on_its_page():
    for page, value in READ_OFF:
        assert any(value in checked for checked in values_checked(sources()[page]))


def test_every_public_claim_is_in_the_catalogue():
    own = {
        name for name, thing in vars(shown).items() if inspect.isfunction(thing) and thing.__module__ == shown.__name__
    }
    assert {claim.function.__name__ for claim in CLAIMS} == set(claims.__all__) | own
    assert len(own) == 7


def test_every_page_of_a_claim_exists_and_names_are_told_apart():
    assert {claim.page for claim in CLAIMS} <= {path.name for path in PAGES.iterdir()}
    assert len(NAMES) == len(CLAIMS)


@pytest.mark.parametrize("name", NAMES)
def test_sentences_are_short_and_can_be_shown_anywhere(name):
    says = NAMES[name].says
    assert says.en.isascii()
    assert 10 < len(says.en) <= 50
    assert 7 <= len(says.zh.encode("gbk")) <= 50
    assert says.en[-1] not in ".!"
    assert says.zh[-1] not in "。！"


@pytest.mark.parametrize("name", [claim.name for claim in CLAIMS])
def test_functions_say_where_their_claim_is_from(name):
    doc = NAMES[name].function.__doc__
    assert "Returns:" in doc
    assert "Source:" in doc


GRID = [
    Settings(),
    Settings(d_model=2, head_dim=2, base=2.0, seq_len=3, layout="concatenated", pairing="half", shift=1, seed=1),
    Settings(d_model=4, head_dim=4, base=1.0001, seq_len=5, shift=-1, rotary_dim=2, seed=2),
    Settings(d_model=6, head_dim=6, base=1e300, seq_len=17, pairing="half", shift=710, seed=3),
    Settings(d_model=2, head_dim=2, base=10.0, seq_len=4, shift=312_689, seed=4),
    Settings(d_model=128, head_dim=128, base=500_000.0, seq_len=300, pairing="half", shift=1_000_000, seed=5),
    Settings(d_model=64, head_dim=256, base=10_000.0, seq_len=1024, rotary_dim=64, shift=-1_000_000, seed=6),
    Settings(d_model=1024, head_dim=512, base=100.0, seq_len=520, layout="concatenated", shift=44, seed=7),
    Settings(d_model=8, head_dim=2048, base=1e6, seq_len=60, pairing="half", rotary_dim=1024, shift=2, seed=8),
    Settings(d_model=6, head_dim=128, base=1.0001, seq_len=4096, shift=1, seed=194),
    Settings(d_model=16, head_dim=16, base=1.5, seq_len=600, shift=3, seed=2**31 - 1),
]


@pytest.mark.parametrize("settings", GRID, ids=range(len(GRID)))
def test_every_claim_holds_at_any_settings(settings):
    assert [(o.claim.name, o.residual, o.bound) for o in verify_all(CLAIMS, settings) if not o.holds] == []


@pytest.mark.parametrize("name", NAMES)
def test_bounds_are_near_to_rounding_and_far_from_anything_else(name):
    outcome = verify(NAMES[name], Settings())
    if outcome.claim.must_be == "below":
        assert outcome.bound <= (1e-5 if name == "module_digits_residual" else 1e-11)  # float32 and float64
    else:
        assert outcome.residual > 1e6 * outcome.bound


def test_bounds_grow_with_the_sizes_and_not_with_the_luck():
    bounds = [verify(NAMES["relative_residual"], Settings(seq_len=n, seed=s)).bound for n in (8, 800) for s in (0, 1)]
    assert bounds[0] == bounds[1] < bounds[2] == bounds[3]
    assert grounds.rounding(4) == 8 * 2.0**-52 * 2
    assert grounds.rounding(4, unit=grounds.FLOAT32) == 8 * 2.0**-23 * 2


@pytest.mark.parametrize(
    ("target", "wrong", "names"),
    [
        ("sinusoidal.sinusoidal", lambda p, d, **o: 1.000001 * sinusoidal(p, d, **o), ["heatmap", "distance_residual"]),
        ("rotary.rotate", lambda x, p, **o: 1.000001 * rotate(x, p, **o), ["rotation_norm_residual"]),
        ("attention.rotate", lambda x, p, **o: rotate(x, 0 * p, **o), ["cache_position_error"]),
        ("layouts.permute_projection", lambda w, **o: w, ["conversion_residual"]),
        ("learned.resize_table", lambda w, rows, **o: posenc.repeat_last_row(w, rows), ["resize_residual"]),
    ],
)
def test_wrong_mathematics_fails(monkeypatch, target, wrong, names):
    monkeypatch.setattr(f"posenc.claims.{target}", wrong)
    asked = chosen(CLAIMS, names)
    assert any(outcome.status == "fails" for outcome in verify_all(asked, Settings()))


def test_what_is_no_number_holds_nowhere():
    for must_be in ("below", "above"):
        claim = Claim("order", lambda: math.nan, Wording("", ""), grounds.circle, must_be)
        assert verify(claim, Settings()).status == "fails"


def test_parameters_are_settings_by_name_or_given():
    settings = Settings(d_model=32, seq_len=20, shift=-3, layout="concatenated")
    expected = {"k": -3, "n": 20, "d_model": 32, "base": 10_000.0, "layout": "concatenated"}
    assert NAMES["shift_residual"].parameters(settings) == expected
    assert NAMES["shift_composition_residual"].parameters(settings)["b"] == 20
    assert NAMES["map_residual"].parameters(settings)["n"] == 64
    assert NAMES["conversion_residual"].parameters(Settings(head_dim=6))["d_model"] == 24
    assert NAMES["pairing_residual"].parameters(Settings(pairing="half"))["source"] == "half"


def test_a_parameter_that_nothing_gives_is_named():
    claim = Claim("order", lambda size: size, Wording("", ""), grounds.circle)
    with pytest.raises(TypeError, match="needs size, which is no setting and is not given"):
        claim.parameters(Settings())


def test_settings_beyond_a_functions_bounds_are_brought_in_and_told():
    outcome = verify(NAMES["equivariance_residual"], Settings(seq_len=700, d_model=1024))
    assert outcome.narrowed == {"seq_len": 512, "d_model": 512}
    assert outcome.parameters["seq_len"] == 512
    assert verify(NAMES["conversion_residual_keys"], Settings(head_dim=2)).narrowed == {"head_dim": 4}
    assert verify(NAMES["pairing_residual"], Settings(head_dim=1024, rotary_dim=1024)).narrowed == {"head_dim": 512}
    assert verify(NAMES["norm_residual"], Settings(seq_len=4096)).narrowed == {}


def test_a_claim_without_torch_is_skipped_and_any_other_missing_module_is_not():
    def lacks():
        raise ModuleNotFoundError("No module named 'torch'")

    claim = Claim("rope", lacks, Wording("", ""), grounds.circle, needs_torch=True)
    outcome = verify(claim, Settings())
    assert (outcome.status, outcome.skipped) == ("skipped", "No module named 'torch'")
    with pytest.raises(ModuleNotFoundError):
        verify(replace(claim, needs_torch=False), Settings())


def test_only_the_torch_claims_need_torch():
    assert {c.name for c in CLAIMS if c.needs_torch} == {name for name in NAMES if name.startswith("module_")}


def test_a_refusal_names_its_claim():
    claim = replace(NAMES["addition_residual"], limits={})
    with pytest.raises(ValueError, match=r"^addition_residual: n must be an integer from 1 to 512, got 700"):
        verify(claim, Settings(seq_len=700))


def test_choosing_by_name_by_function_and_by_page():
    def names(*asked):
        return [claim.name for claim in chosen(CLAIMS, asked)]

    assert names("circle_residual", "norm_residual") == ["norm_residual", "circle_residual"]
    assert names("order_effect_rope") == ["order_effect_rope"]
    assert names("order_effect") == ["order_effect_sinusoidal", "order_effect_rope", "order_effect_causal"]
    assert len(names("rope")) == 6
    assert names("heatmap", "norm_residual") == ["norm_residual", "circle_residual"]
    with pytest.raises(ValueError, match=r"^only must be names of claims or pages .*, got ''"):
        names("rope", "")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"d_model": 7}, r"d_model must be a positive even integer \(every sine needs its cosine, .*, got 7"),
        ({"d_model": 2050}, "d_model must be .* of at most 2048, got 2050"),
        ({"head_dim": "8"}, "head_dim must be a positive even integer .*, got '8'"),
        ({"base": 1.0}, "base must be a finite number above 1, got 1.0"),
        ({"base": math.nan}, "base must be a finite number above 1, got nan"),
        ({"seq_len": 2}, "seq_len must be an integer from 3 to 4096, got 2"),
        ({"layout": "half"}, "layout must be 'interleaved' or 'concatenated', got 'half'"),
        ({"pairing": ""}, "pairing must be 'interleaved' or 'half', got ''"),
        ({"rotary_dim": 10}, "rotary_dim must be .* of at most 8, got 10"),
        ({"shift": 0}, r"shift must be an integer other than 0 \(a shift by 0 moves nothing\), got 0"),
        ({"shift": 10**7}, "shift must be an integer from -1000000 to 1000000, got 10000000"),
        ({"seed": -1}, "seed must be an integer from 0 to .*, got -1"),
    ],
)
def test_settings_outside_their_range_are_refused(given, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        Settings(**given)
