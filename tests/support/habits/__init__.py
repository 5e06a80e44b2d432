"""How strangers play every game that is offered."""

from tests.support.habits.crocodile import CROCODILE
from tests.support.habits.form import Habits

HABITS: dict[str, Habits] = {habits.game: habits for habits in (CROCODILE,)}
