"""Erases texts from a table's record: talk, the reason of a dispute, the text of a ruling."""

from domain.record.history import Reader, record_command, without_section
from domain.seats import PUBLIC
from domain.table.actions import EraseText
from service.commands.cache import NoSuchTable
from service.commands.handler import ATTEMPTS
from service.moments import moment
from service.store.database import StoreUnavailable
from service.store.erasure import erase
from service.store.store import Append, Appended, Store


async def erase_text(store: Store, reader: Reader, owner_dsn: str, table: str, version: int) -> int:
    """Erases the text of the event at this version, and returns the version of the event that records the erasure.

    The commitment stays, and so does every hash. From then on the text is shown as erased. Raises Rejected if there is
    no such text, NoSuchTable, NotTheOwner, StoreUnavailable.
    """
    for _ in range(ATTEMPTS):
        records = await store.stream(table)
        history = reader.history(records)
        if history is None:
            raise NoSuchTable("no table has this id")
        _, erasure = record_command(reader.of(history.table), history, EraseText(version), moment())
        left = without_section(records[version - 1], PUBLIC)
        # A player's command may have been appended in between.
        outcome = await erase(owner_dsn, Append(table, history.version, history.head, erasure), left)
        if isinstance(outcome, Appended):
            return outcome.placed[-1].version
    raise StoreUnavailable("the table is too busy")
