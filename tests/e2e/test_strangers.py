"""Strangers who know no rules play whole games through REST; an independent replay of the record detects no breach, nor
does the audit of any deal.

`CODILLE_TEST_GAMES` sets how many times each game is played, `CODILLE_TEST_SEED` the seed of the first. By default it
is played a quarter as often as its habits say. A run of more games goes on until all on its list was seen; games
without the service, which take little time, show that list in every run.
"""

import asyncio
import itertools
import os
from collections.abc import Collection, Iterator

import httpx
import msgspec
import pytest

from service.cli.load_test.http_connection import Connection
from tests.golden.labels import shown
from tests.support.checker import rules_digest, violations
from tests.support.games import deals_for_all
from tests.support.habits import Habits, options_of, tempers, wishless
from tests.support.helpers import helper
from tests.support.misbehaving import misbehaving, problem
from tests.support.picking import repeatable
from tests.support.recording import habitual
from tests.support.registry import GAMES as REGISTERED
from tests.support.repetition import times
from tests.support.stranger import (
    Glimpse,
    Played,
    Refused,
    Script,
    get,
    play,
    register,
    replay,
    run,
    run_async,
    verdicts,
)
from tests.support.waiting import PATIENCE_S

GAMES = os.environ.get("CODILLE_TEST_GAMES")
SEED = int(os.environ.get("CODILLE_TEST_SEED", "1"))
AT_ONCE = 12
PARTS, RUNS = 4, 4
"""The service shuffles as it will. A part of the games is played after another, until everything on a list was seen: at
most so many times all of them."""
MANY = 200
"""In so many games, everything on a game's long list must have been seen."""

each_game = pytest.mark.parametrize("habits", [helper(name, "habits") for name in REGISTERED], ids=list(REGISTERED))


@each_game
def test_habits_name_the_game_whose_folder_they_stand_in(habits: Habits, request: pytest.FixtureRequest) -> None:
    assert request.node.callspec.id == habits.game


@each_game
async def test_strangers_play_without_refusal_and_the_record_keeps_the_rules(habits: Habits, service_url: str) -> None:
    least = -(-habits.games // PARTS)
    number = times(least) if GAMES is None else int(GAMES)
    expected = {*(habits.few if number > least else ()), *(habits.many if number >= MANY else ())}
    turns = asyncio.Semaphore(AT_ONCE)

    async def one(game: int) -> Collection[str]:
        async with turns, Connection(service_url, timeout_s=PATIENCE_S) as connection:
            played = await run_async(script(habits, game), connection)
            await keeps_the_rules(played, connection)
        assert played.events[0]["public"]["rules_digest"] == rules_digest(rules)
        return shown(habits.game, played.events)

    async with Connection(service_url, timeout_s=PATIENCE_S) as connection:
        rules = (await run_async(get(f"/v1/games/{habits.game}"), connection)).body
    seen: set[str] = set()
    different = max(number, wishless(habits))
    for begun in range(0, PARTS * RUNS * number, number):
        games = (game % different for game in range(begun, begun + number))
        seen.update(*await asyncio.gather(*map(one, games)))
        if expected <= seen:
            return
    raise AssertionError(f"not seen in {PARTS * RUNS * number} games: {sorted(expected - seen)}")


@each_game
def test_in_few_games_strangers_come_across_what_there_is(habits: Habits) -> None:
    seen: set[str] = set()
    for number in range(RUNS * habits.games):
        events = habitual(habits, number)
        assert violations(events) == [], number
        seen |= shown(habits.game, events)
        if seen.issuperset(habits.few):
            return
    raise AssertionError(f"not seen in {RUNS * habits.games} games: {sorted({*habits.few} - seen)}")


async def keeps_the_rules(game: Played, connection: Connection) -> None:
    """Neither an independent replay of the record nor the audit finds a fault in a game, and no glimpse of it shows
    more than its audience may know, or other than the replay tells.
    """
    assert violations(game.events) == [], (game.table, game.options)
    agrees(game)
    assert await run_async(verdicts(game), connection) == {"intact"}, (game.table, game.options)
    for glimpse in game.glimpses:
        where = (game.table, glimpse.audience, glimpse.version)
        assert cards_in_view(game, glimpse) <= cards_revealed(game, glimpse), where
    for glimpse in repeatable(SEED).sample(game.glimpses, min(3, len(game.glimpses))):
        then = await run_async(replay(game, glimpse.audience, glimpse.version), connection)
        assert then == glimpse.view


def script(habits: Habits, number: int) -> Script[Played]:
    """A game in which everybody deals once, or there are as many deals as the habits say."""
    options, players = options_of(habits, number), tempers(habits, number)
    game = REGISTERED[habits.game]
    deals = habits.deals or deals_for_all(game, msgspec.convert(options, game.options))
    return play(habits.game, options, players, repeatable(SEED + number), deals=deals)


def agrees(game: Played) -> None:
    """The ledger and the view of a finished game agree with its events."""
    finished = game.events[-1]["public"]
    assert game.view["status"] == "finished"
    assert game.view["totals"] == finished["totals"]
    assert game.view["version"] == game.ledger["version"] == game.events[-1]["version"]
    assert [seat["player"] for seat in game.view["seats"]] == [player.player for player in game.seats]
    balances = {balance["account"]: balance["balance"] for balance in game.ledger["balances"]}
    for player, total in zip(game.seats, finished["totals"], strict=True):
        assert balances.get(f"player:{player.player}", 0) == total
    assert sum(balances.values()) == 0
    booked = [
        line | {"version": event["version"], "line": number, "deal": event["deal"]}
        for event in game.events
        for number, line in enumerate(event["public"].get("lines", ()))
    ]
    assert game.ledger["lines"] == booked


def cards_in_view(game: Played, glimpse: Glimpse) -> set[str]:
    """The cards of the running deal in a view."""
    return set(cards(pack_of(game), {name: part for name, part in glimpse.view.items() if name != "table"}))


def cards_revealed(game: Played, glimpse: Glimpse) -> set[str]:
    """The cards of the deal that the events had revealed to the audience by then."""
    events = [e for e in game.events if e["version"] <= glimpse.version and e["deal"] == glimpse.view["deal"]]
    audiences = (glimpse.audience, "public")
    sections = [section for event in events for to, section in event["sealed"].items() if to in audiences]
    shown = [helper(game.events[0]["game"], "habits").open, [event["public"] for event in events], sections]
    return set(cards(pack_of(game), shown))


def pack_of(game: Played) -> Collection[str]:
    """The names of the game's cards, as the independent checker has them."""
    pack: Collection[str] = helper(game.events[0]["game"], "checker").pack
    return pack


def cards(pack: Collection[str], value: object) -> Iterator[str]:
    """Every string in a value that names a card."""
    match value:
        case str():
            yield from [value] if value in pack else []
        case list():
            yield from itertools.chain.from_iterable(cards(pack, one) for one in value)
        case dict():
            yield from itertools.chain.from_iterable(cards(pack, one) for one in value.values())
        case _:
            pass


@pytest.mark.parametrize("row", [("Ks", 1), (["Ks", {"a": "7h"}], 2), ("spades", 0), ({"trump": "s"}, 0)])
def test_cards_are_distinguished_from_other_text(row: tuple[object, int]) -> None:
    value, number = row
    assert len(list(cards(helper("crocodile", "checker").pack, value))) == number


async def test_a_stranger_waits_a_moment_and_is_refused_where_it_would_wait_for_an_hour() -> None:
    answers = [problem(429, "rate-limited", retry_after=seconds) for seconds in (0, 3600)]
    for client in (waiting_at_once, waiting_in_a_thread):
        async with misbehaving(*answers) as server:
            with pytest.raises(Refused) as refused:
                async with asyncio.timeout(PATIENCE_S):
                    await client(server.url)
            assert refused.value.response.body["code"] == "rate-limited"
            assert [asked.path for asked in server.asked] == ["/v1/players"] * 2


async def waiting_at_once(url: str) -> None:
    async with Connection(url, timeout_s=PATIENCE_S) as connection:
        await run_async(register("stranger"), connection)


async def waiting_in_a_thread(url: str) -> None:
    with httpx.Client(base_url=url, trust_env=False) as http:
        await asyncio.to_thread(run, register("stranger"), http)
