"""Every notice of a player's tables is delivered, signed, by whichever process comes first."""

import asyncio
from datetime import timedelta

import msgspec
import pytest

from domain.record.recorded import GENESIS
from service.live.notices import KINDS
from service.store.store import Append
from tests.integration.webhooks.conftest import World, someone, table, told
from tests.support.notices import due
from tests.support.receivers import OK, Receiver, status


async def test_a_player_gets_every_notice_once_and_signed(world: World, receiver: Receiver) -> None:
    player, webhook, secret = await world.add(receiver.url)
    records = await world.append()
    await world.deliver()
    due = await world.due(player)
    assert sorted(told(receiver)) == sorted(due)
    assert len(set(due)) == len(due) > 10
    for received in receiver.received:
        assert received.signed_with(secret)
        assert not received.signed_with(secret[:-3] + "A==")
        assert int(received.headers["webhook-timestamp"]) == int(world.clock().timestamp())
        notice, record = received.notice, records[received.notice["data"]["version"] - 1]
        assert (notice["timestamp"], notice["data"]["table"]) == (record.at, record.table)
        assert notice["type"] in {"your-turn", record.type}
        assert notice["data"]["player"] == player
    assert {received.notice["type"] for received in receiver.received} >= {"your-turn", "game-started"}
    assert (await world.one(player, webhook)).pending == 0


async def test_only_what_was_asked_for_and_only_of_ones_own_tables(
    world: World, receiver: Receiver, other: Receiver
) -> None:
    player, *_ = await world.add(receiver.url, events=["deal-scored"])
    stranger = "01970000-0000-7000-9000-0000000000ff"
    await world.add(other.url, stranger)
    await world.append()
    await world.deliver()
    assert told(receiver) == await world.due(player, kinds=["deal-scored"]) != []
    assert other.received == []


async def test_what_was_before_a_webhook_is_not_sent_unless_asked_for(world: World, receiver: Receiver) -> None:
    await world.append(last=20)
    player, webhook, _ = await world.add(receiver.url)
    before = await world.store.end()
    await world.append(first=20)
    await world.deliver()
    assert sorted(told(receiver)) == sorted(await world.due(player, before))
    receiver.received.clear()
    assert await world.webhooks.replay(player, webhook, 0, world.clock()) == "replayed"
    await world.deliver()
    assert sorted(told(receiver)) == sorted(await world.due(player))
    receiver.received.clear()
    assert await world.webhooks.replay(player, webhook, before, world.clock()) == "replayed"
    await world.deliver()
    assert sorted(told(receiver)) == sorted(await world.due(player, before))
    assert await world.webhooks.replay(player, webhook, before + 10**6, world.clock()) == "beyond"


async def test_a_receiver_that_fails_half_of_the_time_gets_everything(world: World, receiver: Receiver) -> None:
    tried: set[str] = set()

    def answer(received: object) -> bytes:
        message = receiver.received[-1].id
        if message in tried:
            return OK
        tried.add(message)
        return status(500)

    receiver.answer = answer
    player, webhook, _ = await world.add(receiver.url)
    await world.append()
    due = await world.due(player)
    while (await world.one(player, webhook)).pending or not receiver.received:
        await world.deliver()
        world.clock.advance(600)
    assert sorted(told(receiver)) == sorted([*due, *due])
    deliveries = await world.webhooks.deliveries(webhook, None, "delivered", 200, KINDS)
    sent = {received.id for received in receiver.received}
    assert {(each.id, each.attempts, each.status) for each in deliveries} == {(each, 2, 204) for each in sent}


async def test_several_processes_send_each_message_once(world: World, receiver: Receiver) -> None:
    player, webhook, _ = await world.add(receiver.url)
    await world.add(receiver.url, events=["your-turn"])
    outboxes = [world.outbox(window=window) for window in (3, 7, 20_000)]
    senders = [world.deliveries() for _ in range(3)]
    for first in range(0, 45, 15):
        await world.append(first=first, last=first + 15)
        while (await world.one(player, webhook)).position < await world.store.end() or await _pending(world):
            await asyncio.gather(*(outbox.step() for outbox in outboxes), *(sender.turn() for sender in senders))
    due = [*await world.due(player), *await world.due(player, kinds=["your-turn"])]
    assert sorted(told(receiver)) == sorted(due)


async def _pending(world: World) -> int:
    return await world.queued.waiting()


async def test_a_message_of_a_killed_process_is_sent_by_another_and_what_comes_late_of_it_counts_for_nothing(
    world: World, receiver: Receiver
) -> None:
    player, webhook, _ = await world.add(receiver.url, events=["game-started"])
    await world.append()
    await world.queue()
    late = asyncio.Event()

    async def hang(_: object) -> bytes:
        await late.wait()
        return status(410)

    receiver.answer = hang
    dying = asyncio.create_task(world.deliveries().turn())
    await receiver.until(lambda one: len(one.received) == 1)
    receiver.answer = lambda _: OK
    assert await world.deliver() == []
    world.clock.advance(120)
    assert await world.deliver() == ["delivered"]
    late.set()
    assert await dying == ["stale"]
    assert told(receiver) == 2 * await world.due(player, kinds=["game-started"])
    assert (await world.one(player, webhook)).disabled_at is None


async def test_a_full_outbox_has_its_webhook_fall_behind_and_catch_up(
    world: World, receiver: Receiver, other: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.store.outbox_store.FULL_AT", 4)
    player, webhook, _ = await world.add(receiver.url)
    receiver.answer = lambda _: status(503)
    neighbour = someone(seat=1)
    await world.add(other.url, neighbour)
    world.outbox_ = world.outbox(window=5)
    # Both have caught up before anything happens.
    await world.queue()
    await world.append()
    await world.deliver()
    assert sorted(told(other)) == sorted(await world.due(neighbour))
    stuck = await world.one(player, webhook)
    assert 4 <= stuck.pending < len(await world.due(player))
    assert stuck.position < await world.store.end()
    receiver.answer = lambda _: OK
    failed = len(receiver.received)
    while (await world.one(player, webhook)).position < await world.store.end() or await _pending(world):
        world.clock.advance(3600)
        await world.deliver()
    assert sorted(told(receiver)[failed:]) == sorted(await world.due(player))


async def test_one_that_is_added_while_others_lag_begins_where_it_was_added(
    world: World, receiver: Receiver, other: Receiver
) -> None:
    world.outbox_ = world.outbox(window=5)
    await world.add(other.url)
    await world.queue()
    await world.append(last=30)
    await world.outbox_.step()
    player, webhook, _ = await world.add(receiver.url)
    added_at = (await world.one(player, webhook)).position
    await world.outbox_.step()
    assert (await world.one(player, webhook)).position == added_at == await world.store.end()
    await world.append(first=30)
    await world.deliver()
    assert sorted(told(receiver)) == sorted(await world.due(player, added_at))
    assert sorted(told(other)) == sorted(await world.due(player))


async def test_a_record_that_cannot_be_read_holds_up_no_other_tables_messages(
    world: World, receiver: Receiver, other: Receiver
) -> None:
    await world.add(other.url, someone(2))
    await world.queue()
    first, *_ = table(2)
    # Of a form that no version of the program knows yet.
    unknown = [*first[:-1], msgspec.structs.replace(first[-1], schema=99)]
    await world.store.append([Append(first[0].table, 0, GENESIS, unknown)])
    player, *_ = await world.add(receiver.url)
    records = await world.append()
    await world.deliver()
    assert sorted(told(receiver)) == sorted(one for one in due(records) if one[3] == player)
    assert other.received == []


async def test_a_webhook_of_a_player_who_is_erased_is_gone(world: World, receiver: Receiver) -> None:
    player, webhook, _ = await world.add(receiver.url)
    await world.append()
    await world.queue()
    assert await world.accounts.erase(player, world.clock())
    assert await world.deliver() == []
    assert await world.webhooks.one(player, webhook, world.clock()) is None
    assert receiver.received == []


async def test_nothing_is_sent_when_the_token_that_made_the_webhook_has_ended(world: World, receiver: Receiver) -> None:
    """Nor what waits in the outbox."""
    player, ends = someone(), world.clock() + timedelta(minutes=10)
    makers = {"bot": await world.lend(player), "guest": await world.lend(player, ends), "own": None}
    hooks = {name: (await world.add(f"{receiver.url}/{name}", player, by=by))[1] for name, by in makers.items()}

    async def sent() -> set[str]:
        receiver.received.clear()
        await world.deliver()
        return {one.path.rpartition("/")[2] for one in receiver.received}

    await world.append(last=20)
    await world.queue()
    assert await world.accounts.revoke(str(makers["bot"]), player, world.clock())
    assert await sent() == {"guest", "own"}
    receiver.answer = lambda _: status(503)
    await world.append(first=20, last=30)
    assert await sent() == {"guest", "own"}
    receiver.answer = lambda _: OK
    world.clock.advance(600)
    await world.append(first=30)
    assert await sent() == {"own"}
    assert [one.id for one in await world.webhooks.list(player, world.clock(), None, 10)] == [hooks["own"]]
    left = await world.database.fetch("SELECT id::text FROM codille.webhook WHERE player_id = $1", player)
    assert [tuple(row) for row in left] == [(hooks["own"],)]


async def test_the_outbox_and_the_deliveries_run_until_they_are_stopped(world: World, receiver: Receiver) -> None:
    player, *_ = await world.add(receiver.url)
    stop = asyncio.Event()
    deliveries = world.deliveries()
    async with world.tail:
        outbox = world.outbox(queued=deliveries.wake)
        running = asyncio.gather(outbox.run(stop), deliveries.run(stop))
        await world.append()
        due = await world.due(player)
        await receiver.until(lambda one: len(one.received) == len(due))
        stop.set()
        await running
    assert sorted(told(receiver)) == sorted(due)
