"""How strangers play Burraco."""

from tests.support.habits import Habits, Wish

HABITS = Habits(
    game="burraco",
    option_sets=[{"target": 500}, {"players": 2, "semi_clean": True}, {}, {"players": 2, "target": 1000}],
    seats=lambda options: int(options.get("players", 4)),
    leanings={
        "draw": (1.0, 3.0),
        "take-pile": (0.3, 1.0),
        "lay": (0.5, 5.0),
        "add": (1.0, 10.0),
        "discard": (0.5, 1.0),
    },
    wishes=[
        Wish({}, {"lay": 9.0, "add": 30.0, "draw": 4.0}, {"draw": 4.0}),
        Wish({}, {"take-pile": 3.0, "add": 9.0}, {"add": 9.0}),
    ],
    rounds=1,
    games=4,
    few={"stock-exhausted", "a long pile taken", "over: last deal scored"},
    many={
        "closed",
        "stalemate",
        *(f"{kind} burraco" for kind in ("clean", "semi-clean", "dirty")),
        "pozzetto at once",
        "pozzetto face down",
        "over: target passed",
    },
    in_public={
        "cards-dealt": ("shown",),
        "pile-taken": ("cards",),
        "meld-laid": ("cards", "wild"),
        "card-added": ("card", "cards", "wild"),
        "card-discarded": ("card",),
    },
    in_section={"card-drawn": ("card",), "pozzetto-opened": ("cards",)},
    differing=("stock", "pozzetti"),
    events_a_deal=900,
)
