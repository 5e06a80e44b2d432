"""The rules that an act may break, in their order, and the sentences that explain the fault."""

from domain.cards import SUITS
from domain.games.crocodile.actions import (
    AnswerPriority,
    Bid,
    Concede,
    Declare,
    Exchange,
    LayCasco,
    OfferPriority,
    Pass,
    Play,
    TakeCasco,
    Talk,
)
from domain.games.crocodile.contracts import CONTRACTS, ContractName, bonuses_of, declarable
from domain.games.crocodile.meta import MAX_TEXT, MAX_UTTERANCES
from domain.games.crocodile.offers import CASCO_CARDS_LAID
from domain.games.crocodile.state import (
    Asking,
    Auction,
    Declaration,
    Exchanging,
    LayingCasco,
    Playing,
    TakingCasco,
)
from domain.kernel.offers import Text
from domain.kernel.refusals import Refusal, Refusals
from domain.parts.holding import either, not_held
from domain.parts.objections import no_way_out, not_higher, not_left, one_of, wrong_trump
from domain.parts.tricks import play_refusals
from domain.seats import Seat


def _no_higher(state: Auction, _: Seat, action: Bid) -> str | None:
    bidding = state.common.bidding
    return not_higher(bidding, action.contract, bidding.higher)


def _not_declarable(state: Declaration, _: Seat, action: Declare) -> str | None:
    may = declarable(state.bid)
    if action.contract in may:
        return None
    return f"{state.bid} was bid, and {action.contract} is worth no more: contract must be {one_of(may)}"


def _wrong_trump(_: Declaration, _seat: Seat, action: Declare) -> str | None:
    named = CONTRACTS[action.contract].trumps == "named"
    return wrong_trump(action.contract, action.trump, SUITS if named else (None,))


def _wrong_bonus(contract: ContractName, bonus: str | None) -> str | None:
    may = bonuses_of(CONTRACTS[contract])
    if bonus is None or bonus in may:
        return None
    return f"{contract} is declared with {f'{either(may)}, or with no bonus' if may else 'no bonus'}, not with {bonus}"


def _not_kept(state: TakingCasco, seat: Seat, action: TakeCasco) -> str | None:
    return not_held(state.hands[seat], action.keep)


def _not_laid(state: LayingCasco, seat: Seat, action: LayCasco) -> str | None:
    if len(action.lay) != CASCO_CARDS_LAID:
        return f"{CASCO_CARDS_LAID} cards are laid, not {len(action.lay)}"
    return not_held(state.hands[seat], *action.lay)


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
    return None if _in_casco(state) else not_left(len(state.stock.pile), len(action.discard))


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


def _no_priority(state: Exchanging, seat: Seat, _: OfferPriority) -> str | None:
    if seat == state.commitment.declarer:
        return "declarer exchanges first: only an opponent offers priority"
    if state.priority_offered:
        return "priority was offered already"
    return "nobody exchanges after you" if len(state.queue) == 1 else None


def _no_concession(state: Exchanging | Asking | Playing, seat: Seat, _: Concede) -> str | None:
    during = state.exchange if isinstance(state, Asking) else state
    plays = during.commitment
    queue, tricks = (during.queue, None) if isinstance(during, Exchanging) else ((), during.tricks)
    contract = plays.contract
    return no_way_out(
        "concede", contract.contract, seat, plays.declarer, may=contract.concede, queue=queue, tricks=tricks
    )


def _no_talk(state: Playing, seat: Seat, action: Talk) -> str | None:
    if state.commitment.bonus != "talking":
        return "the opponents talk in Talking Ouvert alone"
    if seat == state.commitment.declarer:
        return "the opponents talk, not declarer"
    if state.utterances[seat] >= MAX_UTTERANCES:
        return f"you have talked {MAX_UTTERANCES} times in this deal"
    text = Text(1, MAX_TEXT, "CR-10.7")
    return None if text.admits(action.text) else f"text must be {text}"


REFUSALS = Refusals(
    cards="CR-2.1",
    acts={
        Bid: (Refusal("CR-4.3", _no_higher, ("contract",)),),
        Pass: (),
        Declare: (
            Refusal("CR-6.1", _not_declarable, ("contract",)),
            Refusal("CR-6.2", _wrong_trump, ("contract", "trump")),
            Refusal("CR-10.1", lambda _, __, act: _wrong_bonus(act.contract, act.bonus), ("contract", "bonus")),
        ),
        TakeCasco: (Refusal("CR-7.6", _not_kept, ("keep",)),),
        LayCasco: (
            Refusal("CR-7.6", _not_laid, ("lay",)),
            Refusal("CR-10.1", lambda _, __, act: _wrong_bonus("casco", act.bonus), ("bonus",)),
        ),
        Exchange: (
            Refusal("CR-7.1", _not_by_name, ("take",)),
            Refusal("CR-7.1", _not_discarded, ("discard",)),
            Refusal("CR-7.1", _not_so_many, ("discard",)),
            Refusal("CR-7.3", _more_than_left, ("discard",)),
            Refusal("CR-7.7", _not_in_stock, ("discard", "take")),
        ),
        OfferPriority: (Refusal("CR-7.4", _no_priority),),
        AnswerPriority: (),
        Play: play_refusals("CR-8.1", "CR-8.2"),
        Concede: (Refusal("CR-9.11", _no_concession),),
        Talk: (Refusal("CR-10.7", _no_talk, ("text",)),),
    },
)
