"""Tables are shared among processes, and few change their owner when one comes or goes."""

from collections import Counter

import structlog
from redis.asyncio import Redis
from structlog.testing import capture_logs

from service.bots.members import Members, owner

TABLES = [f"01970000-0000-7000-8000-{number:012}" for number in range(600)]
LOG = structlog.get_logger("tests")


def test_each_process_has_its_share() -> None:
    owners = Counter(owner(table, ["a", "b", "c"]) for table in TABLES)
    assert owners.keys() == {"a", "b", "c"}
    assert min(owners.values()) > 150


def test_the_order_of_processes_does_not_matter() -> None:
    assert all(owner(table, ["a", "b", "c"]) == owner(table, ["c", "a", "b"]) for table in TABLES)


def test_only_the_tables_of_a_process_that_goes_change_their_owner() -> None:
    for table in TABLES:
        before = owner(table, ["a", "b", "c"])
        after = owner(table, ["a", "b"])
        assert after == before or before == "c"


async def test_a_process_that_knows_of_no_other_has_all_tables() -> None:
    members = Members(Redis(host="127.0.0.1", port=1), LOG)
    assert await members.beat() is False
    assert all(map(members.mine, TABLES))


async def test_one_slow_answer_is_no_error_and_what_is_waited_for_is_named() -> None:
    members = Members(Redis(host="127.0.0.1", port=1), LOG)
    with capture_logs() as logged:
        await members.beat()
        assert logged == []
        for _ in range(3):
            await members.beat()
    assert [(entry["event"], entry["error"].partition(":")[0]) for entry in logged] == [
        ("bots are shared with no other process", "Redis is unavailable")
    ]
