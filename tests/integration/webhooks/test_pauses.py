"""Pauses outlast the webhooks that failed: whoever adds others gets no attempt more, and harms nobody else."""

from collections.abc import AsyncIterator, Sequence
from datetime import timedelta

import pytest

from service.live.deliveries import IN_A_ROW
from service.store.database import Database
from tests.integration.webhooks.conftest import World, someone
from tests.support.receivers import OK, Receiver, status

EVENTS = ["your-turn"]


@pytest.fixture
def world(world: World) -> World:
    """The world, in which every name leads to this machine."""
    world.look_up = lambda _host, _port: ["127.0.0.1"]
    world.deliveries_ = world.deliveries()
    return world


@pytest.fixture
async def owner(dsn: str) -> AsyncIterator[Database]:
    """The database as its owner sees it."""
    async with Database(dsn, owner=True, connections=1) as database:
        yield database


def at(receiver: Receiver, host: str) -> str:
    return f"http://{host}:{receiver.port}/"


async def added(world: World, url: str, player: str | None = None) -> tuple[str, str]:
    """A new webhook that is to be sent all there is: its player and its id."""
    player, webhook, _ = await world.add(url, player, events=EVENTS)
    assert await world.webhooks.replay(player, webhook, 0, world.clock()) == "replayed"
    return player, webhook


async def failing(world: World, receiver: Receiver, host: str) -> tuple[str, str]:
    """A webhook that was just paused for 5 seconds, since its receiver fails."""
    receiver.answer = lambda _: status(503)
    await world.append()
    player, webhook = await added(world, at(receiver, host))
    assert await world.deliver() == ["again"] * IN_A_ROW
    return player, webhook


@pytest.mark.parametrize(
    "change", ["added beside it", "added in its place", "moved", "disabled and enabled", "replayed"]
)
async def test_of_the_same_player_none_begins_anew(
    world: World, receiver: Receiver, other: Receiver, change: str
) -> None:
    player, webhook = await failing(world, receiver, "one.test")
    other.answer = receiver.answer
    now, url = world.clock(), at(other, "two.test")
    if change == "moved":
        assert await world.webhooks.change(player, webhook, now, url=url)
    elif change == "disabled and enabled":
        assert await world.webhooks.change(player, webhook, now, enabled=False)
        assert await world.webhooks.change(player, webhook, now, enabled=True)
    elif change == "replayed":
        assert await world.webhooks.replay(player, webhook, 0, now) == "replayed"
    else:
        if change == "added in its place":
            assert await world.webhooks.remove(player, webhook)
        await added(world, url)
    assert await world.deliver() == []
    world.clock.advance(5)
    before = len(receiver.received) + len(other.received)
    assert "again" in await world.deliver()
    # One more failure, and the pause has grown.
    world.clock.advance(9)
    assert await world.deliver() == []
    assert len(receiver.received) + len(other.received) <= before + 2


async def test_ten_have_no_more_attempts_than_one(world: World, receiver: Receiver) -> None:
    receiver.answer = lambda _: status(503)
    await world.append()
    for number in range(10):
        await added(world, at(receiver, f"host{number}.test"))
    # Each was begun before any had failed.
    assert await world.deliver() == ["again"] * 10
    world.clock.advance(5 * 2 ** (10 - IN_A_ROW) - 1)
    assert await world.deliver() == []


async def test_of_the_same_host_none_begins_anew_until_it_answers(
    world: World, receiver: Receiver, other: Receiver
) -> None:
    await failing(world, receiver, "One.test")
    stranger, elsewhere = someone(seat=1), someone(seat=2)
    waiting = await added(world, at(receiver, "one.test."), stranger)
    # Another player's receiver on another host has nothing to do with it.
    await added(world, at(other, "two.test"), elsewhere)
    assert set(await world.deliver()) == {"delivered"}
    assert len(other.received) == len(await world.due(elsewhere, kinds=EVENTS))
    assert len(receiver.received) == IN_A_ROW
    world.clock.advance(5)
    receiver.answer = lambda _: OK
    assert "again" not in await world.deliver()
    assert (await world.one(*waiting)).pending == 0
    # Where the host answers again, nothing is held against it.
    await added(world, at(receiver, "one.test"), elsewhere)
    assert set(await world.deliver()) == {"delivered"}


async def test_what_was_delivered_to_goes_on_beside_one_that_fails(
    world: World, receiver: Receiver, other: Receiver
) -> None:
    await world.append(last=30)
    player, webhook = await added(world, at(other, "two.test"))
    await world.deliver()
    receiver.answer = lambda _: status(503)
    await added(world, at(receiver, "one.test"))
    assert set(await world.deliver()) == {"again"}
    other.received.clear()
    await world.append(first=30)
    assert "delivered" in await world.deliver()
    assert other.received
    # A failure of its own counts as one, whatever failed beside it.
    other.answer = lambda _: status(500)
    assert await world.webhooks.replay(player, webhook, 0, world.clock()) == "replayed"
    assert (await world.deliver()).count("again") == IN_A_ROW


async def test_it_is_forgotten_after_a_while(world: World, receiver: Receiver, owner: Database) -> None:
    player, webhook = await failing(world, receiver, "one.test")
    assert await world.webhooks.remove(player, webhook)
    now = world.clock()
    await world.queued.tidy(now, now)
    assert await _remembered(owner) == [("host", "one.test", IN_A_ROW), ("player", player, IN_A_ROW)]
    await world.queued.tidy(now, now + timedelta(microseconds=1))
    assert await _remembered(owner) == []


async def _remembered(owner: Database) -> Sequence[tuple[str, str, int]]:
    rows = await owner.fetch("SELECT whose, name, failures FROM codille.webhook_pause ORDER BY whose")
    return [tuple(row) for row in rows]


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Bot.Example", "bot.example"),
        ("https://bot.example.:443/x?y=https://other.test/", "bot.example"),
        ("https://bot.example?x", "bot.example"),
        ("http://10.0.0.7:80/", "10.0.0.7"),
        ("https://[2606:4700::1]:443/", "[2606:4700::1]"),
    ],
)
async def test_the_host_is_that_of_the_url(world: World, owner: Database, url: str, host: str) -> None:
    await world.add(url)
    assert [tuple(row) for row in await owner.fetch("SELECT host FROM codille.webhook")] == [(host,)]
