"""Tables on which Nine-Card Don is played.

`planned` stacks a deal in which any order of trick winners can be played, and in which a test says what lies in which
trick.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from domain.games.don import DON
from domain.games.don.events import DonScored
from domain.games.don.meta import Options
from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.kernel.ledger import BANK, LineAt, Transfer, book
from domain.seats import Seat, clockwise
from domain.table.actions import Entry, OpenDispute, RuleDispute
from domain.table.events import DealScored
from tests.support.games import EVERYBODY, DecodedLive, filled

Target: TypeAlias = Literal[121, 91]

RANKS = "AKQJT98765432"
PACK: tuple[str, ...] = tuple(rank + suit for suit in "shdc" for rank in RANKS)
SIDES = ((0, 2), (1, 3))


class DonLive(DecodedLive):
    """A table of Nine-Card Don."""

    game: ClassVar[Game] = DON

    def scores(self) -> list[int]:
        """The sides' running scores, as all see them."""
        return [side["score"] for side in self.view("public")["sides"]]

    def correct(self, first: int, second: int, *, alone: int = 0) -> None:
        """An arbiter gives the sides so many points more, and seat 0 alone so many.

        A line of the last score is taken back for it, and booked anew.
        """
        scored = next(event for event in reversed(self.events) if isinstance(event.public, DealScored))
        line = scored.public.lines[0]
        seats = next(seats for seats in SIDES if line.seat in seats)
        again = [Entry(seat, "bank", line.amount, "again", line.rule, "As before") for seat in seats]
        more = [
            Entry(seat, "bank", points, "corrected", line.rule, "Corrected")
            for seat, points in enumerate((first + alone, second, first, second))
            if points
        ]
        self.command(OpenDispute(EVERYBODY[seats[0]], (LineAt(scored.version, 0),), None, "Not so."))
        self.command(RuleDispute("an arbiter", len(self.table.disputes), "upheld", "Indeed.", (*again, *more)))


def dealt(hands: Mapping[Seat, str], *, dealer: Seat = 3, target: Target = 121) -> DonLive:
    """A table whose seats hold these cards, their hands filled up with others, in the pack's order from seat 0 on."""
    return DonLive.stacked(*filled(hands, PACK, 9), dealer=dealer, options=Options(target=target))


class Plan(NamedTuple):
    """The card that each seat plays to each of nine tricks."""

    tricks: tuple[dict[Seat, str], ...]

    def hands(self) -> dict[Seat, list[str]]:
        """What the seats hold."""
        return {seat: [trick[seat] for trick in self.tricks] for seat in range(4)}


def planned(fours: Sequence[str], winners: Sequence[Seat]) -> Plan:
    """A plan in which these seats win these tricks: of four cards of one suit, high to low, the winner has the first.

    The suit of the first four is trumps, whoever leads it.
    """
    return Plan(
        tuple(
            dict(zip(clockwise(winner, 4), four.split(), strict=True))
            for winner, four in zip(winners, fours, strict=True)
        )
    )


TRUMPS = "8s 7s 6s 4s"
"""Four trumps that score nothing and count nothing."""
NOTHING = (TRUMPS, "6h 4h 3h 2h", "6d 4d 3d 2d")
"""Tricks that are worth nothing at all, with spades as trumps."""
TENS = tuple(
    f"{ranks[0]}{suit} {ranks[1]}{suit} {ranks[2]}{suit} {ranks[3]}{suit}"
    for suit in "hdc"
    for ranks in ("AKQJ", "T987")
)
"""Six tricks that score nothing at once, and count 10 each for game."""
WORTHLESS = (*NOTHING, *TENS)
"""A deal in which nothing scores at once."""
QUEEN_AND_JACK = "Qs Js 3s 2s"
"""Four trumps that score 3."""
FIVE = "6c 5c 4c 3c"
"""A trick that scores 5 with spades as trumps, and counts nothing."""


def begun(plan: Plan, *, scores: tuple[int, int] = (0, 0), dealer: Seat = 3, target: Target = 121) -> DonLive:
    """A table at which a deal of this plan begins, the sides having these scores from a deal before."""
    live = dealt({}, dealer=(dealer + 3) % 4, target=target)
    totals = (*scores, *scores)
    before = [Transfer(seat, BANK, totals[seat], "card", "ND-4.1", "Before", (8,)) for seat in (0, 2, 1, 3)]
    lines = book(before, live.table.players)
    scored = DonScored(1, "game-equal", lines, totals, "00" * 32, ())
    live.append([Event(scored, deal=1)])
    hands = plan.hands()
    rest = [card for card in PACK if all(card not in cards for cards in hands.values())]
    cards = [hands[seat][place] for place in range(9) for seat in clockwise((dealer + 1) % 4, 4)]
    live.append([live.dealing([*cards, *rest], dealer)])
    return live


def play(live: DonLive, plan: Plan, tricks: int = 9) -> DonLive:
    """So many tricks of the plan, or as many as are played before the deal is over."""
    return live.play_out(plan.tricks[:tricks])


def played(
    fours: Sequence[str],
    winners: Sequence[Seat],
    *,
    scores: tuple[int, int] = (0, 0),
    dealer: Seat = 3,
    target: Target = 121,
) -> DonLive:
    """A deal in which these seats win these tricks, until it is scored."""
    plan = planned(fours, winners)
    return play(begun(plan, scores=scores, dealer=dealer, target=target), plan)
