"""A process without the signing key has exports signed, and checkpoints, and nothing else."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import structlog

from domain.record.export import signed_text
from domain.record.note import checkpoint_text, parse_note
from service.observability.metrics import Metrics
from service.store.database import Database
from service.store.store import Store
from service.transparency import NoKey, RequestSigner, Transparency
from service.transparency.requests import SignatureRequests
from tests.integration.transparency.conftest import grown
from tests.support.log import new_id


@pytest.fixture
async def signing(database: Database, transparency: Transparency) -> AsyncIterator[None]:
    """Meanwhile another process, which has the key, signs what is asked for."""
    stop = asyncio.Event()
    worker = asyncio.create_task(RequestSigner(database, transparency, Metrics(), structlog.get_logger()).run(stop))
    yield
    stop.set()
    await worker


@pytest.fixture
def keyless(database: Database) -> Transparency:
    return Transparency(database, None)


@pytest.mark.usefixtures("signing")
async def test_an_export_is_signed_by_the_process_that_has_the_key(
    keyless: Transparency, transparency: Transparency
) -> None:
    text = signed_text(new_id(), bytes(32))
    assert await keyless.signed(text) == await transparency.signed(text)


@pytest.mark.usefixtures("signing")
async def test_a_checkpoint_is_signed_at_once(keyless: Transparency, store: Store) -> None:
    await grown(store, 3)
    assert (await keyless.sign_checkpoint(3)).size == 3
    assert await keyless.newest() == await keyless.sign_checkpoint(3)
    await grown(store, 2)
    checkpoints = await asyncio.gather(*(keyless.sign_checkpoint(5) for _ in range(4)))
    assert {checkpoint.size for checkpoint in checkpoints} == {5}


@pytest.mark.usefixtures("signing")
@pytest.mark.parametrize(
    "text",
    [
        checkpoint_text(1_000_000, bytes(32)),
        "codille/key\ncodille+00000000+AAAA\n",
        signed_text(new_id(), bytes(32)) + "more\n",
        signed_text("", bytes(32)),
    ],
)
async def test_no_other_text_is_signed(database: Database, keyless: Transparency, text: str) -> None:
    refused = asyncio.create_task(SignatureRequests(database, wait_s=0.3).signed(text))
    # Later requests are answered meanwhile.
    note, _ = parse_note(await keyless.signed(signed_text(new_id(), bytes(32))))
    assert note.startswith("codille/export")
    with pytest.raises(NoKey, match="does not sign"):
        await refused


async def test_without_the_process_that_has_the_key_nothing_is_signed(database: Database) -> None:
    with pytest.raises(NoKey, match="the projector, does not sign just now"):
        await SignatureRequests(database, wait_s=0.05).signed(signed_text(new_id(), bytes(32)))
