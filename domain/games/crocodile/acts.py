"""The acts of a player in Crocodile, the rules that limit them, and the events that they cause."""

from typing import Annotated, ClassVar, TypeAlias

from msgspec import Meta

from domain.cards import SUITS, Card, Suit
from domain.games.crocodile.contracts import CONTRACTS, BonusName, ContractName, bonuses_of, declarable
from domain.games.crocodile.events import (
    BidMade,
    CardsExchanged,
    CascoCards,
    CascoLaid,
    CascoTaken,
    ContractDeclared,
    DealConceded,
    PriorityAnswered,
    PriorityOffered,
    TableTalk,
    Utterance,
)
from domain.games.crocodile.meta import HAND, MAX_TEXT, MAX_UTTERANCES, ORDER
from domain.games.crocodile.scoring import settled
from domain.games.crocodile.state import Asking, Exchanging, LayingCasco, Playing, TakingCasco
from domain.kernel.action import Action
from domain.kernel.acts import ActRules, Acts, Among, Bar, Count, Free, Refusal
from domain.kernel.event import Event
from domain.kernel.offers import Offer, SomeOf, Text
from domain.parts.auction import BidPassed, PassBid, outranking
from domain.parts.exchange import ExchangeCards, ExchangedCards, not_left
from domain.parts.holding import either, held, not_held
from domain.parts.objections import becomes, named_trumps, no_way_out
from domain.parts.piles import openings_of_pile
from domain.parts.tricks import PlayCard, playing
from domain.seats import Seat, seat_audience


class Bid(Action, frozen=True, tag="bid"):
    """Bid a contract higher than the last one."""

    RULE: ClassVar = "CR-4.2"
    ORDER: ClassVar = "CR-4.1"

    contract: ContractName


class Pass(PassBid, frozen=True):
    """Pass for the rest of the auction."""

    RULE: ClassVar = "CR-4.2"
    ORDER: ClassVar = "CR-4.1"


class Declare(Action, frozen=True, tag="declare"):
    """Declare the contract, trumps if it names them, and optionally a bonus bid."""

    RULE: ClassVar = "CR-6.1"

    contract: ContractName
    trump: Suit | None = None
    bonus: BonusName | None = None


class TakeCasco(Action, frozen=True, tag="take-casco"):
    """Keep one card, discard eight, take the talon."""

    RULE: ClassVar = "CR-7.6"

    keep: Card


class LayCasco(Action, frozen=True, tag="lay-casco"):
    """Lay five cards down face up and name trumps (null: sans), perhaps with a bonus bid."""

    RULE: ClassVar = "CR-7.6"

    lay: tuple[Card, ...]
    trump: Suit | None = None
    bonus: BonusName | None = None


class OfferPriority(Action, frozen=True, tag="offer-priority"):
    """Offer the other opponent the right to exchange first."""

    RULE: ClassVar = "CR-7.4"


class AnswerPriority(Action, frozen=True, tag="answer-priority"):
    """Accept the right to exchange first, or refuse it."""

    RULE: ClassVar = "CR-7.4"

    accept: bool


class Exchange(ExchangeCards, frozen=True):
    """Discard cards and draw as many; in Casco, take face-up cards by name for some of them."""

    RULE: ClassVar = "CR-7.1"
    ORDER: ClassVar = "CR-7.3"

    take: tuple[Card, ...] = ()


class Play(PlayCard, frozen=True):
    """Play a card to the trick."""

    RULE: ClassVar = "CR-8.2"
    ORDER: ClassVar = "CR-8.1"


class Concede(Action, frozen=True, tag="concede"):
    """Concede the deal as declarer, in turn or out of turn."""

    RULE: ClassVar = "CR-9.11"


class Talk(Action, frozen=True, tag="talk"):
    """Say something in Talking Ouvert, for all at the table to hear."""

    RULE: ClassVar = "CR-10.7"

    text: Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]


CrocodileAction: TypeAlias = (
    Bid | Pass | Declare | TakeCasco | LayCasco | OfferPriority | AnswerPriority | Exchange | Play | Concede | Talk
)


CASCO_CARDS_LAID = 5


def _sorted(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=ORDER.__getitem__))


def _bonuses(_state: object, _: Seat, action: Declare | LayCasco) -> tuple[BonusName | None, ...]:
    return (None, *bonuses_of(CONTRACTS[_contract(action)]))


def _wrong_bonus(_state: object, _: Seat, action: Declare | LayCasco) -> str:
    may = bonuses_of(CONTRACTS[_contract(action)])
    with_ = f"{either(may)}, or with no bonus" if may else "no bonus"
    return f"{_contract(action)} is declared with {with_}, not with {action.bonus}"


def _contract(action: Declare | LayCasco) -> ContractName:
    return "casco" if isinstance(action, LayCasco) else action.contract


def _taken(state: TakingCasco, seat: Seat, action: TakeCasco) -> Event[CascoTaken]:
    deck, hand = state.common.deck, state.hands[seat].known
    discarded = tuple([card for card in deck.cards if card in hand and card != action.keep])
    cards = CascoCards(action.keep, discarded, openings_of_pile(deck, state.talon))
    return Event(CascoTaken(seat), {seat_audience(seat): cards})


def _five(_state: LayingCasco, _seat: Seat, _: LayCasco) -> tuple[int, int]:
    return CASCO_CARDS_LAID, CASCO_CARDS_LAID


def _not_five(_state: LayingCasco, _: Seat, action: LayCasco) -> str:
    return f"{CASCO_CARDS_LAID} cards are laid, not {len(action.lay)}"


def _laid(_: LayingCasco, seat: Seat, action: LayCasco) -> Event[CascoLaid]:
    return Event(CascoLaid(seat, _sorted(action.lay), action.trump, action.bonus))


def _in_casco(state: Exchanging) -> bool:
    return state.commitment.contract.contract == "casco"


def _not_by_name(state: Exchanging, _: Seat, action: Exchange) -> str | None:
    by_name = action.take and not _in_casco(state)
    return "cards are drawn from the top: only in Casco are some taken by name" if by_name else None


def _not_discarded(state: Exchanging, seat: Seat, action: Exchange) -> str | None:
    return not_held(state.hands[seat], *action.discard)


def _not_so_many(state: Exchanging, seat: Seat, action: Exchange) -> str | None:
    """The fault of declarer, whose contract limits the number; None if there is none."""
    exchange, number = state.commitment.contract.exchange, len(action.discard)
    if seat != state.commitment.declarer or exchange is None or exchange[0] <= number <= exchange[1]:
        return None
    least, most = exchange
    limits = f"{most}" if least == most else f"{least} to {most}"
    return f"declarer exchanges {limits} cards in {state.commitment.contract.contract}, not {number}"


def _more_than_left(state: Exchanging, _: Seat, action: Exchange) -> str | None:
    left, number = len(state.stock.pile), len(action.discard)
    return None if _in_casco(state) or number <= left else not_left(left, number)


def _not_in_stock(state: Exchanging, _: Seat, action: Exchange) -> str | None:
    """The fault in Casco of the cards taken by name, and of those drawn unseen with them; None if there is none."""
    if not _in_casco(state):
        return None
    lying, unseen = state.stock.face_up, len(state.stock.pile)
    for index, card in enumerate(action.take):
        if card not in lying:
            return f"{card} does not lie face up; these do: {', '.join(lying) or 'none'}"
        if card in action.take[:index]:
            return f"{card} is named twice"
    drawn = len(action.discard) - len(action.take)
    if drawn < 0:
        return f"{len(action.take)} cards are taken for {len(action.discard)} discards: one for each"
    return None if drawn <= unseen else f"{drawn} would be drawn unseen, where {unseen} are left"


def _to_exchange(state: Exchanging, seat: Seat) -> tuple[Offer, ...]:
    hand = state.hands[seat].known
    contract = state.commitment.contract
    if seat == state.commitment.declarer and contract.exchange is not None:
        least, most = contract.exchange
        return (Offer("exchange", {"discard": SomeOf(hand, least, most)}),)
    unseen, face_up = len(state.stock.pile), state.stock.face_up
    # The cards taken by name limit the number of discards, so each number of them gets an offer.
    return tuple(
        [
            Offer(
                "exchange",
                {
                    "discard": SomeOf(hand, taken, min(HAND, taken + unseen)),
                    **({"take": SomeOf(face_up, taken, taken)} if taken else {}),
                },
            )
            for taken in range(len(face_up) + 1)
        ]
    )


def _exchanged(state: Exchanging, seat: Seat, action: Exchange) -> Event[CardsExchanged]:
    drawn = state.stock.pile[: len(action.discard) - len(action.take)]
    cards = ExchangedCards(_sorted(action.discard), openings_of_pile(state.common.deck, drawn))
    public = CardsExchanged(seat, len(action.discard), _sorted(action.take))
    return Event(public, {seat_audience(seat): cards})


def _exchange_of(event: Event[CardsExchanged]) -> Exchange | None:
    cards = event.section(seat_audience(event.public.seat), ExchangedCards)
    return None if cards is None else Exchange(cards.discarded, event.public.taken)


def _no_priority(state: Exchanging, seat: Seat) -> str | None:
    if seat == state.commitment.declarer:
        return "declarer exchanges first: only an opponent offers priority"
    if state.priority_offered:
        return "priority was offered already"
    return "nobody exchanges after you" if len(state.queue) == 1 else None


def _offered(state: Exchanging, seat: Seat, _: OfferPriority) -> Event[PriorityOffered]:
    return Event(PriorityOffered(seat, state.queue[1]))


def _no_concession(state: Exchanging | Asking | Playing, seat: Seat) -> str | None:
    during = state if isinstance(state, Playing) else state.exchange if isinstance(state, Asking) else state
    plays = during.commitment
    if seat != plays.declarer:
        return "only declarer may concede"
    queue, tricks = ((), during.tricks) if isinstance(during, Playing) else (during.queue, None)
    contract, may = plays.contract.contract, plays.contract.concede
    return no_way_out("concede", contract, seat, may=may, queue=queue, tricks=tricks) or _over(during)


def _over(state: Exchanging | Playing) -> str | None:
    return None if settled(state) is None else "the deal is over"


def _no_talk(state: Playing, seat: Seat) -> str | None:
    if state.commitment.bonus != "talking" or not state.exposed:
        return "the opponents talk in Talking Ouvert alone"
    if seat == state.commitment.declarer:
        return "the opponents talk, not declarer"
    if state.utterances[seat] >= MAX_UTTERANCES:
        return f"you have talked {MAX_UTTERANCES} times in this deal"
    return _over(state)


_TEXT = Text(1, MAX_TEXT)


def _no_text(_state: Playing, _: Seat, action: Talk) -> str | None:
    return None if _TEXT.admits(action.text) else f"text must be {_TEXT}"


def _said(_: Playing, seat: Seat, action: Talk) -> Event[TableTalk]:
    return Event(TableTalk(seat), {"public": Utterance(action.text)})


def _talk_of(event: Event[TableTalk]) -> Talk | None:
    said = event.section("public", Utterance)
    return None if said is None else Talk(said.text)


ACTS = Acts("CR-2.1", (
    ActRules(Bid, BidMade, (outranking("CR-4.3"),)),
    ActRules(Pass, BidPassed),
    ActRules(Declare, ContractDeclared, (
        becomes("CR-6.1", declarable, "{} is worth no more"),
        named_trumps("CR-6.2", lambda name: SUITS if CONTRACTS[name].trumps == "named" else (None,)),
        Among("CR-10.1", "bonus", _bonuses, _wrong_bonus, ("contract",)),
    ), each="contract"),
    ActRules(TakeCasco, CascoTaken, (held("CR-7.6", field="keep"),),
        make=_taken, section=CascoCards, names={"keep": "kept"}),
    ActRules(LayCasco, CascoLaid, (
        Count("CR-7.6", "lay", _five, _not_five),
        held("CR-7.6", field="lay"),
        Free("trump", (None, *SUITS)),
        Among("CR-10.1", "bonus", _bonuses, _wrong_bonus),
    ), make=_laid, names={"lay": "cards"}),
    ActRules(Exchange, CardsExchanged, (
        Refusal("CR-7.1", _not_by_name, ("take",)),
        Refusal("CR-7.1", _not_discarded, ("discard",)),
        Refusal("CR-7.1", _not_so_many, ("discard",)),
        Refusal("CR-7.3", _more_than_left, ("discard",)),
        Refusal("CR-7.7", _not_in_stock, ("discard", "take")),
    ), make=_exchanged, read=_exchange_of, offers=_to_exchange),
    ActRules(OfferPriority, PriorityOffered, (Bar("CR-7.4", _no_priority),), make=_offered),
    ActRules(AnswerPriority, PriorityAnswered, (Free("accept", (True, False)),), names={"accept": "accepted"}),
    playing(Play, "CR-8.1", "CR-8.2"),
    ActRules(Concede, DealConceded, (Bar("CR-9.11", _no_concession),)),
    ActRules(Talk, TableTalk, (
        Bar("CR-10.7", _no_talk),
        Refusal("CR-10.7", _no_text, ("text",)),
    ), make=_said, read=_talk_of, offers=lambda _state, _seat: (Offer("talk", {"text": _TEXT}),)),
))  # fmt: skip

MILDEST: tuple[type[Action], ...] = (Pass, Declare, TakeCasco, LayCasco, AnswerPriority, Exchange, Play)
"""The acts that the house takes for a player whose clock has run out, mildest first."""
