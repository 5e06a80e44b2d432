"""What each game's deals are searched by is named by its own facts, and has the game's words."""

from collections.abc import Sequence
from functools import cache
from typing import get_args

import pytest
from msgspec.structs import fields, replace

from domain.kernel.game import Game
from domain.record.recorded import Recorded
from projections.archive.rows import ArchivedDeal
from projections.archive.table_rows import fold_table
from service.describe.game_details import details
from tests.support.projecting import READER, recorded
from tests.support.registry import GAMES

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)

PLAYED_FOR_A_CONTRACT = {"boston", "crocodile", "lhombre", "ombre", "solo"}
"""The games in which one seat undertakes something."""

FIXED_BY_THE_NUMBER = {"king", "lorum"}
"""The games in which the number of the deal fixes what is played."""

WITH_TRUMPS = {*PLAYED_FOR_A_CONTRACT, "don", "king"}


@cache
def deals(game: str) -> Sequence[ArchivedDeal]:
    """The rows of three tables of the game."""
    tables: dict[str, list[Recorded]] = {}
    for position, record in enumerate(recorded(3, game=GAMES[game]), 1):
        tables.setdefault(record.table, []).append(replace(record, position=position))
    return [deal for records in tables.values() for deal in fold_table(READER, records, None)[1].deals]


@every_game
def test_what_is_searched_is_named_by_facts_and_terms_that_there_are(game: Game) -> None:
    searched, kinds = game.scoring.searched, get_args(game.scoring.facts_type) or (game.scoring.facts_type,)
    names = {field.name for kind in kinds for field in fields(kind)}
    assert {searched.declarer, searched.partner, searched.contract} - {None} <= names
    assert searched.terms is None or game.words.terms[searched.terms]
    assert (searched.declarer is not None) == (game.name in PLAYED_FOR_A_CONTRACT)
    assert (searched.terms is not None) == (game.name in PLAYED_FOR_A_CONTRACT | FIXED_BY_THE_NUMBER)
    assert (searched.trump is not None) == (game.name in WITH_TRUMPS)


@every_game
def test_clients_read_what_is_searched(game: Game) -> None:
    described, row = details(game), deals(game.name)[0]
    assert described.searched.contract is None or row.contract in described.words.terms[described.searched.contract]
    assert described.searched.declarer == (game.name in PLAYED_FOR_A_CONTRACT)
    assert described.searched.trump == (game.name in WITH_TRUMPS)
    assert row.outcome in described.words.terms["outcome"]


@every_game
def test_deals_are_found_by_what_was_played_in_the_games_words(game: Game) -> None:
    searched, rows = game.scoring.searched, deals(game.name)
    assert rows
    for row in rows:
        seats = range(len(row.players))
        assert row.outcome in game.words.terms["outcome"]
        assert row.contract is None or row.contract in game.words.terms[searched.terms or ""]
        assert row.declarer is None or row.declarer in seats
        assert len(row.sides) == len(row.results) == len(seats)
        assert row.trump is None or row.trump in "shdc"
    assert any(row.contract is not None for row in rows) == (searched.terms is not None)
    assert any(row.trump is not None for row in rows) == (searched.trump is not None)
    assert any(row.declarer is not None for row in rows) == (searched.declarer is not None)


@every_game
def test_partners_of_a_deal_are_on_one_side(game: Game) -> None:
    for row in deals(game.name):
        if row.declarer is not None:
            assert row.sides[row.declarer] == 1
            assert 0 in row.sides
        elif sides := game.course.sides(game.options(**row.options)):
            assert [{row.sides[seat] for seat in side} for side in sides] == [{0}, {1}]
        else:
            assert sorted(row.sides) == [*range(len(row.sides))]
