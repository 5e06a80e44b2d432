"""What a deal's score depends on, as a player knows it who keeps the score (TE-4)."""

from msgspec.structs import replace

from domain.cards import Card
from domain.games.tetka.meta import PACK, SEATS, TRICKS
from domain.games.tetka.penalties import BUMS, OF_SUIT, QUEENS
from domain.games.tetka.state import State
from domain.kernel.worth import Flaw, Flaws, Terms
from domain.parts.scoring import AtTable, BySeat, Fact, Number, Uncounted, flaws_of_tricks
from domain.seats import Seat


class Costly(Fact, frozen=True, gc=False):
    """The bum card or a queen, and the seat that captured it. No amount depends on the trick's number, 0 if unknown."""

    card: Card
    seat: AtTable
    trick: Uncounted[Number] = 0


class Facts(Fact, frozen=True, gc=False):
    """A deal that was played: the tricks and the costly cards of each seat."""

    bum: Card
    tricks: BySeat[Number]
    costly: tuple[Costly, ...]
    numbered: AtTable
    last: AtTable
    bum_suit: BySeat[Number] = ()
    highest: AtTable | None = None


def leading(facts: Facts) -> list[Seat]:
    """The seats with most tricks and, of several, most cards of the bum suit; none without one (TE-4.9, TE-4.10)."""
    most = [seat for seat, won in enumerate(facts.tricks) if won == max(facts.tricks)]
    if len(most) == 1 or not facts.bum_suit:
        return most
    cards = max(facts.bum_suit[seat] for seat in most)
    return [seat for seat in most if cards and facts.bum_suit[seat] == cards]


def facts(state: State) -> Facts:
    bum, tricks = state.bum, state.tricks
    costly = [
        Costly(card, winner, index + 1)
        for index, winner in enumerate(tricks.winners)
        for card in tricks.cards_of(index)
        if card == bum.card or card in QUEENS
    ]
    won, winners = tricks.won_by(SEATS), tricks.winners
    captured = tricks.captures(SEATS, OF_SUIT[bum.suit]) if won.count(max(won)) > 1 else ()
    found = Facts(bum.card, won, tuple(costly), winners[bum.number - 1], winners[-1], tuple(map(len, captured)))
    equal = leading(found)
    if len(equal) < 2:
        return found
    return replace(found, highest=min(equal, key=lambda seat: min(map(PACK.order.__getitem__, captured[seat]))))


def flaws(_: Terms, facts: Facts) -> Flaws:
    yield from flaws_of_tricks("TE-3.3", facts.tricks, range(SEATS), TRICKS, SEATS)
    if sum(facts.tricks) < TRICKS:
        yield Flaw("TE-3.3", f"all {TRICKS} tricks are played, and {sum(facts.tricks)} are won", ("tricks",))
    cards = [each.card for each in facts.costly]
    if facts.bum not in BUMS or len(cards) > len(set(cards)) or {*cards} != {facts.bum, *QUEENS}:
        yield Flaw("TE-4.3", "the bum card and each queen are captured, once each", ("costly", "bum"))
    bum = BUMS[facts.bum]
    winners = {bum.number: facts.numbered}
    for number, seat in ((TRICKS, facts.last), *[(each.trick, each.seat) for each in facts.costly if each.trick]):
        if number > TRICKS or winners.setdefault(number, seat) != seat:
            yield Flaw("TE-3.2", f"trick {number} has one winner, of {TRICKS} tricks", ("costly", "numbered", "last"))
    for seat in {*winners.values(), *[each.seat for each in facts.costly]}:
        won, captured = [*winners.values()].count(seat), sum(each.seat == seat for each in facts.costly)
        if facts.tricks[seat] < max(1, won) or SEATS * facts.tricks[seat] < captured:
            yield Flaw("TE-3.2", f"seat {seat} has won too few tricks for that", ("tricks",))
    if facts.tricks.count(max(facts.tricks)) == 1:
        return
    if len(facts.bum_suit) != SEATS or sum(facts.bum_suit) != len(PACK) // SEATS:
        yield Flaw("TE-4.9", "several have the most tricks: how many of the bum suit did each capture?", ("bum_suit",))
    if any(cards > SEATS * won for cards, won in zip(facts.bum_suit, facts.tricks, strict=True)):
        yield Flaw("TE-4.9", "a trick has four cards", ("bum_suit", "tricks"))
    captors = [each.seat for each in facts.costly if PACK.suit(each.card) == bum.suit]
    if any(cards < captors.count(seat) for seat, cards in enumerate(facts.bum_suit)):
        yield Flaw("TE-4.9", "a seat has captured more costly cards of the bum suit", ("bum_suit", "costly"))
    equal = leading(facts)
    if len(equal) > 1 and facts.highest not in equal:
        yield Flaw("TE-4.9", "several are equal: which of them captured the highest of the bum suit?", ("highest",))
