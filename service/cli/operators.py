"""The operator's commands for players, tokens and texts. They bypass the interface, so they need no token."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, get_args
from uuid import UUID

import msgspec
import typer

from domain.kernel.rejection import Rejected
from service.auth.names import MAX_NAME, enforced_name, look
from service.auth.scopes import PLAY, REGISTERED, Scope
from service.cli.replay import display_name
from service.cli.settings import done, settings
from service.cli.terminal_text import console, counted, plain, table
from service.run.serve_error import ServeError

if TYPE_CHECKING:
    from service.services import Services
    from service.store.accounts import PlayerProfile, TokenMetadata

players = typer.Typer(name="players", help="Add, list and erase players.", no_args_is_help=True)
tokens = typer.Typer(
    name="tokens",
    help="Issue, list and revoke tokens, also with the scopes arbiter and admin, which players cannot give themselves.",
    no_args_is_help=True,
)

tables = typer.Typer(name="tables", help="Erase text from a table's record.", no_args_is_help=True)

OWNER = typer.Argument(metavar="PLAYER", help="The player's id.")
Owner = Annotated[UUID, OWNER]

PAGE = 500


@players.command("add")
def add_player(name: Annotated[str, typer.Argument(help=f"1 to {MAX_NAME} characters.")]) -> None:
    """Register a player; print the id, a token to play with, and the secret that recovers the player without one.

    Token and secret are printed only now.
    """
    # Imported late, here and below: these load the interface and the store.
    from service.auth.secrets import RECOVERY_PREFIX, mint_secret, mint_token
    from service.http.account_schemas import Registration
    from service.moments import new_id

    try:
        name = enforced_name(msgspec.convert({"name": name}, Registration).name)
    except ValueError:
        expected = f"1 to {MAX_NAME} characters, one of them visible, none invisible or a control character"
        raise typer.BadParameter(expected, param_hint="NAME") from None
    secret, token = mint_token(REGISTERED)
    recovery_secret, recovery = mint_secret(RECOVERY_PREFIX)
    player = new_id()
    at, its_look = datetime.now(UTC), look(name)
    done(lambda services: services.players.accounts.register(player, name, token, at, recovery=recovery, look=its_look))
    typer.echo(f"player   {player}\ntoken    {secret}\nrecovery {recovery_secret}")


@players.command("list")
def list_players() -> None:
    """Print all players, in the order in which they registered."""

    async def work(services: "Services") -> "list[PlayerProfile]":
        listed: list[PlayerProfile] = []
        while True:
            page = await services.players.accounts.directory(listed[-1].id if listed else None, PAGE)
            listed += page
            if len(page) < PAGE:
                return listed

    rows = ((player.id, plain(display_name(player.name)), f"{player.created_at:%Y-%m-%d}") for player in done(work))
    console().print(table(("player", "name", "since"), rows))


@players.command("erase")
def erase_player(
    player: Annotated[UUID | None, OWNER] = None,
    *,
    words: Annotated[
        bool, typer.Option("--words", help="Erase all that the player wrote too, also if the name is erased already.")
    ] = False,
    asked: Annotated[
        bool, typer.Option("--asked", help="Erase what those wrote who asked for it when they erased themselves.")
    ] = False,
) -> None:
    """Erase a player's name, and end all tokens and what they made. The player's games stay, under the id alone.

    Words are talk, the reasons of disputes and the texts of rulings. Only the owner of the log may erase them. The
    tables' records state that they were erased, and all their hashes stay. Backups of the database keep them.
    """
    if (player is None) != asked:
        raise typer.BadParameter("name a player, or give --asked", param_hint="PLAYER")
    if words or asked:
        _erase_words(player)
        return
    if not done(lambda services: services.players.accounts.erase(str(player), datetime.now(UTC))):
        raise ServeError(f"there is no player {player}, or the profile is erased already")
    typer.echo("erased")


def _erase_words(player: UUID | None) -> None:
    from service.cli import operate

    erased = operate.erase_words(settings(), None if player is None else str(player))
    for one, words in erased.items():
        typer.echo(f"{one}: {counted(words.texts, 'text')} erased")
    if not erased:
        typer.echo("Nobody has asked for it.")
    unread = [table for words in erased.values() for table in words.unread]
    if unread:
        raise ServeError(
            f"what was written at these tables is left, since their records cannot be read here: {', '.join(unread)}"
        )


@tokens.command("add")
def add_token(
    player: Owner,
    scope: Annotated[
        list[str] | None,
        typer.Option(
            metavar="|".join(get_args(Scope)), help=f"A scope of the token; may be repeated. Default: {PLAY}."
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Its name in lists.")] = None,
    days: Annotated[
        int | None, typer.Option(min=1, max=36_500, help="Days after which it expires. Default: only when revoked.")
    ] = None,
) -> None:
    """Issue a token to a player, and print it. It is printed only now."""
    from service.auth.secrets import mint_token
    from service.cli import operate
    from service.http.account_schemas import TokenRequest
    from service.store.accounts import Issued

    scopes = tuple(dict.fromkeys(scope or [PLAY]))
    for one in scopes:
        if one not in get_args(Scope):
            raise typer.BadParameter(f"one of {', '.join(get_args(Scope))}", param_hint="--scope")
    if name is not None:
        try:
            msgspec.convert({"name": name}, TokenRequest)
        except ValueError:
            raise typer.BadParameter(f"1 to {MAX_NAME} characters, one of them visible", param_hint="--name") from None
    secret, token = mint_token(scopes, name, None if days is None else datetime.now(UTC) + timedelta(days=days))
    owner, now = str(player), datetime.now(UTC)
    if set(scopes) <= set(REGISTERED):
        issued = done(lambda services: services.players.accounts.add_token(owner, token, now))
    else:
        issued = operate.as_owner(settings(), lambda accounts: accounts.grant_token(owner, token, now))
    if not isinstance(issued, Issued):
        raise ServeError(f"there is no player {player}, or the profile is erased")
    typer.echo(secret)


@tokens.command("list")
def list_tokens(player: Owner) -> None:
    """Print a player's tokens, without their secrets, which are not stored."""

    async def work(services: "Services") -> "list[TokenMetadata]":
        if await services.players.accounts.player(str(player)) is None:
            raise ServeError(f"there is no player {player}")
        return await services.players.accounts.tokens(str(player), datetime.now(UTC))

    rows = (
        (
            token.id,
            plain(token.client or token.name or "–"),
            " ".join(token.scopes),
            f"{token.created_at:%Y-%m-%d}",
            "when revoked" if token.expires_at is None else f"{token.expires_at:%Y-%m-%d %H:%M}",
            "never" if token.last_used_at is None else f"{token.last_used_at:%Y-%m-%d %H:%M}",
        )
        for token in done(work)
    )
    console().print(table(("token", "name or client", "scopes", "since", "ends", "last used"), rows))


@tokens.command("revoke")
def revoke_token(player: Owner, token: Annotated[UUID, typer.Argument(help="The token's id, as listed.")]) -> None:
    """Revoke a token, and end what it made: tokens, webhooks, invitations. No process accepts them any more."""
    if not done(lambda services: services.players.accounts.revoke(str(token), str(player), datetime.now(UTC))):
        raise ServeError(f"the player {player} has no valid token {token}")
    typer.echo("revoked")


@tables.command("erase-text")
def erase_text(
    table_id: Annotated[UUID, typer.Argument(metavar="TABLE", help="The table's id.")],
    version: Annotated[int, typer.Argument(metavar="VERSION", min=1, help="The version of the event with the text.")],
) -> None:
    """Erase an event's text: talk, the reason of a dispute, the text of a ruling.

    The table's record states that it was erased, and all its hashes stay. Backups of the database keep the text.
    """
    from service.cli import operate

    try:
        erasure = operate.erase_text(settings(), str(table_id), version)
    except Rejected as rejected:
        raise ServeError(rejected.detail) from rejected
    typer.echo(f"erased; recorded as event {erasure}")
