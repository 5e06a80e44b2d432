"""How strangers play Solo."""

from collections.abc import Iterator, Sequence

from tests.games.solo.checker import LEVELS
from tests.support.habits import Envelope, Habits, Wish

BIDDING = {"pass": 0.0}
LEAVING = {"pass": 1000.0}


def seen(events: Sequence[Envelope]) -> Iterator[str]:
    """What there was in a game: levels held, games and what they came to, and the rarer acts."""
    declared = ""
    for event in events:
        public = event["public"]
        match event["type"]:
            case "bid-held":
                yield f"{public['level']} held"
            case "queen-shown":
                yield event["type"]
            case "contract-declared":
                declared = f"{public['game']} at {public['level']}"
                yield declared
                if public["called"] is not None and public["called"][0] == "K":
                    yield "king called"
            case "partner-shown":
                yield event["type"]
            case "deal-scored":
                yield f"{declared} {public['outcome']}"
            case _:
                pass


DECLARED = [f"{game} at {level + color}" for game, level in LEVELS.items() for color in (0, 1)]

TWICE = [game for game in LEVELS for _ in range(2)]

HABITS = Habits(
    game="solo",
    # The first six games are played once with color for trumps, once with another suit.
    option_sets=[{}, {"color": "h"}, {"color": "s"}, {"color": "d"}],
    leanings={"pass": (0.1, 0.5, 1.0, 20.0), "ask": (1.0, 5.0), "yes": (1.0, 5.0)},
    wishes=[
        *(Wish({"game": game, "trump": trump}, BIDDING, LEAVING) for game, trump in zip(TWICE, "cssccd", strict=True)),
        Wish({}, BIDDING, BIDDING),
        Wish({}, LEAVING, LEAVING),
    ],
    rounds=6,
    games=5,
    few={*DECLARED, "queen-shown", "partner-shown", "6 held"},
    many={
        *(f"{level} held" for level in range(2, 7)),
        *(f"{declared} failed" for declared in DECLARED),
        *(f"{declared} made" for declared in DECLARED if not declared.startswith("tout")),
    },
    seen=seen,
    in_public={"queen-shown": ("card",), "contract-declared": ("called",), "card-played": ("card",)},
)
