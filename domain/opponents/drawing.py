"""Drawing the hidden cards: which card lies at which place, by where each of them may be."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from domain.cards import Card
from domain.opponents.placing import Impossible, Placing
from domain.opponents.whereabouts import Whereabouts, arrangements, merged, name_of
from domain.picking import Chance

MOST_HEAPS = 8
"""The most heaps for which all placings are counted."""

SCALE = 1 << 30
"""The weight of a guess that allows all arrangements."""


class Cards(NamedTuple):
    """Hidden cards as drawn: by places of the deal, and those that left a hand unseen, by the number of the fact."""

    at: dict[int, Card]
    left: dict[int, tuple[Card, ...]]


class Drawing:
    """Draws the cards of these whereabouts.

    All consistent placings are equally likely; with more heaps than can be counted, the cards that left their hands
    are placed first, each with equal chances among the slots that it may have. Raises Impossible if no placing is
    consistent.
    """

    def __init__(self, where: Whereabouts) -> None:
        self.where = where
        """The heaps, and where each hidden card may be."""
        self.weight = SCALE
        """How likely these whereabouts are beside others, up to a factor."""
        self._counted: Placing[int] | None = None
        self._merged = merged(where.possible, dict(enumerate(where.rooms)))
        if len(self._merged.rooms) <= MOST_HEAPS:
            self._counted = Placing(self._merged.possible, self._merged.rooms)
            if where.guessed:
                self.weight = max(1, self._counted.number * SCALE // arrangements(room for room in where.rooms if room))

    def draw(self, chance: Chance) -> Cards:
        """The cards at their places. Raises Impossible if they came to lie where the facts do not allow it."""
        heaps = self._heaps(chance)
        where = self.where
        for among, needed in where.needed:
            if not any(variable in needed for heap in among for variable in heaps.get(heap, ())):
                raise Impossible
        at: dict[int, Card] = {}
        for part, places in enumerate(where.places):
            self._place(part, places, heaps, at, chance)
        left = {
            number: tuple([name_of(variable) for heap in among for variable in heaps.get(heap, ())])
            for number, among in where.left.items()
        }
        return Cards(at, left)

    def _heaps(self, chance: Chance) -> dict[int, list[str]]:
        """The cards in each heap."""
        if self._counted is not None:
            return _apart(self._counted.draw(chance), self._merged.together, self.where.rooms, chance)
        rooms = dict(enumerate(self.where.rooms))
        heaps: dict[int, list[str]] = {}
        possible = self.where.possible
        for variable in sorted(self.where.gone, key=lambda one: (len(possible[one]), one)):
            among = [heap for heap in sorted(possible[variable]) if rooms[heap]]
            total = sum(rooms[heap] for heap in among)
            if not total:
                raise Impossible
            chosen = chance(total)
            for heap in among:
                chosen -= rooms[heap]
                if chosen < 0:
                    rooms[heap] -= 1
                    heaps.setdefault(heap, []).append(variable)
                    break
        rest = merged({one: possible[one] for one in possible if one not in self.where.gone}, rooms)
        drawn = Placing(rest.possible, rest.rooms).draw(chance)
        for heap, variables in _apart(drawn, rest.together, rooms, chance).items():
            heaps.setdefault(heap, []).extend(variables)
        return heaps

    def _place(
        self, part: int, places: Sequence[int], heaps: dict[int, list[str]], at: dict[int, Card], chance: Chance
    ) -> None:
        """Puts the cards of a group of heaps at its places."""
        where = self.where
        fixed = {position: where.fixed[position] for position in places if position in where.fixed}
        at.update({position: name_of(variable) for position, variable in fixed.items()})
        known, free = set(fixed.values()), [position for position in places if position not in fixed]
        rest = {
            heap: [variable for variable in heaps.get(heap, ()) if variable not in known]
            for heap, of in enumerate(where.parts)
            if of == part
        }
        taken = {heap: [free.pop(chance(len(free))) for _ in variables] for heap, variables in rest.items()}
        in_order = [heap for heap in where.ordered if heap in taken]
        positions = iter(sorted(position for heap in in_order for position in taken[heap]))
        for heap in in_order:
            taken[heap] = [next(positions) for _ in taken[heap]]
        for heap, variables in rest.items():
            at.update(zip(taken[heap], map(name_of, variables), strict=True))


def _apart(
    drawn: Mapping[int, tuple[str, ...]],
    together: Mapping[int, Sequence[int]],
    rooms: Sequence[int] | Mapping[int, int],
    chance: Chance,
) -> dict[int, list[str]]:
    """The cards of heaps that were taken together, shared out to each."""
    heaps: dict[int, list[str]] = {}
    for first, variables in drawn.items():
        left = list(variables)
        for heap in together[first]:
            heaps[heap] = [left.pop(chance(len(left))) for _ in range(rooms[heap])]
    return heaps
