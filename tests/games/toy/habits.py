"""How strangers play the toy."""

from tests.support.habits import Habits, Wish

EARLY = {"capture": 20.0, "snap": 20.0}
"""Captures renew the stock."""

HABITS = Habits(
    game="toy",
    option_sets=[{}, {"target": 2}, {"limit": 0, "target": 20}],
    leanings={"snap": (0.1, 20.0), "capture": (1.0, 20.0), "turn": (0.1, 1.0)},
    wishes=[Wish({}, EARLY, EARLY), Wish({"cards": []}, {"lay": 20.0}, {"lay": 20.0})],
    rounds=1,
    games=3,
    few={"won", "over: target reached", "stock-renewed", "batch-dealt", "card-turned", "cards-captured", "snapped"},
    many={"level", "cards rejected", "over: last deal scored"},
    in_public={
        "cards-dealt": ("shown",),
        "pledges-opened": ("pledges",),
        "card-laid": ("card",),
        "cards-captured": ("card", "taken"),
        "card-turned": ("turned",),
    },
    differing=("stock",),
    in_section={"card-passed": ("card",), "pledge-made": ("cards",), "batch-dealt": ("cards",)},
)
