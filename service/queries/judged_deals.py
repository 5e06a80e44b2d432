"""Deals judged by the rules from their cards and acts, in the form in which they are answered."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from domain.kernel.course import Standing
from domain.kernel.event import Event, Payload
from domain.kernel.game import Game
from domain.kernel.ledger import BANK, POOL, Line
from domain.seats import Seat
from domain.table.events import CardsDealt
from domain.table.judging import Judged, PlayedDeal, judge
from domain.table.rules import RULES
from domain.table.seat_offers import offers
from domain.table.state import Table, over_because
from domain.table.view import to_act
from service.compute.jobs import JobContext
from service.describe.shared_fields import Json
from service.queries.deal_lines import DealLine, rules_behind, seats_alone


class JudgedEvent(Struct, frozen=True):
    """An event that is not recorded, with all its sections open but for the cards as dealt, which the request has."""

    version: Annotated[int, Meta(description="Its number, from 1.")]
    deal: Annotated[int | None, Meta(description="The deal that it belongs to; null outside deals.")]
    type: Annotated[str, Meta(description="The event's type.")]
    actor: Annotated[str, Meta(description="The actor: a seat, the clock or the house.")]
    public: Annotated[Json, Meta(description="Its public fields. Seeds, salts and commitments are left out.")]
    sealed: Annotated[Json, Meta(description="Its sections, by the audience that alone would see each.")]


class JudgedLine(DealLine, frozen=True):
    """A line that an event books."""

    version: Annotated[int, Meta(description="The number of the event that books it.")]
    events: Annotated[tuple[int, ...], Meta(description="The numbers of the events behind the line.")]


class SeatOffers(Struct, frozen=True):
    """What is open to a seat."""

    seat: Seat
    offers: Annotated[tuple[Json, ...], Meta(description="The acts open to the seat, as `GET …/offers` has them.")]


class RefusedAct(Struct, frozen=True):
    """The first act that the rules refuse."""

    pointer: Annotated[str, Meta(description="Where it stands in the request: a JSON pointer (RFC 6901).")]
    code: Annotated[str, Meta(description="The kind of refusal, as the code of a problem.")]
    rule: Annotated[str | None, Meta(description="The numbered rule that refuses it.")]
    text: Annotated[str | None, Meta(description="The text of the rule.")]
    detail: Annotated[str, Meta(description="Why it is refused.")]


class JudgedDeals(Struct, frozen=True):
    """Deals as the rules judge them. They are judged, not recorded."""

    judged: Annotated[Literal["not recorded"], Meta(description="`not recorded`: nothing is stored or signed.")]
    game: str
    rules_version: Annotated[int, Meta(description="The version of the rules.")]
    refused: Annotated[
        RefusedAct | None, Meta(description="The first act that the rules refuse; null if they refuse none.")
    ]
    events: Annotated[tuple[JudgedEvent, ...], Meta(description="What happened, up to the refused act.")]
    lines: Annotated[tuple[JudgedLine, ...], Meta(description="The lines that were booked, in their order.")]
    rules: Annotated[dict[str, str], Meta(description="The texts of the rules behind the lines, by number.")]
    totals: Annotated[tuple[int, ...], Meta(description="The total of each seat after these lines.")]
    bank: Annotated[int, Meta(description="The balance of the bank after these lines.")]
    pool: Annotated[int, Meta(description="The chips in the pool after these lines.")]
    to_act: Annotated[tuple[Seat, ...], Meta(description="The seats that must act next; none once the deals are over.")]
    open: Annotated[tuple[SeatOffers, ...], Meta(description="What is open to each seat instead, or next.")]
    over: Annotated[str | None, Meta(description="Why the game is over; null while it goes on.")]
    winners: Annotated[
        tuple[Seat, ...] | None, Meta(description="The seats that have won; null while the game goes on.")
    ]


async def judged_deals(
    context: JobContext, game: str, rules_version: int, standing: Standing, deals: Sequence[PlayedDeal]
) -> bytes:
    """A job: the deals as the rules judge them, as JSON. Raises ImpossibleDeal."""
    rules = context.reader.game(game, rules_version)
    return msgspec.json.encode(answer(rules, judge(rules, standing, deals)))


def answer(game: Game, judged: Judged) -> JudgedDeals:
    """The answer about judged deals."""
    table = judged.table
    lines = tuple([line for event in judged.events for line in _lines(game, table, event)])
    running = table.running_deal is not None
    seats = range(len(table.players)) if running else ()
    own = [(seat, offers(game, table, seat)) for seat in seats]
    return JudgedDeals(
        judged="not recorded",
        game=game.name,
        rules_version=table.rules_version,
        refused=_refused(game, judged),
        events=tuple([_event(event) for event in judged.events]),
        lines=lines,
        rules=rules_behind(game, lines),
        totals=table.totals,
        bank=table.accounts.get(BANK, 0),
        pool=table.accounts.get(POOL, 0),
        to_act=to_act(game, table) if running else (),
        open=tuple([SeatOffers(seat, tuple([each.describe() for each in some])) for seat, some in own if some]),
        over=over_because(game, table) if table.over else None,
        winners=table.winners,
    )


def _event(event: Event[Payload]) -> JudgedEvent:
    # The request has the cards that are dealt.
    sealed = {} if isinstance(event.public, CardsDealt) else event.sealed
    public, sections = map(_without_proofs, msgspec.to_builtins((event.public, sealed)))
    return JudgedEvent(event.version, event.deal, event.public.TYPE, event.actor, public, sections)


def _without_proofs(value: Any) -> Any:
    """The value without what would prove that the deal was fair."""
    if isinstance(value, dict):
        proofs = ("card_commitments", "salt", "seed")
        return {name: _without_proofs(inner) for name, inner in value.items() if name not in proofs}
    return [_without_proofs(inner) for inner in value] if isinstance(value, list | tuple) else value


def _lines(game: Game, table: Table, event: Event[Payload]) -> list[JudgedLine]:
    booked: Sequence[Line] = getattr(event.public, "lines", ())
    players = seats_alone(len(table.players))
    return [JudgedLine.of(game, line, players, event.version, line.events) for line in booked]


def _refused(game: Game, judged: Judged) -> RefusedAct | None:
    refused = judged.refused
    if refused is None:
        return None
    why = refused.rejected
    text = next((rule.text for rule in (*game.rulebook.rules, *RULES) if rule.id == why.rule), None)
    return RefusedAct(
        f"/deals/{refused.deal}/acts/{refused.act}", why.code, why.rule, text, game.pack.written(why.detail)
    )
