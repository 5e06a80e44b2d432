"""How strangers play Khanhoo."""

from collections.abc import Iterator, Sequence

from tests.support.habits import Envelope, Habits, Wish


def seen(events: Sequence[Envelope]) -> Iterator[str]:
    """What there was in a game: all types of events, what deals came to, melds scored, and how the game ended."""
    for event in events:
        public = event["public"]
        match event["type"]:
            case "deal-scored":
                yield public["outcome"]
                yield from (line["rule"] for line in public["lines"])
            case "game-finished":
                yield public["reason"]
            case "bumps-announced":
                yield f"{len(public['bumps'])} bumps"
            case other:
                yield other


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
        "bump-yielded",
        "meld-laid",
        "stock-renewed",
        "discard-drawn",
        "discard-taken",
        "1 bumps",
        "KH-5.2",
    },
    many={"bump-challenged", "2 bumps", "target reached", "last deal scored", "KH-5.1", "KH-5.3", "KH-5.6"},
    seen=seen,
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
