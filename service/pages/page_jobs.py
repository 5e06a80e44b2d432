"""The jobs that render pages from the log: a deal's, and a dispute's."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from domain.audit.corrections import disputed_bookings
from domain.kernel.ledger import LineAt
from domain.record.disclosure import Disclosure
from domain.record.envelope import served
from domain.seats import Audience
from domain.table.disputes import Dispute
from domain.table.events import CardsDealt
from service.compute.byte_cache import Made
from service.compute.jobs import JobContext
from service.describe.texts import english
from service.pages.deals import deal_page
from service.pages.rulings import Computed, ruling_page
from service.queries.deal_audits import NoSuchDeal
from service.queries.disputes import detailed, disputes

MOST_DEALS = 200
"""More deals than a table can have."""


async def render_deal(
    context: JobContext,
    table: str,
    deal: int,
    upto: int,
    audience: Audience,
    disclosure: Disclosure,
    players: Sequence[str | None],
    names: Mapping[str, str],
    lines: Sequence[Mapping[str, Any]],
) -> Made:
    """A job: the page of a deal, from the events up to a version as the audience may open them. Raises NoSuchDeal.

    `names` are the players' by id; `lines` are the ledger's lines of the deal.
    """
    dealt = await context.store.stream_of_types(table, (CardsDealt.TYPE,), 0, upto, MOST_DEALS)
    first = next((record.version for record in dealt if record.deal == deal), None)
    if first is None:
        raise NoSuchDeal(f"deal {deal} has not started")
    last = next((record.version - 1 for record in dealt if record.version > first), upto)
    records = [*await context.store.stream(table, 0, 1), *await context.store.stream(table, first - 1, last)]
    events = [json.loads(served(record, audience, over=disclosure.opens(record))) for record in records]
    opened = events[0]["public"]
    game = context.reader.game(opened["game"], opened["rules_version"])
    return Made(deal_page(events, deal, game, players, names, lines, english()))


async def render_ruling(
    context: JobContext,
    table: str,
    number: int,
    upto: int,
    audience: Audience,
    disclosure: Disclosure,
    players: Sequence[str | None],
    names: Mapping[str, str],
) -> Made:
    """A job: the page of the dispute of this number, from the events up to a version as the audience may open them.

    `names` are the names of players, bots and the arbiter by id. A page with an altered deal is not cached.
    """
    records = await context.store.stream(table, upto=upto)
    dispute = disputes(context.reader, records)[number - 1]
    audits = detailed(context.reader, records, dispute).audits
    about = Dispute(number, dispute.seat, tuple(LineAt(at.version, at.line) for at in dispute.lines))
    bookings = list(disputed_bookings(context.reader, records, about))
    computed = Computed(
        frozenset((booking.version, 2 * number) for booking in bookings for number in booking.confirmed),
        tuple(pair for booking in bookings for pair in booking.instead),
    )
    events = [json.loads(served(record, audience, over=disclosure.opens(record))) for record in records]
    opened = events[0]["public"]
    game = context.reader.game(opened["game"], opened["rules_version"])
    page = ruling_page(events, dispute, audits, computed, game, players, names, english())
    return Made(page, lasting=all(one.audit.verdict == "intact" for one in audits))
