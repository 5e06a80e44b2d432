"""One against two: what counts of who won which trick, for every deal that there can be."""

from itertools import product

from domain.parts.tally import FIRST_TRICKS, Tally, tally
from tests.support.for_each import for_each


def test_every_beginning_of_a_deal_is_counted_as_it_was_won() -> None:
    tallies: dict[tuple[int, ...], Tally] = {(): Tally()}
    for tricks in range(1, 10):
        for winners in product(range(3), repeat=tricks):
            one = tallies[winners] = tallies[winners[:-1]].after_trick(winners[-1])
            assert (one.declarer, one.first, one.second) == tuple(map(winners.count, range(3)))
            assert one.tricks == tricks
            assert one.primeras is (set(winners[:FIRST_TRICKS]) == {0})
            assert one.contraprimeras is (0 not in winners[:FIRST_TRICKS])


@for_each("declarer, first, second", [(d, a, 9 - d - a) for d in range(10) for a in range(10 - d)])
def test_what_nine_tricks_come_to(declarer: int, first: int, second: int) -> None:
    one = Tally(declarer, first, second)
    assert one.best == sorted((first, second))[1]
    assert one.most is (declarer > first and declarer > second)
    assert one.level is (declarer == max(first, second))
    assert one.cuatro is (declarer == 4 and sorted((first, second)) == [2, 3])


def test_before_the_first_trick_nothing_is_lost() -> None:
    assert Tally() == Tally(0, 0, 0, primeras=True, contraprimeras=True)
    assert Tally().tricks == 0


@for_each("order", [(0, 1, 2), (2, 1, 0), (1, 3, 2), (3, 0, 2)])
@for_each("place", range(3))
def test_seats_are_counted_from_declarer_in_the_order_of_turns(order: tuple[int, ...], place: int) -> None:
    declarer, first, second = (order[(place + step) % 3] for step in range(3))
    winners = (declarer, first, first, declarer, second, first)
    assert tally(declarer, order, winners) == Tally(2, 3, 1, primeras=False, contraprimeras=False)
    assert tally(declarer, order, ()) == Tally()
    assert tally(declarer, order, (declarer,) * 5).primeras
    assert tally(declarer, order, (second, first, second, first, second, declarer)).contraprimeras
