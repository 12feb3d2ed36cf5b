"""Refusals give the reason, and stay one short line whatever they were given."""

import numpy as np
import pytest
import torch

import posenc

pytestmark = pytest.mark.filterwarnings("error")

NAN = float("nan")


def test_reason_for_even_widths_is_in_the_message():
    with pytest.raises(ValueError, match=" must be ") as caught:
        posenc.shift_matrix(1, 5)
    assert str(caught.value) == (
        "d_model must be a positive even integer (every sine needs its cosine, every turn two channels), got 5"
    )


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        (lambda: posenc.sinusoidal("x" * 10_000, 8), "..."),
        (lambda: posenc.sinusoidal(["x"] * 10_000, 8), "..."),
        (lambda: posenc.sinusoidal(np.full((500, 500), NAN), 8), "..."),
        (lambda: posenc.sinusoidal(torch.full((500, 500), NAN), 8), "..."),
        (lambda: posenc.shift_matrix(1, 10**5000 + 1), "an integer of 16610 bits"),
        (lambda: posenc.sinusoidal([10**5000], 8), "[an integer of 16610 bits]"),
        (lambda: posenc.sinusoidal("a\nb", 8), r"'a\nb'"),
    ],
)
def test_long_values_are_shortened_to_one_line(call, shown):
    with pytest.raises(ValueError, match=" must be ") as caught:
        call()
    assert shown in str(caught.value)
    assert len(str(caught.value)) < 200
    assert "\n" not in str(caught.value)
