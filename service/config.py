"""The service's settings, read from the environment.

Every variable begins with `CODILLE_`; an empty one counts as unset. A wrong one is reported before anything starts,
with its name and what it must be.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from importlib import import_module
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args, get_type_hints
from urllib.parse import SplitResult, parse_qsl

from msgspec import Struct, structs

from domain.kernel.game import Game
from projections.addresses import split_address

PREFIX = "CODILLE_"
POOLED = "pgbouncer"
"""The parameter of an address of Postgres that is `true` where a pooler of transactions is in between."""

OFFERED = "domain.registry:GAMES"
"""The default registry."""

SPECIFICATION = Path(__file__).parents[1] / "api-spec"
"""The committed specification. It is beside the packages, both in a checkout and in a wheel."""

METRICS_ABOVE = 1000
"""The default distance of the metrics port above the port of the interface."""

LOOPBACK = ("127.0.0.1", "::1", "localhost")
"""Where only programs on the same machine reach the service."""

RoleName = Literal["all", "api", "projector", "webhooks", "bots"]
LogFormat = Literal["console", "json"]
LogLevel = Literal["debug", "info", "warning"]
Registration = Literal["open", "closed"]


class ConfigError(Exception):
    """A setting is wrong; the message names the variable and says what it must be."""


# Each of these parses a variable's text into its field's value, and raises ValueError with what it expects, to follow
# the words "must be". Written by hand, since the libraries' messages say less: see deploy/decisions/0008.


def _integer(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        # int() would also accept signs, blanks, underscores and the digits of other scripts.
        if not re.fullmatch(r"[0-9]{1,9}", text) or not least <= int(text) <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return int(text)

    return parse


def _choice(literal: object) -> Callable[[str], str]:
    options = get_args(literal)

    def parse(text: str) -> str:
        if text not in options:
            raise ValueError(f"one of {', '.join(options)}")
        return text

    return parse


def _url(*schemes: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        expected = f"a URL that begins with {' or '.join(scheme + '://' for scheme in schemes)}"
        try:
            parts = split_address(text)
        except ValueError:
            raise ValueError(expected) from None
        if "://" not in text or parts.scheme not in schemes:
            raise ValueError(expected)
        if _ends_early(parts):
            raise ValueError(f"{expected}, and has signs such as / # ? @ in user and password as %2F %23 %3F %40")
        return text

    return parse


def _ends_early(parts: SplitResult) -> bool:
    """Whether a sign of the password seems to have ended it, so that the rest would be named as a host."""
    hosts = parts.netloc.rpartition("@")[2].split(",")
    return (
        not all(map(_HOST.fullmatch, hosts))
        or "@" in parts.path + parts.fragment
        or any("=" not in field for field in parts.query.split("&") if field)
    )


_HOST = re.compile(r"(\[[^\]]*\]|[^:\[\]]*)(:[0-9]*)?")


def _postgres(text: str) -> str:
    url = _url("postgresql", "postgres")(text)
    if dict(parse_qsl(split_address(url).query, keep_blank_values=True)).get(POOLED, "true") not in ("true", "false"):
        raise ValueError(f"a URL whose parameter {POOLED} is true or false")
    return url


def _is_pooled(url: str | None) -> bool:
    return url is not None and (POOLED, "true") in parse_qsl(split_address(url).query)


# As in `projections.sentinels` and `projections.cluster`, with which Redis' driver would be loaded by every command.
_SENTINELS = ("redis+sentinel", "rediss+sentinel")
_CLUSTERS = ("redis+cluster", "rediss+cluster")


def _redis(text: str) -> str:
    url = _url("redis", "rediss", "unix", *_SENTINELS, *_CLUSTERS)(text)
    scheme, path = split_address(url).scheme, split_address(url).path.strip("/")
    if scheme in _SENTINELS and not path:
        raise ValueError("a URL that ends with the name that the Sentinels watch: redis+sentinel://host:26379/NAME")
    if scheme in _CLUSTERS and path not in ("", "0"):
        raise ValueError("a URL without a database, of which a Cluster has one: redis+cluster://host:6379,host:6379")
    return url


def _limit(unit: str) -> Callable[[str], int | None]:
    def parse(text: str) -> int | None:
        if text == "off":
            return None
        try:
            return _integer(1, 1_000_000)(text)
        except ValueError as error:
            raise ValueError(f"off, or {unit}: {error}") from None

    return parse


def _proxies(text: str) -> tuple[str, ...]:
    expected = "the addresses or networks of your proxies alone, such as 10.0.0.7,10.1.0.0/16"
    try:
        networks = [ip_network(part.strip()) for part in text.split(",")]
    except ValueError:
        raise ValueError(expected) from None
    if not all(network.prefixlen for network in networks):
        # A network of length 0 includes every address.
        raise ValueError(expected)
    return tuple(map(str, networks))


class InnerNetwork(Struct, frozen=True):
    """Inner addresses, and the first and last port that may be called there, if given."""

    network: IPv4Network | IPv6Network
    ports: tuple[int, int] | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads `10.0.0.0/8`, `10.0.0.7:8080`, `10.0.0.0/8:8000-8999` or `[fd00::/8]:8080`. Raises ValueError."""
        match = _INNER.fullmatch(text)
        if match is None:
            raise ValueError("a network, and ports after a colon")
        bracketed, plain, first, last, bare = match.groups()
        network = ip_network(bracketed or plain or bare)
        if first is None:
            return cls(network)
        ports = int(first), int(last or first)
        if not 0 < ports[0] <= ports[1] < 65536:
            raise ValueError("ports from 1 to 65535")
        return cls(network, ports)

    def __str__(self) -> str:
        if self.ports is None:
            return str(self.network)
        network = f"[{self.network}]" if self.network.version == 6 else str(self.network)
        first, last = self.ports
        return f"{network}:{first}" if first == last else f"{network}:{first}-{last}"


# An IPv6 network without brackets has colons of its own, so no port can follow.
_INNER = re.compile(r"(?:\[([^\]]+)\]|([0-9./]+))(?::([0-9]{1,5})(?:-([0-9]{1,5}))?)?|([0-9A-Fa-f:./]+)")


def _inner_networks(text: str) -> tuple[str, ...]:
    expected = (
        "the addresses or networks of inner receivers alone, each with ports or without, such as "
        "10.0.0.7,10.1.0.0/16:8080,[fd00::/8]:8000-8999"
    )
    try:
        networks = [InnerNetwork.parse(part.strip()) for part in text.split(",")]
    except ValueError:
        raise ValueError(expected) from None
    if not all(inner.network.prefixlen for inner in networks):
        raise ValueError(expected)
    return tuple(map(str, networks))


_ORIGIN = re.compile(r"https?://([0-9a-z.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")


def _origins(text: str) -> tuple[str, ...]:
    if text == "off":
        return ()
    origins = tuple(origin.strip() for origin in text.split(","))
    if origins != ("*",) and not all(map(_ORIGIN.fullmatch, origins)):
        raise ValueError("*, off, or origins such as https://cards.example,http://localhost:5173")
    return origins


def _public_url(text: str) -> str:
    match = _ORIGIN.fullmatch(text)
    if match is None or not text.startswith("https://") or match[2] == ":443":
        raise ValueError("an https origin without a path, such as https://cards.example")
    return text


def _line(text: str) -> str:
    if len(text) > 200 or not text.isprintable():
        raise ValueError("one line of at most 200 characters")
    return text


def _registry(text: str) -> str:
    if not re.fullmatch(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*", text):
        raise ValueError(_A_REGISTRY)
    return text


_A_REGISTRY = "where the games are, by name, as package.module:NAME"


def _bytes(what: str) -> Callable[[str], bytes]:
    def parse(text: str) -> bytes:
        if not re.fullmatch(r"[0-9a-fA-F]{64}", text):
            raise ValueError(f"{what} as 64 hexadecimal digits")
        return bytes.fromhex(text)

    return parse


class Settings(Struct, frozen=True, kw_only=True):
    """The settings of one process of the service. The annotation of each field has the parser of its variable."""

    role: Annotated[RoleName, _choice(RoleName)] = "all"
    """The work of the process: it serves the interface (`api`), keeps the projections (`projector`), sends to webhooks
    (`webhooks`), plays for bots (`bots`), or does all of it (`all`), the last two in processes of their own.
    """
    host: Annotated[str, str] = "127.0.0.1"
    port: Annotated[int, _integer(0, 65535)] = 8000
    """TCP port; 0 takes any that is free."""
    metrics_host: Annotated[str, str] = "127.0.0.1"
    """Host for metrics and health, which the operator reads apart from the interface."""
    metrics_port: Annotated[int | None, _integer(0, 65535)] = None
    """TCP port; by default METRICS_ABOVE more than `port`, or any that is free if `port` is 0."""
    database_url: Annotated[str | None, _postgres] = None
    """Postgres as the service's role, which owns nothing; by default the embedded server."""
    database_direct_url: Annotated[str | None, _postgres] = None
    """Postgres itself, to listen, where `database_url` leads through a pooler."""
    database_owner_url: Annotated[str | None, _postgres] = None
    """Postgres itself as the owner, for migrations and some of the operator's commands."""
    standby_url: Annotated[str | None, _postgres] = None
    """A standby of Postgres, as the service's role, for reads of what it has; without it the primary reads all."""
    redis_url: Annotated[str | None, _redis] = None
    """Redis; by default the embedded server."""
    data_dir: Annotated[Path, Path] = Path(".codille")
    """The folder of the embedded servers' data."""
    workers: Annotated[int, _integer(1, 64)] = 1
    """The number of processes that serve the interface."""
    log_format: Annotated[LogFormat | None, _choice(LogFormat)] = None
    """By default `console` on a terminal, and `json` elsewhere."""
    log_level: Annotated[LogLevel, _choice(LogLevel)] = "info"
    """The lowest level that is logged. `debug` has a line for every request."""
    registration: Annotated[Registration, _choice(Registration)] = "open"
    """Whether anyone may register as a player."""
    rate_limit: Annotated[int | None, _limit("the cost a minute")] = 60_000
    """The cost a minute for each address, over all its tokens, and for each player, over all addresses.

    A cost of 1 is a tenth of a millisecond of one core's time. None is no limit, and turns off those below too.
    """
    registrations_per_hour: Annotated[int | None, _limit("the registrations an hour")] = 120
    """Players registered from each address; None is no limit."""
    tables_per_hour: Annotated[int | None, _limit("the tables an hour")] = 60
    """Tables opened by each player; four times as many from each address. None is no limit."""
    seats_per_hour: Annotated[int | None, _limit("the seats an hour")] = 240
    """Seats taken and left by each player; four times as many from each address and at each table."""
    bots_per_hour: Annotated[int | None, _limit("the bots an hour")] = 60
    """Bots seated by each player; four times as many from each address. None is no limit."""
    disputes_per_hour: Annotated[int | None, _limit("the disputes an hour")] = 60
    """Disputes opened by each player; four times as many from each address and at each table."""
    reports_per_hour: Annotated[int | None, _limit("the reports an hour")] = 20
    """Names and words reported by each player; four times as many from each address. None is no limit."""
    max_connections: Annotated[int, _integer(1, 1_000_000)] = 2000
    """Concurrent connections of each process; fewer if it has too few descriptors."""
    max_connections_per_address: Annotated[int, _integer(1, 1_000_000)] = 200
    """Concurrent connections from one address (IPv6: one /64), except trusted proxies; and its streams and waits."""
    max_streams_per_player: Annotated[int, _integer(1, 1_000_000)] = 64
    """Concurrent streams and waiting reads of each process for one player."""
    trusted_proxies: Annotated[tuple[str, ...], _proxies] = ()
    """The networks of the proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted."""
    webhook_networks: Annotated[tuple[str, ...], _inner_networks] = ()
    """The inner networks that webhooks may call, with or without encryption, as InnerNetwork reads them.

    Otherwise webhooks may call only public addresses, on port 443.
    """
    cors_origins: Annotated[tuple[str, ...], _origins] = ("*",)
    """The origins whose pages may call from a browser; `*` allows any, and () none."""
    public_url: Annotated[str | None, _public_url] = None
    """The https origin at which people reach the service; `issuer` says what it is for."""
    dispute_days: Annotated[int, _integer(0, 36_500)] = 30
    """Days for which a ledger line may be disputed after it was booked."""
    signing_key: Annotated[bytes | None, _bytes("the 32 bytes of an Ed25519 private key")] = None
    """The 32-byte Ed25519 private key that signs the log's checkpoints; by default one is made and kept."""
    bot_processes: Annotated[int | None, _integer(0, 64)] = None
    """The number of processes that play for bots, by default half as many as there are cores; with 0, none is started
    beside the others.
    """
    bot_pause_ms: Annotated[int, _integer(0, 60_000)] = 600
    """Milliseconds that bots wait before they act."""
    bot_secret: Annotated[bytes | None, _bytes("32 random bytes")] = None
    """The 32 secret bytes from which the chance of bots follows. By default they follow from the signing key or, in a
    process that has none, are drawn when it starts.
    """
    dumps_dir: Annotated[Path | None, Path] = None
    """The folder of the dumps that are served; without it none are."""
    dump_licence: Annotated[str | None, _line] = None
    """The licence that new dumps name; without it they name none."""
    registry: Annotated[str, _registry] = OFFERED
    """The games offered, for `load_registry`."""
    spec_dir: Annotated[Path, Path] = SPECIFICATION
    """The specification that is served, as `codille openapi` writes it for these games."""

    @classmethod
    def load(cls, environ: Mapping[str, str]) -> Self:
        """The settings in these variables; those without the prefix are ignored.

        Raises ConfigError if a variable is unknown or wrong, or if one that the role needs is missing.
        """
        settings, faults = cls.read(environ)
        for fault in faults:
            raise ConfigError(fault)
        return settings

    @classmethod
    def read(cls, environ: Mapping[str, str]) -> tuple[Self, list[str]]:
        """The settings in these variables without those that are wrong, and all that is wrong."""
        given = {name.removeprefix(PREFIX): text for name, text in environ.items() if name.startswith(PREFIX)}
        faults = [_unknown(name) for name in given if name not in _PARSERS and name not in GONE]
        # Any, since each parser returns its own field's type.
        values: dict[str, Any] = {}
        for name, text in given.items():
            if name in _PARSERS and text.strip():
                try:
                    values[name.lower()] = _read(name, text)
                except ConfigError as error:
                    faults.append(str(error))
        settings = cls(**values)
        # What is missing may be what is wrong.
        return settings, faults or list(settings._lacks())

    @property
    def serves_interface(self) -> bool:
        """Whether the process, or the workers it supervises, answer clients."""
        return self.role in ("all", "api")

    @property
    def issuer(self) -> str | None:
        """The origin by which OAuth names the service (RFC 8414, 2); None: no client can be let in.

        It is never taken from a request. By default it is the address of a service that listens on loopback alone.
        """
        if self.public_url is not None or self.host not in LOOPBACK or self.trusted_proxies:
            return self.public_url
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}" if self.port == 80 else f"http://{host}:{self.port}"

    @property
    def processes_for_bots(self) -> int:
        """The number of processes that play for bots."""
        return max(1, (os.cpu_count() or 1) // 2) if self.bot_processes is None else self.bot_processes

    def port_of_metrics(self) -> int:
        """The TCP port for metrics and health; 0 takes any that is free."""
        if self.metrics_port is not None:
            return self.metrics_port
        above = self.port + METRICS_ABOVE
        return above if self.port and above <= 65535 else 0

    def documents(self) -> tuple[Path, Path]:
        """The files of the OpenAPI and the AsyncAPI document. Raises ConfigError if one of them does not exist."""
        openapi, asyncapi = (self.spec_dir / name for name in ("openapi.json", "asyncapi.json"))
        for file in (openapi, asyncapi):
            if not file.is_file():
                raise ConfigError(
                    f"{PREFIX}SPEC_DIR must be a folder with {file.name}, as `codille openapi --out FOLDER` writes it, "
                    f"not {str(self.spec_dir)!r}"
                )
        return openapi, asyncapi

    def _lacks(self) -> Iterator[str]:
        """What is missing, or does not go together."""
        if self.database_owner_url is not None and self.database_url is None:
            yield (
                f"{PREFIX}DATABASE_URL is needed with {PREFIX}DATABASE_OWNER_URL: the service connects as another role "
                "than the owner"
            )
        if self.database_direct_url is not None and self.database_url is None:
            yield f"{PREFIX}DATABASE_URL is needed with {PREFIX}DATABASE_DIRECT_URL: it names the database"
        if _is_pooled(self.database_url) and self.database_direct_url is None:
            yield (
                f"{PREFIX}DATABASE_DIRECT_URL is needed with {POOLED}=true in {PREFIX}DATABASE_URL: the service "
                "listens to Postgres, which a pooler of transactions does not pass on"
            )
        for name in ("database_direct_url", "database_owner_url"):
            if _is_pooled(getattr(self, name)):
                yield f"{PREFIX}{name.upper()} must lead to Postgres itself, without {POOLED}=true"
        if self.standby_url is not None and "," in self.standby_url.rpartition("@")[2]:
            # What one server has, another may lack.
            yield f"{PREFIX}STANDBY_URL must name one host"
        if self.standby_url is not None and self.database_url is None:
            yield f"{PREFIX}DATABASE_URL is needed with {PREFIX}STANDBY_URL: it names the primary"
        if self.role != "all":
            for name in ("database_url", "redis_url"):
                if getattr(self, name) is None:
                    yield (
                        f"{PREFIX}{name.upper()} is needed with {PREFIX}ROLE={self.role}: "
                        "processes with different roles share their servers"
                    )
        if self.role == "bots" and self.bot_processes == 0:
            yield f"{PREFIX}BOT_PROCESSES must be 1 or more with {PREFIX}ROLE=bots"

    def __repr__(self) -> str:
        """The settings by name, without the keys and the passwords."""
        fields = structs.asdict(self) | {name: getattr(self, name) and "…" for name in ("signing_key", "bot_secret")}
        for name in ("database_url", "database_direct_url", "database_owner_url", "standby_url", "redis_url"):
            fields[name] = fields[name] and re.sub(r"//([^@/]*):[^@/]*@", r"//\1:…@", fields[name])
        return f"Settings({', '.join(f'{name}={value!r}' for name, value in fields.items())})"


GONE: Mapping[str, str] = {
    "MAX_STREAMS_PER_ADDRESS": f"{PREFIX}MAX_CONNECTIONS_PER_ADDRESS limits the streams of an address too",
    "IDLE_TIMEOUT_S": "a connection may stay open for 20 seconds without a request",
    "HEAD_TIMEOUT_S": "a request's head may take 10 seconds to arrive",
    "BODY_TIMEOUT_S": "a request's body may take 20 seconds to arrive",
    "WRITE_TIMEOUT_S": "after 20 seconds, a client must have read 4 KiB a second of its answer",
}
"""What holds in place of each variable that is not a setting any more. The variable is accepted."""


def gone(environ: Mapping[str, str]) -> list[str]:
    """A warning for each of these variables that is not a setting any more; an empty one counts as unset."""
    return [
        f"{PREFIX}{name} is not a setting any more: {instead}"
        for name, instead in GONE.items()
        if environ.get(PREFIX + name, "").strip()
    ]


def load_registry(name: str) -> Mapping[str, Game]:
    """The games of the registry at `package.module:NAME`, by their names.

    Raises ConfigError if there is no such module, or no registry of games in it.
    """
    module, _, variable = name.partition(":")
    try:
        games = getattr(import_module(module), variable, None)
    except ModuleNotFoundError as error:
        raise ConfigError(f"{PREFIX}REGISTRY must be {_A_REGISTRY}, not {name!r}: {error}") from error
    if not isinstance(games, Mapping) or not games:
        raise ConfigError(f"{PREFIX}REGISTRY must be {_A_REGISTRY}, not {name!r}: no games are there")
    for key, game in games.items():
        if not isinstance(game, Game) or game.name != key:
            raise ConfigError(f"{PREFIX}REGISTRY is {name!r}, where {key!r} is no game of this name")
    return games


def _read(name: str, text: str) -> object:
    try:
        return _PARSERS[name](text.strip())
    except ValueError as error:
        given = "" if name in _SECRET else f", not {text!r}"
        raise ConfigError(f"{PREFIX}{name} must be {error}{given}") from None


def _unknown(name: str) -> str:
    near = get_close_matches(name, _PARSERS, n=3)
    if near:
        return f"{PREFIX}{name} is not a setting; did you mean {' or '.join(PREFIX + other for other in near)}?"
    return f"{PREFIX}{name} is not a setting; there are {', '.join(PREFIX + known for known in _PARSERS)}"


_PARSERS: Mapping[str, Callable[[str], object]] = {
    name.upper(): hint.__metadata__[0] for name, hint in get_type_hints(Settings, include_extras=True).items()
}

_SECRET = frozenset({"SIGNING_KEY", "BOT_SECRET"} | {name for name in _PARSERS if name.endswith("_URL")})
"""Variables whose text is never repeated in a message."""
