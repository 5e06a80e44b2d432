"""Checkpoints are signed over what the log holds, once for each size, and never over a log that was rewritten."""

import asyncio
import contextlib
import re
import stat
from codecs import BOM_UTF8
from itertools import pairwise
from pathlib import Path

import asyncpg
import pytest
import structlog

from domain.record import merkle
from domain.record.note import parse_checkpoint, parse_key, parse_note
from service.observability.metrics import Metrics
from service.store.database import Database
from service.store.store import Store
from service.store.tail import Tail
from service.transparency import Checkpoint, Keyring, LogAltered, NoKey, Signer, Transparency
from service.transparency.keys import ed25519, new_secret
from tests.integration.transparency.conftest import grown
from tests.support.merkle_trees import nodes_over
from tests.support.postgres import Owner

LOG = structlog.get_logger()


async def leaves(store: Store, size: int) -> list[bytes]:
    return [record.hash for record in await store.log(0, size)]


async def signed_rightly(transparency: Transparency, checkpoint: Checkpoint) -> None:
    """The note states this checkpoint, and the newest key has signed it."""
    assert parse_checkpoint(checkpoint.note) == (checkpoint.size, checkpoint.root)
    text, (signature,) = parse_note(checkpoint.note)
    key = (await transparency.keys())[-1].verifier
    assert parse_key(str(key)) == key
    assert (signature.name, signature.id) == (key.name, key.id)
    assert ed25519(key.public, signature.signature, text.encode())


@pytest.mark.parametrize("size", [0, 1, 2, 255, 256, 257, 700])
async def test_a_checkpoint_is_over_all_events_in_the_order_of_positions(
    transparency: Transparency, store: Store, size: int
) -> None:
    await grown(store, size)
    taken = await transparency.sign_checkpoint()
    assert (taken.size, taken.root) == (size, merkle.root_hash(nodes_over(await leaves(store, size or 1)), size))
    await signed_rightly(transparency, taken)
    assert await transparency.newest() == taken
    assert await transparency.sign_checkpoint() == taken


async def test_a_log_grows_under_its_checkpoints_and_every_proof_holds(
    transparency: Transparency, store: Store
) -> None:
    taken = []
    for more in (3, 250, 4, 600, 1):
        await grown(store, more)
        taken.append(await transparency.sign_checkpoint())
    entries = await leaves(store, taken[-1].size)
    nodes = nodes_over(entries)
    assert [one.root for one in taken] == [merkle.root_hash(nodes, one.size) for one in taken]
    for before, after in pairwise(taken):
        proof = await transparency.tree.consistency(before.size, after.size)
        assert proof == merkle.consistency_proof(nodes, before.size, after.size)
    for one in taken:
        positions = sorted({1, 2, one.size // 2 or 1, min(one.size, 256), min(one.size, 257), one.size})
        for position, proof in zip(positions, await transparency.tree.inclusions(positions, one.size), strict=True):
            leaf = merkle.leaf_hash(entries[position - 1])
            assert merkle.root_from_inclusion(leaf, position - 1, one.size, proof) == one.root


async def test_a_tree_of_three_bands_is_the_tree_of_its_leaves(transparency: Transparency, store: Store) -> None:
    size = 2 * 256 * 256 // 2 + 300
    await grown(store, size, a_table=2000)
    taken = await transparency.sign_checkpoint()
    entries = [record.hash for start in range(0, size, 20_000) for record in await store.log(start, 20_000)]
    nodes = nodes_over(entries)
    assert taken.root == merkle.root_hash(nodes, size)
    for position in (1, 65_536, 65_537, size):
        ((proof,),) = (await transparency.tree.inclusions([position], size),)
        assert proof == merkle.inclusion_proof(nodes, position - 1, size)


async def test_two_signers_at_once_sign_one_checkpoint_a_size(
    database: Database, store: Store, transparency: Transparency, keyring: Keyring
) -> None:
    other = Transparency(database, keyring)
    for _ in range(5):
        await grown(store, 40)
        one, two = await asyncio.gather(transparency.sign_checkpoint(), other.sign_checkpoint())
        assert one == two
    rows = await database.fetch("SELECT size FROM codille.checkpoint ORDER BY size")
    assert [size for (size,) in rows] == [40, 80, 120, 160, 200]


async def test_a_checkpoint_that_is_signed_stays(owner: Owner, transparency: Transparency, store: Store) -> None:
    await grown(store, 300)
    await transparency.sign_checkpoint()
    for statement in (
        "UPDATE codille.checkpoint SET root = decode(repeat('00', 32), 'hex')",
        "DELETE FROM codille.subtree",
        "TRUNCATE codille.signing_key",
    ):
        with pytest.raises(asyncpg.RestrictViolationError):
            await owner.execute(statement)


async def rewritten(owner: Owner, position: int) -> None:
    """An event is changed by somebody who can switch the triggers off."""
    await owner.execute("SET session_replication_role = replica")
    await owner.execute("UPDATE codille.event SET hash = decode(repeat('ab', 32), 'hex') WHERE position = $1", position)


async def test_a_log_that_was_rewritten_is_not_signed(owner: Owner, transparency: Transparency, store: Store) -> None:
    await grown(store, 300)
    taken = await transparency.sign_checkpoint()
    await rewritten(owner, 290)
    await grown(store, 10)
    with pytest.raises(LogAltered, match="not those that were signed"):
        await transparency.sign_checkpoint()
    assert await transparency.newest() == taken


async def test_a_log_that_lost_events_is_not_signed(owner: Owner, transparency: Transparency, store: Store) -> None:
    await grown(store, 300)
    await owner.execute("SET session_replication_role = replica")
    await owner.execute("DELETE FROM codille.event WHERE position = 100")
    with pytest.raises(LogAltered, match="missing"):
        await transparency.sign_checkpoint()


async def test_the_key_is_made_once_and_kept_to_oneself(tmp_path: Path) -> None:
    rings = [Keyring(None, tmp_path / "data", make=True) for _ in range(8)]
    keys = await asyncio.gather(*(asyncio.to_thread(ring.key) for ring in rings))
    assert len({key.verifier for key in keys}) == 1
    (file,) = (tmp_path / "data").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_bytes(BOM_UTF8 + file.read_bytes() + b"\r\n")
    assert rings[0].key().verifier == keys[0].verifier


async def test_without_a_key_nothing_is_signed_and_that_is_said(
    database: Database, store: Store, tmp_path: Path
) -> None:
    await grown(store, 1)
    with pytest.raises(NoKey, match="CODILLE_SIGNING_KEY is not set"):
        await Transparency(database, Keyring(None, tmp_path, make=False)).sign_checkpoint()
    for content in (b"not a key", ("00" * 32).encode("utf-16")):
        (tmp_path / "signing.key").write_bytes(content)
        with pytest.raises(NoKey, match="does not hold a signing key"):
            await Transparency(database, Keyring(None, tmp_path, make=True)).sign_checkpoint()


async def test_another_key_than_the_logs_signs_nothing(
    database: Database, store: Store, transparency: Transparency
) -> None:
    await grown(store, 1)
    await transparency.sign_checkpoint()
    await grown(store, 1)
    stranger = Transparency(database, Keyring(new_secret(), Path("unused"), make=False))
    with pytest.raises(NoKey, match="codille keys rotate"):
        await stranger.sign_checkpoint()
    assert len(await transparency.keys()) == 1


async def test_keys_are_rotated_and_each_announces_the_next(
    database: Database, store: Store, transparency: Transparency, keyring: Keyring
) -> None:
    await grown(store, 5)
    first = await transparency.sign_checkpoint()
    before = keyring.key().verifier
    after = await transparency.rotate(new_secret())
    assert keyring.key().verifier == after != before
    await grown(store, 5)
    second = await transparency.sign_checkpoint()
    await signed_rightly(transparency, second)
    old, new = await transparency.keys()
    assert [(key.verifier, key.since, key.until) for key in (old, new)] == [(before, 0, 5), (after, 5, None)]
    assert new.announcement is not None
    text, (signature,) = parse_note(new.announcement)
    assert text == f"codille/key\n{after}\n"
    assert ed25519(before.public, signature.signature, text.encode())
    nodes = nodes_over(await leaves(store, second.size))
    assert (first.root, second.root) == tuple(merkle.root_hash(nodes, one.size) for one in (first, second))
    proof = await transparency.tree.consistency(first.size, second.size)
    assert proof == merkle.consistency_proof(nodes, first.size, second.size)


async def test_the_worker_signs_as_the_log_grows(database: Database, store: Store, transparency: Transparency) -> None:
    stop = asyncio.Event()
    async with Tail(database, beat_s=0.1) as tail:
        signer = Signer(transparency, tail, Metrics(), LOG, every_s=0.02)
        working = asyncio.create_task(signer.run(stop))
        for size in (10, 20):
            await grown(store, 10)
            async with asyncio.timeout(20):
                while (newest := await transparency.newest()) is None or newest.size < size:  # noqa: ASYNC110 (it tells nobody)
                    await asyncio.sleep(0.01)
        stop.set()
        await working


def refusals(metrics: Metrics) -> float:
    """How often no checkpoint was signed."""
    (count,) = re.findall(rb"^codille_unsigned_heads_total (\S+)", metrics.exposition(), re.MULTILINE)
    return float(count)


async def test_the_worker_tells_of_a_rewritten_log_once_and_goes_on(
    owner: Owner, database: Database, store: Store, transparency: Transparency
) -> None:
    await grown(store, 10)
    await transparency.sign_checkpoint()
    await rewritten(owner, 3)
    await grown(store, 1)
    stop, metrics = asyncio.Event(), Metrics()
    with structlog.testing.capture_logs() as entries:
        async with Tail(database, beat_s=0.1) as tail:
            working = asyncio.create_task(
                Signer(transparency, tail, metrics, structlog.get_logger(), every_s=0.01).run(stop)
            )
            async with asyncio.timeout(20):
                while refusals(metrics) < 3:  # noqa: ASYNC110 (as above)
                    await asyncio.sleep(0.01)
            stop.set()
            await working
    assert [entry["log_level"] for entry in entries if entry["event"] == "no checkpoint was signed"] == ["error"]
    with contextlib.suppress(LogAltered):
        await transparency.sign_checkpoint()
        raise AssertionError("it was signed")
