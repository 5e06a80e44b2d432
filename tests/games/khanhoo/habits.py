"""How strangers play Khanhoo."""

from tests.support.habits import Habits, Wish

BUMPING = {"bump": 20.0, "yield": 20.0}
CHALLENGING = {"bump": 20.0, "challenge": 20.0, "draw-stock": 9.0}
DRAWING = {"draw-stock": 9.0, "go-out": 20.0}

HABITS = Habits(
    game="khanhoo",
    option_sets=[
        {"players": 4, "target": 20, "turn_limit": 10},
        {"players": 3, "target": 20, "turn_limit": 10},
        {"players": 2, "target": 20, "turn_limit": 16},
    ],
    seats=lambda options: int(options["players"]),
    leanings={"go-out": (1.0, 20.0), "bump": (0.1, 20.0), "challenge": (0.1, 20.0), "draw-stock": (0.3, 1.0, 3.0)},
    wishes=[
        Wish({}, BUMPING, BUMPING),
        Wish({}, CHALLENGING, CHALLENGING),
        Wish({}, DRAWING, DRAWING),
    ],
    rounds=3,
    games=3,
    few={
        "undecided",
        "event bump-yielded",
        "event meld-laid",
        "event stock-renewed",
        "event discard-drawn",
        "event discard-taken",
        "one bumps",
        "line KH-5.2",
    },
    many={
        "event bump-challenged",
        "two bump",
        "over: target reached",
        "over: last deal scored",
        *(f"line KH-5.{number}" for number in (1, 3, 6)),
    },
    in_public={
        "discard-drawn": ("card",),
        "discard-taken": ("card",),
        "card-discarded": ("card",),
        "went-out": ("card",),
        "meld-laid": ("cards",),
        "hands-shown": ("hands",),
        "deal-scored": ("divisions",),
    },
    differing=("stock", "answers"),
    in_section={"stock-drawn": ("drawn",), "claim-answered": ("cards",), "bump-challenged": ("cards",)},
    tried={"turn_limit": (10, 20)},
    tells_choices=True,
    events_a_deal=600,
)
