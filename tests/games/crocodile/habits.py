"""How strangers play Crocodile."""

from tests.games.crocodile.checker import BONUSES, CONTRACTS, OPTIONS
from tests.support.habits import Habits, Wish
from tests.support.picking import LEANINGS

ACTS = {
    "priority accepted",
    "priority refused",
    *(f"event {kind}" for kind in ("deal-conceded", "table-talk", "hand-exposed", "talon-turned")),
}
OPTION_SETS = [
    {"contraprimeras": first, "bonus_stacking": second, "casco_stock": third}
    for first in OPTIONS["contraprimeras"]
    for second in OPTIONS["bonus_stacking"]
    for third in OPTIONS["casco_stock"]
]
"""The first are the defaults."""
POSITIVE = [name for name, contract in CONTRACTS.items() if contract["positive"]]


def bid_with(number: int) -> str | None:
    """One of the bonuses, or none."""
    return ("tout", "cuatro", "primeras", None)[number % 4]


def wish(contract: str, bonus: str | None) -> Wish:
    """The first player goes for this contract and bonus, where there is one, and the others mostly pass."""
    own = {"pass": 1000.0} if contract == "casco" else {"pass": 0.0}
    own |= {"concede": 0.5} if contract == "play" else {}
    if contract not in POSITIVE and bonus is not None:
        bonus = "talking" if contract == "nolo-ouvert" else None
    return Wish({"contract": contract, "bonus": bonus}, own, {"pass": 500.0})


HABITS = Habits(
    game="crocodile",
    option_sets=[{}, *OPTION_SETS[1:]],
    seats=lambda _: 3,
    leanings=LEANINGS,
    wishes=[wish(contract, bid_with(place + turn)) for turn in range(4) for place, contract in enumerate(CONTRACTS)],
    games=8,
    few={*ACTS, *CONTRACTS, *(f"bonus {bonus}" for bonus in BONUSES)},
    many={
        *(
            f"outcome {outcome}"
            for outcome in (
                "victory", "simple-remis", "simple-loss", "crocodile-lunch", "contraprimeras", "contranolo", "conceded",
            )
        ),
        "nolo-ouvert talking", *(f"{name} {bonus}" for name in POSITIVE for bonus in ("cuatro", "primeras", "tout")),
    },
    in_public={
        "talon-turned": ("card",), "casco-laid": ("cards",), "cards-exchanged": ("taken",), "hand-exposed": ("cards",),
        "card-played": ("card",),
    },
    in_section={"casco-taken": ("taken",), "cards-exchanged": ("drawn",)},
    differing=("talon", "stock"),
)  # fmt: skip
