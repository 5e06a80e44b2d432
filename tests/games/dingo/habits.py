"""How strangers play Dingo."""

from tests.games.dingo.checker import RANKS
from tests.support.habits import Habits, Wish

HABITS = Habits(
    game="dingo",
    leanings={"pass": (0.1, 1.0), "play-wolf": (1.0, 5.0)},
    # Cards are offered in sorted order: who leans to the first gives up high cards, who leans to the last low ones.
    wishes=[
        Wish({}, {"play-wolf": 20.0}, {"play-wolf": 5.0}, (-0.7, -0.7)),
        Wish({}, {}, {"pass": 5.0}, (0.7, 0.7)),
        Wish({}, {}, {}),
    ],
    rounds=2,
    games=3,
    few={"event hunt-off", "a rank with 0 wolves", "a rank with 1 wolves", "line DG-5.4", "line DG-5.5", "line DG-6.5"},
    many={
        "a rank with 2 wolves",
        *(f"{number} black aces" for number in range(3)),
        "both black aces by one",
        "event rabbit-played",
        "event ace-shown",
        *(f"best rabbit {rank}" for rank in RANKS[6:]),
        "line DG-5.6",
    },
    in_public={
        "card-discarded": ("card",),
        "dingo-played": ("card",),
        "wolf-played": ("card",),
        "wolves-played": ("cards",),
        "rabbit-played": ("card",),
        "ace-shown": ("card",),
        "hunt-ended": ("score", "penalty"),
        "hand-exposed": ("cards",),
    },
    open=[f"{rank}d" for rank in RANKS[:-1]],
    in_section={"card-passed": ("card",)},
)
