"""Solo's rules once more, written plainly and by brute force from their text, and tables on which it is played.

`planned` stacks a deal in which any order of trick winners can be played, clubs being trumps, and in which the called
card falls where a test wants it.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import ClassVar, NamedTuple

from domain.games.solo import SOLO
from domain.kernel.game import Game
from domain.seats import Seat
from tests.support.games import Live

SUITS = "shdc"
TRUMPS: dict[str, tuple[str, ...]] = {
    "s": ("Qc", "7s", "Qs", "As", "Ks", "Js", "Ts", "9s", "8s"),
    "h": ("Qc", "7h", "Qs", "Ah", "Kh", "Qh", "Jh", "Th", "9h", "8h"),
    "d": ("Qc", "7d", "Qs", "Ad", "Kd", "Qd", "Jd", "Td", "9d", "8d"),
    "c": ("Qc", "7c", "Qs", "Ac", "Kc", "Jc", "Tc", "9c", "8c"),
}
"""High to low, by what is trump (SO-1.3)."""
PLAIN: dict[str, tuple[str, ...]] = {
    "s": ("As", "Ks", "Js", "Ts", "9s", "8s", "7s"),
    "h": ("Ah", "Kh", "Qh", "Jh", "Th", "9h", "8h", "7h"),
    "d": ("Ad", "Kd", "Qd", "Jd", "Td", "9d", "8d", "7d"),
    "c": ("Ac", "Kc", "Jc", "Tc", "9c", "8c", "7c"),
}
PACK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in "AKQJT987")


class Facts(NamedTuple):
    """A row of the table of SO-2."""

    game: str
    color: bool
    goal: int
    partner: bool
    value: int


GAMES: dict[int, Facts] = {
    1: Facts("simple", False, 5, True, 2),
    2: Facts("simple", True, 5, True, 4),
    3: Facts("solo", False, 5, False, 4),
    4: Facts("solo", True, 5, False, 8),
    5: Facts("tout", False, 8, False, 16),
    6: Facts("tout", True, 8, False, 32),
}


def suits_of(trump: str) -> dict[str, tuple[str, ...]]:
    """The cards of each suit, high to low, under these trumps."""
    return {**PLAIN, trump: TRUMPS[trump]}


def legal_cards(hand: Sequence[str], led: str | None, trump: str) -> list[str]:
    """SO-4.1, by the card led."""
    suit = next((cards for cards in suits_of(trump).values() if led in cards), ())
    return [card for card in hand if card in suit] or list(hand)


def trick_winner(trick: Sequence[tuple[Seat, str]], trump: str) -> Seat:
    """SO-4.1: who wins these cards, in the order played."""
    suits = suits_of(trump)
    led = next(cards for cards in suits.values() if trick[0][1] in cards)
    best = (*TRUMPS[trump], *led)
    return min((best.index(card), seat) for seat, card in trick if card in best)[1]


def made(level: int, tricks: Sequence[bool]) -> bool:
    """SO-2: whether eight tricks make the game, true where declarer's side has won."""
    assert len(tricks) == 8
    return sum(tricks) >= GAMES[level].goal


@cache
def settled(level: int, tricks: tuple[bool, ...]) -> bool | None:
    """The one result of every way in which the tricks can go on; None where they differ (SO-4.3)."""
    results = {made(level, (*tricks, *rest)) for rest in product((True, False), repeat=8 - len(tricks))}
    return results.pop() if len(results) == 1 else None


def stops_after(level: int, tricks: Sequence[bool], fallen: int | None) -> int:
    """After how many cards play stops; `fallen` is the number of cards with which the called one was played."""
    return next(
        cards
        for cards in range(33)
        if settled(level, tuple(tricks[: cards // 4])) is not None
        and (not GAMES[level].partner or (fallen is not None and cards >= fallen))
    )


class Sequel(NamedTuple):
    """A whole auction: what was said, by whom, of which level, and what the others could have said; who holds what."""

    said: tuple[tuple[Seat, str, int | None], ...]
    choices: tuple[tuple[str, ...], ...]
    holder: Seat | None
    level: int


def auctions(order: Sequence[Seat], both: Seat | None = None) -> Iterator[Sequel]:
    """Every auction that there can be, by the text of SO-3.1; `both` is the seat with both black queens (SO-3.3)."""
    script: list[str] = []
    while True:
        sequel = _auction(order, both, script)
        yield sequel
        bids = [bid for _, bid, _ in sequel.said]
        while bids and bids[-1] == sequel.choices[len(bids) - 1][-1]:
            bids.pop()
        if not bids:
            return
        choices = sequel.choices[len(bids) - 1]
        script = [*bids[:-1], choices[choices.index(bids[-1]) + 1]]


def _auction(order: Sequence[Seat], both: Seat | None, script: Sequence[str]) -> Sequel:
    """The auction that begins with this script and goes on with what stands first."""
    said: list[tuple[Seat, str, int | None]] = []
    choices: list[tuple[str, ...]] = []

    def says(seat: Seat, word: str, level: int) -> bool:
        open_to = (word,) if seat == both and level <= 3 else (word, "pass")
        bid = script[len(said)] if len(said) < len(script) else open_to[0]
        choices.append(open_to)
        said.append((seat, bid, None if bid == "pass" else level))
        return bid != "pass"

    holder, level = None, 0
    for seat in order:
        if holder is None:
            if says(seat, "ask", 1):
                holder, level = seat, 1
            continue
        while level < 6 and says(seat, "ask", level + 1):
            level += 1
            if not says(holder, "yes", level):
                holder = seat
                break
    return Sequel(tuple(said), tuple(choices), holder, level)


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
    own = {seat: cards.split() for seat, cards in hands.items()}
    rest = [card for card in PACK if all(card not in cards for cards in own.values())]
    full: dict[Seat, list[str]] = {}
    for seat in range(4):
        cards = own.get(seat, [])
        missing = 8 - len(cards)
        full[seat], rest = [*cards, *rest[:missing]], rest[missing:]
    return SoloLive.stacked(full, (), dealer=dealer, options=SOLO.options(color=color))


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
    facts = GAMES[level]
    options = SOLO.options(color="c" if facts.color else "s")
    live = SoloLive.stacked(plan.hands(), (), dealer=(eldest + 3) % 4, options=options)
    live.asked_out(declarer)
    live.do("declare", game=facts.game, trump="c", called=plan.called)
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
    live = declared(level, plan, declarer=declarer, eldest=eldest)
    for trick in plan.tricks:
        for _ in range(4):
            if live.table.scored:
                return live
            live.do("play", card=trick[live.turn])
    return live
