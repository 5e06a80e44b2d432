"""What there is to know of this tree, measured, and never more than the table of ceilings allows.

A figure is a place to look at. A change that needs a higher ceiling raises it in `ceilings.txt`, where its readers see
it, and one after which a lower one holds lowers it.
"""

import ast
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from service.config import Settings

ROOT = Path(__file__).parents[3]
CEILINGS = Path(__file__).with_name("ceilings.txt")
PRODUCT = ("deploy", "domain", "projections", "service")

DEFINED = re.compile(r"( *)(?:async )?def (\w+)")

GENERATED = (
    "api-spec/*.json",
    "api-spec/*.png",
    "api-spec/catalogue/*.txt",
    "api-spec/examples/records/*",
    "tests/games/*/recorded.txt",
    "tests/games/*/earlier/*.json",
    "deploy/monitoring/dashboard.json",
    "*.lock",
    "*package-lock.json",
    "*.gz",
    "*.xz",
)
"""What programs write: documents and their picture, the catalogue, vectors, records, locks, archives, dashboards."""


@cache
def committed() -> dict[str, bytes]:
    """All files that git keeps, by path, as they stand here."""
    command = ["git", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return {path: (ROOT / path).read_bytes() for path in listed.split("\0") if (ROOT / path).is_file()}


@cache
def texts() -> dict[str, str]:
    """The product's modules in Python."""
    files = committed().items()
    return {name: data.decode() for name, data in files if name.startswith(PRODUCT) and name.endswith(".py")}


def functions() -> Iterator[tuple[int, str]]:
    """The lines of each function of the product, and where it is. Trees of all modules would take seconds to make."""
    for name, text in texts().items():
        lines = text.splitlines()
        for start, line in enumerate(lines):
            if defined := DEFINED.match(line):
                indent, last = defined[1], start
                for place in range(start + 1, len(lines)):
                    if lines[place] and not lines[place].startswith((f"{indent} ", f"{indent})")):
                        break
                    last = place if lines[place] else last
                yield last - start + 1, f"{name} {defined[2]}"


def twice(named: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The names with two homes or more."""
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for name, home in named:
        homes[name].append(home)
    return {name: places for name, places in homes.items() if len(places) > 1}


def classes_with_two_homes() -> dict[str, list[str]]:
    """All games have files and classes of the same names."""
    outside = [(name, text) for name, text in texts().items() if not name.startswith("domain/games/")]
    return twice((found, name) for name, text in outside for found in re.findall(r"^class (\w+)", text, re.MULTILINE))


def files_with_two_homes() -> dict[str, list[str]]:
    names = [name for name in texts() if not name.startswith("domain/games/") and not name.endswith("__init__.py")]
    return twice((Path(name).name, name) for name in names)


def private_names() -> list[str]:
    """The undocumented parts of libraries, as the lists of a test name them."""
    tree = ast.parse((ROOT / "tests/unit/run/test_private_parts.py").read_text())
    lists = [
        given
        for node in ast.walk(tree)
        for given in (node.args if isinstance(node, ast.Call) and ast.unparse(node.func) == "uses" else [])
        + ([node.value] if isinstance(node, ast.Assign) else [])
        if isinstance(given, ast.List)
    ]
    return [name.value for given in lists for name in given.elts if isinstance(name, ast.Constant)]


def matches(pattern: str) -> list[str]:
    return [name for name, text in texts().items() for _ in re.findall(pattern, text)]


def rooms() -> dict[str, int]:
    """The lines in Python of each room of the product and of the tests."""
    counted: Counter[str] = Counter()
    for name, data in committed().items():
        top, *rest = name.split("/")
        if name.endswith(".py") and top in (*PRODUCT, "tests"):
            room = f"{top}/{rest[0]}" if top in ("domain", "service", "tests") and len(rest) > 1 else top
            counted[f"lines of {room}"] += data.count(b"\n")
            if room == "domain/games" and rest[-1] in ("facts.py", "scoring.py"):
                counted[f"lines of {room}/*/{rest[-1]}"] += data.count(b"\n")
            if name == "service/http/edge.py":
                counted[f"lines of {name}"] += data.count(b"\n")
    return dict(counted)


def measured() -> dict[str, tuple[int, object]]:
    """What is held: each figure by name, and what it is made of."""
    longest, file = max(functions()), max((len(text.splitlines()), name) for name, text in texts().items())
    makefile = (ROOT / "Makefile").read_text()
    lists: dict[str, list[str] | dict[str, list[str]]] = {
        "class names with two homes": classes_with_two_homes(),
        "file names with two homes": files_with_two_homes(),
        "casts": matches(r"\bcast\("),
        "lint exceptions": matches(r"# noqa"),
        "type exceptions": matches(r"# type: ignore"),
        "private names of libraries": private_names(),
        "settings": list(Settings.__struct_fields__),
        "make targets": re.findall(r"^# (?:- )?make (\S+)", makefile, re.MULTILINE),
        "words of CONTRIBUTING": (ROOT / "CONTRIBUTING.md").read_text().split(),
    }
    generated = [data for path, data in committed().items() if any(fnmatch(path, pattern) for pattern in GENERATED)]
    share = sum(data.count(b"\n") for data in generated) / sum(data.count(b"\n") for data in committed().values())
    size = sum(map(len, generated)) / sum(map(len, committed().values()))
    return {
        **{name: (len(found), found) for name, found in lists.items()},
        "longest function": longest,
        "longest file": file,
        "generated lines, percent": (round(100 * share), share),
        "generated bytes, percent": (round(100 * size), size),
        **{name: (count, "") for name, count in sorted(rooms().items())},
    }


def ceilings() -> dict[str, int]:
    rows = (line.rpartition(" ") for line in CEILINGS.read_text().splitlines())
    return {name.strip(): int(ceiling) for name, _, ceiling in rows}


def test_no_figure_is_above_its_ceiling() -> None:
    found = measured()
    assert list(ceilings()) == list(found)
    above = {name: figures for name, figures in found.items() if figures[0] > ceilings()[name]}
    assert not above, "\n".join(f"{name}: {figure} of {made_of}" for name, (figure, made_of) in above.items())
