"""How strangers play Nuts."""

from tests.support.habits import Habits, Wish

EAGER = {"found": 20.0, "build": 1.0, "turn": 1.0, "stuck": 0.6}
"""Who plays so comes to the end of the reserve."""
PATIENT = {"stuck": 20.0}

# What no option set has is a short time limit: it would run out by the hour of the day.
HABITS = Habits(
    game="nuts",
    option_sets=[
        {"target": 20, "stall": 3600},
        {"players": 3, "nuts_call": "optional"},
        {"players": 4, "stall": 0},
        {"nuts_call": "optional", "stall": 0},
    ],
    seats=lambda options: int(options.get("players", 2)),
    leanings={"stuck": (0.5, 1.0), "turn": (0.5, 1.0), "found": (5.0, 20.0), "build": (0.2, 1.0)},
    wishes=[Wish({}, EAGER, EAGER), Wish({}, PATIENT, PATIENT)],
    rounds=1,
    games=3,
    few={
        *("card-built from reserve", "stuck"),
        *(f"event {kind}" for kind in ("stock-turned", "card-founded", "stuck-said", "shift-made")),
    },
    many={
        *(f"card-built from {source}" for source in ("reserve", "discards", "tableau")),
        *(f"card-founded from {source}" for source in ("reserve", "discards", "tableau")),
        *("called by the house", "called by a player", "event pile-flipped", "nuts"),
        *("over: target passed", "over: last deal scored"),
    },
    in_public={
        "cards-dealt": ("shown",),
        "stock-turned": ("top",),
        "card-built": ("card", "uncovered"),
        "card-founded": ("card", "uncovered"),
    },
    events_a_deal=8000,
    deals=1,
)
