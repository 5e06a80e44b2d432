"""`eventsourcing[postgres]`: its application recorder, as its factory makes it. `write CLIENTS SECONDS`, `tail`."""

import os
import sys
from collections.abc import Callable
from uuid import uuid4

from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresFactory
from eventsourcing.utils import Environment

from tests.lab.benchmarks.peers import talking


def factory(connections: int) -> PostgresFactory:
    """Its factory, for the database that the environment names."""
    settings = {
        "POSTGRES_DBNAME": os.environ["PGDATABASE"],
        "POSTGRES_HOST": os.environ["PGHOST"],
        "POSTGRES_PORT": os.environ["PGPORT"],
        "POSTGRES_USER": os.environ["PGUSER"],
        # It takes no empty one.
        "POSTGRES_PASSWORD": os.environ["PGPASSWORD"] or "none is asked for",
        "POSTGRES_POOL_SIZE": str(connections),
        "POSTGRES_CONNECT_TIMEOUT": "5",
    }
    return PostgresFactory(Environment("Bench", settings))


def main(arguments: list[str]) -> None:
    """Runs with the arguments of the command line."""
    match arguments:
        case ["prepare"]:
            factory(1).application_recorder()
        case ["write", clients, seconds]:
            store = factory(int(clients)).application_recorder()

            def client() -> Callable[[], object]:
                stream, version = uuid4(), 0

                def append() -> None:
                    nonlocal version
                    store.insert_events([StoredEvent(stream, version, "card-played", talking.DATA)])
                    version += 1

                return append

            talking.write_with_threads(int(clients), float(seconds), client)
        case ["tail"]:
            store = factory(1).application_recorder()
            talking.tail(
                lambda after: [
                    (one.id, (one.originator_id, one.originator_version))
                    for one in store.select_notifications(after + 1, 1000)
                ]
            )
        case _:
            raise ValueError(f"it does not know what to do: {arguments}")


if __name__ == "__main__":
    main(sys.argv[1:])
