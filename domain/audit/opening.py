"""The table's first event: the rules that it pins, and the commitment to the seeds of all deals."""

from collections.abc import Sequence

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain.audit.comparison import check_payload, compare_events
from domain.audit.findings import FailedCheck, Findings
from domain.fair.seeds import SeedChain
from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.kernel.rejection import Rejected
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.seats import HOUSE
from domain.table.events import CardsDealt, DealScored, GameFinished, Rematch, TableOpened, TableSecret
from domain.table.options import DEFAULT
from domain.table.state import Table, opened
from domain.table.talk import require_talk_option


class PinnedTable(Struct, frozen=True):
    """A table after its first event, with its game under the rules pinned there, and all known seeds."""

    game: Game
    table: Table
    seed_commitment: str


def check_opening(reader: Reader, records: Sequence[Recorded], findings: Findings) -> PinnedTable | None:
    """Checks the table's first event. Returns None, and adds a failed check, if the rules forbid it.

    Raises UnknownEvent if the event or its rules are unknown, msgspec.DecodeError if it cannot be read, and ValueError
    if its seeds are malformed.
    """
    record, event = records[0], reader.read(records[0])
    public, version = event.public, record.version
    if not isinstance(public, TableOpened):
        findings.failed(FailedCheck("acts", version, record.type, TableOpened.TYPE, "the type", last=True))
        return None
    game = reader.pinned(record.game, public.rules_version, public.rules_digest)
    findings.compare("envelope", version, "actor and deal", (record.actor, record.deal), (HOUSE, None))
    try:
        table = opened(game, record.table, Event(public, event.sealed, at=event.at))
        computed = _computed(game, table, public)
    except msgspec.ValidationError as error:
        findings.failed(FailedCheck("rules", version, public.options, None, f"options: {error}", last=True))
        return None
    except Rejected as rejected:
        text, rule = rejected.detail, rejected.rule
        findings.failed(FailedCheck("rules", version, public.deals, None, text, rule, last=True))
        return None
    compare_events(game, event, computed, findings)
    if table.seeds is None:
        table = replace(table, seeds=_known_seeds(reader, records, public.deals))
    if table.rematch is not None:
        _check_rematch(table, table.rematch, version, findings)
    check_payload(game, table, record, event, findings)
    return PinnedTable(game, table, public.seed_commitment)


def _check_rematch(table: Table, rematch: Rematch, version: int, findings: Findings) -> None:
    """Checks that the rematch is of another table, and keeps each seat for a player of its own."""
    players = rematch.players
    if rematch.of == table.table or len({*players}) != len(players) or len(players) != len(table.players):
        findings.failed(FailedCheck("seating", version, msgspec.to_builtins(rematch), None, "the rematch"))


def _computed(game: Game, table: Table, public: TableOpened) -> Event[TableOpened]:
    """The event that opens this table. Facts checked elsewhere, or unknown, are taken from the record.

    These are the digest of the rules, which is checked before, and the commitment to seeds that are not open yet.

    Raises Rejected if the game does not allow this number of deals, or this talk.
    """
    game.course.deals(table.options).require(table.deals)
    require_talk_option(game, table.table_options)
    seeds, opener = table.seeds, table.opener
    computed = TableOpened(
        game=game.name,
        rules_version=game.rulebook.version,
        rules_digest=public.rules_digest,
        options=msgspec.to_builtins(table.options),
        deals=table.deals,
        seed_commitment=public.seed_commitment if seeds is None else seeds.at(0).hex(),
        table=UNSET if table.table_options == DEFAULT else table.table_options,
        rematch=table.rematch or UNSET,
    )
    if seeds is None or opener is None:
        return Event(computed)
    return Event(computed, {HOUSE: TableSecret(seeds.seed.hex(), opener)})


def _known_seeds(reader: Reader, records: Sequence[Recorded], deals: int) -> SeedChain | None:
    """The seeds that the record itself reveals: up to the last deal that was scored, or in which the game ended.

    None if it reveals none. Raises ValueError if the deal of a seed does not exist.
    """
    revealed: tuple[int, str] | None = None
    for record in reversed(records):
        if record.type not in (DealScored.TYPE, GameFinished.TYPE):
            continue
        public = reader.read(record).public
        if isinstance(public, DealScored):
            revealed = public.deal, public.seed
        elif isinstance(public, GameFinished) and public.seed:
            revealed = _last_deal(reader, records), public.seed
        if revealed is not None:
            break
    if revealed is None:
        return None
    deal, seed = revealed
    if not 1 <= deal <= deals:
        raise ValueError(f"there is no deal {deal}")
    return SeedChain(deal, bytes.fromhex(seed))


def _last_deal(reader: Reader, records: Sequence[Recorded]) -> int:
    """The number of the deal that was dealt last; 0 if none was."""
    dealt = (reader.read(record).public for record in reversed(records) if record.type == CardsDealt.TYPE)
    return next((public.deal for public in dealt if isinstance(public, CardsDealt)), 0)
