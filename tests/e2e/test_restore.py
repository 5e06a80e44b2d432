"""A backup that is restored: a checkpoint that was kept elsewhere shows whether anything is missing."""

import os
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import httpx

from tests.support.postgres import Postgres, binaries
from tests.support.redis import Valkey
from tests.support.service import CODILLE, environment, running
from tests.support.waiting import PATIENCE_S

OWNER = "CODILLE_DATABASE_OWNER_URL"
BACKUPS = "/var/backups/codille"
"""Where the guide keeps backups."""
TEXTFILES = "/var/lib/prometheus/node-exporter"
"""Where the guide notes for node_exporter when the last backup was complete."""
BEGIN = int(time.time())
GUIDE = Path(__file__).parents[2] / "deploy" / "operations.md"


def open_tables(url: str, tables: int) -> str:
    """Opens so many tables, each an event of the log. The last one's id."""
    with httpx.Client(base_url=url, timeout=PATIENCE_S, trust_env=False) as http:
        token = http.post("/v1/players", json={"name": "Ada"}).json()["token"]
        for _ in range(tables):
            headers = {"Authorization": f"Bearer {token}"}
            opened = http.post("/v1/tables", json={"game": "crocodile"}, headers=headers)
            assert opened.status_code == 201
    return str(opened.json()["table"])


def checkpoint(url: str, table: str, size: int) -> str:
    """The checkpoint of so many events. For an export of the last table it is signed sooner than at its interval."""
    httpx.get(f"{url}/v1/tables/{table}/export", timeout=PATIENCE_S, trust_env=False)
    deadline = time.monotonic() + PATIENCE_S
    while int((text := httpx.get(f"{url}/v1/log/checkpoint", trust_env=False).text).splitlines()[1]) < size:
        assert time.monotonic() < deadline, text
        time.sleep(0.05)
    return text


def guide(heading: str, language: str, number: int = 1) -> str:
    """The block of this number and language under a heading of the operators' guide."""
    section = GUIDE.read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return section.split(f"```{language}\n")[number].split("```")[0]


def run(*command: str | Path, status: int = 0, **settings: str) -> str:
    """The output of a command, which must end with this status."""
    ended = subprocess.run(command, env=dict(os.environ) | settings, capture_output=True, text=True, check=False)
    assert ended.returncode == status, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


def noted(folder: Path) -> bool:
    """Whether the folder has a note for node_exporter of a backup of this run."""
    name, seconds = (folder / "codille.prom").read_text().split()
    return name == "codille_backup_timestamp_seconds" and BEGIN <= int(seconds) <= time.time()


def two_roles(server: Postgres) -> Mapping[str, str]:
    """Makes the roles and the database of the guide, and answers the settings of a service there, and its owner's."""
    server.execute(*(statement.strip() for statement in guide("Set it up with two roles", "sql").split(";")[:-1]))
    address = server.dsn("codille").partition("@")[2]
    return {
        "CODILLE_DATABASE_URL": f"postgresql://codille_service:second@{address}",
        "CODILLE_DATABASE_OWNER_URL": f"postgresql://codille_owner:first@{address}",
        "CODILLE_SIGNING_KEY": "0f" * 32,
    }


def test_a_dump_is_restored_as_the_guide_says_and_a_kept_checkpoint_shows_what_it_lacks(
    tmp_path: Path, own_valkey: Valkey
) -> None:
    programs, server = binaries(), Postgres(binaries())
    dump, early, late, data = (tmp_path / name for name in ("codille.dump", "early", "late", "data"))
    try:
        server.start()
        all_named = {**two_roles(server), "CODILLE_REDIS_URL": own_valkey.url}
        named = {name: value for name, value in all_named.items() if name != OWNER}
        owner, migrating = all_named[OWNER], environment(data, all_named)
        run(CODILLE, "migrate", **migrating)
        with running(data, settings=named) as service:
            early.write_text(checkpoint(service.url, open_tables(service.url, 2), 2))
            dumping = guide("Back it up", "sh").split("\ncurl")[0].replace(TEXTFILES, str(tmp_path))
            run("sh", "-euc", f"cd '{tmp_path}'\n{dumping}", PATH=f"{programs}:{os.environ['PATH']}", **{OWNER: owner})
            assert noted(tmp_path)
            late.write_text(checkpoint(service.url, open_tables(service.url, 1), 3))
        database = guide("Set it up with two roles", "sql").split(";")[-2]
        server.execute("ALTER DATABASE codille RENAME TO lost", database)
        run(programs / "pg_restore", f"--dbname={owner}", "--no-owner", "--no-privileges", "--exit-on-error", dump)
        run(CODILLE, "migrate", **migrating)
        own_valkey.kill()
        own_valkey.start()
        audit = environment(data, named)
        assert "intact" in run(CODILLE, "audit", "--checkpoint", early, **audit)
        lacking = "a checkpoint of 3 events was signed, and the log ends at 2"
        assert lacking in " ".join(run(CODILLE, "audit", "--checkpoint", late, status=1, **audit).split())
        assert "is no checkpoint" in run(CODILLE, "audit", "--checkpoint", dump, status=1, **audit)
    finally:
        server.remove()


def test_a_base_backup_is_restored_to_a_moment_between_two_acts(tmp_path: Path, own_valkey: Valkey) -> None:
    def block(language: str, number: int = 1) -> str:
        text = guide("Restore it to a moment", language, number)
        return text.replace(BACKUPS, str(backups)).replace(TEXTFILES, str(tmp_path))

    server, late, data = Postgres(binaries()), tmp_path / "late", tmp_path / "data"
    backups = server.data.parent
    archiving = dict(line.split(" = ") for line in block("ini").splitlines())
    server.settings |= {name: value.strip("'") for name, value in archiving.items()}
    try:
        (backups / "wal").mkdir()
        run("chown", "--reference", server.data, backups / "wal")
        server.start()
        named = {**two_roles(server), "CODILLE_REDIS_URL": own_valkey.url}
        run(CODILLE, "migrate", **environment(data, named))
        where = {"PGHOST": str(server.socket.parent), "PGUSER": "postgres", "PGDATA": str(server.data)}
        path = {"PATH": f"{binaries()}:{os.environ['PATH']}"}
        with running(data, settings=named) as service:
            open_tables(service.url, 2)
            run("sh", "-euc", block("sh").removeprefix("sudo -u postgres "), **where, **path)
            assert noted(tmp_path)
            run("chown", "--recursive", "--reference", server.data, backups / "base")
            open_tables(service.url, 1)
            moment = server.value("SELECT clock_timestamp()::text")
            late.write_text(checkpoint(service.url, open_tables(service.url, 1), 4))
        server.kill()
        run("sh", "-euc", block("sh", 2), **where, MOMENT=moment)
        server.start()
        own_valkey.kill()
        own_valkey.start()
        audit = environment(data, {name: value for name, value in named.items() if name != OWNER})
        lacking = "a checkpoint of 4 events was signed, and the log ends at 3"
        assert lacking in " ".join(run(CODILLE, "audit", "--checkpoint", late, status=1, **audit).split())
        with running(data, settings=named) as service:
            open_tables(service.url, 1)
    finally:
        server.remove()
