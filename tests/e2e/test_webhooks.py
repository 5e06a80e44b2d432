"""Webhooks of the service as it is run: from an act to a receiver on this machine, which the settings allow."""

from pathlib import Path

import httpx

from tests.support.projecting import until
from tests.support.receivers import Receiver, receiving
from tests.support.service import running


async def test_a_receiver_is_told_of_a_game_that_starts(tmp_path: Path) -> None:
    settings = {"CODILLE_WEBHOOK_NETWORKS": "127.0.0.0/8:1024-65535"}
    with running(tmp_path / "data", settings=settings) as service:
        async with (
            receiving() as receiver,
            httpx.AsyncClient(base_url=service.url, timeout=60, trust_env=False) as http,
        ):
            await _play(http, receiver)


async def _play(http: httpx.AsyncClient, receiver: Receiver) -> None:
    bearers = []
    for name in ("Ada", "Berta", "Carl"):
        token = (await http.post("/v1/players", json={"name": name})).json()["token"]
        bearers.append({"Authorization": f"Bearer {token}"})
    ada = bearers[0]
    asked = {"url": receiver.url, "events": ["game-started"]}
    webhook = (await http.post("/v1/webhooks", json=asked, headers=ada)).json()
    table = (await http.post("/v1/tables", json={"game": "crocodile"}, headers=ada)).json()["table"]
    for bearer in bearers:
        await http.post(f"/v1/tables/{table}/seats", json={}, headers=bearer)
    await receiver.until(lambda one: len(one.received) == 1)
    (received,) = receiver.received
    assert received.signed_with(webhook["secret"])
    assert received.notice["data"]["table"] == table
    path = f"/v1/webhooks/{webhook['id']}"
    # The answer that the receiver gave is recorded a moment after.

    async def delivered() -> bool:
        return bool((await http.get(f"{path}/deliveries?status=delivered", headers=ada)).json()["items"])

    await until(delivered)
    (delivery,) = (await http.get(f"{path}/deliveries", headers=ada)).json()["items"]
    assert (delivery["id"], delivery["attempts"], delivery["response_status"]) == (received.id, 1, 204)
    assert delivery["message"] == received.notice
    position = received.notice["data"]["position"]
    replayed = await http.post(f"{path}/replay", json={"after": position - 1}, headers=ada)
    assert replayed.status_code == 202
    await receiver.until(lambda one: len(one.received) == 2)
    assert receiver.received[1].id == received.id
