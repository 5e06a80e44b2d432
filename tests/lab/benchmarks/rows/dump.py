"""Verifying a dump of the archive with its manifest, beside auditing the same games."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from domain.audit.verification import verify
from domain.record.history import Reader
from domain.record.note import parse_checkpoint
from domain.record.recorded import Recorded
from domain.registry import GAMES
from service.cli.verify_many import Dumped, PackedFiles, Verified, files_in
from service.queries.dump_files import DumpWriter
from service.transparency.keys import ed25519
from tests.lab.benchmarks.bench import Bench, alternating, median, rate_of_core
from tests.lab.benchmarks.figures import Beside, Bound, Figure
from tests.lab.benchmarks.rows.verify import UNIT, played_games, verified
from tests.support.exports import CONFORMING, exported

ROW = "dump"


def write_dump(folder: Path, records: Sequence[Recorded], count: int) -> None:
    """Writes a dump that has one game so many times."""
    data = exported(records)
    note = msgspec.json.decode(data.splitlines()[-1])["checkpoint"]
    with DumpWriter(folder, "2026-11") as writer:
        for _ in range(count):
            writer.add(data)
        writer.put(parse_checkpoint(note)[0], note, (), None)


def dump_verified(folder: Path, reader: Reader) -> int:
    """Verifies a dump with its manifest, as `codille verify DIR` does in each of its processes; how many events it has.
    Raises RuntimeError if anything is wrong.
    """
    events = 0
    for found in PackedFiles(files_in(folder), Dumped(folder)):
        result = found if isinstance(found, Verified) else verify(found[1], reader, ed25519, CONFORMING)
        if result.verdict != "unpinned":
            raise RuntimeError(f"a record is {result.verdict}")
        events += result.events
    return events


def measure(bench: Bench) -> Iterator[Figure]:
    """A dump on one core, beside the audit of its games."""
    (records,), count, reader = played_games(1), bench.pick(40, 10, 2), Reader(GAMES)
    with TemporaryDirectory() as folder:
        write_dump(Path(folder), records, count)
        measured = alternating(
            bench.rounds,
            {
                "dump": lambda: rate_of_core(lambda: dump_verified(Path(folder), reader), bench.seconds),
                "audit": lambda: rate_of_core(lambda: verified(reader, [records] * count), bench.seconds),
            },
        )
    yield Figure(
        row=ROW,
        case="a dump, one core",
        value=median(measured["dump"]),
        unit=UNIT,
        beside=Beside(name="verified replay, one core", value=median(measured["audit"])),
        must=Bound(least=0.4),
    )
