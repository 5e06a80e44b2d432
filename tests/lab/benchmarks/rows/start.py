"""From `make run` to the first answer: on a machine that is set up, without data and with."""

import asyncio
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from service.cli.load_test import Connection, ConnectionLost
from tests.lab.benchmarks.bench import ROOT, Bench, environment, median
from tests.lab.benchmarks.figures import Bound, Figure

ROW = "start"
PATIENCE_S = 60.0


def measure(bench: Bench) -> Iterator[Figure]:
    """Each cold start has a data directory of its own, on which a warm one follows."""
    cold, warm = [], []
    for _ in range(bench.rounds):
        with bench.directory("start") as directory:
            cold.append(started(ROOT, directory / "data"))
            warm.append(started(ROOT, directory / "data"))
    yield Figure(row=ROW, case="cold, no data yet", value=median(cold), unit="s", must=Bound(most=3, of_ratio=False))
    yield Figure(row=ROW, case="warm, on that data", value=median(warm), unit="s", must=Bound(most=1, of_ratio=False))


def started(checkout: Path, data: Path) -> float:
    """Seconds until the checkout's service is ready. It is stopped again."""
    settings = {"CODILLE_DATA_DIR": str(data), "CODILLE_PORT": "0", "CODILLE_LOG_FORMAT": "json"}
    began = time.perf_counter()
    process = subprocess.Popen(
        # What is set up stays as it is: the benchmarks have added their peers to it.
        ["make", "--silent", "--old-file=.venv/.synced", "run"],  # noqa: S607 (the reader's own make)
        cwd=checkout,
        env=environment({"PYTHONPATH": str(checkout), **settings}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    announced = None
    try:
        while announced is None:
            if process.poll() is not None or time.perf_counter() - began > PATIENCE_S:
                raise RuntimeError("`make run` does not start the service")
            announced = _announced(data)
            time.sleep(0.002)
        asyncio.run(_ready(announced["url"], began + PATIENCE_S))
        return time.perf_counter() - began
    finally:
        if announced is not None:
            os.kill(announced["pid"], signal.SIGTERM)
        process.wait(PATIENCE_S)


def _announced(data: Path) -> dict[str, Any] | None:
    try:
        decoded: dict[str, Any] = json.loads((data / "service.json").read_text())
    except (OSError, ValueError):
        return None
    return decoded


async def _ready(url: str, deadline: float) -> None:
    """Returns when the service says that it is ready."""
    async with Connection(url) as connection:
        while time.perf_counter() < deadline:
            try:
                if (await connection.request("GET", "/health/ready")).status == 200:
                    return
            except ConnectionLost:
                pass
            await asyncio.sleep(0.005)
    raise RuntimeError("the service does not get ready")
