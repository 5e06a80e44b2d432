"""Tables on which Solo is played.

`planned` stacks a deal in which any order of trick winners can be played, clubs being trumps, and in which the called
card falls where a test wants it.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import ClassVar, NamedTuple

from domain.games.solo import SOLO
from domain.kernel.game import Game
from domain.seats import Seat
from tests.support.games import Live, filled

SUITS = "shdc"
PACK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in "AKQJT987")


GAMES: dict[int, tuple[str, bool]] = {
    level: (game, color) for level, (game, color) in enumerate(product(("simple", "solo", "tout"), (False, True)), 1)
}
"""By level: what is declared, and whether its trumps are the color."""


class SoloLive(Live):
    """A table of Solo."""

    game: ClassVar[Game] = SOLO

    def asked_out(self, declarer: Seat) -> None:
        """The auction in which declarer holds level 1 and all others pass."""
        while self.phase == "auction":
            self.do("ask" if self.turn == declarer else "pass")

    def said(self) -> list[tuple[Seat, str, int | None]]:
        """The auction as all see it."""
        return [(one["seat"], one["bid"], one["level"]) for one in self.view("public")["auction"]]


def dealt(hands: Mapping[Seat, str], *, dealer: Seat = 3, color: str = "c") -> SoloLive:
    """A table whose seats hold these cards, their hands filled up with others, in the pack's order from seat 0 on."""
    return SoloLive.stacked(*filled(hands, PACK, 8), dealer=dealer, options=SOLO.options(color=color))


class Plan(NamedTuple):
    """The card that each seat plays to each trick, and the card that the partner holds."""

    tricks: list[dict[Seat, str]]
    called: str | None

    def hands(self) -> dict[Seat, list[str]]:
        """What the seats hold."""
        return {seat: [trick[seat] for trick in self.tricks] for seat in range(4)}


def planned(winners: Sequence[Seat], partner: Seat | None = None, fall: int = 0) -> Plan:
    """A plan in which these seats win the eight tricks, clubs being trumps, and the called card falls to trick `fall`.

    The first card of each four wins whatever is led. All follow suit in seven tricks, so that these can change places.
    """
    hearts, diamonds = ["Ah Kh Qh Jh", "Th 9h 8h 7h"], ["Ad Kd Qd Jd", "Td 9d 8d 7d"]
    fours = [*hearts, *diamonds, "Qc 7c Qs Ac", "Kc Jc Tc 9c", "As Ks Js Ts", "8c 9s 8s 7s"]
    called = None
    if partner is not None:
        wins = partner == winners[fall]
        if fall < 7:
            called, place = ("Ah", 0) if wins else ("Ac", 4)
            fours[place], fours[fall] = fours[fall], fours[place]
        elif wins:
            called = "Ac"
            fours[4:] = ["Qc 7c Qs Kc", "Jc Tc 9c 8c", "As Ks Js Ts", "Ac 9s 8s 7s"]
        else:
            called = "As"
            fours[6:] = ["Ks Js Ts 9s", "8c As 8s 7s"]
    tricks = []
    for number, (winner, four) in enumerate(zip(winners, fours, strict=True)):
        cards = four.split()
        seats = [(winner + step) % 4 for step in range(4)]
        if number == fall and partner is not None and called is not None:
            here, there = seats.index(partner), cards.index(called)
            cards[here], cards[there] = cards[there], cards[here]
        tricks.append(dict(zip(seats, cards, strict=True)))
    return Plan(tricks, called)


def declared(level: int, plan: Plan, *, declarer: Seat = 0, eldest: Seat = 0) -> SoloLive:
    """A deal of the plan in which declarer has declared the game of this level, with clubs as trumps."""
    game, color = GAMES[level]
    options = SOLO.options(color="c" if color else "s")
    live = SoloLive.stacked(plan.hands(), (), dealer=(eldest + 3) % 4, options=options)
    live.asked_out(declarer)
    live.do("declare", game=game, trump="c", called=plan.called)
    return live


def played(
    level: int,
    winners: Sequence[Seat],
    *,
    declarer: Seat = 0,
    eldest: Seat = 0,
    partner: Seat | None = None,
    fall: int = 0,
) -> SoloLive:
    """A deal of this game in which these seats win the tricks, until it is scored."""
    plan = planned(winners, partner, fall)
    return declared(level, plan, declarer=declarer, eldest=eldest).play_out(plan.tricks)
