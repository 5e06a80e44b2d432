"""Erases texts from tables' records: talk, the reasons of disputes, the texts of rulings."""

from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct

from domain.record.catalogue import Unreadable
from domain.record.history import History, Reader, record_command, without_section
from domain.record.recorded import Recorded
from domain.seats import PUBLIC, seat_audience
from domain.table.actions import EraseText
from domain.table.decide import ARBITER
from domain.table.state import seat_of
from service.commands.cache import NoSuchTable
from service.commands.handler import ATTEMPTS
from service.moments import moment
from service.store.database import StoreUnavailable
from service.store.erasure import erase, tables_written_at, words_erased
from service.store.store import Append, Appended, Store


class ErasedWords(Struct, frozen=True):
    """The number of a player's texts that were erased, and the tables whose records could not be read."""

    texts: int
    unread: Sequence[str]


async def erase_text(store: Store, reader: Reader, owner_dsn: str, table: str, version: int) -> int:
    """Erases the text of the event at this version, and returns the version of the event that records the erasure.

    The commitment stays, and so does every hash. From then on the text is shown as erased. Raises Rejected if there is
    no such text, NoSuchTable, Unreadable, NotTheOwner, StoreUnavailable.
    """
    (erasure,) = await _erase(store, reader, owner_dsn, table, lambda *_: (version,))
    return erasure


async def erase_words(store: Store, reader: Reader, owner_dsn: str, player: str) -> ErasedWords:
    """Erases all that a player wrote into the log, and settles the request for it unless a table is left.

    Raises NotTheOwner and StoreUnavailable; then some of it may be erased already.
    """
    texts, unread = 0, []
    for table in await tables_written_at(owner_dsn, player):
        try:
            texts += len(await _erase(store, reader, owner_dsn, table, partial(_written_by, player)))
        except Unreadable:
            unread.append(table)
    if not unread:
        await words_erased(owner_dsn, player)
    return ErasedWords(texts, unread)


def _written_by(player: str, history: History, records: Sequence[Recorded]) -> Sequence[int]:
    """The versions of the events with texts of the player's that are not erased yet."""
    # Nobody writes before the game starts, and from then on a seat stays the same player's.
    seat = seat_of(history.table, player)
    own = {f"{ARBITER}:{player}"} | (set() if seat is None else {seat_audience(seat)})
    return [version for version in history.table.texts if records[version - 1].actor in own]


async def _erase(
    store: Store,
    reader: Reader,
    owner_dsn: str,
    table: str,
    chosen: Callable[[History, Sequence[Recorded]], Sequence[int]],
) -> Sequence[int]:
    """Erases the texts of the events of these versions, and returns the versions of the events that record it."""
    for _ in range(ATTEMPTS):
        records = await store.stream(table)
        history = before = reader.history(records)
        if history is None or before is None:
            raise NoSuchTable("no table has this id")
        versions, erasures = chosen(history, records), list[Recorded]()
        for version in versions:
            history, erasure = record_command(reader.of(history.table), history, EraseText(version), moment())
            erasures += erasure
        if not erasures:
            return ()
        left = [without_section(records[version - 1], PUBLIC) for version in versions]
        # A player's command may have been appended in between.
        outcome = await erase(owner_dsn, Append(table, before.version, before.head, tuple(erasures)), *left)
        if isinstance(outcome, Appended):
            return [record.version for record in outcome.records]
    raise StoreUnavailable("the table is too busy")
