"""How strangers play King."""

from collections.abc import Iterator, Sequence
from itertools import product

from tests.games.king.checker import AIMS, PENALTIES
from tests.support.habits import Envelope, Habits, Wish

SUITS = "shdc"
TRUMPS = [*SUITS, None]

AUCTION = {"auction": 1000.0}
NAMING = {"name-trumps": 1000.0}
PASSING = {"pass": 1000.0}
BIDDING = {"pass": 0.0, "bid": 1.0}


def seen(events: Sequence[Envelope]) -> Iterator[str]:
    """What there was in a game: what deals were played for and how they ended, trumps, and the course of auctions."""
    options = events[0]["public"]["options"]
    yield from (f"{name} {value}" for name, value in options.items())
    named, calls = "", []
    for event in events:
        public = event["public"]
        match event["type"]:
            case "cards-dealt":
                calls = []
            case "auction-opened":
                yield event["type"]
            case "bid-made" | "bid-passed":
                if event["type"] == "bid-made" and (public["seat"], None) in calls:
                    yield "bid again after a pass"
                calls.append((public["seat"], public.get("tricks")))
                if public.get("tricks") == 13:
                    yield "13 bid"
            case "trumps-named":
                named = f"trumps {public['trump']}"
                if calls and not any(tricks for _, tricks in calls):
                    yield "all passed"
            case "deal-scored":
                yield f"{public['aim']} {public['outcome']}"
                if public["deal"] not in PENALTIES:
                    yield f"{public['aim']}, {named}"
                    yield f"{public['aim']} bought" if calls and public["buyer"] is not None else public["aim"]
            case _:
                pass


HABITS = Habits(
    game="king",
    # The first two tables differ in every option.
    option_sets=[
        {"heart_leads": heart_leads, "auction_opening": opening, "auction_pass": passing}
        for heart_leads, opening, passing in sorted(
            product(("free", "restricted"), ("forced", "free"), ("open", "final")),
            key=lambda row: ("free", "forced", "open") != row != ("restricted", "free", "final"),
        )
    ],
    leanings={"auction": (0.3, 1.0, 5.0), "pass": (0.1, 0.5, 1.0, 20.0)},
    wishes=[
        Wish({"direction": "up"}, AUCTION, BIDDING),
        Wish({"direction": "down", "trump": None}, NAMING, {}),
        *(
            Wish({"direction": direction, "trump": trump}, own, {})
            for direction, (trump, own) in product(("up", "down"), zip(TRUMPS, [AUCTION, NAMING] * 3, strict=False))
        ),
        Wish({}, AUCTION, PASSING),
        Wish({"tricks": 13}, {}, AUCTION),
    ],
    games=2,
    # What follows from the rules alone, or from what the first player of the first two games wishes for.
    few={
        *(f"{PENALTIES[number].aim} played-out" for number in (1, 6)),
        "up played-out",
        "down played-out",
        "auction-opened",
        *(f"{name} {value}" for name in ("auction_opening", "heart_leads") for value in ("free",)),
        "auction_opening forced",
        "heart_leads restricted",
        "auction_pass open",
        "auction_pass final",
    },
    many={
        *(f"{aim} {outcome}" for aim in AIMS[1:5] for outcome in ("stopped", "played-out")),
        *(f"{direction}, trumps {trump}" for direction in ("up", "down") for trump in TRUMPS),
        *(f"{direction}{bought}" for direction in ("up", "down") for bought in (" bought", "")),
        "13 bid",
        "all passed",
        "bid again after a pass",
    },
    seen=seen,
)
