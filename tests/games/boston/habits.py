"""How strangers play Boston."""

from tests.games.boston.checker import LADDER, OUTCOMES, SUPPORTED
from tests.support.habits import Habits, Wish

BIDDING = {"pass": 0.0, "play-alone": 0.5, "call": 1.0}
LEAVING = {"pass": 1000.0}

FIRST = ("five", "petite-misere-ouverte", "six", "boston-ouvert", "piccolissimo", "eight")
"""The contracts of the first games: with a call, a discard, an open hand, and what an option adds."""
WISHED = [*FIRST, *(contract for contract in LADDER if contract not in (*FIRST, "four-ace-misere"))]
"""Nobody can wish for a Four-ace misère: chance deals the aces."""

OPTIONS = [
    {"piccolissimo": piccolissimo, "five_base": base, "four_ace_revoke": revoke}
    for revoke in ("once", "free")
    for base in (3, 4)
    for piccolissimo in (True, False)
]


HABITS = Habits(
    game="boston",
    option_sets=OPTIONS,
    leanings={"pass": (0.1, 0.5, 1.0, 20.0), "call": (1.0, 5.0)},
    wishes=[
        *(Wish({"contract": contract}, BIDDING, LEAVING) for contract in WISHED),
        Wish({}, BIDDING, BIDDING),
        Wish({}, LEAVING, LEAVING),
    ],
    rounds=6,
    games=4,
    few={*FIRST, "accepted", "event card-put-down", "event hand-exposed", "event support-called"},
    many={
        *WISHED,
        *OUTCOMES,
        "event played-alone",
        "declined",
        *(f"{contract} missed" for contract in WISHED if contract not in SUPPORTED),
    },
    in_public={"bid-made": ("shown",), "hand-exposed": ("cards",), "card-played": ("card",)},
    in_section={"card-put-down": ("card",)},
    differing=("put_down",),
)
