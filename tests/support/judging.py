"""Recorded games as people would tell them who played with cards: piles, stocks and acts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from domain.kernel.course import Standing
from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.record.recorded import Recorded
from domain.seats import CLOCK, HOUSE, seat_in
from domain.table.automatic import next_standing
from domain.table.events import CardsDealt, DealScored, TablePayload
from domain.table.judging import PlayedDeal, places_of
from domain.table.state import Table
from service.http.examples import cards_opened
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
        assert table is not None
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
