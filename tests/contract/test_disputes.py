"""Disputes over HTTP: raised, audited, ruled on, and the books corrected, in the log and in the read models."""

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from litestar import Litestar

from service.app import create_app
from service.auth.secrets import minted
from service.config import Settings
from service.services import Services
from tests.contract.conftest import Caller, deal_over, problem, register
from tests.contract.test_lists import empty_redis, finished, redis_server, services, shown

__all__ = ["empty_redis", "finished", "redis_server", "services"]

REASON = {"reason": "The fifth trick was mine."}


@pytest.fixture
def app(settings: Settings, services: Services) -> Litestar:
    return create_app(settings, services)


@pytest.fixture
async def arbiter(client: httpx.AsyncClient, services: Services) -> Caller:
    """A player with a token that may rule."""
    return await with_scope(await register(client, "Zoe"), services, "arbiter")


async def with_scope(caller: Caller, services: Services, *scopes: str) -> Caller:
    secret, token = minted(scopes)
    await services.accounts.add_token(caller.player, token, datetime.now(UTC))
    return Caller(caller.http, caller.player, secret)


async def first_line(caller: Caller, table: str) -> dict[str, Any]:
    line: dict[str, Any] = (await caller.get(f"/tables/{table}/ledger")).json()["lines"][0]
    return line


async def disputed(caller: Caller, table: str, **body: object) -> httpx.Response:
    if not body:
        line = await first_line(caller, table)
        body = {"lines": [{"version": line["version"], "line": 0}]}
    return await caller.post(f"/tables/{table}/disputes", REASON | body)


async def test_a_dispute_is_raised_audited_ruled_and_corrected_with_totals_moving(
    three: list[Caller], finished: str, arbiter: Caller, client: httpx.AsyncClient
) -> None:
    line = await first_line(three[0], finished)
    loser = next(caller for caller in three if line["account"] == f"player:{caller.player}")
    before = (await loser.get(f"/tables/{finished}")).json()
    raised = await disputed(loser, finished)
    assert raised.status_code == 201, raised.text
    assert raised.headers["location"] == f"/v1/tables/{finished}/disputes/1"
    told = raised.json()
    assert (told["dispute"], told["status"], told["player"], told["deals"]) == (1, "open", loser.player, [1])
    assert told["audits"][0]["deal"] == 1
    assert told["audits"][0]["audit"]["verdict"] == "intact"
    view = (await loser.get(f"/tables/{finished}")).json()
    assert view["disputes"] == [{"dispute": 1, "seat": line["seat"], "status": "open"}]
    assert view["totals"] == before["totals"]

    ruled = await arbiter.post(
        f"/tables/{finished}/disputes/1/ruling",
        {
            "ruling": "upheld",
            "text": "So it was.",
            "lines": [
                {
                    "account": line["seat"],
                    "with": "bank",
                    "amount": 11,
                    "kind": "contract",
                    "rule": "CR-9.2",
                    "text": "won",
                }
            ],
        },
    )
    assert ruled.status_code == 201, ruled.text
    ruling = ruled.json()["ruling"]
    assert (ruling["ruling"], ruling["text"], ruling["arbiter"]) == ("upheld", "So it was.", arbiter.player)
    assert ruling["correction"] == int(ruled.headers["etag"].strip('"'))

    expected = list(before["totals"])
    expected[line["seat"]] += 11 - line["amount"]
    after = (await loser.get(f"/tables/{finished}?min_version={ruling['correction']}")).json()
    assert after["totals"] == expected
    assert after["winners"] == [seat for seat, total in enumerate(expected) if total == max(expected)]
    assert after["disputes"][0]["status"] == "upheld"
    ledger = (await loser.get(f"/tables/{finished}/ledger")).json()
    corrected = [each for each in ledger["lines"] if each["version"] == ruling["correction"]]
    assert [each["amount"] for each in corrected] == [-line["amount"], line["amount"], 11, -11]
    assert line in ledger["lines"]
    assert {one["account"]: one["balance"] for one in ledger["balances"]}[line["account"]] == expected[line["seat"]]

    await shown(loser, finished)
    board = (await client.get("/v1/leaderboard?game=crocodile")).json()["items"]
    for item in board:
        seat = [caller.player for caller in three].index(item["player"])
        assert (item["total"], item["wins"], item["games"]) == (expected[seat], int(seat in after["winners"]), 1)
    statement = (await loser.get(f"/players/{loser.player}/ledger")).json()["items"]
    assert statement[0]["balance"] == expected[line["seat"]]
    (summary,) = (await client.get(f"/v1/tables?player={loser.player}")).json()["items"]
    assert (summary["totals"], summary["winners"]) == (expected, after["winners"])
    audit = (await client.get(f"/v1/tables/{finished}/deals/1/audit")).json()
    assert audit["verdict"] == "intact", [check for check in audit["checks"] if not check["passed"]]


async def test_a_rejected_dispute_moves_nothing(three: list[Caller], finished: str, arbiter: Caller) -> None:
    before = (await three[0].get(f"/tables/{finished}")).json()
    assert (await disputed(three[1], finished, deal=2)).status_code == 201
    ruled = await arbiter.post(f"/tables/{finished}/disputes/1/ruling", {"ruling": "rejected", "text": "No."})
    assert ruled.status_code == 201, ruled.text
    assert (ruled.json()["status"], ruled.json()["ruling"]["correction"]) == ("rejected", None)
    after = (await three[0].get(f"/tables/{finished}")).json()
    assert (after["totals"], after["winners"]) == (before["totals"], before["winners"])
    assert after["version"] == before["version"] + 2


async def test_everybody_may_read_disputes(three: list[Caller], finished: str, client: httpx.AsyncClient) -> None:
    assert (await client.get(f"/v1/tables/{finished}/disputes")).json() == {"items": []}
    await disputed(three[0], finished)
    (listed,) = (await client.get(f"/v1/tables/{finished}/disputes")).json()["items"]
    assert listed["reason"] == REASON["reason"]
    one = (await client.get(f"/v1/tables/{finished}/disputes/1")).json()
    assert {name: value for name, value in one.items() if name != "audits"} == listed
    problem(await client.get(f"/v1/tables/{finished}/disputes/2"), 404, "no-such-dispute")


async def test_who_may_not_dispute_is_told_why(
    three: list[Caller], finished: str, arbiter: Caller, client: httpx.AsyncClient, services: Services
) -> None:
    line = await first_line(three[0], finished)
    known = {"lines": [{"version": line["version"], "line": 0}]}
    path = f"/tables/{finished}/disputes"
    problem(await client.post(f"/v1{path}", json=REASON | known), 401, "unauthenticated")
    problem(await (await register(client, "Dora")).post(path, REASON | known), 403, "not-seated")
    problem(await arbiter.post(path, REASON | known), 403, "missing-scope")
    problem(await three[0].post(path, REASON), 422, "no-such-line")
    for body in (known, REASON | {"lines": []}, {"reason": "", "deal": 1}, REASON | {"line": 1}):
        problem(await three[0].post(path, body), 422, "invalid-body")
    for place in ({"version": 1, "line": 0}, {"version": line["version"], "line": 99}):
        problem(await three[0].post(path, REASON | {"lines": [place]}), 422, "no-such-line")
    problem(await three[0].post(path, REASON | {"deal": 4}), 422, "no-such-line")
    assert (await three[0].post(path, REASON | known)).status_code == 201
    problem(await three[1].post(path, REASON | known), 409, "already-disputed")


async def test_who_may_not_rule_is_told_why(
    three: list[Caller], finished: str, arbiter: Caller, services: Services
) -> None:
    await disputed(three[0], finished)
    path = f"/tables/{finished}/disputes/1/ruling"
    body = {"ruling": "upheld", "text": "Mine."}
    problem(await three[0].post(path, body), 403, "missing-scope")
    problem(await (await with_scope(three[0], services, "arbiter")).post(path, body), 403, "arbiter-seated")
    problem(await arbiter.post(path.replace("/1/", "/2/"), body), 404, "no-such-dispute")
    problem(await arbiter.post(path, {"ruling": "maybe", "text": "?"}), 422, "invalid-body")
    assert (await arbiter.post(path, body)).status_code == 201
    problem(await arbiter.post(path, body), 409, "already-ruled")
    problem(await disputed(three[0], finished), 409, "already-ruled")


async def test_a_deal_that_is_on_is_neither_disputed_nor_audited(
    three: list[Caller], table: str, arbiter: Caller
) -> None:
    problem(await disputed(three[0], table, deal=1), 409, "deal-not-over")
    problem(await arbiter.get(f"/tables/{table}/deals/1/audit"), 409, "deal-not-over")
    # An arbiter sees no more of it than the public does.
    assert (await arbiter.get(f"/tables/{table}")).content == (await arbiter.http.get(f"/v1/tables/{table}")).content
    await deal_over(three, table)
    problem(await disputed(three[0], table, deal=2), 409, "deal-not-over")
    assert (await disputed(three[0], table, deal=1)).status_code == 201


async def test_a_dispute_sent_twice_is_raised_once(three: list[Caller], finished: str) -> None:
    line = await first_line(three[0], finished)
    body = REASON | {"lines": [{"version": line["version"], "line": 0}]}
    sent = [
        await three[0].post(f"/tables/{finished}/disputes", body, headers={"Idempotency-Key": "once"}) for _ in range(2)
    ]
    assert [answer.status_code for answer in sent] == [201, 201]
    assert sent[0].json() == sent[1].json()
    assert sent[1].headers["idempotency-replayed"] == "true"
    assert len((await three[0].get(f"/tables/{finished}/disputes")).json()["items"]) == 1
    stale = await three[0].post(f"/tables/{finished}/disputes", REASON | {"deal": 2}, headers={"If-Match": '"1"'})
    problem(stale, 412, "precondition-failed")


@pytest.mark.parametrize("settings", [Settings(rate_limit=None, dispute_days=0)])
async def test_a_dispute_comes_too_late_after_the_time_that_is_set(three: list[Caller], finished: str) -> None:
    problem(await disputed(three[0], finished), 409, "dispute-too-late")
