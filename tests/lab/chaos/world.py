"""All that faults may touch: processes of the service, its servers, the links to them, a disk, and clocks."""

import asyncio
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from tests.lab.chaos.clocks import Clock
from tests.lab.chaos.disk import Disk
from tests.lab.chaos.links import Link
from tests.support.doors import Door
from tests.support.postgres import Postgres
from tests.support.redis import Valkey


class World(Struct, frozen=True):
    """What a run plays with."""

    doors: Sequence[Door]
    """The services."""
    postgres: Postgres
    dsn: str
    """Where the database is, as its owner."""
    valkey: Valkey
    to_postgres: Link
    to_redis: Link
    points: Path
    """The folder in which a file makes a process die at the point of its name."""
    disk: Disk | None
    """The filesystem of Postgres; None where none may be made."""
    clocks: Sequence[Clock]
    """The clocks of services; none where the library for them is missing."""
    ending: asyncio.Event
    """Set when nothing is to strike any more."""
    locks: defaultdict[str, asyncio.Lock]

    def alone(self, name: str) -> asyncio.Lock:
        """What a fault of this name holds while it lasts, so that no other takes away what it hurts."""
        what = name if name.startswith("death") else name.partition(" ")[0]
        return self.locks["service" if what == "rolling" else what]


Fault: TypeAlias = Callable[[World, random.Random], AbstractAsyncContextManager[None]]
"""Strikes when it is entered, and is healed when it is left."""
