"""How strangers play Nine-Card Don."""

from tests.support.habits import Habits, Wish

HABITS = Habits(
    game="don",
    option_sets=[{"target": 91}, {}],
    wishes=[Wish({}, {}, {}, (1.0, -1.0)), Wish({}, {}, {}, (-1.0, 1.0))],
    rounds=1,
    games=4,
    few={"event hand-opened", "game-won", "over: last deal scored", *(f"{number} cards score" for number in range(3))},
    many={"game-equal", "over: target reached", "target-reached", "ended before the last trick", "3 cards score"},
    differing=("waiting", "aside"),
    in_section={"hand-opened": ("cards",)},
)
