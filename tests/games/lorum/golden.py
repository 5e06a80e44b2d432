"""Lórum's golden games: what they must show, the wishes that make them, and the check of their rules."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from domain.games.lorum.contracts import KINDS as ROWS
from domain.games.lorum.contracts import RESULTS
from domain.games.lorum.meta import Options
from tests.games.lorum.tables import (
    HAIRY_APE,
    KINDS,
    RANKS,
    LorumLive,
    card_value,
    cost_of,
    fitting,
    legal_cards,
    next_card,
    settled,
    trick_winner,
)
from tests.golden.course import course_of
from tests.golden.playing import (
    ACTION_FROM,
    Choice,
    Golden,
    Plan,
    Served,
    Wish,
    always,
    deals,
    says,
)
from tests.support.games import Live

TEMPERS = ("win", "lose", "random")
EVENTS = (
    "card-played",
    "trick-won",
    "card-turned",
    "trick-kept",
    "card-counted",
    "card-added",
    "card-laid",
    "turn-passed",
)
LINES = ("LO-3.6", "LO-3.7", "LO-3.8", "LO-3.9", "LO-4.4", "LO-5.2", "LO-6.5", "LO-8.2", "LO-8.3")
OUTCOMES = (
    "four-captured",
    "three-captured",
    "two-captured",
    "one-captured",
    "king-captured",
    "last-mark-passed",
    "hand-empty",
    "pot-taken",
)
WANTED: frozenset[str] = frozenset(
    [
        *(f"kind {kind}" for kind in KINDS),
        *(f"line {rule}" for rule in LINES),
        *(f"outcome {outcome}" for outcome in OUTCOMES),
        "heart discarded to the first trick",
        "stopped before the eighth trick",
        "king captured by its own player",
        "king captured by another, blind",
        "king captured, open",
        "leader leads again",
        "count of 100",
        "sequence of one card",
        "sequence goes on after the ace",
        "ended within a sequence",
        "same seat plays again",
        "three passes in a row",
        "pot of earlier deals taken",
        "all deals",
        "ended by agreement",
        *(f"option hairy_ape {value}" for value in ("blind", "open")),
        *(f"option train_ten {value}" for value in ("1", "10")),
    ]
)


def kind_of(deal: Sequence[Served]) -> int:
    """The deal's place among its dealer's seven."""
    number: int = deal[0]["public"]["deal"]
    return (number - 1) % 7 + 1


def order_of_turns(deal: Sequence[Served]) -> list[int]:
    """From eldest to the dealer."""
    dealer: int = deal[0]["public"]["dealer"]
    return [(dealer + step) % 4 for step in range(1, 5)]


def hands_of(deal: Sequence[Served]) -> dict[int, list[str]]:
    """What each seat was dealt, in the order dealt, whoever learnt it."""
    openings = [one for section in deal[0]["sealed"].values() for one in section["data"].get("cards", ())]
    cards = {one["position"]: one["card"] for one in openings}
    return {
        seat: [cards[batch + 4 * place + each] for batch in (0, 16) for each in range(4)]
        for place, seat in enumerate(order_of_turns(deal))
    }


def of_types(deal: Sequence[Served], *types: str) -> list[dict[str, Any]]:
    """The public payloads of the deal's events of these types, in order."""
    return [event["public"] for event in deal if event["type"] in types]


def deal_labels(deal: Sequence[Served], options: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    score, kind = deal[-1]["public"], kind_of(deal)
    yield f"kind {KINDS[kind - 1]}"
    yield f"outcome {score['outcome']}"
    yield f"{KINDS[kind - 1]} {score['outcome']}"
    yield from (f"line {line['rule']}" for line in score["lines"])
    match kind:
        case 1 | 2 | 3:
            cards = [public["card"] for public in of_types(deal, "card-played")]
            if kind == 1 and any(card[1] == "h" for card in cards[1:4]):
                yield "heart discarded to the first trick"
            if len(cards) < 32:
                yield "stopped before the eighth trick"
        case 4:
            yield from _ape(deal, options)
        case 5:
            if of_types(deal, "card-counted")[-1]["count"] >= 100:
                yield "count of 100"
        case 6:
            yield from _quart(deal)
        case _:
            yield from _domino(deal)


def _ape(deal: Sequence[Served], options: dict[str, Any]) -> Iterator[str]:
    payer = next(line["seat"] for line in deal[-1]["public"]["lines"] if line["seat"] is not None)
    (player,) = [public["seat"] for public in of_types(deal, "card-played", "card-turned") if public["card"] == "Kh"]
    if options["hairy_ape"] == "open":
        yield "king captured, open"
    else:
        own = deal[-2]["type"] == "trick-kept"
        assert not own or payer == player
        yield "king captured by its own player" if own else "king captured by another, blind"
    if any(one["type"] == "trick-kept" and two["type"] == "card-turned" for one, two in pairwise(deal)):
        yield "leader leads again"


def _quart(deal: Sequence[Served]) -> Iterator[str]:
    said, length = of_types(deal, "card-added"), 0
    for one, two in pairwise(said):
        length += 1
        if one["next"] == one["seat"]:
            yield "same seat plays again"
        if two["card"] != next_card(one["card"]):
            if length == 1:
                yield "sequence of one card"
            length = 0
        elif one["card"][0] == "A":
            yield "sequence goes on after the ace"
    if said[-1]["card"] == next_card(said[-2]["card"]) and length not in (0, 3):
        yield "ended within a sequence"


def _domino(deal: Sequence[Served]) -> Iterator[str]:
    types = " ".join(event["type"] for event in deal)
    if "turn-passed turn-passed turn-passed" in types:
        yield "three passes in a row"
    lines = deal[-1]["public"]["lines"]
    paid = sum(line["amount"] for line in lines if line["rule"] == "LO-8.2" and line["account"] == "pool")
    taken = sum(line["amount"] for line in lines if line["rule"] == "LO-8.3" and line["seat"] is not None)
    if taken > paid:
        yield "pot of earlier deals taken"


def game_labels(events: Sequence[Served]) -> Iterator[str]:
    """What a game shows besides its deals."""
    for event in events:
        if event["type"] == "game-finished":
            yield {"last deal scored": "all deals"}.get(event["public"]["reason"], "ended by agreement")


class Deal(Wish, frozen=True, kw_only=True):
    """A deal and how it is to go."""

    temper: str | None = None
    """How all play to tricks; without it, each by chance."""


def wish(*shows: str, temper: str | None = None) -> Deal:
    """A deal that shows all this."""
    return Deal(frozenset(shows), temper=temper)


def play(live: Live, wished: Deal, rng: random.Random) -> bool:
    """Plays one deal as wished for."""
    scored = live.table.scored
    tempers = {seat: wished.temper or rng.choice(TEMPERS) for seat in live.seats}
    while live.table.scored == scored:
        seat = live.turn
        (offer,) = live.offers(seat)
        if live.phase == "play":
            _play_to_trick(live, tempers[seat], rng)
        else:
            live.take(seat, offer.pick(rng.randrange))
    return True


def _play_to_trick(live: Live, temper: str, rng: random.Random) -> None:
    ((fields,), trick) = live.offered(live.turn, "play"), live.table.deal_state.tricks.trick
    on_table = [(one.seat, one.card) for one in trick]
    cards = list(fields["card"]["one_of"])
    live.do("play", card=Choice(live.turn, cards, on_table, _strength, trick_winner).by(temper, rng))


def _strength(card: str) -> int:
    return -RANKS.index(card[0])


def plans() -> Iterator[Plan]:
    """The games by name. Each is agreed for 28 deals, so there are few, and most are ended by agreement."""
    yield Plan(
        "other-options",
        Options("open", 10),
        (
            wish("no-hearts three-captured"),
            wish("queens two-captured"),
            wish("no-tricks four-captured"),
            wish("king captured, open"),
            wish("count of 100"),
            wish("ended within a sequence"),
            wish("pot of earlier deals taken"),
        ),
        agreed=28,
    )
    yield Plan(
        "ended-early",
        Options(),
        (
            wish("heart discarded to the first trick"),
            wish("queens one-captured"),
            wish("no-tricks three-captured"),
            wish("king captured by its own player", "leader leads again"),
            wish(),
            wish("sequence of one card"),
            wish("three passes in a row"),
        ),
        agreed=28,
    )


DISPUTED = Plan(
    "disputed",
    Options(),
    (
        wish("no-hearts four-captured"),
        wish("queens four-captured"),
        wish("no-tricks two-captured"),
        wish("king captured by another, blind"),
        wish(),
        wish("sequence goes on after the ace"),
        wish(),
        *(wish() for _ in range(21)),
    ),
)


def check(events: Sequence[Served]) -> None:
    """Asserts that cards, counts, sequences, rows and lines of the deals are what the rules make of them."""
    options, pot, numbers = events[0]["public"]["options"], 0, Counter[int]()
    for deal in deals(events):
        pot = check_deal(deal, options, pot)
        numbers[deal[0]["public"]["dealer"]] += 1
        assert pot >= 0
        assert pot == 0 or kind_of(deal) != 7
    assert all(number in (7, 14, 21) for number in numbers.values())


def check_deal(deal: Sequence[Served], options: dict[str, Any], pot: int) -> int:
    """Asserts that the deal is what the rules make of it, from what was in the pot; answers what is then."""
    kind, order, hands = kind_of(deal), order_of_turns(deal), hands_of(deal)
    if kind == HAIRY_APE and options["hairy_ape"] == "blind":
        expected = check_blind(deal, order, hands)
    elif kind <= HAIRY_APE:
        expected = check_tricks(deal, kind, order)
    elif kind == 5:
        expected = check_train(deal, order, hands, options["train_ten"])
    elif kind == 6:
        expected = check_quart(deal, order, hands)
    else:
        expected = check_domino(deal, order, hands, pot)
    booked: Counter[tuple[int | None, str]] = Counter()
    for line in deal[-1]["public"]["lines"]:
        if line["seat"] is not None or line["account"] == "pool":
            booked[line["seat"], line["rule"]] += line["amount"]
    assert {key: amount for key, amount in booked.items() if amount} == {
        key: amount for key, amount in expected.items() if amount
    }
    return pot + sum(amount for (seat, _), amount in booked.items() if seat is None)


Expected = Counter[tuple[int | None, str]]
"""What is booked, by seat (null: the pot) and rule."""


def check_tricks(deal: Sequence[Served], kind: int, order: Sequence[int]) -> Expected:
    """LO-3, LO-4.5."""
    course = course_of(deal, order, legal_cards, trick_winner)
    tricks = [[turn.card for turn in course.turns[place : place + 4]] for place in range(0, len(course.turns), 4)]
    costs, whole, stops = [0] * 4, {1: 8, 2: 10, 3: 8, 4: 4}[kind], 0
    for number, (winner, cards) in enumerate(zip(course.winners, tricks, strict=True), 1):
        assert sum(costs) < whole
        costs[winner] += cost_of(kind, cards)
        stops = number
    assert sum(costs) == whole
    assert stops == len(tricks)
    if kind == HAIRY_APE:
        return captured_king(costs.index(4))
    rule, gains, pot = settled(costs)
    if kind == 1 and course.turns[0].card[1] == "h":
        assert {card[1] for card in course.turns[0].hand} == {"h"}
    return Counter({**{(seat, rule): gain for seat, gain in enumerate(gains)}, (None, rule): pot})


def captured_king(seat: int) -> Expected:
    """LO-4.4."""
    return Counter({(seat, "LO-4.4"): -4, (None, "LO-4.4"): 4})


def check_blind(deal: Sequence[Served], order: Sequence[int], hands: dict[int, list[str]]) -> Expected:
    """LO-4."""
    for seat in order:
        learnt = {one["card"] for one in deal[0]["sealed"][f"seat:{seat}"]["data"]["cards"]}
        assert learnt == {card for other in order if other != seat for card in hands[other]}
    trick: list[tuple[int, str]] = []
    leader, named = order[0], set[tuple[int, int]]()
    for event in deal[1:-1]:
        public = event["public"]
        if event["type"] == "card-turned":
            seat, place = public["seat"], public["place"]
            assert seat == (leader + len(trick)) % 4
            assert (seat, place) not in named
            named.add((seat, place))
            assert public["card"] == public["opening"]["card"] == hands[seat][place - 1]
            trick.append((seat, public["card"]))
            continue
        followed = any(card[1] == trick[0][1][1] for _, card in trick[1:])
        assert event["type"] == ("trick-won" if followed else "trick-kept")
        last, leader = trick, trick_winner(trick)
        assert public["seat"] == leader
        captor = next((leader if followed else seat for seat, card in last if card == "Kh"), None)
        assert (captor is not None) == (event is deal[-2])
        trick = []
        if captor is not None:
            return captured_king(captor)
    raise AssertionError("the king of hearts is captured")


def check_train(deal: Sequence[Served], order: Sequence[int], hands: dict[int, list[str]], ten: int) -> Expected:
    """LO-5."""
    count, expected = 0, Expected()
    for place, public in enumerate(of_types(deal, "card-counted")):
        assert public["seat"] == order[place % 4]
        hands[public["seat"]].remove(public["card"])
        before, count = count, count + card_value(public["card"], ten)
        assert public["count"] == count
        for mark in (25, 50, 75, 100):
            if before < mark <= count:
                expected[public["seat"], "LO-5.2"] -= mark // 25
                expected[None, "LO-5.2"] += mark // 25
        assert before < (75 if ten == 1 else 100)
    assert count >= (75 if ten == 1 else 100)
    return expected


def check_quart(deal: Sequence[Served], order: Sequence[int], hands: dict[int, list[str]]) -> Expected:
    """LO-6."""
    seat, sequence, gone = order[0], list[str](), set[str]()
    said = of_types(deal, "card-added")
    for public in said:
        assert public["seat"] == seat
        card = public["card"]
        assert not sequence or card == next_card(sequence[-1])
        hands[seat].remove(card)
        sequence.append(card)
        gone.add(card)
        if not hands[seat]:
            assert public is said[-1]
            assert public["next"] is None
            break
        if len(sequence) == 4 or next_card(card) in gone:
            sequence = []
        else:
            seat = next(holder for holder in order if next_card(card) in hands[holder])
        assert public["next"] == seat
    expected = Expected({(other, "LO-6.5"): -len(hands[other]) for other in order})
    expected[seat, "LO-6.5"] = sum(map(len, hands.values()))
    return expected


def check_domino(deal: Sequence[Served], order: Sequence[int], hands: dict[int, list[str]], pot: int) -> Expected:
    """LO-7, LO-8."""
    laid: list[str] = []
    acts = [event for event in deal if event["type"] in ("card-laid", "turn-passed")]
    for place, event in enumerate(acts):
        public, seat = event["public"], order[place % 4]
        assert public["seat"] == seat
        could = fitting(hands[seat], laid)
        assert (event["type"] == "turn-passed") == (not could)
        if could:
            assert public["card"] in could
            hands[seat].remove(public["card"])
            laid.append(public["card"])
        assert (not hands[seat]) == (event is acts[-1])
    held = sum(map(len, hands.values()))
    expected = Expected({(seat, "LO-8.2"): -len(hand) for seat, hand in hands.items()})
    (out,) = [seat for seat, hand in hands.items() if not hand]
    expected[None, "LO-8.2"] = held
    expected[out, "LO-8.3"] = pot + held
    expected[None, "LO-8.3"] = -pot - held
    return expected


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield from (f"kind {row.kind}" for row in ROWS)
    yield from (f"outcome {result.outcome}" for result in RESULTS)
    yield from (f"line {result.rule}" for result in RESULTS if result.rule != "LO-5.4")
    yield from ("line LO-5.2", "line LO-8.2")


GOLDEN = Golden(
    live=LorumLive,
    events=EVENTS,
    wanted=WANTED,
    possible=possible,
    plans=plans,
    disputed=DISPUTED,
    fits=always,
    play=play,
    deal_labels=deal_labels,
    game_labels=game_labels,
    check=check,
    action_from={
        **ACTION_FROM,
        "card-turned": says("turn-up", place="place"),
        "card-counted": says("play", card="card"),
        "card-added": says("play", card="card"),
        "card-laid": says("play", card="card"),
        "turn-passed": says("pass"),
    },
)
