"""Disputes over HTTP: raised, audited, ruled on, and the books corrected, in the log and in the read models."""

import csv
import html
import io
import json
from codecs import BOM_UTF8
from collections.abc import Mapping
from typing import Any

import asyncpg
import httpx
import pytest

from domain.kernel.canonical import canonical
from domain.kernel.rejection import Rejected
from service.app import create_app
from service.commands.cache import NoSuchTable
from service.commands.erasing import erase_text
from service.config import Settings
from service.services import Services
from service.store.database import Database
from tests.contract.conftest import Caller, client_of, deal_over, problem, register, seated, services_over, with_scopes
from tests.contract.test_lists import finished, services, until_listed
from tests.support.exports import verified

__all__ = ["finished", "services"]

REASON = {"reason": "The fifth trick was mine."}


@pytest.fixture
async def arbiter(client: httpx.AsyncClient, dsn: str) -> Caller:
    """A player with a token that may rule."""
    return await with_scopes(dsn, await register(client, "Zoe"), "arbiter")


LINE = ("account", "with", "seat", "amount", "kind", "rule", "text", "events")
"""The members of a line in the record."""


def only(line: Mapping[str, Any], *members: str) -> dict[str, Any]:
    return {name: line[name] for name in members}


async def first_line(caller: Caller, table: str) -> dict[str, Any]:
    line: dict[str, Any] = (await caller.get(f"/tables/{table}/ledger")).json()["lines"][0]
    return line


async def disputed(caller: Caller, table: str, **body: object) -> httpx.Response:
    if not body:
        line = await first_line(caller, table)
        body = {"lines": [{"version": line["version"], "line": 0}]}
    return await caller.post(f"/tables/{table}/disputes", REASON | body)


async def test_a_dispute_is_raised_audited_and_ruled_on_and_the_totals_follow(
    three: list[Caller], finished: str, arbiter: Caller, client: httpx.AsyncClient
) -> None:
    line = await first_line(three[0], finished)
    loser = next(caller for caller in three if line["account"] == f"player:{caller.player}")
    before = (await loser.get(f"/tables/{finished}")).json()
    raised = await disputed(loser, finished)
    assert raised.status_code == 201, raised.text
    assert raised.headers["location"] == f"/v1/tables/{finished}/disputes/1"
    own = raised.json()
    assert (own["dispute"], own["status"], own["player"], own["deals"]) == (1, "open", loser.player, [1])
    assert own["audits"][0]["deal"] == 1
    assert own["audits"][0]["audit"]["verdict"] == "intact"
    view = (await loser.get(f"/tables/{finished}")).json()
    lines = [{"version": line["version"], "line": 0}]
    assert view["disputes"] == [{"dispute": 1, "seat": line["seat"], "lines": lines, "status": "open"}]
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
    assert (ruling["taken_back"], ruling["booked"]) == (2, 2)
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

    await until_listed(loser, finished)
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


async def test_anyone_may_read_disputes(three: list[Caller], finished: str, client: httpx.AsyncClient) -> None:
    assert (await client.get(f"/v1/tables/{finished}/disputes")).json() == {"items": []}
    await disputed(three[0], finished)
    (listed,) = (await client.get(f"/v1/tables/{finished}/disputes")).json()["items"]
    assert listed["reason"] == REASON["reason"]
    one = (await client.get(f"/v1/tables/{finished}/disputes/1")).json()
    lines = [{"version": line["version"], "line": line["line"]} for line in one["lines"]]
    assert {name: one[name] for name in listed} | {"lines": lines} == listed
    problem(await client.get(f"/v1/tables/{finished}/disputes/2"), 404, "no-such-dispute")


async def test_a_line_is_disputed_as_ledgers_and_statements_have_it(
    three: list[Caller], finished: str, client: httpx.AsyncClient
) -> None:
    lines = (await three[0].get(f"/tables/{finished}/ledger")).json()["lines"]
    booked: dict[tuple[int, int], dict[str, Any]] = {}
    for version in dict.fromkeys(line["version"] for line in lines):
        (event,) = (await three[0].get(f"/tables/{finished}/events?after={version - 1}&limit=1")).json()["items"]
        booked |= {(version, number): line for number, line in enumerate(event["public"]["lines"])}
    assert list(booked.items()) == [((line["version"], line["line"]), only(line, *LINE)) for line in lines]
    own = (await three[0].get(f"/players/{three[0].player}/ledger")).json()["items"]
    assert [only(line, *booked[line["version"], line["line"]]) for line in own] == [
        booked[line["version"], line["line"]] for line in own
    ]
    answer = await client.get(f"/v1/players/{three[0].player}/ledger", headers={"Accept": "text/csv"})
    rows = csv.DictReader(io.StringIO(answer.text))
    assert [(row["version"], row["line"]) for row in rows] == [
        (str(line["version"]), str(line["line"])) for line in own
    ]

    rules = {rule["id"]: rule["text"] for rule in (await client.get("/v1/games/crocodile")).json()["rules"]}
    other = next(line for line in lines if line["version"] != own[0]["version"])
    for line in (own[0], other):
        opened = await disputed(three[0], finished, lines=[only(line, "version", "line")])
        assert opened.status_code == 201, opened.text
        (booked_line,) = [each for each in lines if only(each, "version", "line") == only(line, "version", "line")]
        assert opened.json()["lines"] == [booked_line]
        assert opened.json()["rule_texts"] == {line["rule"]: rules[line["rule"]]}


async def test_a_refused_dispute_names_the_reason(
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
    for place in (
        {"version": 1, "line": 0},
        {"version": line["version"], "line": 99},
        {"version": 2**31 - 1, "line": 1000},
    ):
        problem(await three[0].post(path, REASON | {"lines": [place]}), 422, "no-such-line")
    problem(await three[0].post(path, REASON | {"deal": 4}), 422, "no-such-line")
    problem(await three[0].post(path, REASON | {"lines": known["lines"] * 2}), 422, "duplicate-line")
    assert (await three[0].post(path, REASON | known)).status_code == 201
    problem(await three[1].post(path, REASON | known), 409, "already-disputed")


async def test_a_ruling_takes_accounts_as_the_ledger_writes_them(
    three: list[Caller], finished: str, arbiter: Caller
) -> None:
    await disputed(three[0], finished)
    path = f"/tables/{finished}/disputes/1/ruling"
    first, second = (f"player:{caller.player}" for caller in three[:2])
    line = {"account": first, "with": second, "amount": 5, "kind": "contract", "rule": "CR-9.2", "text": "Settled"}

    def ruling(**changed: object) -> dict[str, object]:
        return {"ruling": "upheld", "text": "So it was.", "lines": [line | changed]}

    stranger = f"player:{arbiter.player}"
    refused = problem(await arbiter.post(path, ruling(**{"with": stranger})), 422, "rule-violation")
    assert refused["detail"] == f"the table has no account {stranger}"
    within = problem(await arbiter.post(path, ruling(account=1)), 422, "rule-violation")
    assert "within one" in within["detail"]
    for account in ("player:1", "PLAYER", first.upper(), "player:"):
        problem(await arbiter.post(path, ruling(account=account)), 422, "invalid-body")
    ruled = await arbiter.post(path, ruling())
    assert ruled.status_code == 201, ruled.text
    version = ruled.json()["ruling"]["correction"]
    lines = (await three[0].get(f"/tables/{finished}/ledger?min_version={version}")).json()["lines"]
    booked = [each for each in lines if each["version"] == version and each["kind"] != "reversal"]
    assert [(each["account"], each["with"], each["seat"], each["amount"]) for each in booked] == [
        (first, second, 0, 5),
        (second, first, 1, -5),
    ]
    # The lines as the ledger has them can be sent back.
    assert {each["account"] for each in lines} >= {first, second, "bank"}


async def test_a_refused_ruling_names_the_reason(three: list[Caller], finished: str, arbiter: Caller, dsn: str) -> None:
    await disputed(three[0], finished)
    path = f"/tables/{finished}/disputes/1/ruling"
    body = {"ruling": "upheld", "text": "Mine."}
    problem(await three[0].post(path, body), 403, "missing-scope")
    seated = await with_scopes(dsn, three[0], "arbiter")
    problem(await seated.post(path, body), 403, "arbiter-seated")
    problem(await seated.post(path, {"ruling": "maybe"}, headers={"If-Match": '"1"'}), 403, "arbiter-seated")
    problem(await arbiter.post(path.replace("/1/", "/2/"), body), 404, "no-such-dispute")
    problem(await arbiter.post(path, {"ruling": "maybe", "text": "?"}), 422, "invalid-body")
    assert (await arbiter.post(path, body)).status_code == 201
    problem(await arbiter.post(path, body), 409, "already-ruled")
    problem(await disputed(three[0], finished), 409, "already-ruled")


async def test_a_ruling_that_changes_what_the_audit_confirms_asks_once_more(
    three: list[Caller], finished: str, arbiter: Caller
) -> None:
    line = await first_line(three[0], finished)
    await disputed(three[0], finished)
    path = f"/tables/{finished}/disputes/1/ruling"
    again = {name: line[name] for name in ("account", "with", "amount", "kind", "rule", "text")}
    before = (await three[0].get(f"/tables/{finished}")).json()["version"]
    for lines in (None, [], [again | {"amount": line["amount"] + 1}]):
        body = {"ruling": "upheld", "text": "So be it.", "lines": lines, "confirmed": False}
        asked = problem(await arbiter.post(path, body), 409, "audit-confirms")
        assert asked["detail"] == f"the audit confirms line 0 of event {line['version']}, which the ruling changes"
    assert (await three[0].get(f"/tables/{finished}")).json()["version"] == before
    # Nothing changes where the same is booked again.
    same = {"ruling": "upheld", "text": "So it was.", "lines": [again], "confirmed": False}
    assert (await arbiter.post(path, same)).status_code == 201
    problem(await arbiter.post(path, same), 409, "already-ruled")
    rejected = {"ruling": "rejected", "text": "It was so.", "confirmed": False}
    await three[0].post(f"/tables/{finished}/disputes", REASON | {"deal": 2})
    assert (await arbiter.post(path.replace("/1/", "/2/"), rejected)).status_code == 201


async def test_a_ruling_stands_on_one_page_to_print(
    three: list[Caller], finished: str, arbiter: Caller, client: httpx.AsyncClient
) -> None:
    line = await first_line(three[0], finished)
    await disputed(three[0], finished)
    path = f"/disputes/{finished}/1/page"
    assert "The dispute waits for an arbiter." in (await client.get(path)).text
    ruling = {"ruling": "upheld", "text": "So it was.", "lines": []}
    made = (await arbiter.post(f"/tables/{finished}/disputes/1/ruling", ruling)).json()["ruling"]
    shown = await client.get(path)
    assert (shown.status_code, shown.headers["Cache-Control"]) == (200, "no-store")
    assert shown.headers["Content-Type"] == "text/html; charset=utf-8"
    rules = {rule["id"]: rule["text"] for rule in (await client.get("/v1/games/crocodile")).json()["rules"]}
    for words in (
        REASON["reason"], "So it was.", f"line 0 of event {line['version']}", line["rule"], rules[line["rule"]],
        "the rules book this line, as it is recorded.", f"as event {made['version']}.", "Before and after",
    ):  # fmt: skip
        assert words in html.unescape(shown.text), words
    assert 'id="to-page"' in (await client.get(f"/disputes/{finished}/1")).text
    problem(await client.get(f"/disputes/{finished}/2/page"), 404, "no-such-dispute")
    problem(await client.get("/disputes/01970000-0000-7000-8000-00000000dead/1/page"), 404, "no-such-table")


async def test_a_running_deal_is_neither_disputed_nor_audited(three: list[Caller], table: str, arbiter: Caller) -> None:
    problem(await disputed(three[0], table, deal=1), 409, "deal-not-over")
    problem(await arbiter.get(f"/tables/{table}/deals/1/audit"), 409, "deal-not-over")
    # An arbiter sees no more of it than the public does.
    assert (await arbiter.get(f"/tables/{table}")).content == (await arbiter.http.get(f"/v1/tables/{table}")).content
    await deal_over(three, table)
    problem(await disputed(three[0], table, deal=2), 409, "deal-not-over")
    assert (await disputed(three[0], table, deal=1)).status_code == 201


@pytest.mark.parametrize("given", [{}, {"lines": None}, {"lines": []}])
async def test_a_ruling_without_lines_books_what_the_audit_computes_where_it_differs(
    three: list[Caller], finished: str, arbiter: Caller, given: dict[str, object]
) -> None:
    line = await first_line(three[0], finished)
    await disputed(three[0], finished)
    path = f"/tables/{finished}/disputes/1/ruling"
    ruled = (await arbiter.post(path, {"ruling": "upheld", "text": "So it was."} | given)).json()
    version = ruled["ruling"]["correction"]
    lines = (await three[0].get(f"/tables/{finished}/ledger?min_version={version}")).json()["lines"]
    # The audit computes what was booked, so the lines are taken back, and that is all.
    assert (ruled["ruling"]["taken_back"], ruled["ruling"]["booked"]) == (2, 0)
    assert [(each["kind"], each["amount"]) for each in lines if each["version"] == version] == [
        ("reversal", -line["amount"]), ("reversal", line["amount"])
    ]  # fmt: skip


async def test_a_line_that_takes_another_back_is_served_with_that_ones_deal(
    three: list[Caller], finished: str, arbiter: Caller
) -> None:
    lines = (await three[0].get(f"/tables/{finished}/ledger")).json()["lines"]
    last = next(line for line in reversed(lines) if line["seat"] is not None)
    player = three[last["seat"]]
    assert last["account"] == f"player:{player.player}"
    place = {
        "version": last["version"],
        "line": [each for each in lines if each["version"] == last["version"]].index(last),
    }
    raised = await player.post(f"/tables/{finished}/disputes", REASON | {"lines": [place]})
    assert raised.status_code == 201, raised.text
    path = f"/tables/{finished}/disputes/1/ruling"
    ruled = (await arbiter.post(path, {"ruling": "upheld", "text": "Out with it.", "lines": []})).json()
    version = ruled["ruling"]["correction"]
    (event,) = (await three[0].get(f"/tables/{finished}/events", params={"after": version - 1})).json()["items"]
    assert (event["type"], event["deal"]) == ("ledger-corrected", None)
    lines = (await three[0].get(f"/tables/{finished}/ledger?min_version={version}")).json()["lines"]
    assert [line["deal"] for line in lines if line["kind"] == "reversal"] == [last["deal"]] * 2
    assert last["deal"] in (1, 2, 3)
    await until_listed(player, finished)
    path = f"/players/{player.player}/ledger"
    (newest, *_) = (await player.get(path)).json()["items"]
    assert (newest["kind"], newest["deal"], newest["version"]) == ("reversal", last["deal"], version)
    table = await player.get(path, headers={"Accept": "text/csv"})
    (row, *_) = csv.DictReader(io.StringIO(table.text, newline=""))
    assert (row["kind"], row["deal"]) == ("reversal", str(last["deal"]))


async def test_the_audit_detects_a_miscounted_deal_and_a_ruling_corrects_it(
    three: list[Caller], table: str, arbiter: Caller, settings: Settings, database: Database, dsn: str
) -> None:
    await deal_over(three, table)
    right = (await three[0].get(f"/tables/{table}")).json()["totals"]
    line = await first_line(three[0], table)
    await miscount(dsn, table, line["version"])
    # Another process, which does not know the table.
    async with client_of(create_app(services_over(database, settings=settings))) as http:
        player, judge = Caller(http, three[0].player, three[0].token), Caller(http, arbiter.player, arbiter.token)
        wrong = (await player.get(f"/tables/{table}")).json()["totals"]
        assert wrong != right
        raised = await disputed(player, table, deal=1)
        assert raised.status_code == 201, raised.text
        audit = raised.json()["audits"][0]["audit"]
        assert audit["verdict"] == "altered"
        failed = {check["name"] for check in audit["checks"] if not check["passed"]}
        assert {"ledger", "totals"} <= failed
        ruled = await judge.post(f"/tables/{table}/disputes/1/ruling", {"ruling": "upheld", "text": "Miscounted."})
        assert ruled.status_code == 201, ruled.text
        counted = ruled.json()["ruling"]
        assert (
            counted["taken_back"]
            == counted["booked"]
            == 2 * len({place["line"] // 2 for place in raised.json()["lines"]})
        )
        assert (await player.get(f"/tables/{table}")).json()["totals"] == right
        version = ruled.json()["ruling"]["correction"]
        lines = (await player.get(f"/tables/{table}/ledger")).json()["lines"]
        anew = [each for each in lines if each["version"] == version and each["kind"] != "reversal"]
        assert {name: anew[0][name] for name in ("account", "amount", "kind", "rule", "text")} == {
            name: line[name] for name in ("account", "amount", "kind", "rule", "text")
        }


async def miscount(dsn: str, table: str, version: int) -> None:
    """Changes what a deal was scored with, as only who has the whole server can."""
    owner = await asyncpg.connect(dsn)
    await owner.execute("ALTER TABLE codille.event DISABLE TRIGGER ALL")
    select = "SELECT public FROM codille.event WHERE table_id = $1 AND version = $2"
    update = "UPDATE codille.event SET public = $3 WHERE table_id = $1 AND version = $2"
    public = json.loads(await owner.fetchval(select, table, version))
    for line, sign in zip(public["lines"][:2], (1, -1), strict=True):
        line["amount"] += 7 * sign
        if line["seat"] is not None:
            public["totals"][line["seat"]] += 7 * sign
    await owner.execute(update, table, version, canonical(public))
    await owner.execute("ALTER TABLE codille.event ENABLE TRIGGER ALL")
    await owner.close()


FORMULA = '=HYPERLINK("http://example.org","won, by far"), said ""he""; ünïcode'


async def test_a_correction_stands_on_the_statement_and_its_text_is_no_formula(
    three: list[Caller], finished: str, arbiter: Caller
) -> None:
    await disputed(three[0], finished)
    line = {"account": 0, "with": "bank", "amount": -3, "kind": "contract", "rule": "CR-9.2", "text": FORMULA}
    ruled = await arbiter.post(
        f"/tables/{finished}/disputes/1/ruling", {"ruling": "upheld", "text": "So it was.", "lines": [line]}
    )
    assert ruled.status_code == 201, ruled.text
    at = ruled.json()["ruling"]["at"]
    await until_listed(three[0], finished)
    path = f"/players/{three[0].player}/ledger"
    (newest, *rest) = (await three[0].get(path, params={"since": at})).json()["items"]
    assert (newest["text"], newest["amount"], newest["version"]) == (FORMULA, -3, ruled.json()["ruling"]["correction"])
    assert all(item["kind"] == "reversal" for item in rest)
    assert newest["at"] == at
    table = await three[0].get(path, headers={"Accept": "text/csv"})
    rows = list(csv.DictReader(io.StringIO(table.text, newline="")))
    items = (await three[0].get(path)).json()["items"]
    assert rows[0]["text"] == f"'{FORMULA}"
    assert [int(row["amount"]) for row in rows] == [item["amount"] for item in items]
    assert [int(row["balance"]) for row in rows] == [item["balance"] for item in items]
    assert [row["text"].removeprefix("'") for row in rows] == [item["text"] for item in items]
    assert not any(cell.startswith(("=", "+", "@")) for row in rows for cell in row.values())
    cut = await three[0].get(path, params={"until": at}, headers={"Accept": "text/csv"})
    assert list(csv.DictReader(io.StringIO(cut.text, newline=""))) == rows[len(rest) + 1 :]
    balance = sum(item["amount"] for item in items)
    assert items[0]["balance"] == balance
    for form, sign, begin in (
        ("separator=semicolon&bom=true", ";", BOM_UTF8),
        ("separator=tab", "\t", b""),
        ("separator=comma&bom=true", ",", BOM_UTF8),
    ):
        pages = [await three[0].get(f"{path}?{form}&limit={len(rows) - 1}")]
        pages.append(await three[0].get(pages[0].links["next"]["url"].removeprefix("/v1")))
        assert [page.content[: len(begin) + 2] for page in pages] == [begin + b"at"] * 2
        texts = [io.StringIO(page.content.decode("utf-8-sig"), newline="") for page in pages]
        assert [row for text in texts for row in csv.DictReader(text, delimiter=sign)] == rows


async def test_an_erased_text_is_gone_wherever_it_could_be_read(
    three: list[Caller], finished: str, arbiter: Caller, services: Services, dsn: str
) -> None:
    line = await first_line(three[0], finished)
    body = REASON | {"lines": [{"version": line["version"], "line": 0}]}
    key = {"Idempotency-Key": "once"}
    raised = await three[0].post(f"/tables/{finished}/disputes", body, headers=key)
    words = "He cheats, and lives at 5 Low Street."
    ruled = await arbiter.post(f"/tables/{finished}/disputes/1/ruling", {"ruling": "rejected", "text": words})
    before = (await three[0].get(f"/tables/{finished}")).json()
    erasures = [
        await erase_text(services.log.store, services.reader, dsn, finished, version)
        for version in (raised.json()["version"], ruled.json()["ruling"]["version"])
    ]
    newest = erasures[-1]
    paths = (
        f"/tables/{finished}?min_version={newest}", f"/tables/{finished}/events?limit=200",
        f"/tables/{finished}/disputes", f"/tables/{finished}/disputes/1", f"/tables/{finished}/ledger",
        f"/tables/{finished}/replay/{newest}", f"/tables/{finished}/replay?from={newest - 5}&to={newest}&as=all",
        f"/tables/{finished}/export", f"/tables/{finished}/deals/1/audit",
    )  # fmt: skip
    for path in paths:
        for caller in (three[0], arbiter):
            answer = await caller.get(path)
            assert answer.status_code == 200, (path, answer.text)
            assert REASON["reason"] not in answer.text, path
            assert words not in answer.text, path
    dispute = (await arbiter.get(f"/tables/{finished}/disputes/1")).json()
    assert (dispute["reason"], dispute["ruling"]["text"], dispute["status"]) == (None, None, "rejected")
    assert dispute["audits"][0]["audit"]["verdict"] == "intact"
    again = await three[0].post(f"/tables/{finished}/disputes", body, headers=key)
    assert (again.status_code, again.json()["reason"]) == (201, None)
    after = (await three[0].get(f"/tables/{finished}")).json()
    assert after == before | {"version": newest}
    export = await arbiter.get(f"/tables/{finished}/export")
    verification = verified(export.content, reader=services.reader)
    assert verification.verdict == "unpinned", [check for check in verification.checks if not check.passed]
    with pytest.raises(Rejected):
        await erase_text(services.log.store, services.reader, dsn, finished, raised.json()["version"])
    with pytest.raises(NoSuchTable):
        await erase_text(services.log.store, services.reader, dsn, arbiter.player, 1)


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
async def test_a_dispute_after_the_time_limit_is_too_late(three: list[Caller], finished: str) -> None:
    problem(await disputed(three[0], finished), 409, "dispute-too-late")


@pytest.fixture
async def passed(three: list[Caller]) -> str:
    """A table whose game of Ombre is over: everybody passed, and the pool was shared at the end."""
    made = await seated(three, game="ombre", deals=3)
    while to_act := (await three[0].get(f"/tables/{made}/offers")).json()["to_act"]:
        assert (await three[to_act[0]].post(f"/tables/{made}/actions", {"type": "pass"})).status_code == 201
    return made


async def test_lines_of_no_deal_are_disputed_without_an_audit(
    three: list[Caller], passed: str, arbiter: Caller, client: httpx.AsyncClient
) -> None:
    end = (await three[0].get(f"/tables/{passed}")).json()["version"]
    (newest,) = (await three[0].get(f"/tables/{passed}/events?after={end - 1}")).json()["items"]
    assert (newest["type"], newest["deal"]) == ("game-finished", None)
    assert newest["public"]["lines"]
    disputed_version = end
    # First the share of the pool; then what took that back, which no rules make; then what took that back.
    for number in (1, 2, 3):
        place = {"lines": [{"version": disputed_version, "line": 0}]}
        raised = await disputed(three[0], passed, **place)
        assert raised.status_code == 201, raised.text
        assert raised.headers["location"] == f"/v1/tables/{passed}/disputes/{number}"
        assert (raised.json()["deals"], raised.json()["audits"]) == ([], [])
        ruled = await arbiter.post(
            f"/tables/{passed}/disputes/{number}/ruling", {"ruling": "upheld", "text": "So it was."}
        )
        assert ruled.status_code == 201, ruled.text
        assert (ruled.json()["deals"], ruled.json()["audits"]) == ([], [])
        disputed_version = ruled.json()["ruling"]["correction"]
        one = await client.get(f"/v1/tables/{passed}/disputes/{number}")
        assert one.status_code == 200
        assert one.json() == ruled.json()
    listed = (await client.get(f"/v1/tables/{passed}/disputes")).json()["items"]
    assert [(item["status"], item["deals"]) for item in listed] == [("upheld", [])] * 3


async def test_lines_of_a_deal_and_of_none_are_disputed_together(three: list[Caller], passed: str) -> None:
    end = (await three[0].get(f"/tables/{passed}")).json()["version"]
    raised = await disputed(three[1], passed, lines=[{"version": end, "line": 0}], deal=2)
    assert raised.status_code == 201, raised.text
    assert raised.json()["deals"] == [2]
    assert [(one["deal"], one["audit"]["verdict"]) for one in raised.json()["audits"]] == [(2, "intact")]


async def test_each_disputed_deal_has_the_same_audit_as_by_itself(
    three: list[Caller], passed: str, client: httpx.AsyncClient
) -> None:
    lines = (await three[0].get(f"/tables/{passed}/ledger")).json()["lines"]
    versions = dict.fromkeys(line["version"] for line in lines)
    raised = await disputed(three[0], passed, lines=[{"version": version, "line": 0} for version in versions])
    assert raised.json()["deals"] == [1, 2, 3]
    for deal, audited in enumerate(raised.json()["audits"], 1):
        alone = (await client.get(f"/v1/tables/{passed}/deals/{deal}/audit")).json()
        assert audited == {"deal": deal, "audit": alone}
