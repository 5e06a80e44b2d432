"""Who may ask for what. Guards run in order, before query and body are looked at.

They are not Litestar's own guards: for each of those it copies the handler, at a third of the cost of a request.
"""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from domain.kernel.rejection import Code
from service.auth.scopes import ARBITER, PLAY
from service.http.problems import Problem, unauthenticated

if TYPE_CHECKING:
    from service.http.request import Ask

Guard: TypeAlias = "Callable[[Ask], Awaitable[None]]"


def guarded(*guards: Guard) -> dict[str, Any]:
    """A handler's options that set these guards before it."""
    return {"guards": guards}


async def check(ask: "Ask") -> None:
    """Runs the guards of the request's handler. Raises what they raise."""
    for guard in ask.route_handler.opt.get("guards", ()):
        await guard(ask)


def number(ask: "Ask", name: str) -> int:
    """The path's number of this name. Raises Problem where it is written otherwise than numbers are."""
    value: int = ask.path_params[name]
    # int(), by which Litestar reads it, would also take signs, underscores, leading zeros and digits of other scripts.
    if str(value) not in ask.scope["path"].split("/"):
        raise Problem("no-such-route", "nothing is served at this address")
    return value


async def authenticated(ask: "Ask") -> None:
    """A token is needed."""
    if ask.exchange.bearer is None:
        raise unauthenticated("this needs a token: Authorization: Bearer …", presented=False)


async def may_play(ask: "Ask") -> None:
    """The token must have the scope `play`."""
    if PLAY not in ask.bearer.scopes:
        raise Problem("missing-scope", f"this needs a token with the scope {PLAY}")


async def may_rule(ask: "Ask") -> None:
    """The token must have the scope `arbiter`."""
    if ARBITER not in ask.bearer.scopes:
        raise Problem("missing-scope", f"this needs a token with the scope {ARBITER}")


async def dispute_exists(ask: "Ask") -> None:
    """The path's dispute must be one of the path's table."""
    dispute = number(ask, "dispute")
    table = (await ask.edge.tables.current(str(ask.path_params["table"]))).table
    if all(one.dispute != dispute for one in table.disputes):
        raise Problem(Code.NO_SUCH_DISPUTE, "the table has no dispute of this number")


async def table_exists(ask: "Ask") -> None:
    """The path's table must exist."""
    table = ask.exchange.table = str(ask.path_params["table"])
    if not ask.edge.tables.known(table):
        await ask.edge.tables.current(table)


async def seated(ask: "Ask") -> None:
    """The caller must sit at the path's table."""
    table = ask.exchange.table = str(ask.path_params["table"])
    if await ask.edge.tables.seat(table, ask.bearer.player) is None:
        raise Problem(Code.NOT_SEATED, "you do not sit at this table")


async def opened_it(ask: "Ask") -> None:
    """The caller must have opened the path's table."""
    if (await ask.edge.tables.current(str(ask.path_params["table"]))).table.opener != ask.bearer.player:
        raise Problem(Code.NOT_OPENER, "only who opened the table may close it")


async def sits_elsewhere(ask: "Ask") -> None:
    """The caller must not sit at the path's table."""
    if await ask.edge.tables.seat(str(ask.path_params["table"]), ask.bearer.player) is not None:
        raise Problem(Code.ARBITER_SEATED, "nobody rules on a table where they sit")


async def version_exists(ask: "Ask") -> None:
    """The path's version must be one of the path's table."""
    version = number(ask, "version")
    table = str(ask.path_params["table"])
    if version < 1 or (
        version > ask.edge.tables.known(table) and version > (await ask.edge.tables.current(table)).version
    ):
        raise Problem("no-such-version", "the table's versions go from 1 to its newest")


async def player_exists(ask: "Ask") -> None:
    """The path's player must exist, or have existed."""
    player = await ask.edge.accounts.player(str(ask.path_params["player"]))
    if player is None:
        raise Problem("no-such-player", "no player has this id")
    ask.exchange.player = player


async def game_exists(ask: "Ask") -> None:
    """The path's game must be offered."""
    if ask.path_params["game"] not in ask.edge.games:
        raise Problem("no-such-game", "no game of this name is offered")


async def registration_open(ask: "Ask") -> None:
    """Anyone may register only where the service is set to it."""
    if ask.edge.settings.registration != "open":
        raise Problem("registration-closed", "players are registered by whoever runs this service")
