"""Narrating a game event by event, for people to read on a terminal.

Events come as the interface serves them. A sealed section is narrated only where the event opens it, so the same
sentences serve a spectator, a player and a replay of everything. An event of an unknown type is narrated by its name
and fields: no event is left out.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from rich.text import Text

from domain.kernel.game import Game
from domain.kernel.ledger import POOL
from service.cli.terminal import SUIT_NAMES, amount, by_suit, card, cards, plain, seat_style, suit, title, words

Event: TypeAlias = Mapping[str, Any]
"""An event as served, decoded."""

Lines: TypeAlias = Iterator[tuple[str, Text]]
"""Lines, each under the heading it belongs to."""

HEADING_WIDTH = 10

EYE = {rank: place for place, rank in enumerate("KQJT98765432A")}
"""For sorting the hands of an unknown game: kings first, aces last."""


class Narrator:
    """Narrates one table's game. It remembers what later lines need of earlier events."""

    def __init__(self, name_of: Callable[[str], str], games: Mapping[str, Game] | None = None) -> None:
        """`name_of` gives a player's name for an id; a game that is not among `games` is narrated without its terms."""
        self._name_of = name_of
        self._games = games or {}
        self._players: dict[int, str] = {}
        self._deals = 0
        self._heading = ""
        self._trick: list[tuple[int, str]] = []
        self._tricks = 0
        self._pool: int | None = None
        self._terms: Mapping[tuple[str, Any], str] = {}
        self._order: Mapping[str, int] = {}

    def lines(self, event: Event) -> list[Text]:
        """The lines of the table's next event."""
        lines = [self._line(heading, text) for heading, text in self._sentences(event)]
        if event["type"] == "cards-dealt":
            headline = Text.assemble(
                (f"Deal {event['public']['deal']} of {self._deals}", "bold underline"), "  dealt by "
            )
            lines[:0] = [Text(), headline.append_text(self.seat(event["public"]["dealer"]))]
        return lines

    def _sentences(self, event: Event) -> list[tuple[str, Text]]:
        sentences = SENTENCES.get(event["type"])
        if sentences is not None:
            try:
                return list(sentences(self, event))
            except KeyError:
                pass  # In an unknown game an event of this type may have other fields.
        return list(_other(event))

    def _line(self, heading: str, text: Text) -> Text:
        label = "" if heading == self._heading else heading
        self._heading = heading
        return Text.assemble("  ", (label.ljust(HEADING_WIDTH - 1) + " ", "dim"), text)

    def seat(self, seat: int) -> Text:
        """The name of a seat's player, in the seat's colour."""
        player = self._players.get(seat)
        return Text(plain(self._name_of(player)) if player else f"seat {seat}", seat_style(seat))

    def padded(self, seat: int) -> Text:
        """A seat's name, padded to the width of the longest."""
        text = self.seat(seat)
        text.pad_right(max((self.seat(other).cell_len for other in self._players), default=0) - text.cell_len)
        return text

    def term(self, of: str, value: Any) -> str:
        """The game's own name for a contract, bonus, outcome or level, given by its name or number in the interface."""
        return self._terms.get((of, value)) or (title(value) if isinstance(value, str) else f"{of} {value}")

    def phrase(self, seat: int, *words: str | Text) -> Text:
        """A sentence that begins with the seat's name."""
        return Text(" ").join([self.seat(seat), *(Text(word) if isinstance(word, str) else word for word in words)])

    def amounts(self, totals: Sequence[int]) -> Text:
        """An amount for each seat."""
        return Text("   ").join(
            Text.assemble(self.seat(seat), " ", amount(points)) for seat, points in enumerate(totals)
        )

    def _opened(self, event: Event) -> Lines:
        public = event["public"]
        self._deals = public["deals"]
        game = self._games.get(public["game"])
        if game is not None:
            self._terms = terms(game)
            self._order = {name: place for place, name in enumerate(game.pack)}
        rules = f"rules version {public['rules_version']}"
        name = game.title if game else title(public["game"])
        yield "table", Text(f"{name}, {public['deals']} deals, {rules}, {event['table']}")
        options = [f"{name.replace('_', ' ')}: {_option_text(value)}" for name, value in public["options"].items()]
        if options:
            yield "options", Text(", ".join(options))

    def _seated(self, event: Event) -> Lines:
        self._players[event["public"]["seat"]] = event["public"]["player"]
        yield "seats", self.phrase(event["public"]["seat"], f"sits down on seat {event['public']['seat']}")

    def _left(self, event: Event) -> Lines:
        yield "seats", self.phrase(event["public"]["seat"], "leaves")
        self._players.pop(event["public"]["seat"], None)

    def _started(self, event: Event) -> Lines:
        for draw in event["public"]["draws"]:
            yield "draws", Text.assemble(self.padded(draw["seat"]), "   ", card(draw["card"]))
        yield "seats", self.phrase(event["public"]["first_dealer"], "deals first")

    def _dealt(self, event: Event) -> Lines:
        self._trick, self._tricks = [], 0
        for seat in self._players:
            hand = section(event, f"seat:{seat}")
            if hand:
                held = sorted((opening["card"] for opening in hand["cards"]), key=self._place)
                yield "hands", Text.assemble(self.padded(seat), "   ", by_suit(held))
            if f"seat:{seat}" not in event["seals"]:
                yield "hands", Text.assemble(self.padded(seat), "   ", ("sits out", "dim"))
        house = section(event, "house")
        if house and house["talon"]:
            yield "talon", cards(opening["card"] for opening in house["talon"])
        for line in event["public"]["lines"]:
            yield from self._booked(line)

    def _scored(self, event: Event) -> Lines:
        public = event["public"]
        yield from self._unfinished_trick()
        yield "outcome", Text(self._terms.get(("outcome", public["outcome"]), words(public["outcome"])), "bold")
        for line in public["lines"]:
            yield from self._booked(line)
        yield "totals", self.amounts(public["totals"])
        if self._pool is not None:
            yield "pool", Text(str(self._pool))

    def _booked(self, line: Mapping[str, Any]) -> Lines:
        if line["account"] == POOL:
            self._pool = (self._pool or 0) + line["amount"]
        # Lines of the table's own accounts mirror those of the seats.
        if line["seat"] is not None:
            points = amount(line["amount"])
            points.pad_left(4 - points.cell_len)
            rule = Text(line["rule"].ljust(9), "dim")
            yield "ledger", Text("   ").join([self.padded(line["seat"]), points, rule, Text(line["text"])])

    def _disputed(self, event: Event) -> Lines:
        public = event["public"]
        said = section(event, "public")
        places = ", ".join(f"line {place['line']} of event {place['version']}" for place in public["lines"])
        yield "dispute", self.phrase(public["seat"], f"disputes {places}")
        if said:
            yield "dispute", Text(f"“{plain(said['reason'])}”", "italic")

    def _ruled(self, event: Event) -> Lines:
        said = section(event, "public")
        yield "dispute", Text(f"dispute {event['public']['dispute']} is {event['public']['ruling']}", "bold")
        if said:
            yield "dispute", Text(f"“{plain(said['text'])}”", "italic")

    def _corrected(self, event: Event) -> Lines:
        for line in event["public"]["lines"]:
            yield from self._booked(line)
        yield "totals", self.amounts(event["public"]["totals"])

    def _erased(self, event: Event) -> Lines:
        yield "erased", Text(f"the words of event {event['public']['version']}", "dim")

    def _finished(self, event: Event) -> Lines:
        public = event["public"]
        for line in public["lines"]:
            yield from self._booked(line)
        winners = Text(" and ").join(map(self.seat, public["winners"]))
        winners.append(" wins" if len(public["winners"]) == 1 else " share the win")
        yield "finished", Text.assemble(winners, ":  ", self.amounts(public["totals"]))

    def _closed(self, event: Event) -> Lines:
        yield "closed", Text(f"before the start: {event['public']['reason']}")

    def _bid(self, event: Event) -> Lines:
        public = event["public"]
        how = "says self to" if public.get("self") else "holds" if public.get("hold") else "bids"
        text = self.phrase(public["seat"], how, self.term("contract", public["contract"]))
        if shown := public.get("shown"):
            text.append(" and shows ").append_text(cards(shown))
        yield "auction", text

    def _asked(self, event: Event) -> Lines:
        yield "auction", self.phrase(event["public"]["seat"], "asks for", self.term("level", event["public"]["level"]))

    def _held(self, event: Event) -> Lines:
        yield (
            "auction",
            self.phrase(event["public"]["seat"], "says yes to", self.term("level", event["public"]["level"])),
        )

    def _passed(self, event: Event) -> Lines:
        yield "auction", self.phrase(event["public"]["seat"], Text("passes", "dim"))

    def _forced(self, event: Event) -> Lines:
        yield "auction", self.phrase(event["public"]["seat"], "must play Casco, since all have passed")

    def _all_passed(self, _: Event) -> Lines:
        yield "auction", Text("all have passed: nothing is played")

    def _queen(self, event: Event) -> Lines:
        public = event["public"]
        shows = self.phrase(public["seat"], "shows", card(public["card"]), "and must declare, since all have passed")
        yield "auction", shows

    def _declared(self, event: Event) -> Lines:
        public = event["public"]
        of = "contract" if "contract" in public else "level"
        contract = self.term(of, public[of])
        text = self.phrase(public["seat"], "declares", Text(contract, "bold"))
        if public["trump"]:
            text.append_text(Text.assemble(", ", suit(public["trump"]), " trumps"))
        if called := public.get("called"):
            text.append(", and calls ").append_text(card(called))
        yield "contract", text.append_text(self._bonus(public.get("bonus")))

    def _partner(self, event: Event) -> Lines:
        yield "partner", self.phrase(event["public"]["seat"], "holds the called card, and is the partner")

    def _turned(self, event: Event) -> Lines:
        public = event["public"]
        yield (
            "contract",
            Text.assemble("the talon shows ", card(public["card"]), ": ", suit(public["trump"]), " are trumps"),
        )

    def _casco_taken(self, event: Event) -> Lines:
        own = section(event, f"seat:{event['public']['seat']}")
        text = self.phrase(event["public"]["seat"], "keeps", card(own["kept"]) if own else "one card")
        text.append(", discards ").append_text(cards(own["discarded"]) if own else Text("eight"))
        yield "casco", text.append(" and takes the talon")
        if own:
            yield "casco", Text.assemble("the talon: ", cards(opening["card"] for opening in own["taken"]))

    def _casco_laid(self, event: Event) -> Lines:
        public = event["public"]
        text = self.phrase(public["seat"], "lays", cards(public["cards"]))
        text.append_text(Text.assemble(", ", suit(public["trump"]), " trumps") if public["trump"] else Text(", sans"))
        yield "casco", text.append_text(self._bonus(public["bonus"]))

    def _priority_offered(self, event: Event) -> Lines:
        public = event["public"]
        yield "exchange", self.phrase(public["seat"], "offers", self.seat(public["to"]), "to exchange first")

    def _priority_answered(self, event: Event) -> Lines:
        answer = "accepts to exchange first" if event["public"]["accepted"] else "refuses to exchange first"
        yield "exchange", self.phrase(event["public"]["seat"], answer)

    def _yielded(self, event: Event) -> Lines:
        public = event["public"]
        yield "exchange", self.phrase(public["seat"], "lets", self.seat(public["to"]), "exchange first")

    def _exchanged(self, event: Event) -> Lines:
        public = event["public"]
        own = section(event, f"seat:{public['seat']}")
        if not public["count"]:
            yield "exchange", self.phrase(public["seat"], Text("keeps all cards", "dim"))
            return
        text = self.phrase(public["seat"], "discards", cards(own["discarded"]) if own else str(public["count"]))
        if taken := public.get("taken"):
            text.append(", takes ").append_text(cards(taken))
        if own and own["drawn"]:
            text.append(", draws ").append_text(cards(opening["card"] for opening in own["drawn"]))
        yield "exchange", text

    def _exposed(self, event: Event) -> Lines:
        yield "exposed", self.phrase(event["public"]["seat"], by_suit(event["public"]["cards"]))

    def _played(self, event: Event) -> Lines:
        self._trick.append((event["public"]["seat"], event["public"]["card"]))
        yield from ()

    def _won(self, event: Event) -> Lines:
        winner = event["public"]["seat"]
        yield (
            f"trick {event['public']['trick']}",
            Text.assemble(self._row(winner), ("→ ", "dim"), self.seat(winner)),
        )
        self._trick, self._tricks = [], event["public"]["trick"]

    def _row(self, winner: int | None) -> Text:
        """The trick in the order played, with the winning card underlined."""
        row = Text()
        for seat, name in self._trick:
            played = card(name)
            if seat == winner:
                played.stylize("underline")
            gap = " " * (6 - played.cell_len)
            row.append_text(Text.assemble(self.padded(seat), " ", played, gap))
        return row

    def _unfinished_trick(self) -> Lines:
        """The trick that was not finished."""
        if self._trick:
            yield f"trick {self._tricks + 1}", self._row(None)
            self._trick = []

    def _conceded(self, event: Event) -> Lines:
        yield from self._unfinished_trick()
        yield "concedes", self.phrase(event["public"]["seat"], "concedes")

    def _abandoned(self, event: Event) -> Lines:
        yield from self._unfinished_trick()
        yield "abandons", self.phrase(event["public"]["seat"], "abandons", by_suit(event["public"]["cards"]))

    def _stopped(self, event: Event) -> Lines:
        yield "stops", self.phrase(event["public"]["seat"], "is content, and stops")

    def _undertaken(self, event: Event) -> Lines:
        yield "all", self.phrase(event["public"]["seat"], "leads on, and undertakes to win all tricks")

    def _surrender_offered(self, event: Event) -> Lines:
        yield "surrender", self.phrase(event["public"]["seat"], "offers to surrender")

    def _surrender_answered(self, event: Event) -> Lines:
        answer = "accepts" if event["public"]["accepted"] else "forbids it, and plays on as new Ombre"
        yield "surrender", self.phrase(event["public"]["seat"], answer)

    def _bonus(self, bonus: str | None) -> Text:
        return Text.assemble(" and bids ", (self.term("bonus", bonus), "bold")) if bonus else Text()

    def _place(self, name: str) -> int:
        """A card's place in a sorted hand: the order of the game's pack."""
        return self._order.get(name, EYE[name[:-1]])

    def _talked(self, event: Event) -> Lines:
        said = section(event, "public")
        words = f"“{plain(said['text'])}”" if said else "(erased)"
        yield "talk", self.phrase(event["public"]["seat"], "says", Text(words, "italic"))


def terms(game: Game) -> dict[tuple[str, Any], str]:
    """The names of contracts, bonuses and the like in the game's tables, by a table's first column and its value."""
    rows = [row for table in game.rulebook.tables.values() for row in table if hasattr(row, "name")]
    return {(row.__struct_fields__[0], getattr(row, row.__struct_fields__[0])): row.name for row in rows}


def section(event: Event, audience: str) -> Mapping[str, Any] | None:
    """The event's section for the audience; None where it has none or hides it."""
    opened = event["sealed"].get(audience)
    return opened["data"] if opened else None


def _option_text(value: object) -> str:
    """An option's value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return SUIT_NAMES.get(str(value)) or words(str(value))


def _other(event: Event) -> Lines:
    fields = ", ".join(f"{name}: {value}" for name, value in event["public"].items())
    yield words(event["type"]), Text(plain(fields))


SENTENCES: Mapping[str, Callable[[Narrator, Event], Lines]] = {
    "table-opened": Narrator._opened,
    "seat-taken": Narrator._seated,
    "seat-left": Narrator._left,
    "game-started": Narrator._started,
    "cards-dealt": Narrator._dealt,
    "deal-scored": Narrator._scored,
    "game-finished": Narrator._finished,
    "table-closed": Narrator._closed,
    "bid-made": Narrator._bid,
    "bid-passed": Narrator._passed,
    "bid-asked": Narrator._asked,
    "bid-held": Narrator._held,
    "deal-washed-out": Narrator._all_passed,
    "deal-passed-out": Narrator._all_passed,
    "queen-shown": Narrator._queen,
    "casco-forced": Narrator._forced,
    "contract-declared": Narrator._declared,
    "talon-turned": Narrator._turned,
    "casco-taken": Narrator._casco_taken,
    "casco-laid": Narrator._casco_laid,
    "priority-offered": Narrator._priority_offered,
    "priority-answered": Narrator._priority_answered,
    "exchange-yielded": Narrator._yielded,
    "cards-exchanged": Narrator._exchanged,
    "hand-exposed": Narrator._exposed,
    "card-played": Narrator._played,
    "trick-won": Narrator._won,
    "partner-shown": Narrator._partner,
    "play-stopped": Narrator._stopped,
    "all-tricks-undertaken": Narrator._undertaken,
    "surrender-offered": Narrator._surrender_offered,
    "surrender-answered": Narrator._surrender_answered,
    "deal-abandoned": Narrator._abandoned,
    "deal-conceded": Narrator._conceded,
    "table-talk": Narrator._talked,
    "dispute-opened": Narrator._disputed,
    "dispute-ruled": Narrator._ruled,
    "ledger-corrected": Narrator._corrected,
    "text-erased": Narrator._erased,
}
