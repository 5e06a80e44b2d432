"""How strangers play Tëtka."""

from collections import Counter
from collections.abc import Iterator, Sequence

from tests.games.tetka.checker import PACK
from tests.support.habits import Envelope, Habits

RULES = [f"TE-4.{number}" for number in range(1, 7)]


def seen(events: Sequence[Envelope]) -> Iterator[str]:
    """What there was in a game: bum cards by rank, penalties by rule, queens together, and how the last one fell."""
    won: Counter[int] = Counter()
    queens = 0
    for event in events:
        public = event["public"]
        match event["type"]:
            case "cards-dealt":
                yield f"bum card {public['shown'][0]['card'][0]}"
                won.clear()
            case "card-played":
                queens += public["card"][0] == "Q"
            case "trick-won":
                won[public["seat"]] += 1
                if queens > 1:
                    yield "queens together"
                queens = 0
            case "deal-scored":
                yield from (line["rule"] for line in public["lines"])
                equals = [seat for seat in won if won[seat] == max(won.values())]
                if len(equals) > 1:
                    yield f"{len(equals)} equal"
            case _:
                pass


HABITS = Habits(
    game="tetka",
    rounds=2,
    games=3,
    few=set(RULES),
    many={*(f"bum card {card[0]}" for card in PACK), "queens together", "2 equal", "3 equal"},
    seen=seen,
    in_public={"cards-dealt": ("shown",), "card-played": ("card",)},
)
