"""The rules' worked examples from facts typed by hand, and facts that contradict the rules."""

from typing import Any

from domain.games.burraco.meta import Options
from domain.kernel.ledger import BANK
from domain.kernel.worth import Flaw
from tests.support.facts import fault, gained, gains, typed
from tests.support.for_each import for_each

FOUR, SEMI_CLEAN = Options(players=4), Options(players=4, semi_clean=True)


def side(*melds: str, pozzetto: bool = True) -> dict[str, Any]:
    return {"melds": [{"cards": meld.split()} for meld in melds], "pozzetto": pozzetto}


def facts(first: dict[str, Any], second: dict[str, Any], *hands: str, **others: Any) -> dict[str, Any]:
    return {"ended": "stock-exhausted", "sides": [first, second], "hands": [hand.split() for hand in hands], **others}


SPADES = "5s 6s 7s 8s 9s Ts Js"
OWN = side(SPADES, "Ks Kh Kd Jo", "2d 7h 8h 9h")
EIGHTS = "8s 8h 8d 8d 8c 8c 2s"
CLOSED = {"ended": "closed", "closer": 0}
UNSEEN = "Kc Qc Jc Tc 9d 7c 6c 5c 4d 3d Ad"
"""The rules' example has an 8 here, the ninth of two packs; a king is worth as much."""
NOTHING = ("3c", "3c", "3d", "3d")
DIRTY, SEMI = "Jo 3h 4h 5h 6h 7h 8h 9h", "3h 4h 5h 6h Jo 8h 9h Th"


@for_each(
    "options, facts, due",
    [
        (FOUR, facts(OWN, side(EIGHTS), "", "Jo 4c", "Ac 9c 3c", UNSEEN, **CLOSED), (430, 55)),
        (FOUR, facts(OWN, side(EIGHTS, pozzetto=False), "", "Jo 4c", "Ac 9c 3c", "Tc 7c", **CLOSED), (430, 30)),
        (FOUR, facts(side(DIRTY), side(), *NOTHING), (165, -10)),
        (SEMI_CLEAN, facts(side(DIRTY), side(), *NOTHING), (215, -10)),
        (FOUR, facts(side(SEMI), side(), *NOTHING), (170, -10)),
        (SEMI_CLEAN, facts(side(SEMI), side(), *NOTHING), (170, -10)),
    ],
)
def test_worked_examples(options: Options, facts: dict[str, Any], due: tuple[int, ...]) -> None:
    score = typed("burraco", facts, options)
    assert (gains(score, 4), gained(score, BANK)) == (due * 2, -2 * sum(due))


@for_each(
    "facts, rule",
    [
        (facts(side(), side(), "3c", "3d"), "BU-1.1"),
        (facts(side(), side(), "3c", "3c", "3c", "3d"), "BU-2.1"),
        (facts(side(), side(), "3c.1", "3c.1", "3h", "3d"), "BU-2.1"),
        (facts(side("7h 9h Jh"), side(), *NOTHING), "BU-5.1"),
        (facts(side("7h 8h"), side(), *NOTHING), "BU-5.1"),
        (facts(side("7h 7s 7d", "7c 7h 7s"), side(), *NOTHING), "BU-5.1"),
        (facts(side(SPADES), side(), "", *NOTHING[1:]), "BU-9.1"),
        (facts(side(SPADES), side(), *NOTHING, closer=0), "BU-9.2"),
        (facts(side(SPADES), side(), *NOTHING, ended="closed"), "BU-9.2"),
        (facts(side(SPADES), side(), *NOTHING, **CLOSED), "BU-9.2"),
        (facts(side(SPADES, pozzetto=False), side(), "", *NOTHING[1:], **CLOSED), "BU-9.2"),
        (facts(side("7h 8h 9h"), side(), "", *NOTHING[1:], **CLOSED), "BU-9.2"),
    ],
)
def test_flaws(facts: dict[str, Any], rule: str) -> None:
    assert fault(typed("burraco", facts, FOUR)) == rule


def test_a_card_that_is_given_too_often_is_named() -> None:
    found = typed("burraco", facts(side(), side(), "3c", "3c", "3d", "3c 3d"), FOUR)
    assert isinstance(found, Flaw)
    assert "3c is given too often" in found.text
