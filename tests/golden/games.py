"""The recorded games: what was done in each, and what came of it.

A game's games stand in one file, `tests/games/<game>/recorded.txt`. Of each game it holds the acts, in the notation of
`tests.golden.notation`, and, in rows that begin with `=`, their results:

    game disputed, rules 1
      owner open-table 28 options={hairy_ape:blind,train_ten:1} seed=5942…
      0 take-seat 0, 1 take-seat 1, 2 take-seat 2, 3 take-seat 3
    deal 1 of disputed
      0 play Ks, 1 play 7s, 2 play 2s, 3 play 9s
      = three-captured
      = LO-3.6: 0 -1, pool +1; text 1 with 0 1 1
      = totals -1 -3 -2 -2
      = hash 1c5c…
    end of disputed
      …

So the ledger of the first deal has a line of rule LO-3.6 and amount -1 for seat 0, and one of 1 for the pool. The text
of both is the first of those at the file's head, in which each `#` stands for a number; here they are 0, 1 and 1.

All else is derived: the acts are decided anew under the rules of that version, each at its `moment`. Since each event's
hash covers the events before it, all that was recorded is there again if the last hash is the same. `python -m
tests.lab.golden.refresh <game>` writes the results anew, and `make golden-diff` compares the events with those of
another checkout.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec import Struct

from domain.kernel.canonical import canonical
from domain.kernel.game import Game
from domain.kernel.rejection import Rejected
from domain.record.envelope import served
from domain.record.history import History, record_command, record_opening
from domain.record.recorded import Recorded
from domain.table.actions import OpenTable
from domain.table.clock import micros
from domain.table.spectators import visible
from tests.golden.labels import Served
from tests.golden.notation import Step, steps, told
from tests.support.games import READER, TABLE, moment

PLAIN = ("table", "game", "version", "deal", "type", "schema", "at", "actor", "action")
"""The members of an event that a record holds as they stand."""

WIDTH = 110
"""No row of several acts is longer."""


class Recording(Struct, frozen=True):
    """What was done in a game, from the opening of its table on."""

    name: str
    rules: int
    """The version of the game's rules."""
    opening: OpenTable
    steps: tuple[Step, ...]


class Played(Struct, frozen=True):
    """A game played by its recording."""

    recording: Recording
    game: Game
    """Its rules."""
    history: History
    made: tuple[tuple[Recorded, ...], ...]
    """What the opening made, and what each step made."""

    @property
    def records(self) -> list[Recorded]:
        """All records of the game."""
        return [record for some in self.made for record in some]


class RefusedStep(Exception):
    """A recorded step that is refused now. `made` is what those before it made."""

    def __init__(self, recording: Recording, step: Step, made: tuple[tuple[Recorded, ...], ...], why: Rejected) -> None:
        super().__init__(f"{recording.name}: {told(step)!r} is refused after event {made[-1][-1].version}: {why}")
        self.step, self.made = step, made


def file(of: str) -> Path:
    """Where the recorded games of a game stand."""
    return Path(__file__).parents[1] / "games" / of / "recorded.txt"


@cache
def recordings(of: str) -> dict[str, Recording]:
    """The recordings of the game, by name."""
    return {one.name: one for one in parsed(of, file(of).read_text(encoding="utf-8"))}


def names(of: str) -> list[str]:
    """The names of the game's recorded games."""
    return list(recordings(of))


@cache
def played(of: str, name: str) -> Played:
    """The recorded game, its acts decided anew. Raises RefusedStep."""
    return play(of, recordings(of)[name])


def records(of: str, name: str) -> list[Recorded]:
    """The records of a recorded game."""
    return played(of, name).records


@cache
def events(of: str, name: str) -> list[Served]:
    """The events of a recorded game as served, everything opened. Nobody may change them."""
    return all_open(records(of, name))


def all_open(records: Iterable[Recorded]) -> list[Served]:
    """The events as served, everything opened."""
    return [cast("Served", msgspec.json.decode(served(record, "house", over=True))) for record in records]


def as_recorded(events: Iterable[Served]) -> list[Recorded]:
    """The records of such events as they stood in the log."""
    return [
        Recorded(
            **{name: event[name] for name in PLAIN},
            public=canonical(event["public"]),
            seals=canonical(event["seals"]),
            sealed=canonical(event["sealed"]),
            hash=bytes.fromhex(event["hash"]),
        )
        for event in events
    ]


def play(of: str, recording: Recording) -> Played:
    """Decides the acts of the recording anew. Raises RefusedStep."""
    game = READER.game(of, recording.rules)
    history, records = record_opening(game, TABLE, recording.opening, moment(0))
    made, waited = [records], 0
    for step in recording.steps:
        waited += step.waited
        try:
            history, records = record_command(game, history, step.command, moment(history.version, waited))
        except Rejected as why:
            raise RefusedStep(recording, step, tuple(made), why) from why
        made.append(records)
    return Played(recording, game, history, tuple(made))


def parsed(of: str, text: str) -> Iterator[Recording]:
    """The recordings in the text of a game's file. Raises ValueError."""
    for heading, rows in _sections(text):
        name, rules = re.fullmatch(r"game (\S+), rules (\d+)", heading).groups()  # type: ignore[union-attr]
        game = READER.game(of, int(rules))
        opening, *others = [step for row in rows for step in steps(row, game)]
        assert isinstance(opening.command, OpenTable)
        yield Recording(name, int(rules), opening.command, tuple(others))


def _sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each game's heading, and the rows of its acts."""
    for section in re.split(r"^(?=game )", text, flags=re.MULTILINE)[1:]:
        heading, *rows = section.splitlines()
        yield heading, [row.strip() for row in rows if row.startswith("  ") and not row.startswith("  =")]


def written(games: Sequence[Played]) -> str:
    """The text of the file of these games."""
    texts: dict[str, int] = {}
    bodies = [row for one in games for row in _rows(one, texts)]
    first = games[0].game
    head = [
        f"# Recorded games of {first.title}: acts, and rows of results, which begin with =. tests/golden/games.py says",
        f"# how to read them; python -m tests.lab.golden.refresh {first.name} writes the results anew.",
        "",
        "texts",
        *(f"  {number} {text}" for text, number in texts.items()),
    ]
    return "\n".join([*head, *bodies]) + "\n"


def _rows(one: Played, texts: dict[str, int]) -> Iterator[str]:
    """The game's rows. Puts the texts of its ledger lines into `texts`, each with its number."""
    recording = one.recording
    name, ended = recording.name, False
    yield f"\ngame {name}, rules {recording.rules}"
    row: list[str] = []
    for step, made in zip((Step(recording.opening), *recording.steps), one.made, strict=True):
        if row and len(", ".join([*row, told(step)])) > WIDTH:
            yield "  " + ", ".join(row)
            row = []
        row.append(told(step))
        if len(made) > 1 or isinstance(step.command, OpenTable):
            yield "  " + ", ".join(row)
            row = []
        for event in all_open(made):
            if event["type"] == "cards-dealt":
                yield f"deal {event['deal']} of {name}"
            if event["type"] == "game-finished":
                yield f"end of {name}"
                ended = True
            yield from (f"  = {result}" for result in _results(event, texts))
    if row:
        yield "  " + ", ".join(row)
    if not ended:
        yield f"end of {name}"
    table, delay = one.history.table, one.history.table.table_options.spectator_delay
    if delay is not None:
        yield from textwrap.wrap(
            f"seen {_numbers(seen_late(one))}", WIDTH, initial_indent="  = ", subsequent_indent="  = "
        )
    yield f"  = totals {_numbers(table.totals)}"
    yield "  = no winners yet" if table.winners is None else f"  = winners {_numbers(table.winners)}".rstrip()
    yield f"  = hash {one.history.head.hex()}"


def _results(event: Served, texts: dict[str, int]) -> Iterator[str]:
    """What the file says of the event."""
    public = event["public"]
    if event["type"] == "deal-scored":
        yield public["outcome"]
    if event["type"] == "game-finished":
        yield public["reason"]
    if event["type"] != "dispute-opened":
        for (rule, text), lines in groupby(public.get("lines", ()), lambda line: (line["rule"], line["text"])):
            amounts = ", ".join(f"{_account(line)} {line['amount']:+}" for line in lines)
            number = texts.setdefault(re.sub(r"\d+", "#", text), len(texts) + 1)
            numbers = " ".join(re.findall(r"\d+", text))
            yield f"{rule}: {amounts}; text {number}" + (f" with {numbers}" if numbers else "")
    if event["type"] == "deal-scored":
        yield f"totals {_numbers(public['totals'])}"
        yield f"hash {event['hash']}"


def _account(line: dict[str, Any]) -> str:
    return line["account"] if line["seat"] is None else str(line["seat"])


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def seen_late(one: Played) -> list[int]:
    """For each event the version that spectators see of the table when it is recorded (TL-6.1)."""
    delay, dealt = one.history.table.table_options.spectator_delay, 0
    assert delay is not None
    seen, times, ends = [], list[int](), list[int]()
    records = one.records
    for number, record in enumerate(records):
        if record.type == "cards-dealt":
            dealt, times, ends = record.version, [], []
        if record.type in ("deal-scored", "game-finished"):
            dealt = 0
        if number and ends and record.action == records[number - 1].action:
            ends[-1] += 1
        else:
            times.append(micros(record.at))
            ends.append((ends or [0])[-1] + 1)
        seen.append(dealt - 1 + visible(delay, times, ends, times[-1]) if dealt else record.version)
    return seen
