"""Guards: conditions checked before an operation's query and body are read. They run in the declared order.

They are not Litestar's guards: for each of those it copies the handler, at a third of the cost of a request.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from domain.kernel.rejection import Code
from domain.table.state import Table
from service.auth.scopes import ARBITER, GIVES, PLAY, Needed
from service.auth.secrets import hashed
from service.commands.cache import NoSuchTable
from service.http.parameters import invitation_in
from service.http.problems import CHALLENGE, Problem, unauthenticated
from service.http.request import Request
from service.services import Services
from service.store.accounts import Bearer, PlayerProfile

Guard: TypeAlias = Callable[[Request], Awaitable[PlayerProfile | None]]
"""One that looks up the path's player returns the profile."""


def number(request: Request, name: str) -> int:
    """The path's number of this name. Raises Problem unless it is written in canonical decimal form."""
    value: int = request.parameters[name]
    # int(), which Litestar uses, also accepts signs, underscores, leading zeros and digits of other scripts.
    if str(value) not in request.path.split("/"):
        raise Problem("no-such-route", "nothing is served at this address")
    return value


async def authenticated(request: Request) -> None:
    """Raises Problem without a token."""
    bearer(request)


def check_client(caller: Bearer, needed: Needed | None) -> None:
    """Raises Problem unless the client's token has the scope that is needed; None refuses every client."""
    if any(needed in GIVES.get(scope, frozenset()) for scope in caller.scopes):
        return
    # RFC 6750, 3.1.
    challenge = f'{CHALLENGE}, error="insufficient_scope"'
    if needed is None:
        detail = "clients that act for a player may not do this"
    else:
        detail, challenge = f"this needs a client's token with the scope {needed}", f'{challenge}, scope="{needed}"'
    raise Problem("missing-scope", detail, headers={"WWW-Authenticate": challenge})


def client_token(request: Request) -> str | None:
    """The token in use if it is a client's, which sees and changes what is its own. None: all of the player's."""
    caller = bearer(request)
    return None if caller.client is None else caller.token


async def may_play(request: Request) -> None:
    """Raises Problem unless the token has the scope `play`, or is a client's: `check_client` was there before."""
    caller = bearer(request)
    if caller.client is None and PLAY not in caller.scopes:
        raise Problem("missing-scope", f"this needs a token with the scope {PLAY}")


async def may_rule(request: Request) -> None:
    """Raises Problem unless the token has the scope `arbiter`."""
    if ARBITER not in bearer(request).scopes:
        raise Problem("missing-scope", f"this needs a token with the scope {ARBITER}")


async def dispute_exists(request: Request) -> None:
    """Raises Problem unless the path's table has the path's dispute."""
    dispute = number(request, "dispute")
    table = (await request.services.tables.spectators.seen(request.table, request.player)).table
    if all(one.dispute != dispute for one in table.disputes):
        raise Problem(Code.NO_SUCH_DISPUTE, "the table has no dispute of this number")


async def table_exists(request: Request) -> None:
    """Raises NoSuchTable unless the path's table exists and the caller may see it."""
    table, tables = request.table, request.services.tables.cache
    table_options = tables.known_options.get(table)
    if table_options is not None and table_options.visibility != "private":
        # True of most tables, and every request comes through here.
        return
    if tables.known.peek(table) is None:
        await tables.current(table)
    await may_look(request)


async def may_look(request: Request) -> None:
    """Raises NoSuchTable if the path's table is private, and the caller neither belongs to it nor has an invitation.

    The table's opener, its players, the players for whom seats are kept and, once a line is disputed, arbiters belong
    to it.
    """
    table, services = request.table, request.services
    if not await looks(services, table, request.query, request.bearer):
        raise NoSuchTable(table)


async def looks(
    services: Services, table: str, query: bytes, caller: Bearer | None, *, remembered: bool = False
) -> bool:
    """Whether this caller may see the table, with the invitation in the query, as `may_look` defines it.

    With `remembered`, the table as cached in this process suffices. Raises NoSuchTable if there is none.
    """
    if (await services.tables.cache.table_options(table)).visibility != "private":
        return True
    invitation = invitation_in(query)
    if invitation is not None and await services.players.invitations.holds(table, hashed(invitation)):
        return True
    if caller is None:
        return False
    known = services.tables.cache.known.peek(table) if remembered else None
    if known is not None and _is_of(known.table, caller):
        return True
    known = await services.tables.cache.current(table)
    if _is_of(known.table, caller):
        return True
    return ARBITER in caller.scopes and bool(
        (await services.tables.spectators.seen_of(known, caller.player)).table.disputes
    )


def _is_of(state: Table, caller: Bearer) -> bool:
    if caller.player == state.opener or caller.player in state.players:
        return True
    return state.rematch is not None and caller.player in state.rematch.players


async def may_invite(request: Request) -> None:
    """Raises Problem unless the caller opened the path's table or sits there."""
    state = (await request.services.tables.cache.current(request.table)).table
    if bearer(request).player not in (state.opener, *state.players):
        raise Problem(Code.NOT_SEATED, "only the table's opener and players may invite others")


async def game_finished(request: Request) -> None:
    """Raises Problem unless the game at the path's table is finished."""
    if (await request.services.tables.cache.current(request.table)).table.status != "finished":
        raise Problem("not-finished", "a rematch needs a finished game")


async def seated(request: Request) -> None:
    """Raises Problem unless the caller sits at the path's table."""
    if await request.services.tables.seating.seat(request.table, bearer(request).player) is None:
        raise Problem(Code.NOT_SEATED, "you do not sit at this table")


async def opened_it(request: Request) -> None:
    """Raises Problem unless the caller opened the path's table."""
    if (await request.services.tables.cache.current(request.table)).table.opener != bearer(request).player:
        raise Problem(Code.NOT_OPENER, "only the player who opened the table may close it")


async def sits_elsewhere(request: Request) -> None:
    """Raises Problem if the caller sits at the path's table."""
    if await request.services.tables.seating.seat(request.table, bearer(request).player) is not None:
        raise Problem(Code.ARBITER_SEATED, "an arbiter cannot rule at a table where they sit")


async def version_exists(request: Request) -> None:
    """Raises Problem unless the path's table has the path's version."""
    version = number(request, "version")
    if not 1 <= version <= await request.services.tables.spectators.version(request.table, request.player, version):
        raise Problem("no-such-version", f"the table has no version {version}")


async def player_exists(request: Request) -> PlayerProfile:
    """The profile of the path's player. Raises Problem unless the player exists or has existed."""
    profile = await request.services.players.accounts.player(str(request.parameters["player"]))
    if profile is None:
        raise Problem("no-such-player", "no player has this id")
    return profile


async def game_exists(request: Request) -> None:
    """Raises Problem unless the path's game is offered."""
    if request.parameters["game"] not in request.services.reader.games:
        raise Problem("no-such-game", "no game of this name is offered")


async def registration_open(request: Request) -> None:
    """Raises Problem if the settings close registration."""
    if request.services.settings.registration != "open":
        raise Problem("registration-closed", "only the operator of this service registers players")


def bearer(request: Request) -> Bearer:
    """The caller's token. Raises Problem without one."""
    if request.bearer is None:
        raise unauthenticated("this needs a token: Authorization: Bearer …", presented=False)
    return request.bearer


PROBLEMS: Mapping[Guard, tuple[str, ...]] = {
    authenticated: ("unauthenticated",),
    may_play: ("missing-scope",),
    may_rule: ("missing-scope",),
    seated: ("not-seated",),
    opened_it: ("not-opener",),
    may_invite: ("not-seated",),
    game_finished: ("not-finished",),
    sits_elsewhere: ("arbiter-seated",),
    version_exists: ("no-such-version",),
    game_exists: ("no-such-game",),
    registration_open: ("registration-closed",),
}
"""The codes of the problems that guards raise, beside those that follow from the path."""
