"""A game's course: how many deals may be agreed."""

import pytest

from domain.kernel.course import Deals
from domain.kernel.rejection import Code, Rejected

DIVISIBLE = Deals(default=12, least=4, most=96, rule="X-1.1", multiple_of=4)
SINGLE = Deals(default=1, least=4, most=96, rule="X-1.1", multiple_of=4)
FIXED = Deals(default=10, least=10, most=10, rule="X-1.1")


def agreed(limits: Deals) -> list[int]:
    """The numbers of deals that may be agreed, up to a hundred."""
    numbers = list(filter(limits.allows, range(-1, 101)))
    for number in numbers:
        limits.require(number)
    return numbers


def test_deals_are_divisible_as_the_rules_say() -> None:
    assert agreed(DIVISIBLE) == list(range(4, 97, 4))
    assert agreed(FIXED) == [10]


def test_the_default_may_be_agreed_whatever_it_is() -> None:
    assert agreed(SINGLE) == [1, *range(4, 97, 4)]


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        (DIVISIBLE, "deals must be 4 to 96, divisible by 4"),
        (SINGLE, "deals must be 4 to 96, divisible by 4, or 1"),
        (FIXED, "deals must be exactly 10"),
    ],
)
def test_a_refusal_says_what_may_be_agreed(limits: Deals, text: str) -> None:
    with pytest.raises(Rejected, match=f"^{text}$") as refusal:
        limits.require(3)
    assert (refusal.value.code, refusal.value.rule) == (Code.RULE_VIOLATION, "X-1.1")
