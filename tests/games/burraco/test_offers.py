"""What is offered in a turn is what the rules allow, for any hand, however large."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.burraco import BURRACO
from domain.games.burraco.melds import arranged, layings
from domain.games.burraco.meta import ORDER, PACK
from domain.games.burraco.state import Meld, Melding
from domain.kernel.hands import Hand, with_hand
from domain.kernel.offers import MOST_LISTS, Offer, OneOfLists, described
from tests.games.burraco.checker import may_be_wild, placed, rank_of, with_card
from tests.games.burraco.tables import BurracoLive, dealt
from tests.support.games import chance, step

SOME = (*(f"{rank}{suit}.{copy}" for rank in "A23456" for suit in "sh" for copy in "12"), "Jo.1", "Jo.2")
"""Cards of which many are melds."""

Act = tuple[str, dict[str, Any]]


def position(hand: Sequence[str], melds: Sequence[Sequence[str]], *, taken: bool, barred: str | None) -> Melding:
    """A turn of seat 0 with this hand and these melds of the side."""
    common = dealt({}).table.deal_state.common
    laid = []
    for number, names in enumerate(melds, 1):
        made = arranged(names)
        assert made is not None
        laid.append(Meld(number, 0, made, None, (9,)))
    hands = with_hand(common.hands, 0, Hand.of(tuple(hand), ORDER))
    takers = (2 if taken else None, None)
    return Melding(replace(common, hands=hands, melds=tuple(laid), takers=takers), 0, barred)


def acts(hand: Sequence[str], melds: int) -> Iterator[Act]:
    """All that might be asked for with cards of the hand."""
    for card in hand:
        yield "discard", {"card": card}
        yield from (("add", {"meld": number, "card": card}) for number in range(1, melds + 2))
    for three in combinations(hand, 3):
        yield "lay", {"cards": three}
        for wild in three:
            yield "lay", {"cards": tuple(card for card in three if card != wild), "wild": wild}


def legal(act: Act, hand: Sequence[str], melds: Sequence[Sequence[str]], *, taken: bool, barred: str | None) -> bool:
    """BU-4 and BU-6, once more."""
    kind, fields = act
    own = {number: placed(meld) for number, meld in enumerate(melds, 1)}
    if kind == "discard":
        return fields["card"] != barred
    if kind == "add":
        before = own.get(fields["meld"])
        grown = before and with_card(before, fields["card"])
        if grown is None:
            return False
        left = [card for card in hand if card != fields["card"]]
        own[fields["meld"]] = grown
    else:
        wild = fields.get("wild")
        meld = placed([*fields["cards"], *([wild] if wild else [])])
        if meld is None or meld[1] != wild:
            return False
        if rank_of(meld) and any(rank_of(other) == rank_of(meld) for other in own.values() if other):
            return False
        left = [card for card in hand if card not in meld[0]]
        own[0] = meld
    if len(left) != 1:
        return bool(left) or not taken
    (last,) = left
    if last == barred:
        return not taken and any(with_card(meld, last) for meld in own.values() if meld)
    return not taken or (not may_be_wild(last) and any(len(meld[0]) >= 7 for meld in own.values() if meld))


def test_what_is_offered_is_what_the_rules_allow() -> None:
    rng = chance("positions")
    accepted = withheld = 0
    for number in range(120):
        free = rng.sample(SOME, len(SOME))
        hand = sorted([free.pop() for _ in range(1 + number % 6)], key=ORDER.__getitem__)
        melds: list[Sequence[str]] = []
        for _ in range(rng.randrange(3)):
            made = next((three for three in combinations(free, 3) if placed(three)), ())
            free = [card for card in free if card not in made]
            melds.append(made)
        if number % 4 == 0:
            melds.append([f"{rank}c.1" for rank in "3456789"])
        taken, barred = rng.random() < 0.5, rng.choice([None, *hand])
        offers = BURRACO.decider.offers(position(hand, melds, taken=taken, barred=barred), 0)
        for act in acts(hand, len(melds)):
            allowed = legal(act, hand, melds, taken=taken, barred=barred)
            assert described(offers, *act) == allowed, (hand, melds, taken, barred, act)
            accepted += allowed
            withheld += not allowed
    assert accepted > 500
    assert withheld > 1000


def test_every_meld_of_three_is_offered_once() -> None:
    rng = chance("once")
    for _ in range(10):
        hand = tuple(sorted(rng.sample(PACK.cards, 18), key=ORDER.__getitem__))
        laid = [frozenset((*one.cards, *wild)) for one in layings(hand) for wild in [(w,) for w in one.wilds] or [()]]
        assert len(laid) == len(set(laid))
        assert set(laid) == {frozenset(three) for three in combinations(hand, 3) if placed(three)}


@pytest.mark.parametrize("size", [30, 60, 108])
def test_a_large_hand_is_offered_in_lists_that_are_not_too_long(size: int) -> None:
    hand = chance(size).sample(PACK.cards, size) if size < len(PACK) else PACK.cards
    state = position(tuple(hand), (), taken=False, barred=None)
    offers = [offer for offer in BURRACO.decider.offers(state, 0) if offer.type == "lay"]
    lists = [_lists(offer) for offer in offers]
    assert max(map(len, lists)) <= MOST_LISTS
    # Cards of one kind of pair go with the same wild cards, so there are few offers.
    assert len(offers) <= 20
    assert sum(map(len, lists)) == len(layings(Hand.of(tuple(hand), ORDER).known))


def _lists(offer: Offer) -> tuple[tuple[Any, ...], ...]:
    cards = offer.fields["cards"]
    assert isinstance(cards, OneOfLists)
    return cards.values


def test_a_default_act_is_to_draw_and_to_discard_what_is_worth_least() -> None:
    live = BurracoLive.started(deals=1)
    rng = chance("mild")
    while live.table.scored == 0:
        action = BURRACO.decider.default_action(live.table.deal_state, live.turn)
        offered = {offer.type for offer in live.offers(live.turn)}
        if "draw" in offered:
            assert action.__struct_config__.tag == "draw"
        elif action.__struct_config__.tag == "discard":
            (fields,) = live.offered(live.turn, "discard")
            choices = fields["card"]["one_of"]
            assert not may_be_wild(action.card) or all(map(may_be_wild, choices))
        step(live, rng)
