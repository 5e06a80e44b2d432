"""How strangers play Ombre."""

from collections.abc import Iterator, Sequence

from tests.games.ombre.checker import BIDS
from tests.support.habits import Envelope, Habits, Wish

BIDDING = {"pass": 0.0, "offer-surrender": 0.0}
SURRENDERING = {"pass": 0.0, "offer-surrender": 5.0}
LEAVING = {"pass": 1000.0, "hold": 0.0}
VYING = {"pass": 0.1, "hold": 20.0}
ACTS = ("exchange-yielded", "talon-turned", "deal-passed-out")


def seen(events: Sequence[Envelope]) -> Iterator[str]:
    """What there was in a game: contracts and what they came to, feats, and the rarer acts."""
    contract, drawn = None, 0
    for event in events:
        public = event["public"]
        match event["type"]:
            case "cards-dealt":
                contract, drawn = None, 0
            case "bid-made" if public["hold"]:
                yield f"{public['contract']} held"
            case "contract-declared":
                contract = public["contract"]
                yield contract
            case "cards-exchanged":
                drawn += public["count"]
            case "surrender-answered":
                yield "surrender accepted" if public["accepted"] else "surrender forbidden"
            case "deal-scored":
                yield from (public["outcome"], f"{contract} {public['outcome']}")
                yield from (line["kind"] for line in public["lines"])
                if drawn == 13:
                    yield "talon used up"
            case name if name in ACTS or name == "play-stopped":
                yield event["type"]
            case _:
                pass


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
    few={*BIDS, *ACTS, "surrender forbidden"},
    many={
        "win", "codille", "puesta", "surrendered", "new-ombre-won", "new-ombre-failed", "vuelta held", "solo held",
        "vuelta win", "solo win", "solo puesta", "solo codille", "surrender accepted", "talon used up",
    },
    seen=seen,
    in_public={"talon-turned": ("card",), "card-played": ("card",)},
    in_section={"cards-exchanged": ("drawn",)},
    differing=("talon",),
)  # fmt: skip
