"""The facts of a finished deal, as scoring takes them."""

from collections.abc import Sequence
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from domain.kernel.ledger import BANK, POOL
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.table.events import CardsDealt, DealScored
from service.compute.byte_cache import Made
from service.compute.jobs import JobContext
from service.describe.shared_fields import OPTIONS, RULES_VERSION, Json
from service.queries.deal_audits import DealNotOver, NoSuchDeal

MOST = 2_000_000_000
Amount: TypeAlias = Annotated[int, Meta(ge=-MOST, le=MOST)]
Number: TypeAlias = Annotated[int, Meta(ge=1, le=1000)]


class StandingBefore(Struct, frozen=True, forbid_unknown_fields=True):
    """The standing before a deal and its antes. What is left out is as at the beginning of a game."""

    deal: Annotated[Number, Meta(description="The number of the deal.")] = 1
    deals: Annotated[Number | None, Meta(description="The number of deals agreed; null for the game's default.")] = None
    dealer: Annotated[
        Annotated[int, Meta(ge=0, le=15)] | None,
        Meta(description="The dealer's seat; null for seat 0, and in a game without a dealer."),
    ] = None
    totals: Annotated[
        tuple[Amount, ...], Meta(max_length=16, description="The total of each seat; empty if all are 0.")
    ] = ()
    bank: Annotated[Amount, Meta(description="The balance of the bank.")] = 0
    pool: Annotated[Amount, Meta(description="The chips in the pool.")] = 0


class DealFacts(Struct, frozen=True):
    """The facts of a finished deal, with what its score depends on beside them: a body for `POST …/score`."""

    facts: Annotated[Json, Meta(description="The facts of the deal, as `schemas.facts` of the game describes them.")]
    rules_version: Annotated[int, RULES_VERSION]
    options: Annotated[Json, OPTIONS]
    standing: Annotated[StandingBefore, Meta(description="The standing before the deal and its antes.")]

    @classmethod
    def of(cls, reader: Reader, records: Sequence[Recorded]) -> "DealFacts":
        """The facts of the deal whose events are the last of these records, up to the one before `deal-scored`."""
        begins = max(record.version for record in records if record.type == CardsDealt.TYPE)
        dealt = reader.fold(None, [record for record in records if record.version <= begins])
        table = reader.fold(dealt, [record for record in records if record.version > begins])
        standing, balances = dealt.standing, dict(dealt.standing.accounts)
        for line in (line for booked in dealt.booked if booked.version == begins for line in booked.lines):
            balances[line.account if line.seat is None else line.seat] -= line.amount
        before = StandingBefore(
            deal=standing.deal,
            deals=standing.deals,
            dealer=standing.dealer,
            totals=tuple([balances[seat] for seat in range(len(standing.totals))]),
            bank=balances.get(BANK, 0),
            pool=balances.get(POOL, 0),
        )
        facts = msgspec.to_builtins(reader.of(table).scoring.facts(table.deal_state))
        return cls(facts, table.rules_version, msgspec.to_builtins(standing.options), before)


async def deal_facts(context: JobContext, table: str, deal: int, upto: int) -> Made:
    """A job: the facts of a deal of a table that is at the version `upto`. Raises NoSuchDeal and DealNotOver."""
    store, reader = context.store, context.reader
    outline = await store.outline(table, reader.passing, upto)
    if all(record.deal != deal for record in outline):
        raise NoSuchDeal(f"deal {deal} has not started")
    scored = next((one.version for one in outline if one.deal == deal and one.type == DealScored.TYPE), None)
    if scored is None:
        raise DealNotOver(f"deal {deal} is not scored")
    played = await store.outline(table, reader.passing, scored - 1)
    return Made(msgspec.json.encode(DealFacts.of(reader, played)), lasting=True)
