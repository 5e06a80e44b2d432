"""How strangers play Ombre."""

from tests.games.ombre.checker import BIDS
from tests.support.habits import Habits, Wish

BIDDING = {"pass": 0.0, "offer-surrender": 0.0}
SURRENDERING = {"pass": 0.0, "offer-surrender": 5.0}
LEAVING = {"pass": 1000.0, "hold": 0.0}
VYING = {"pass": 0.1, "hold": 20.0}
ACTS = ("exchange-yielded", "talon-turned", "deal-passed-out")


HABITS = Habits(
    game="ombre",
    option_sets=[{}, {"hold": False}, {"chips": 40}],
    seats=lambda _: 3,
    leanings={
        "pass": (0.1, 0.5, 1.0, 20.0),
        "hold": (1.0, 5.0),
        "yield-exchange": (0.5, 2.0),
        "offer-surrender": (0.0, 0.02, 0.5),
        "stop": (0.5, 5.0),
    },
    wishes=[
        *(Wish({"contract": contract}, BIDDING, LEAVING) for contract in BIDS),
        *(Wish({"contract": contract}, SURRENDERING, LEAVING) for contract in ("entrada", "vuelta")),
        Wish({}, LEAVING, LEAVING),
        *(Wish({"contract": contract}, VYING, VYING) for contract in BIDS),
        *(Wish({"contract": "solo"}, {**BIDDING, "stop": stop}, LEAVING, early=(0.95, 0.0)) for stop in (0.0, 100.0)),
    ],
    games=5,
    few={*BIDS, *(f"event {act}" for act in ACTS), "surrender forbidden"},
    many={
        *(f"outcome {outcome}" for outcome in ("win", "codille", "puesta", "surrendered")), "vuelta held", "solo held",
        "outcome new-ombre-won", "outcome new-ombre-failed", "surrender accepted", "talon used up",
        "vuelta win", "solo win", "solo puesta", "solo codille",
    },
    in_public={"talon-turned": ("card",), "card-played": ("card",)},
    in_section={"cards-exchanged": ("drawn",)},
    differing=("talon",),
)  # fmt: skip
