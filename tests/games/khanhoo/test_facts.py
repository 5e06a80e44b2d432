"""The rules' worked examples from facts typed by hand, and facts that contradict the rules."""

from collections import Counter
from typing import Any

from domain.games.khanhoo.meta import HAND, PACK, Options
from tests.support.facts import fault, gains, typed
from tests.support.for_each import for_each

Own = dict[str, Any]


def own(hand: str, **laid: str) -> Own:
    melds = [{"meld": meld.replace("_", "-"), "cards": cards.split()} for meld, cards in laid.items()]
    return {"hand": hand.split(), "laid": melds}


def facts(first: Own, out: int | None = None) -> dict[str, Any]:
    """The facts at a table of two, where the other seat holds the first cards of the pack that are left."""
    taken = Counter([*first["hand"], *[card for laid in first["laid"] for card in laid["cards"]]])
    left = Counter(card.split(".")[0] for card in PACK) - taken
    return {"seats": [first, {"hand": [*left.elements()][:HAND]}], "out": out}


ONE = "Ah Ah 2s 2s 3d 3d Jc Jc Qc Qc Kc Kc 5h 5s 5d"
SIX = "Ah As As Ad 2d 3h 3s 3d 3d 4d 5d 8h 8s 8d Jo"
NINE_MORE = "7s 7s 9s 9s 6d 6d 9d 9d 2h"
KHANHOO = {"khanhoo": "Ah 2s 3d"}
LAID = {"double_khanhoo": "Ah Ah 2s 2s 3d 3d", "double_royal": "Jc Jc Qc Qc Kc Kc", "triplet": "5h 5s 5d"}


@for_each(
    "facts, due",
    [
        (facts(own(ONE), out=0), 32),
        (facts(own("Ah Ah 2s 2s 3d 3d 8h 8h 8s 8s 8d 8d Kc 9h 9h"), out=0), 34),
        (facts(own("Ah 2h 3h 4h 5h 6h 7s 7s 9s 9s 4s 8d 8d Jc Kc")), 2),
        (facts(own("Ah Ah As Ad 4s 4s 6s 6s 8s 8s 5d 5d 7d 7d Kc")), 1),
        (facts(own("Kc 9h 9h Qc 8s 8s 4h 4s 4d 2s 3d Jo 5h 6h 7d")), 15),
        (facts(own(f"4h 4h 4s 4s 4d Jo {NINE_MORE}")), 10),
        (facts(own(f"Ah Ah 2s 2s 3d Jo {NINE_MORE}")), 15),
        (facts(own(f"Ah Ah As As Ad Jo {NINE_MORE}")), 10),
        (facts(own("8h 9h Jo 8h 2s 2s 5s 5s 4d 4d Qc Qc 3h 3h 7d")), 1),
        (facts(own("7d 7d Jc Qc Kc Jo 2s 2s 5s 5s 4d 4d 3h 3h 9s")), 7),
        (facts(own(SIX), out=0), 12),
        (facts(own(SIX)), 10),
        (facts(own("Ah 2s 3d 4h 4h 6h 6h 5s 5s 8s 9d 9d", **KHANHOO)), 10),
        (facts(own("8h 8h 2s 2s 5s 5s 4d 4d Qc Qc 3h 3h", triplet="6h 6s Jo")), 2),
        (facts(own("9d", **LAID), out=0), 32),
    ],
)
def test_worked_examples(facts: dict[str, Any], due: int) -> None:
    assert gains(typed("khanhoo", facts, Options(players=2)), 2)[0] == due


@for_each(
    "facts, rule",
    [
        ({"seats": [own(ONE)]}, "KH-1.1"),
        (facts(own(ONE), out=2), "KH-1.1"),
        (facts(own(f"{ONE[3:]} 5h.1 5h.1")), "KH-2.3"),
        (facts(own("Ah Ah Ah 2s 2s 3d 3d Jc Jc Qc Qc Kc Kc 5h 5s")), "KH-2.3"),
        (facts(own("4h 4h 6h 6h 5s 5s 8s 9d 9d 7d 7d 3h", khanhoo="Ah 2s 3h")), "KH-6.2"),
        (facts(own("4h 4h 6h 6h 5s 5s 8s 9d 9d 7d 7d 3h", sequence="Ah 2h 3h")), "KH-6.2"),
        (facts(own("4h 4h 6h 6h 5s 5s 8s 9d 9d 7d 7d 3h Ah 2h 3h", khanhoo="")), "KH-6.2"),
        (facts(own(f"{ONE} 9d")), "KH-3.1"),
        (facts(own(ONE, **KHANHOO)), "KH-2.3"),
        (facts(own("", **LAID), out=0), "KH-3.1"),
        (facts(own("", **LAID)), "KH-6.7"),
        (facts(own("7s 7s 9s 9s 6d 6d 9d 9d 2h 2h 4h 4h Qc Qc 5s"), out=0), "KH-7.1"),
    ],
)
def test_flaws(facts: dict[str, Any], rule: str) -> None:
    assert fault(typed("khanhoo", facts, Options(players=2))) == rule
