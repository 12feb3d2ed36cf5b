"""``python -m posenc check``: what it prints, its exit statuses, and what it refuses."""

import json
import math

import pytest

import posenc
from posenc.__main__ import main
from posenc.claims.catalogue import CLAIMS
from posenc.claims.settings import Settings
from posenc.terminal.arguments import OPTIONS, parser
from posenc.terminal.check import small


def checked(capsys, *arguments):
    """Exit status, output and errors of ``check``."""
    try:
        status = main(["check", *arguments])
    except SystemExit as ended:
        status = ended.code
    said = capsys.readouterr()
    return status, said.out, said.err


def test_every_claim_has_its_line(capsys):
    status, out, err = checked(capsys, "--lang", "en")
    assert (status, err) == (0, "")
    assert out.startswith("d_model=64, head_dim=8, base=10000, seq_len=128, ")
    for claim in CLAIMS:
        lines = [line for line in out.splitlines() if line.startswith(claim.page) and claim.says.en in line]
        assert len(lines) == 1, claim.name
        assert lines[0].endswith("  holds")
    assert f"{len(CLAIMS)} claims: {len(CLAIMS)} hold, 0 do not, 0 skipped." in out


def test_the_same_in_chinese(capsys):
    _, en, _ = checked(capsys, "--lang", "en", "--only", "rope,layouts")
    status, zh, _ = checked(capsys, "--lang", "zh", "--only", "rope,layouts")
    assert status == 0
    assert "共 11 条：成立 11，不成立 0，跳过 0。" in zh
    assert "q、k 一起平移，分数不变" in zh
    numbers = [[cell for cell in line.split() if cell[0].isdigit()] for line in zh.splitlines() if "e-" in line]
    assert numbers
    assert all(" ".join(cells[-1:]) in en for cells in numbers)


def test_a_claim_that_fails_gives_one_and_its_name(monkeypatch, capsys):
    monkeypatch.setattr("posenc.claims.layouts.permute_projection", lambda w, **o: w)
    status, out, _ = checked(capsys, "--only", "layouts", "--lang", "en")
    assert status == 1
    assert "Does not hold: conversion_residual.\n" in out
    assert " FAILS" in out
    status, out, _ = checked(capsys, "--only", "layouts", "--lang", "zh")
    assert "不成立：conversion_residual" in out


def test_json_has_every_digit_and_the_parameters(capsys):
    status, out, _ = checked(
        capsys, "--json", "--only", "norm_residual,map_residual", "--seq-len", "20", "--base", "1e4"
    )
    found = json.loads(out)
    assert status == 0
    assert found["settings"]["seq_len"] == 20
    norm = found["claims"][0]
    assert norm["parameters"] == {"n": 20, "d_model": 64, "base": 10_000.0}
    assert norm["residual"] == posenc.claims.norm_residual(20, 64)
    assert (norm["page"], norm["must_be"], norm["status"]) == ("heatmap", "below", "holds")
    assert [claim["must_be"] for claim in found["claims"][1:]] == ["below", "above", "above"]


def test_json_of_what_is_no_number_is_null(monkeypatch, capsys):
    monkeypatch.setattr(
        "posenc.claims.sinusoidal.sinusoidal", lambda p, d, **o: math.nan * posenc.sinusoidal(p, d, **o)
    )
    status, out, _ = checked(capsys, "--json", "--only", "circle_residual")
    assert status == 1
    assert json.loads(out)["claims"][0]["residual"] is None


def test_list_computes_nothing(monkeypatch, capsys):
    monkeypatch.setattr("posenc.__main__.verify_all", None)
    status, out, _ = checked(capsys, "--list", "--lang", "en")
    assert status == 0
    assert len(out.splitlines()) == len(CLAIMS) + 2
    _, out, _ = checked(capsys, "--list", "--only", "heatmap", "--json")
    assert [entry["name"] for entry in json.loads(out)] == ["norm_residual", "circle_residual"]


def test_narrower_limits_are_told(capsys):
    _, out, _ = checked(capsys, "--only", "row_sum_residual", "--seq-len", "600", "--lang", "en")
    assert "Note: at seq_len = 512: row_sum_residual." in out
    _, out, _ = checked(capsys, "--only", "row_sum_residual", "--seq-len", "512", "--lang", "en")
    assert "Note" not in out


def test_progress_is_silent_where_the_error_stream_is_no_terminal(capsys):
    status, _, err = checked(capsys, "--only", "heatmap", "--progress")
    assert (status, err) == (0, "")


HOSTILE = [
    (
        ["--d-model", "7"],
        "d_model must be a positive even integer (every sine needs its cosine, every turn two channels)",
    ),
    (["--d-model", "-2"], "d_model must be a positive even integer"),
    (["--d-model", "64.0"], "got '64.0'"),
    (["--d-model", "9" * 5000], "d_model must be"),
    (["--d-model", "9" * 40], "got an integer of 133 bits"),
    (["--head-dim", "3"], "head_dim must be a positive even integer"),
    (["--head-dim", "4096"], "head_dim must be"),
    (["--base", "1"], "base must be a finite number above 1, got 1.0"),
    (["--base", "nan"], "base must be a finite number above 1, got nan"),
    (["--base", "inf"], "base must be a finite number above 1, got inf"),
    (["--base", "1e999"], "base must be a finite number above 1, got inf"),
    (["--base", "ten"], "base must be a finite number above 1, got 'ten'"),
    (["--seq-len", "0"], "seq_len must be an integer from 3 to 4096, got 0"),
    (["--seq-len", "1000000000"], "seq_len must be an integer from 3 to 4096, got 1000000000"),
    (["--seq-len", ""], "seq_len must be an integer from 3 to 4096, got ''"),
    (["--layout", "half"], "layout must be 'interleaved' or 'concatenated', got 'half'"),
    (["--pairing", "\ud800\n"], "pairing must be 'interleaved' or 'half'"),
    (["--rotary-dim", "16"], "rotary_dim must be a positive even integer"),
    (["--shift", "0"], "shift must be an integer other than 0"),
    (["--shift", "-2000000"], "shift must be an integer from -1000000 to 1000000, got -2000000"),
    (["--seed", "-1"], "seed must be an integer from 0 to"),
    (["--only", "rope,nonsense"], "only must be names of claims or pages (--list shows them), got 'nonsense'"),
    (["--only", ""], "only must be names of claims or pages (--list shows them), got ''"),
    (["--lang", "fr"], "invalid choice: 'fr'"),
    (["--d-mod", "8"], "unrecognized arguments: --d-mod 8"),
    (["extra"], "unrecognized arguments: extra"),
]


@pytest.mark.parametrize(
    ("arguments", "message"), HOSTILE, ids=lambda value: str(value)[:30].encode("ascii", "replace")
)
def test_what_cannot_be_used_is_refused_in_one_sentence(capsys, arguments, message):
    status, out, err = checked(capsys, *arguments)
    assert (status, out) == (2, "")
    last = err.splitlines()[-1]
    assert last.startswith("python -m posenc")
    assert message in last
    assert len(last) < 300
    assert "Traceback" not in err


def test_an_unknown_command_is_refused(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["chekc"])
    assert ended.value.code == 2
    assert "invalid choice: 'chekc'" in capsys.readouterr().err


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("command", [[], ["lesson"], ["check"]])
def test_help_has_examples_and_the_exit_status(capsys, monkeypatch, command, lang):
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8" if lang == "zh" else "C.UTF-8")
    with pytest.raises(SystemExit) as ended:
        main([*command, "--help"])
    said = capsys.readouterr().out
    assert ended.value.code == 0
    assert said.count(f"  python -m posenc {' '.join(command)}") >= 3
    assert ("退出状态" in said) == (lang == "zh")
    assert ("exit status" in said) == (lang == "en")


def test_help_speaks_the_language_that_is_asked_for(capsys, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    with pytest.raises(SystemExit):
        main(["check", "--lang", "zh", "--help"])
    assert "退出状态" in capsys.readouterr().out


def test_every_setting_has_its_option():
    for setting in OPTIONS:
        assert hasattr(Settings(), setting)
    given = parser("en").parse_args(["check", "--rotary-dim", "4", "--shift", "-3"])
    assert Settings(**{name: getattr(given, name) for name in OPTIONS}) == Settings(rotary_dim=4, shift=-3)


@pytest.mark.parametrize(
    "example", ["--head-dim 128 --base 500000 --pairing half", "--only rope,norm_residual --seq-len 4096"]
)
def test_the_examples_of_the_help_hold(capsys, example):
    status, _, _ = checked(capsys, *example.split())
    assert status == 0


def test_nothing_asked_for_gives_the_help(capsys):
    assert main([]) == 0
    assert capsys.readouterr().out.startswith("usage: python -m posenc ")


def test_version(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("posenc 0.1.0 (Python 3.")


@pytest.mark.parametrize(
    ("value", "written"),
    [(0.0, "0"), (2.8, "2.8"), (26.1, "26"), (1.234e-16, "1.2e-16"), (1234.5, "1.2e+03"), (math.nan, "nan")],
)
def test_small_numbers_are_short(value, written):
    assert small(value) == written
