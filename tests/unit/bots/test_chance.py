"""The chance of bots is the same wherever it is drawn, and nobody without the secret foresees it."""

from pathlib import Path

import pytest

from service.bots.chance import LABEL, chance_of
from service.transparency import Keyring, Transparency
from service.transparency.keys import NoKey

TABLE = "01970000-0000-7000-8000-000000000001"


def drawn(secret: bytes = b"s" * 32, table: str = TABLE, seat: int = 1, version: int = 7) -> list[int]:
    """The first numbers that are drawn."""
    chance = chance_of(secret, table, seat, version)
    return [chance(1000) for _ in range(20)]


def test_it_follows_from_secret_table_seat_and_version_alone() -> None:
    assert drawn() == drawn()
    others = [drawn(secret=b"t" * 32), drawn(table=TABLE[:-1] + "2"), drawn(seat=2), drawn(version=8)]
    assert len({*map(tuple, [drawn(), *others])}) == 5
    # As in an earlier version of the program: what is played does not change with it.
    assert drawn()[:5] == [272, 649, 882, 681, 555]


def test_seat_and_version_are_kept_apart() -> None:
    assert drawn(seat=1, version=12) != drawn(seat=11, version=2)


def test_numbers_are_within_what_is_asked_for() -> None:
    chance = chance_of(b"s" * 32, TABLE, 0, 1)
    assert {chance(3) for _ in range(100)} == {0, 1, 2}
    assert chance(1) == 0


def test_the_secret_follows_from_the_signing_key_and_tells_nothing_of_it(tmp_path: Path) -> None:
    key = bytes(range(32))
    ring = Keyring(key, tmp_path, make=False)
    assert len(ring.derived(LABEL)) == 32
    assert ring.derived(LABEL) == ring.derived(LABEL) != key
    assert ring.derived(LABEL) != ring.derived("another")
    made = Keyring(None, tmp_path, make=True)
    assert made.derived(LABEL) == Keyring(None, tmp_path, make=False).derived(LABEL)


def test_without_a_key_there_is_no_such_secret(tmp_path: Path) -> None:
    with pytest.raises(NoKey):
        Keyring(None, tmp_path, make=False).derived(LABEL)
    with pytest.raises(NoKey):
        Transparency(None, None).derived(LABEL)  # type: ignore[arg-type]  # it asks no database
