"""How strangers play Diloti."""

from tests.support.habits import Habits, Wish

HABITS = Habits(
    game="diloti",
    option_sets=[
        {"target": 21},
        {"players": 4, "target": 21, "court_lay": "free", "court_capture": "all"},
        {"redeal": "court", "court_capture": "all"},
        {"players": 4},
        {"court_lay": "free", "redeal": "court"},
    ],
    seats=lambda options: int(options.get("players", 2)),
    leanings={"lay": (0.3, 1.0), "capture": (1.0, 3.0), "declare": (1.0, 5.0)},
    wishes=[
        Wish({}, {"declare": 9.0}, {"declare": 9.0}),
        Wish({}, {"capture": 9.0}, {"capture": 9.0, "declare": 5.0}),
        # Who may lay does.
        Wish({}, {"lay": 1000.0}, {"lay": 1000.0}),
    ],
    rounds=2,
    games=4,
    few={
        "most-cards",
        "group",
        "plain declaration",
        "own declaration captured",
        "declaration of another captured",
        "event rest-taken",
    },
    many={
        "redeal",
        "declaration grouped",
        "declaration raised",
        "line DL-9.3",
        "cards-equal",
        "nothing-captured",
        "over: target reached",
        "over: last deal scored",
    },
    in_public={
        "cards-dealt": ("shown",),
        "card-laid": ("card",),
        "cards-captured": ("card", "loose", "taken"),
        "declaration-made": ("card", "loose", "cards"),
        "rest-taken": ("cards",),
    },
    in_section={"batch-dealt": ("cards",)},
    differing=("stock",),
    events_a_deal=70,
)
