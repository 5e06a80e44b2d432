"""Telling a game event by event, for people to read on a terminal.

Events come as the interface serves them. What a sealed section hides is told only where the event opens it, so the
same words serve a spectator, a player and a replay of everything. An event type of which nothing is known here is
told by its name and fields: no event is passed over.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from rich.text import Text

from service.terminal import amount, by_suit, card, cards, plain, seat_style, suit, title, words

Event: TypeAlias = Mapping[str, Any]
"""An event as served, decoded."""

Lines: TypeAlias = Iterator[tuple[str, Text]]
"""Lines, each under the heading it belongs to."""

HEADING_WIDTH = 10


class Narrator:
    """Tells one table's game. It remembers what a line needs of the events before."""

    def __init__(self, name_of: Callable[[str], str]) -> None:
        """`name_of` gives a player's name for an id."""
        self._name_of = name_of
        self._players: dict[int, str] = {}
        self._deals = 0
        self._heading = ""
        self._trick: list[tuple[int, str]] = []

    def tell(self, event: Event) -> list[Text]:
        """The lines that tell of this event, which follows on those told before."""
        told = [self._line(heading, text) for heading, text in _TELLERS.get(event["type"], _other)(self, event)]
        if event["type"] == "cards-dealt":
            headline = Text.assemble(
                (f"Deal {event['public']['deal']} of {self._deals}", "bold underline"), "  dealt by "
            )
            told[:0] = [Text(), headline.append_text(self.seat(event["public"]["dealer"]))]
        return told

    def _line(self, heading: str, text: Text) -> Text:
        shown = "" if heading == self._heading else heading
        self._heading = heading
        return Text.assemble("  ", (shown.ljust(HEADING_WIDTH), "dim"), text)

    def seat(self, seat: int) -> Text:
        """The name of a seat's player, in the seat's colour."""
        player = self._players.get(seat)
        return Text(plain(self._name_of(player)) if player else f"seat {seat}", seat_style(seat))

    def padded(self, seat: int) -> Text:
        """A seat's name, as wide as the longest of them."""
        text = self.seat(seat)
        text.pad_right(max((self.seat(other).cell_len for other in self._players), default=0) - text.cell_len)
        return text

    def phrase(self, seat: int, *words: str | Text) -> Text:
        """What a seat does, in words."""
        return Text(" ").join([self.seat(seat), *(Text(word) if isinstance(word, str) else word for word in words)])

    def amounts(self, totals: Sequence[int]) -> Text:
        """An amount for each seat."""
        return Text("   ").join(
            Text.assemble(self.seat(seat), " ", amount(points)) for seat, points in enumerate(totals)
        )

    def _opened(self, event: Event) -> Lines:
        public = event["public"]
        self._deals = public["deals"]
        rules = f"rules version {public['rules_version']}"
        yield "table", Text(f"{title(public['game'])}, {public['deals']} deals, {rules}, {event['table']}")
        options = ", ".join(f"{words(name)}: {value}" for name, value in public["options"].items())
        if options:
            yield "options", Text(options.replace("_", " "))

    def _seated(self, event: Event) -> Lines:
        self._players[event["public"]["seat"]] = event["public"]["player"]
        yield "seats", self.phrase(event["public"]["seat"], f"sits down on seat {event['public']['seat']}")

    def _left(self, event: Event) -> Lines:
        yield "seats", self.phrase(event["public"]["seat"], "leaves")
        del self._players[event["public"]["seat"]]

    def _started(self, event: Event) -> Lines:
        yield "seats", self.phrase(event["public"]["first_dealer"], "deals first")

    def _dealt(self, event: Event) -> Lines:
        self._trick = []
        for seat in self._players:
            hand = section(event, f"seat:{seat}")
            if hand:
                held = sorted((opening["card"] for opening in hand["cards"]), key=_rank)
                yield "hands", Text.assemble(self.padded(seat), "   ", by_suit(held))
        house = section(event, "house")
        if house:
            yield "talon", cards(opening["card"] for opening in house["talon"])
        for line in event["public"]["lines"]:
            yield from self._booked(line)

    def _scored(self, event: Event) -> Lines:
        public = event["public"]
        yield "outcome", Text(words(public["outcome"]), "bold")
        for line in public["lines"]:
            yield from self._booked(line)
        yield "totals", self.amounts(public["totals"])

    def _booked(self, line: Mapping[str, Any]) -> Lines:
        # The table's own accounts bear the counter-lines, which say the same once more.
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
        yield "auction", self.phrase(event["public"]["seat"], "bids", title(event["public"]["contract"]))

    def _passed(self, event: Event) -> Lines:
        yield "auction", self.phrase(event["public"]["seat"], Text("passes", "dim"))

    def _forced(self, event: Event) -> Lines:
        yield "auction", self.phrase(event["public"]["seat"], "must play Casco, since all have passed")

    def _declared(self, event: Event) -> Lines:
        public = event["public"]
        text = self.phrase(public["seat"], "declares", Text(title(public["contract"]), "bold"))
        if public["trump"]:
            text.append_text(Text.assemble(", ", suit(public["trump"]), " trumps"))
        yield "contract", text.append_text(_bonus(public["bonus"]))

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
        yield "casco", text.append_text(_bonus(public["bonus"]))

    def _priority_offered(self, event: Event) -> Lines:
        public = event["public"]
        yield "exchange", self.phrase(public["seat"], "offers", self.seat(public["to"]), "to exchange first")

    def _priority_answered(self, event: Event) -> Lines:
        answer = "accepts to exchange first" if event["public"]["accepted"] else "refuses to exchange first"
        yield "exchange", self.phrase(event["public"]["seat"], answer)

    def _exchanged(self, event: Event) -> Lines:
        public = event["public"]
        own = section(event, f"seat:{public['seat']}")
        if not public["count"]:
            yield "exchange", self.phrase(public["seat"], Text("keeps all cards", "dim"))
            return
        text = self.phrase(public["seat"], "discards", cards(own["discarded"]) if own else str(public["count"]))
        if public["taken"]:
            text.append(", takes ").append_text(cards(public["taken"]))
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
        self._trick = []

    def _row(self, winner: int | None) -> Text:
        """The trick in the order played, the winning card underlined."""
        row = Text()
        for seat, name in self._trick:
            shown = card(name)
            if seat == winner:
                shown.stylize("underline")
            gap = " " * (6 - shown.cell_len)
            row.append_text(Text.assemble(self.padded(seat), " ", shown, gap))
        return row

    def _conceded(self, event: Event) -> Lines:
        if self._trick:
            yield "trick 1", self._row(None)
        yield "concedes", self.phrase(event["public"]["seat"], "concedes")

    def _talked(self, event: Event) -> Lines:
        said = section(event, "public")
        words = f"“{plain(said['text'])}”" if said else "(erased)"
        yield "talk", self.phrase(event["public"]["seat"], "says", Text(words, "italic"))


def section(event: Event, audience: str) -> Mapping[str, Any] | None:
    """What the event tells this audience alone, if that is open here."""
    opened = event["sealed"].get(audience)
    return opened["data"] if opened else None


def _bonus(bonus: str | None) -> Text:
    return Text.assemble(" and bids ", (title(bonus), "bold")) if bonus else Text()


def _rank(name: str) -> int:
    """For sorting a hand for the eye: kings first, aces last, as in the games where they are low."""
    return "KQJT98765432A".index(name[:-1])


def _other(_narrator: Narrator, event: Event) -> Lines:
    fields = ", ".join(f"{name}: {value}" for name, value in event["public"].items())
    yield words(event["type"]), Text(plain(fields))


_TELLERS: Mapping[str, Callable[[Narrator, Event], Lines]] = {
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
    "casco-forced": Narrator._forced,
    "contract-declared": Narrator._declared,
    "talon-turned": Narrator._turned,
    "casco-taken": Narrator._casco_taken,
    "casco-laid": Narrator._casco_laid,
    "priority-offered": Narrator._priority_offered,
    "priority-answered": Narrator._priority_answered,
    "cards-exchanged": Narrator._exchanged,
    "hand-exposed": Narrator._exposed,
    "card-played": Narrator._played,
    "trick-won": Narrator._won,
    "deal-conceded": Narrator._conceded,
    "table-talk": Narrator._talked,
    "dispute-opened": Narrator._disputed,
    "dispute-ruled": Narrator._ruled,
    "ledger-corrected": Narrator._corrected,
    "text-erased": Narrator._erased,
}
