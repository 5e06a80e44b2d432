"""What a field of one game means there, where another game, or another type, has a field of that name."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.course import Standing
from domain.kernel.game import Game
from domain.parts.tricks import HandExposed, TrickWon
from domain.table.words import complete
from service.describe.game_details import words
from service.describe.game_schemas import game_components, table_components
from tests.support.registry import GAMES

NUMBER = "The number of the trick in the deal, from 1."


def meaning(name: str, field: str, of: str) -> str:
    """The description of a field of a component of the game."""
    components = table_components((GAMES[of],)) | game_components(GAMES[of])
    described: dict[str, Any] = components[name]["properties"][field]
    return str(described["description"])


@pytest.mark.parametrize("game", [game for game in GAMES.values() if any(issubclass(e, TrickWon) for e in game.events)])
def test_a_trick_that_was_won_has_a_number(game: Game) -> None:
    fields = words(game).fields
    assert fields.events[TrickWon.TYPE]["trick"] == NUMBER
    assert fields.view.get("trick", NUMBER) != fields.events[TrickWon.TYPE]["trick"]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_deal_has_a_number_and_winners_have_won_by_the_rules(game: Game) -> None:
    fields = words(game).fields
    assert "number of the deal" in fields.view["deal"]
    for text in (
        fields.view["winners"],
        *(fields.events[type]["winners"] for type in ("game-finished", "ledger-corrected")),
    ):
        assert "won by the game's rules" in text
        assert "highest" not in text


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_points_that_a_view_counts_are_named_where_they_cost(game: Game) -> None:
    means = words(game).fields.view.get("points", "")
    assert ("points" in complete(game).terms.get("cost", {})) == ("cost" in means), means


def test_of_lorum_the_number_of_a_kind_is_another_thing_than_that_of_the_deal() -> None:
    assert meaning("LorumKind", "deal", "lorum") == "Which of a dealer's seven deals it is."
    assert meaning("LorumView", "deal", "lorum") == "The number of the deal, from 1."


@pytest.mark.parametrize(
    "game", [game for game in GAMES.values() if HandExposed in game.events], ids=lambda game: game.name
)
def test_whoever_lays_open_a_hand_is_no_declarer_in_every_game(game: Game) -> None:
    events = game_components(game) | table_components((game,))
    assert events["HandExposed"]["description"] == "A player's cards lie open."
    for sentence in complete(game).events[HandExposed.TYPE].sentences:
        assert not {"Declarer", "all cards"} & {part for part in ("Declarer", "all cards") if part in str(sentence)}


@pytest.mark.parametrize("name", ["KingNameTrumps", "KingTrumpsNamed"])
def test_of_king_null_means_no_trumps(name: str) -> None:
    assert meaning(name, "trump", "king") == "The trump suit; null for no trumps."


def test_of_king_a_button_says_what_is_declared() -> None:
    assert complete(GAMES["king"]).acts["declare-direction"] == "Up or down"


@pytest.mark.parametrize("name", ["BostonReply", "BostonSupportAnswered"])
def test_of_boston_an_answer_is_to_a_call_and_no_offer(name: str) -> None:
    assert meaning(name, "accepted", "boston") == "Whether the player accepted to be the supporter."


@pytest.mark.parametrize("game", ["diloti", "burraco"])
def test_of_games_scored_at_the_end_of_a_deal_a_sides_score_is_that_of_its_beginning(game: str) -> None:
    text = meaning(f"{game.capitalize()}SideView", "score", game)
    assert text.startswith("The side's score when the cards were dealt.")
    assert "`totals`" in text


def test_of_don_a_sides_score_has_what_the_deal_has_brought() -> None:
    assert "points for game" in meaning("DonSideView", "score", "don")


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_reasons_for_which_a_game_ends_are_named(game: Game) -> None:
    text = words(game).fields.events["game-finished"]["reason"]
    for reason in ("last deal scored", "target reached", "target passed", "ended by agreement"):
        assert f"`{reason}`" in text


@pytest.mark.parametrize("game", ["burraco", "nuts"])
def test_games_that_need_more_than_their_target_end_for_one_reason(game: str) -> None:
    rules = GAMES[game]
    options = rules.options()
    seats = rules.course.seats(options)
    even = (options.target, *[0] * (seats - 1))
    standing = Standing(options, 99, 1, None, even, {})
    assert rules.course.over(standing) is None
    more = tuple(options.target + 1 if seat % 2 == 0 else 0 for seat in range(seats))
    assert rules.course.over(replace(standing, totals=more)) == "target passed"
