"""Lists of tables whose spectators follow late: they show what was before the running deal (TL-6.1)."""

import asyncio
from typing import Any

import httpx

from service.services import Services
from service.watchers import open_projector
from tests.contract.conftest import Caller, next_of, seated
from tests.contract.test_lists import services
from tests.support.projecting import quiet

__all__ = ["services"]


async def projected(services: Services) -> None:
    """Waits until the read models hold all that has happened."""
    async with asyncio.timeout(60):
        while not await services.models.position() >= await services.log.store.end() > 0:  # noqa: ASYNC110 (no event)
            await asyncio.sleep(0.01)


async def shown(http: httpx.AsyncClient, three: list[Caller]) -> dict[str, Any]:
    """What lists say, by their paths."""
    paths = ["/tables", "/tables?status=playing", "/leaderboard?game=ombre"]
    paths += [path for one in three for path in (f"/players/{one.player}", f"/players/{one.player}/ledger?game=ombre")]
    return {path: (await http.get(f"/v1{path}")).json() for path in paths}


async def test_tl_6_1_lists_show_a_deal_when_it_is_over(
    three: list[Caller], services: Services, empty_redis: str
) -> None:
    """A game of Ombre: antes are booked as the cards are dealt."""
    http = three[0].http
    table = await seated(three, game="ombre", deals=3, table={"spectator_delay": {"seconds": 1}})
    for deal in (1, 2, 3):
        view = (await three[0].get(f"/tables/{table}")).json()
        ledger = (await three[0].get(f"/tables/{table}/ledger")).json()["lines"]
        dealt = view["version"]
        await projected(services)
        before = await shown(http, three)
        (listed,) = before["/tables"]["items"]
        assert (listed["version"], listed["deal"]) == (dealt - 1, deal - 1 or None)
        assert (await three[0].get("/players/me")).json()["tables"] == [listed]
        for seat, caller in enumerate(three):
            lines = before[f"/players/{caller.player}/ledger?game=ombre"]["items"]
            booked = [line for line in ledger if line["seat"] == seat and line["version"] < dealt]
            assert [line["text"] for line in lines[::-1]] == [line["text"] for line in booked]
        assert any(line["version"] == dealt for line in ledger)
        for _ in range(2):
            await (await next_of(three, table))[1].post(f"/tables/{table}/actions", {"type": "pass"})
        await projected(services)
        assert await shown(http, three) == before
        await (await next_of(three, table))[1].post(f"/tables/{table}/actions", {"type": "pass"})
    view = (await three[0].get(f"/tables/{table}")).json()
    ledger = (await three[0].get(f"/tables/{table}/ledger")).json()["lines"]
    assert view["status"] == "finished"
    await projected(services)
    after = await shown(http, three)
    (listed,) = after["/tables"]["items"]
    assert (listed["version"], listed["totals"]) == (view["version"], view["totals"])
    for seat, caller in enumerate(three):
        lines = after[f"/players/{caller.player}/ledger?game=ombre"]["items"]
        assert [line["text"] for line in lines[::-1]] == [line["text"] for line in ledger if line["seat"] == seat]
        assert lines[0]["balance"] == view["totals"][seat]
    async with open_projector(services, empty_redis) as projector:
        await projector.rebuild(quiet)
    assert await shown(http, three) == after
