"""How strangers play Tëtka."""

from tests.games.tetka.checker import PACK
from tests.support.habits import Habits

RULES = [f"TE-4.{number}" for number in range(1, 7)]


HABITS = Habits(
    game="tetka",
    rounds=2,
    games=3,
    few={f"line {rule}" for rule in RULES},
    many={
        *(f"bum card {card[0]}" for card in PACK),
        "two queens in a trick",
        "2 equal in tricks",
        "3 equal in tricks",
    },
    in_public={"cards-dealt": ("shown",), "card-played": ("card",)},
)
