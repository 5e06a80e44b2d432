"""The account that the servers run under, and whether it can reach a file.

Postgres refuses to run as root. Started by root, the servers run as the owner of their data, or for new data under a
user id without an account: no other program runs under it, whereas many run under `nobody`.
"""

import os
import pwd
from itertools import count
from pathlib import Path
from typing import NamedTuple

FIRST_ID = 41_373
"""Above the ids that systems assign to people and services, and below those that they assign temporarily."""


class Account(NamedTuple):
    """A user and its group; it has no other groups."""

    uid: int
    gid: int

    def __str__(self) -> str:
        return f"{self.uid}:{self.gid}"

    @property
    def named(self) -> bool:
        """Whether the system has a name for the user."""
        try:
            pwd.getpwuid(self.uid)
        except KeyError:
            return False
        return True

    def may(self, path: Path, modes: int) -> bool:
        """Whether the account has these permissions (of `os.R_OK`, `os.X_OK`) on the file itself."""
        status = path.stat()
        if status.st_uid == self.uid:
            shift = 6
        elif status.st_gid == self.gid:
            shift = 3
        else:
            shift = 0
        return (status.st_mode >> shift) & modes == modes

    def reaches(self, path: Path) -> bool:
        """Whether the account can read the file, and enter every directory on the way to it."""
        resolved = path.resolve()
        return all(self.may(parent, os.X_OK) for parent in resolved.parents) and self.may(resolved, os.R_OK)


def server_account(directory: Path) -> Account | None:
    """The account for a server on this directory, which need not exist; None stands for the caller's own.

    Data of `nobody`, which root made with earlier versions, get the servers' own account too.
    """
    if os.geteuid() != 0:
        return None
    if directory.exists():
        status = directory.stat()
        if status.st_uid not in (0, nobody().uid):
            return Account(status.st_uid, status.st_gid)
    return next(own for number in count(FIRST_ID) if not (own := Account(number, number)).named)


def nobody() -> Account:
    """The account for programs that refuse to run under one without a name."""
    entry = pwd.getpwnam("nobody")
    return Account(entry.pw_uid, entry.pw_gid)
