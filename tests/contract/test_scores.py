"""Deals scored by their facts, wherever they were played."""

from typing import Any

import httpx
import msgspec
import pytest

from domain.registry import GAMES
from domain.table.events import CardsDealt, DealScored
from service.services import Services
from tests.contract.conftest import Caller, deal_over, problem, seated
from tests.contract.test_table_ends import append
from tests.golden.games import READER, names, records
from tests.support.for_each import for_each

PLAYED = {"ended": "played", "declarer": 1, "contract": "casco", "tricks": [2, 5, 2]}
NO_RUN = {"melds": [{"cards": ["7h", "8h", "Jh"]}], "pozzetto": True}
LAID = {
    "ended": "stock-exhausted",
    "sides": [{"melds": [], "pozzetto": True}, NO_RUN],
    "hands": [["3c"], ["3c"], ["3d"], ["3d"]],
}
SCORE = "/v1/games/{}/score"


async def scored(client: httpx.AsyncClient, game: str, body: object) -> dict[str, Any]:
    answer = await client.post(SCORE.format(game), json=body)
    assert answer.status_code == 200, answer.text
    decoded: dict[str, Any] = answer.json()
    assert decoded["scored"] == "not recorded"
    return decoded


def lines_of(event: dict[str, Any]) -> list[dict[str, Any]]:
    """The lines of an event as they are where players are known by their seats."""
    seats = {line["account"]: line["seat"] for line in event["lines"] if line["seat"] is not None}
    kept = ("amount", "kind", "rule", "text")
    return [
        {"account": seats.get(line["account"], line["account"]), "with": seats.get(line["with"], line["with"])}
        | {name: line[name] for name in kept}
        for line in event["lines"]
    ]


def said(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    assert all(line["sentence"] for line in lines)
    return [{name: value for name, value in line.items() if name != "sentence"} for line in lines]


@pytest.mark.parametrize("game", GAMES)
async def test_the_facts_of_a_recorded_deal_give_what_it_booked(
    client: httpx.AsyncClient, services: Services, game: str
) -> None:
    record = records(game, names(game)[0])
    table = await append(services, record)
    events = [(one.deal, one.type, msgspec.to_builtins(READER.read(one).public)) for one in record]
    booked = {deal: public for deal, type, public in events if deal and type == DealScored.TYPE}
    antes = {deal: public for deal, type, public in events if deal and type == CardsDealt.TYPE}
    assert booked
    for deal in [*booked][:3]:
        facts = await client.get(f"/v1/tables/{table}/deals/{deal}/facts")
        assert facts.status_code == 200, facts.text
        answer = await scored(client, game, facts.json())
        assert said(answer["lines"]) == lines_of(booked[deal])
        assert said(answer["antes"]) == lines_of(antes[deal])
        assert answer["outcome"] == booked[deal]["outcome"]
        assert answer["over"] is not None or tuple(answer["totals"]) == booked[deal]["totals"]
        assert answer["rules"].keys() == {line["rule"] for line in (*answer["lines"], *answer["antes"])}


async def test_a_deal_of_a_kitchen_table(client: httpx.AsyncClient) -> None:
    answer = await scored(client, "crocodile", {"facts": PLAYED, "standing": {"deal": 3, "totals": [4, 0, -4]}})
    first, second, *_ = answer["lines"]
    assert (first["account"], first["with"], second["account"]) == (1, "bank", "bank")
    assert first["sentence"].startswith("Casco by seat 2")
    assert answer["rules"][first["rule"]]
    assert answer["totals"] == [4, first["amount"], -4]
    assert answer["bank"] == -first["amount"]
    assert (answer["over"], answer["winners"], answer["next_dealer"]) == ("last deal scored", [0], None)


async def test_the_pool_has_this_deals_ante_and_is_shared_at_the_end(client: httpx.AsyncClient) -> None:
    facts = {"ended": "passed-out"}
    answer = await scored(client, "ombre", {"facts": facts, "standing": {"dealer": 2, "pool": 10}})
    assert (answer["pool"], answer["totals"], answer["lines"]) == (15, [0, 0, -5], [])
    assert [(line["account"], line["amount"]) for line in answer["antes"]] == [(2, -5), ("pool", 5)]
    # The deal passes to the right.
    assert (answer["over"], answer["winners"], answer["shares"], answer["next_dealer"]) == (None, None, [], 1)
    deals = GAMES["ombre"].course.deals(GAMES["ombre"].options()).default
    last = await scored(client, "ombre", {"facts": facts, "standing": {"deal": deals, "pool": 10}})
    assert (last["pool"], last["totals"], last["winners"]) == (0, [0, 5, 5], [1, 2])


REFUSED: list[tuple[str, dict[str, Any], str, str | None, str]] = [
    ("crocodile", {"facts": PLAYED | {"tricks": [2, 6, 2]}}, "contradictory-facts", "CR-8.1", "/facts/tricks"),
    ("crocodile", {"facts": PLAYED | {"declarer": -1}}, "invalid-body", None, "/facts/declarer"),
    ("crocodile", {"facts": PLAYED | {"contract": "x"}}, "invalid-body", None, "/facts/contract"),
    ("crocodile", {"facts": {"ended": "played"}}, "invalid-body", None, "/facts/declarer"),
    ("crocodile", {"facts": {}}, "invalid-body", None, "/facts/ended"),
    ("crocodile", {"facts": PLAYED | {"more": 1}}, "invalid-body", None, "/facts/more"),
    ("crocodile", {"facts": PLAYED, "rules_version": 99}, "invalid-body", None, "/rules_version"),
    ("crocodile", {"facts": PLAYED, "options": {"x": 1}}, "invalid-body", None, "/options/x"),
    ("crocodile", {"facts": PLAYED, "standing": {"totals": [1]}}, "invalid-body", None, "/standing/totals"),
    ("crocodile", {"facts": PLAYED, "standing": {"dealer": 3}}, "invalid-body", None, "/standing/dealer"),
    ("crocodile", {"facts": PLAYED, "standing": {"deal": 4}}, "invalid-body", None, "/standing/deal"),
    ("crocodile", {"facts": PLAYED, "standing": {"deals": 4}}, "rule-violation", "CR-1.2", ""),
    ("crocodile", {"facts": PLAYED | {"tricks": [1, 1, 1]}}, "more-to-play", "CR-8.4", "/facts/tricks"),
    ("burraco", {"facts": LAID}, "contradictory-facts", "BU-5.1", "/facts/sides/1/melds/0"),
    ("nuts", {"facts": {"ended": "stuck", "seats": [{"founded": 1, "left": 1, "cards": ["9h"]}]}}, "invalid-body",
     None, "/facts/seats/0/cards/0"),
]  # fmt: skip


@for_each("game, body, code, rule, pointer", REFUSED)
async def test_what_cannot_be_scored_is_refused(
    client: httpx.AsyncClient, game: str, body: dict[str, Any], code: str, rule: str | None, pointer: str
) -> None:
    refused = problem(await client.post(SCORE.format(game), json=body), 422, code)
    assert refused.get("rule") == rule
    assert [error["pointer"] for error in refused.get("errors", [])] == ([pointer] if pointer else [])
    assert len(refused["detail"]) < 200


async def test_only_a_deal_that_was_scored_has_facts(client: httpx.AsyncClient, three: list[Caller]) -> None:
    problem(await client.post(SCORE.format("whist"), json={"facts": {}}), 404, "no-such-game")
    table = await seated(three)
    problem(await three[0].get(f"/tables/{table}/deals/1/facts"), 409, "deal-not-over")
    problem(await three[0].get(f"/tables/{table}/deals/2/facts"), 404, "no-such-deal")
    await deal_over(three, table)
    answer = await three[0].get(f"/tables/{table}/deals/1/facts")
    assert answer.json()["standing"] == {
        "deal": 1, "deals": 3, "dealer": answer.json()["standing"]["dealer"], "totals": [0, 0, 0], "bank": 0, "pool": 0,
    }  # fmt: skip
    again = await three[0].get(f"/tables/{table}/deals/1/facts", headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304
