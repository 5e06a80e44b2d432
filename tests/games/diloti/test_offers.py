"""What is offered in a turn is what the rules allow, whatever lies on the table, and is soon computed."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import msgspec
import pytest

from domain.games.diloti import DILOTI
from domain.games.diloti.meta import PACK, VALUES, Options
from domain.games.diloti.state import Declaration, Playing
from domain.kernel.offers import MOST_EXAMPLES, SetsOf, described
from domain.picking import offer_from_wire, pick
from tests.games.diloti.checker import Declared, Position
from tests.games.diloti.tables import plain, position
from tests.support.games import chance
from tests.support.picking import describes

Act = tuple[str, dict[str, Any]]


def acts(state: Playing) -> Iterator[Act]:
    """All that might be asked for with a card of the hand and things on the table."""
    cards = [some for size in range(len(state.loose) + 1) for some in combinations(state.loose, size)]
    numbers = [each.declaration for each in state.declarations]
    lists = [some for size in range(len(numbers) + 1) for some in combinations(numbers, size)]
    for card in state.hands[0].known:
        yield "lay", {"card": card}
        for loose in cards:
            for named in lists:
                yield "capture", {"card": card, "loose": loose, "declarations": named}
                for value in range(1, 11):
                    yield "declare", {"card": card, "value": value, "loose": loose, "declarations": named}


def judged(state: Playing, act: Act) -> bool:
    """Whether the rules, as they are told once more for the check of records, allow the act."""
    declared = {
        each.declaration: Declared(each.value, each.sets, list(each.cards), each.owner) for each in state.declarations
    }
    options = msgspec.to_builtins(state.options)
    position = Position(0, state.hands[0].known, state.loose, declared, options)
    return position.broken_by(*act) is None


def positions(number: int) -> Playing:
    """A small position by chance: a hand, loose cards, and declarations of different owners."""
    rng = chance(("position", number))
    free = rng.sample([card for card in PACK if card[0] in "KA23456"], 26)

    def some(size: int) -> list[str]:
        return [free.pop() for _ in range(size)]

    players = rng.choice([2, 4])
    declared: list[Declaration] = []
    for owner in rng.sample(range(players), rng.choice([0, 1, 1, 2])):
        lying = [card for card in some(rng.choice([2, 2, 3])) if card in VALUES]
        total = sum(VALUES[card] for card in lying)
        if lying and total <= 10:
            declared.append(plain(len(declared) + 1, " ".join(lying), owner))
        elif lying and len({VALUES[card] for card in lying}) == 1:
            declared.append(plain(len(declared) + 1, " ".join(lying), owner, value=VALUES[lying[0]]))
    hand = some(rng.choice([1, 2, 3, 4]))
    own = next((each for each in declared if each.owner == 0), None)
    if own is not None:
        # An owner has kept a card of the value.
        hand.append(next(card for card in PACK if VALUES.get(card) == own.value and card not in hand))
    options = Options(
        players=players,
        court_lay=rng.choice(["free", "never-past-a-match"]),
        court_capture=rng.choice(["one", "all"]),
    )
    loose = [card for card in some(rng.choice([0, 2, 3, 4])) if card not in hand]
    return position(" ".join(hand), " ".join(loose), *declared, options=options)


def test_what_is_offered_is_what_the_rules_allow() -> None:
    legal: Counter[str] = Counter()
    illegal: Counter[str] = Counter()
    for number in range(150):
        state = positions(number)
        offers = DILOTI.decider.offers(state, 0)
        wire = json.loads(msgspec.json.encode([offer.describe() for offer in offers]))
        for kind, fields in acts(state):
            allowed = judged(state, (kind, fields))
            assert described(offers, kind, fields) == allowed, (state, kind, fields)
            if allowed:
                sent = json.loads(msgspec.json.encode({"type": kind, **fields}))
                assert any(describes(offer, sent) for offer in wire), "a client that computes reaches every legal act"
            (legal if allowed else illegal)[kind] += 1
    assert min(legal.values()) > 100, legal
    assert min(illegal.values()) > 50, illegal


def test_a_client_that_knows_no_rules_plays_through_the_examples() -> None:
    for number in range(150):
        state = positions(number)
        offers = DILOTI.decider.offers(state, 0)
        assert offers
        for offer in offers:
            read = offer_from_wire(json.loads(msgspec.json.encode(offer.describe())))
            for field in offer.fields.values():
                if isinstance(field, SetsOf):
                    assert 1 <= len(field.examples) <= MOST_EXAMPLES
            for attempt in range(5):
                act = pick(read, chance((number, attempt)).randrange)
                kind = str(act.pop("type"))
                assert judged(state, (kind, {"loose": (), "declarations": (), **act})), (state, kind, act)


def loose_numerals(size: int) -> list[str]:
    """So many numerals, of all values alike."""
    return sorted(VALUES, key=lambda card: ("shdc".index(card[1]), VALUES[card]))[:size]


@pytest.mark.parametrize("size", [8, 16, 24, 34])
def test_many_loose_numerals_are_offered_in_few_offers(size: int) -> None:
    loose = loose_numerals(size)
    hand = [card for card in VALUES if card not in loose][:6]
    offers = DILOTI.decider.offers(position(" ".join(hand), " ".join(loose)), 0)
    assert len(offers) <= 60
    assert len(msgspec.json.encode([offer.describe() for offer in offers])) < 40_000
    for offer in offers:
        sets = offer.fields.get("loose")
        assert sets is None or isinstance(sets, SetsOf)


def test_loose_sets_may_be_left_out_where_a_declaration_is_taken_anyhow() -> None:
    least = Counter(
        field.min
        for number in range(200)
        for offer in DILOTI.decider.offers(positions(number), 0)
        for field in offer.fields.values()
        if isinstance(field, SetsOf)
    )
    assert set(least) == {0, 1}
