"""The facts of every recorded deal give its outcome, lines and fields, and whatever others are sent is scored or
refused.
"""

import json
import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.kernel.course import Standing
from domain.kernel.game import Game
from domain.kernel.ledger import Line, book
from domain.kernel.worth import Flaw, Score
from domain.record.recorded import Recorded
from domain.seats import HOUSE
from domain.table.events import CardsDealt, DealScored
from domain.table.state import Table
from tests.golden.games import READER, as_recorded, file, names, records
from tests.property.strategies import of_each_game, texts
from tests.support.facts import scored
from tests.support.games import Live, chance
from tests.support.repetition import times

Deal = tuple[Game, Standing, Table, DealScored]
"""The rules of a recorded deal, the standing when it was dealt, the table before it was scored, and its score."""


def recorded(of: str) -> Iterator[Sequence[Recorded]]:
    """The game's recorded games, under its newest rules and under earlier ones."""
    yield from (records(of, name) for name in names(of))
    for path in sorted(Path(file(of).parent, "earlier").glob("*.json")):
        yield as_recorded(json.loads(path.read_text(encoding="utf-8"))["events"])


@cache
def deals(of: str) -> Sequence[Deal]:
    """All deals that were scored in the game's recorded games."""
    found: list[Deal] = []
    for game in recorded(of):
        table, dealt = None, None
        for record in game:
            before, table = table, READER.fold(table, [record], HOUSE)
            happened = READER.read(record).public
            if isinstance(happened, CardsDealt) and table is not None:
                dealt = table.standing
            if isinstance(happened, DealScored) and before is not None and dealt is not None:
                found.append((READER.of(before), dealt, before, happened))
    return found


def uncited(lines: Sequence[Line]) -> list[Line]:
    return [replace(line, events=()) for line in lines]


@of_each_game
def test_facts_give_outcome_lines_and_fields(tables: type[Live]) -> None:
    assert len(deals(tables.game.name)) > 5
    for game, dealt, before, booked in deals(tables.game.name):
        scoring = game.scoring
        facts = scoring.facts(before.deal_state)
        assert msgspec.json.decode(msgspec.json.encode(facts), type=scoring.facts_type) == facts
        assert scoring.terms(dealt) == scoring.dealt(before.deal_state)
        score = scored(game, dealt, facts)
        assert isinstance(score, Score), score
        own = {*booked.__struct_fields__} - {*DealScored.__struct_fields__}
        assert (score.outcome, dict(score.extra)) == (booked.outcome, {name: getattr(booked, name) for name in own})
        assert uncited(book(score.transfers, before.players)) == uncited(booked.lines)


@of_each_game
def test_whatever_facts_are_sent_is_scored_or_has_a_flaw(tables: type[Live]) -> None:
    of = tables.game.name
    sent = [
        (game, dealt, msgspec.to_builtins(game.scoring.facts(table.deal_state))) for game, dealt, table, _ in deals(of)
    ]
    words = sorted({word for _, _, facts in sent for word in texts(facts)})
    rng, seen = chance((of, "facts")), {Score: 0, Flaw: 0}
    for _ in range(times(1000)):
        game, dealt, facts = rng.choice(sent)
        for _ in range(rng.randint(1, 3)):
            facts = _altered(facts, words, rng)
        try:
            typed = msgspec.convert(facts, game.scoring.facts_type)
        except msgspec.ValidationError:
            continue
        found = scored(game, dealt, typed)
        seen[type(found)] += 1
        if isinstance(found, Score):
            assert all(each.text and not each.events and each.rests for each in found.transfers)
        else:
            assert found.rule in {rule.id for rule in game.rulebook.rules}
            assert {path.split("/")[0] for path in found.facts} <= {*typed.__struct_fields__, "ended"}
    assert all(seen.values())


def _altered(value: Any, words: Sequence[str], rng: random.Random) -> Any:
    """The value with one change, somewhere in it."""
    if isinstance(value, dict) and value:
        key = rng.choice(sorted(value))
        if rng.random() < 0.1:
            return {name: each for name, each in value.items() if name != key}
        return value | {key: _altered(value[key], words, rng)}
    if isinstance(value, list | tuple):
        index = rng.randrange(len(value)) if value else 0
        some = list(value)
        match rng.choice(("change", "change", "drop", "double", "shuffle")) if value else "add":
            case "change":
                some[index] = _altered(some[index], words, rng)
            case "drop":
                del some[index]
            case "double":
                some.insert(index, some[index])
            case "shuffle":
                rng.shuffle(some)
            case _:
                some.append(rng.choice(words) if words else rng.randrange(4))
        return some
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice((value - 1, value + 1, 0, rng.randrange(4), rng.randrange(15)))
    if isinstance(value, str):
        return rng.choice(words)
    return rng.choice((rng.randrange(4), *words))


TRUE_ANYHOW = {"undertaken", "first_five", "honours", "supporter_honours"}
"""Facts that a sheet has although the tricks imply them, or although a premium needs more of them."""


@of_each_game
def test_a_fact_that_does_not_count_has_its_default(tables: type[Live]) -> None:
    for game, dealt, before, _ in deals(tables.game.name):
        facts = game.scoring.facts(before.deal_state)
        score = scored(game, dealt, facts)
        for field in msgspec.structs.fields(facts):
            given = getattr(facts, field.name)
            if not field.required and field.name not in TRUE_ANYHOW and given != field.default:
                assert scored(game, dealt, replace(facts, **{field.name: field.default})) != score, (field.name, facts)
