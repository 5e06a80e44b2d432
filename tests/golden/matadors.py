"""What L'Hombre and Ombre share: how a deal is bid, exchanged and played, and what it shows of the matadors."""

import random
from collections.abc import Iterator, Sequence

from tests.golden.course import Course
from tests.golden.playing import Choice
from tests.support.checker.matadors import PACK, TRUMPS, power_in, suit_in, winner_of
from tests.support.games import Live, pick

TEMPERS = ("win", "win", "lose", "lose", "random")


def strength(card: str, trump: str | None) -> tuple[bool, int]:
    """Greater the stronger the card, in its suit."""
    suit, power = suit_in(card, trump), power_in(card, trump)
    return suit == trump, -sum(suit_in(other, trump) == suit and power_in(other, trump) > power for other in PACK)


def matador_labels(course: Course) -> Iterator[str]:
    """What the play shows of the matadors' right not to follow."""
    if course.trump is None:
        return
    trumps = TRUMPS[course.trump]
    for turn in course.turns:
        own = [card for card in trumps if card in turn.hand]
        if not own or turn.led not in trumps:
            continue
        if turn.card not in own:
            yield "matador kept back"
        elif {*own} <= {*trumps[:3]} and turn.led in trumps[:2] and own[-1] in trumps[trumps.index(turn.led) :]:
            yield "matador drawn out by a higher one"


def auction(
    live: Live, declarer: int | None, bid: str | None, bids: Sequence[str], *, wild: bool, rng: random.Random
) -> bool:
    """The auction in which declarer wins with this bid, the others bidding lower if it is wild; whether it was so."""
    scored = live.table.scored
    while live.phase == "auction" and live.table.scored == scored:
        seat, standing = live.turn, live.table.deal_state.common.bidding.high_bid
        lower = bids[: bids.index(bid)] if bid else ()
        open_to = [name for fields in live.offered(seat, "bid") for name in fields["contract"]["one_of"]]
        hold = live.types(seat) & {"self", "hold"}
        calls: list[tuple[str, str | None]] = [("bid", name) for name in open_to if name in lower] if wild else []
        if hold and (standing.bid in lower if wild else standing.bid == bid and seat == declarer):
            calls.append((hold.pop(), None))
        if seat != declarer:
            calls.append(("pass", None))
            calls += [("bid", name) for name in open_to if name == bid and wild and standing]
        elif standing and standing.bid == bid and hold:
            calls = [(hold.pop(), None)]
        elif bid in open_to:
            calls.append(("bid", bid))
        if not calls:
            return False
        kind, name = rng.choice(calls)
        live.do(kind, **({} if name is None else {"contract": name}))
    if bid is None or live.table.scored != scored:
        return (bid is None) == (live.table.scored != scored)
    standing = live.table.deal_state.common.bidding.high_bid
    return bool(standing and (standing.seat, standing.bid) == (declarer, bid))


def best_trump(live: Live, seat: int, rng: random.Random, temper: str) -> str:
    """A suit that the seat is well off with as trumps, or any other one if it does not want to win."""
    suits = sorted("shdc", key=lambda suit: sum(card in TRUMPS[suit] for card in live.hand(seat)))
    return suits[-1] if temper == "win" else rng.choice(suits)


def trump_of(live: Live) -> str | None:
    """The suit that is trump, once that is known."""
    commitment = getattr(live.table.deal_state, "commitment", None)
    return commitment.trump if commitment else None


def exchange(live: Live, temper: str, rng: random.Random) -> None:
    """Exchanges the cards that the temper has least use for."""
    seat = live.turn
    wire = pick([offer for offer in live.offers(seat) if offer.type == "exchange"], rng)
    if temper != "random":
        trump = trump_of(live)
        ranked = sorted(live.hand(seat), key=lambda card: strength(card, trump), reverse=temper == "lose")
        wire["discard"] = ranked[: len(wire["discard"])]
    live.take(seat, wire)


def play_card(live: Live, temper: str, rng: random.Random) -> None:
    """Plays the card that the temper chooses."""
    seat, trump = live.turn, trump_of(live)
    (fields,) = live.offered(seat, "play")
    trick = [(played.seat, played.card) for played in live.table.deal_state.tricks.trick]
    choice = Choice(
        seat,
        list(fields["card"]["one_of"]),
        trick,
        lambda card: strength(card, trump),
        lambda trick: winner_of(trick, trump),
    )
    live.do("play", card=choice.by(temper, rng))
