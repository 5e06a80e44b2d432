"""The job that renders a deal's page from the log."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from domain.record.disclosure import Disclosure
from domain.record.envelope import served
from domain.seats import Audience
from domain.table.events import CardsDealt
from service.compute.byte_cache import Made
from service.compute.jobs import JobContext
from service.describe.texts import english
from service.pages.deals import deal_page
from service.queries.deal_audits import NoSuchDeal

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
