"""What is said of Lórum: of cards that others see, of places, tricks that nobody won, and who is next."""

from typing import Any

from domain.games.lorum import LORUM
from domain.kernel.words import Filled, said
from domain.table.words import complete
from tests.games.lorum.tables import KINDS, in_deal
from tests.games.sentences import sentence, summary
from tests.support.for_each import for_each
from tests.support.games import chance, step

WORDS = complete(LORUM)


def test_a_seat_is_told_which_cards_it_sees_whoever_holds_them() -> None:
    parts = said(WORDS.events["cards-dealt"].sections["seat"], {"cards": [{"card": "As"}]}, 2)
    assert parts == (Filled("seat", 2), " sees ", Filled("hand", ["As"]), ".")


@for_each(
    "kind, public, text",
    [
        ("card-turned", {"seat": 1, "place": 3, "card": "Kh"}, "1 turns up card 3: Kh."),
        (
            "trick-kept",
            {"seat": 2, "trick": 1},
            "Nobody followed suit: each player captures their own card, and 2 leads again.",
        ),
        ("card-counted", {"seat": 0, "card": "As", "count": 35}, "0 plays As: the count is 35."),
        ("card-added", {"seat": 0, "card": "As", "next": 3}, "0 plays As; 3 is next."),
        ("card-added", {"seat": 0, "card": "As", "next": None}, "0 plays As, the last card of the hand."),
        ("turn-passed", {"seat": 3}, "3 has no card that fits, and passes."),
    ],
)
def test_events_are_told(kind: str, public: dict[str, Any], text: str) -> None:
    assert sentence(WORDS, kind, public) == text


@for_each("kind", range(1, 8))
def test_every_view_of_a_deal_is_summed_up_by_its_kind(kind: int) -> None:
    live, rng = in_deal(kind, {}, pot=5 if kind > 1 else 0), chance(kind)
    assert summary(LORUM.words, live.view("public")).startswith(f"{KINDS[kind - 1]}.")
    assert ("The pot holds 5." in summary(LORUM.words, live.view("public"))) == (kind > 1)
    step(live, rng)
    if kind == 5:
        assert f"The count is {live.view('public')['count']}." in summary(LORUM.words, live.view("public"))
    if kind == 7:
        assert "Rows begin with" in summary(LORUM.words, live.view("public"))
