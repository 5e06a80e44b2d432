"""How strangers play every game that is offered."""

from tests.support.habits.crocodile import CROCODILE
from tests.support.habits.form import Habits
from tests.support.habits.lhombre import LHOMBRE
from tests.support.habits.ombre import OMBRE
from tests.support.habits.solo import SOLO

HABITS: dict[str, Habits] = {habits.game: habits for habits in (CROCODILE, LHOMBRE, OMBRE, SOLO)}
