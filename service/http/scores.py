"""Deals scored by their facts or judged by their cards and acts, wherever they were played. Nothing is recorded."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Annotated, Any, Literal, NoReturn

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.cards import NAMES, Card
from domain.kernel.action import Action
from domain.kernel.course import Standing
from domain.kernel.game import Game
from domain.kernel.ledger import BANK, POOL, Party, Transfer
from domain.kernel.rejection import Rejected
from domain.record.catalogue import UnknownRules
from domain.record.history import Reader
from domain.seats import Seat
from domain.table.judging import PlayedDeal
from domain.table.state import LAST_DEAL
from service.describe.fact_schemas import cards_in_facts
from service.describe.shared_fields import Json
from service.http import body as bodies
from service.http.body import ActDecoder
from service.http.faults import one_of
from service.http.problems import Fault, Problem, invalid_field
from service.http.schemas import RequestBody
from service.queries.deal_facts import StandingBefore
from service.queries.deal_lines import DealLine, lines_of, rules_behind

_CARDS = frozenset(NAMES)
BEGINNING = StandingBefore()


class UnderRules(RequestBody, frozen=True, kw_only=True):
    """The rules and options that deals were played under, and the standing before them."""

    rules_version: Annotated[
        Annotated[int, Meta(ge=1, le=1000)] | None,
        Meta(description="The version of the rules; null for the newest."),
    ] = None
    options: Annotated[
        Json | None, Meta(description="The options that differ from the game's defaults; null if none do.")
    ] = None
    standing: Annotated[StandingBefore, Meta(description="The standing before the deal and its antes.")] = BEGINNING

    def rules_of(self, game: str, reader: Reader) -> Game:
        """The game under the rules that are asked for. Raises Problem."""
        try:
            return reader.game(game, self.rules_version)
        except UnknownRules:
            raise invalid_field("/rules_version", f"must be a version of the rules of {game}") from None

    def standing_in(self, game: Game) -> Standing:
        """The standing under these rules of the game. Raises Problem."""
        return _standing(game, bodies.convert(self.options or {}, game.options, under="/options"), self.standing)


class ScoreRequest(UnderRules, frozen=True):
    """A deal to score: its facts, the rules and options that it was played under, and the standing before it."""

    facts: Annotated[Json, Meta(description="The facts of the deal, as `schemas.facts` of the game describes them.")]


class ScoredDeal(Struct, frozen=True):
    """What a deal is worth by its facts. It is scored, not recorded."""

    scored: Annotated[Literal["not recorded"], Meta(description="`not recorded`: nothing is stored or signed.")]
    game: str
    rules_version: Annotated[int, Meta(description="The version of the rules.")]
    outcome: Annotated[str, Meta(description="The outcome's name.")]
    fields: Annotated[Json, Meta(description="The fields that the game adds to `deal-scored`.")]
    antes: Annotated[tuple[DealLine, ...], Meta(description="The lines that are booked when the cards are dealt.")]
    lines: Annotated[tuple[DealLine, ...], Meta(description="The lines of the deal, in their order.")]
    shares: Annotated[tuple[DealLine, ...], Meta(description="The lines that the end of the game books.")]
    rules: Annotated[dict[str, str], Meta(description="The texts of the rules behind the lines, by number.")]
    totals: Annotated[tuple[int, ...], Meta(description="The total of each seat after these lines.")]
    bank: Annotated[int, Meta(description="The balance of the bank after these lines.")]
    pool: Annotated[int, Meta(description="The chips in the pool after these lines.")]
    over: Annotated[str | None, Meta(description="Why the game is over; null while it goes on.")]
    winners: Annotated[
        tuple[Seat, ...] | None, Meta(description="The seats that have won; null while the game goes on.")
    ]
    next_dealer: Annotated[
        Seat | None, Meta(description="The dealer of the next deal; null if none follows, or nobody deals.")
    ]


def scored(game: Game, asked: ScoreRequest) -> ScoredDeal:
    """What the deal is worth under these rules of the game. Raises Problem."""
    before, scoring = asked.standing_in(game), game.scoring
    facts = _facts(game, asked.facts)
    antes = game.dealing.antes(before, 1)
    dealt = _after(before, antes)
    terms = scoring.terms(dealt)
    flaw = next(scoring.flaws(terms, facts), None)
    if flaw is not None:
        _refuse("contradictory-facts", flaw.rule, flaw.text, flaw.facts)
    score = scoring.worth(terms, facts)
    if score is None:
        tricks = [name for name in facts.__struct_fields__ if name == "tricks"]
        _refuse("more-to-play", game.basis["stopping-point"], "by these facts the deal is not over yet", tricks)
    after = replace(_after(dealt, score.transfers), result=score.extra)
    over = game.course.over(after) or (LAST_DEAL if after.deal == after.deals else None)
    shares = game.dealing.shares(after, 1) if over is not None else ()
    end = _after(after, shares)
    booked = [lines_of(game, len(end.totals), each) for each in (antes, score.transfers, shares)]
    return ScoredDeal(
        scored="not recorded",
        game=game.name,
        rules_version=game.rulebook.version,
        outcome=score.outcome,
        fields=msgspec.to_builtins(score.extra),
        antes=booked[0],
        lines=booked[1],
        shares=booked[2],
        rules=rules_behind(game, chain(*booked)),
        totals=end.totals,
        bank=end.accounts.get(BANK, 0),
        pool=end.accounts.get(POOL, 0),
        over=over,
        winners=None if over is None else game.course.winners(end),
        next_dealer=game.course.next_dealer(after) if over is None else None,
    )


def _facts(game: Game, sent: Json) -> Any:
    """The facts as the game's type. Raises Problem."""
    facts = bodies.convert(sent, game.scoring.facts_type, under="/facts", pack=game.pack)
    for place, card in _cards(msgspec.to_builtins(facts), "/facts"):
        if card not in cards_in_facts(game.pack):
            raise invalid_field(place, f"must be {one_of(game.pack.cards)}")
    return facts


def _cards(value: object, place: str) -> Iterator[tuple[str, str]]:
    """The cards of any game in a value, with their places as JSON pointers."""
    if isinstance(value, str):
        if value in _CARDS:
            yield place, value
    elif isinstance(value, dict | list | tuple):
        for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _cards(inner, f"{place}/{name}")


def _standing(game: Game, options: Any, sent: StandingBefore) -> Standing:
    """The standing before the deal's antes. Raises Problem."""
    seats, agreed = game.course.seats(options), game.course.deals(options)
    deals = agreed.default if sent.deals is None else sent.deals
    try:
        agreed.require(deals)
    except Rejected as error:
        raise Problem(error.code, error.detail, rule=error.rule) from None
    if sent.deal > deals:
        raise invalid_field("/standing/deal", f"must be at most {deals}")
    dealer = sent.dealer or 0
    if dealer >= seats:
        raise invalid_field("/standing/dealer", f"must be at most {seats - 1}")
    if sent.totals and len(sent.totals) != seats:
        raise invalid_field("/standing/totals", f"must have {seats} items, one for each seat, or none")
    totals = sent.totals or (0,) * seats
    accounts: dict[Party, int] = {**dict(enumerate(totals)), BANK: sent.bank, POOL: sent.pool}
    standing = Standing(options, deals, sent.deal, dealer, totals, accounts)
    return replace(standing, dealer=None) if game.course.next_dealer(standing) is None else standing


def _after(standing: Standing, transfers: Iterable[Transfer]) -> Standing:
    """The standing after these transfers."""
    accounts = dict(standing.accounts)
    for each in transfers:
        accounts[each.account] = accounts.get(each.account, 0) + each.amount
        accounts[each.counter] = accounts.get(each.counter, 0) - each.amount
    totals = tuple([accounts[seat] for seat in range(len(standing.totals))])
    return replace(standing, totals=totals, accounts=accounts)


def _refuse(code: str, rule: str, text: str, facts: Iterable[str]) -> NoReturn:
    errors = tuple([Fault(text, pointer=f"/facts/{name}") for name in facts])
    raise Problem(code, text, rule=rule, errors=errors or None)


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
