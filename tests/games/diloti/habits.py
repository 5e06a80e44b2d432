"""How strangers play Diloti."""

from collections.abc import Iterator, Sequence

from tests.support.habits import Envelope, Habits, Wish


def seen(events: Sequence[Envelope]) -> Iterator[str]:
    """What there was in a game: what deals came to, xeris, and what became of declarations."""
    owners: dict[int, int] = {}
    values: dict[int, int] = {}
    for event in events:
        public = event["public"]
        match event["type"]:
            case "cards-dealt":
                owners, values = {}, {}
                if "rejected" in public:
                    yield "redeal"
            case "cards-captured":
                if public["xeri"]:
                    yield "xeri"
                for number in public["declarations"]:
                    yield "own captured" if owners[number] == public["seat"] else "another's captured"
            case "declaration-made":
                yield "group" if public["sets"] > 1 else "plain"
                for number in public["declarations"]:
                    yield "raised" if values[number] != public["value"] else "grouped"
                owners[public["declaration"]] = public["seat"]
                values[public["declaration"]] = public["value"]
            case "rest-taken":
                yield "rest"
            case "deal-scored":
                yield public["outcome"]
            case "game-finished":
                yield public["reason"]
            case _:
                pass


HABITS = Habits(
    game="diloti",
    option_sets=[
        {"target": 21},
        {"players": 4, "target": 21, "court_lay": "free", "court_capture": "all"},
        {"redeal": "court", "court_capture": "all"},
        {"players": 4},
        {"court_lay": "free", "redeal": "court"},
    ],
    seats=lambda options: int(options.get("players", 2)),
    leanings={"lay": (0.3, 1.0), "capture": (1.0, 3.0), "declare": (1.0, 5.0)},
    wishes=[
        Wish({}, {"declare": 9.0}, {"declare": 9.0}),
        Wish({}, {"capture": 9.0}, {"capture": 9.0, "declare": 5.0}),
        # Who may lay does.
        Wish({}, {"lay": 1000.0}, {"lay": 1000.0}),
    ],
    rounds=2,
    games=4,
    few={"most-cards", "group", "plain", "own captured", "another's captured", "rest"},
    many={
        "redeal",
        "grouped",
        "raised",
        "xeri",
        "cards-equal",
        "nothing-captured",
        "target reached",
        "last deal scored",
    },
    seen=seen,
    in_public={
        "cards-dealt": ("shown",),
        "card-laid": ("card",),
        "cards-captured": ("card", "loose", "taken"),
        "declaration-made": ("card", "loose", "cards"),
        "rest-taken": ("cards",),
    },
    in_section={"batch-dealt": ("cards",)},
    differing=("stock",),
    events_a_deal=70,
)
