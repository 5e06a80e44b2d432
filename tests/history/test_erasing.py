"""All that players wrote is found in databases of earlier versions too, and erased."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from service.commands.erasing import erase_words
from service.store.accounts import Accounts
from service.store.database import Database
from service.store.migrate import migrate
from service.store.store import Store
from tests.history.archives import ARCHIVES
from tests.support.games import READER
from tests.support.postgres import Postgres, binaries

TEXTS = 32
WORDS = "SELECT count(*) FROM codille.event WHERE convert_from(sealed, 'UTF8')::jsonb ? 'public'"


@pytest.fixture
def restored() -> Iterator[str]:
    """The database of the earliest version, on a server of its own."""
    server = Postgres(binaries())
    server.start()
    yield server.dsn(ARCHIVES["70ad555"].restore(server))
    server.remove()


async def test_no_words_are_left_when_everybody_is_erased(restored: str) -> None:
    await migrate(restored)
    async with Database(restored, owner=True) as database:
        accounts, erased = Accounts(database), 0
        assert [tuple(row) for row in await database.fetch(WORDS)] == [(TEXTS,)]
        for player in await accounts.directory(None, 100):
            assert await accounts.erase(player.id, datetime.now(UTC), words=True)
            words = await erase_words(Store(database), READER, restored, player.id)
            assert not words.unread
            erased += words.texts
        assert [erased, *map(tuple, await database.fetch(WORDS))] == [TEXTS, (0,)]
        assert await accounts.words_asked() == []
