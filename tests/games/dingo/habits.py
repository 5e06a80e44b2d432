"""How strangers play Dingo."""

from collections.abc import Iterator, Sequence

from tests.games.dingo.checker import RANKS
from tests.support.habits import Envelope, Habits, Wish


def seen(events: Sequence[Envelope]) -> Iterator[str]:
    """What there was in a game: how the hunts went, and what became of the ace of diamonds."""
    wolves = 0
    for event in events:
        public = event["public"]
        match event["type"]:
            case "dingo-played":
                wolves = 0
            case "wolf-played":
                wolves += 1
            case "wolves-played":
                wolves += len(public["cards"])
                if len(public["cards"]) == 2:
                    yield "both black aces by one"
            case "hunt-off" | "rabbit-played" | "ace-shown":
                yield event["type"]
            case "hunt-ended":
                yield f"{'aces' if public['rank'] == 'A' else 'a rank'} with {wolves} wolves"
            case "deal-scored":
                yield from (f"best rabbit {rank}" for rank in public["rabbits"] if rank is not None)
                yield from (line["rule"] for line in public["lines"])
            case _:
                pass


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
    few={"hunt-off", "a rank with 0 wolves", "a rank with 1 wolves", "DG-5.4", "DG-5.5", "DG-6.5"},
    many={
        "a rank with 2 wolves",
        *(f"aces with {number} wolves" for number in range(3)),
        "both black aces by one",
        "rabbit-played",
        "ace-shown",
        *(f"best rabbit {rank}" for rank in RANKS[6:]),
        "DG-5.6",
    },
    seen=seen,
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
