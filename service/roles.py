"""The roles that a process may have, as values: what each opens, and what works by itself in it.

Each process also opens Postgres and Redis, and listens at the operator's address.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from service.config import RoleName

Opened = Literal["interface", "signing key"]
"""What only some roles open: the interface with its streams and its pool of processes, and the key of the log."""


class Watcher(Struct, frozen=True):
    """What works by itself: it follows something, and writes what follows from it."""

    name: str
    """As metrics, the log and the readiness of its process name it."""
    follows: str
    writes: str


ANSWERING = (
    Watcher("requests", "clients", "to the log, when somebody acts"),
    Watcher("streams", "the log, while anybody listens", "to clients"),
)
"""What the interface does, beside what works by itself."""

PROJECTING = (
    Watcher("projector", "the log", "read models, in Redis"),
    Watcher("archivist", "the log", "the archive, in Postgres"),
    Watcher("looks of names", "players' names", "what they look like"),
    Watcher("signer", "the log's length", "checkpoints"),
    Watcher("signer of requests", "requests for signatures", "signatures"),
    Watcher("audit", "the log", "nothing"),
    Watcher("timekeeper", "the log", "to the log, when a deadline has come"),
)
SENDING = (
    Watcher("webhook outbox", "the log", "messages for webhooks"),
    Watcher("webhook sender", "messages for webhooks", "to webhooks' receivers"),
)
PLAYING = (Watcher("player of bots", "the log", "to the log, when a bot acts"),)


class Role(Struct, frozen=True):
    """What a process opens, and what works by itself in it."""

    name: RoleName
    opens: frozenset[Opened] = frozenset()
    watchers: tuple[Watcher, ...] = ()
    beside: tuple[RoleName, ...] = ()
    """The roles of the processes that one of this role starts when they are first needed."""
    at_work: str = ""
    """Logged when the process is ready, without an interface."""


ROLES: Mapping[RoleName, Role] = {
    role.name: role
    for role in (
        Role("all", frozenset({"interface", "signing key"}), PROJECTING, beside=("webhooks", "bots")),
        Role("api", frozenset({"interface"})),
        Role("projector", frozenset({"signing key"}), PROJECTING, at_work="the projector is at work"),
        Role("webhooks", watchers=SENDING, at_work="what sends to webhooks is at work"),
        Role("bots", watchers=PLAYING, at_work="what plays for bots is at work"),
    )
}
