"""The audit of a deal over the interface, and of records that somebody has changed in the database."""

import asyncpg
import httpx
import pytest

from service.app import create_app
from service.services import Services
from service.store.database import Database
from tests.contract.conftest import Caller, client_of, deal_over, opened, problem, register, seated, services_over
from tests.support.for_each import for_each
from tests.support.versions import CROCODILE_2


async def audit_of(client: httpx.AsyncClient, table: str, deal: int = 1) -> dict[str, object]:
    answer = await client.get(f"/v1/tables/{table}/deals/{deal}/audit")
    assert answer.status_code == 200, answer.text
    document: dict[str, object] = answer.json()
    return document


async def failed(client: httpx.AsyncClient, table: str, deal: int = 1) -> set[tuple[str, int]]:
    """The checks that failed, with the events that they failed at."""
    document = await audit_of(client, table, deal)
    checks = [check for check in document["checks"] if not check["passed"]]  # type: ignore[attr-defined] # JSON
    assert document["verdict"] == ("altered" if checks else "intact")
    return {(check["name"], event) for check in checks for event in check["events"]}


async def test_anyone_may_see_the_audit_of_a_deal_that_is_over(three: list[Caller], table: str) -> None:
    scored = await deal_over(three, table)
    answer = await three[0].http.get(f"/v1/tables/{table}/deals/1/audit")
    assert answer.headers["etag"] == f'"{scored.json()["version"]}"'
    document = answer.json()
    assert document["verdict"] == "intact"
    assert document == (await (await register(three[0].http)).get(f"/tables/{table}/deals/1/audit")).json()
    checks = {check["name"]: check for check in document["checks"]}
    assert {
        "chain", "envelope", "payload", "seals", "openings", "rules", "seating", "first-dealer", "dealer", "seed",
        "pack", "commitments", "legality", "acts", "stopping-point", "outcome", "ledger", "totals",
    } <= checks.keys()  # fmt: skip
    assert all(check["passed"] and check["events"] and check["text"] for check in document["checks"])
    assert checks["outcome"]["rule"] == "CR-9.11"
    assert {check["rule"] for check in document["checks"] if check["name"] == "legality"} >= {"CR-4.2", "CR-9.11"}


async def test_a_deal_that_is_not_over_is_not_audited(three: list[Caller], table: str) -> None:
    problem(await three[0].get(f"/tables/{table}/deals/1/audit"), 409, "deal-not-over")
    await deal_over(three, table)
    assert (await audit_of(three[0].http, table))["verdict"] == "intact"
    problem(await three[0].get(f"/tables/{table}/deals/2/audit"), 409, "deal-not-over")


@for_each("deal", ["0", "2", "-1", "99", "99999999999999999999"])
async def test_unknown_deals_are_404(three: list[Caller], table: str, deal: str) -> None:
    problem(await three[0].get(f"/tables/{table}/deals/{deal}/audit"), 404, "no-such-deal")


async def test_an_unknown_table_is_404(client: httpx.AsyncClient) -> None:
    nowhere = "01970000-0000-7000-8000-0000000000ff"
    problem(await client.get(f"/v1/tables/{nowhere}/deals/1/audit"), 404, "no-such-table")


async def test_an_audit_discloses_nothing_of_a_later_deal(three: list[Caller], table: str, services: Services) -> None:
    await deal_over(three, table)
    records = await services.log.store.stream(table)
    dealt = next(record for record in records if record.type == "cards-dealt" and record.deal == 2)
    text = (await three[0].http.get(f"/v1/tables/{table}/deals/1/audit")).text
    checks = (await audit_of(three[0].http, table))["checks"]
    assert isinstance(checks, list)
    assert dealt.version not in {event for check in checks for event in check["events"]}
    assert '"salt"' not in text
    opened = records[0].sealed.decode()
    assert all(part not in text for part in opened.split('"') if len(part) == 64)


async def tampered(dsn: str, table: str, version: int, change: str) -> None:
    """A row of the log changed by who can switch the triggers off."""
    owner = await asyncpg.connect(dsn)
    await owner.execute("SET session_replication_role = replica")
    await owner.execute(f"UPDATE codille.event SET {change} WHERE table_id = $1 AND version = $2", table, version)  # noqa: S608
    await owner.close()


def replaced(text: str, other: str) -> str:
    """The change by which one text in the public part becomes another."""
    return f"public = convert_to(replace(convert_from(public, 'UTF8'), '{text}', '{other}'), 'UTF8')"


@pytest.mark.parametrize(
    ("type_", "change", "names"),
    [
        ("deal-scored", replaced('"amount":-2', '"amount":2'),
         {"chain", "ledger"}),
        ("deal-scored", "public = '{}'", {"chain", "acts"}),
        ("deal-scored", "public = 'not json'", {"chain", "acts"}),
        ("deal-scored", "seals = '\\xff00', public = '\\x00'", {"chain", "acts"}),
        ("cards-dealt", "sealed = '{}'", {"openings", "pack"}),
        ("cards-dealt", "sealed = 'nothing'", {"seals", "openings", "acts"}),
        ("cards-dealt", "type = 'no-such-type'", {"chain"}),
        ("cards-dealt", "game = 'no-such-game'", {"chain", "envelope"}),
        ("cards-dealt", "at = at + interval '1 second'", {"chain", "envelope"}),
        ("contract-declared", "actor = 'seat:9'", {"chain", "acts"}),
        ("deal-conceded", "hash = decode(repeat('00', 32), 'hex')", {"chain"}),
        ("table-opened", replaced('"deals":3', '"deals":3000000000'),
         {"chain", "rules"}),
        ("table-opened", replaced('"rules_version":2', '"rules_version":7'), {"chain"}),
    ],
)  # fmt: skip
async def test_a_row_changed_in_the_database_is_named(
    three: list[Caller],
    table: str,
    services_elsewhere: Services,
    dsn: str,
    type_: str,
    change: str,
    names: set[str],
) -> None:
    await deal_over(three, table)
    record = next(one for one in await services_elsewhere.log.store.stream(table) if one.type == type_)
    await tampered(dsn, table, record.version, change)
    failures = await failed(three[0].http, table)
    assert {name for name, event in failures if event == record.version} >= names, failures


async def test_an_event_missing_in_the_database_is_named(three: list[Caller], table: str, dsn: str) -> None:
    scored = (await deal_over(three, table)).json()
    owner = await asyncpg.connect(dsn)
    await owner.execute("SET session_replication_role = replica")
    await owner.execute("DELETE FROM codille.event WHERE table_id = $1 AND version = 8", table)
    assert ("chain", 9) in await failed(three[0].http, table)
    await owner.execute("DELETE FROM codille.event WHERE table_id = $1 AND version = $2", table, scored["version"])
    assert ("chain", scored["version"]) in await failed(three[0].http, table)
    await owner.close()


async def test_a_table_that_no_longer_folds_is_still_audited(
    three: list[Caller], table: str, services_elsewhere: Services, dsn: str
) -> None:
    await deal_over(three, table)
    await tampered(dsn, table, 2, "public = 'x'")
    # Another process, which does not know the table from before.
    app = create_app(services_elsewhere)
    async with client_of(app) as client:
        assert {("chain", 2), ("acts", 2)} <= await failed(client, table)


@pytest.mark.parametrize("change", ["schema = 9", "type = 'cards-juggled'", "public = '{}'"])
async def test_a_table_whose_record_cannot_be_read_says_so_and_all_else_goes_on(
    three: list[Caller], table: str, services_elsewhere: Services, dsn: str, change: str
) -> None:
    await deal_over(three, table)
    other = await opened(three[0])
    scored = next(one for one in await services_elsewhere.log.store.stream(table) if one.type == "deal-scored")
    await tampered(dsn, table, scored.version, change)
    app = create_app(services_elsewhere)
    async with client_of(app) as client:
        ada = Caller(client, three[0].player, three[0].token)
        answers = [
            await ada.get(f"/tables/{table}{part}")
            for part in ("", "/offers", "/ledger", "/disputes", "/events", "/export")
        ]
        answers.append(await ada.post(f"/tables/{table}/actions", {"type": "pass"}))
        for answer in answers:
            document = problem(answer, 409, "record-unreadable")
            assert table not in document["detail"]
        # What can be told without following the record is told.
        assert await audit_of(client, table)
        assert (await ada.get(f"/tables/{other}")).status_code == 200
        assert (await ada.post(f"/tables/{other}/seats", {"seat": 0})).status_code < 300


async def test_older_rules_are_served_and_new_tables_get_the_new(database: Database) -> None:
    now, then = CROCODILE_2.rulebook.version, CROCODILE_2.earlier[-1].rulebook
    old = {"crocodile": CROCODILE_2.earlier[-1]}
    new = {"crocodile": CROCODILE_2}
    tables: list[str] = []
    for games in (old, new):
        app = create_app(services_over(database, games))
        async with client_of(app) as client:
            three = [await register(client, name) for name in ("Ada", "Berta", "Carl")]
            tables.append(await seated(three))
            await deal_over(three, tables[-1])
    async with client_of(app) as client:
        versions = [(await client.get(f"/v1/tables/{table}")).json()["rules_version"] for table in tables]
        assert versions == [then.version, now]
        for table in tables:
            assert (await audit_of(client, table))["verdict"] == "intact"
        newest = (await client.get("/v1/games/crocodile")).json()
        assert newest == (await client.get(f"/v1/games/crocodile?rules_version={now}")).json()
        older = (await client.get(f"/v1/games/crocodile?rules_version={then.version}")).json()
        assert (newest["rules_version"], older["rules_version"]) == (now, then.version)
        assert older["rules_digest"] == then.digest() != newest["rules_digest"]
        differing = [(a, b) for a, b in zip(older["bonuses"], newest["bonuses"], strict=True) if a != b]
        assert [(a["silent"], b["silent"]) for a, b in differing] == [(1, 2)]
        problem(await client.get(f"/v1/games/crocodile?rules_version={now + 1}"), 404, "no-such-game")
