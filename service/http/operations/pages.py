"""The pages for people, and the files that they load."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from domain.record.catalogue import UnknownEvent
from domain.record.disclosure import Disclosure
from domain.record.history import History
from domain.table.decide import ARBITER
from domain.table.state import Table, opponent_at
from service import pages
from service.auth.names import labels
from service.commands.cache import NoSuchTable
from service.compute.byte_cache import Made
from service.describe.texts import english
from service.http import guards
from service.http.operations.events import LOOKED_AT_S
from service.http.problems import Problem
from service.http.query import BIGGEST
from service.http.request import Request, RoutedRequest
from service.http.responses import BytesResponse, unless_unchanged
from service.pages.page_jobs import render_deal, render_ruling
from service.services import Services

SCRIPTED: Mapping[str, str] = {
    "/": "home",
    "/new": "new",
    "/tables": "tables",
    "/disputes": "disputes",
    "/disputes/{table:uuid}/{dispute:int}": "desk",
    "/players/{player:uuid}": "player",
    "/leaderboard": "leaderboard",
    "/leaderboard/{game:str}": "leaderboard",
    "/games/{game:str}/score": "sheet",
    "/games/{game:str}/statistics": "statistics",
    "/archive": "archive",
    "/docs": "docs",
    "/docs/viewer": "viewer",
    "/replay": "replay",
    "/replay/{table:uuid}": "replay",
    "/play/{table:uuid}": "play",
}
"""Pages whose scripts show what they are about, by path. A script takes ids from the address, and says if there is
nothing of them. There is no page of a game that is not offered.
"""


def _scripted(path: str, name: str) -> HTTPRouteHandler:
    @get(path, include_in_schema=False)
    async def handle(request: RoutedRequest) -> Response[Any]:
        prepared = request.prepared
        if "{game" in path:
            await guards.game_exists(prepared)
        page = pages.scripted(name, dumps=prepared.services.settings.dumps_dir is not None)
        return await _of_table(prepared, page) if "{table" in path else unless_unchanged(page, prepared)

    return handle


@get("/page/{name:path}", include_in_schema=False)
async def file(request: RoutedRequest, name: FromPath[str]) -> Response[Any]:
    """One of the pages' files. Raises Problem if none is there."""
    wanted = pages.FILES.get(str(name).removeprefix("/"))
    if wanted is None:
        raise Problem("no-such-route", "there is no such file")
    return unless_unchanged(wanted, request.prepared)


@get(["/robots.txt", "/favicon.ico"], include_in_schema=False)
async def at_root(request: RoutedRequest) -> Response[Any]:
    """A file that crawlers and browsers look for at an address that no page names."""
    return unless_unchanged(pages.AT_ROOT[request.prepared.path], request.prepared)


async def _of_table(seeker: Request, page: pages.File) -> Response[Any]:
    """The page of a table. Its script takes the table's id from the address.

    If the table does not exist or the caller may not see it, the same page is sent with status 404: a browser opens a
    page without a token, and the page's script may have one for the table.
    """
    try:
        await guards.may_look(seeker)
    except NoSuchTable:
        return BytesResponse(page.body, status=404, media_type=page.media_type, headers=page.headers)
    return unless_unchanged(page, seeker)


@get("/games", include_in_schema=False)
async def games(request: RoutedRequest) -> Response[Any]:
    """The page of the games offered."""
    return unless_unchanged(request.prepared.interface.games_page, request.prepared)


@get("/games/{game:str}", include_in_schema=False)
async def game(
    request: RoutedRequest,
    game: FromPath[str],
    rules_version: Annotated[int | None, QueryParameter(ge=1, le=BIGGEST, description="The rules' version.")] = None,
) -> Response[Any]:
    """The rules of a game, by default the newest. Raises Problem if no game has this name, or no rules this version."""
    await guards.game_exists(request.prepared)
    try:
        return unless_unchanged(await request.prepared.interface.game_page(game, rules_version), request.prepared)
    except UnknownEvent:
        raise Problem("no-such-game", f"the rules of {game} have no version {rules_version}") from None


@get("/replay/{table:uuid}/deal/{deal:int}", include_in_schema=False)
async def deal(request: RoutedRequest, deal: FromPath[int]) -> Response[Any]:
    """A deal on one page, to be read and printed, as the caller may see it. Raises NoSuchTable and NoSuchDeal."""
    seeker, history = await _seen(request, "deal")
    ledger = await seeker.services.edge.queries.ledger(seeker.table, seeker.player)
    lines = [line for line in msgspec.json.decode(ledger.body)["lines"] if line["deal"] == deal]
    names = await _names(seeker.services, history.table)
    seeker.spending.add(history.version * LOOKED_AT_S)
    return await _printed(seeker, render_deal, deal, history, names, lines, made_from=ledger.version)


@get("/disputes/{table:uuid}/{dispute:int}/page", include_in_schema=False)
async def ruling(request: RoutedRequest, dispute: FromPath[int]) -> Response[Any]:
    """A dispute and its ruling on one page, to be read and printed, as the caller may see it. Raises NoSuchTable, and
    Problem if there is none.
    """
    seeker, history = await _seen(request, "dispute")
    await guards.dispute_exists(seeker)
    rulings = await seeker.services.log.store.rulings([(seeker.table, dispute)])
    arbiters = [record.actor.removeprefix(f"{ARBITER}:") for record in rulings]
    names = await _names(seeker.services, history.table, arbiters)
    return await _printed(seeker, render_ruling, dispute, history, names)


async def _seen(request: RoutedRequest, number: str) -> tuple[Request, History]:
    """The request, and the table as the caller sees it. Raises NoSuchTable, and Problem for a malformed number."""
    seeker = request.prepared
    guards.number(seeker, number)
    await guards.may_look(seeker)
    return seeker, await seeker.services.tables.spectators.seen(seeker.table, seeker.player)


async def _printed(
    seeker: Request,
    job: Callable[..., Awaitable[Made]],
    number: int,
    history: History,
    names: Mapping[str, str],
    *more: object,
    made_from: int = 0,
) -> Response[Any]:
    """The page that a job makes of what has this number at the table, for the caller alone: no cache stores it.

    `more` are further arguments of the job, which follow from the version `made_from` of the table's ledger.
    """
    services, table, state = seeker.services, seeker.table, history.table
    audience = await services.tables.seating.audience(table, seeker.player)
    arguments = (table, number, history.version, audience, Disclosure.of_table(state), state.players, names, *more)
    key = (job.__name__, *arguments[:4], history.head, made_from, state.texts, tuple(sorted(names.items())))
    heavy = services.edge.heavy
    body = await heavy.kept(key, lambda: heavy.run(seeker.spending, job, *arguments, events=history.version))
    page = pages.rendered(body)
    headers = {**page.headers, "Cache-Control": "no-store"}
    return BytesResponse(page.body, status=200, media_type=page.media_type, headers=headers)


async def _names(services: Services, state: Table, others: Sequence[str] = ()) -> dict[str, str]:
    """The names of a table's players, and of others, by id, told apart where they look alike, as scripts have them."""
    known = await services.players.accounts.players([*(player for player in state.players if player), *others])
    texts = english()
    erased = texts.plain("seat.erased")
    names = {player: erased if profile.name is None else profile.name for player, profile in known.items()}
    bots = {
        player: (seat, opponent_at(state, seat))
        for seat, player in enumerate(state.players)
        if player and player not in names
    }
    return labels(names) | texts.bots(bots)


_HOME, *_OTHERS = (_scripted(path, name) for path, name in SCRIPTED.items())
_PAGES = (*_OTHERS, ruling, games, game, deal)

PATHS = re.compile("|".join(re.sub(r"{.*?}", r"[\\w.~-]+", path) for page in _PAGES for path in page.paths), re.ASCII)
"""Matches the paths of pages other than the first, whatever stands for their parameters."""

HANDLERS = (_HOME, *_PAGES, file, at_root)
