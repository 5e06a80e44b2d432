"""What a field means is written in one place: at the field, or in the words of the room of its type."""

from collections.abc import Iterable, Iterator
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from msgspec import Meta, Struct

from domain.kernel.game import Game
from domain.parts.words import FIELDS as OF_PARTS
from domain.table.options import TableOptions
from domain.table.words import FIELDS as OF_TABLES
from service.app import OPERATIONS
from service.describe.field_meanings import PARTS, TABLE, meaning, meanings_of
from service.describe.game_schemas import EVERYWHERE, described_types, is_shared
from service.describe.type_schemas import structs_in
from service.spec.components import body_types
from service.spec.frame_schemas import held_types
from tests.support.registry import GAMES

WORDS_OF_ROOMS = [("parts", OF_PARTS), ("table", OF_TABLES)]


def fields(kinds: Iterable[type[Struct]]) -> Iterator[tuple[type[Struct], str, Meta | None]]:
    """The fields of these types by their names in JSON, each with the `Meta` that says what it means, if one does."""
    for kind in kinds:
        hints = get_type_hints(kind, include_extras=True)
        for field in msgspec.structs.fields(kind):
            yield kind, field.encode_name, next(metas(hints[field.name]), None)
        if kind.__struct_config__.tag_field is not None:
            yield kind, kind.__struct_config__.tag_field, None


def metas(hint: Any) -> Iterator[Meta]:
    """The descriptions in a type hint, in alternatives too."""
    for one in (hint, *get_args(hint)):
        yield from (m for m in getattr(one, "__metadata__", ()) if isinstance(m, Meta) and m.description)


def told_by_words(game: Game) -> list[type[Struct]]:
    """The types whose fields words explain: all of the game's and of every table's but options."""
    options = set(structs_in((game.options, TableOptions)))
    return [kind for kind in structs_in((*EVERYWHERE, *described_types(game))) if kind not in options]


def bodies() -> list[type[Struct]]:
    """The types of the interface's bodies and frames."""
    return [kind for kind in structs_in((*body_types(OPERATIONS), *held_types())) if kind.__module__[:7] == "service"]


def room(kind: type[Struct], field: str) -> str:
    """The room of the type that declares the field."""
    kinds = [one for one in reversed(kind.__mro__) if isinstance(one, msgspec.StructMeta) and one is not Struct]
    declares = next((one for one in kinds if field in one.__struct_encode_fields__), kind)
    return declares.__module__.split(".")[1]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_options_say_what_they_mean_and_of_all_else_words_do(game: Game) -> None:
    assert [where for *where, meta in fields(structs_in((game.options, TableOptions))) if meta is None] == []
    assert [where for *where, meta in fields(told_by_words(game)) if meta is not None] == []


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_each_of_a_games_meanings_is_that_of_a_field_and_is_written_in_no_room_below(game: Game) -> None:
    words, unused = game.words.fields, set(game.words.fields)
    for kind, field, _ in fields(kind for kind in told_by_words(game) if not is_shared(kind)):
        key = next((key for key in (f"{kind.__name__}.{field}", field) if key in words), None)
        if key is not None:
            unused.discard(key)
            others = {other: one for other, one in words.items() if other != key}
            assert words[key] != meaning((others, *PARTS), kind.__name__, field), f"{key} is written twice"
    assert unused == set()


@pytest.mark.parametrize(("of", "words"), WORDS_OF_ROOMS, ids=[name for name, _ in WORDS_OF_ROOMS])
def test_each_meaning_of_a_room_is_that_of_a_field_declared_there_or_of_several_games(of: str, words: Any) -> None:
    rooms: dict[str, set[str]] = {key: set() for key in words}
    for game in GAMES.values():
        for kind, field, _ in fields(told_by_words(game)):
            # A game has words for its own types alone.
            known = meaning(PARTS if is_shared(kind) else meanings_of(game), kind.__name__, field)
            for key in (f"{kind.__name__}.{field}", field):
                if key in words and words[key] is known:
                    declared = room(kind, field)
                    rooms[key].add(game.name if declared == "games" else declared)
    for kind, field, _ in fields(
        kind for kind in structs_in(tuple(body_types(OPERATIONS))) if kind.__module__.startswith("domain.")
    ):
        for key in {f"{kind.__name__}.{field}", field} & words.keys():
            rooms[key].add(room(kind, field))
    above = {"parts": set(GAMES), "table": {*GAMES, "parts"}}[of]
    assert [key for key, where in rooms.items() if not where - above and len(where & set(GAMES)) < 2] == []


def test_a_body_says_what_its_fields_mean_unless_they_are_those_of_every_game() -> None:
    texts: dict[tuple[str, str], Meta] = {}
    for kind, field, meta in fields(bodies()):
        known = meaning(TABLE, kind.__name__, field)
        if meta is not None:
            assert known is None or known.text != meta.description, f"{kind.__name__}.{field} is written twice"
            first = texts.setdefault((field, str(meta.description)), meta)
            assert first is meta, f"the meaning of {kind.__name__}.{field} is written twice"
