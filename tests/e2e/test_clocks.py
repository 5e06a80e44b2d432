"""Clocks of the service as it is run: time runs out, and the house acts."""

import httpx

WAIT_S = 60


async def test_the_house_acts_for_who_runs_out_of_time(service_url: str) -> None:
    async with httpx.AsyncClient(base_url=service_url, timeout=2 * WAIT_S, trust_env=False) as http:
        events = await _play(http)
    first = next(number for number, event in enumerate(events) if event["actor"] == "clock")
    assert first
    assert events[first]["at"] > events[first - 1]["at"]


async def _play(http: httpx.AsyncClient) -> list[dict[str, str]]:
    """Has three players sit down who do nothing; answers the table's events up to the first of the clock."""
    bearers = []
    for name in ("Ada", "Berta", "Carl"):
        token = (await http.post("/v1/players", json={"name": name})).json()["token"]
        bearers.append({"Authorization": f"Bearer {token}"})
    asked = {"game": "crocodile", "table": {"clock": {"seconds": 1}}}
    table = (await http.post("/v1/tables", json=asked, headers=bearers[0])).json()["table"]
    for bearer in bearers:
        assert (await http.post(f"/v1/tables/{table}/seats", json={}, headers=bearer)).is_success
    events: list[dict[str, str]] = []
    while "clock" not in {event["actor"] for event in events}:
        after = len(events)
        answer = await http.get(f"/v1/tables/{table}/events?after={after}&wait={WAIT_S}", headers=bearers[0])
        events += answer.json()["items"]
        assert len(events) > after
    return events
