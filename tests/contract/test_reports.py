"""Reports of names and words: kept once, listed for the operator, and gone with what they are about."""

from datetime import UTC, datetime

import httpx
import pytest

from service.cli import reports as commands
from service.commands.erasing import erase_text
from service.services import Services
from tests.contract.conftest import Caller, opened, problem, register
from tests.contract.test_limits import Client, at, with_settings
from tests.support.for_each import for_each

__all__ = ["at"]

ADDRESS = "203.0.113.7"
NOBODY = "0197a000-0000-7000-8000-000000000000"


async def said(three: list[Caller], text: str = "I hope you lose.", **options: object) -> tuple[str, int]:
    """A table at which the first player has said something, and the version of what was said."""
    table = await opened(three[0], game="ombre", deals=3, table={"talk": True, **options})
    invitation = (await three[0].post(f"/tables/{table}/invitations", {})).json()["invitation"]
    for caller in three:
        assert (await caller.post(f"/tables/{table}/seats?invite={invitation}", {})).status_code == 201
    answer = await three[0].post(f"/tables/{table}/actions", {"type": "talk", "text": text})
    assert answer.status_code == 201, answer.text
    return table, int(answer.json()["events"][0]["version"])


async def report(caller: Caller, about: str) -> httpx.Response:
    return await caller.post("/reports", {"about": about})


async def listed(services: Services) -> list[tuple[str | None, str | None, int | None, int]]:
    return [(one.player, one.table, one.version, one.reporters) for one in await services.players.reports.open()]


async def test_each_player_reports_a_thing_once_and_the_most_reported_is_listed_first(
    three: list[Caller], services: Services
) -> None:
    ada, berta, carl = three
    table, version = await said(three)
    assert (await report(berta, f"player:{ada.player}")).status_code == 204
    for caller in (berta, carl):
        assert (await report(caller, f"event:{table}/{version}")).status_code == 204
        problem(await report(caller, f"event:{table}/{version}"), 409, "already-reported")
    assert await listed(services) == [(None, table, version, 2), (ada.player, None, None, 1)]


async def test_another_name_of_the_same_player_can_be_reported_again(three: list[Caller], services: Services) -> None:
    ada, berta, _ = three
    for name in ("Ada", "Nobody", "Ada"):
        await ada.send("PATCH", "/players/me", json={"name": name})
        expected = 409 if await listed(services) and name == "Ada" else 204
        assert (await report(berta, f"player:{ada.player}")).status_code == expected
    (_, renamed) = await services.players.reports.open()
    names = await services.players.accounts.players([ada.player])
    assert [commands.name_of(one, names) for one in await services.players.reports.open()] == ["Ada", None]
    assert renamed.player == ada.player


async def test_what_is_not_there_cannot_be_reported(three: list[Caller]) -> None:
    ada, berta, _ = three
    table, version = await said(three)
    problem(await report(berta, f"player:{NOBODY}"), 404, "no-such-player")
    problem(await report(berta, f"event:{NOBODY}/1"), 404, "no-such-table")
    for other in (1, version + 1, 999_999_999):
        problem(await report(berta, f"event:{table}/{other}"), 409, "nothing-to-report")
    assert (await ada.delete("/players/me")).status_code == 204
    problem(await report(berta, f"player:{ada.player}"), 409, "nothing-to-report")


@for_each("about", ["", "player:", f"player:{NOBODY}/1", f"event:{NOBODY}", f"event:{NOBODY}/0", f"bank:{NOBODY}"])
async def test_a_report_of_another_form_is_refused(ada: Caller, about: str) -> None:
    problem(await report(ada, about), 422, "invalid-body")


async def test_nobody_learns_of_a_private_table_by_a_report(three: list[Caller], client: httpx.AsyncClient) -> None:
    table, version = await said(three, visibility="private")
    stranger = await register(client, "Dora")
    problem(await report(stranger, f"event:{table}/{version}"), 404, "no-such-table")
    assert (await report(three[1], f"event:{table}/{version}")).status_code == 204


async def test_the_operator_reads_the_words_until_they_are_erased(
    three: list[Caller], services: Services, dsn: str
) -> None:
    table, version = await said(three, "No: I hope you lose.")
    await report(three[1], f"event:{table}/{version}")
    opened_reports = await services.players.reports.open()
    assert await commands.words_of(services, opened_reports) == {opened_reports[0].id: "seat:0: No: I hope you lose."}
    await erase_text(services.log.store, services.reader, dsn, table, version)
    assert await commands.words_of(services, opened_reports) == {}
    problem(await report(three[2], f"event:{table}/{version}"), 409, "nothing-to-report")


async def test_a_dismissed_thing_is_not_listed_and_not_reported_again_by_the_same_players(
    three: list[Caller], services: Services
) -> None:
    table, version = await said(three)
    for caller in three[:2]:
        await report(caller, f"event:{table}/{version}")
    (one,) = await services.players.reports.open()
    assert await services.players.reports.dismiss(one.id, datetime.now(UTC)) == 2
    assert await services.players.reports.dismiss(one.id, datetime.now(UTC)) == 0
    assert await listed(services) == []
    problem(await report(three[0], f"event:{table}/{version}"), 409, "already-reported")
    assert (await report(three[2], f"event:{table}/{version}")).status_code == 204
    assert await listed(services) == [(None, table, version, 1)]


@pytest.mark.parametrize("erased", [0, 1])
async def test_an_erased_players_reports_go_with_the_player(
    three: list[Caller], services: Services, erased: int
) -> None:
    await report(three[1], f"player:{three[0].player}")
    assert (await three[erased].delete("/players/me")).status_code == 204
    assert await listed(services) == []


@with_settings(reports_per_hour=1)
async def test_reports_have_a_quota(at: Client) -> None:
    ada, berta = [await register(at(ADDRESS), name) for name in ("Ada", "Berta")]
    problem(await report(ada, f"player:{NOBODY}"), 404, "no-such-player")
    assert (await report(ada, f"player:{berta.player}")).status_code == 204
    refused = await report(ada, f"player:{ada.player}")
    assert problem(refused, 429, "rate-limited")["detail"] == "no more than 1 reports an hour for one player"
