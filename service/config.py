"""The service's settings, read from the environment.

Every variable begins with `CODILLE_`; an empty one counts as unset. What is wrong is said at once, with the name of
the variable and what it expects, before anything starts.
"""

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Literal, Self, get_args
from urllib.parse import urlsplit

from msgspec import Struct, structs

PREFIX = "CODILLE_"

Role = Literal["all", "api", "projector"]
LogFormat = Literal["console", "json"]
Registration = Literal["open", "closed"]


class ConfigError(Exception):
    """A setting is wrong; the message names the variable and what it expects."""


class Settings(Struct, frozen=True, kw_only=True):
    """How one process of the service runs."""

    role: Role = "all"
    """Serve the interface, keep the projections, or both."""
    host: str = "127.0.0.1"
    port: int = 8000
    """TCP port; 0 takes a free one."""
    database_url: str | None = None
    """Postgres, as the service's role or the owner's; without it the embedded one."""
    database_owner_url: str | None = None
    """Postgres as the owner, for migrations; without it `database_url`."""
    redis_url: str | None = None
    """Redis; without it the embedded one."""
    data_dir: Path = Path(".codille")
    """Where the embedded servers keep their data."""
    workers: int = 1
    """Processes that serve the interface."""
    log_format: LogFormat | None = None
    """Without it, `console` on a terminal and `json` elsewhere."""
    registration: Registration = "open"
    """Whether anyone may register as a player."""
    rate_limit: int | None = 60_000
    """Requests a minute, per token and per address; None is no limit."""
    trusted_proxies: tuple[str, ...] = ()
    """The networks of the proxies that are believed whom they call for (`X-Forwarded-For`); nobody else is."""
    dispute_days: int = 30
    """How many days after it was booked a line may be disputed."""
    signing_key: bytes | None = None
    """The 32-byte Ed25519 private key that signs the log's checkpoints; without it one is made and kept."""

    @classmethod
    def load(cls, environ: Mapping[str, str]) -> Self:
        """The settings in these variables; raises ConfigError. Variables of other programs are not looked at."""
        given = {name.removeprefix(PREFIX): text for name, text in environ.items() if name.startswith(PREFIX)}
        for name in given:
            if name not in _READERS:
                raise ConfigError(_unknown(name))
        # Any, because the readers answer each to its own field's type, which the table of readers cannot say.
        values: dict[str, Any] = {name.lower(): _read(name, text) for name, text in given.items() if text.strip()}
        settings = cls(**values)
        settings._check()
        return settings

    def _check(self) -> None:
        if self.role != "all":
            for name in ("database_url", "redis_url"):
                if getattr(self, name) is None:
                    raise ConfigError(
                        f"{PREFIX}{name.upper()} is needed with {PREFIX}ROLE={self.role}: "
                        "processes with different roles share their servers"
                    )

    def __repr__(self) -> str:
        """The settings by name, without the key and the passwords."""
        shown = structs.asdict(self) | {"signing_key": self.signing_key and "…"}
        for name in ("database_url", "database_owner_url", "redis_url"):
            shown[name] = shown[name] and re.sub(r"//([^@/]*):[^@/]*@", r"//\1:…@", shown[name])
        return f"Settings({', '.join(f'{name}={value!r}' for name, value in shown.items())})"


def _read(name: str, text: str) -> object:
    try:
        return _READERS[name](text.strip())
    except ValueError as error:
        shown = "" if name in _SECRET else f", not {text!r}"
        raise ConfigError(f"{PREFIX}{name} must be {error}{shown}") from None


def _unknown(name: str) -> str:
    near = get_close_matches(name, _READERS, n=3)
    if near:
        return f"{PREFIX}{name} is not a setting; did you mean {' or '.join(PREFIX + found for found in near)}?"
    return f"{PREFIX}{name} is not a setting; there are {', '.join(PREFIX + known for known in _READERS)}"


# Each reader raises ValueError with what it expects, to follow the words "must be".


def _text(text: str) -> str:
    return text


def _integer(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        # int() would also take signs, blanks, underscores and the digits of other scripts.
        if not re.fullmatch(r"[0-9]{1,9}", text) or not least <= int(text) <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return int(text)

    return read


def _choice(literal: object) -> Callable[[str], str]:
    options = get_args(literal)

    def read(text: str) -> str:
        if text not in options:
            raise ValueError(f"one of {', '.join(options)}")
        return text

    return read


def _url(*schemes: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        expected = f"a URL that begins with {' or '.join(scheme + '://' for scheme in schemes)}"
        try:
            parts = urlsplit(text)
        except ValueError:
            raise ValueError(expected) from None
        if "://" not in text or parts.scheme not in schemes:
            raise ValueError(expected)
        return text

    return read


def _rate_limit(text: str) -> int | None:
    if text == "off":
        return None
    try:
        return _integer(1, 1_000_000)(text)
    except ValueError as error:
        raise ValueError(f"off, or the requests a minute: {error}") from None


def _networks(text: str) -> tuple[str, ...]:
    expected = "addresses or networks such as 10.0.0.7,10.1.0.0/16, of proxies alone, not of everybody"
    try:
        networks = [ip_network(part.strip()) for part in text.split(",")]
    except ValueError:
        raise ValueError(expected) from None
    if not all(network.prefixlen for network in networks):
        # Then every client would be believed to be whomever it says.
        raise ValueError(expected)
    return tuple(map(str, networks))


def _key(text: str) -> bytes:
    if not re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise ValueError("the 32 bytes of an Ed25519 private key as 64 hexadecimal digits")
    return bytes.fromhex(text)


_READERS: Mapping[str, Callable[[str], object]] = {
    "ROLE": _choice(Role),
    "HOST": _text,
    "PORT": _integer(0, 65535),
    "DATABASE_URL": _url("postgresql", "postgres"),
    "DATABASE_OWNER_URL": _url("postgresql", "postgres"),
    "REDIS_URL": _url("redis", "rediss", "unix"),
    "DATA_DIR": Path,
    "WORKERS": _integer(1, 64),
    "LOG_FORMAT": _choice(LogFormat),
    "REGISTRATION": _choice(Registration),
    "RATE_LIMIT": _rate_limit,
    "TRUSTED_PROXIES": _networks,
    "DISPUTE_DAYS": _integer(0, 36_500),
    "SIGNING_KEY": _key,
}

_SECRET = frozenset({"DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "SIGNING_KEY"})
