"""Two releases serve one database. The later one writes a type of event that the earlier one only reads."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from deploy.embedded import PostgresUrls
from domain.parts.auction import BidPassed
from domain.registry import GAMES
from service.cli.demo import choose
from tests.support.followers import Follower
from tests.support.next_release import CHANGED, EARLIER_REGISTRY, NEXT_REGISTRY, BidDeclined
from tests.support.registry import fewest_deals
from tests.support.service import running
from tests.support.waiting import PATIENCE_S

NAMES = ("Ada", "Berta", "Carl", "Dora")
DEALS = fewest_deals(GAMES[CHANGED])


@pytest.fixture
def releases(tmp_path: Path, empty_database: PostgresUrls, empty_redis: str) -> Iterator[tuple[str, str]]:
    """The addresses of the release and of the next one. The first to start projects."""
    shared = {
        "CODILLE_DATABASE_URL": empty_database.service,
        "CODILLE_REDIS_URL": empty_redis,
        "CODILLE_RATE_LIMIT": "off",
        "CODILLE_SIGNING_KEY": "5a" * 32,
    }
    migrating = {"CODILLE_DATABASE_OWNER_URL": empty_database.owner}
    with ExitStack() as started:
        nodes = [
            started.enter_context(running(tmp_path / name, settings=shared | {"CODILLE_REGISTRY": name} | given))
            for name, given in ((EARLIER_REGISTRY, migrating), (NEXT_REGISTRY, {}))
        ]
        yield nodes[0].url, nodes[1].url


class Players:
    """Players of one game after the other. Each act goes to the release after the one before."""

    def __init__(self, urls: tuple[str, str]) -> None:
        self._at = cycle(urls)
        self.written: dict[str, dict[str, Counter[str]]] = {}
        """The types of the events that each release wrote, by table."""
        registered = [sent(urls[0], "POST", "/players", json={"name": name}) for name in NAMES]
        self._own = [{"Authorization": f"Bearer {player['token']}"} for player in registered]

    def play(self, opened_at: str) -> tuple[str, int]:
        """A game that is opened at this release and played to its end: its table and last version."""
        opening = {"game": CHANGED, "deals": DEALS}
        table: str = sent(opened_at, "POST", "/tables", headers=self._own[0], json=opening)["table"]
        written = self.written[table] = defaultdict(Counter)
        chance = Random(5)  # noqa: S311 (choices in a test)
        for seat, own in enumerate(self._own):
            at = sent(next(self._at), "POST", f"/tables/{table}/seats", headers=own, json={"seat": seat})
        while at["to_act"]:
            url, own = next(self._at), self._own[at["to_act"][0]]
            known = {"min_version": at["version"]}
            offers = sent(url, "GET", f"/tables/{table}/offers", headers=own, params=known)["offers"]
            at = sent(url, "POST", f"/tables/{table}/actions", headers=own, json=choose(offers, chance))
            written[url].update(event["type"] for event in at["events"])
        return table, at["version"]


def sent(url: str, method: str, path: str, **request: Any) -> Any:
    answer = httpx.request(method, f"{url}/v1{path}", trust_env=False, timeout=PATIENCE_S, **request)
    assert answer.is_success, answer.text
    return answer.json()


def read(url: str, path: str) -> Any:
    return sent(url, "GET", path)


def until_listed(url: str, table: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while table not in {each["table"] for each in read(url, "/tables?status=finished")["items"]}:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_what_the_next_release_writes_is_served_replayed_judged_and_played_on_by_the_one_before(
    releases: tuple[str, str],
) -> None:
    earlier, later = releases
    players = Players(releases)
    with ExitStack() as stopped:
        (table, last), (old, _) = players.play(later), players.play(earlier)
        told = []
        for url in releases:
            follower = Follower(lambda url=url: url, f"/v1/tables/{table}/events/stream")
            stopped.callback(follower.stop)
            follower.until(lambda one: one.ids[-1:] == [last])
            told.append([frame for frame in follower.frames if frame["frame"] == "event"])
    assert told[0] == told[1]
    types = Counter(frame["data"]["type"] for frame in told[0])
    assert types[BidDeclined.TYPE] > 0
    assert types[BidPassed.TYPE] == 0
    # Each of the two wrote it there, and the other event at the other table.
    for url in releases:
        assert players.written[table][url][BidDeclined.TYPE] > 0
        assert players.written[old][url][BidPassed.TYPE] > 0
    # Tables of the earlier release stay as they are, also where the later one wrote the event.
    types = Counter(event["type"] for event in read(later, f"/tables/{old}/events?limit=200")["items"])
    assert types[BidDeclined.TYPE] == 0
    assert types[BidPassed.TYPE] > 0
    for version in range(1, last + 1, 7):
        one, two = (read(url, f"/tables/{table}/replay/{version}?as=public") for url in releases)
        assert one == two
    for url in releases:
        until_listed(url, table)
        audit = read(url, f"/tables/{table}/deals/1/audit")
        assert audit["verdict"] == "intact"
        assert read(url, f"/tables/{table}/ledger")["lines"]
