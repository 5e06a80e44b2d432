"""BU-5, BU-6.3, BU-7: what is a meld, in which order it stands, how it grows, and when it is a burraco."""

from itertools import combinations

import pytest

from domain.games.burraco.melds import Arranged, added, arranged, burraco, layings
from domain.games.burraco.meta import PACK
from domain.kernel.rejection import Code
from tests.games.burraco.checker import Placed, kind_of, may_be_wild, placed, with_card
from tests.games.burraco.tables import dealt, shown
from tests.support.for_each import for_each
from tests.support.games import chance


def cards(names: str) -> tuple[str, ...]:
    """Cards by name; where no copy is named the first that is free."""
    chosen: list[str] = []
    for name in names.split():
        chosen.append(
            next(card for card in PACK if card not in chosen and (card == name or card.partition(".")[0] == name))
        )
    return tuple(chosen)


def meld(names: str) -> Arranged:
    """These cards as a meld."""
    made = arranged(cards(names))
    assert made is not None
    return made


def run(names: str) -> str:
    """How these cards stand; a star for what counts as wild."""
    made = arranged(cards(names))
    return "none" if made is None else shown(list(made.cards), made.wild)


@for_each(
    "names, stands",
    [
        ("Kh Ks Kd", "Ks Kh Kd"),
        ("3h 3s 3h.2", "3s 3h 3h"),
        ("Kh Kd 2c", "Kh Kd *"),
        ("Ah Ad Ac As", "As Ah Ad Ac"),
        ("Kh Kd", "none"),
        ("Kh 2d 2c", "none"),
        ("Kh Kd 2d Jo.1", "none"),
        ("2h 2d 2c", "none"),
        ("Jo.1 Jo.2 Jo.3", "none"),
        ("2h.1 2h.2 Jo.1", "none"),
    ],
)
def test_bu_5_1_sets(names: str, stands: str) -> None:
    assert run(names) == stands


def test_bu_5_1_a_side_has_one_set_of_each_rank() -> None:
    live = dealt({0: "9h.1 9d.1 9c.1 9h.2 9d.2 9c.2", 1: "9s.1 9s.2 2h 2d"})
    live.do("draw")
    live.lay("9h.1 9d.1 9c.1")
    offered = [each for fields in live.offered(0, "lay") for each in fields["cards"]["one_of"]]
    assert not [each for each in offered if {card[0] for card in each} == {"9"}]
    live.refuses(0, "lay", Code.RULE_VIOLATION, "BU-5.1", cards=["9h.2", "9d.2", "9c.2"])
    live.discard("9c.2")
    live.do("draw")
    # The other side may have one of the same rank.
    live.lay("9s.1 9s.2", "2h")


@for_each(
    "names, stands",
    [
        ("7h 8h 9h", "7h 8h 9h"),
        ("Ah 2h 3h", "Ah 2h 3h"),
        ("Qh Kh Ah", "Qh Kh Ah"),
        ("Kh Ah 2h", "* Kh Ah"),
        ("Kh Ah 2h 3h", "none"),
        ("Kh Ah 3h Jo.1", "none"),
        ("7h 8h 9d", "none"),
        ("7h 7h.2 8h", "none"),
        ("7h 9h Jo.1", "7h * 9h"),
        ("7h 9h 2c Jo.1", "none"),
        ("7h Th Jo.1", "none"),
        ("3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah 2h", "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh"),
        ("Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah.2", "none"),
    ],
)
def test_bu_5_2_runs(names: str, stands: str) -> None:
    assert run(names) == stands


def test_bu_5_2_a_side_may_have_overlapping_runs_of_a_suit() -> None:
    live = dealt({0: "5s.1 6s.1 7s.1 6s.2 7s.2 8s.2"})
    live.do("draw")
    live.lay("5s.1 6s.1 7s.1")
    live.lay("6s.2 7s.2 8s.2")
    assert live.melds() == ["5s 6s 7s", "6s 7s 8s"]


def test_bu_5_3_one_ace_in_a_run_and_aces_in_sets() -> None:
    assert run("Ah Ad Ac") == "Ah Ad Ac"
    assert run("Ah.1 Ah.2 2h 3h") == "none"
    # The wild card stands for an ace, but not for a second one.
    assert run("2h 3h 4h Jo.1") == "* 2h 3h 4h"
    assert run("Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Jo.1") == "none"


@for_each(
    "names, stands",
    [
        ("7h 8h Jo.1", "* 7h 8h"),
        ("Ah 2h 3h Jo.1", "Ah 2h 3h *"),
        ("Qh Kh Ah Jo.1", "* Qh Kh Ah"),
        ("7h 8h 2h", "* 7h 8h"),
        ("2h.1 3h 4h 2h.2", "* 2h 3h 4h"),
        # A choice in runs of 12 or 13 alone: a gap before an end, the ace low before high.
        ("Ah 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Jo.1", "Ah * 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh"),
        ("Ah 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Jo.1", "Ah * 3h 4h 5h 6h 7h 8h 9h Th Jh Qh"),
        ("Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Jo.1", "2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh * Ah"),
        ("Ah 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh", "3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah"),
    ],
)
def test_bu_5_4_the_order_follows_from_the_cards(names: str, stands: str) -> None:
    assert run(names) == stands


def test_bu_5_4_of_two_2s_the_lower_copy_is_natural() -> None:
    assert meld("2h.2 2h.1 3h 4h").wild == "2h.2"
    assert added(meld("2h.2 3h 4h"), "2h.1") == Arranged(cards("2h.2 2h.1 3h 4h"), "2h.2")


@for_each(
    "before, card, stands",
    [
        ("7h 8h Jo.1", "Th", "7h 8h * Th"),
        ("7h 8h Jo.1 Th", "9h", "* 7h 8h 9h Th"),
        ("2h 3h 4h", "6h", "3h 4h * 6h"),
        ("2h 3h 4h 6h", "5h", "2h 3h 4h 5h 6h"),
    ],
)
def test_bu_5_5_wild_cards_move_by_themselves(before: str, card: str, stands: str) -> None:
    (new,) = [each for each in cards(f"{before} {card}") if each not in cards(before)]
    grown = added(meld(before), new)
    assert (shown(list(grown.cards), grown.wild) if grown else "none") == stands


@pytest.mark.parametrize(
    ("before", "card", "stands"),
    [
        ("3h 4h 2h 6h", "2c.1", "none"),
        ("7h 8h 2h.1", "2h.2", "none"),
        ("Ah 3h Jo.1", "2h", "Ah 2h 3h *"),
        ("Kh Kd 2h", "2d.1", "none"),
    ],
)
def test_bu_5_6_no_second_wild_card(before: str, card: str, stands: str) -> None:
    (new,) = [each for each in cards(f"{before} {card}") if each not in cards(before)]
    grown = added(meld(before), new)
    assert (shown(list(grown.cards), grown.wild) if grown else "none") == stands


HEARTS = tuple(card for card in PACK if card[1] == "h" and card.endswith(".1"))
JOKER = "Jo.1"


def test_bu_6_3_every_run_can_be_reached_from_three_cards() -> None:
    # By natural ranks, the 2s of the suit and whether another wild card is there.
    held = (*HEARTS, "2h.2", JOKER)
    begun = [frozenset((*each.cards, *wild)) for each in layings(held) for wild in [(w,) for w in each.wilds] or [()]]
    assert len(set(begun)) == len(begun)
    runs = {one for one in begun if (made := arranged(one)) is not None and made.rank is None}
    # Either copy of the 2 is the same run where only one is there.
    assert len({_kind(one) for one in runs}) == 60
    reached, new = set(runs), list(runs)
    while new:
        one = new.pop()
        made = arranged(one)
        assert made is not None
        for card in held:
            grown = None if card in one else added(made, card)
            if grown is not None and frozenset(grown.cards) not in reached:
                reached.add(frozenset(grown.cards))
                new.append(frozenset(grown.cards))
    assert len({_kind(one) for one in reached}) == 909
    every = {
        frozenset((*chosen, *more))
        for length in range(1, 14)
        for chosen in combinations([card for card in HEARTS if card != "2h.1"], length)
        for more in ((), ("2h.1",), (JOKER,), ("2h.1", "2h.2"), ("2h.1", JOKER))
        if _may_be(chosen)
    }
    assert {_kind(one) for one in every if arranged(one) is not None} == {_kind(one) for one in reached}


def _kind(run_of: frozenset[str]) -> tuple[frozenset[str], int, bool]:
    """A run by its natural ranks, its 2s of the suit, and whether another wild card is in it."""
    twos = sum(PACK.rank(card) == "2" for card in run_of)
    return frozenset(card for card in run_of if PACK.rank(card) not in ("2", "Jo")), twos, JOKER in run_of


def _may_be(chosen: tuple[str, ...]) -> bool:
    """Whether the cards may be a run with one more in a gap, and a 2; most sets of cards need no look."""
    heights = sorted("3456789TJQK".find(card[0]) for card in chosen if card[0] != "A")
    return not heights or heights[-1] - heights[0] <= len(heights)


def test_melds_are_those_of_another_reading_of_the_rules() -> None:
    rng = chance("melds")
    suit = [card for card in PACK if card[1] == "d"]
    found = 0
    for number in range(500):
        low = rng.randrange(9)
        # Neighbours of a suit, one copy of each, and now and then a card that may be anything.
        among = [card for card in suit if card[0] in "A23456789TJQKA"[low : low + 6] and card[3] == "12"[number % 2]]
        some = among if number % 3 else [card for card in PACK if card[0] == "A5K"[number % 9 // 3]]
        chosen = rng.sample(some, rng.randint(2, min(7, len(some)))) + rng.sample(PACK.cards, rng.randrange(2))
        if len(set(chosen)) < len(chosen):
            continue
        first, second = arranged(chosen), placed(chosen)
        assert (None if first is None else (first.cards, first.wild)) == second, chosen
        if first is None:
            continue
        found += 1
        for card in rng.sample(PACK.cards, 10):
            if card not in chosen:
                grown, also = added(first, card), with_card((first.cards, first.wild), card)
                assert (None if grown is None else (grown.cards, grown.wild)) == also, (chosen, card)
    assert found > 100


@for_each(
    "names, semi_clean, kind",
    [
        ("3h 4h 5h 6h 7h 8h", False, None),
        ("3h 4h 5h 6h 7h 8h 9h", False, "clean"),
        ("2h 3h 4h 5h 6h 7h 8h", False, "clean"),
        ("4h 5h 6h 7h 8h 9h Jo.1", False, "dirty"),
        ("8h 8d 8c 8s 8h.2 8d.2 2c", False, "dirty"),
        ("8h 8d 8c 8s 8h.2 8d.2 8c.2", False, "clean"),
    ],
)
def test_bu_7_1_seven_cards_are_a_burraco(names: str, semi_clean: bool, kind: str | None) -> None:
    made = meld(names)
    assert burraco(made, semi_clean=semi_clean) == kind
    assert kind_of((made.cards, made.wild), {"semi_clean": semi_clean}) == kind


@for_each(
    "names, kind",
    [
        ("3h 4h 5h 6h 7h 8h 9h Jo.1", "semi-clean"),
        ("3h 4h 5h 6h 8h 9h Th Jo.1", "dirty"),
        ("3h 4h 5h 6h 7h 8h 9h Jh Jo.1", "semi-clean"),
        ("8h 8d 8c 8s 8h.2 8d.2 8c.2 2c", "semi-clean"),
        ("8h 8d 8c 8s 8h.2 8d.2 2c", "dirty"),
        ("3h 4h 5h 6h 7h 8h 9h", "clean"),
    ],
)
def test_bu_7_2_seven_natural_cards_together_are_semi_clean(names: str, kind: str) -> None:
    made = meld(names)
    assert burraco(made, semi_clean=True) == kind
    assert burraco(made, semi_clean=False) == ("dirty" if kind == "semi-clean" else kind)


def test_the_other_reading_knows_what_may_be_wild() -> None:
    assert sum(map(may_be_wild, PACK)) == 12
    nothing: Placed | None = placed(["2h.1", "2h.2", "2s.1"])
    assert nothing is None
