"""How strangers play Nuts."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.support.habits import Envelope, Habits, Wish


def seen(events: Sequence[Envelope]) -> Iterator[str]:
    """What there was in a game: all types of events, from where cards came, what hands and the game came to."""
    for event in events:
        public = event["public"]
        yield event["type"]
        match event["type"]:
            case "card-built" | "card-founded":
                yield f"{event['type']} from {public['from']}"
            case "nuts-called":
                yield f"called by {event['actor'].partition(':')[0]}"
            case "deal-scored":
                yield public["outcome"]
            case "game-finished":
                yield public["reason"]
            case _:
                pass


def seats(options: Mapping[str, Any]) -> int:
    """As many as the options say."""
    number: int = options.get("players", 2)
    return number


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
    seats=seats,
    leanings={"stuck": (0.5, 1.0), "turn": (0.5, 1.0), "found": (5.0, 20.0), "build": (0.2, 1.0)},
    wishes=[Wish({}, EAGER, EAGER), Wish({}, PATIENT, PATIENT)],
    rounds=1,
    games=3,
    few={"stock-turned", "card-built from reserve", "card-founded", "stuck-said", "shift-made", "stuck"},
    many={
        *(f"card-built from {source}" for source in ("reserve", "discards", "tableau")),
        *(f"card-founded from {source}" for source in ("reserve", "discards", "tableau")),
        *("called by house", "called by seat", "pile-flipped", "nuts", "target passed", "last deal scored"),
    },
    seen=seen,
    in_public={
        "cards-dealt": ("shown",),
        "stock-turned": ("top",),
        "card-built": ("card", "uncovered"),
        "card-founded": ("card", "uncovered"),
    },
    events_a_deal=8000,
    deals=1,
)
