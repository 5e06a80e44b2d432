"""How strangers play Solo."""

from tests.games.solo.checker import LEVELS
from tests.support.habits import Habits, Wish

BIDDING = {"pass": 0.0}
LEAVING = {"pass": 1000.0}


DECLARED = [f"{game} in {trumps}" for game in LEVELS for trumps in ("suit", "color")]

TWICE = [game for game in LEVELS for _ in range(2)]

HABITS = Habits(
    game="solo",
    # The first six games are played once with color for trumps, once with another suit.
    option_sets=[{}, {"color": "h"}, {"color": "s"}, {"color": "d"}],
    leanings={"pass": (0.1, 0.5, 1.0, 20.0), "ask": (1.0, 5.0), "yes": (1.0, 5.0)},
    wishes=[
        *(Wish({"game": game, "trump": trump}, BIDDING, LEAVING) for game, trump in zip(TWICE, "cssccd", strict=True)),
        Wish({}, BIDDING, BIDDING),
        Wish({}, LEAVING, LEAVING),
    ],
    rounds=6,
    games=5,
    few={*DECLARED, "event queen-shown", "event partner-shown", "6 held"},
    many={
        *(f"{level} held" for level in range(2, 7)),
        *(f"{declared} failed" for declared in DECLARED),
        *(f"{declared} made" for declared in DECLARED if not declared.startswith("tout")),
    },
    in_public={"queen-shown": ("card",), "contract-declared": ("called",), "card-played": ("card",)},
)
