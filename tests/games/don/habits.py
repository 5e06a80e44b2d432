"""How strangers play Nine-Card Don."""

from collections.abc import Iterator, Sequence

from tests.support.habits import Envelope, Habits, Wish


def seen(events: Sequence[Envelope]) -> Iterator[str]:
    """What there was in a game: what deals and the game came to, and where the target was reached."""
    tricks = 0
    for event in events:
        public = event["public"]
        match event["type"]:
            case "hand-opened":
                tricks = 0
                yield event["type"]
            case "trick-won":
                tricks += 1
                yield f"{len(public['points'])} cards score"
            case "deal-scored":
                yield public["outcome"]
                if public["outcome"] == "target-reached":
                    yield "ended before the last trick" if tricks < 9 else "ended by the last trick"
            case "game-finished":
                yield public["reason"]
            case _:
                pass


HABITS = Habits(
    game="don",
    option_sets=[{"target": 91}, {}],
    wishes=[Wish({}, {}, {}, (1.0, -1.0)), Wish({}, {}, {}, (-1.0, 1.0))],
    rounds=1,
    games=4,
    few={"hand-opened", "game-won", "last deal scored", "0 cards score", "1 cards score", "2 cards score"},
    many={"game-equal", "target reached", "target-reached", "ended before the last trick", "3 cards score"},
    seen=seen,
    differing=("waiting", "aside"),
    in_section={"hand-opened": ("cards",)},
)
