"""How acts are compared, and what playouts learn."""

from math import inf

from domain.games.don.acts import Play
from domain.games.lhombre import acts as lhombre
from domain.kernel.course import Standing
from domain.kernel.ledger import Transfer
from domain.kernel.offers import Offer, SomeOf
from domain.kernel.worth import Score
from domain.opponents.choosing import STEP, Results
from domain.opponents.lessons import ENOUGH, FEW, Lessons
from domain.opponents.playouts import Playouts, discarding, gains
from domain.opponents.winning import to_target, won
from domain.registry import GAMES
from tests.support.for_each import for_each
from tests.support.picking import repeatable

ACE, KING, QUEEN, JACK, TEN, NINE = (Play(f"{rank}s") for rank in "AKQJT9")


def results(*worth: float | None) -> Results:
    made = Results()
    for one in worth:
        made.add(one)
    return made


def test_the_mean_is_that_of_the_worlds_that_say_something() -> None:
    assert results(1.0, None, 3.0).mean == 2.0
    assert results(None).mean == -inf


@for_each(
    "own, best, behind",
    [
        ([0.0] * STEP, [0.0] * STEP, True),
        ([0.0] * STEP, [1.0] * STEP, True),
        ([0.0, 10.0] * (STEP // 2), [1.0, 8.0] * (STEP // 2), False),
        ([0.0, 10.0] * (STEP // 2), [5.0, 15.0] * (STEP // 2), True),
        ([0.0] * 3 + [None] * (STEP - 3), [1.0] * STEP, False),
    ],
)
def test_an_act_is_dropped_that_is_clearly_worse_or_always_equal(
    own: list[float | None], best: list[float | None], behind: bool
) -> None:
    """By what both were worth in the same worlds."""
    assert results(*own).behind(results(*best)) is behind


def test_a_move_that_was_never_made_is_tried_first() -> None:
    lessons = Lessons(2)
    lessons.add(0, (), ACE, 5.0)
    assert lessons.best(0, (), [ACE, KING], 0) == 1
    assert lessons.best(1, (), [ACE, KING], 0) == 0, "another seat has learned nothing from it"
    assert lessons.knows(0, ACE)
    assert not lessons.knows(0, KING)


def test_what_a_card_brought_after_the_first_of_a_trick_counts_once_it_was_seen_often() -> None:
    lessons = Lessons(1)
    for _ in range(10):
        lessons.add(0, (), ACE, 4.0)
        lessons.add(0, (), KING, 0.0)
    for number in range(1, ENOUGH + 1):
        lessons.add(0, (QUEEN,), ACE, -6.0)
        best = lessons.best(0, (QUEEN,), [ACE, KING], 0)
        mean = (40.0 - 6.0 * number) / (10 + number)
        after = -6.0 if number >= ENOUGH else (-6.0 + mean) / 2 if number >= FEW else mean
        assert best == (0 if after > 0 else 1), number
    assert lessons.best(0, (KING,), [ACE, KING], 0) == 1, "after anything else the mean of all counts"


def test_the_last_card_of_a_trick_counts_beside_the_first() -> None:
    lessons = Lessons(1)
    for _ in range(ENOUGH):
        for last, ace, king in ((JACK, 4.0, 0.0), (TEN, 0.0, 4.0)):
            lessons.add(0, (QUEEN, last), ACE, ace)
            lessons.add(0, (QUEEN, last), KING, king)
        lessons.add(0, (QUEEN,), KING, 9.0)
    assert lessons.best(0, (QUEEN, JACK), [ACE, KING], 0) == 0
    assert lessons.best(0, (QUEEN, TEN), [ACE, KING], 0) == 1
    assert lessons.best(0, (QUEEN, NINE), [ACE, KING], 0) == 1, "where nothing is known of the last, the first counts"


def test_of_equal_moves_chance_names_the_first() -> None:
    lessons = Lessons(1)
    for act in (ACE, KING, QUEEN):
        lessons.add(0, (), act, 1.0)
    assert [lessons.best(0, (), [ACE, KING, QUEEN], first) for first in range(3)] == [0, 1, 2]


def test_playouts_about_one_act_learn_nothing_from_those_about_another() -> None:
    playouts = Playouts(GAMES["don"], repeatable(1).randrange, 4, learner=0)
    one, other = playouts.lessons_about(ACE), playouts.lessons_about(KING)
    one.add(0, (), QUEEN, 1.0)
    assert playouts.lessons_about(ACE).knows(0, QUEEN)
    assert not other.knows(0, QUEEN)


def test_the_cards_that_brought_least_are_discarded() -> None:
    """One act for each number of cards; a card that nobody played counts as the mean."""
    playouts = Playouts(GAMES["lhombre"], repeatable(1).randrange, 4, learner=0)
    offer = Offer("exchange", {"discard": SomeOf(("Ah", "Kd", "2c", "3c"), 0, 3)})
    (giving,) = discarding([Offer("abandon"), offer])
    assert playouts.discards(0, *giving) == [], "nothing is known"
    lessons = playouts.lessons_about(None)
    for number, card in enumerate(("2c", "4c", "5c", "Ah", "Kh", "Qh", "Jh", "7h", "Kd")):
        lessons.add(0, (), lhombre.Play(card), 1.0 * number)
    made = [act for act in playouts.discards(0, *giving) if isinstance(act, lhombre.Exchange)]
    assert [act.discard for act in made] == [(), ("2c",), ("2c", "Ah"), ("2c", "Ah", "3c")]
    assert not playouts.discards(1, *giving), "nothing is known of what they bring to another seat"


def test_gains_are_what_the_others_do_not_have() -> None:
    score = Score("made", (Transfer(0, "bank", 9, "points", "CR-1", "", ()),))
    assert gains(score, 4) == [9.0, -3.0, -3.0, -3.0]
    assert gains(score, 4, [1, 0, 0, 10]) == [10 - 10 / 3, -20 / 3, -20 / 3, 10 - 10 / 3]


def standing(*totals: int) -> Standing:
    return Standing(GAMES["diloti"].options(), 99, 1, 0, totals, dict(enumerate(totals)))


def test_in_a_game_to_a_target_the_deal_that_ends_it_is_worth_more_to_its_winners() -> None:
    course = GAMES["diloti"].course
    score = Score("played", (Transfer(0, "bank", 9, "points", "DI-1", "", ()),))
    assert to_target(course)
    assert won(course, standing(30, 40), score) == [0, 0]
    assert won(course, standing(55, 40), score) == [64, 0]


def test_a_game_of_so_many_deals_counts_points_alone() -> None:
    assert not to_target(GAMES["king"].course)
