"""A player who knows no rules comes to an end where nobody has to act, and goes in circles no longer than needed."""

from random import Random

from domain.kernel.offers import Offer, OneOf
from service.cli.explorer import Explorer
from tests.support.for_each import for_each

ROUND = 13
STEPS = 8


class World:
    """A pile that goes round, two cards that go to and fro, and steps that cannot be taken back; one can give up.

    Each step is open at one place of the pile alone.
    """

    def __init__(self) -> None:
        self.place = 0
        self.columns = [0, 0]
        self.steps = 0
        self.given_up = 0

    @property
    def situation(self) -> object:
        return {"place": self.place, "columns": self.columns, "steps": self.steps}

    @property
    def can_step(self) -> bool:
        return self.steps < STEPS and self.place == 5 * self.steps % ROUND

    @property
    def offers(self) -> list[Offer]:
        moves = [Offer("move", {"card": OneOf((card,)), "to": OneOf((1 - at,))}) for card, at in self._at()]
        step = [Offer("step", {"number": OneOf((self.steps,))})] if self.can_step else []
        return [Offer("turn"), Offer("give-up"), *moves, *step]

    def take(self, action: dict[str, object]) -> None:
        match action:
            case {"type": "turn"}:
                self.place = (self.place + 1) % ROUND
            case {"type": "give-up"}:
                self.given_up += 1
            case {"type": "move", "card": int(card), "to": int(to)}:
                self.columns[card] = to
            case _:
                self.steps += 1

    def _at(self) -> list[tuple[int, int]]:
        return list(enumerate(self.columns))


@for_each("seed", range(20))
def test_acts_that_cannot_be_undone_come_first_and_giving_up_when_the_rest_leads_round(seed: int) -> None:
    world, explorer, chance = World(), Explorer(1), Random(seed)  # noqa: S311 (choices in a test)

    def act() -> None:
        world.take(explorer.pick(world.situation, world.offers, chance.randrange))

    for _ in range(3 * STEPS * ROUND):
        act()
    assert world.steps == STEPS
    given_up = world.given_up
    for _ in range(5 * ROUND):
        act()
    assert world.given_up > given_up + ROUND // 2


@for_each("seed", range(20))
def test_where_all_other_acts_have_led_round_a_step_that_is_open_is_taken_at_once(seed: int) -> None:
    world, explorer, chance = World(), Explorer(1), Random(seed)  # noqa: S311 (choices in a test)
    for number in range(3 * STEPS * ROUND):
        open_now, before = world.can_step, world.steps
        world.take(explorer.pick(world.situation, world.offers, chance.randrange))
        assert world.steps > before or not open_now or number < 8 * ROUND
