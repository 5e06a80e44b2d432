"""A person is erased: profile and words, from the log and whatever else the database has, and every record verifies."""

import importlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncpg
import httpx

from domain.record.history import Reader
from service.app import create_operations_app
from service.commands.erasing import ErasedWords, erase_words
from service.services import Services
from service.transparency import SigningKey
from tests.contract.conftest import SECRET, Caller, client_of, problem, register, with_scopes
from tests.support.exports import verified
from tests.support.kits import python_kit
from tests.support.typescript import HAS_NODE, asked

KEY = str(SigningKey(SECRET).verifier)
OWN = "Low Street 5"
"""What the one who is erased wrote, everywhere."""
FOREIGN = "High Street 7"


async def played(three: list[Caller], first: str, **options: object) -> tuple[str, int]:
    """A table at which everybody has talked, the first these words, and passed until the game was over, and its last
    version.
    """
    opened = await three[0].post("/tables", {"game": "ombre", "deals": 3, "table": {"talk": True, **options}})
    table = opened.json()["table"]
    invitation = (await three[0].post(f"/tables/{table}/invitations", {})).json()["invitation"]
    for caller in three:
        assert (await caller.post(f"/tables/{table}/seats?invite={invitation}", {})).status_code == 201
    for caller, words in zip(three, (first, FOREIGN, FOREIGN), strict=True):
        said = await caller.post(f"/tables/{table}/actions", {"type": "talk", "text": words})
        assert said.status_code == 201, said.text
    while to_act := (await three[0].get(f"/tables/{table}/offers")).json()["to_act"]:
        passed = await three[to_act[0]].post(f"/tables/{table}/actions", {"type": "pass"})
    return table, passed.json()["version"]


async def disputed_and_ruled(by: Caller, arbiter: Caller, table: str, end: int, reason: str, text: str) -> None:
    body = {"lines": [{"version": end, "line": 0}], "reason": reason}
    assert (await by.post(f"/tables/{table}/disputes", body)).status_code == 201
    ruled = await arbiter.post(f"/tables/{table}/disputes/1/ruling", {"ruling": "rejected", "text": text})
    assert ruled.status_code == 201, ruled.text


async def rows_with(dsn: str, words: str) -> list[str]:
    """The tables of the database with rows that hold these words, as text or as bytes."""
    owner = await asyncpg.connect(dsn)
    names = await owner.fetch("SELECT table_name FROM information_schema.tables WHERE table_schema = 'codille'")
    forms = [f"%{words}%", f"%{words.encode().hex()}%"]
    having = [
        name
        for (name,) in names
        if await owner.fetchval(f"SELECT EXISTS (SELECT FROM codille.{name} t WHERE t::text LIKE ANY ($1))", forms)  # noqa: S608 (a table's name)
    ]
    await owner.close()
    return sorted(having)


async def asked_for(services: Services) -> float:
    """How many the operator's metrics say have asked that their words be erased."""
    async with client_of(create_operations_app(services)) as operator:
        metrics = (await operator.get("/metrics")).text
    (line,) = [line for line in metrics.splitlines() if line.startswith("codille_words_to_erase ")]
    return float(line.split()[1])


def kits(records: list[bytes], folder: Path) -> list[tuple[str, Any]]:
    """The verdicts and faults of the kits on these exports."""
    python_kit()
    verify = importlib.import_module("codille_client.verify").verify
    reports = [(report.verdict, list(report.faults)) for report in (verify(record, [KEY]) for record in records)]
    if HAS_NODE:
        paths = [folder / f"{number}.ndjson" for number in range(len(records))]
        for path, record in zip(paths, records, strict=True):
            path.write_bytes(record)
        others = asked("verify.mjs", [{"path": str(path), "keys": [KEY]} for path in paths])
        reports += [(report["verdict"], report["faults"]) for report in others]
    return reports


async def test_all_that_a_player_wrote_is_erased_and_every_verifier_passes(
    three: list[Caller], client: httpx.AsyncClient, services: Services, dsn: str, tmp_path: Path
) -> None:
    ada, berta, carl = three
    dora = await register(client, "Dora")
    arbiter, other = await with_scopes(dsn, ada, "arbiter"), await with_scopes(dsn, dora, "arbiter")
    await ada.send("PATCH", "/players/me", json={"name": OWN})
    hook = {"url": f"https://{OWN.replace(' ', '-')}.example/", "name": OWN}
    assert (await ada.post("/webhooks", hook)).status_code == 201
    assert (await ada.post("/tokens", {"name": OWN}, headers={"Idempotency-Key": OWN})).status_code == 201
    table, end = await played(three, OWN)
    await disputed_and_ruled(ada, other, table, end, OWN, FOREIGN)
    ruled_on, end = await played([berta, carl, dora], FOREIGN, visibility="private")
    await disputed_and_ruled(carl, arbiter, ruled_on, end, FOREIGN, OWN)
    waiting = (await ada.post("/tables", {"game": "ombre", "table": {"visibility": "private"}})).json()["table"]
    invited = (await ada.post(f"/tables/{waiting}/invitations", {})).json()["invitation"]
    assert (await carl.get(f"/tables/{waiting}?invite={invited}")).status_code == 200

    assert (await ada.delete("/players/me?words=true")).status_code == 204
    problem(await carl.get(f"/tables/{waiting}?invite={invited}"), 404, "no-such-table")
    assert await asked_for(services) == 1
    assert await rows_with(dsn, OWN) == ["event"]
    (player,) = await services.players.accounts.words_asked()
    assert player == ada.player
    erased = await erase_words(services.log.store, services.reader, dsn, player)
    assert erased == ErasedWords(3, [])
    assert await erase_words(services.log.store, services.reader, dsn, player) == ErasedWords(0, [])

    assert await asked_for(services) == 0
    assert (await rows_with(dsn, OWN), await rows_with(dsn, FOREIGN)) == ([], ["event"])
    exports = []
    for at, of_others in ((table, 3), (ruled_on, 4)):
        events = await berta.get(f"/tables/{at}/events?limit=200")
        assert (events.text.count(OWN), events.text.count(FOREIGN)) == (0, of_others)
        exports.append((await berta.get(f"/tables/{at}/export")).content)
        assert verified(exports[-1], KEY).verdict == "intact"
    assert set(map(str, kits(exports, tmp_path))) == {"('intact', [])"}


async def test_a_record_that_cannot_be_read_is_left_and_the_request_with_it(
    three: list[Caller], services: Services, dsn: str
) -> None:
    table, _ = await played(three, OWN)
    at = datetime.now(UTC)
    assert await services.players.accounts.erase(three[0].player, at)
    assert await services.players.accounts.words_asked() == []
    assert await services.players.accounts.erase(three[0].player, at, words=True)
    assert not await services.players.accounts.erase(table, at, words=True)
    left = await erase_words(services.log.store, Reader({}), dsn, three[0].player)
    assert left == ErasedWords(0, [table])
    assert await services.players.accounts.words_asked() == [three[0].player]
    assert await erase_words(services.log.store, services.reader, dsn, three[0].player) == ErasedWords(1, [])
    assert await services.players.accounts.words_asked() == []
