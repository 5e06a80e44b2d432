"""A game told event by event, in its own words: what is said, in order, for a terminal and for pages to lay out.

Events come in the form of the interface. A sealed section is told only if the event opens it, so the same sentences
serve a spectator, a player and a replay of everything.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from domain.cards import Face, Pack
from domain.kernel.game import Game
from domain.kernel.ledger import POOL
from domain.kernel.line_words import line_parts
from domain.kernel.words import EventWords, Filled, Parts, Words, said
from domain.seats import Seat, seat_audience
from domain.table.words import ACTORS, EVENTS, LINES, complete

Event: TypeAlias = Mapping[str, Any]
"""A served event, decoded."""


class Section(Struct, frozen=True):
    """What an open section adds to an event."""

    parts: Parts
    of_seat: bool
    """Whether it is a seat's section, or what is said of a seat that has none."""


class Saying(Struct, frozen=True):
    """What an event says, with its open sections."""

    heading: str
    parts: Parts
    sections: tuple[Section, ...]


class NarratedRow(Struct, frozen=True):
    """Events that stand on one line, such as the cards of a trick, in order."""

    name: str
    number: int
    """Its number among the rows of its deal, from 1."""
    cells: tuple[tuple[Seat | None, Parts], ...]
    """Each with the seat that its event is about."""

    @property
    def last(self) -> Seat | None:
        """The seat that ends the row, if there is one: it has won the trick."""
        return self.cells[-1][0] if self.cells else None


class NarratedLine(Struct, frozen=True):
    """A line booked to a player."""

    line: Mapping[str, Any]
    parts: Parts


class Totals(Struct, frozen=True):
    """The totals by seat, and the pool of a game that has one."""

    totals: Sequence[int]
    pool: int | None


class Unworded(Struct, frozen=True):
    """An event for which there are no words, or that lacks a field that they need: its type and its public fields."""

    type: str
    public: Mapping[str, Any]


Telling: TypeAlias = Saying | NarratedRow | NarratedLine | Totals | Unworded


class _Untold(Exception):
    """A sentence has a hole for which the event has no value."""


def target_of(game: Game, opened: Mapping[str, Any]) -> int | None:
    """The points to which a table is played, as it was `opened`; None where it is played for a number of deals."""
    target: int | None = opened["options"].get("target")
    # The bound is the same under all options, and a record may have options that this program does not know.
    return target if target is not None and game.course.deals(game.options()).bound(opened["deals"]) else None


class Narration:
    """Tells one table's game. It remembers what later events need of earlier ones."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        """A game that is not among `games` is told without its words."""
        self._games = games
        self.game: Game | None = None
        """The table's game, once its first event was told."""
        self.words = Words(events=EVENTS, lines=LINES)
        self.players: dict[Seat, str] = {}
        """The ids of the players by seat."""
        self._left: Seat | None = None
        """The seat that the last event has freed: that event still names its player."""
        self._pack = Pack({})
        self._deal: int | None = None
        self._cells: list[tuple[Seat | None, Parts]] = []
        self._row_name = ""
        self._rows = 0
        self._pool: int | None = None
        self._lines: dict[int, Sequence[Parts]] = {}

    def tell(self, event: Event) -> list[Telling]:
        """What the table's next event says, in order. Nothing is said of an event that begins or continues a row."""
        public = event["public"]
        if self._left is not None:
            self.players.pop(self._left, None)
            self._left = None
        booked = (line for line in public.get("lines", ()) if "text" in line)
        self._lines[event.get("version", 0)] = [line_parts(self.words.lines, line, self._pack) for line in booked]
        if event.get("deal") not in (None, self._deal):
            self._deal, self._rows, self._cells = event["deal"], 0, []
        match event["type"]:
            case "table-opened":
                self.game = self._games.get(public["game"])
                if self.game is not None:
                    self.words, self._pack = complete(self.game), self.game.pack
            case "seat-taken":
                self.players[public["seat"]] = public["player"]
            case "seat-left":
                self._left = public["seat"]
            case _:
                pass
        return self._told(event)

    def face(self, card: str) -> Face | None:
        """The face of a card of the game; None for any other text."""
        return self._pack.faces.get(card)

    def sorted(self, cards: Sequence[str]) -> Sequence[str]:
        """The cards in sorted order; in their own if one is not of the game."""
        return self._pack.sorted(cards) if all(card in self._pack for card in cards) else cards

    def term(self, of: str | None, value: object) -> str | None:
        """The game's name for a value; None if it has none."""
        return self.words.terms.get(str(of), {}).get(str(value))

    def booked(self, line_ats: Sequence[Mapping[str, int]]) -> Mapping[int, Sequence[Parts | int]]:
        """What these booked lines say, by the version of the event that booked them; of one not known, its number."""
        named: dict[int, list[Parts | int]] = {}
        for line_at in line_ats:
            lines, index = self._lines.get(line_at["version"], ()), line_at["line"]
            said: Parts | int = ("“", *lines[index], "”") if index < len(lines) else index
            named.setdefault(line_at["version"], []).append(said)
        return named

    def _told(self, event: Event) -> list[Telling]:
        words = self.words.events.get(event["type"])
        unworded = Unworded(event["type"], event["public"])
        try:
            return [unworded] if words is None else list(self._sentences(event, words))
        except _Untold:
            return [unworded]  # An event of another version may lack the field that a sentence needs.

    def _sentences(self, event: Event, words: EventWords) -> Iterator[Telling]:
        public = event["public"]
        row = words.row
        if row is not None and row.text is not None and (self._cells or not row.ends):
            self._row_name = row.name
            self._cells.append((public.get("seat"), said((row.text,), public) or ()))
            if row.ends:
                yield self._row_ended()
            return
        if self._cells and ("totals" in public or (row is not None and row.ends)):
            yield self._row_ended()
        booked = list(self._booked(event))
        if event.get("deal") is None:
            yield from booked  # the sentence sums up what is booked after the deals
        parts = said(words.sentences, public) or ()
        by = ACTORS.get(event.get("actor", "").partition(":")[0]) if "seat" in public else None
        if by is not None:
            parts = (*parts, f" {by}")
        yield Saying(words.heading, _complete(parts), tuple(self._sections(event, words)))
        if event.get("deal") is not None:
            yield from booked
        if "totals" in public and not any(isinstance(part, Filled) and part.kind == "totals" for part in parts):
            yield Totals(public["totals"], self._pool)

    def _sections(self, event: Event, words: EventWords) -> Iterator[Section]:
        """The open sections: those of the seats in order, then the others."""
        sealed_for = [audience for audience in event["seals"] if audience.startswith("seat:")]
        seats = sorted({*self.players, *(int(audience.partition(":")[2]) for audience in sealed_for)})
        for seat in seats:
            opened = event["sealed"].get(seat_audience(seat))
            if opened is not None:
                parts = said(words.sections.get("seat", ()), event["public"] | opened["data"], seat)
            elif sealed_for and seat_audience(seat) not in sealed_for:
                parts = said(words.absent, event["public"], seat)
            else:
                parts = None
            if parts is not None:
                yield Section(_complete(parts), of_seat=True)
        for audience in ("house", "public"):
            opened = event["sealed"].get(audience)
            if opened is not None:
                parts = said(words.sections.get(audience, ()), event["public"] | opened["data"])
                if parts is not None:
                    yield Section(_complete(parts), of_seat=False)

    def _row_ended(self) -> NarratedRow:
        self._rows += 1
        cells, self._cells = self._cells, []
        return NarratedRow(self._row_name, self._rows, tuple((seat, _complete(parts)) for seat, parts in cells))

    def _booked(self, event: Event) -> Iterator[NarratedLine]:
        """The booked lines of players, which mirror those of the table's own accounts. Disputed lines book nothing."""
        parts_of = self._lines[event.get("version", 0)]
        for line, parts in zip(event["public"].get("lines", ()), parts_of, strict=False):
            if line["account"] == POOL:
                self._pool = (self._pool or 0) + line["amount"]
            if line["seat"] is not None:
                yield NarratedLine(line, _complete(parts))


def summary(words: Words, view: Mapping[str, Any]) -> Iterator[Parts]:
    """The summary of a served view: from each group of sentences the first that fits, if its values are there."""
    for sentences in words.status:
        parts = said(sentences, view)
        if parts is not None and _has_all(parts):
            yield parts


def _complete(parts: Parts) -> Parts:
    """The same parts. Raises _Untold if a value is missing."""
    if not _has_all(parts):
        raise _Untold
    return parts


def _has_all(parts: Parts) -> bool:
    return not any(isinstance(part, Filled) and part.value is None for part in parts)
