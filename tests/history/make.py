"""Fixtures made by other versions of the service: `python -m tests.history.make NAME FOLDER`.

FOLDER holds a checkout of each commit that the fixture's plan names, in a folder named as the commit and set up as
that version says. Each version's own `codille serve` plays its scenes on one database, one version after the other, and
makes the exports. All that is used of this version is how to start Postgres and Valkey, and how to pick from offers.

A fixture is made once: an archive that exists is left alone. Today's code can't make a form of earlier code again.
"""

import io
import json
import os
import random
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from deploy.embedded import launch
from tests.support.picking import Temper, pick
from tests.support.postgres import Postgres, as_service, binaries
from tests.support.redis import Valkey

HERE = Path(__file__).parent
PLAYERS = ("Ada", "Berta", "Carl", "Dora")
HOST = "Zoe"
"""Who opens the tables, and sits at none."""
ARBITER = "arbiter"
"""The name of the host's other token, by which disputes are ruled on."""
PATIENCE_S = 60.0
PATIENCE = 20
"""So often in a row it is asked who can act."""

View = dict[str, Any]

LEANINGS: Mapping[str, Mapping[str, float]] = {
    "boston": {"pass": 0.3},
    "crocodile": {"pass": 0.3, "concede": 0.02},
    "lhombre": {"pass": 0.4, "abandon": 0.02},
    "nuts": {"found": 20.0, "build": 1.0, "turn": 1.0, "stuck": 0.6},
    "ombre": {"pass": 0.4, "offer-surrender": 0.05},
    "solo": {"pass": 0.4},
}
"""How players lean, by game, so that games are played rather than given up."""


class Table(NamedTuple):
    """A table that is played at."""

    id: str
    game: str
    seats: int


class Version:
    """A running version of the service, and players who play there with what its offers describe."""

    def __init__(
        self,
        url: str,
        tokens: dict[str, str],
        rng: random.Random,
        codille: Callable[..., str],
        exported: Collection[str],
    ) -> None:
        self.http = httpx.Client(base_url=url, timeout=30, trust_env=False)
        self.tokens = tokens
        self.rng = rng
        self.codille = codille
        self.exported = exported
        self.exports: dict[str, bytes] = {}

    def ask(self, method: str, path: str, by: str | None = None, body: Any = None, *, may_fail: bool = False) -> Any:
        """The answer, decoded; None where it is refused and may be."""
        headers = {} if by is None else {"Authorization": f"Bearer {self.tokens[by]}"}
        deadline = time.monotonic() + PATIENCE_S
        while (answer := self.http.request(method, path, headers=headers, json=body)).status_code == 503:
            if time.monotonic() > deadline:
                break
            time.sleep(0.2)
        if answer.status_code >= 400:
            if may_fail:
                return None
            raise RuntimeError(f"{method} {path} {body}: {answer.status_code} {answer.text}")
        return answer.json() if answer.content else None

    def register(self) -> None:
        """Registers everybody, once."""
        for name in (*PLAYERS, HOST):
            if name not in self.tokens:
                answer = self.ask("POST", "/v1/players", None, {"name": name})
                self.tokens[name] = answer["token"]
                if name == HOST:
                    added = self.codille("tokens", "add", answer["player"], "--scope", "arbiter")
                    self.tokens[ARBITER] = added.split()[-1]

    def opened(self, game: str, **settled: Any) -> Table:
        """A new table, for as few deals as the game allows unless `deals` says."""
        numbers = [settled.pop("deals")] if "deals" in settled else range(1, 100)
        bodies = ({"game": game, "deals": deals, **settled} for deals in numbers)
        view = next(view for body in bodies if (view := self.ask("POST", "/v1/tables", HOST, body, may_fail=True)))
        return Table(view["table"], game, len(view["seats"]))

    def sit_down(self, table: Table, seats: int | None = None) -> Table:
        """So many players sit down, by default as many as there are seats, some with entropy."""
        for seat in range(table.seats if seats is None else seats):
            entropy = self.rng.choice([None, "", self.rng.randbytes(1).hex(), self.rng.randbytes(16).hex()])
            body = {"seat": seat, "entropy": entropy}
            self.ask("POST", f"/v1/tables/{table.id}/seats", PLAYERS[seat], body)
        return table

    def started(self, game: str, **settled: Any) -> Table:
        """A new table at which everybody sits."""
        return self.sit_down(self.opened(game, **settled))

    def view(self, table: Table) -> View:
        """The table as who sits at seat 0 sees it."""
        return dict(self.ask("GET", f"/v1/tables/{table.id}", PLAYERS[0]))

    def act(self, table: Table, temper: Temper) -> bool:
        """Somebody acts; answers whether anybody could."""
        path = f"/v1/tables/{table.id}"
        seats = self.ask("GET", f"{path}/offers", PLAYERS[0])["to_act"] or list(range(table.seats))
        self.rng.shuffle(seats)
        for seat in seats:
            offers = self.ask("GET", f"{path}/offers", PLAYERS[seat])["offers"]
            offers = [each for each in offers if each["type"] != "talk" or self.rng.random() < 0.05]
            if offers and self.ask(
                "POST", f"{path}/actions", PLAYERS[seat], pick(offers, self.rng, temper), may_fail=True
            ):
                return True
        return False

    def play(self, table: Table, until: Callable[[View], bool], **leaning: Any) -> bool:
        """Plays until the view is as wanted, the game is over, or nobody can act, and answers whether it is as wanted.

        There were versions in which tables that earlier ones had left waited for nobody.
        """
        wishes = leaning.pop("wishes", {})
        temper = Temper({**LEANINGS.get(table.game, {}), **leaning}, wishes=wishes)
        idle = 0
        while idle < PATIENCE:
            view = self.view(table)
            if until(view) or view["status"] != "playing":
                return until(view)
            idle = 0 if self.act(table, temper) else idle + 1
            time.sleep(0.2 if idle else 0)
        return False

    def finish(self, table: Table, **leaning: Any) -> Table:
        """Plays to the end."""
        self.play(table, lambda _: False, **leaning)
        return table

    def dispute(self, table: Table, deal: int, ruling: str | None, **line: Any) -> None:
        """Disputes a pair of lines of the deal that was not disputed yet, and perhaps rules on it.

        With `line` something is booked anew.
        """
        path = f"/v1/tables/{table.id}"
        ledger = self.ask("GET", f"{path}/ledger")["lines"]
        known = self.ask("GET", f"{path}/disputes")["items"]
        disputed = {(each["version"], each["line"] // 2) for dispute in known for each in dispute["lines"]}
        versions = [each["version"] for each in ledger if each["deal"] == deal and each["kind"] != "reversal"]
        pairs = [(version, pair) for version in dict.fromkeys(versions) for pair in range(versions.count(version) // 2)]
        left = [pair for pair in pairs if pair not in disputed]
        if not left:
            return
        version, pair = left[-1]
        disputing = {"reason": "The last trick was mine.", "lines": [{"version": version, "line": 2 * pair}]}
        self.ask("POST", f"{path}/disputes", PLAYERS[0], disputing)
        if ruling is not None:
            anew = [{"account": 0, "with": 1, "amount": 3, "kind": "contract", "text": "as it should be", **line}]
            body: dict[str, Any] = {"ruling": ruling, "text": "The record shows it."}
            body |= {"lines": anew if line else []} if ruling == "upheld" else {}
            self.ask("POST", f"{path}/disputes/{len(known) + 1}/ruling", ARBITER, body)

    def events(self, table: Table) -> list[Any]:
        """The table's last events."""
        after = max(0, self.view(table)["version"] - 100)
        return list(self.ask("GET", f"/v1/tables/{table.id}/events?after={after}&limit=200", PLAYERS[0])["items"])

    def erase_reason(self, table: Table) -> None:
        """Erases the reason of the last dispute."""
        opened = [event["version"] for event in self.events(table) if event["type"] == "dispute-opened"]
        if opened:
            self.codille("tables", "erase-text", table.id, str(opened[-1]))

    def export(self, name: str, table: Table, by: str | None = None) -> None:
        """Keeps an export of the table, as everybody or this player may have it, if those of its game are kept."""
        if table.game not in self.exported:
            return
        headers = {} if by is None else {"Authorization": f"Bearer {self.tokens[by]}"}
        answer = self.http.get(f"/v1/tables/{table.id}/export", headers=headers)
        if answer.status_code != 200:
            raise RuntimeError(answer.text)
        self.exports[name] = answer.content

    def rule_of(self, game: str) -> str:
        """A rule of the game."""
        return str(self.ask("GET", f"/v1/games/{game}")["rules"][-1]["id"])


Scene = Callable[[Version, str], None]
"""What is done with a game while a version runs."""


def lobby(version: Version, game: str) -> None:
    """A table at which two sat down, and one of them left."""
    table = version.sit_down(version.opened(game), 2)
    version.ask("DELETE", f"/v1/tables/{table.id}/seats/me", PLAYERS[1])


def closed(version: Version, game: str) -> None:
    """A table that was closed before the game."""
    version.ask("DELETE", f"/v1/tables/{version.opened(game).id}", HOST)


def rests(phase: str, **leaning: Any) -> Scene:
    """A table at which a deal stands in this phase; `leaning` is how players play until then."""

    def scene(version: Version, game: str) -> None:
        table = version.started(game, **({"deals": leaning.pop("deals")} if "deals" in leaning else {}))
        version.play(table, lambda view: view["phase"] == phase, **leaning)

    return scene


def in_play(version: Version, game: str) -> None:
    """A table in the middle of its last deal; a line of the first was corrected, another is disputed."""
    table = version.started(game)
    deals = version.view(table)["deals"]
    if deals > 1:
        version.play(table, lambda view: view["deal"] == 2)
        version.dispute(table, 1, "upheld", rule=version.rule_of(game))
        version.dispute(table, 1, None)
    version.play(table, lambda view: view["deal"] == deals)
    for _ in range(12):
        version.act(table, Temper(LEANINGS.get(game, {})))
    version.export(f"{game}-running", table, PLAYERS[1])


def begun(version: Version, game: str) -> None:
    """A table in its second deal; a line of the first was corrected."""
    table = version.started(game)
    version.play(table, lambda view: view["deal"] == 2)
    version.dispute(table, 1, "upheld", rule=version.rule_of(game))
    for _ in range(5):
        version.act(table, Temper())
    version.export(f"{game}-running", table)


def disputed(version: Version, table: Table) -> None:
    """Disputes at a finished game: rejected, upheld without and with lines booked anew, and open; words are erased."""
    last = version.view(table)["deal"]
    version.dispute(table, 1, "rejected")
    version.dispute(table, last, "upheld")
    version.dispute(table, 1, "upheld", rule=version.rule_of(table.game))
    version.erase_reason(table)
    version.dispute(table, last, None)
    version.export(f"{table.game}-finished", table)


def finished(version: Version, game: str) -> None:
    """A game that was played to its end, and is disputed."""
    disputed(version, version.finish(version.started(game)))


def agreed(version: Version, game: str) -> None:
    """A game that was ended by agreement in its second deal, and is disputed."""
    table = version.started(game)
    version.play(table, lambda view: view["deal"] == 2)
    for _ in range(10):
        version.act(table, Temper())
    for player in PLAYERS[: table.seats]:
        version.ask("POST", f"/v1/tables/{table.id}/end", player, {"agree": True})
    disputed(version, table)


def abandoned(version: Version, game: str) -> None:
    """A table at which the house plays the seat of a player who has left for good."""
    table = version.started(game)
    for _ in range(10):
        version.act(table, Temper())
    version.ask("POST", f"/v1/tables/{table.id}/seats/me/abandon", PLAYERS[1])
    version.export(f"{game}-abandoned", table, PLAYERS[0])


def broken_off(version: Version, game: str) -> None:
    """A game that ended when a player left it."""
    table = version.started(game, table={"on_abandon": "end"})
    for _ in range(10):
        version.act(table, Temper())
    version.ask("POST", f"/v1/tables/{table.id}/seats/me/abandon", PLAYERS[1])


def clocked(version: Version, game: str) -> None:
    """A table under a clock, which acts for a player, until the house plays one's seat and the player is back."""
    table = version.started(game, table={"clock": {"seconds": 1, "reserve": 1, "increment": 1, "absent_after": 2}})
    while not any(event["type"] == "seat-taken-over" for event in version.events(table)):
        time.sleep(0.2)
    for _ in range(10):
        version.act(table, Temper())
    version.export(f"{game}-clocked", table, PLAYERS[0])


def talked(version: Version, game: str) -> None:
    """A table whose spectators are held behind, where players talk; some of the words are erased."""
    table = version.started(game, table={"talk": True, "spectator_delay": {"events": 7}})
    for number in range(8):
        version.act(table, Temper())
        talk = {"type": "talk", "text": f"Your turn soon, number {number}."}
        version.ask("POST", f"/v1/tables/{table.id}/actions", PLAYERS[number % table.seats], talk)
    said = [event["version"] for event in version.events(table) if event["type"] == "table-talk"]
    version.codille("tables", "erase-text", table.id, str(said[0]))
    version.export(f"{game}-delayed", table)
    version.export(f"{game}-talked", table, PLAYERS[0])


def unlisted(version: Version, game: str) -> None:
    """A table that no list shows, in its first deal."""
    table = version.started(game, table={"visibility": "unlisted"})
    for _ in range(5):
        version.act(table, Temper())


def again(version: Version, game: str) -> None:
    """A finished game whose players play once more."""
    table = version.finish(version.started(game))
    view = version.ask("POST", f"/v1/tables/{table.id}/rematch", PLAYERS[0], {})
    for player in PLAYERS[1 : table.seats]:
        version.ask("POST", f"/v1/tables/{view['table']}/seats", player, {})


def rotated(version: Version, _: str) -> None:
    """Another key signs from now on."""
    version.codille("keys", "rotate")


def no_rule(version: Version, game: str) -> str:
    """The number of a rule that the game does not have, by which could be booked once."""
    return f"{version.rule_of(game)[:2]}-99"


def unruly(version: Version, game: str) -> None:
    """A finished game with a correction by a rule that the game does not have."""
    table = version.finish(version.started(game))
    version.dispute(table, 1, "upheld", rule=no_rule(version, game))
    version.export(f"{game}-unruly", table)


def goes_on(version: Version, game: str) -> None:
    """What the version before left running is played on: the first table to its end, the others for a while."""
    listed = version.ask("GET", f"/v1/tables?game={game}&status=playing&limit=100")["items"]
    views = [version.ask("GET", f"/v1/tables/{each['table']}") for each in listed]
    running = [Table(view["table"], game, len(view["seats"])) for view in views]
    for number, table in enumerate(sorted(running)):
        if number == 0:
            version.finish(table)
            last = version.view(table)["deal"]
            version.dispute(table, 1, "upheld", rule=version.rule_of(game))
            version.dispute(table, last, "upheld", rule=no_rule(version, game))
            version.export(f"{game}-went-on", table)
        else:
            for _ in range(version.rng.randint(5, 25)):
                version.act(table, Temper(LEANINGS.get(game, {})))


class Stage(NamedTuple):
    """What is done while one version runs: by game, its scenes one after the other."""

    commit: str
    scenes: Mapping[str, Sequence[Scene]]
    exported: Collection[str]
    """The games whose exports are kept: each takes half as much room as the table in the database."""


OFTEN = 50.0
"""How readily one leans to what is to be seen."""

FAMILY = {"crocodile", "lhombre", "ombre", "solo"}
"""The games of 70ad555."""

PLANS: Mapping[str, Sequence[Stage]] = {
    "70ad555": (
        Stage(
            "70ad555",
            {
                "crocodile": (
                    lobby,
                    rests("auction"),
                    rests("declaration"),
                    rests("casco", **{"pass": OFTEN}),
                    rests("casco-declaration", **{"pass": OFTEN}),
                    rests("exchange"),
                    rests("priority", **{"offer-priority": OFTEN}),
                    rests("play"),
                    finished,
                    in_play,
                ),
                "lhombre": (
                    closed,
                    rests("auction"),
                    rests("declaration", wishes={"contract": "simple-game"}),
                    *(
                        rests("declaration", wishes={"contract": contract})
                        for contract in ("tourne", "grand-tourne", "spade-solo", "pure-nolo", "nolo-ouvert")
                    ),
                    rests("exchange"),
                    finished,
                    in_play,
                ),
                "ombre": (
                    lobby,
                    rests("declaration", wishes={"contract": "entrada"}),
                    rests("declaration", wishes={"contract": "vuelta"}),
                    rests("exchange"),
                    rests("surrender", **{"offer-surrender": OFTEN}),
                    finished,
                    in_play,
                    rotated,
                ),
                "solo": (
                    lobby,
                    rests("auction"),
                    rests("declaration", **{"pass": 0.0}),
                    rests("declaration", **{"pass": OFTEN}),
                    rests("play"),
                    finished,
                    unruly,
                    in_play,
                ),
            },
            FAMILY,
        ),
    ),
    "b272338": (
        Stage(
            "b272338",
            {
                "boston": (rests("auction"), finished, in_play),
                "burraco": (rests("meld"), finished, in_play),
                "crocodile": (lobby, closed, rests("exchange"), finished, in_play),
                "diloti": (rests("play"), finished, in_play, unlisted),
                "dingo": (rests("hunt"), finished, in_play, clocked),
                "don": (rests("pitch"), finished, in_play, talked, broken_off),
                "khanhoo": (rests("claim"), finished, in_play),
                "king": (rests("play"), agreed, in_play),
                "lhombre": (rests("play"), finished, in_play),
                "lorum": (agreed, in_play),
                "nuts": (rests("racing"), finished),
                "ombre": (rests("surrender", **{"offer-surrender": OFTEN}), finished, in_play, rotated),
                "solo": (rests("declaration"), finished, in_play),
                "tetka": (rests("play"), finished, in_play, abandoned),
            },
            {"crocodile", "don", "dingo"},
        ),
    ),
    "2dd7fa3": (
        Stage(
            "70ad555",
            {
                "crocodile": (rests("exchange"), rests("casco-declaration", **{"pass": OFTEN})),
                "lhombre": (rests("exchange"), rests("declaration", wishes={"contract": "tourne"})),
                "ombre": (rests("exchange"), rests("declaration", wishes={"contract": "vuelta"})),
                "solo": (rests("play"), rests("declaration", **{"pass": 0.0})),
            },
            FAMILY,
        ),
        Stage(
            "3a9862a",
            {
                "crocodile": (goes_on, rests("exchange")),
                "lhombre": (goes_on, rests("declaration", wishes={"contract": "nolo-ouvert"})),
                "ombre": (goes_on, rests("declaration", wishes={"contract": "vuelta"})),
                "solo": (rotated, goes_on, rests("play")),
            },
            FAMILY,
        ),
        Stage(
            "2dd7fa3",
            {
                "crocodile": (goes_on,),
                "lhombre": (goes_on,),
                "ombre": (goes_on,),
                "solo": (goes_on,),
            },
            FAMILY,
        ),
    ),
    "fde52c9": (Stage("fde52c9", {"king": (begun,)}, {"king"}),),
    "2055f7f": (Stage("2055f7f", {"boston": (rests("auction"), finished)}, {"boston"}),),
    "8dbb1ba": (Stage("8dbb1ba", {"tetka": (abandoned,), "crocodile": (broken_off,)}, ()),),
    "a7e903a": (Stage("a7e903a", {"solo": (again, unlisted)}, ()),),
    "92737e1": (Stage("92737e1", {"dingo": (rests("hunt"), finished)}, {"dingo"}),),
    "beebb89": (
        Stage("beebb89", dict.fromkeys(("boston", "crocodile", "lhombre", "ombre", "solo"), (finished, clocked)), ()),
    ),
}


@contextmanager
def served(checkout: Path, data: Path, database: Postgres, redis: Valkey) -> Iterator[tuple[str, Callable[..., str]]]:
    """Runs the version's service on the database; yields where it is, and what runs its commands."""
    dsn = database.dsn("codille")
    settings = {
        "CODILLE_DATABASE_URL": as_service(dsn),
        "CODILLE_DATABASE_OWNER_URL": dsn,
        "CODILLE_REDIS_URL": redis.url,
        "CODILLE_DATA_DIR": str(data),
        "CODILLE_RATE_LIMIT": "off",
        "CODILLE_PORT": "0",
    }
    environment = {name: text for name, text in os.environ.items() if not name.startswith("CODILLE_")} | settings
    program = checkout / ".venv" / "bin" / "codille"

    def codille(*arguments: str) -> str:
        command = [str(program), *arguments]
        ended = subprocess.run(command, env=environment, cwd=checkout, capture_output=True, text=True, check=False)
        if ended.returncode:
            raise RuntimeError(f"{command}: {ended.stdout}{ended.stderr}")
        return ended.stdout

    codille("migrate")
    announced = data / "service.json"
    announced.unlink(missing_ok=True)
    with (data / "log").open("ab") as log:
        process = subprocess.Popen(
            [*launch.prefix(15), str(program), "serve"], env=environment, cwd=checkout, stdout=log, stderr=log
        )
    try:
        deadline = time.monotonic() + PATIENCE_S
        while not announced.exists():
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((data / "log").read_text())
            time.sleep(0.05)
        yield json.loads(announced.read_text())["url"], codille
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


def make(name: str, folder: Path) -> None:
    """Makes the fixture of this name, unless there is one."""
    made = HERE / f"{name}.tar.xz"
    if made.exists():
        raise SystemExit(f"{made} exists: what an earlier version recorded is not made again")
    rng = random.Random(name)  # noqa: S311 - nothing secret is drawn from it
    tokens: dict[str, str] = {}
    exports: dict[str, bytes] = {}
    database, redis = Postgres(binaries()), Valkey()
    data = folder / f"{name}.data"
    data.mkdir()
    try:
        database.start()
        redis.start()
        database.execute("CREATE ROLE codille_service LOGIN", "CREATE DATABASE codille")
        for stage in PLANS[name]:
            with served(folder / stage.commit, data, database, redis) as (url, codille):
                version = Version(url, tokens, rng, codille, stage.exported)
                version.register()
                for game, scenes in stage.scenes.items():
                    for scene in scenes:
                        scene(version, game)
                exports |= version.exports
            redis.kill()
            redis.start()
        dump = subprocess.run(
            [binaries() / "pg_dump", "--format=plain", "--no-owner", "--no-privileges", "--schema=codille",
             "--schema=archive", database.dsn("codille")],
            env=os.environ | {"PGOPTIONS": "-c bytea_output=escape"}, capture_output=True, check=True,
        ).stdout  # fmt: skip
    finally:
        redis.remove()
        database.remove()
    secrets = {"tokens": tokens, "signing_key": (data / "signing.key").read_text()}
    files = {"database.sql": dump, "secrets.json": json.dumps(secrets).encode()}
    files |= {f"{export}.ndjson": content for export, content in exports.items()}
    with tarfile.open(made, "w:xz", preset=9) as archive:
        for file, content in sorted(files.items()):
            member = tarfile.TarInfo(file)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))


if __name__ == "__main__":
    make(sys.argv[1], Path(sys.argv[2]).resolve())
