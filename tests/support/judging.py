"""Recorded games as people would tell them who played with cards: piles, stocks and acts; and deals that tests make up.

A test writes an act as a seat, a type and values, as `0 capture 8s 6h+2h -`: a list with `+`, nothing as `-`. Of a card
that has a copy or an owner, the name alone means the first that is free, or that of the seat.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, get_origin

import msgspec

from domain.cards import Card, Face, Pack
from domain.kernel.action import tag_of
from domain.kernel.course import Standing
from domain.kernel.dealing import HAND
from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.record.recorded import Recorded
from domain.seats import CLOCK, HOUSE, Seat, seat_in
from domain.table.automatic import next_standing
from domain.table.events import CardsDealt, DealScored, TablePayload
from domain.table.judging import PlayedDeal, places_of
from domain.table.state import Table
from service.http.examples import cards_opened
from service.http.scores import UnderRules
from tests.golden.games import READER, names, records


class PlayedGame(msgspec.Struct):
    """The deals of a recorded game that were scored, from the first on; what happened in them, and what was booked."""

    game: Game
    standing: Standing
    deals: list[PlayedDeal]
    happened: list[Event[Any]]

    @property
    def scored(self) -> list[DealScored]:
        """The scores."""
        return [event.public for event in self.happened if isinstance(event.public, DealScored)]


def played_game(record: Sequence[Recorded]) -> PlayedGame | None:
    """The deals of a recorded game; None if none was scored."""
    deals: list[PlayedDeal] = []
    first, happened, complete = None, list[Event[Any]](), 0
    table: Table | None = None
    for one in record:
        event, before = READER.read(one), table
        table = READER.fold(table, [one], HOUSE)
        game = READER.of(table)
        if isinstance(event.public, CardsDealt):
            assert before is not None
            standing = next_standing(game, before)
            first = first or standing
            opened = cards_opened(event)
            piles = {
                pile: tuple([opened[place] for place in places])
                for pile, places in places_of(game.dealing.portions(standing)).items()
            }
            deals.append(PlayedDeal(piles, [], []))
        if event.deal is None:
            continue
        if not isinstance(event.public, TablePayload) or isinstance(event.public, CardsDealt | DealScored):
            happened.append(event)
        if isinstance(event.public, DealScored):
            complete = len(happened)
        elif not isinstance(event.public, TablePayload):
            _note(game, event, deals[-1])
    scored = sum(isinstance(event.public, DealScored) for event in happened[:complete])
    return None if first is None or not scored else PlayedGame(game, first, deals[:scored], happened[:complete])


def _note(game: Game, event: Event[Any], deal: PlayedDeal) -> None:
    """Adds an event of the game to the deal: an act, the running out of a limit, or a stock."""
    acts, stocks = deal.acts, deal.stocks
    assert isinstance(acts, list)
    assert isinstance(stocks, list)
    action = game.decider.action_of(event)
    if action is not None:
        seat = seat_in(event.actor)
        acts.append((event.public.seat if seat is None else seat, action))
    elif event.actor == CLOCK:
        acts.append(event.public.TYPE)
    elif event.sealed and HOUSE in event.sealed:
        stocks.append(tuple([card for _, card in sorted(cards_opened(event).items())]))


def sent(game: PlayedGame) -> dict[str, Any]:
    """A body for `POST …/judge`."""
    standing = game.standing
    return {
        "rules_version": game.game.rulebook.version,
        "options": msgspec.to_builtins(standing.options),
        "standing": {"deal": standing.deal, "deals": standing.deals, "dealer": standing.dealer},
        "deals": [sent_deal(deal) for deal in game.deals],
    }


def sent_deal(deal: PlayedDeal) -> Mapping[str, Any]:
    """A deal of such a body."""
    return {
        "piles": [{"pile": pile, "seat": seat, "cards": cards} for (pile, seat), cards in deal.piles.items()],
        "stocks": deal.stocks,
        "acts": list(_acts(deal)),
    }


def _acts(deal: PlayedDeal) -> Iterator[Mapping[str, Any]]:
    for act in deal.acts:
        if isinstance(act, str):
            yield {"seat": None, "type": act}
        else:
            seat, action = act
            yield {"seat": seat, **msgspec.to_builtins(action)}


def body_of(of: str) -> Any:
    """A body with the deals of a game's first recorded game, decoded."""
    game = played_game(records(of, names(of)[0]))
    assert game is not None
    return msgspec.json.decode(msgspec.json.encode(sent(game)))


def made_up(game: Game, piles: Mapping[str, str], acts: Iterable[str], **under: Any) -> dict[str, Any]:
    """A body with one deal: these acts, and the first cards of piles: a hand is named by its seat, another pile of a
    seat as `reserve of 0`.

    What the piles leave open is filled from the rest of the pack in its order. The last seat deals if none is named.
    """
    seats = game.course.seats(msgspec.convert(under.get("options", {}), game.options))
    under["standing"] = {"dealer": seats - 1, **under.get("standing", {})}
    standing = msgspec.convert(under, UnderRules).standing_in(game)
    free = list(game.dealing.draw(standing, lambda _, pack: list(pack)).cards)
    named = {}
    for name, cards in piles.items():
        *pile, seat = name.split(" of ")
        own = int(seat) if pile or seat.isdigit() else None
        named[name if own is None else "".join(pile) or HAND, own] = _taken(game.pack, free, cards.split(), own)
    given = []
    for (pile_name, to), places in places_of(game.dealing.portions(standing)).items():
        first = named.pop((pile_name, to), [])
        rest = [card for card in free if game.pack.faces[card].owner in (None, to)][: len(places) - len(first)]
        given.append({"pile": pile_name, "seat": to, "cards": first + _taken(game.pack, free, rest, to)})
    assert not named, "the deal has every pile that is named"
    return {**under, "deals": [{"piles": given, "acts": [wire(game, act) for act in acts]}]}


def wire(game: Game, act: str) -> dict[str, Any]:
    """An act as a body has it."""
    seat, kind, *values = act.split()
    (action,) = [each for each in game.action_types if tag_of(each) == kind]
    sent: dict[str, Any] = {"seat": int(seat), "type": kind}
    for field, value in zip(msgspec.structs.fields(action), values, strict=False):
        items = [] if value == "-" else [_value(game.pack, one, int(seat)) for one in value.split("+")]
        sent[field.encode_name] = items if get_origin(field.type) is tuple else next(iter(items), None)
    return sent


def _value(pack: Pack, text: str, seat: Seat) -> str | int:
    return int(text) if text.isdigit() else next(_meant(pack, text, pack, seat), text)


def _taken(pack: Pack, free: list[Card], names: Iterable[str], seat: Seat | None) -> list[Card]:
    """The cards of these names, which are free no more."""
    taken = []
    for name in names:
        taken.append(next(_meant(pack, name, free, seat)))
        free.remove(taken[-1])
    return taken


def _meant(pack: Pack, name: str, cards: Iterable[Card], seat: Seat | None) -> Iterator[Card]:
    """The cards that a name may mean where a seat is spoken of."""
    for card in cards:
        face = pack.faces[card]
        if name == card or (name == Face(face.rank, face.suit).name and face.owner in (None, seat)):
            yield card
