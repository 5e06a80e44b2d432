"""Games told for people: every game, any number of seats, nothing passed over and nothing given away."""

import re
from collections.abc import Iterable

import pytest

from domain.kernel.game import Game
from domain.registry import GAMES
from domain.table.events import EVENTS as TABLE_EVENTS
from service.cli.narrator import TELLERS, Event, Narrator, terms
from service.cli.replay import ALL, tell
from service.spec.sample import happened
from tests.unit.cli.game import NAMES, told

CARD = re.compile(r"(?:10|[KQJA2-9])[♠♥♦♣]")


def lines(events: Iterable[Event], audience: str = ALL) -> list[str]:
    return [line.plain for line in tell(events, audience, lambda player: NAMES.get(player, player))]


@pytest.fixture(params=GAMES.values(), ids=list(GAMES))
def game(request: pytest.FixtureRequest) -> Game:
    """Each game that is offered."""
    chosen: Game = request.param
    return chosen


@pytest.fixture
def events(game: Game) -> list[Event]:
    """A game of it."""
    return told(game, seed=3)


def test_there_are_words_for_everything_that_happens(game: Game) -> None:
    assert {payload.TYPE for payload in (*TABLE_EVENTS, *game.events)} <= TELLERS.keys()


def test_everything_that_happens_can_be_told_by_itself(game: Game) -> None:
    for event in happened(game).events.values():
        said = [line.plain for line in Narrator(str).tell(event)]
        assert said or event["type"] == "card-played"


def test_every_trick_is_told_with_the_cards_of_all_who_play(game: Game, events: list[Event]) -> None:
    tricks = [line for line in lines(events) if re.match(r"  trick \d", line) and "→" in line]
    assert len(tricks) == sum(event["type"] == "trick-won" for event in events)
    playing = sum(key.startswith("seat:") for key in next(e for e in events if e["type"] == "cards-dealt")["seals"])
    assert {len(CARD.findall(line)) for line in tricks} == {playing}


def test_every_deal_begins_with_its_headline_and_ends_with_the_totals(events: list[Event]) -> None:
    deals = sum(event["type"] == "cards-dealt" for event in events)
    said = lines(events)
    assert [line for line in said if line.startswith("Deal ")] == [
        line
        for number in range(1, deals + 1)
        for line in said
        if line.startswith(f"Deal {number} of {deals}  dealt by ")
    ]
    assert sum(line.startswith("  totals ") for line in said) == deals
    assert said[-1].startswith("  finished ")


def test_the_public_is_told_of_no_card_that_is_dealt(events: list[Event]) -> None:
    dealt = [event for event in events if event["type"] in ("seat-taken", "cards-dealt")]
    assert any(CARD.search(line) for line in lines(dealt))
    assert not any(CARD.search(line) for line in lines(dealt, "public"))


def test_a_player_is_told_the_own_hand_alone(events: list[Event]) -> None:
    upto = next(number for number, event in enumerate(events) if event["type"] == "cards-dealt")
    dealt = events[upto]
    seat = next(int(key.partition(":")[2]) for key in sorted(dealt["seals"]) if key.startswith("seat:"))
    said = lines(events[: upto + 1], f"seat:{seat}")
    hands = [line for line in said if len(CARD.findall(line)) > 1]
    assert len(hands) == 1
    assert list(NAMES.values())[seat] in hands[0]


def test_contracts_bonuses_and_outcomes_have_the_names_of_the_rule_book() -> None:
    named = terms(GAMES["lhombre"])
    assert named["contract", "grand-tourne"] == "Grand Tourné"
    assert named["outcome", "bete"] == "bête"
    assert terms(GAMES["crocodile"])["bonus", "talking"] == "Talking Ouvert"


def test_who_sits_out_a_deal_is_told() -> None:
    of_four = [line for line in lines(told(GAMES["lhombre"], seed=3)) if "sits out" in line]
    assert len(of_four) == 4
    assert not any("sits out" in line for line in lines(told(GAMES["lhombre"], seed=3, players=3)))


def test_a_trick_that_is_broken_off_is_told_under_its_number() -> None:
    narrator = Narrator(str)
    common = {"sealed": {}, "seals": {}}
    played = [("card-played", {"seat": 0, "card": "Ks"}), ("trick-won", {"seat": 0, "trick": 1})]
    left = [("card-played", {"seat": 0, "card": "Qs"}), ("deal-abandoned", {"seat": 1, "cards": ["As"]})]
    said = [
        line.plain
        for kind, public in (*played, *left)
        for line in narrator.tell({"type": kind, "public": public} | common)
    ]
    assert said[1].startswith("  trick 2")
    assert said[2].startswith("  abandons")


def test_what_is_not_known_here_is_told_by_its_name_and_fields() -> None:
    narrator = Narrator(str)
    said = narrator.tell({"type": "cards-melded", "public": {"seat": 0, "worth": 40}, "sealed": {}, "seals": {}})
    assert [line.plain.split() for line in said] == [["cards", "melded", "seat:", "0,", "worth:", "40"]]


def test_an_event_with_other_fields_than_are_known_here_is_told_by_them() -> None:
    narrator = Narrator(str)
    said = narrator.tell(
        {"type": "contract-declared", "public": {"seat": 0, "aim": "most hearts"}, "sealed": {}, "seals": {}}
    )
    assert [line.plain.split() for line in said] == [["contract", "declared", "seat:", "0,", "aim:", "most", "hearts"]]


def test_a_game_that_is_not_known_here_is_told_in_the_terms_of_the_interface() -> None:
    narrator = Narrator(str)
    opened = {"game": "quadrille", "deals": 4, "rules_version": 1, "options": {"misere_ouvert": True}}
    bid = {"seat": 0, "contract": "sans-prendre"}
    said = [
        line.plain
        for kind, public in (("table-opened", opened), ("bid-made", bid), ("bid-asked", {"seat": 0, "level": 3}))
        for line in narrator.tell({"type": kind, "table": "T", "public": public, "sealed": {}, "seals": {}})
    ]
    assert "Quadrille, 4 deals" in said[0]
    assert "misere ouvert: yes" in said[1]
    assert "bids Sans Prendre" in said[2]
    assert "asks for level 3" in said[3]
