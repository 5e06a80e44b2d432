"""How strangers play Lórum."""

from collections.abc import Iterator, Sequence
from itertools import product

from tests.games.lorum.checker import OUTCOMES
from tests.support.habits import BY_RANK, Envelope, Habits, Wish

CAPTURES = OUTCOMES[:4]
LATER = OUTCOMES[4:]


def seen(events: Sequence[Envelope]) -> Iterator[str]:
    """What there was in a game: how deals ended, tricks that nobody won, passes, sequences, what was paid."""
    options = events[0]["public"]["options"]
    yield from (f"{name} {value}" for name, value in options.items())
    passes = 0
    for event in events:
        public = event["public"]
        match event["type"]:
            case "trick-kept" | "turn-passed" as type_:
                yield type_
                passes = passes + 1 if type_ == "turn-passed" else 0
                if passes == 3:
                    yield "three passes in a row"
            case "card-added" if public["next"] == public["seat"]:
                yield "the same seat plays again"
            case "deal-scored":
                yield public["outcome"]
                yield from (line["rule"] for line in public["lines"])
            case "game-finished":
                yield "all deals" if public["reason"] == "last deal scored" else public["reason"]
            case _:
                pass
        passes = passes if event["type"] == "turn-passed" else 0


HABITS = Habits(
    game="lorum",
    # The first two tables differ in both options.
    option_sets=[
        {"hairy_ape": ape, "train_ten": ten}
        for ape, ten in sorted(product(("blind", "open"), (1, 10)), key=lambda row: row in (("blind", 10), ("open", 1)))
    ],
    wishes=[*BY_RANK, Wish({}, {}, {}, (0.9, 0.0))],
    rounds=2,
    games=1,
    few={"two-captured", *LATER, "turn-passed", "all deals"},
    many={*CAPTURES, "trick-kept", "three passes in a row", "the same seat plays again"},
    seen=seen,
    in_public=dict.fromkeys(("card-played", "card-turned", "card-counted", "card-added", "card-laid"), ("card",)),
)
