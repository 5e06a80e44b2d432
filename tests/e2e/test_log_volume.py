"""What a client's requests leave in the log: actions have a line each, all else has none."""

import json

import httpx
import pytest

from tests.support.picking import pick, repeatable
from tests.support.service import Running


@pytest.fixture
def http(service: Running) -> httpx.Client:
    return httpx.Client(base_url=service.url, timeout=30, trust_env=False)


def test_reads_refusals_and_repetitions_leave_nothing_and_actions_a_line(service: Running, http: httpx.Client) -> None:
    players = [http.post("/v1/players", json={"name": name}).json() for name in ("Ada", "Berta", "Carl")]
    headers = [{"Authorization": f"Bearer {player['token']}"} for player in players]
    before = service.log.stat().st_size
    table = http.post("/v1/tables", json={"game": "crocodile"}, headers=headers[0]).json()["table"]
    path = f"/v1/tables/{table}"
    for own in headers:
        assert http.post(f"{path}/seats", json={}, headers=own).status_code == 201
    seat = http.get(f"{path}/offers").json()["to_act"][0]
    offers = http.get(f"{path}/offers", headers=headers[seat]).json()["offers"]
    action, key = pick(offers, repeatable(1)), {"Idempotency-Key": "once"}
    for _ in range(20):
        assert http.get(path).status_code == 200
        assert http.get("/v1/made-up").status_code == 404
        assert http.post(f"{path}/actions", json=action, headers=headers[seat - 1]).status_code == 409
        assert http.post(f"{path}/actions", json=action, headers=headers[seat] | key).status_code == 201
    written = service.log.read_bytes()[before:].decode()
    lines = [line for line in written.splitlines() if table in line or "request" in line]
    assert [json.loads(line)["type"] for line in lines] == ["TakeSeat"] * 3 + [action["type"]]
