"""Records for writers of verifiers: intact ones, and ones in which one thing is wrong.

`python -m tests.support.corpus` writes them to `api-spec/examples/records/`. They are parts of the golden games.
The altered ones are made with the key: seals, hashes, proofs and signatures are made again to fit what was changed, so
that only the check that is named can tell. Where it is the seals, hashes, proofs or signatures themselves that are
wrong, nothing was made anew.
"""

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.canonical import canonical
from domain.record.export import Trailer
from domain.record.history import without_section
from domain.record.recorded import Recorded
from domain.registry import GAMES
from domain.seats import PUBLIC
from domain.table.actions import EraseText
from domain.table.events import DealScored
from tests.golden.record import game, records
from tests.support.exports import MemoryTransparency, exported, file_of, placed, signed_file, transparency_over
from tests.support.forging import Change, changes, forged, nothing, puts, rehashed
from tests.support.games import Live

RECORDS = Path(__file__).parents[2] / "api-spec" / "examples" / "records"

FINISHED, CLOSED, PLAYED, DISPUTED = "concessions-1", "left-and-closed", "outcomes-06", "disputed"
OTHERS = {
    "boston": "four-aces-missed",
    "burraco": "target",
    "diloti": "target",
    "dingo": "tie",
    "don": "shared",
    "khanhoo": "sequence",
    "king": "disputed",
    "lhombre": "abandoned",
    "lorum": "ended-early",
    "nuts": "stuck",
    "ombre": "rest-of-one",
    "solo": "levels-2",
    "tetka": "most-tricks",
}
"""A finished game of each of the other games."""
OTHER_SECRET = b"\2" * 32


class Example(Struct, frozen=True):
    """A record, the expected result of its verification, and its place."""

    name: str
    about: str
    data: bytes
    fails: str | None = None
    """The check that must fail; null for an intact record."""
    event: int | None = None
    """The event that must be named, where it is an event's."""
    line: int | None = None
    """The line that must be named, where it is a line's."""
    unchecked: bool = False
    """Whether something cannot be checked, because a deal is not over."""


def base(name: str, events: int | None = None, *, of: str = "crocodile") -> list[Recorded]:
    """The first events of a golden game, at positions of a log."""
    return placed(records(game(of, name)["events"])[:events], first=3)


def of_type(events: Sequence[Recorded], type_: str, number: int = 0) -> int:
    """The version of an event of this type."""
    return [event.version for event in events if event.type == type_][number]


def first_deal() -> list[Recorded]:
    """A game up to its second deal, of which the cards are just dealt."""
    whole = base(PLAYED)
    return whole[: of_type(whole, "cards-dealt", 1)]


def examples() -> list[Example]:
    """All of them, in the order in which checks are reported."""
    finished, played = base(FINISHED), first_deal()
    short = finished[: of_type(finished, "cards-dealt", 1)]
    made = [
        Example("finished", "A finished game, wholly open.", exported(finished)),
        Example("closed", "A table that was closed before its game began.", exported(base(CLOSED))),
        Example("running", "A game in its second deal, as everyone may have it.", exported(played), unchecked=True),
        Example("running-seat", "The same, as seat 1 may have it.", exported(played, "seat:1"), unchecked=True),
        Example("opened", "A table at which nobody sits yet.", exported(base(CLOSED, 1))),
    ]
    made += _lines(short)
    made += _envelopes(short)
    made += _times(base(CLOSED))
    made += _clocks()
    made += _talk()
    made += _rules(finished, short, played)
    made += _disputes(base(DISPUTED))
    made += _others()
    return made + _signatures(base(CLOSED))


def _lines(short: Sequence[Recorded]) -> list[Example]:
    data = exported(short)
    lines = data.splitlines(keepends=True)
    spaced = [*lines[:4], lines[4].replace(b'":', b'": ', 1), *lines[5:]]
    resigned = _resigned(b"".join(spaced), short)
    header = json.loads(lines[0]) | {"version": len(short) - 1}
    other = _resigned(canonical(header) + b"\n" + b"".join(lines[1:]), short)
    return [
        Example("form-space", "A line with a space that canonical JSON has not.", resigned, "form", line=5),
        Example("form-cut", "The file is cut off in its last line.", data[:-100], "form", line=len(lines)),
        Example("form-no-end", "The last line is missing.", b"".join(lines[:-1]), "form", line=len(lines) - 1),
        Example("header-version", "The first line names another last version.", other, "header", len(short)),
        Example(
            "header-dropped-end",
            "The last event and its proof are missing.",
            _without_last_event(lines),
            "header",
            len(short) - 1,
        ),
    ]


def _envelopes(short: Sequence[Recorded]) -> list[Example]:
    transparency = transparency_over(short)
    dealt = of_type(short, "cards-dealt")
    played = of_type(short, "bid-made")
    unhashed = [replace(one, hash=bytes(32)) if one.version == played else one for one in short]
    dropped = [one for one in short if one.version != played]
    swapped = list(short)
    swapped[played - 1], swapped[played] = swapped[played], swapped[played - 1]

    def resalted(sections: dict[str, Any]) -> None:
        sections["seat:0"]["salt"] = "00" * 32

    bare = [replace(one, sealed=_changed(one.sealed, resalted)) if one.version == dealt else one for one in short]
    closed = [
        replace(one, sealed=_changed(one.sealed, lambda s: s.pop("seat:0"))) if one.version == dealt else one
        for one in short
    ]
    later = [replace(one, at=one.at[:-2] + "1Z") if one.version == dealt else one for one in short]
    running = first_deal()
    last = running[-1].version
    return [
        Example("chain-hash", "An event with another hash.", _as(unhashed, transparency), "chain", played),
        Example("chain-dropped", "An event is missing.", _as(dropped, transparency), "chain", played + 1),
        Example("chain-swapped", "Two events have changed places.", _as(swapped, transparency), "chain", played),
        Example("envelope-time", "What follows by itself, at another time.", _as(rehashed(later)), "envelope", dealt),
        Example(
            "payload-member",
            "An event with a member that its type has not.",
            _as(forged(short, played, lambda public: public.update(note="won"))),
            "payload",
            played,
        ),
        Example("seals-salt", "A section that does not fit its seal.", _as(bare), "seals", dealt),
        Example("openings-missing", "A hand of a short deal that is not opened.", _as(closed), "openings", dealt),
        Example(
            "openings-too-many",
            "The cards of a running deal, open to everyone.",
            file_of(running, PUBLIC, lambda record: record.version > 1, transparency_over(running)),
            "openings",
            last,
        ),
    ]


def _times(closed: Sequence[Recorded]) -> list[Example]:
    """Records in which nothing but an act's id or time, or all times, are wrong."""
    taken = of_type(closed, "seat-taken")
    at = closed[taken - 1].at

    def example(name: str, about: str, times: Callable[[Recorded], str], event: int = taken) -> Example:
        timed = [replace(one, at=times(one) if one.version >= event else one.at) for one in closed]
        return Example(f"envelope-time-{name}", about, _as(rehashed(timed)), "envelope", event)

    def only(time: str) -> Callable[[Recorded], str]:
        return lambda one: time if one.version == taken else one.at

    unnamed = [replace(one, action=None) if one.version == taken else one for one in closed]
    return [
        Example("envelope-action", "An event without an action.", _as(rehashed(unnamed)), "envelope", taken),
        example("day", "A day that there is not.", only(at.replace("11-20", "11-31"))),
        example("second", "A second that there is not.", only(f"{at[:17]}60{at[19:]}")),
        example("back", "A time earlier than that of the event before.", only(at.replace("T10", "T09"))),
        example("table", "Times earlier than that in the table's id.", lambda one: one.at.replace("2026", "2024"), 1),
    ]


def _clocks() -> list[Example]:
    """A game with a clock, which came to an early end; and one in which the clock acts a moment too early."""
    whole = base("table-under-clock")
    acted = next(one for one in whole if one.actor == "clock")
    until = [one for one in whole if one.version < acted.version or one.action == acted.action]
    early = f"{acted.at[:17]}{int(acted.at[17:19]) - 1:02}.999999Z"
    timed = [replace(one, at=early) if one.action == acted.action else one for one in until]
    return [
        Example("clock", "A game with a clock, abandoned by one and ended by the others.", exported(whole)),
        Example("clock-early", "The clock acts too early.", _as(rehashed(timed)), "clock", acted.version),
    ]


def _talk() -> list[Example]:
    """A game at a table with talk; and the same at a table without."""
    whole = base("table-under-clock", of="ombre")
    said = of_type(whole, "table-talk")
    silent = forged(whole, 1, lambda public: public["table"].pop("talk"))
    return [
        Example("talk", "A game at a table where players talk.", exported(whole)),
        Example("talk-not-allowed", "Talk at a table that has none.", _as(silent), "acts", said),
    ]


def _rules(finished: Sequence[Recorded], short: Sequence[Recorded], played: Sequence[Recorded]) -> list[Example]:
    def version(type_: str, number: int = 0, events: Sequence[Recorded] = short) -> int:
        return of_type(events, type_, number)

    def example(
        name: str,
        about: str,
        check: str,
        at: int,
        public: Change = nothing,
        sealed: Change = nothing,
        events: Sequence[Recorded] = short,
    ) -> Example:
        return Example(name, about, _as(forged(events, at, public, sealed)), check, at)

    def swapped_cards(sections: dict[str, Any]) -> None:
        one, other = sections["seat:0"]["data"]["cards"][0], sections["seat:1"]["data"]["cards"][0]
        one["card"], other["card"] = other["card"], one["card"]

    def other_commitment(public: dict[str, Any]) -> None:
        public["card_commitments"][7] = "ab" * 32

    def other_draw(sections: dict[str, Any]) -> None:
        ((_, section),) = sections.items()
        section["data"]["drawn"] = section["data"]["drawn"][::-1]

    def another_sum(public: dict[str, Any]) -> None:
        public["totals"][0] += 1

    def taker(public: dict[str, Any]) -> None:
        public["seat"] = (public["seat"] + 1) % 3

    closed = base(CLOSED)
    early = [event for event in played if event.version not in (version("trick-won", 4, played),)]
    led = version("card-played", 1, played)
    held = json.loads(played[version("card-played", 0, played) - 1].public)["card"]
    exchange = next(
        event.version for event in played if event.type == "cards-exchanged" and event.sealed.count(b"position") > 1
    )
    return [
        Example(
            "rules-options",
            "Options of which one is missing.",
            _as(forged(base(CLOSED, 1), 1, lambda public: public["options"].popitem())),
            "rules",
            1,
        ),
        Example(
            "seating-closed",
            "A table closed for another reason.",
            _as(forged(closed, len(closed), puts("reason", "nobody came"))),
            "seating",
            len(closed),
        ),
        example(
            "seating-twice", "A seat taken that was not free.", "seating", version("seat-taken", 1), puts("seat", 0)
        ),
        example(
            "first-dealer", "Another first dealer.", "first-dealer", version("game-started"), _next("first_dealer")
        ),
        example(
            "dealer",
            "The deal went to another seat.",
            "dealer",
            version("cards-dealt", 1, finished),
            _next("dealer"),
            events=finished,
        ),
        example("seed", "Another seed published.", "seed", version("deal-scored"), puts("seed", "ab" * 32)),
        example(
            "pack-cards", "Two seats' first cards exchanged.", "pack", version("cards-dealt"), sealed=swapped_cards
        ),
        example(
            "commitments", "Another commitment to a card.", "commitments", version("cards-dealt"), other_commitment
        ),
        example(
            "legality", "A card that the player does not hold.", "legality", led, puts("card", held), events=played
        ),
        Example(
            "acts-missing",
            "What had to follow is missing at the end.",
            _as(list(finished[:-1])),
            "acts",
            len(finished) - 1,
        ),
        example("draws-order", "Cards drawn in another order.", "draws", exchange, sealed=other_draw, events=played),
        example(
            "turn-up",
            "Another trump than the card turned.",
            "turn-up",
            version("talon-turned", 0, played),
            _other_trump,
            events=played,
        ),
        example(
            "tricks",
            "A trick that went to another seat.",
            "tricks",
            version("trick-won", 0, played),
            taker,
            events=played,
        ),
        Example(
            "stopping-point",
            "Scored before the result was settled.",
            _as(rehashed(early)),
            "stopping-point",
            version("trick-won", 4, played),
        ),
        example("outcome", "Another outcome.", "outcome", version("deal-scored"), puts("outcome", "victory")),
        example(
            "ledger-amount",
            "Twice the amount, the lines still summing to zero.",
            "ledger",
            version("deal-scored"),
            doubled,
        ),
        example("totals", "A total that is no sum of lines.", "totals", version("deal-scored"), another_sum),
        example(
            "finish-winners",
            "Other winners.",
            "finish",
            version("game-finished", 0, finished),
            puts("winners", [0, 1, 2]),
            events=finished,
        ),
    ]


def _disputes(whole: Sequence[Recorded]) -> list[Example]:
    raised, corrected = of_type(whole, "dispute-opened"), of_type(whole, "ledger-corrected")

    live = Live(whole)
    live.command(EraseText(raised))
    recorded = placed(live.records, first=3)
    erased = [without_section(record, PUBLIC) if record.version == raised else record for record in recorded]

    def nowhere(public: dict[str, Any]) -> None:
        public["lines"][0]["line"] = 40

    return [
        Example("disputed", "A finished game, its ledger corrected after a dispute.", exported(whole)),
        Example("erased", "The same, the reason of the dispute erased.", exported(erased)),
        Example(
            "disputes-line",
            "A line disputed that was never booked.",
            _as(forged(whole, raised, nowhere)),
            "disputes",
            raised,
        ),
        Example(
            "corrections-amount",
            "More taken back than was booked.",
            _as(forged(whole, corrected, doubled)),
            "corrections",
            corrected,
        ),
        Example(
            "erasures-text",
            "An erasure where no free text was.",
            _as(forged(recorded, len(recorded), lambda public: public.update(version=1))),
            "erasures",
            len(recorded),
        ),
    ]


def _others() -> list[Example]:
    whole = {of: base(name, of=of) for of, name in OTHERS.items()}
    titles = {of: GAMES[of].title for of in whole}
    dealt = of_type(whole["ombre"], "cards-dealt")

    short = whole["ombre"][: of_type(whole["ombre"], "cards-dealt", 1)]
    return [
        *(
            Example(f"finished-{of}", f"A finished game of {titles[of]}, wholly open.", exported(events))
            for of, events in whole.items()
        ),
        Example("antes-amount", "Twice the ante.", _as(forged(short, dealt, doubled)), "antes", dealt),
        *(own for of, events in whole.items() for own in _own_members(of, events)),
        _other_level(whole["solo"]),
    ]


def _own_members(of: str, events: Sequence[Recorded]) -> Iterator[Example]:
    """A first deal's score with another value of a member that the game adds to it, if the game adds one."""
    for payload in GAMES[of].events:
        added = [name for name in payload.__struct_encode_fields__ if name not in DealScored.__struct_encode_fields__]
        if issubclass(payload, DealScored) and added:
            scored = of_type(events, payload.TYPE)
            said = json.loads(events[scored - 1].public)
            other = next(value for name, value in changes(payload, said) if name == added[0])
            data = _as(forged(events[:scored], scored, puts(added[0], other)))
            yield Example(f"outcome-{of}", f"Another value of `{added[0]}`.", data, payload.CHECK, scored)


def _other_level(events: Sequence[Recorded]) -> Example:
    """A declaration that names another level than was bid, up to the deal's score."""
    declared, scored = of_type(events, "contract-declared"), of_type(events, "deal-scored")
    other = json.loads(events[declared - 1].public)["level"] + 1
    data = _as(forged(events[:scored], declared, puts("level", other)))
    return Example("acts-level", "A declaration of another level than was bid.", data, "acts", declared)


def _signatures(closed: Sequence[Recorded]) -> list[Example]:
    whole = exported(closed)
    lines = whole.splitlines(keepends=True)
    trailer = json.loads(lines[-1])
    first, second, third, *rest = trailer["proofs"]
    proofs = [first, third, second, *rest]
    theirs = exported(closed, transparency=transparency_over(closed, secret=OTHER_SECRET))
    other = json.loads(theirs.splitlines()[-1])
    position = json.loads(lines[3]) | {"position": closed[2].position + 1}
    moved = b"".join([*lines[:3], canonical(position) + b"\n", *lines[4:]])
    signed_by_other = b"".join(lines[:-1]) + canonical(trailer | {"signature": other["signature"]}) + b"\n"
    return [
        Example(
            "inclusion-proofs", "Two events' proofs exchanged.", _resigned(whole, closed, proofs=proofs), "inclusion", 2
        ),
        Example("inclusion-position", "Another position.", _resigned(moved, closed), "inclusion", 3),
        Example(
            "checkpoint-signature",
            "A head that another key has signed.",
            _resigned(whole, closed, checkpoint=other["checkpoint"]),
            "checkpoint",
        ),
        Example("signature-other", "Another key's signature.", signed_by_other, "signature"),
        Example(
            "signature-bytes",
            "An export for everyone that calls itself one for a seat.",
            b"".join([lines[0].replace(b'"public"', b'"seat:0"'), *lines[1:]]),
            "signature",
        ),
        Example("signer", "A record that another key has signed throughout.", theirs, "signer"),
        *_rotated(closed),
    ]


def _rotated(closed: Sequence[Recorded]) -> list[Example]:
    """Records that were exported after a change of keys."""
    log = transparency_over(closed)
    asyncio.run(log.sign_checkpoint())
    log.rotate(OTHER_SECRET)
    whole = exported(closed, transparency=log)
    *lines, last = whole.splitlines(keepends=True)
    trailer = json.loads(last)

    def ending(**members: object) -> bytes:
        return signed_file(b"".join(lines), msgspec.convert(trailer | members, Trailer), log)

    stranger = MemoryTransparency(secret=b"\3" * 32)
    stranger.rotate(OTHER_SECRET)
    (_, announced) = asyncio.run(stranger.keys())
    return [
        Example("rotated", "A record whose checkpoint the key before has signed, and the next one the file.", whole),
        Example(
            "signer-announcement",
            "A key that is not announced by the one before it.",
            ending(announcements=[announced.announcement]),
            "signer",
        ),
        Example("signer-unannounced", "An announcement is missing.", ending(announcements=[]), "signer"),
        Example("signer-order", "The keys in another order.", ending(keys=trailer["keys"][::-1]), "signer"),
        Example(
            "signature-keys",
            "The first key and its announcement are missing.",
            b"".join(lines) + canonical(trailer | {"keys": trailer["keys"][1:], "announcements": []}) + b"\n",
            "signature",
        ),
    ]


def _as(events: Sequence[Recorded], transparency: MemoryTransparency | None = None) -> bytes:
    """The file of these events, open to everyone as far as deals are over."""
    over: set[int | None] = {event.deal for event in events if event.type == "deal-scored"}
    if any(event.type in ("game-finished", "table-closed") for event in events):
        over.add(None)
    return file_of(events, PUBLIC, lambda event: event.deal in over, transparency or transparency_over(events))


def _resigned(data: bytes, events: Sequence[Recorded], **members: object) -> bytes:
    """The file with these members of its last line, and its signature made anew."""
    *lines, last = data.splitlines(keepends=True)
    trailer = msgspec.convert(json.loads(last) | members, Trailer)
    return signed_file(b"".join(lines), trailer, transparency_over(events))


def _without_last_event(lines: Sequence[bytes]) -> bytes:
    trailer = json.loads(lines[-1])
    return b"".join(lines[:-2]) + canonical(trailer | {"proofs": trailer["proofs"][:-1]}) + b"\n"


def doubled(public: dict[str, Any]) -> None:
    """Doubles what the event books."""
    for line in public["lines"]:
        line["amount"] *= 2


def _next(name: str) -> Change:
    def change(public: dict[str, Any]) -> None:
        public[name] = (public[name] + 1) % 3

    return change


def _other_trump(public: dict[str, Any]) -> None:
    public["trump"] = "c" if public["trump"] != "c" else "d"


def _changed(payload: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    value = json.loads(payload)
    change(value)
    return canonical(value)


def index(made: Sequence[Example]) -> bytes:
    """The expected results by file, and the key that signed the files."""
    expected = {
        "key": MemoryTransparency().verifier,
        "records": [
            {
                "file": f"{one.name}.ndjson",
                "about": one.about,
                "intact": one.fails is None,
                "fails": one.fails,
                "event": one.event,
                "line": one.line,
                "complete": not one.unchecked if one.fails is None else None,
            }
            for one in made
        ],
    }
    return msgspec.json.format(msgspec.json.encode(expected), indent=2) + b"\n"


def main() -> None:
    """Writes the corpus."""
    made = examples()
    RECORDS.mkdir(parents=True, exist_ok=True)
    for old in RECORDS.iterdir():
        old.unlink()
    for one in made:
        (RECORDS / f"{one.name}.ndjson").write_bytes(one.data)
    (RECORDS / "index.json").write_bytes(index(made))


if __name__ == "__main__":
    main()
