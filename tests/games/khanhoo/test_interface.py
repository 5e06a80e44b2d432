"""What is special to Khanhoo at the interface: two who answer at the same moment, and cards without their copies."""

import asyncio
from typing import Any

import httpx

from tests.support.stranger import Player, Script, each, get, post, register, run


def begun(players: int) -> Script[tuple[str, list[Player]]]:
    """A table of so many at which eldest has discarded."""
    seated = yield from each([register(f"player {number}") for number in range(players)])
    options = {"players": players, "turn_limit": 10}
    opened = yield from post("/v1/tables", {"game": "khanhoo", "options": options}, seated[0])
    table = str(opened.body["table"])
    for player in seated:
        yield from post(f"/v1/tables/{table}/seats", {}, player)
    return table, seated


def to_act(table: str, player: Player) -> Script[Any]:
    response = yield from get(f"/v1/tables/{table}/offers", player)
    return response.body


def asked(table: str, seated: list[Player]) -> Script[list[int]]:
    """Eldest discards; the seats that are asked."""
    (eldest,) = (yield from to_act(table, seated[0]))["to_act"]
    offers = (yield from to_act(table, seated[eldest]))["offers"]
    card = next(offer for offer in offers if offer["type"] == "discard")["fields"]["card"]["one_of"][0]
    yield from post(f"/v1/tables/{table}/actions", {"type": "discard", "card": card}, seated[eldest])
    waited_for: list[int] = (yield from to_act(table, seated[0]))["to_act"]
    return waited_for


def test_kh_6_3_two_answers_at_once_are_both_recorded(service_url: str) -> None:
    with httpx.Client(base_url=service_url, trust_env=False) as http:
        table, seated = run(begun(4), http)
        seats = run(asked(table, seated), http)
        assert len(seats) == 2

        async def answer(player: Player, client: httpx.AsyncClient) -> httpx.Response:
            headers = {"authorization": f"Bearer {player.token}"}
            return await client.post(f"/v1/tables/{table}/actions", json={"type": "let-go"}, headers=headers)

        async def both() -> list[httpx.Response]:
            async with httpx.AsyncClient(base_url=service_url, trust_env=False) as client:
                return await asyncio.gather(*(answer(seated[seat], client) for seat in seats))

        responses = asyncio.run(both())
        assert [response.status_code for response in responses] == [201, 201], [each.text for each in responses]
        events = http.get(f"/v1/tables/{table}/events").json()["items"]
    answers = [event for event in events if event["type"] == "claim-answered"]
    assert sorted(event["public"]["seat"] for event in answers) == sorted(seats)
    assert [list(event["seals"]) for event in answers] == [[f"seat:{event['public']['seat']}"] for event in answers]
    assert [event["type"] for event in events].count("bumps-announced") == 1
    assert len({event["action"] for event in answers}) == 2


def test_kh_2_3_a_card_without_its_copy_is_refused(service_url: str) -> None:
    with httpx.Client(base_url=service_url, trust_env=False) as http:
        table, seated = run(begun(2), http)
        (eldest,) = run(to_act(table, seated[0]), http)["to_act"]
        headers = {"authorization": f"Bearer {seated[eldest].token}"}
        for card in ("9h", "Jo", "9h.3"):
            response = http.post(f"/v1/tables/{table}/actions", json={"type": "discard", "card": card}, headers=headers)
            assert response.status_code in (400, 409, 422), response.text
            assert response.headers["content-type"] == "application/problem+json"
        version = http.get(f"/v1/tables/{table}").json()["version"]
    assert version == 5
