"""A live tailer of `@eventide/message-db`: its own function for a category, by global position."""

import asyncio

import asyncpg

from tests.lab.benchmarks.peers import talking


def main() -> None:
    """Reads from the database that the environment names."""
    runner = asyncio.Runner()
    connection = runner.run(asyncpg.connect(server_settings={"search_path": "message_store,public"}))

    def read(after: int) -> list[tuple[int, object]]:
        rows = runner.run(
            connection.fetch("SELECT id, global_position FROM get_category_messages('table', $1, 1000)", after + 1)
        )
        return [(row["global_position"], row["id"]) for row in rows]

    talking.tail(read)


if __name__ == "__main__":
    main()
