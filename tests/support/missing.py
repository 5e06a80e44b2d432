"""What a game still lacks: `python -m tests.support.missing GAME`, or `make game-missing GAME=…`.

Each line names the file, and what goes there, or the command that makes it. With `--add`, or `ADD=1`, what can be made
from the game is added first. Nothing else lists games, but tests that choose some for what they show.
"""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec

from domain.cards import SUITS
from domain.kernel.game import Game
from domain.registry import GAMES as OFFERED
from domain.table.events import EVENTS
from tests.golden.games import events, names
from tests.history.forms import of_games
from tests.support.helpers import helper
from tests.support.registry import GAMES

ROOT = Path(__file__).parents[2]
RECORDS = ROOT / "api-spec" / "examples" / "records"
RUN = ".venv/bin/python -m"
KITS = "api-spec/clients"
OF_PYTHON, OF_SCRIPTS = f"{KITS}/python/src/codille_client/packs.py", f"{KITS}/typescript/src/verify.js"
FORMS = "tests/history/forms.txt"
FOLDED = "tests/integration/projections/folded.txt"
HELPERS = ("checker", "golden", "habits")
TOURNAMENT = "make tournament GAME={} HOURS=0.5"


class Missing(NamedTuple):
    """Something that a game lacks."""

    file: str
    what: str
    made: str = ""
    """The command that makes it; empty where somebody writes it."""

    def __str__(self) -> str:
        """The line that says so."""
        return f"{self.file}: {self.what}" + (f"\n    {self.made}" if self.made else "")


def text(path: str) -> str:
    """The text of a file of the tree; empty if it is not there."""
    file = ROOT / path
    return file.read_text(encoding="utf-8") if file.exists() else ""


def missing(of: str) -> Iterator[Missing]:
    """All that the game lacks, in the order in which it is added."""
    if of not in GAMES:
        yield Missing("domain/registry.py", f"{of}, imported from domain/games/{of}, and in the list")
        return
    folder = f"tests/games/{of}"
    lacking = [name for name in HELPERS if not text(f"{folder}/{name}.py")]
    yield from (Missing(f"{folder}/{name}.py", "tests/support/helpers.py says what stands there") for name in lacking)
    yield from _tests(of)
    if lacking:
        return
    if not text(f"{folder}/recorded.txt"):
        yield Missing(f"{folder}/recorded.txt", "recorded games", f"{RUN} tests.lab.golden.record {of}")
        return
    if of not in OFFERED:
        return  # a game for tests alone
    game = GAMES[of]
    yield from _made(game)
    yield from in_kits(game)
    yield from _in_document(game)
    if f"| `{of}` | " not in text("README.md"):
        row = f"| `{of}` | {game.title}: what makes it another game | {_course(game)[0]} | {game.unit} |"
        yield Missing("README.md", f"a row of the games, by name:\n    {row}")
    if f"\n| {game.title} | " not in text("deploy/operations.md"):
        what = f"a row of sizes: events of `.venv/bin/codille demo --game {of}`, and bytes by the query below the table"
        yield Missing("deploy/operations.md", what)
    if f'"{of}": {{' not in text("domain/opponents/strength.json"):
        what = "how strong bots are in it, with table and plot, in half an hour"
        yield Missing("domain/opponents/strength.json", what, TOURNAMENT.format(of))


def _tests(of: str) -> Iterator[Missing]:
    tests = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "tests" / "games" / of).glob("test_*.py"))
    rules = [rule.id for rule in GAMES[of].rulebook.rules]
    named = [rule for rule in rules if f"def test_{re.sub(r'[-.]', '_', rule.lower())}_" not in tests]
    if named:
        yield Missing(f"tests/games/{of}/test_*.py", f"tests by the numbers of rules: {', '.join(named)}")


def _made(game: Game) -> Iterator[Missing]:
    """What can be made from the game."""
    of = game.name
    if not text(f"api-spec/catalogue/{of}.txt"):
        yield Missing("api-spec", "the documents, with the game's catalogue", ".venv/bin/codille openapi")
    if f'"game": "{of}"' not in text("api-spec/vectors/packs.json"):
        made = f"{RUN} tests.unit.record_spec.make_vectors"
        yield Missing("api-spec/vectors/packs.json", "a deal for other people's verifiers", made)
    if new := _new_forms(game):
        made = f"{RUN} tests.support.missing {of} --forms"
        yield Missing(FORMS, f"{len(new)} forms of what is recorded", made)
    published = {file.stem: f'"game":"{of}"' in file.read_text(encoding="utf-8") for file in RECORDS.glob("*.ndjson")}
    if not any(published.values()):
        about = f"A finished game of {game.title}, wholly open."
        made = f'{RUN} tests.support.corpus finished-{of} "{about}" {of} {_finished(of)}'
        yield Missing("api-spec/examples/records", "a published record, and its line in index.json", made)
    elif any(f"\n{name} " not in text(FOLDED) for name, own in published.items() if own):
        made = "CODILLE_TEST_WRITE=1 .venv/bin/pytest -q tests/integration/projections/test_fold_version.py"
        yield Missing(FOLDED, "what read models make of that record", made)


def in_kits(game: Game) -> Iterator[Missing]:
    """The packs of the kits, which verify records without the service."""
    of, faces = game.name, game.pack.faces.values()
    plain = all(face.suit and face.copy is None and face.owner is None for face in faces)
    for file, named in ((OF_PYTHON, f'"{of}"'), (OF_SCRIPTS, f" {of}: ")):
        if named not in text(file):
            made = f"{RUN} tests.support.missing {of} --packs" if plain else ""
            yield Missing(file, f"its ranks, in RANKS: {_ranks(game)}" + ("" if plain else ", copies and jokers"), made)


def add_pack(game: Game) -> None:
    """Adds the ranks of the game's pack to the kits, by suit where they differ."""
    pack, of = game.pack, game.name
    by_suit = {suit: "".join(dict.fromkeys(map(pack.rank, pack.of_suit(suit)))) for suit in SUITS}
    alike = len({*by_suit.values()}) == 1
    quoted = {suit: f'"{ranks}"' for suit, ranks in by_suit.items()}
    parts = {'"{}"': ("{{{}}}", OF_PYTHON, "RANKS: Mapping[str, Any] = {"), "{}": ("{{ {} }}", OF_SCRIPTS, "RANKS = {")}
    for key, (members, file, begin) in parts.items():
        each = ", ".join(f"{key.format(suit)}: {ranks}" for suit, ranks in quoted.items())
        line = f"    {key.format(of)}: {quoted['s'] if alike else members.format(each)},\n"[2 * (file == OF_SCRIPTS) :]
        before, _, after = text(file).partition(f"{begin}\n")
        if line not in after:
            rows, _, rest = after.partition("\n}")
            (ROOT / file).write_text(f"{before}{begin}\n{rows}\n{line}}}{rest}", encoding="utf-8")


def _in_document(game: Game) -> Iterator[Missing]:
    """What `record.md` says of a game, with as much of it as follows from the game."""
    of, title, file = game.name, game.title, "api-spec/record.md"
    document = text(file)
    seats, deals, cards = _course(game)
    if f"| {title} | `{of}` | " not in document:
        row = f"| {title} | `{of}` | {seats} | {deals} | {cards} | `{' '.join(_ranks(game))}` |"
        yield Missing(file, f"section 8, a row at the game's place in domain/registry.py:\n    {row}")
    # What lines of most games rest on stands there once.
    general = re.split(r"^   - in ", document.partition("A line's `events` are")[2], flags=re.MULTILINE)[0]
    rests = _cited(of) - {*re.findall(r"`([\w-]+)`", general)}
    if rests and f"in {title} " not in document:
        yield Missing(file, f"section 12, `in {title} …`, what its lines rest on: {', '.join(sorted(rests))}")
    if f"\n**{title}**\n" not in document:
        yield Missing(file, f"section 17, a table under **{title}**:\n    " + "\n    ".join(_events(game)))
    due = document.partition("| due | when |")[2].partition("\n\n")[0]
    of_all = re.findall(r"`([\w-]+)`(?! \()", due)
    for type_ in sorted({payload.TYPE for payload in game.events} & {one for one, follows in _done(of) if follows}):
        if type_ not in of_all and not re.search(rf"`{type_}` \([^)]*{title}", due):
            yield Missing(file, f"section 17, what follows by itself: when `{type_}` ({title}) is due")


def _new_forms(game: Game) -> list[str]:
    """The forms of what is recorded of the game that `forms.txt` lacks."""
    return [form for form in of_games({game.name: game}, EVENTS) if form not in text(FORMS).splitlines()]


def _finished(of: str) -> str:
    """The recorded game with the fewest events that came to its end by its rules, rather one without a dispute."""
    types = {name: [event["type"] for event in events(of, name)] for name in names(of)}
    whole = [name for name in types if "game-finished" in types[name] and not name.startswith("table-")]
    return min(whole, key=lambda name: ("dispute-opened" in types[name], len(types[name])))


def _ranks(game: Game) -> str:
    """The ranks of the pack's first suit, high to low."""
    pack = game.pack
    return "".join(dict.fromkeys(map(pack.rank, pack.of_suit(pack.suit(pack.cards[0])))))


def _course(game: Game) -> tuple[str, str, int]:
    """Seats, deals and cards as `record.md` writes them, for a game without a choice of seats."""
    options = [msgspec.convert(each, game.options) for each in helper(game.name, "habits").option_sets]
    seats = sorted({game.course.seats(each) for each in options})
    agreed = [number for number in range(1, 200) if game.course.deals(options[0]).allows(number)]
    steps = {after - before for before, after in pairwise(agreed)}
    deals = f"{agreed[0]} to {agreed[-1]}, divisible by {min(steps)}" if steps else f"exactly {agreed[0]}"
    return ", or ".join(map(str, seats)), deals, len(game.pack)


def _done(of: str) -> set[tuple[str, bool]]:
    """The types of events in recorded games, each with whether it followed by itself."""
    pairs = (pair for name in names(of) for pair in pairwise(events(of, name)))
    by_house_or_seat = ((one, event) for one, event in pairs if not event["actor"].startswith(("clock", "bot:")))
    return {(event["type"], event["action"] == one["action"]) for one, event in by_house_or_seat}


def _events(game: Game) -> Iterator[str]:
    """The rows of the table of its events."""
    yield "| event | who | `schema` | `public` | sections |"
    yield "|---|---|---|---|---|"
    done = _done(game.name)
    for payload in game.events:
        ways = [words for words, follows in (("a seat", False), ("follows", True)) if (payload.TYPE, follows) in done]
        sections = [f"{kind}: {_quoted(part.__struct_encode_fields__)}" for kind, part in payload.SECTIONS.items()]
        cells = (
            ", or ".join(ways),
            str(payload.SCHEMA),
            _quoted(payload.__struct_encode_fields__),
            "; ".join(sections),
        )
        yield f"| `{payload.TYPE}` | {' | '.join(cells)} |"


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _cited(of: str) -> set[str]:
    """The types of events that lines of its scores rest on."""
    return {
        happened[version - 1]["type"]
        for happened in (events(of, name) for name in names(of))
        for event in happened
        if event["type"] == "deal-scored"
        for line in event["public"]["lines"]
        for version in line["events"]
    }


def main(of: str, *flags: str) -> None:
    """Lists what the game lacks. Raises SystemExit where something cannot be made."""
    if "--packs" in flags:
        add_pack(GAMES[of])
        return
    if "--forms" in flags:
        lines = {*text(FORMS).splitlines(), *_new_forms(GAMES[of])}
        (ROOT / FORMS).write_text("\n".join(sorted(lines)) + "\n", encoding="utf-8")
        return
    made = {"", TOURNAMENT.format(of)}
    while "--add" in flags and (due := [one.made for one in missing(of) if one.made not in made]):
        made.add(due[0])
        print(due[0], flush=True)
        if subprocess.run(["/usr/bin/env", *shlex.split(due[0])], cwd=ROOT, check=False).returncode:
            sys.exit(f"this failed, and what comes after it waits: {due[0]}")
    print("\n".join(map(str, missing(of))) or f"{of} lacks nothing")


if __name__ == "__main__":
    main(*sys.argv[1:])
