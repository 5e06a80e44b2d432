"""The fixtures: databases and exports of earlier versions, as README.md beside this says."""

import json
import os
import re
import subprocess
import tarfile
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import takewhile
from pathlib import Path

from tests.support.postgres import Postgres, binaries

HERE = Path(__file__).parent
SUFFIX = ".tar.xz"
COPY_ESCAPES = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"b": b"\b", b"f": b"\f", b"v": b"\v"}


def unescaped(field: bytes) -> bytes:
    """The bytes of a column of bytes, which the dump escapes twice: as a text of COPY, and as bytes."""
    text = re.sub(rb"\\(.)", lambda found: COPY_ESCAPES.get(found[1], found[1]), field, flags=re.DOTALL)
    return re.sub(rb"\\(\\|[0-7]{3})", lambda found: b"\\" if found[1] == b"\\" else bytes([int(found[1], 8)]), text)


class Archive:
    """One fixture, read when it is needed."""

    def __init__(self, name: str) -> None:
        self.name = name

    @cached_property
    def _files(self) -> Mapping[str, bytes]:
        with tarfile.open(HERE / f"{self.name}{SUFFIX}") as archive:
            files = {member.name: archive.extractfile(member) for member in archive}
            return {name: file.read() for name, file in files.items() if file is not None}

    @property
    def exports(self) -> Mapping[str, bytes]:
        """The exports by name."""
        return {name.removesuffix(".ndjson"): data for name, data in self._files.items() if name.endswith(".ndjson")}

    @property
    def tokens(self) -> Mapping[str, str]:
        """The players' tokens by name."""
        tokens: dict[str, str] = json.loads(self._files["secrets.json"])["tokens"]
        return tokens

    @property
    def signing_key(self) -> str:
        """The key that signs the log."""
        return str(json.loads(self._files["secrets.json"])["signing_key"])

    def rows(self, table: str) -> Iterator[Mapping[str, bytes]]:
        """The rows of a table of the database, as the dump has them."""
        lines = iter(self._files["database.sql"].split(b"\n"))
        heading = next(line for line in lines if line.startswith(f"COPY codille.{table} (".encode()))
        columns = [name.strip(' "') for name in heading.decode().partition("(")[2].partition(")")[0].split(",")]
        for line in takewhile(lambda line: line != b"\\.", lines):
            yield dict(zip(columns, line.split(b"\t"), strict=True))

    def restore(self, server: Postgres) -> str:
        """Loads the database into one of its own on the server, and answers its name."""
        name = f"history_{self.name}"
        server.execute(f"CREATE DATABASE {name}")
        command = [str(binaries() / "psql"), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", server.dsn(name)]
        environment = os.environ | {"PGOPTIONS": "--client-min-messages=warning"}
        loaded = subprocess.run(
            command, input=self._files["database.sql"], capture_output=True, env=environment, check=False
        )
        assert loaded.returncode == 0, loaded.stderr.decode()
        return name


ARCHIVES = {name: Archive(name) for name in sorted(path.name.removesuffix(SUFFIX) for path in HERE.glob(f"*{SUFFIX}"))}
