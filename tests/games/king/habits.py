"""How strangers play King."""

from itertools import product

from tests.games.king.checker import AIMS, PENALTIES
from tests.support.habits import Habits, Wish

SUITS = "shdc"
TRUMPS = [*SUITS, None]

AUCTION = {"auction": 1000.0}
NAMING = {"name-trumps": 1000.0}
PASSING = {"pass": 1000.0}
BIDDING = {"pass": 0.0, "bid": 1.0}


HABITS = Habits(
    game="king",
    # The first two tables differ in every option.
    option_sets=[
        {"heart_leads": heart_leads, "auction_opening": opening, "auction_pass": passing}
        for heart_leads, opening, passing in sorted(
            product(("free", "restricted"), ("forced", "free"), ("open", "final")),
            key=lambda row: ("free", "forced", "open") != row != ("restricted", "free", "final"),
        )
    ],
    leanings={"auction": (0.3, 1.0, 5.0), "pass": (0.1, 0.5, 1.0, 20.0)},
    wishes=[
        Wish({"direction": "up"}, AUCTION, BIDDING),
        Wish({"direction": "down", "trump": None}, NAMING, {}),
        *(
            Wish({"direction": direction, "trump": trump}, own, {})
            for direction, (trump, own) in product(("up", "down"), zip(TRUMPS, [AUCTION, NAMING] * 3, strict=False))
        ),
        Wish({}, AUCTION, PASSING),
        Wish({"tricks": 13}, {}, AUCTION),
    ],
    games=2,
    # What follows from the rules alone, or from what the first player of the first two games wishes for.
    few={
        *(f"{PENALTIES[number].aim} played-out" for number in (1, 6)),
        "up played-out",
        "down played-out",
        "event auction-opened",
        *(f"option auction_opening {value}" for value in ("free", "forced")),
        *(f"option heart_leads {value}" for value in ("free", "restricted")),
        *(f"option auction_pass {value}" for value in ("open", "final")),
    },
    many={
        *(f"{aim} {outcome}" for aim in AIMS[1:5] for outcome in ("stopped", "played-out")),
        *(f"{direction}, trumps {trump or 'none'}" for direction in ("up", "down") for trump in TRUMPS),
        *(f"{direction} {how}" for direction in ("up", "down") for how in ("bought", "by the dealer")),
        "13 bid",
        "all passed",
        "bid again after a pass",
    },
)
