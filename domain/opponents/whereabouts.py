"""Where the cards may be that a seat does not see, from the facts of a deal in the order in which they came about.

Cards lie in heaps. A heap is a number of cards of which nobody can be told from another: those dealt to a hand, those
drawn with one event. A heap splits when some of its cards leave it unseen. Every hidden card has the heaps in which it
may have come to lie. A card that was played stays in the heap of its hand, which thereby counts the cards it ever had.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import comb
from typing import NamedTuple, TypeAlias

from domain.cards import Card
from domain.opponents.placing import Impossible
from domain.picking import Chance
from domain.seats import Seat

Pile: TypeAlias = tuple[str, Seat | None]
"""A pile's name, and the seat before which it lies."""


class Held(NamedTuple):
    """The seat holds these cards; if they are `gone`, they left its hand openly."""

    seat: Seat
    cards: frozenset[Card]
    gone: bool = False


class Lacked(NamedTuple):
    """The seat holds none of these cards."""

    seat: Seat
    cards: frozenset[Card]


class OneHeld(NamedTuple):
    """The seat holds at least one of these cards."""

    seat: Seat
    cards: frozenset[Card]


class LeftHand(NamedTuple):
    """Cards left the seat's hand unseen, to a seat's hand, to a pile, or out of play."""

    seat: Seat
    number: int
    to: Seat | str | None


class Given(NamedTuple):
    """Known cards left the seat's hand unseen for others; the same destinations."""

    seat: Seat
    cards: tuple[Card, ...]
    to: Seat | str | None


class Drew(NamedTuple):
    """The seat drew so many cards from the top of a pile; None for all of it."""

    seat: Seat
    pile: Pile
    number: int | None


class OpenedPlace(NamedTuple):
    """The card was at this place of the deal."""

    position: int
    card: Card


class Renewed(NamedTuple):
    """These cards were shuffled and went under a pile, at the places from this one on."""

    pile: Pile
    cards: tuple[Card, ...]
    position: int


Fact: TypeAlias = Held | Lacked | OneHeld | LeftHand | Given | Drew | OpenedPlace | Renewed


class DealtAway(NamedTuple):
    """Hidden cards as dealt: their places, and the hand (None) or the pile that they are."""

    positions: tuple[int, ...]
    to: Seat | None
    pile: str | None


def name_of(variable: str) -> Card:
    """The card that a variable stands for; a card that was shuffled again has one variable more."""
    return variable.rstrip("'")


class Whereabouts:
    """The heaps after all facts, and the heaps in which each hidden card may be."""

    def __init__(self, seat: Seat, seats: int, dealt: Sequence[DealtAway], chance: Chance) -> None:
        """`dealt` are the portions that the seat does not see. `chance` decides which heap an unseen card left."""
        self._seat, self._chance = seat, chance
        self.rooms: list[int] = []
        """The number of cards of each heap."""
        self.parts: list[int] = []
        """The group of places to which each heap belongs, -1 for none: several heaps may share one."""
        self.places: list[tuple[int, ...]] = []
        """The places of the deal of each group."""
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        """The heaps in each hand."""
        self.piles: dict[Pile, list[int]] = {}
        """The heaps in each pile, from the top."""
        self.possible: dict[str, set[int]] = {}
        """The heaps in which each hidden card may be."""
        self.gone: set[str] = set()
        self.fixed: dict[int, str] = {}
        """The cards that are known by their places."""
        self.left: dict[int, set[int]] = {}
        """The heaps of cards that left a hand unseen, by the number of the fact."""
        self.ordered: list[int] = []
        """The heaps that lie in a pile in the order of their places, from the top."""
        self.needed: list[tuple[set[int], frozenset[Card]]] = []
        """Heaps in which at least one of the cards is."""
        self.guessed = False
        """Whether chance had a choice."""
        self._newest: dict[Card, str] = {}
        for one in dealt:
            heap = self._heap(len(one.positions), one.positions)
            if one.pile is not None:
                self.piles.setdefault((one.pile, one.to), []).append(heap)
            elif one.to is not None:
                self.hands[one.to].append(heap)

    def hide(self, cards: Iterable[Card], may: Callable[[Card], Iterable[int]]) -> None:
        """Adds hidden cards, each with the heaps in which it may be."""
        for card in cards:
            self._variable(card, set(may(card)))

    def add(self, number: int, fact: Fact) -> None:
        """Takes in the next fact. Raises Impossible if it cannot be."""
        match fact:
            case Held(seat, cards, gone):
                self._hold(seat, cards, gone=gone)
            case Lacked(seat, cards):
                self._among(cards, lambda heaps: heaps - set(self.hands[seat]))
            case OneHeld(seat, cards):
                self._need(seat, cards)
            case LeftHand(seat, amount, to):
                self._leave(number, seat, amount, to)
            case Given(seat, cards, to):
                self._give(seat, cards, to)
            case Drew(seat, pile, amount):
                self._draw(seat, pile, amount)
            case OpenedPlace(position, card):
                self._open(position, card)
            case Renewed(pile, cards, position):
                heap = self._heap(len(cards), tuple(range(position, position + len(cards))))
                self.piles.setdefault(pile, []).append(heap)
                for card in cards:
                    self._variable(card, {heap})

    def _heap(self, room: int, places: tuple[int, ...] | None = None, part: int = -1) -> int:
        if places is not None:
            part = len(self.places)
            self.places.append(places)
        self.rooms.append(room)
        self.parts.append(part)
        return len(self.rooms) - 1

    def _variable(self, card: Card, heaps: set[int]) -> None:
        last = self._newest.get(card)
        self._newest[card] = variable = card if last is None else last + "'"
        self.possible[variable] = heaps

    def _free(self, card: Card) -> str | None:
        """The variable of a card that has not left its hand openly."""
        variable = self._newest.get(card)
        return None if variable is None or variable in self.gone else variable

    def _among(self, cards: Iterable[Card], change: Callable[[set[int]], set[int]]) -> None:
        for card in cards:
            variable = self._free(card)
            if variable is not None:
                heaps = self.possible[variable] = change(self.possible[variable])
                if not heaps:
                    raise Impossible

    def _hold(self, seat: Seat, cards: Iterable[Card], *, gone: bool) -> None:
        own = set(self.hands[seat])
        cards = tuple(cards)
        self._among(cards, own.__and__)
        if gone:
            self.gone.update(variable for card in cards if (variable := self._free(card)) is not None)

    def _need(self, seat: Seat, cards: frozenset[Card]) -> None:
        variables = frozenset([variable for card in cards if (variable := self._free(card)) is not None])
        self.needed.append((set(self.hands[seat]), variables))

    def _leave(self, number: int, seat: Seat, amount: int, to: Seat | str | None) -> None:
        taken = []
        for heap, share in self._shares(seat, amount).items():
            if share == self.rooms[heap]:
                self.hands[seat].remove(heap)
                taken.append(heap)
            else:
                taken.append(self._split(heap, share))
        self.left[number] = set(taken)
        if isinstance(to, str):
            self.piles.setdefault((to, None), []).extend(taken)
            self.ordered += taken
        elif to is not None:
            self.hands[to] += taken

    def _shares(self, seat: Seat, amount: int) -> dict[int, int]:
        """How many of the cards that left came from each heap of the hand."""
        inside = {heap: self.rooms[heap] for heap in self.hands[seat]}
        for variable in self.gone:
            heaps = self.possible[variable]
            if len(heaps) == 1 and (heap := next(iter(heaps))) in inside:
                inside[heap] -= 1
        inside = {heap: room for heap, room in inside.items() if room > 0}
        self.guessed |= len(inside) > 1
        shares: dict[int, int] = {}
        for _ in range(amount):
            chosen = self._chance(sum(inside.values())) if len(inside) > 1 else 0
            for heap, room in inside.items():
                chosen -= room
                if chosen < 0:
                    shares[heap] = shares.get(heap, 0) + 1
                    inside[heap] -= 1
                    break
            else:
                raise Impossible
        return shares

    def _split(self, heap: int, amount: int) -> int:
        """A new heap of so many cards of this one, which are not told from the rest."""
        self.rooms[heap] -= amount
        return self._apart(heap, self._heap(amount, part=self.parts[heap]))

    def _apart(self, heap: int, new: int) -> int:
        """The new heap, made of cards of this one: what may be in this one and has not gone may be in the new one."""
        for variable, heaps in self.possible.items():
            if heap in heaps and variable not in self.gone:
                heaps.add(new)
        for heaps in (*[heaps for heaps, _ in self.needed], *self.left.values()):
            if heap in heaps:
                heaps.add(new)
        return new

    def _give(self, seat: Seat, cards: Sequence[Card], to: Seat | str | None) -> None:
        self._hold(seat, cards, gone=True)
        if to is None or to == self._seat:
            return
        into = self.piles.setdefault((to, None), []) if isinstance(to, str) else self.hands[to]
        for card in cards:
            heap = self._heap(1)
            into.append(heap)
            self._variable(card, {heap})

    def _draw(self, seat: Seat, pile: Pile, amount: int | None) -> None:
        heaps = self.piles.get(pile, [])
        left = sum(self.rooms[heap] for heap in heaps) if amount is None else amount
        while left:
            if not heaps:
                raise Impossible
            heap = heaps[0]
            if self.rooms[heap] <= left:
                heaps.pop(0)
            else:
                heap = self._top(heap, left)
            left -= self.rooms[heap]
            self.hands[seat].append(heap)

    def _top(self, heap: int, amount: int) -> int:
        """A new heap of the top cards of this one in a pile."""
        part = self.parts[heap]
        if part < 0 or self.parts.count(part) > 1:
            new = self._split(heap, amount)
            if heap in self.ordered:
                self.ordered.insert(self.ordered.index(heap), new)
            return new
        places = self.places[part]
        self.places[part] = places[amount:]
        return self._cut(heap, places[:amount])

    def _cut(self, heap: int, places: tuple[int, ...]) -> int:
        """A new heap with these places of this one, which no longer has them."""
        self.rooms[heap] -= len(places)
        return self._apart(heap, self._heap(len(places), places))

    def _open(self, position: int, card: Card) -> None:
        variable = self._newest.get(card)
        part = next((number for number, places in enumerate(self.places) if position in places), None)
        if variable is None or part is None:
            return
        heaps = [heap for heap, of in enumerate(self.parts) if of == part]
        if len(heaps) > 1:
            self.fixed[position] = variable
            self.possible[variable] &= set(heaps)
            if not self.possible[variable]:
                raise Impossible
            return
        heap = heaps[0]
        if self.rooms[heap] > 1:
            heap = self._single(heap, part, position)
        for other, among in self.possible.items():
            if other != variable:
                among.discard(heap)
                if not among:
                    raise Impossible
        self.possible[variable] = {heap}

    def _single(self, heap: int, part: int, position: int) -> int:
        """A heap of the card at one place, cut from its heap, whose other cards keep their order."""
        places = self.places[part]
        index = places.index(position)
        new = self._cut(heap, (position,))
        before, after = places[:index], places[index + 1 :]
        self.places[part] = after or before
        for heaps in (*self.hands, *self.piles.values()):
            if heap in heaps:
                at = heaps.index(heap)
                heaps.insert(at if after else at + 1, new)
                if before and after:
                    heaps.insert(at, self._cut(heap, before))
        return new


def arrangements(rooms: Iterable[int]) -> int:
    """The number of ways to put as many cards as there is room for into heaps of these sizes."""
    number, total = 1, 0
    for room in rooms:
        total += room
        number *= comb(total, room)
    return number


class Merged(NamedTuple):
    """Heaps, where those in which exactly the same cards may be are taken together."""

    possible: Mapping[str, frozenset[int]]
    rooms: Mapping[int, int]
    together: Mapping[int, Sequence[int]]
    """The heaps that each stands for."""


def merged(possible: Mapping[str, set[int]], rooms: Mapping[int, int]) -> Merged:
    """The heaps with room, and those of them in which each card may be."""
    inside: dict[int, list[str]] = {heap: [] for heap, room in rooms.items() if room}
    for variable, heaps in possible.items():
        for heap in heaps:
            if heap in inside:
                inside[heap].append(variable)
    alike: dict[tuple[str, ...], list[int]] = {}
    for heap, variables in inside.items():
        alike.setdefault(tuple(variables), []).append(heap)
    together = {heaps[0]: heaps for heaps in alike.values()}
    stands = {heap: first for first, heaps in together.items() for heap in heaps}
    return Merged(
        {
            variable: frozenset([stands[heap] for heap in heaps if heap in stands])
            for variable, heaps in possible.items()
        },
        {first: sum(rooms[heap] for heap in heaps) for first, heaps in together.items()},
        together,
    )
