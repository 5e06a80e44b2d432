"""What is offered is just what the rules allow, as a plain look at what lies open and at the own cards finds it."""

from collections.abc import Iterator
from typing import Any

from domain.games.lorum import LORUM
from domain.kernel.rejection import Rejected
from domain.table.seat_offers import offers
from tests.games.lorum.checker import above, fits
from tests.games.lorum.tables import EACH, PACK, LorumLive, in_deal
from tests.support.checker.record import following
from tests.support.for_each import for_each
from tests.support.games import chance, step

Act = tuple[str, object]
"""The type of an act, and its card or place."""


def allowed(live: LorumLive, seat: int, kind: int) -> Iterator[Act]:
    """Every act of the seat that the rules allow, from what the seat sees and what was played (LO-10)."""
    view = live.view(f"seat:{seat}")
    if view["to_act"] != (seat,):
        return
    hand = list(view["seats"][seat]["hand"]["known"])
    led = view["trick"][0]["card"] if view["trick"] else None
    match kind:
        case 1 | 2 | 3:
            cards = following(hand, led)
            if kind == 1 and view["last_trick"] is None and led is None:
                cards = [card for card in cards if card[1] != "h"] or cards
            yield from (("play", card) for card in cards)
        case 4 if view["seats"][seat]["places"]:
            for number, place in enumerate(view["seats"][seat]["places"], 1):
                assert place["known"] == ()
                yield from [("turn-up", number)] * place["hidden"]
        case 4:
            yield from (("play", card) for card in following(hand, led))
        case 5:
            yield from (("play", card) for card in hand)
        case 6:
            sequence = view["sequence"]
            yield from (("play", card) for card in ([above(sequence[-1])] if sequence else hand))
        case _:
            laid = [
                event.public.card for event in live.events[-60:] if event.deal == 7 and event.public.TYPE == "card-laid"
            ]
            cards = [card for card in hand if fits(card, laid)]
            yield from (("play", card) for card in cards)
            yield from [("pass", None)] * (not cards)


def offered(live: LorumLive, seat: int) -> Iterator[Act]:
    """Every act that the seat's offers describe."""
    for offer in live.offers(seat):
        wire: Any = offer.describe()
        if not wire["fields"]:
            yield offer.type, None
        for field in wire["fields"].values():
            yield from ((offer.type, value) for value in field["one_of"])


def taken(live: LorumLive, seat: int) -> Iterator[Act]:
    """Every act that the table takes from the seat, by trying all that there are."""
    tries: list[Act] = [
        *(("play", card) for card in PACK),
        *(("turn-up", place) for place in range(EACH + 2)),
        ("pass", None),
    ]
    for kind, value in tries:
        other = live.branch()
        field = {"play": "card", "turn-up": "place"}.get(kind)
        try:
            other.act(seat, kind, **({} if field is None else {field: value}))
        except Rejected:
            continue
        yield kind, value


@for_each("kind, ape", [*((kind, "blind") for kind in range(1, 8)), (4, "open")])
def test_the_offers_describe_every_legal_act_and_no_other(kind: int, ape: str) -> None:
    rng = chance((kind, ape))
    live = shuffled(kind, ape)
    number = 0
    while live.table.scored < kind:
        for seat in live.seats if number % 3 == 0 else ():
            described = sorted(map(str, offered(live, seat)))
            assert described == sorted(map(str, allowed(live, seat, kind)))
            assert described == sorted(map(str, taken(live, seat)))
            own = live.known_to(f"seat:{seat}")
            assert offers(LORUM, own, seat) == live.offers(seat)
        step(live, rng)
        number += 1


def shuffled(kind: int, ape: str) -> LorumLive:
    """A deal of this kind, its cards mixed."""
    cards = chance(("cards", kind, ape)).sample(PACK, 32)
    return in_deal(kind, {seat: cards[8 * seat : 8 * seat + 8] for seat in range(4)}, options={"hairy_ape": ape})


def test_nothing_is_offered_once_a_deal_is_over() -> None:
    for kind in range(1, 8):
        live, rng = shuffled(kind, "blind"), chance(kind)
        while live.table.scored < kind:
            step(live, rng)
        end = next(event.version for event in live.events[::-1] if event.public.TYPE == "deal-scored")
        state = live.known_to("house", end - 1).deal_state
        assert [LORUM.decider.offers(state, seat) for seat in live.seats] == [()] * 4
