"""A deal as it is read on a page: hands, what happened in order, the ledger with its rules, the hash and its code."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import chain, groupby
from typing import Any

import msgspec
from markupsafe import Markup
from msgspec import Struct

from domain.cards import Pack
from domain.kernel.game import Game
from domain.kernel.line_words import line_parts
from domain.seats import Seat
from domain.table.events import CardsDealt, DealScored
from domain.table.rules import RULES
from service.describe.event_codes import code_of
from service.describe.narration import (
    Event,
    NarratedLine,
    NarratedRow,
    Narration,
    Saying,
    Telling,
    Totals,
    Unworded,
    target_of,
)
from service.describe.texts import Texts
from service.pages.rendering import PageWriter, address, amount, named, page


class Step(Struct, frozen=True):
    """Events under one heading."""

    heading: str
    says: tuple[Markup, ...]


class LineRow(Struct, frozen=True):
    """A line of the ledger."""

    player: Markup
    amount: Markup
    text: Markup
    rule: str
    events: tuple[int, ...]
    version: int
    line: int
    """The line's number among those of its event."""
    later: bool
    """Whether it was booked after the deal was scored."""


class DealShown(Struct, frozen=True):
    """A deal as it is shown."""

    deal: int
    dealer: Markup | None
    hands: tuple[Markup, ...]
    steps: tuple[Step, ...]
    ledger: tuple[LineRow, ...]
    totals: tuple[tuple[Markup, Markup], ...]
    """The totals after the deal by seat, each with the player."""
    pool: int | None
    over: bool
    version: int
    """The last event shown; if the deal is over, the one that ends it."""
    hash: str
    began_at: str
    ended_at: str

    @property
    def code(self) -> str:
        """The code by which `codille verify` finds this event in a record."""
        return code_of(self.version, self.hash)


def deal_page(
    events: Sequence[Event],
    deal: int,
    game: Game,
    players: Sequence[str | None],
    names: Mapping[str, str],
    lines: Sequence[Mapping[str, Any]],
    texts: Texts,
    *,
    styles: str | None = None,
) -> bytes:
    """The page of a deal, from a table's first event and the deal's own, under the rules that they were played by.

    `names` are the players' by id. With `styles` the page has them in itself, and no link within the service, so that
    it is read and printed from a file. Raises KeyError if the deal is not among the events.
    """

    def name_of(seat: Seat, player: str | None) -> str:
        return names.get(player or "") or str(texts.say("seat", seat=seat + 1))

    made = shown(events, deal, {game.name: game}, name_of, texts, players=players, lines=lines)
    opened = events[0]["public"]
    rules = {rule.id: rule.text for rule in (*game.rulebook.rules, *RULES)}
    return page(
        "deal.html",
        texts,
        shown=made,
        game=game,
        table=events[0]["table"],
        deals=opened["deals"],
        target=target_of(game, opened),
        options={name.replace("_", " "): _option(value) for name, value in opened["options"].items()},
        names=[named(name_of(seat, player), texts) for seat, player in enumerate(players)],
        rules={line.rule: rules.get(line.rule) for line in made.ledger},
        rules_address=address,
        minute=minute,
        styles=None if styles is None else Markup(styles),  # noqa: S704 (the service's own style sheets)
    )


def minute(at: str) -> str:
    """A recorded time, to the minute."""
    return f"{datetime.fromisoformat(at):%Y-%m-%d %H:%M}"


def _option(value: object) -> str:
    """An option's value as a client sends it."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def shown(
    events: Iterable[Event],
    deal: int,
    games: Mapping[str, Game],
    name_of: Callable[[Seat, str | None], str],
    texts: Texts,
    *,
    players: Sequence[str | None] = (),
    lines: Sequence[Mapping[str, Any]] | None = None,
) -> DealShown:
    """The deal as these served events show it: at least the table's first and the deal's own.

    `players` are the ids by seat, unless the events have those that seat them. `lines` are the ledger's lines of the
    deal, later corrections too; without them, those that the deal's end books. `name_of` names the player on a seat by
    the seat and the player's id. Raises KeyError if the deal is not among the events.
    """
    narration = Narration(games)
    narration.players |= {seat: player for seat, player in enumerate(players) if player is not None}
    writer = PageWriter(narration, lambda seat: name_of(seat, narration.players.get(seat)), texts)
    own: list[tuple[Event, list[Telling]]] = []
    for event in events:
        told = narration.tell(event)
        if event["deal"] == deal:
            own.append((event, told))
            if event["type"] == DealScored.TYPE:
                break
    if not own:
        raise KeyError(deal)
    last = own[-1][0]
    over = last["type"] == DealScored.TYPE
    tellings = [telling for _, told in own for telling in told]
    totals = next((telling for telling in reversed(tellings) if isinstance(telling, Totals)), None)
    if lines is None and over:
        lines = [line | {"version": last["version"], "line": n} for n, line in enumerate(last["public"]["lines"])]
    dealer = own[0][0]["public"].get("dealer")
    return DealShown(
        deal,
        None if dealer is None else writer.seat(dealer),
        tuple(hands(own, writer)),
        tuple(grouped(steps(own, writer))),
        tuple(
            _row_of(line, narration, writer, later=over and line["version"] > last["version"])
            for line in lines or ()
            if line["seat"] is not None
        ),
        tuple((writer.seat(seat), amount(points)) for seat, points in enumerate(totals.totals if totals else ())),
        totals.pool if totals else None,
        over,
        last["version"],
        last["hash"],
        own[0][0]["at"],
        last["at"],
    )


def _row_of(line: Mapping[str, Any], narration: Narration, writer: PageWriter, *, later: bool) -> LineRow:
    pack = narration.game.pack if narration.game else Pack({})
    return LineRow(
        writer.seat(line["seat"]),
        amount(line["amount"]),
        writer.text(line_parts(narration.words.lines, line, pack)),
        line["rule"],
        tuple(line["events"]),
        line["version"],
        line["line"],
        later,
    )


def hands(own: Sequence[tuple[Event, list[Telling]]], writer: PageWriter) -> Iterable[Markup]:
    """The hands that are open, as the cards were dealt."""
    for event, told in own:
        if event["type"] == CardsDealt.TYPE:
            for telling in told:
                if isinstance(telling, Saying):
                    yield from (writer.text(section.parts) for section in telling.sections)


def steps(own: Sequence[tuple[Event, list[Telling]]], writer: PageWriter) -> Iterable[Step]:
    """What happened, but for the hands, the ledger and the totals, which are shown apart."""
    for event, told in own:
        for telling in told:
            match telling:
                case Saying(heading, parts, sections):
                    told_apart = () if event["type"] == CardsDealt.TYPE else sections
                    texts = [writer.text(parts), *(writer.text(section.parts) for section in told_apart)]
                    yield Step(heading, (Markup(" ").join(texts),))
                case NarratedRow(name, number):
                    yield Step(f"{name} {number}", (_row(telling, writer),))
                case Unworded(type, public):
                    fields = ", ".join(f"{field}: {value}" for field, value in public.items())
                    yield Step(type.replace("-", " "), (Markup("{}").format(fields),))
                case NarratedLine() | Totals():
                    pass


def _row(row: NarratedRow, writer: PageWriter) -> Markup:
    """The cells of a row; those of the seat that ends it are marked."""
    last = len(row.cells) - 1
    cells = [
        Markup('<span class="cell{}">{}</span>').format(
            " won" if place < last and seat is not None and seat == row.last else "", writer.text(parts)
        )
        for place, (seat, parts) in enumerate(row.cells)
    ]
    return Markup(" ").join(cells)


def grouped(steps: Iterable[Step]) -> Iterable[Step]:
    """The steps, those with one heading that follow each other as one."""
    for heading, group in groupby(steps, lambda step: step.heading):
        yield Step(heading, tuple(chain.from_iterable(step.says for step in group)))
