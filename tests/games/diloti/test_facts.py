"""The rules' worked examples from facts typed by hand, and facts that contradict the rules."""

from typing import Any

from domain.games.diloti.meta import Options
from domain.kernel.ledger import BANK
from tests.support.facts import fault, gained, gains, typed
from tests.support.for_each import for_each

TWO, FOUR = Options(), Options(players=4)


def facts(first: tuple[int, str], second: tuple[int, str], *xeris: int) -> dict[str, Any]:
    piles = [{"cards": cards, "scoring": scoring.split()} for cards, scoring in (first, second)]
    return {"piles": piles, "xeris": xeris}


NINE = (31, "Td As Ah Ad"), (21, "Ac 2c")


@for_each(
    "options, facts, due, bank",
    [
        (TWO, facts(*NINE, 0, 1, 0), (29, 12), -41),
        (FOUR, facts(*NINE, 2, 1, 0), (29, 12, 29, 12), -82),
        (TWO, facts((26, "Td As Ah"), (26, "Ad Ac 2c")), (4, 3), -7),
        (TWO, facts((0, ""), (0, "")), (0, 0), 0),
    ],
)
def test_worked_examples(options: Options, facts: dict[str, Any], due: tuple[int, ...], bank: int) -> None:
    score = typed("diloti", facts, options)
    assert (gains(score, options.players), gained(score, BANK)) == (due, bank)


@for_each(
    "facts, rule",
    [
        (facts((31, "Td As Ah Ad"), (20, "Ac 2c")), "DL-9.2"),
        (facts((31, "Td As Ah Ad"), (22, "Ac 2c")), "DL-9.2"),
        (facts((31, "Td As Ah Ad"), (21, "Ac Ad")), "DL-9.5"),
        (facts((31, "Td As Ah Ad 2c"), (21, "Ac 2c")), "DL-9.5"),
        (facts((31, "Td As Ah Ad"), (21, "Ac 9c")), "DL-9.5"),
        (facts((51, "Td As Ah Ad"), (1, "Ac 2c")), "DL-9.4"),
        (facts(*NINE, 2), "DL-8.1"),
        (facts((49, "Td As Ah Ad"), (3, "Ac 2c"), 1, 1), "DL-8.1"),
    ],
)
def test_flaws(facts: dict[str, Any], rule: str) -> None:
    assert fault(typed("diloti", facts)) == rule
