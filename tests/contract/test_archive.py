"""The archive over HTTP: what is found by each filter and by whom, in order, page by page; and what is counted."""

from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import asyncpg
import httpx
import pytest
import pytest_asyncio

from domain.record.recorded import Recorded
from service.app import create_app
from service.auth.secrets import mint_token
from service.store.accounts import Accounts
from service.store.database import Database
from tests.contract.conftest import Caller, as_owner, client_of, problem, register, services_over
from tests.contract.shared import in_one_loop
from tests.support.archiving import append, rebuilt
from tests.support.for_each import Failures
from tests.support.postgres import Databases, as_service
from tests.support.projecting import games, player_id
from tests.support.registry import GAMES

pytestmark = in_one_loop

Deal = Mapping[str, Any]
PLAYER, OTHER = player_id(1), player_id(2)
NOBODY = "0197ffff-0000-7000-8000-000000000000"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def dsn_of_archive(databases: Databases) -> AsyncIterator[str]:
    async with databases.fresh() as dsn:
        yield dsn


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def database(dsn_of_archive: str) -> AsyncIterator[Database]:
    """The archive of games at forty tables; nine players have accounts."""
    async with Database(as_service(dsn_of_archive)) as database:
        tables: defaultdict[str, list[Recorded]] = defaultdict(list)
        for records in games(40):
            tables[records[0].table] += records
        # Command by command it takes much longer.
        await append(database, tables.values())
        await rebuilt(database)
        accounts = Accounts(database)
        for number in range(9):
            await accounts.register(player_id(number), f"Player {number}", mint_token(("play",))[1], datetime.now(UTC))
        yield database


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(database: Database) -> AsyncIterator[httpx.AsyncClient]:
    async with client_of(create_app(services_over(database))) as client:
        yield client


async def found(client: httpx.AsyncClient, query: str = "") -> list[Deal]:
    """All deals, page by page."""
    deals: list[Deal] = []
    more = ""
    while True:
        answer = await client.get(f"/v1/archive/deals?limit=37&{query}{more}")
        assert answer.status_code == 200, answer.text
        page = answer.json()
        deals += page["items"]
        assert page["count"] in (None, len(deals))
        if page["next"] is None:
            return deals
        more = f"&cursor={page['next']}"


def sides(deal: Deal, *players: str) -> list[int]:
    by_player = {seat["player"]: seat["side"] for seat in deal["seats"]}
    return [by_player[player] for player in players]


def plays(deal: Deal, *players: str) -> bool:
    return {*players} <= {seat["player"] for seat in deal["seats"]}


def declares(deal: Deal, player: str) -> bool:
    return any(seat["declarer"] and seat["player"] == player for seat in deal["seats"])


FILTERS: dict[str, Callable[[Deal], bool]] = {
    "": lambda _: True,
    "game=boston": lambda deal: deal["game"] == "boston",
    "game=boston&rules_version=1": lambda deal: deal["game"] == "boston" and deal["rules_version"] == 1,
    "game=lhombre&option=players:4": lambda deal: deal["game"] == "lhombre" and deal["options"]["players"] == 4,
    f"player={PLAYER}": lambda deal: plays(deal, PLAYER),
    f"player={PLAYER}&player={OTHER}": lambda deal: plays(deal, PLAYER, OTHER),
    f"player={PLAYER}&player={OTHER}&among=partners": lambda deal: (
        plays(deal, PLAYER, OTHER) and len({*sides(deal, PLAYER, OTHER)}) == 1
    ),
    f"player={PLAYER}&among=declarer": lambda deal: declares(deal, PLAYER),
    f"player={PLAYER}&player={OTHER}&among=declarer": lambda deal: (
        declares(deal, PLAYER) and plays(deal, OTHER) and sides(deal, OTHER) == [0]
    ),
    "since=2026-11-20T10:05:00Z": lambda deal: deal["at"] >= "2026-11-20T10:05:00",
    "until=2026-11-20T10:05:00Z": lambda deal: deal["at"] < "2026-11-20T10:05:00",
    "game=crocodile&contract=solo": lambda deal: deal["game"] == "crocodile" and deal["contract"] == "solo",
    "game=lorum&contract=queens": lambda deal: deal["game"] == "lorum" and deal["contract"] == "queens",
    "game=boston&trump=h": lambda deal: deal["game"] == "boston" and deal["trump"] == "h",
    "game=boston&outcome=failed": lambda deal: deal["game"] == "boston" and deal["outcome"] == "failed",
    "amount_from=20": lambda deal: deal["amount"] >= 20,
    "amount_to=5": lambda deal: deal["amount"] <= 5,
    "length_from=60&length_to=80": lambda deal: 60 <= deal["length"] <= 80,
    "rule=LO-3.7": lambda deal: "LO-3.7" in deal["rules"],
    "bots=true": lambda deal: any(seat["bot"] for seat in deal["seats"]),
    "bots=false": lambda deal: not any(seat["bot"] for seat in deal["seats"]),
    "disputed=true": lambda deal: deal["disputed"],
    "corrected=true": lambda deal: deal["corrected"],
    "disputed=false": lambda deal: not deal["disputed"],
}


async def test_each_filter_finds_just_what_it_says_newest_first(client: httpx.AsyncClient) -> None:
    everything, failures = await found(client), Failures()
    assert [deal["at"] for deal in everything] == sorted((deal["at"] for deal in everything), reverse=True)
    for query, holds in FILTERS.items():
        with failures.of({"query": query}):
            assert await found(client, query) == [deal for deal in everything if holds(deal)]
    failures.report(len(FILTERS))


async def test_within_a_game_the_largest_come_first(client: httpx.AsyncClient) -> None:
    amounts = [deal["amount"] for deal in await found(client, "game=crocodile&order=largest")]
    assert amounts
    assert amounts == sorted(amounts, reverse=True)


async def test_a_deal_has_names_words_results_and_its_moment(client: httpx.AsyncClient) -> None:
    (deal, *_) = await found(client, f"game=crocodile&player={PLAYER}&amount_from=1")
    assert deal["title"] == "Crocodile"
    assert deal["outcome_name"] == GAMES["crocodile"].words.terms["outcome"][deal["outcome"]]
    assert deal["contract_name"] == GAMES["crocodile"].words.terms["contract"][deal["contract"]]
    assert next(seat["name"] for seat in deal["seats"] if seat["player"] == PLAYER) == "Player 1"
    address = f"/v1/tables/{deal['table']}/events?after={deal['version'] - 1}&limit=1"
    (event,) = (await client.get(address)).json()["items"]
    assert (event["type"], event["deal"]) == ("deal-scored", deal["deal"])
    assert (await client.get(deal["replay"])).json()["version"] == deal["version"]
    lines = event["public"]["lines"]
    results = [sum(line["amount"] for line in lines if line["seat"] == seat["seat"]) for seat in deal["seats"]]
    assert results == [seat["result"] for seat in deal["seats"]]
    assert deal["page"].startswith(f"/replay/{deal['table']}#")


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("contract=solo", "contract"),
        ("trump=h", "trump"),
        ("outcome=made", "outcome"),
        ("rules_version=1", "rules_version"),
        ("option=players:3", "option"),
        ("order=largest", "order"),
        ("among=declarer", "among"),
        ("game=boston&option=players:3", "option"),
        ("game=lhombre&option=players:1e400", "option"),
        ("game=lhombre&option=players", "option"),
        ("game=none&option=players:3", "option"),
        ("since=2026-02-30T00:00:00Z", "since"),
        ("cursor=YWw6MSAx", "cursor"),
        ("cursor=YW46MSAx", "cursor"),
        ("cursor=YW46MSAyMDI2LTExLTIw", "cursor"),
        ("amount_from=-1", "amount_from"),
        ("player=me", "player"),
        ("trump=x&game=don", "trump"),
        ("winner=me", "winner"),
    ],
)
async def test_what_means_nothing_is_refused(client: httpx.AsyncClient, query: str, parameter: str) -> None:
    answer = await client.get(f"/v1/archive/deals?{query}")
    assert problem(answer, 422, "invalid-query")["errors"][0]["parameter"] == parameter


async def test_a_game_or_a_player_that_there_is_not_has_no_deals(client: httpx.AsyncClient) -> None:
    for query in ("game=whist", f"player={NOBODY}", f"player={PLAYER}&player={NOBODY}", "rule=XX-1"):
        assert (await client.get(f"/v1/archive/deals?{query}")).json() == {"items": [], "next": None, "count": 0}


def counted(deals: list[Deal], game: str, player: str | None = None) -> dict[str, Any]:
    own = [deal for deal in deals if deal["game"] == game and (player is None or plays(deal, player))]
    results = [seat["result"] for deal in own for seat in deal["seats"] if player is None or seat["player"] == player]
    return {"deals": len(own), "points": sum(results), "squares": sum(result**2 for result in results)}


@pytest.mark.parametrize("game", ["boston", "crocodile", "lorum", "toy"])
async def test_statistics_are_the_sums_of_the_deals_that_lists_show(client: httpx.AsyncClient, game: str) -> None:
    deals = await found(client, "bots=false")
    answer = (await client.get(f"/v1/games/{game}/statistics?player={PLAYER}")).json()
    for some, player in ((answer["everybody"], None), (answer["own"], PLAYER)):
        wanted = counted(deals, game, player)
        assert some["deals"] == wanted["deals"] == sum(one["deals"] for one in some["contracts"])
        assert all(sum(end["deals"] for end in one["outcomes"]) == one["deals"] for one in some["contracts"])
        for rows in (some["seats"], some["months"]):
            assert sum(row["results"]["points"] for row in rows) == wanted["points"]
            assert sum(row["results"]["squares"] for row in rows) == wanted["squares"]


async def test_declarers_are_counted_by_contract(client: httpx.AsyncClient) -> None:
    deals = [deal for deal in await found(client, "bots=false&game=crocodile") if deal["contract"] == "solo"]
    own = [seat["result"] for deal in deals for seat in deal["seats"] if seat["declarer"]]
    contracts = (await client.get("/v1/games/crocodile/statistics")).json()["everybody"]["contracts"]
    solo = next(one for one in contracts if one["contract"] == "solo")
    assert solo["declarers"] == {
        "deals": len(own),
        "won": sum(result > 0 for result in own),
        "lost": sum(result < 0 for result in own),
        "points": sum(own),
        "squares": sum(result**2 for result in own),
    }


async def test_there_are_no_statistics_of_games_and_players_that_there_are_not(client: httpx.AsyncClient) -> None:
    problem(await client.get("/v1/games/whist/statistics"), 404, "no-such-game")
    problem(await client.get(f"/v1/games/solo/statistics?player={NOBODY}"), 404, "no-such-player")


async def test_tables_that_lists_do_not_show_are_found_by_their_players_alone(
    client: httpx.AsyncClient, database: Database, dsn_of_archive: str
) -> None:
    ada, berta = await register(client, "Ada"), await register(client, "Berta")
    deals = await found(client, "game=tetka")
    table = deals[0]["table"]
    update = "UPDATE archive.deal SET listed = false, players[1] = $2::uuid WHERE table_id = $1"
    await as_owner(dsn_of_archive, update, table, ada.player)
    own = [deal for deal in await found_by(ada, "game=tetka") if deal["table"] == table]
    assert own
    assert not any(deal["listed"] for deal in own)
    assert await found_by(ada, f"player={ada.player}") == own
    for answer in (await found_by(berta, "game=tetka"), await found(client, "game=tetka")):
        assert not any(deal["table"] == table for deal in answer)
    assert await found_by(berta, f"player={ada.player}") == []


async def found_by(caller: Caller, query: str) -> list[Deal]:
    answer = await caller.get(f"/archive/deals?limit=200&{query}")
    assert answer.status_code == 200, answer.text
    items: list[Deal] = answer.json()["items"]
    return items


async def test_an_erased_player_is_not_found_and_the_seat_stands_without_a_name(
    client: httpx.AsyncClient, database: Database
) -> None:
    erased = player_id(8)
    before = await found(client, f"player={erased}")
    assert before
    assert await Accounts(database).erase(erased, datetime.now(UTC))
    assert await found(client, f"player={erased}") == []
    everything = await found(client)
    assert erased not in str(everything)
    after = [deal for deal in everything if any(deal["at"] == one["at"] for one in before)]
    nameless = [seat for deal in after for seat in deal["seats"] if not seat["bot"] and seat["name"] is None]
    assert len(nameless) >= len(before)
    assert all(seat["player"] is None for seat in nameless)
    problem(await client.get(f"/v1/games/solo/statistics?player={erased}"), 404, "no-such-player")


async def test_while_the_archive_is_built_it_says_so(client: httpx.AsyncClient, dsn_of_archive: str) -> None:
    owner = await asyncpg.connect(dsn_of_archive)
    try:
        await owner.execute("UPDATE archive.checkpoint SET complete_at = position + 1")
        for path in ("archive/deals", "games/solo/statistics"):
            answer = await client.get(f"/v1/{path}")
            assert "being built" in problem(answer, 503, "unavailable")["detail"]
            assert int(answer.headers["retry-after"]) > 0
    finally:
        await owner.execute("UPDATE archive.checkpoint SET complete_at = 0")
        await owner.close()


async def test_a_search_that_takes_too_long_is_ended(client: httpx.AsyncClient, dsn_of_archive: str) -> None:
    async with Database(as_service(dsn_of_archive), statement_s=0.2, custom_plans=True) as hasty:
        services = services_over(hasty)
        owner = await asyncpg.connect(dsn_of_archive)
        async with client_of(create_app(services)) as other, owner.transaction():
            await owner.execute("LOCK TABLE archive.deal IN ACCESS EXCLUSIVE MODE")
            answer = await other.get("/v1/archive/deals")
        await owner.close()
        assert "too long" in problem(answer, 503, "unavailable")["detail"]
        assert int(answer.headers["retry-after"]) > 0
    assert (await client.get("/v1/archive/deals?limit=1")).status_code == 200


async def test_ones_own_statistics_have_all_own_tables(client: httpx.AsyncClient, dsn_of_archive: str) -> None:
    ada, berta = await register(client, "Ada"), await register(client, "Berta")
    insert = "INSERT INTO archive.tally VALUES ('solo', $1, false, '2026-11-01', '3', 'made', 0, true, 2, 2, 0, 8, 32)"
    await as_owner(dsn_of_archive, insert, ada.player)
    path = f"/games/solo/statistics?player={ada.player}"
    own, others = (await ada.get(path)).json()["own"], (await berta.get(path)).json()["own"]
    assert (own["deals"], own["contracts"][0]["name"]) == (2, GAMES["solo"].words.terms["level"]["3"])
    assert own["seats"][0]["declarers"] == {"deals": 2, "won": 2, "lost": 0, "points": 8, "squares": 32}
    assert own["months"][0]["month"] == "2026-11"
    assert others["deals"] == 0
