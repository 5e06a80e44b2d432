"""The file of finished deals, from which an interrupted tournament goes on."""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from service.built import code_digest
from tests.lab.tournament import duplicates
from tests.lab.tournament.contests import Played


class _Line(Struct, frozen=True):
    """A line of the file: a deal, and from what it follows besides its number."""

    seed: str
    code: str
    deal: Played


def codes(games: Iterable[str]) -> dict[str, str]:
    """The digest of the code that plays each game: its own folder, the domain without the other games, and how deals
    are played here.
    """
    common = code_digest("domain", without="domain/games")
    dealt = sha256(Path(duplicates.__file__).read_bytes()).hexdigest()
    return {game: f"{common[:16]}{dealt[:16]}-{code_digest(f'domain/games/{game}')[:16]}" for game in games}


class DealsFile:
    """One JSON line a deal. Deals of another seed, or played by other code, stay in the file and do not count."""

    def __init__(self, path: Path, seed: str, codes: Mapping[str, str]) -> None:
        """`codes` has the digest of the code of each game that counts."""
        self._path = path
        self._seed = seed
        self._codes = codes

    def read(self) -> Iterator[Played]:
        """The deals of this seed and code. A line that was not written to its end is left out."""
        if not self._path.exists():
            return
        for text in self._path.read_bytes().splitlines():
            try:
                line = msgspec.json.decode(text, type=_Line)
            except msgspec.MsgspecError:
                continue
            if line.seed == self._seed and line.code == self._codes.get(line.deal.game):
                yield line.deal

    def append(self, played: Played) -> None:
        """Writes a deal."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        line = msgspec.json.encode(_Line(self._seed, self._codes[played.game], played))
        with self._path.open("ab") as file:
            # An interrupted run may have left half a line.
            file.write(line + b"\n" if self._ends_a_line() else b"\n" + line + b"\n")

    def _ends_a_line(self) -> bool:
        with self._path.open("rb") as file:
            if not file.seek(0, 2):
                return True
            file.seek(-1, 2)
            return file.read(1) == b"\n"
