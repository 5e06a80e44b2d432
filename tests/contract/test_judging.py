"""Deals judged by the rules from their cards and acts, wherever they were played."""

import re
from copy import deepcopy
from typing import Any

import httpx
import msgspec
import pytest

from domain.registry import GAMES
from tests.contract.conftest import problem
from tests.golden.games import names, records
from tests.support.for_each import for_each
from tests.support.judging import body_of, played_game, sent


async def judged(client: httpx.AsyncClient, game: str, body: object) -> dict[str, Any]:
    answer = await client.post(f"/v1/games/{game}/judge", json=body)
    assert answer.status_code == 200, answer.text
    decoded: dict[str, Any] = answer.json()
    assert decoded["judged"] == "not recorded"
    return decoded


@pytest.mark.parametrize("game", GAMES)
async def test_a_recorded_game_is_judged_as_it_was_booked(client: httpx.AsyncClient, game: str) -> None:
    deals = played_game(records(game, names(game)[0]))
    assert deals is not None
    answer = await judged(client, game, sent(deals))
    assert answer["refused"] is None
    scores = [event["public"] for event in answer["events"] if event["type"] == "deal-scored"]
    booked = msgspec.to_builtins([score.totals for score in deals.scored])
    assert [tuple(score["totals"]) for score in scores] == booked
    recorded = [line for event in deals.happened for line in getattr(event.public, "lines", ())]
    assert [(line["amount"], line["rule"], line["text"]) for line in answer["lines"]][: len(recorded)] == [
        (line.amount, line.rule, line.text) for line in recorded
    ]
    assert answer["rules"].keys() == {line["rule"] for line in answer["lines"]}
    assert (answer["to_act"], answer["open"]) == ([], [])
    booking = {event["version"]: event for event in answer["events"]}
    for line in answer["lines"]:
        assert line["sentence"]
        assert booking[line["version"]]["public"]["lines"]
        assert booking.keys() >= {*line["events"]}


async def test_the_first_act_that_is_refused_is_named_with_its_rule_and_what_was_open(
    client: httpx.AsyncClient,
) -> None:
    body = body_of("crocodile")
    acts = body["deals"][0]["acts"]
    place = next(place for place, act in enumerate(acts) if act["type"] == "play")
    acts[place]["seat"] = (acts[place]["seat"] + 1) % 3
    answer = await judged(client, "crocodile", body)
    refused = answer["refused"]
    assert (refused["pointer"], refused["code"]) == (f"/deals/0/acts/{place}", "not-your-turn")
    assert answer["to_act"] == [(acts[place]["seat"] + 2) % 3]
    assert [one["offers"][0]["type"] for one in answer["open"]] == ["play"]
    assert answer["lines"] == []
    del acts[place:], body["deals"][1:]
    assert await judged(client, "crocodile", body) == answer | {"refused": None}


async def test_a_card_that_may_not_be_played_is_refused_by_the_rule(client: httpx.AsyncClient) -> None:
    body = body_of("boston")
    acts = body["deals"][0]["acts"]
    led, followed = [act for act in acts if act["type"] == "play"][:2]
    hands = {pile["seat"]: pile["cards"] for pile in body["deals"][0]["piles"] if pile["pile"] == "hand"}
    other = next(card for card in hands[followed["seat"]] if card[1] != led["card"][1])
    followed["card"] = other
    refused = (await judged(client, "boston", body))["refused"]
    assert refused["code"] == "rule-violation"
    assert refused["rule"].startswith("BO-")
    assert refused["text"]
    assert refused["detail"]


async def test_an_act_after_the_deal_is_refused(client: httpx.AsyncClient) -> None:
    body = body_of("don")
    del body["deals"][1:]
    acts = body["deals"][0]["acts"]
    acts.append(acts[-1])
    refused = (await judged(client, "don", body))["refused"]
    assert refused["pointer"] == f"/deals/0/acts/{len(acts) - 1}"


def pile(deal: dict[str, Any], number: int) -> list[str]:
    cards: list[str] = deal["piles"][number]["cards"]
    return cards


def card_twice(deal: dict[str, Any]) -> str:
    pile(deal, 0)[0] = pile(deal, 1)[0]
    return "/deals/0/piles/1/cards/0"


def fifty_one_cards(deal: dict[str, Any]) -> str:
    del pile(deal, 0)[0]
    return "/deals/0/piles/0/cards"


def no_such_card(deal: dict[str, Any]) -> str:
    pile(deal, 0)[3] = "1x"
    return "/deals/0/piles/0/cards/3"


def of_another_game(deal: dict[str, Any]) -> str:
    pile(deal, 0)[3] = "XX"
    return "/deals/0/piles/0/cards/3"


def pile_twice(deal: dict[str, Any]) -> str:
    deal["piles"].append(deal["piles"][0])
    return f"/deals/0/piles/{len(deal['piles']) - 1}"


def unknown_pile(deal: dict[str, Any]) -> str:
    deal["piles"].append({"pile": "widow", "cards": []})
    return f"/deals/0/piles/{len(deal['piles']) - 1}"


def no_piles(deal: dict[str, Any]) -> str:
    deal["piles"] = []
    return "/deals/0/piles"


def seat_below_zero(deal: dict[str, Any]) -> str:
    deal["acts"][0]["seat"] = -1
    return "/deals/0/acts/0/seat"


def no_seat(deal: dict[str, Any]) -> str:
    del deal["acts"][0]["seat"]
    return "/deals/0/acts/0/seat"


def no_such_act(deal: dict[str, Any]) -> str:
    deal["acts"][0]["type"] = "cheat"
    return "/deals/0/acts/0/type"


def no_act(deal: dict[str, Any]) -> str:
    deal["acts"][0] = "play"
    return "/deals/0/acts/0"


BAD = [
    card_twice,
    fifty_one_cards,
    no_such_card,
    of_another_game,
    pile_twice,
    unknown_pile,
    no_piles,
    seat_below_zero,
    no_seat,
    no_such_act,
    no_act,
]


@for_each("bad", BAD)
async def test_what_no_deal_can_have_is_refused_where_it_stands(client: httpx.AsyncClient, bad: Any) -> None:
    body = body_of("solo")
    pointer = bad(body["deals"][0])
    answer = problem(await client.post("/v1/games/solo/judge", json=body), 422, "invalid-body")
    assert answer["errors"][0]["pointer"] == pointer
    # Cards are those of this game, and piles those of this deal.
    assert "0.2c" not in answer["detail"]
    assert ("which has hand of seat 0" in answer["detail"]) is (bad is unknown_pile)


async def test_deals_follow_each_other(client: httpx.AsyncClient) -> None:
    body = body_of("crocodile")
    unfinished = deepcopy(body)
    del unfinished["deals"][0]["acts"][-1]
    answer = problem(await client.post("/v1/games/crocodile/judge", json=unfinished), 422, "invalid-body")
    assert answer["errors"][0] == {"pointer": "/deals/1", "detail": "must not follow: the deal before it is not over"}
    beyond = body | {"deals": body["deals"] + body["deals"][-1:]}
    answer = problem(await client.post("/v1/games/crocodile/judge", json=beyond), 422, "invalid-body")
    assert answer["errors"][0]["detail"] == "must not follow: the game is over"


async def test_a_renewed_stock_is_given_in_place_of_a_shuffle(client: httpx.AsyncClient) -> None:
    body = next(
        sent(one) for name in names("khanhoo") if (one := played_game(records("khanhoo", name))) and one.deals[0].stocks
    )
    body = msgspec.json.decode(msgspec.json.encode(body | {"deals": body["deals"][:1]}))
    renewed = [event for event in (await judged(client, "khanhoo", body))["events"] if event["type"] == "stock-renewed"]
    (stock, *_) = body["deals"][0]["stocks"]
    assert [opening["card"] for opening in renewed[0]["sealed"]["house"]["stock"]] == stock
    missing = deepcopy(body)
    missing["deals"][0]["stocks"] = []
    answer = problem(await client.post("/v1/games/khanhoo/judge", json=missing), 422, "invalid-body")
    assert answer["errors"][0]["pointer"] == "/deals/0/stocks"
    assert answer["errors"][0]["detail"].startswith("must have another stock")
    del body["deals"][0]["stocks"][0][0]
    answer = problem(await client.post("/v1/games/khanhoo/judge", json=body), 422, "invalid-body")
    assert answer["errors"][0]["detail"].startswith("must have in its next stock these cards in some order")


async def test_what_proves_a_fair_deal_is_not_made_up(client: httpx.AsyncClient) -> None:
    for game in ("nuts", "khanhoo"):
        answer = await client.post(f"/v1/games/{game}/judge", json=body_of(game))
        assert answer.json()["refused"] is None
        assert not re.search('"(salt|seed|card_commitments)"', answer.text)


async def test_a_game_without_a_dealer_is_dealt_by_nobody(client: httpx.AsyncClient) -> None:
    dealt, *_ = (await judged(client, "nuts", body_of("nuts")))["events"]
    assert dealt["public"]["dealer"] is None


async def test_ten_thousand_acts_are_too_many(client: httpx.AsyncClient) -> None:
    body = body_of("solo")
    body["deals"][0]["acts"] *= 10_000 // len(body["deals"][0]["acts"]) + 1
    problem(await client.post("/v1/games/solo/judge", json=body), 413, "body-too-large")


async def test_earlier_rules_judge_as_they_did(client: httpx.AsyncClient) -> None:
    body = body_of("boston")
    assert (await judged(client, "boston", body | {"rules_version": 1}))["rules_version"] == 1
    answer = problem(
        await client.post("/v1/games/boston/judge", json=body | {"rules_version": 99}), 422, "invalid-body"
    )
    assert answer["errors"][0]["pointer"] == "/rules_version"
