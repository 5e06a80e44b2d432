"""`codille fetch`: one file of whole records, whatever is lost on the way."""

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from domain.audit.verification import header_in
from service.cli import client as clients
from service.cli import fetch as fetching
from service.cli.client import Client, ServiceRefusal, Unreachable
from service.cli.fetch import NoRecords, fetch
from service.moments import new_id
from tests.support.corpus import RECORDS
from tests.support.for_each import for_each


def renamed(name: str, table: str) -> bytes:
    """A published record, under another table's id. Nobody verifies it here."""
    data = (RECORDS / name).read_bytes()
    header = header_in(data.partition(b"\n")[0])
    assert header is not None
    return data.replace(header.table.encode(), table.encode())


TABLES = [new_id() for _ in range(3)]
WHOLE = [
    renamed(name, table) for name, table in zip(("finished.ndjson", "talk.ndjson", "clock.ndjson"), TABLES, strict=True)
]


class House:
    """A service with three records, whose answers are made by `answers`, one after the other, then come whole."""

    def __init__(self, *answers: Callable[[bytes], httpx.Response]) -> None:
        self._answers = iter(answers)
        self.asked: list[str | None] = []
        self.filters: list[dict[str, str]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if not request.url.path.endswith("records.ndjson"):
            return httpx.Response(200, json={"record": {"games": 3}})
        after = request.url.params.get("after")
        self.asked.append(after)
        self.filters.append({name: value for name, value in request.url.params.items() if name != "after"})
        rest = b"".join(WHOLE if after is None else WHOLE[TABLES.index(after) + 1 :])
        return next(self._answers, whole)(rest)

    def client(self) -> Client:
        return Client("http://x.test", httpx.Client(base_url="http://x.test", transport=httpx.MockTransport(self)))


def whole(data: bytes) -> httpx.Response:
    return httpx.Response(200, content=gzip.compress(data), headers={"Content-Encoding": "gzip"})


def cut(size: int) -> Callable[[bytes], httpx.Response]:
    """An answer whose connection ends after so many bytes."""

    def answer(data: bytes) -> httpx.Response:
        def pieces() -> Iterator[bytes]:
            for start in range(0, size, 1000):
                yield data[start : min(start + 1000, size)]
            raise httpx.RemoteProtocolError("the connection ended")

        return httpx.Response(200, content=pieces())

    return answer


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (fetching, clients):
        monkeypatch.setattr(module.time, "sleep", lambda _: None)


def test_all_records_come_in_order(tmp_path: Path) -> None:
    house = House()
    assert fetch(house.client(), "p", tmp_path / "all", {}) == 3
    assert (tmp_path / "all").read_bytes() == b"".join(WHOLE)
    assert house.asked == [None]


@for_each("size", [0, 10, len(WHOLE[0]) - 1, len(WHOLE[0]), len(WHOLE[0]) + 5000])
def test_what_is_lost_is_asked_for_again_after_the_last_whole_record(tmp_path: Path, size: int) -> None:
    house, file = House(cut(size)), tmp_path / f"cut at {size}"
    assert fetch(house.client(), "p", file, {}) == 3
    assert file.read_bytes() == b"".join(WHOLE)
    assert house.asked == [None, TABLES[0] if size >= len(WHOLE[0]) else None]


def test_games_that_were_finished_since_are_added_at_the_end(tmp_path: Path) -> None:
    file = tmp_path / "all"
    file.write_bytes(WHOLE[1] + WHOLE[2])
    house = House()
    assert fetch(house.client(), "p", file, {"game": "lhombre"}) == 3
    assert file.read_bytes() == WHOLE[1] + WHOLE[2] + WHOLE[0]
    assert house.asked == [TABLES[2], None]
    assert house.filters == [{"game": "lhombre"}] * 2
    assert fetch(house.client(), "p", file, {}) == 3
    assert file.read_bytes() == WHOLE[1] + WHOLE[2] + WHOLE[0]


def test_newer_games_that_were_interrupted_leave_no_gap(tmp_path: Path) -> None:
    file = tmp_path / "all"
    file.write_bytes(WHOLE[2] + WHOLE[0])
    house = House(cut(len(WHOLE[1]) // 2))
    assert fetch(house.client(), "p", file, {}) == 3
    assert file.read_bytes() == WHOLE[2] + WHOLE[0] + WHOLE[1]
    assert house.asked == [TABLES[0], TABLES[0], None]


def test_a_file_that_has_a_record_twice_keeps_all_of_it(tmp_path: Path) -> None:
    file = tmp_path / "all"
    file.write_bytes(WHOLE[0] + WHOLE[0] + WHOLE[1])
    assert fetch(House().client(), "p", file, {}) == 4
    assert file.read_bytes() == WHOLE[0] + WHOLE[0] + WHOLE[1] + WHOLE[2]


def test_a_file_that_is_there_is_completed(tmp_path: Path) -> None:
    for start, kept in ((WHOLE[0] + WHOLE[1][:700], 0), (WHOLE[0] + WHOLE[1], 1), (WHOLE[0][:90], None), (b"", None)):
        file = tmp_path / "all"
        file.write_bytes(start)
        house = House()
        assert fetch(house.client(), "p", file, {}) == 3
        assert file.read_bytes() == b"".join(WHOLE)
        assert house.asked == [None] if kept is None else [TABLES[kept], None]


def test_if_nothing_more_comes_whole_records_are_kept(tmp_path: Path) -> None:
    house = House(cut(len(WHOLE[0]) + 9), *[cut(40)] * 9)
    with pytest.raises(Unreachable):
        fetch(house.client(), "p", tmp_path / "all", {})
    assert (tmp_path / "all").read_bytes() == WHOLE[0]
    assert len(house.asked) == 5


def test_a_refusal_with_a_time_is_waited_for_and_another_is_told(tmp_path: Path) -> None:
    busy = httpx.Response(429, headers={"Retry-After": "7"}, json={})
    assert fetch(House(lambda _: busy).client(), "p", tmp_path / "all", {}) == 3
    unknown = httpx.Response(404, json={"detail": "no player has this id", "code": "no-such-player"})
    with pytest.raises(ServiceRefusal, match="no player has this id"):
        fetch(House(lambda _: unknown).client(), "p", tmp_path / "none", {})


def test_another_file_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "letter"
    file.write_text("Dear Ada,\nthe cards were marked.\n")
    with pytest.raises(NoRecords):
        fetch(House().client(), "p", file, {})
    assert file.read_text().startswith("Dear Ada")
