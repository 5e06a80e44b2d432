"""`python -m tests.lab.golden.diff GAME BASE`: the first event that a game's recorded acts make otherwise under BASE.

BASE is another checkout, or a revision, which is checked out for the purpose. Its own code decides the acts that stand
in this checkout's file, in a process of its own.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from msgspec import Struct

from tests.golden.games import Recording, RefusedStep, all_open, file, parsed, play
from tests.golden.labels import Served
from tests.golden.notation import Step, told

HERE = Path(__file__).parents[3]
TOOLS = ("tests.lab.golden.diff", "tests.golden.diff")
"""This module, and what it was called before."""
WIDTH = 50
"""The characters shown of a value."""


class Derived(Struct):
    """What a recorded game's acts make."""

    events: list[Served]
    acts: list[str]
    """For each event the act that it followed on, or that made it."""
    refused: str | None = None
    """The act that is refused, and why, if one is."""


def derived(of: str, text: str) -> dict[str, Derived]:
    """The events of all games in the text of a file, by name."""
    return {one.name: _derived(of, one) for one in parsed(of, text)}


def _derived(of: str, recording: Recording) -> Derived:
    refused = None
    try:
        made = play(of, recording).made
    except RefusedStep as refusal:
        made, refused = refusal.made, str(refusal)
    steps = [Step(recording.opening), *recording.steps]
    acts = [told(step) for step, records in zip(steps, made, strict=False) for _ in records]
    return Derived([event for records in made for event in all_open(records)], acts, refused)


def derived_by(base: Path, of: str) -> dict[str, Derived]:
    """The same of this checkout's file, under the code of another checkout. Raises SystemExit if that cannot be."""
    tool = next((name for name in TOOLS if (base / name.replace(".", "/")).with_suffix(".py").exists()), None)
    if tool is None:
        sys.exit(f"{base} has no tests/lab/golden/diff.py, which derives events there")
    command = [sys.executable, "-m", tool, "--derive", of, str(file(of).resolve())]
    done = subprocess.run(command, cwd=base, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        sys.exit(f"the acts of {of} could not be decided in {base}")
    return msgspec.json.decode(done.stdout, type=dict[str, Derived])


@contextmanager
def checkout(base: str) -> Iterator[Path]:
    """The checkout at this path, or one of this revision, which is there only meanwhile."""
    if Path(base).is_dir():
        yield Path(base).resolve()
        return
    with TemporaryDirectory() as folder:
        tree = Path(folder) / "base"
        _git("worktree", "add", "--quiet", "--detach", str(tree), base)
        try:
            yield tree
        finally:
            _git("worktree", "remove", "--force", str(tree))


def _git(*arguments: str) -> None:
    done = subprocess.run(["git", "-C", str(HERE), *arguments], check=False)  # noqa: S607 - arguments of ours
    if done.returncode:
        sys.exit("BASE is neither the folder of a checkout nor a revision")


def report(of: str, base: str, before: dict[str, Derived], now: dict[str, Derived]) -> str:
    """What differs, as text: the first event that does, member by member, and the names of the games that differ."""
    differing = [name for name in now if before[name] != now[name]]
    if not differing:
        return f"The {len(now)} recorded games of {of} are the same under {base} and here.\n"
    first, *others = differing
    rest = f"\nOther recorded games that differ: {', '.join(others)}\n" if others else ""
    return "\n".join(_first_difference(f"{of} {first}", base, before[first], now[first])) + f"\n{rest}"


def _first_difference(game: str, base: str, before: Derived, now: Derived) -> Iterator[str]:
    pairs = zip(before.events, now.events, strict=False)
    place = next((place for place, (one, other) in enumerate(pairs) if one != other), None)
    if place is not None:
        event, act = now.events[place], now.acts[place]
        deal = f" of deal {event['deal']}" if event["deal"] else ""
        yield f"{game}, event {event['version']}{deal}, {event['type']}, from the act {act!r}:"
        yield ""
        yield from _table(base, dict(_members(before.events[place])), dict(_members(event)))
    else:
        yield f"{game} has {len(before.events)} events under {base}, and {len(now.events)} here."
    if before.refused:
        yield f"Under {base}, {before.refused}"
    if now.refused:
        yield f"Here, {now.refused}"


def _table(base: str, before: dict[str, str], now: dict[str, str]) -> Iterator[str]:
    """A row for each member that differs."""
    names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    rows = [("member", base, "here")]
    rows += [(name, *_cut(before.get(name, "—"), now.get(name, "—"))) for name in names]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for name, one, other in rows:
        yield f"  {name:{widths[0]}}  {one:{widths[1]}}  {other}"


def _cut(one: str, other: str) -> tuple[str, str]:
    """Both values, as much of them as shows where they begin to differ."""
    same = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    start = max(0, same - WIDTH // 2) if max(len(one), len(other)) > WIDTH else 0

    def part(text: str) -> str:
        return ("…" if start else "") + text[start : start + WIDTH] + ("…" if len(text) > start + WIDTH else "")

    return part(one), part(other)


def _members(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """All that the value holds, down to what holds nothing else, each by its path."""
    if isinstance(value, dict | list) and value:
        for key, member in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _members(member, f"{name}.{key}" if name else str(key))
    elif name:
        yield name, json.dumps(value, ensure_ascii=False)


def main(arguments: Sequence[str]) -> None:
    """Writes the difference, or with `--derive` the events that a file's acts make."""
    if arguments[0] == "--derive":
        _, of, path = arguments
        sys.stdout.buffer.write(msgspec.json.encode(derived(of, Path(path).read_text(encoding="utf-8"))))
        return
    of, base = arguments
    with checkout(base) as tree:
        before = derived_by(tree, of)
    sys.stdout.write(report(of, base, before, derived(of, file(of).read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main(sys.argv[1:])
