"""`umadb`, server and client, as they come: `serve ADDRESS DIRECTORY`, `write URL CLIENTS SECONDS`, `tail URL`."""

import sys
from collections.abc import Callable
from uuid import uuid4

import umadb

from tests.lab.benchmarks.peers import talking


def main(arguments: list[str]) -> None:
    """Runs with the arguments of the command line."""
    match arguments:
        case ["serve", address, directory]:
            umadb.run_server_from_args(["umadb", "--listen", address, "--db-path", directory])
        case ["write", url, clients, seconds]:

            def client() -> Callable[[], object]:
                connected, stream = umadb.Client(url), f"table:{uuid4()}"
                mine = umadb.Query([umadb.QueryItem(tags=[stream])])
                last = 0

                def append() -> None:
                    # The condition is what other stores' expected version is.
                    nonlocal last
                    event = umadb.Event("card-played", talking.DATA, [stream], uuid4())
                    last = connected.append([event], umadb.AppendCondition(mine, last))

                return append

            talking.write_with_threads(int(clients), float(seconds), client)
        case ["tail", url]:
            connected = umadb.Client(url)
            talking.tail(
                lambda after: [(one.position, one.event.uuid) for one in connected.read(start=after + 1, limit=1000)]
            )
        case _:
            raise ValueError(f"it does not know what to do: {arguments}")


if __name__ == "__main__":
    main(sys.argv[1:])
