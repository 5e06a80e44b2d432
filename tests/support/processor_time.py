"""What tests cost: processor time by folder and by file, of the test processes and of all that they start.

Each process measures at the end of a file, so what a file starts counts as the file's. A server that files of one
process share counts for those that run meanwhile; what all processes share is a row of its own. A run of all tests is
compared with `tests/processor_time.txt`, which `--keep-processor-time` writes anew, and begins with the folders that
are dearest there. Machines differ, so no run fails by it.
"""

import os
from collections import Counter
from collections.abc import Generator, Mapping
from pathlib import Path
from statistics import median
from typing import Any

import pytest

COMMITTED = Path(__file__).parent.parent / "processor_time.txt"
GROWN = 1.25
LEAST_S = 2.0
"""A folder that takes less is not compared: whether a server starts in it or in another makes the difference."""
DEAREST = 10
COLLECTION = "collection/collection"
SHARED = "shared/shared"
_TICKS = os.sysconf("SC_CLK_TCK")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option."""
    parser.addoption("--keep-processor-time", action="store_true", help=f"write {COMMITTED.name} anew")


def pytest_configure(config: pytest.Config) -> None:
    """Measures in every process of the run."""
    config.pluginmanager.register(ProcessorTime(config))


class ProcessorTime:
    """Seconds by file, measured in each process that runs tests, and reported by the one that started them."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._until_s = 0.0
        self.files: Counter[str] = Counter()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Puts the dearest folders first, so that no process is alone with one in the end.

        With long tests, whose time is not kept, files stay in the order in which they are named.
        """
        if self._config.getoption("markexpr"):
            before = committed()
            items.sort(key=lambda item: before.get(os.path.dirname(self._file(item)), 0.0), reverse=True)

    def pytest_collection_finish(self) -> None:
        """Begins with the files. Imports and collection are a row of their own."""
        self._until_s = self.files[COLLECTION] = spent_s()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, Any, Any]:
        """Measures after the last test of a file."""
        result = yield
        if nextitem is None or nextitem.path != item.path:
            before, self._until_s = self._until_s, spent_s()
            self.files[self._file(item)] += max(self._until_s - before, 0.0)
        return result

    def _file(self, item: pytest.Item) -> str:
        return os.path.relpath(item.path, self._config.rootpath)

    def pytest_sessionfinish(self) -> None:
        """Hands the seconds to the process that reports."""
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput["processor_time"] = dict(self.files)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Takes the seconds of a process that ended; one that crashed hands over none."""
        self.files.update(getattr(node, "workeroutput", {}).get("processor_time", {}))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Prints the table where several processes ran, and keeps it where that is asked for."""
        several = self._config.getoption("numprocesses", None)
        if several:
            # This process's own, and what it started for the others.
            self.files[SHARED] = max(spent_s() - self.files.total(), 0.0)
        folders = by_folder(self.files)
        if self._config.getoption("keep_processor_time"):
            COMMITTED.write_text("".join(f"{seconds:7.1f}  {name}\n" for name, seconds in folders.items()))
        if several:
            every = self._config.args_source is pytest.Config.ArgsSource.TESTPATHS
            terminalreporter.section("processor time")
            terminalreporter.write_line(report(self.files, committed() if every else {}))


def by_folder(files: Mapping[str, float]) -> dict[str, float]:
    """The seconds of folders, the dearest first."""
    folders: Counter[str] = Counter()
    for name, seconds in files.items():
        folders[os.path.dirname(name)] += seconds
    return dict(folders.most_common())


def committed() -> dict[str, float]:
    """The seconds of folders as they were kept."""
    rows = (line.split() for line in COMMITTED.read_text().splitlines())
    return {name: float(seconds) for seconds, name in rows}


def report(files: Mapping[str, float], before: Mapping[str, float]) -> str:
    """The seconds of folders beside those of before, the dearest files, and at the end what has grown."""
    folders = by_folder(files)
    lines = [f"{sum(files.values()) / 60:.1f} minutes; seconds now, and as committed:"]
    for name, seconds in folders.items():
        lines.append(f"{seconds:7.1f} {f'{before[name]:7.1f}' if name in before else '':7}  {name}")
    lines.append("The dearest files:")
    lines.extend(f"{seconds:7.1f} {'':7}  {name}" for name, seconds in Counter(files).most_common(DEAREST))
    return "\n".join([*lines, *grown(folders, before)])


def grown(folders: Mapping[str, float], before: Mapping[str, float]) -> list[str]:
    """A line for each folder that takes more than a quarter more than before, or is new.

    How fast the machine is, or how busy, is told apart by the folder in the middle.
    """
    compared = {name: seconds for name, seconds in folders.items() if before and seconds >= LEAST_S}
    pace = median([seconds / before[name] for name, seconds in compared.items() if before.get(name, 0.0)] or [1.0])
    lines = []
    for name, seconds in compared.items():
        expected = before.get(name, 0.0) * pace
        if seconds > GROWN * max(expected, LEAST_S):
            lines.append(f"Grown: {name} takes {seconds:.1f} s; {expected:.1f} s would be as committed.")
    return lines


def spent_s() -> float:
    """The processor time of this process, of all below it, and of those that have ended."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                stat = Path(f"/proc/{name}/stat").read_text()
            except OSError:
                continue
            # The name of a program may hold spaces and brackets; what follows it does not (proc(5)).
            fields = stat.rpartition(")")[2].split()
            parents[int(name)] = int(fields[1])
            ticks[int(name)] = sum(map(int, fields[11:15]))
    own, total = {os.getpid()}, ticks[os.getpid()]
    while below := {pid for pid, parent in parents.items() if parent in own and pid not in own}:
        own |= below
        total += sum(ticks[pid] for pid in below)
    return total / _TICKS
