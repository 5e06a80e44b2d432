"""Receivers that fail, hang, redirect, go on for ever or are gone; and changes made while an attempt is under way."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from service.live.deliveries import FAILING_DAYS, IN_A_ROW, PAUSES_S
from service.live.notices import KINDS
from service.live.sender import Sender
from service.live.targets import Resolver, Targets
from service.store.database import StoreUnavailable
from service.store.outbox_store import AT_ONCE, LISTED
from service.store.webhook_store import Delivery
from tests.integration.webhooks.conftest import HERE, World, someone, told
from tests.support.receivers import OK, Receiver, endless, status

EARLY = b"HTTP/1.1 103 Early Hints\r\n\r\n"


async def never(_: object) -> bytes:
    """An answer that does not come."""
    await asyncio.sleep(3600)
    return OK


async def listed(world: World, webhook: str) -> list[Delivery]:
    return list(await world.webhooks.deliveries(webhook, None, None, 200, KINDS))


async def test_a_receiver_that_hangs_holds_up_nobody_else(world: World, receiver: Receiver, other: Receiver) -> None:
    receiver.answer = never
    for _ in range(3):
        await world.add(receiver.url)
    player, *_ = await world.add(other.url, someone(seat=1))
    await world.append()
    await world.queue()
    due = await world.due(player)
    stop = asyncio.Event()
    running = asyncio.create_task(world.deliveries(slow_slots=4).run(stop))
    await other.until(lambda one: len(one.received) == len(due))
    # One attempt at a time, since none was ever answered.
    assert len(receiver.received) == 3
    stop.set()
    await running
    assert sorted(told(other)) == sorted(due)


async def test_those_that_never_answered_cannot_take_the_places_of_those_that_did(
    world: World, receiver: Receiver, other: Receiver
) -> None:
    player, *_ = await world.add(other.url, someone(seat=1))
    await world.append(last=20)
    await world.deliver()
    receiver.answer = never
    for _ in range(4):
        await world.add(receiver.url)
    first = len(other.received)
    await world.append(first=20)
    await world.queue()
    stop = asyncio.Event()
    running = asyncio.create_task(world.deliveries(slots=1, slow_slots=2).run(stop))
    due = await world.due(player)
    await other.until(lambda one: len(one.received) == len(due))
    await receiver.until(lambda one: len(one.received) == 2)
    stop.set()
    await running
    assert len(due) > first > 0


async def test_so_many_attempts_at_once_and_no_more(world: World, receiver: Receiver) -> None:
    go = asyncio.Event()

    async def slow(_: object) -> bytes:
        await go.wait()
        return OK

    player, *_ = await world.add(receiver.url)
    await world.append(last=20)
    await world.deliver()
    before = len(receiver.received)
    receiver.answer = slow
    await world.append(first=20)
    await world.queue()
    one, two = (asyncio.create_task(world.deliveries().turn()) for _ in range(2))
    await receiver.until(lambda one: len(one.received) == before + AT_ONCE)
    assert await world.deliveries().turn() == []
    go.set()
    assert [*await one, *await two] == AT_ONCE * ["delivered"]
    await world.deliver()
    assert sorted(told(receiver)) == sorted(await world.due(player))


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (status(500), "status"),
        (status(404), "status"),
        (status(301, "Location: /elsewhere"), "redirect"),
        (b"nonsense\r\n\r\n", "protocol"),
        (b"", "protocol"),
        (b"HTTP/1.1 200 OK\r\n" + b"X-Long: " + b"x" * 300_000 + b"\r\n\r\n", "protocol"),
        (9 * EARLY + OK, "protocol"),
    ],
    ids=["500", "404", "301", "no HTTP", "nothing", "an endless head", "nine interim answers"],
)
async def test_other_answers_are_failures(world: World, receiver: Receiver, answer: bytes, error: str) -> None:
    receiver.answer = lambda _: answer
    _, webhook, _ = await world.add(receiver.url, events=["game-started"])
    await world.append()
    assert await world.deliver() == ["again"]
    (delivery,) = await listed(world, webhook)
    assert (delivery.error, delivery.attempts, delivery.delivered) == (error, 1, None)
    assert delivery.due_at == world.clock() + timedelta(seconds=PAUSES_S[0])


@pytest.mark.parametrize(
    ("first", "piece"),
    [(b"", 400 * EARLY), (b"", EARLY), (b"HTTP/1.1 200 OK\r\n", 100 * b"X-More: x\r\n")],
    ids=["interim answers", "interim answers one by one", "headers"],
)
async def test_what_never_ends_is_not_waited_for(world: World, receiver: Receiver, first: bytes, piece: bytes) -> None:
    """Each of these could keep an attempt, and with it the event loop, busy until its time is over."""
    receiver.answer = lambda _: endless(piece, first=first)
    _, webhook, _ = await world.add(receiver.url, events=["game-started"])
    await world.append()
    assert await world.deliver() == ["again"]
    assert [each.error for each in await listed(world, webhook)] == ["protocol"]
    await receiver.until(lambda one: one.abandoned == 1)


async def test_interim_answers_may_come_before_the_final_one(world: World, receiver: Receiver) -> None:
    receiver.answer = lambda _: 8 * EARLY + OK
    await world.add(receiver.url, events=["game-started"])
    await world.append()
    assert await world.deliver() == ["delivered"]


async def test_nobody_there_is_a_failure(world: World, receiver: Receiver) -> None:
    _, webhook, _ = await world.add("http://127.0.0.1:1/", events=["game-started"])
    await world.append()
    assert await world.deliver() == ["again"]
    assert [each.error for each in await listed(world, webhook)] == ["unreachable"]


async def test_an_answer_that_does_not_come_in_time_is_a_failure(world: World, receiver: Receiver) -> None:
    receiver.answer = never
    _, webhook, _ = await world.add(receiver.url, events=["game-started"])
    await world.append()
    sender = Sender(Resolver(Targets(HERE), 1), timeout_s=0.01)
    world.deliveries_ = world.deliveries(sender=sender)
    assert await world.deliver() == ["again"]
    assert [each.error for each in await listed(world, webhook)] == ["timeout"]


async def test_a_redirect_is_not_followed(world: World, receiver: Receiver, other: Receiver) -> None:
    for code in (301, 302, 303, 307, 308):
        receiver.answer = lambda _, code=code: status(code, f"Location: {other.url}")  # type: ignore[misc]
        await world.add(receiver.url, events=["game-started"])
    await world.append()
    assert set(await world.deliver()) == {"again"}
    assert len(receiver.received) == 5
    assert other.received == []


async def test_of_megabytes_next_to_nothing_is_read(world: World, receiver: Receiver) -> None:
    async def much(_: object) -> bytes:
        return b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n" + b"x" * 50_000_000

    receiver.answer = much
    await world.add(receiver.url, events=["game-started"])
    await world.append()
    assert await world.deliver() == ["delivered"]
    # It was left with what it had to say.
    await receiver.until(lambda one: one.abandoned == 1)


async def test_pauses_grow_until_the_message_is_given_up(world: World, receiver: Receiver) -> None:
    _, webhook, _ = await world.add(receiver.url, events=["game-started"])
    receiver.answer = lambda _: status(500)
    await world.append()
    await world.queue()
    settled = []
    for pause_s in (*PAUSES_S, 0):
        (one,) = await world.deliveries_.turn()
        settled.append(one)
        if one == "again":
            delivery = (await listed(world, webhook))[0]
            assert delivery.due_at == world.clock() + timedelta(seconds=pause_s)
            world.clock.advance(pause_s - 1)
            assert await world.deliveries_.turn() == []
            world.clock.advance(1)
    assert settled == ["again"] * len(PAUSES_S) + ["given-up"]
    assert [(each.delivered, each.attempts) for each in await listed(world, webhook)] == [(False, len(PAUSES_S) + 1)]


async def test_what_fails_for_days_is_disabled_and_goes_on_where_it_stopped(world: World, receiver: Receiver) -> None:
    receiver.answer = lambda _: status(500)
    player, webhook, _ = await world.add(receiver.url)
    await world.append(last=30)
    settled: list[str] = []
    while "disabled" not in settled:
        world.clock.advance(3 * 3600)
        settled += await world.deliver()
    one = await world.one(player, webhook)
    assert (one.disabled_because, one.pending) == ("failing", 0)
    assert one.failing_since is not None
    assert one.disabled_at is not None
    assert one.disabled_at - one.failing_since >= timedelta(days=FAILING_DAYS)
    assert world.metrics.registry.get_sample_value("codille_webhooks_disabled_total") == 1
    await world.append(first=30)
    receiver.received.clear()
    receiver.answer = lambda _: OK
    assert await world.deliver() == []
    assert await world.webhooks.change(player, webhook, world.clock(), enabled=True)
    # Its player and its host are paused for an hour at most, since it failed last.
    world.clock.advance(3600)
    await world.deliver()
    assert sorted(told(receiver)) == sorted(await world.due(player))


async def test_what_is_gone_is_disabled_at_once(world: World, receiver: Receiver) -> None:
    receiver.answer = lambda _: status(410)
    player, webhook, _ = await world.add(receiver.url)
    await world.append()
    assert await world.deliver() == ["disabled"]
    assert (await world.one(player, webhook)).disabled_because == "gone"
    world.clock.advance(10**6)
    assert await world.deliver() == []
    receiver.received.clear()
    receiver.answer = lambda _: OK
    assert await world.webhooks.replay(player, webhook, 0, world.clock()) == "replayed"
    await world.deliver()
    assert sorted(told(receiver)) == sorted(await world.due(player))


async def test_failures_in_a_row_have_the_receiver_left_alone(world: World, receiver: Receiver) -> None:
    receiver.answer = lambda _: status(503)
    await world.add(receiver.url)
    await world.append()
    assert await world.deliver() == ["again"] * IN_A_ROW
    receiver.answer = lambda _: OK
    assert await world.deliver() == []
    world.clock.advance(5)
    assert len(await world.deliver()) > IN_A_ROW


async def test_a_receiver_says_how_long_it_wants_to_be_left_alone(world: World, receiver: Receiver) -> None:
    receiver.answer = lambda _: status(429, "Retry-After: 7200")
    await world.add(receiver.url)
    await world.append()
    assert await world.deliver() == ["again"]
    receiver.answer = lambda _: OK
    world.clock.advance(7199)
    assert await world.deliver() == []
    world.clock.advance(1)
    assert len(await world.deliver()) > 1


@pytest.mark.parametrize("code", [200, 410, 500])
@pytest.mark.parametrize("change", ["replayed", "moved", "removed", "disabled and enabled"])
async def test_an_attempt_under_way_undoes_no_change(
    world: World, receiver: Receiver, other: Receiver, change: str, code: int
) -> None:
    late = asyncio.Event()

    async def hang(_: object) -> bytes:
        await late.wait()
        return status(code)

    player, webhook, _ = await world.add(receiver.url, events=["game-started"])
    await world.append()
    await world.queue()
    receiver.answer = hang
    attempt = asyncio.create_task(world.deliveries_.turn())
    await receiver.until(lambda one: len(one.received) == 1)
    now = world.clock()
    if change == "replayed":
        await world.webhooks.replay(player, webhook, 0, now)
    elif change == "moved":
        await world.webhooks.change(player, webhook, now, url=other.url)
    elif change == "removed":
        await world.webhooks.remove(player, webhook)
    else:
        await world.webhooks.change(player, webhook, now, enabled=False)
        await world.webhooks.change(player, webhook, now, enabled=True)
    late.set()
    assert await attempt == ["stale"]
    receiver.answer = lambda _: OK
    due = [] if change == "removed" else await world.due(player, kinds=["game-started"])
    assert await world.deliver() == ["delivered"] * len(due)
    assert [*told(receiver)[1:], *told(other)] == due
    if due:
        one = await world.one(player, webhook)
        assert (one.disabled_at, one.failing_since, one.pending) == (None, None, 0)


async def test_the_secret_before_signs_too_for_a_day(world: World, receiver: Receiver) -> None:
    player, webhook, first = await world.add(receiver.url, events=["game-started"])
    await world.append()
    now = world.clock()
    await world.webhooks.rotate(player, webhook, bytes(32), now, now + timedelta(days=1))
    await world.deliver()
    world.clock.advance(24 * 3600)
    await world.webhooks.replay(player, webhook, 0, world.clock())
    await world.deliver()
    second = "whsec_" + "A" * 43 + "="
    signed = [[one.signed_with(secret) for secret in (first, second)] for one in receiver.received]
    assert signed == [[True, True], [False, True]]


class Failing:
    """Postgres is away at each first call of a method."""

    def __init__(self, webhooks: Any) -> None:
        self._webhooks = webhooks
        self.failed: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._webhooks, name)

        async def call(*arguments: Any, **named: Any) -> Any:
            if name not in self.failed:
                self.failed.add(name)
                raise StoreUnavailable("away")
            return await method(*arguments, **named)

        return call


async def test_outages_are_waited_out(world: World, receiver: Receiver) -> None:
    player, *_ = await world.add(receiver.url)
    await world.append()
    failing = Failing(world.queued)
    world.queued = failing  # type: ignore[assignment] # but for its failures it is one
    deliveries, stop = world.deliveries(), asyncio.Event()
    async with world.tail:
        running = asyncio.gather(world.outbox(queued=deliveries.wake).run(stop), deliveries.run(stop))
        due = await world.due(player)
        await receiver.until(lambda one: len(one.received) == len(due))
        stop.set()
        await running
    assert failing.failed >= {"outlook", "events", "queue_behind", "claim", "settle"}
    assert sorted(told(receiver)) == sorted(due)


async def test_what_is_settled_is_listed_up_to_a_bound(
    world: World, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.store.outbox_store.LISTED", 3)
    player, webhook, _ = await world.add(receiver.url)
    await world.append()
    await world.deliver()
    due = await world.due(player)
    assert LISTED > len(due) > 4
    kept = await listed(world, webhook)
    assert 3 <= len(kept) <= 4
    assert kept[0].position == max(received.notice["data"]["position"] for received in receiver.received)
