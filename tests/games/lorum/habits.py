"""How strangers play Lórum."""

from itertools import product

from tests.games.lorum.checker import OUTCOMES
from tests.support.habits import BY_RANK, Habits, Wish

CAPTURES = OUTCOMES[:4]
LATER = OUTCOMES[4:]


HABITS = Habits(
    game="lorum",
    # The first two tables differ in both options.
    option_sets=[
        {"hairy_ape": ape, "train_ten": ten}
        for ape, ten in sorted(product(("blind", "open"), (1, 10)), key=lambda row: row in (("blind", 10), ("open", 1)))
    ],
    wishes=[*BY_RANK, Wish({}, {}, {}, (0.9, 0.0))],
    rounds=2,
    games=1,
    few={"outcome two-captured", *(f"outcome {outcome}" for outcome in LATER), "event turn-passed", "all deals"},
    many={
        *(f"outcome {outcome}" for outcome in CAPTURES),
        "event trick-kept",
        "three passes in a row",
        "same seat plays again",
    },
    in_public=dict.fromkeys(("card-played", "card-turned", "card-counted", "card-added", "card-laid"), ("card",)),
)
