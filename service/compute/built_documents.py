"""Documents that are built and not committed. A wheel and an image have them; a checkout builds them on first use."""

import asyncio
import os
import sys
from contextlib import suppress
from pathlib import Path

import structlog

from service.built import BUILT, fits
from service.config import OFFERED, PREFIX, SPECIFICATION

_log = structlog.get_logger()

BUILD_S = 120.0
"""Seconds that building may take."""

PATIENCE_S = 60.0
"""Seconds for which a reader waits for the building."""

AGAIN_S = 60.0
"""Seconds after a failure before building is tried again."""

NICENESS = 10
"""Requests come before building."""


class NotBuilt(Exception):
    """The documents are not built yet, or cannot be built here."""


class BuiltDocuments:
    """Reads documents, and has those of the service's own specification built first if need be.

    Another specification is read as its operator wrote it. Used from one event loop.
    """

    def __init__(self, folder: Path) -> None:
        """`folder` is the specification's."""
        self._folder = folder
        self._building: asyncio.Task[None] | None = None

    async def read(self, path: str) -> bytes:
        """The document at this path in the folder of what is built. Raises NotBuilt."""
        if self._building is None:
            self._building = asyncio.create_task(self._build(), name="documents")
            # The failure is logged, also if no reader has the patience to learn of it.
            self._building.add_done_callback(lambda building: building.cancelled() or building.exception())
        try:
            async with asyncio.timeout(PATIENCE_S):
                await asyncio.shield(self._building)
            return await asyncio.to_thread((self._folder / BUILT / path).read_bytes)
        except (OSError, TimeoutError) as error:
            raise NotBuilt from error

    async def _build(self) -> None:
        """Makes the folder current. Raises OSError or TimeoutError; then it is tried again after a while."""
        try:
            if self._folder == SPECIFICATION and not await asyncio.to_thread(fits, self._folder, OFFERED):
                await self._run()
        except (OSError, TimeoutError) as error:
            _log.warning(
                "documents cannot be built", folder=str(self._folder), reason=str(error) or type(error).__name__
            )
            asyncio.get_running_loop().call_later(AGAIN_S, self._forget)
            raise

    def _forget(self) -> None:
        self._building = None

    async def _run(self) -> None:
        """Runs the command that builds what is not there for this code."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "service.cli", "openapi", "--built"),
            *("--registry", OFFERED, "--out", str(self._folder)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            env={name: text for name, text in os.environ.items() if not name.startswith(PREFIX)},
        )
        try:
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
            async with asyncio.timeout(BUILD_S):
                status = await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if status:
            raise OSError(f"building the documents ended with status {status}")
