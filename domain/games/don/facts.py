"""What a deal's score depends on, as a player knows it who keeps the score (ND-4, ND-5)."""

from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.games.don.contracts import COUNTS, scoring
from domain.games.don.meta import HAND, TURNS
from domain.games.don.state import Playing
from domain.kernel.worth import Flaw, Flaws, Searched, Terms
from domain.parts.scoring import AtTable, BySide, Fact, Number, Uncounted
from domain.parts.sides import OPPOSITE, together


class Captured(Fact, frozen=True, gc=False):
    """A card that scores, and the seat that won its trick. No amount depends on the trick's number, 0 if unknown."""

    card: Card
    seat: AtTable
    trick: Uncounted[Number] = 0


class Facts(Fact, frozen=True, gc=False):
    """A deal that was played: the cards that score, in the order of play, and the counts for game."""

    trump: Suit
    captured: tuple[Captured, ...]
    counts: BySide[Number] | None = None


def points(facts: Facts) -> tuple[int, ...]:
    """The sides' immediate scores (ND-4.1)."""
    made = [(each.seat, row.points) for each in facts.captured if (row := scoring(each.card, facts.trump)) is not None]
    return tuple([sum([points for seat, points in made if seat in side]) for side in OPPOSITE])


def target_reached(terms: Terms, facts: Facts) -> bool:
    """Whether a side reaches the target before game is counted (ND-6.1)."""
    return any(before + made >= terms.options.target for before, made in zip(terms.scores, points(facts), strict=True))


def facts(play: Playing) -> Facts:
    captured = [
        Captured(card, trick.winner, index)
        for index, trick in enumerate(play.tricks.complete, 1)
        for card in [played.card for played in trick.cards]
        if scoring(card, play.trump) is not None
    ]
    first, second = together(play.tricks.worth(TURNS.size, COUNTS))
    reached = max(play.scores) >= play.common.options.target
    return Facts(play.trump, tuple(captured), None if reached else (first, second))


SEARCHED = Searched(trump="trump")


def flaws(terms: Terms, facts: Facts) -> Flaws:
    cards = [each.card for each in facts.captured]
    if len(cards) > len({*cards}) or any(scoring(card, facts.trump) is None for card in cards):
        yield Flaw("ND-4.1", "cards that score with these trumps are captured, each once", ("captured", "trump"))
    for each in facts.captured:
        trick = [other.seat for other in facts.captured if other.trick == each.trick]
        if each.trick and (each.trick > HAND or len(trick) > TURNS.size or {*trick} != {each.seat}):
            yield Flaw("ND-3.3", f"trick {each.trick} of {HAND} has four cards and one winner", ("captured",))
        before = replace(facts, captured=tuple([other for other in facts.captured if 0 < other.trick < each.trick]))
        if target_reached(terms, before):
            yield Flaw("ND-6.1", "no card is captured after the trick that reaches the target", ("captured",))
    if target_reached(terms, facts):
        if facts.counts is not None:
            yield Flaw("ND-6.1", "a side reaches the target at once, so game is not counted", ("counts",))
    elif facts.counts is None:
        yield Flaw("ND-5.1", "how much does each side's cards count towards game?", ("counts",))
    elif sum(facts.counts) > sum(COUNTS.values()):
        yield Flaw("ND-5.1", f"all cards together count {sum(COUNTS.values())}", ("counts",))
    elif any(
        count < sum(COUNTS.get(each.card, 0) for each in facts.captured if each.seat in side)
        for side, count in zip(OPPOSITE, facts.counts, strict=True)
    ):
        yield Flaw("ND-5.1", "a side has captured cards that count more", ("counts", "captured"))
