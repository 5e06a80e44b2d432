"""Erasing words from a table's record: talk, the reason of a dispute, what an arbiter said."""

from domain.record.history import Reader, record_command, without_section
from domain.seats import PUBLIC
from domain.table.actions import EraseText
from service.commands.cache import NoSuchTable
from service.commands.handler import ATTEMPTS
from service.commands.moments import moment
from service.store.database import StoreUnavailable
from service.store.erasure import erase
from service.store.store import Append, Appended, Store


async def erase_text(store: Store, reader: Reader, owner_dsn: str, table: str, version: int) -> int:
    """Erases what the event of this version says to everyone, and answers the version of the event that tells so.

    The commitment stays, so that every hash does, and what is read of the table afterwards takes the words for erased.
    Raises Rejected where there are no such words, NoSuchTable, NotTheOwner, StoreUnavailable.
    """
    for _ in range(ATTEMPTS):
        records = await store.stream(table)
        history = reader.history(records)
        if history is None:
            raise NoSuchTable("no table has this id")
        _, told = record_command(reader.of(history.table), history, EraseText(version), moment())
        left = without_section(records[version - 1], PUBLIC)
        # Whoever plays there meanwhile may have been first.
        outcome = await erase(owner_dsn, Append(table, history.version, history.head, told), left)
        if isinstance(outcome, Appended):
            return outcome.last
    raise StoreUnavailable("the table is too busy")
