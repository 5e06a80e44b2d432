"""A client that writes every number with a point, as Gson does in Java where a value has no type of its own."""

import json
from typing import Any

import httpx

from tests.foreign.playing import PATIENCE_S, Game, by_httpx, play, taken


def write(value: Any) -> str:
    return json.dumps(json.loads(json.dumps(value), parse_int=float))


def test_it_plays_a_game(service_url: str) -> None:
    assert write({"seat": 0}) == '{"seat": 0.0}'
    play(service_url, by_httpx, write=write)


def test_acts_hold_its_numbers(service_url: str) -> None:
    game = Game(service_url, write=write, game="nuts", bots=False)
    numbered = False
    while not numbered:
        for token in game.tokens:
            offers = game.get(f"{game.path}/offers", token)["offers"]
            with_number = [offer for offer in offers if {"column", "foundation"} & offer["fields"].keys()]
            if offers:
                act = taken(with_number or offers)
                game.post(f"{game.path}/actions", act, token)
                numbered = numbered or any(isinstance(value, int) for value in act.values())


def test_a_key_takes_either_form_for_the_same_body(service_url: str) -> None:
    game = Game(service_url)
    headers = game.bearer() | {"Content-Type": "application/json", "Idempotency-Key": "once"}
    answers = [
        httpx.post(f"{game.url}/tables", headers=headers, content=body, timeout=PATIENCE_S, trust_env=False)
        for body in ('{"game": "crocodile", "deals": 3}', '{"game": "crocodile", "deals": 3.0}')
    ]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
