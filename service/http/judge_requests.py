"""Requests to judge deals by their cards and acts."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from domain.cards import Card
from domain.kernel.action import Action
from domain.kernel.game import Game
from domain.seats import Seat
from domain.table.judging import PlayedDeal
from service.describe.shared_fields import Json
from service.http.body import ActDecoder
from service.http.faults import one_of
from service.http.problems import invalid_field
from service.http.schemas import RequestBody
from service.http.scores import UnderRules


class GivenPile(RequestBody, frozen=True):
    """A pile of a deal, such as a hand."""

    pile: Annotated[str, Meta(max_length=40, description="The pile's name, as `hand` or `talon`.")]
    cards: Annotated[tuple[Card, ...], Meta(max_length=300, description="Its cards, from the top.")]
    seat: Annotated[Seat | None, Meta(description="The seat whose pile it is; null for one on the table.")] = None


class GivenDeal(RequestBody, frozen=True):
    """A deal that was played: its cards, and its acts in order."""

    piles: Annotated[tuple[GivenPile, ...], Meta(max_length=100, description="Every pile that is dealt.")]
    acts: Annotated[
        tuple[Json, ...],
        Meta(
            description="Each act as `POST …/actions` takes it, with its `seat`. With the seat null, `type` is that "
            "of the event by which a time limit of the rules runs out."
        ),
    ] = ()
    stocks: Annotated[
        tuple[tuple[Card, ...], ...],
        Meta(max_length=100, description="Each stock that was shuffled during the deal, from the top."),
    ] = ()


class JudgeRequest(UnderRules, frozen=True):
    """Deals to judge in a row."""

    deals: Annotated[tuple[GivenDeal, ...], Meta(min_length=1, max_length=200, description="The deals, in order.")]


def given_deals(game: Game, decoder: ActDecoder, asked: JudgeRequest, seats: int) -> list[PlayedDeal]:
    """The deals as the rules take them, at a table of so many seats. Raises Problem."""
    return [_deal(game, decoder, deal, f"/deals/{place}", seats) for place, deal in enumerate(asked.deals)]


def _deal(game: Game, decoder: ActDecoder, deal: GivenDeal, pointer: str, seats: int) -> PlayedDeal:
    for place, cards in _lists(deal):
        for number, card in enumerate(cards):
            if card not in game.pack:
                raise invalid_field(f"{pointer}{place}/{number}", f"must be {one_of(game.pack.cards)}")
    piles: dict[tuple[str, Seat | None], tuple[Card, ...]] = {}
    for number, pile in enumerate(deal.piles):
        if (pile.pile, pile.seat) in piles:
            raise invalid_field(f"{pointer}/piles/{number}", "is given twice")
        piles[pile.pile, pile.seat] = pile.cards
    acts = [_act(decoder, act, f"{pointer}/acts/{number}", seats) for number, act in enumerate(deal.acts)]
    return PlayedDeal(piles, deal.stocks, acts)


def _lists(deal: GivenDeal) -> Iterator[tuple[str, tuple[Card, ...]]]:
    """The lists of cards in a deal, with their places as JSON pointers."""
    yield from ((f"/piles/{number}/cards", pile.cards) for number, pile in enumerate(deal.piles))
    yield from ((f"/stocks/{number}", cards) for number, cards in enumerate(deal.stocks))


def _act(decoder: ActDecoder, sent: Json, pointer: str, seats: int) -> tuple[Seat, Action] | str:
    fields = dict(sent)
    seat = fields.pop("seat", -1)
    if seat is None and isinstance(fields.get("type"), str) and len(fields) == 1:
        return str(fields["type"])
    if type(seat) is not int or not 0 <= seat < seats:
        raise invalid_field(f"{pointer}/seat", f"must be a seat from 0 to {seats - 1}")
    return seat, decoder.convert(fields, pointer)
