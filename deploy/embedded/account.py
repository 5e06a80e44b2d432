"""The account that the servers run under, and whether it can reach a file.

Postgres refuses to run as root. Started by root, the servers run as the owner of their data, and as `nobody` where
there is none yet.
"""

import os
import pwd
from pathlib import Path
from typing import NamedTuple

NOBODY = "nobody"


class Account(NamedTuple):
    """A user and its group; it is in no other group."""

    uid: int
    gid: int

    def __str__(self) -> str:
        return f"{self.uid}:{self.gid}"

    def may(self, path: Path, modes: int) -> bool:
        """Whether the account holds these permissions (of `os.R_OK`, `os.X_OK`) on the file itself."""
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
    """The account for a server on this directory, which need not exist; None stands for the caller's own."""
    if os.geteuid() != 0:
        return None
    if directory.exists():
        status = directory.stat()
        if status.st_uid != 0:
            return Account(status.st_uid, status.st_gid)
    nobody = pwd.getpwnam(NOBODY)
    return Account(nobody.pw_uid, nobody.pw_gid)
