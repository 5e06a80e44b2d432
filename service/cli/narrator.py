"""Narrates a game event by event, for people to read on a terminal.

The sentences are the game's own words, as `service.describe.narration` tells them; this module lays them out. An event
without words is narrated by its name and fields, so no event is left out.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from rich.text import Text

from domain.cards import Face
from domain.kernel.game import Game
from domain.kernel.words import Filled, Parts
from service.auth.names import first_letters
from service.cli.terminal_text import SUIT_NAMES, amount, by_suit, card, counted, plain, seat_style, suit, words
from service.describe.narration import (
    Event,
    NarratedLine,
    NarratedRow,
    Narration,
    Saying,
    Telling,
    Totals,
    Unworded,
    summary,
    target_of,
)

View: TypeAlias = Mapping[str, Any]
"""A served view of a table, decoded."""

Lines: TypeAlias = Iterator[tuple[str, Text]]
"""Lines, each with its heading."""

HEADING_WIDTH = 10


class Narrator:
    """Narrates one table's game. It remembers what later lines need from earlier events."""

    def __init__(
        self,
        name_of: Callable[[str], str],
        games: Mapping[str, Game] | None = None,
        view_at: Callable[[int], View | None] = lambda _: None,
    ) -> None:
        """`name_of` gives a player's name for an id; a game that is not among `games` is narrated without its words.

        `view_at` gives the public's view at the version of an event that deals cards, whose summary goes into the
        deal's headline. Without it the headline names only the dealer.
        """
        self._name_of = name_of
        self._view_at = view_at
        self._narration = Narration(games or {})
        self._to = ""
        """What the game is played to, after the number of a deal: ` of 3`, `, to 61 points`."""
        self._deal: int | None = None
        self._heading = ""

    def lines(self, event: Event) -> list[Text]:
        """The lines of the table's next event."""
        told = self._narration.tell(event)
        headed = event.get("deal") not in (None, self._deal)
        headline = []
        if headed:
            self._deal = event["deal"]
            headline = [Text(), self._headline(event)]
        lines = [line for telling in told for line in self._laid_out(telling, headed=headed)]
        match event["type"]:
            case "table-opened":
                self._to = self._end_of(event["public"])
                lines = [*self._table(event), *lines]
            case "seat-taken":
                # A name alone does not say which player it is.
                letters = Text(f"  {plain(first_letters(event['public']['player']))}", "dim")
                lines = [(heading, text + letters) for heading, text in lines]
            case _:
                pass
        return headline + [self._line(heading, text) for heading, text in lines]

    def _headline(self, event: Event) -> Text:
        """The line above a deal: its number, its dealer, and the table's summary as the cards lie."""
        headline = Text.assemble((f"Deal {self._deal}{self._to}", "bold underline"))
        dealer = event["public"].get("dealer")
        if dealer is not None:
            headline.append("  dealt by ").append_text(self._seat(dealer))
        view = self._view_at(event.get("version", 0))
        for parts in () if view is None else summary(self._narration.words, view):
            headline.append("  ").append_text(self._text(parts))
        return headline

    def _end_of(self, opened: Mapping[str, Any]) -> str:
        """What the game is played to, after the number of a deal."""
        game = self._narration.game
        target = None if game is None else target_of(game, opened)
        return f" of {opened['deals']}" if game is None or target is None else f", to {target} {game.unit}"

    def _line(self, heading: str, text: Text) -> Text:
        label = "" if heading == self._heading else heading
        self._heading = heading
        return Text.assemble("  ", (label.ljust(HEADING_WIDTH - 1) + " ", "dim"), text)

    def _table(self, event: Event) -> Lines:
        """The game played at the table."""
        public, game = event["public"], self._narration.game
        rules = f"rules version {public['rules_version']}"
        name = game.title if game else words(public["game"]).title()
        to = self._end_of(public)
        lasts = to.removeprefix(", ") if to.startswith(", ") else counted(public["deals"], "deal")
        yield "table", Text(f"{name}, {lasts}, {rules}, {event['table']}")
        options = [f"{name.replace('_', ' ')}: {_option_text(value)}" for name, value in public["options"].items()]
        if options:
            yield "options", Text(", ".join(options))

    def _laid_out(self, telling: Telling, *, headed: bool) -> Lines:
        """The lines of what an event says; if `headed`, a headline replaces its own sentence."""
        match telling:
            case Saying(heading, parts, sections):
                texts = [self._text(section.parts, padded=section.of_seat) for section in sections]
                if not headed and len(texts) == 1:
                    yield heading, Text(" ").join([self._text(parts), *texts])
                else:
                    yield from ((heading, text) for text in ([] if headed else [self._text(parts)]) + texts)
            case NarratedRow(row, number, cells):
                last = len(cells) - 1
                # The cards of the seat that ends the row are underlined.
                texts = [
                    self._text(parts, padded=place < last, underlined=seat == telling.last)
                    for place, (seat, parts) in enumerate(cells)
                ]
                yield f"{row} {number}", Text("  ").join(texts)
            case NarratedLine(line, parts):
                points = amount(line["amount"])
                points.pad_left(4 - points.cell_len)
                name = self._seat(line["seat"])
                name.pad_right(self._width() - name.cell_len)
                yield "ledger", Text("   ").join([name, points, Text(line["rule"].ljust(9), "dim"), self._text(parts)])
            case Totals(totals, pool):
                yield "totals", self._totals(totals)
                if pool is not None:
                    yield "pool", Text(str(pool))
            case Unworded(type, public):
                fields = ", ".join(f"{field}: {value}" for field, value in public.items())
                yield words(type), Text(plain(fields))

    def _text(self, parts: Parts, *, padded: bool = False, underlined: bool = False) -> Text:
        """A sentence with its holes filled."""
        text = Text()
        for part in parts:
            if isinstance(part, str):
                text.append(plain(part))
                continue
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
            case "place":
                return Text(str(part.value + 1))
            case "card":
                return card(self._face(part.value))
            case "hand":
                return by_suit(map(self._face, self._narration.sorted(part.value)))
            case "suit":
                return suit(part.value)
            case "term":
                return Text(self._narration.term(part.of, part.value) or words(str(part.value)), "bold")
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
        return self._narration.face(name) or Face(plain(name))

    def _seat(self, seat: int) -> Text:
        """The name of a seat's player, in the seat's colour."""
        player = self._narration.players.get(seat)
        return Text(plain(self._name_of(player)) if player else f"seat {seat + 1}", seat_style(seat))

    def _width(self) -> int:
        """The width of the longest name."""
        return max((self._seat(seat).cell_len for seat in self._narration.players), default=0)

    def _totals(self, totals: Sequence[int]) -> Text:
        """An amount for each seat."""
        return Text("   ").join(
            Text.assemble(self._seat(seat), " ", amount(points)) for seat, points in enumerate(totals)
        )

    def _lines_named(self, line_ats: Sequence[Mapping[str, int]]) -> Text:
        """Booked lines in words, each sentence once, with the events that booked them."""
        named = {
            version: {text.plain: text for text in map(self._booked_line, lines)}
            for version, lines in self._narration.booked(line_ats).items()
        }
        booked = (Text(", ").join(texts.values()) + f" of event {version}" for version, texts in named.items())
        return Text("; ").join(booked)

    def _booked_line(self, said: Parts | int) -> Text:
        """A booked line, or the number of one that is not known."""
        return Text(f"line {said}") if isinstance(said, int) else self._text(said)


def _option_text(value: object) -> str:
    """An option's value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return SUIT_NAMES.get(str(value)) or words(str(value))
