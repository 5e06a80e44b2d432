"""A backup that is restored: a checkpoint that was kept elsewhere shows whether anything is missing."""

import os
import subprocess
import time
from pathlib import Path

import httpx

from tests.support.postgres import Postgres, binaries
from tests.support.redis import Valkey
from tests.support.service import CODILLE, environment, running
from tests.support.waiting import PATIENCE_S

GUIDE = Path(__file__).parents[2] / "deploy" / "operations.md"


def open_tables(url: str, tables: int) -> None:
    with httpx.Client(base_url=url, timeout=PATIENCE_S, trust_env=False) as http:
        token = http.post("/v1/players", json={"name": "Ada"}).json()["token"]
        for _ in range(tables):
            headers = {"Authorization": f"Bearer {token}"}
            assert http.post("/v1/tables", json={"game": "crocodile"}, headers=headers).status_code == 201


def checkpoint(url: str, size: int) -> str:
    """The checkpoint of so many events, which a service signs as soon as it has started."""
    deadline = time.monotonic() + PATIENCE_S
    while int((text := httpx.get(f"{url}/v1/log/checkpoint", trust_env=False).text).splitlines()[1]) < size:
        assert time.monotonic() < deadline, text
        time.sleep(0.05)
    return text


def guide(heading: str, language: str) -> str:
    """The first block of this language under a heading of the operators' guide."""
    section = GUIDE.read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return section.split(f"```{language}\n")[1].split("```")[0]


def run(*command: str | Path, status: int = 0, **settings: str) -> str:
    """The output of a command, which must end with this status."""
    ended = subprocess.run(command, env=dict(os.environ) | settings, capture_output=True, text=True, check=False)
    assert ended.returncode == status, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


def test_a_dump_is_restored_as_the_guide_says_and_a_kept_checkpoint_shows_what_it_lacks(
    tmp_path: Path, own_valkey: Valkey
) -> None:
    programs, server = binaries(), Postgres(binaries())
    two_roles = [statement.strip() for statement in guide("Set it up with two roles", "sql").split(";")][:-1]
    dump, early, late, data = (tmp_path / name for name in ("codille.dump", "early", "late", "data"))
    try:
        server.start()
        server.execute(*two_roles)
        address = server.dsn("codille").partition("@")[2]
        owner = f"postgresql://codille_owner:first@{address}"
        named = {"CODILLE_DATABASE_URL": f"postgresql://codille_service:second@{address}"}
        named |= {"CODILLE_REDIS_URL": own_valkey.url, "CODILLE_SIGNING_KEY": "0f" * 32}
        migrating = environment(data, named | {"CODILLE_DATABASE_OWNER_URL": owner})
        run(CODILLE, "migrate", **migrating)
        with running(data, settings=named) as service:
            open_tables(service.url, 2)
        with running(data, settings=named) as service:
            early.write_text(checkpoint(service.url, 2))
            run(programs / "pg_dump", "--format=custom", f"--file={dump}", owner)
            open_tables(service.url, 1)
        with running(data, settings=named) as service:
            late.write_text(checkpoint(service.url, 3))
        server.execute("ALTER DATABASE codille RENAME TO lost", two_roles[-1])
        run(programs / "pg_restore", f"--dbname={owner}", "--exit-on-error", dump)
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
