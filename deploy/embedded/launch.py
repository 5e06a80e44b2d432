"""Runs a program that ends with its parent, under another account if one is given.

It is a program of its own, with only the standard library: `launch.py PARENT SIGNAL ACCOUNT PROGRAM [ARGUMENT…]`.
PARENT is the caller's process id, SIGNAL the number of the signal to send when it dies, ACCOUNT `uid:gid` or `-`.
Between fork and exec Python is not safe in a process with threads, so this is not a hook of `subprocess`.
"""

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1


def prefix(orphaned: int, account: str | None = None) -> list[str]:
    """The prefix of a command that makes it get the signal number `orphaned` when this process dies.

    `account` is `uid:gid`; by default the command runs under the caller's account.
    """
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), str(int(orphaned)), account or "-"]


def main(arguments: list[str]) -> None:
    """Replaces this process with the program.

    Raises OSError if that fails, and SystemExit if the parent is gone already.
    """
    parent, signal, account, program, *rest = arguments
    if account != "-":
        uid, gid = (int(part) for part in account.split(":"))
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    # Only Linux has this. It must come after the change of account, which would clear it.
    if sys.platform == "linux" and ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, int(signal)):
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) failed")
    # A parent that died before the call above no longer causes a signal.
    if os.getppid() != int(parent):
        sys.exit("the process that started this one is gone")
    os.execv(program, [program, *rest])  # noqa: S606  the caller names the program


if __name__ == "__main__":
    main(sys.argv[1:])
