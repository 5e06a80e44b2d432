"""standardwebhooks verifies what a webhook sends of a game."""

import asyncio

import pytest

from tests.foreign.playing import Game
from tests.support.receivers import receiving

webhooks = pytest.importorskip("standardwebhooks", reason="standardwebhooks is not installed")


async def test_it_verifies_each_message_of_a_game(service_url: str) -> None:
    async with receiving() as receiver:
        game = await asyncio.to_thread(Game, service_url)
        wanted = {"url": receiver.url, "events": ["your-turn", "deal-scored", "game-over"]}
        webhook = await asyncio.to_thread(game.post, "/webhooks", wanted)
        await asyncio.to_thread(game.play)
        await receiver.until(lambda one: any(each.notice["type"] == "game-over" for each in one.received))
    verifier = webhooks.Webhook(webhook["secret"])
    kinds = {verifier.verify(each.body.decode(), dict(each.headers))["type"] for each in receiver.received}
    assert kinds == set(wanted["events"])
    one = receiver.received[0]
    with pytest.raises(webhooks.WebhookVerificationError):
        verifier.verify(one.body.decode() + " ", dict(one.headers))
