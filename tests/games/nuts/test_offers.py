"""What is offered is just what the rules allow, as a plain look at what lies open finds it."""

from collections.abc import Iterator
from typing import Any

import pytest

from domain.games.nuts.meta import Options
from tests.games.nuts.tables import OWN, NutsLive
from tests.support.games import chance
from tests.support.picking import Temper, pick

ASCENDING = "A23456789TJQK"
RACING = Temper({"found": 40.0, "build": 4.0, "stuck": 0.02, "nuts": 0.3})
Move = tuple[str, str, int | None]
"""Build or found, the card without its owner, and the column or foundation; None for a new one."""


def rank(card: str) -> int:
    return ASCENDING.index(card[0])


def red(card: str) -> bool:
    return card[1] in "hd"


def allowed(live: NutsLive, seat: int) -> Iterator[Move]:
    """Every build and found of the seat that the rules allow, by trying each card everywhere (NU-5)."""
    columns = [column.split() for column in live.columns(seat)]
    piles = [top for top, _ in (live.top(seat, "reserve"), live.top(seat, "discards")) if top]
    foundations = [top[2:] for top, _ in live.foundations]
    for card in OWN:
        home = next((column for column in columns if card in column), None)
        if home is None and card not in piles:
            continue
        for number, column in enumerate(columns, 1):
            fits = not column or (rank(column[-1]) == rank(card) + 1 and red(column[-1]) != red(card))
            changes_nothing = column is home or (not column and home is not None and home[0] == card)
            if fits and not changes_nothing:
                yield "build", card, number
        if home is None or home[-1] == card:
            if card[0] == "A":
                yield "found", card, None
            for number, top in enumerate(foundations, 1):
                if top[1] == card[1] and rank(top) + 1 == rank(card):
                    yield "found", card, number


def offered(live: NutsLive, seat: int) -> Iterator[Move]:
    """Every build and found that the seat's offers describe."""
    for kind, field in (("build", "column"), ("found", "foundation")):
        for fields in live.offered(seat, kind):
            for card in fields["card"]["one_of"]:
                yield from ((kind, card[2:], number) for number in fields[field]["one_of"])


def others(live: NutsLive, seat: int) -> set[str]:
    """The types of the other acts that the rules allow (NU-4, NU-8.1)."""
    seen: dict[str, Any] = live.layout(seat)
    stock, discards, reserve = (
        len(seen[pile]["known"]) + seen[pile]["hidden"] for pile in ("stock", "discards", "reserve")
    )
    return {
        *(["turn"] if stock else ["flip"] if discards else []),
        *([] if seat in live.view("public")["stuck"] else ["stuck"]),
        *([] if reserve else ["nuts"]),
    }


@pytest.mark.parametrize("number", range(4))
def test_the_offers_describe_every_legal_act_and_no_other(number: int) -> None:
    rng = chance(("offers", number))
    live = NutsLive.started(options=Options(players=2 + number % 3, nuts_call="optional"), seed=bytes([number]) * 32)
    live.pass_gate()
    for step in range(160):
        if live.table.running_deal is None:
            break
        for seat in live.seats if step % 8 == 0 else ():
            described = list(offered(live, seat))
            assert sorted(map(str, described)) == sorted(map(str, allowed(live, seat)))
            assert live.types(seat) - {"build", "found"} == others(live, seat)
        seat = rng.choice(live.seats)
        live.take(seat, pick([offer.describe() for offer in live.offers(seat)], rng, RACING))


def test_nothing_is_offered_once_the_hand_is_over() -> None:
    live = NutsLive.begun()
    for _ in range(3):
        for seat in live.seats:
            live.act(seat, "stuck")
    end = next(event.version for event in live.events if event.public.TYPE == "deal-scored")
    for version in (end - 1, end):
        table = live.known_to("house", version)
        assert [live.game.decider.offers(table.deal_state, seat) for seat in live.seats] == [(), ()]
