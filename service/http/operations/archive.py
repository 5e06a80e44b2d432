"""The archive of finished deals: searched, and counted."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import Response

from projections import cursors
from projections.archive.table_rows import fold_table
from service.http import archive_parameters as by
from service.http import guards
from service.http.examples import DAY, NAMES, PLAYERS, Sample
from service.http.operation import operation
from service.http.parameters import GameName, Limit, cursor_parameter, query
from service.http.problems import Problem, invalid_query
from service.http.query import time_in
from service.http.request import Request
from service.http.responses import json
from service.queries.archive_search import LISTS, DealsPage, Wanted, described_deal
from service.queries.statistics import EVERYBODY, GameStatistics, statistics
from service.store.accounts import PlayerProfile

CURSOR = cursors.cursor(LISTS["newest"], f"90211 {DAY}T09:30:00+00:00")


def _rows(sample: Sample) -> Sequence[Mapping[str, Any]]:
    """The archive's rows of a played game."""
    _, rows = fold_table(sample.played.reader, sample.played.records, None)
    return [msgspec.structs.asdict(deal) for deal in rows.deals]


def _deals_example(sample: Sample) -> DealsPage:
    since = datetime(2026, 11, 20, tzinfo=UTC)
    names = {player: PlayerProfile(player, name, since, None) for player, name in zip(PLAYERS, NAMES, strict=False)}
    return DealsPage(tuple([described_deal(row, names, sample.played.game) for row in _rows(sample)][:1]), None, 1)


@operation(
    "GET",
    "/v1/archive/deals",
    tag="Archive",
    summary="Finished deals of all tables",
    description="Finished deals in which all of this holds, newest first; with `order=largest`, those of one game by "
    "what they were worth. Deals of unlisted and private tables are found by their own players alone. An erased player "
    "has no name here, and nothing is found by the id. While the archive is being built, and where a search would take "
    "too long, the answer is 503.",
    answers="A page of deals.",
    cost=200,
    kept_cost=10,
    client_scope="read",
    example=_deals_example,
)
async def list_archived_deals(
    request: Request,
    game: GameName = None,
    rules_version: by.RulesVersion = None,
    option: by.Option = None,
    player: by.OfPlayers = None,
    among: by.AmongThem = "any",
    since: by.Since = None,
    until: by.Until = None,
    contract: by.Contract = None,
    trump: by.Trump = None,
    outcome: by.Outcome = None,
    amount_from: by.AmountFrom = None,
    amount_to: by.AmountTo = None,
    length_from: by.LengthFrom = None,
    length_to: by.LengthTo = None,
    rule: by.CitedRule = None,
    bots: by.WithBots = None,
    disputed: by.Disputed = None,
    corrected: by.Corrected = None,
    order: by.Ordered = "newest",
    cursor: Annotated[str | None, cursor_parameter(CURSOR)] = None,
    limit: Limit = 50,
) -> Response[DealsPage]:
    """A page of finished deals. Raises Problem for an invalid query."""
    if among != "any" and not player:
        raise invalid_query("among", "says how players play: name a player, too")
    by.require_game(game, rules_version=rules_version, option=option, contract=contract, trump=trump, outcome=outcome)
    if game is None and order == "largest":
        raise invalid_query("order", "is by amount within a game only: name the game, too")
    wanted = Wanted(
        game=game,
        rules_version=rules_version,
        options=by.options_of(request.services.reader.games.get(game or ""), option or ()),
        players=tuple(dict.fromkeys(map(str, player or ()))),
        among=among,
        since=time_in("since", since),
        until=time_in("until", until),
        contract=contract,
        trump=trump,
        outcome=outcome,
        amount=(amount_from, amount_to),
        length=(length_from, length_to),
        rule=rule,
        flags={"bots": by.flag(bots), "disputed": by.flag(disputed), "corrected": by.flag(corrected)},
        order=order,
    )
    archive = request.services.edge.archive
    return json(await archive.deals(request.player, wanted, request.spending, cursor=cursor, limit=limit))


def _statistics_example(sample: Sample) -> GameStatistics:
    game = sample.played.game
    rows = [
        {
            "player": whose,
            "month": DAY[:7],
            "contract": row["contract"] or "",
            "outcome": row["outcome"],
            "seat": seat,
            "declares": row["declarer"] == seat,
            "deals": 1,
            "won": int(result > 0),
            "lost": int(result < 0),
            "points": result,
            "squares": result**2,
        }
        for row in _rows(sample)
        for seat, result in enumerate(row["results"])
        for whose in ((EVERYBODY, PLAYERS[0]) if seat == 0 else (EVERYBODY,))
    ]
    return statistics(game, rows, PLAYERS[0])


@operation(
    "GET",
    "/v1/games/{game:str}/statistics",
    tag="Archive",
    summary="How a game's deals end",
    description="How often each contract is played and how its deals end, and the results by contract, seat and month, "
    "as exact sums: the mean is `points` by `deals`, the variance is `squares` by `deals` less the square of the mean. "
    "Deals of tables that lists show count, without those of bots' tables, once they are over; corrections change "
    "them. With `player`, that player's results stand beside everybody's; one's own are those of all own tables.",
    answers="The statistics.",
    cost=200,
    kept_cost=10,
    client_scope="read",
    guards=(guards.game_exists,),
    problems=("no-such-player",),
    example=_statistics_example,
)
async def get_game_statistics(
    request: Request,
    game: str,
    player: Annotated[UUID | None, query("player", "This player's results, too.", PLAYERS[0])] = None,
) -> Response[GameStatistics]:
    """The statistics of a game. Raises Problem if there is no such player, or the profile is erased."""
    services, of_player = request.services, None if player is None else str(player)
    if of_player is not None:
        profile = await services.players.accounts.player(of_player)
        if profile is None or profile.name is None:
            raise Problem("no-such-player", "no player has this id")
    rules = services.reader.games[game]
    return json(await services.edge.archive.statistics(request.player, rules, of_player, request.spending))
