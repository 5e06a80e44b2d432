"""What a deal's score depends on, as a player knows it who keeps the score (KH-8)."""

from domain.games.khanhoo.claims import claims
from domain.games.khanhoo.contracts import MeldName
from domain.games.khanhoo.division import divides
from domain.games.khanhoo.meta import HAND, PACK
from domain.games.khanhoo.state import Ended
from domain.kernel.worth import Flaw, Flaws, Terms
from domain.parts.copies import Named, with_copies
from domain.parts.scoring import AtTable, BySeat, Fact


class Laid(Fact, frozen=True, gc=False):
    """A meld that a bump laid (KH-6.6). No amount depends on which copies its cards are; they may be left out."""

    meld: MeldName
    cards: tuple[Named, ...]


class Own(Fact, frozen=True, gc=False):
    """A seat's melds on the table, as laid, and the cards of its hand when the deal ended."""

    hand: tuple[Named, ...]
    laid: tuple[Laid, ...] = ()

    @property
    def all_laid(self) -> bool:
        """Whether the seat has laid fifteen cards (KH-6.7)."""
        return sum(len(laid.cards) for laid in self.laid) == HAND

    def sorted(self) -> "Own":
        """The same cards, which have copies, in the pack's order."""
        return Own(PACK.sorted(self.hand), tuple([Laid(laid.meld, PACK.sorted(laid.cards)) for laid in self.laid]))


class Facts(Fact, frozen=True, gc=False):
    """Each seat's cards, and who went out."""

    seats: BySeat[Own]
    out: AtTable | None = None


def cards_of(facts: Facts) -> tuple[Own, ...] | None:
    """Each seat's cards with their copies, in the pack's order; None if the pack has not so many of a face."""
    named = with_copies(PACK, facts)
    return None if isinstance(named, str) else tuple(map(Own.sorted, named.seats))


def facts(ended: Ended) -> Facts:
    laid = [tuple([Laid(each.meld.meld, each.meld.cards) for each in own]) for own in ended.cards.laid]
    hands = [hand.known for hand in ended.cards.hands]
    return Facts(tuple(map(Own, hands, laid)), ended.out)


def flaws(terms: Terms, facts: Facts) -> Flaws:
    players = terms.options.players
    if len(facts.seats) != players or (facts.out is not None and facts.out >= players):
        yield Flaw("KH-1.1", f"{players} players sit at the table", ("seats", "out"))
    seats = cards_of(facts)
    if seats is None:
        yield Flaw("KH-2.3", "the pack has two copies of a face, and one joker", ("seats",))
        return
    for seat, own in enumerate(seats):
        if own.all_laid and seat != facts.out:
            yield Flaw("KH-6.7", f"seat {seat} has laid {HAND} cards, and so is out", ("out", "seats"))
        if not all(map(_laid, own.laid)):
            yield Flaw("KH-6.2", f"seat {seat} has laid cards that are no bump of that name", ("seats",))
        due = HAND + own.all_laid
        if len(own.hand) + sum(len(meld.cards) for meld in own.laid) != due:
            yield Flaw("KH-3.1", f"seat {seat} has {due} cards, in hand and on the table", ("seats",))
    if facts.out is not None and not (seats[facts.out].all_laid or divides(seats[facts.out].hand)):
        yield Flaw("KH-7.1", "a player goes out with a hand that is melds alone", ("out", "seats"))


def _laid(meld: Laid) -> bool:
    """Whether a bump may have laid the cards as this meld, with whichever of them as the discard (KH-6.2)."""
    discard, others = meld.cards[:1], meld.cards[1:]
    return any(others in claims(others, card, sequences=False).get(meld.meld, ()) for card in discard)
