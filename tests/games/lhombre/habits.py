"""How strangers play L'Hombre."""

from tests.games.lhombre.checker import CONTRACTS, OUTCOMES
from tests.support.habits import Habits, Wish

BIDDING = {"pass": 0.0}
LEAVING = {"pass": 1000.0, "self": 0.0}
EVERYONE = [name for name in CONTRACTS if name != "grand-tourne"]
"""What may be bid with any cards."""
PLAYING = {**BIDDING, "abandon": 0.0, "stop": 0.5}
TALL = ("simple-game", "solo", "spade-solo")
"""What is played for all tricks, high cards first."""


HABITS = Habits(
    game="lhombre",
    option_sets=[{}, {"players": 3}, {"sitter_pays": False}, {"players": 3, "sitter_pays": False}],
    seats=lambda options: int(options.get("players", 4)),
    leanings={
        "pass": (0.1, 0.5, 1.0, 20.0),
        "abandon": (0.0, 0.02, 0.2),
        "self": (1.0, 5.0),
        "stop": (0.5, 5.0),
    },
    wishes=[
        *(Wish({"contract": contract}, BIDDING, LEAVING) for contract in EVERYONE),
        Wish({"contract": "grand-tourne"}, BIDDING, LEAVING),
        Wish({}, LEAVING, LEAVING),
        *(Wish({"contract": contract, "trump": "s"}, PLAYING, LEAVING, early=(0.95, -0.7)) for contract in TALL),
    ],
    rounds=10,
    games=5,
    few={*EVERYONE, "outcome kodille", "event hand-exposed", "event talon-turned"},
    many={
        *(f"outcome {outcome}" for outcome in OUTCOMES), "self", "redefined", "talon used up",
        *(f"{contract} kodille" for contract in EVERYONE),
        *(f"{kind} {result}" for kind in ("game", "nolo") for result in ("win", "bete", "kodille")),
    },
    in_public={
        "bid-made": ("shown",), "talon-turned": ("card",), "card-played": ("card",), "hand-exposed": ("cards",),
        "deal-abandoned": ("cards",),
    },
    in_section={"cards-exchanged": ("drawn",)},
    differing=("talon",),
)  # fmt: skip
