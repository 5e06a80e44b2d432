"""How strangers play L'Hombre."""

from collections.abc import Iterator, Sequence

from tests.games.lhombre.checker import CONTRACTS, OUTCOMES
from tests.support.habits import Envelope, Habits, Wish

BIDDING = {"pass": 0.0}
LEAVING = {"pass": 1000.0, "self": 0.0}
EVERYONE = [name for name in CONTRACTS if name != "grand-tourne"]
"""What may be bid with any cards."""
PLAYING = {**BIDDING, "abandon": 0.0, "stop": 0.5}
TALL = ("simple-game", "solo", "spade-solo")
"""What is played for all tricks, high cards first."""


def seen(events: Sequence[Envelope]) -> Iterator[str]:
    """What there was in a game: contracts, what they were made of and came to, and the rarer acts."""
    bid = contract = None
    drawn = 0
    for event in events:
        public = event["public"]
        match event["type"]:
            case "cards-dealt":
                drawn = 0
                contract = None
            case "bid-made":
                bid = public["contract"]
                if public["self"]:
                    yield "self"
            case "contract-declared":
                contract = public["contract"]
                yield contract
                if bid != contract:
                    yield from ("redefined", f"{bid} made {contract}")
            case "cards-exchanged":
                drawn += public["count"]
            case "hand-exposed" | "talon-turned" | "play-stopped":
                yield event["type"]
            case "deal-scored":
                outcome = public["outcome"]
                yield from (outcome, f"{contract} {outcome}")
                if contract is not None:
                    yield f"{'nolo' if CONTRACTS[contract].nolo else 'game'} {outcome}"
                if touts := [line for line in public["lines"] if line["kind"] == "tout"]:
                    # The first line of a pair is declarer's.
                    yield "tout made" if touts[0]["amount"] > 0 else "tout failed"
                if drawn == 13:
                    yield "talon used up"
            case _:
                pass


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
    few={*EVERYONE, "kodille", "hand-exposed", "talon-turned"},
    many={
        *OUTCOMES, "self", "redefined", "talon used up", *(f"{contract} kodille" for contract in EVERYONE),
        *(f"{kind} {result}" for kind in ("game", "nolo") for result in ("win", "bete", "kodille")),
    },
    seen=seen,
    in_public={
        "bid-made": ("shown",), "talon-turned": ("card",), "card-played": ("card",), "hand-exposed": ("cards",),
        "deal-abandoned": ("cards",),
    },
    in_section={"cards-exchanged": ("drawn",)},
    differing=("talon",),
)  # fmt: skip
