"""A choice among every page's figures is a short text that says the same each time."""

import pytest

from pages.kit.subset import Subset
from pages.kit.text import Label

SUBSET = Subset(
    "figures", Label(zh="图", en="figures"), (("home", ("map",)), ("rope", ("turn", "fade")), ("order", ("mix",)))
)


@pytest.mark.parametrize("value", ["all", "none", "rope", "rope.turn", "order,rope.fade", "rope.fade,rope.turn"])
def test_what_there_is_is_taken_as_written(value):
    assert SUBSET.parse(value) == value
    assert SUBSET.allowed(value) == value


@pytest.mark.parametrize(
    "value", ["", "rop", "rope.", "rope.mix", "rope,rope", "rope, order", "home.map.x", ",", None, 3]
)
def test_anything_else_is_all(value):
    assert SUBSET.allowed(value) == "all"


def test_the_order_of_the_text_is_the_order_of_the_choice():
    assert list(SUBSET.chosen("order,rope.fade,home").items()) == [
        ("order", ("mix",)),
        ("rope", ("fade",)),
        ("home", ("map",)),
    ]
    assert SUBSET.chosen("rope.fade,rope.turn") == {"rope": ("fade", "turn")}


@pytest.mark.parametrize("value", ["all", "none", "rope", "rope.turn", "rope.fade,order", "home,rope"])
def test_a_choice_is_written_as_shortly_as_it_can_be(value):
    assert SUBSET.written(SUBSET.chosen(value)) == value


def test_all_members_are_written_as_their_group_and_all_groups_as_all():
    assert SUBSET.written({"rope": ("fade", "turn")}) == "rope"
    assert SUBSET.written({"order": ("mix",), "rope": ("fade", "turn"), "home": ("map",)}) == "all"


def test_the_first_unknown_name_is_found():
    assert SUBSET.unknown("rope,rope.mix,x") == "rope.mix"
    assert SUBSET.unknown("rope,order.mix") is None
