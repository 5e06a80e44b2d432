"""Narrates a game event by event, for people to read on a terminal.

The sentences are the game's own words; this module lays them out. Events come in the form of the interface. A sealed
section is narrated only if the event opens it, so the same sentences serve a spectator, a player and a replay of
everything. An event without words is narrated by its name and fields, so no event is left out.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from rich.text import Text

from domain.cards import Face, Pack
from domain.kernel.game import Game
from domain.kernel.ledger import POOL
from domain.kernel.line_words import line_parts
from domain.kernel.words import EventWords, Filled, Parts, Words, said
from domain.seats import seat_audience
from domain.table.words import ACTORS, EVENTS, LINES, complete
from service.auth.names import first_letters
from service.cli.terminal_text import SUIT_NAMES, amount, by_suit, card, counted, plain, seat_style, suit, title, words

Event: TypeAlias = Mapping[str, Any]
"""A served event, decoded."""

View: TypeAlias = Mapping[str, Any]
"""A served view of a table, decoded."""

Lines: TypeAlias = Iterator[tuple[str, Text]]
"""Lines, each with its heading."""

HEADING_WIDTH = 10


class Untold(Exception):
    """A sentence has a hole for which the event has no value."""


def no_view(_: int) -> View | None:
    """No view, for any version."""
    return None


class Narrator:
    """Narrates one table's game. It remembers what later lines need from earlier events."""

    def __init__(
        self,
        name_of: Callable[[str], str],
        games: Mapping[str, Game] | None = None,
        view_at: Callable[[int], View | None] = no_view,
    ) -> None:
        """`name_of` gives a player's name for an id; a game that is not among `games` is narrated without its words.

        `view_at` gives the public's view at the version of an event that deals cards, whose summary goes into the
        deal's headline. Without it the headline names only the dealer.
        """
        self._name_of = name_of
        self._view_at = view_at
        self._games = games or {}
        self._words = Words(events=EVENTS, lines=LINES)
        self._pack = Pack({})
        self._players: dict[int, str] = {}
        self._deals = 0
        self._deal: int | None = None
        self._heading = ""
        self._row: list[tuple[int | None, Parts]] = []
        self._row_name = ""
        self._rows = 0
        self._pool: int | None = None
        self._lines: dict[int, Sequence[Parts]] = {}

    def lines(self, event: Event) -> list[Text]:
        """The lines of the table's next event."""
        public = event["public"]
        booked = (line for line in public.get("lines", ()) if "text" in line)
        self._lines[event.get("version", 0)] = [line_parts(self._words.lines, line, self._pack) for line in booked]
        headline = []
        if event.get("deal") not in (None, self._deal):
            self._deal, self._rows, self._row = event["deal"], 0, []
            headline = [Text(), self._headline(event)]
        match event["type"]:
            case "table-opened":
                self._deals = public["deals"]
                lines = [*self._table(event), *self._narrated(event)]
            case "seat-taken":
                self._players[public["seat"]] = public["player"]
                # A name alone does not say which player it is.
                letters = Text(f"  {plain(first_letters(public['player']))}", "dim")
                lines = [(heading, text + letters) for heading, text in self._narrated(event)]
            case "seat-left":
                lines = [*self._narrated(event)]
                self._players.pop(public["seat"], None)
            case _:
                lines = [*self._narrated(event, headed=bool(headline))]
        return headline + [self._line(heading, text) for heading, text in lines]

    def _headline(self, event: Event) -> Text:
        """The line above a deal: its number, its dealer, and the table's summary as the cards lie."""
        headline = Text.assemble((f"Deal {self._deal} of {self._deals}", "bold underline"))
        dealer = event["public"].get("dealer")
        if dealer is not None:
            headline.append("  dealt by ").append_text(self._seat(dealer))
        for text in self._summary(self._view_at(event.get("version", 0))):
            headline.append("  ").append_text(text)
        return headline

    def _summary(self, view: View | None) -> Iterator[Text]:
        """The summary of a view in the game's words."""
        for sentences in self._words.status:
            parts = None if view is None else said(sentences, view)
            if parts is not None:
                with suppress(Untold):
                    yield self._text(parts)

    def _line(self, heading: str, text: Text) -> Text:
        label = "" if heading == self._heading else heading
        self._heading = heading
        return Text.assemble("  ", (label.ljust(HEADING_WIDTH - 1) + " ", "dim"), text)

    def _table(self, event: Event) -> Lines:
        """The game played at the table. From here on it is narrated in its own words."""
        public = event["public"]
        game = self._games.get(public["game"])
        if game is not None:
            self._words = complete(game)
            self._pack = game.pack
        rules = f"rules version {public['rules_version']}"
        name = game.title if game else title(public["game"])
        yield "table", Text(f"{name}, {counted(public['deals'], 'deal')}, {rules}, {event['table']}")
        options = [f"{name.replace('_', ' ')}: {_option_text(value)}" for name, value in public["options"].items()]
        if options:
            yield "options", Text(", ".join(options))

    def _narrated(self, event: Event, *, headed: bool = False) -> Lines:
        """The lines of an event; if `headed`, a headline replaces its own sentence."""
        words = self._words.events.get(event["type"])
        try:
            yield from list(_other(event) if words is None else self._sentences(event, words, headed=headed))
        except Untold:
            yield from _other(event)  # An event of another version may lack the field that a sentence needs.

    def _sentences(self, event: Event, words: EventWords, *, headed: bool) -> Lines:
        public = event["public"]
        row = words.row
        if row is not None and row.text is not None and (self._row or not row.ends):
            self._row_name = row.name
            self._row.append((public.get("seat"), said((row.text,), public) or ()))
            if row.ends:
                yield self._row_ended()
            return
        if self._row and ("totals" in public or (row is not None and row.ends)):
            yield self._row_ended()
        booked = list(self._booked(event))
        if event.get("deal") is None:
            yield from booked  # the sentence sums up what is booked after the deals
        parts = said(words.sentences, public) or ()
        sections = list(self._sections(event, words))
        by = ACTORS.get(event.get("actor", "").partition(":")[0]) if "seat" in public else None
        if by is not None:
            parts = (*parts, f" {by}")
        if not headed and len(sections) == 1:
            yield words.heading, Text(" ").join([self._text(parts), *sections])
        else:
            yield from ((words.heading, text) for text in ([] if headed else [self._text(parts)]) + sections)
        if event.get("deal") is not None:
            yield from booked
        if "totals" in public and not any(isinstance(part, Filled) and part.kind == "totals" for part in parts):
            yield "totals", self._totals(public["totals"])
            if self._pool is not None:
                yield "pool", Text(str(self._pool))

    def _sections(self, event: Event, words: EventWords) -> Iterator[Text]:
        """The text of the open sections: those of the seats in order, then the others."""
        sealed_for = [audience for audience in event["seals"] if audience.startswith("seat:")]
        seats = sorted({*self._players, *(int(audience.partition(":")[2]) for audience in sealed_for)})
        for seat in seats:
            opened = event["sealed"].get(seat_audience(seat))
            if opened is not None:
                parts = said(words.sections.get("seat", ()), event["public"] | opened["data"], seat)
            elif sealed_for and seat_audience(seat) not in sealed_for:
                parts = said(words.absent, event["public"], seat)
            else:
                parts = None
            if parts is not None:
                yield self._text(parts, padded=True)
        for audience in ("house", "public"):
            opened = event["sealed"].get(audience)
            if opened is not None:
                parts = said(words.sections.get(audience, ()), event["public"] | opened["data"])
                if parts is not None:
                    yield self._text(parts)

    def _row_ended(self) -> tuple[str, Text]:
        """The row so far, on one line. The cards of the seat that ends it are underlined."""
        self._rows += 1
        last = self._row[-1][0] if self._row else None
        texts = [
            self._text(parts, padded=line_at < len(self._row) - 1, underlined=seat == last)
            for line_at, (seat, parts) in enumerate(self._row)
        ]
        self._row = []
        return f"{self._row_name} {self._rows}", Text("  ").join(texts)

    def _text(self, parts: Parts, *, padded: bool = False, underlined: bool = False) -> Text:
        """A sentence with its holes filled. Raises Untold if a value is missing."""
        text = Text()
        for part in parts:
            if isinstance(part, str):
                text.append(plain(part))
                continue
            if part.value is None:
                raise Untold
            written = self._written(part)
            if part.kind == "seat" and padded:
                written.pad_right(self._width() - written.cell_len)
            elif part.kind == "card" and underlined:
                written.stylize("underline")
            text.append_text(written)
        return text

    def _written(self, part: Filled) -> Text:
        match part.kind:
            case "seat":
                return self._seat(part.value)
            case "card":
                return card(self._face(part.value))
            case "hand":
                return by_suit(map(self._face, self._sorted(part.value)))
            case "suit":
                return suit(part.value)
            case "term":
                named = self._words.terms.get(str(part.of), {}).get(str(part.value))
                return Text(named or words(str(part.value)), "bold")
            case "amount":
                return amount(part.value)
            case "totals":
                return self._totals(part.value)
            case "lines":
                return self._lines_named(part.value)
            case _:
                return Text(plain(str(part.value)))

    def _face(self, name: str) -> Face:
        """The card's face; in an unknown game its name."""
        return self._pack.faces.get(name) or Face(plain(name))

    def _sorted(self, names: Sequence[str]) -> Sequence[str]:
        return self._pack.sorted(names) if all(name in self._pack for name in names) else names

    def _seat(self, seat: int) -> Text:
        """The name of a seat's player, in the seat's colour."""
        player = self._players.get(seat)
        return Text(plain(self._name_of(player)) if player else f"seat {seat}", seat_style(seat))

    def _width(self) -> int:
        """The width of the longest name."""
        return max((self._seat(seat).cell_len for seat in self._players), default=0)

    def _totals(self, totals: Sequence[int]) -> Text:
        """An amount for each seat."""
        return Text("   ").join(
            Text.assemble(self._seat(seat), " ", amount(points)) for seat, points in enumerate(totals)
        )

    def _lines_named(self, line_ats: Sequence[Mapping[str, int]]) -> Text:
        """Booked lines in words, each sentence once, with the events that booked them."""
        named: dict[int, dict[str, Text]] = {}
        for line_at in line_ats:
            lines, index = self._lines.get(line_at["version"], ()), line_at["line"]
            text = self._text(("“", *lines[index], "”") if index < len(lines) else (f"line {index}",))
            named.setdefault(line_at["version"], {})[text.plain] = text
        booked = (Text(", ").join(texts.values()) + f" of event {version}" for version, texts in named.items())
        return Text("; ").join(booked)

    def _booked(self, event: Event) -> Lines:
        """The booked lines of players, which mirror those of the table's own accounts. Disputed lines book nothing."""
        parts_of = self._lines[event.get("version", 0)]
        for line, parts in zip(event["public"].get("lines", ()), parts_of, strict=False):
            if line["account"] == POOL:
                self._pool = (self._pool or 0) + line["amount"]
            if line["seat"] is not None:
                points = amount(line["amount"])
                points.pad_left(4 - points.cell_len)
                name = self._seat(line["seat"])
                name.pad_right(self._width() - name.cell_len)
                yield "ledger", Text("   ").join([name, points, Text(line["rule"].ljust(9), "dim"), self._text(parts)])


def _option_text(value: object) -> str:
    """An option's value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return SUIT_NAMES.get(str(value)) or words(str(value))


def _other(event: Event) -> Lines:
    fields = ", ".join(f"{name}: {value}" for name, value in event["public"].items())
    yield words(event["type"]), Text(plain(fields))
