"""Strangers who know no rules play whole games through REST; an independent re-play of the record finds no breach.

`CODILLE_TEST_GAMES` sets how many games are played (default 24), `CODILLE_TEST_SEED` the first one's seed.
"""

import asyncio
import itertools
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest

from tests.support.checker import CONTRACTS, rules_digest, violations
from tests.support.picking import Temper, repeatable, temper_of
from tests.support.stranger import Body, Glimpse, Played, play, replay, run, run_async

GAMES = int(os.environ.get("CODILLE_TEST_GAMES", "24"))
SEED = int(os.environ.get("CODILLE_TEST_SEED", "1"))
AT_ONCE = 12
TIMEOUT_S = 30.0
MANY = 200
"""From so many games on, every bonus bid with every contract that takes it must have been seen."""

OPTION_SETS: list[Body] = [
    {},
    {"contraprimeras": "if-lost", "casco_stock": "face-up"},
    {"bonus_stacking": "cumulative"},
    {"contraprimeras": "if-lost", "bonus_stacking": "cumulative", "casco_stock": "all"},
]
WISHES = [
    (contract, "talking" if bonus and contract == "nolo-ouvert" else bonus)
    for bonus in ("tout", "cuatro", "primeras", None)
    for contract in CONTRACTS
]
WISHING = 3 * len(WISHES)
CARD = re.compile("[KQJ765432A][shdc]")


async def test_strangers_play_without_refusal_and_the_record_keeps_the_rules(service_url: str) -> None:
    turns = asyncio.Semaphore(AT_ONCE)
    async with httpx.AsyncClient(base_url=service_url, timeout=TIMEOUT_S, trust_env=False) as http:

        async def one(seed: int) -> Played:
            async with turns:
                return await run_async(
                    play("crocodile", OPTION_SETS[seed % 4], tempers(seed - SEED), repeatable(seed)), http
                )

        games = await asyncio.gather(*(one(seed) for seed in range(SEED, SEED + GAMES)))
        for game in games:
            assert violations(game.events) == [], game.table
            agrees(game)
            for glimpse in game.glimpses:
                assert shown(glimpse) <= told(game, glimpse), (game.table, glimpse.audience, glimpse.version)
            for glimpse in repeatable(SEED).sample(game.glimpses, min(3, len(game.glimpses))):
                then = await run_async(replay(game, glimpse.audience, glimpse.version), http)
                assert then == glimpse.view
    seen = Counter(itertools.chain.from_iterable(map(occurrences, games)))
    assert expected() <= set(seen), f"not seen in {GAMES} games: {sorted(expected() - set(seen))}"


def test_one_stranger_after_another_plays_a_game(service_url: str) -> None:
    with httpx.Client(base_url=service_url, timeout=TIMEOUT_S, trust_env=False) as http:
        game = run(play("crocodile", {}, tempers(MANY), repeatable(SEED), deals=6), http)
        rules = http.get("/v1/games/crocodile").json()
    assert violations(game.events) == []
    assert game.events[0]["public"]["rules_digest"] == rules_digest(rules)
    agrees(game)


def tempers(number: int) -> list[Temper]:
    """Three players. In the first games one wishes for a contract and a bonus and the others mostly pass."""
    rng = repeatable(number)
    free = [temper_of(rng) for _ in range(3)]
    if number >= WISHING:
        return free
    contract, bonus = WISHES[number % len(WISHES)]
    wishing = replace(
        free[0],
        readiness={**free[0].readiness, "pass": 1000.0 if contract == "casco" else 0.0},
        wishes={"contract": contract, "bonus": bonus},
    )
    return [wishing, *(replace(each, readiness={**each.readiness, "pass": 20.0}) for each in free[1:])]


def agrees(game: Played) -> None:
    """Ledger and view of a finished game say what its events say."""
    finished = game.events[-1]["public"]
    assert game.view["status"] == "finished"
    assert game.view["totals"] == finished["totals"]
    assert game.view["version"] == game.ledger["version"] == game.events[-1]["version"]
    assert [seat["player"] for seat in game.view["seats"]] == [player.player for player in game.seats]
    balances = {balance["account"]: balance["balance"] for balance in game.ledger["balances"]}
    for player, total in zip(game.seats, finished["totals"], strict=True):
        assert balances.get(f"player:{player.player}", 0) == total
    assert sum(balances.values()) == 0
    scored = [event for event in game.events if event["type"] == "deal-scored"]
    booked = [line | {"version": e["version"], "deal": e["deal"]} for e in scored for line in e["public"]["lines"]]
    assert game.ledger["lines"] == booked


def shown(glimpse: Glimpse) -> set[str]:
    """The cards of the running deal that a view shows."""
    return set(cards({name: part for name, part in glimpse.view.items() if name != "table"}))


def told(game: Played, glimpse: Glimpse) -> set[str]:
    """The cards that its audience had been told of in the deal by then."""
    events = [e for e in game.events if e["version"] <= glimpse.version and e["deal"] == glimpse.view["deal"]]
    audiences = (glimpse.audience, "public")
    return set(
        cards([[e["public"], [section for to, section in e["sealed"].items() if to in audiences]] for e in events])
    )


def cards(value: object) -> Iterator[str]:
    """All that looks like a card in a value."""
    match value:
        case str():
            yield from [value] if CARD.fullmatch(value) else []
        case list():
            yield from itertools.chain.from_iterable(map(cards, value))
        case dict():
            yield from itertools.chain.from_iterable(map(cards, value.values()))
        case _:
            pass


def occurrences(game: Played) -> Iterator[str]:
    """What there was in a game: contracts, bonus bids, ways to end a deal, and the rarer acts."""
    for event in game.events:
        public = event["public"]
        match event["type"]:
            case "contract-declared":
                yield from (public["contract"], f"{public['contract']} {public['bonus']}", f"bonus {public['bonus']}")
            case "casco-laid":
                yield from ("casco", f"casco {public['bonus']}", f"bonus {public['bonus']}")
            case "deal-conceded" | "table-talk" | "priority-offered" | "hand-exposed" | "talon-turned":
                yield event["type"]
            case "priority-answered":
                yield "priority accepted" if public["accepted"] else "priority refused"
            case "deal-scored":
                yield public["outcome"]
            case _:
                pass


def expected() -> set[str]:
    """What must occur over the run."""
    acts = {"deal-conceded", "table-talk", "priority accepted", "priority refused", "hand-exposed", "talon-turned"}
    bonuses = {"bonus cuatro", "bonus primeras", "bonus tout", "bonus talking"}
    if GAMES < MANY:
        return acts | bonuses | set(CONTRACTS)
    positive = [name for name, contract in CONTRACTS.items() if contract["positive"]]
    outcomes = {"victory", "simple-remis", "simple-loss", "crocodile-lunch", "contraprimeras", "contranolo", "conceded"}
    bids = {f"{name} {bonus}" for name in positive for bonus in ("cuatro", "primeras", "tout")}
    return acts | outcomes | set(CONTRACTS) | bids | {"nolo-ouvert talking"}


@pytest.mark.parametrize("row", [("Ks", 1), (["Ks", {"a": "7h"}], 2), ("spades", 0), ({"trump": "s"}, 0)])
def test_cards_are_told_from_other_text(row: tuple[object, int]) -> None:
    value, number = row
    assert len(list(cards(value))) == number
