"""A small filesystem of its own for Postgres, which can be full."""

import os
import shutil
import subprocess
from pathlib import Path

PAGE = 4096


class Disk:
    """A filesystem in memory in the place of a folder, whose files it takes over."""

    def __init__(self, folder: Path, size_mb: int) -> None:
        self._folder = folder
        before = folder.stat()
        files = folder.rename(folder.with_name(f"{folder.name}-before"))
        folder.mkdir(mode=0o700)
        options = f"size={size_mb}m,mode=700,uid={before.st_uid},gid={before.st_gid}"
        _run("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder)
        _run("cp", "-a", f"{files}/.", folder)
        shutil.rmtree(files)

    @property
    def _ballast(self) -> Path:
        return self._folder / "ballast"

    def fill(self) -> None:
        """Leaves no page free."""
        with self._ballast.open("wb") as file:
            size, end = PAGE * os.statvfs(self._folder).f_bavail, 0
            while size >= PAGE:
                try:
                    os.posix_fallocate(file.fileno(), end, size)
                    end += size
                except OSError:
                    # Postgres has taken some of it.
                    size //= 2

    def empty(self) -> None:
        """Frees what was taken."""
        self._ballast.unlink(missing_ok=True)

    def remove(self) -> None:
        """Removes the filesystem with all files."""
        _run("umount", self._folder)


def possible() -> bool:
    """Whether filesystems may be made here. Root may, but for some containers."""
    tried = ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return os.geteuid() == 0 and subprocess.run(tried, capture_output=True, check=False).returncode == 0


def _run(*command: str | Path) -> None:
    subprocess.run(command, check=True)
