"""How strangers play the toy."""

from collections.abc import Iterator, Sequence

from tests.support.habits import Envelope, Habits, Wish


def seen(events: Sequence[Envelope]) -> Iterator[str]:
    """What there was in a game: all types of events, what deals came to, and how the game ended."""
    for event in events:
        public = event["public"]
        match event["type"]:
            case "deal-scored":
                yield public["outcome"]
            case "game-finished":
                yield public["reason"]
            case "cards-dealt" if "rejected" in public:
                yield "rejected"
            case other:
                yield other


EARLY = {"capture": 20.0, "snap": 20.0}
"""Captures renew the stock."""

HABITS = Habits(
    game="toy",
    option_sets=[{}, {"target": 2}, {"limit": 0, "target": 20}],
    leanings={"snap": (0.1, 20.0), "capture": (1.0, 20.0), "turn": (0.1, 1.0)},
    wishes=[Wish({}, EARLY, EARLY), Wish({"cards": []}, {"lay": 20.0}, {"lay": 20.0})],
    rounds=1,
    games=3,
    few={"won", "target reached", "stock-renewed", "batch-dealt", "card-turned", "cards-captured", "snapped"},
    many={"level", "rejected", "last deal scored"},
    seen=seen,
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
