"""How strangers play Burraco."""

from collections.abc import Iterator, Sequence

from tests.support.habits import Envelope, Habits, Wish


def seen(events: Sequence[Envelope]) -> Iterator[str]:
    """What there was in a game: what deals came to, burrachi, pozzetti, and how they were taken."""
    last = ""
    for event in events:
        public = event["public"]
        match event["type"]:
            case "card-added" if public["burraco"]:
                yield public["burraco"]
            case "pozzetto-taken":
                yield "pozzetto face down" if last == "card-discarded" else "pozzetto at once"
            case "deal-scored":
                yield public["outcome"]
            case "game-finished":
                yield public["reason"]
            case "pile-taken":
                yield "a long pile taken" if len(public["cards"]) > 3 else "a short pile taken"
            case _:
                pass
        last = event["type"]


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
    few={"stock-exhausted", "a long pile taken", "last deal scored"},
    many={
        "closed",
        "stalemate",
        "clean",
        "semi-clean",
        "dirty",
        "pozzetto at once",
        "pozzetto face down",
        "target passed",
    },
    seen=seen,
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
