"""The audit compares whole events: of every game's every event type each field, open and sealed, is changed in turn.

All seals and hashes are made anew to fit, so that only the rules can tell.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice

import msgspec
import pytest

from domain.audit.auditor import audit
from domain.audit.findings import TEXTS
from domain.kernel.event import Payload, kind_of
from domain.kernel.game import Game
from domain.record.catalogue import Catalogue
from domain.record.history import without_section
from domain.record.recorded import Recorded
from domain.seats import HOUSE, PUBLIC
from domain.table.actions import EraseText
from domain.table.events import EVENTS, CardsDealt, PlayerReady, SubstituteSeated
from tests.golden.games import names as golden_names
from tests.golden.games import records as golden_records
from tests.golden.wanted import GOLDEN
from tests.support.for_each import for_each
from tests.support.forging import changes, forged, puts
from tests.support.games import READER
from tests.support.registry import GAMES
from tests.unit.audit.test_forms import NAMES as FORMS
from tests.unit.audit.test_forms import recorded as recorded_form

UNKNOWN_RULES = {"rules_version", "rules_digest"}
"""The fields of `table-opened` whose other values name rules that are not known here: nothing is judged by them."""

CHOSEN = {SubstituteSeated: {"opponent"}}
"""The fields that nothing else in a record depends on: any bot may have been chosen."""


def payloads(game: Game) -> list[type[Payload]]:
    """The event types of the game, those of a table's life included; earlier forms where there are records of them with
    a deal, before which nothing depends on what the seats bring.
    """
    today = {*EVENTS, *game.events}
    types = Catalogue((*EVENTS, *game.events)).payloads.values()
    return [
        payload
        for payload in types
        if (payload is not PlayerReady or game.course.gate is not None)
        and (
            payload in today
            or any(one.type == CardsDealt.TYPE for whole, _ in places(game.name, payload) for one in whole)
        )
    ]


@cache
def played(name: str) -> list[list[Recorded]]:
    """Records of the game that together hold every event type, short ones first: those of its recorded games."""
    whole = [golden_records(name, each) for each in golden_names(name)]
    disputed = GOLDEN[name].live(golden_records(name, "disputed"))
    (text, *_) = disputed.table.texts
    disputed.command(EraseText(text))
    erased = [without_section(record, PUBLIC) if record.version == text else record for record in disputed.records]
    return sorted([*whole, erased], key=len)


@cache
def recorded_before(name: str) -> list[list[Recorded]]:
    """Records of the game by earlier versions, short ones first."""
    return sorted((recorded_form(form) for form in FORMS if form.startswith(f"{name}-")), key=len)


def places(name: str, payload: type[Payload]) -> Iterator[tuple[list[Recorded], Recorded]]:
    """The records with events of this type, and the first such event of each."""
    for whole in (*played(name), *recorded_before(name)):
        of_type = (one for one in whole if (one.type, one.schema) == (payload.TYPE, payload.SCHEMA))
        yield from ((whole, one) for one in islice(of_type, 1))


def of_each_type(holds: Callable[[str, type[Payload]], None]) -> Callable[[str], None]:
    """The test of a game that goes through its event types and names those that fail."""

    @pytest.mark.parametrize("name", GAMES)
    def test(name: str) -> None:
        for_each("payload", payloads(GAMES[name]))(lambda payload: holds(name, payload))()

    test.__name__, test.__doc__ = holds.__name__, holds.__doc__
    return test


def altered(whole: list[Recorded], event: Recorded, payload: type[Payload]) -> Iterator[tuple[str, list[Recorded]]]:
    """The records with one field of the event changed, each with the field's name: `seat.cards` in a section."""
    for field, other in changes(payload, msgspec.json.decode(event.public)):
        yield field, forged(whole, event.version, puts(field, other))
    for audience, section in msgspec.json.decode(event.sealed).items():
        kind = kind_of(audience)
        for field, other in changes(payload.SECTIONS[kind], section["data"]):
            yield f"{kind}.{field}", forged(whole, event.version, sealed=puts(field, other, to=audience))


def all_fields(name: str, payload: type[Payload]) -> set[str]:
    """The fields of the type and of its sections, as `altered` names them.

    A deal has no section for a seat where it shows no card to one alone.
    """
    sections = dict(payload.SECTIONS)
    if payload is CardsDealt and all(b'"seat:' not in event.seals for _, event in places(name, payload)):
        del sections["seat"]
    sealed = {f"{to}.{field}" for to, section in sections.items() for field in section.__struct_encode_fields__}
    return {*payload.__struct_encode_fields__, *sealed}


@pytest.mark.parametrize("name", GAMES)
def test_the_records_that_are_changed_are_intact(name: str) -> None:
    firsts = [next(places(name, payload))[0] for payload in payloads(GAMES[name])]
    for whole in {id(each): each for each in firsts}.values():
        assert audit(READER, whole).verdict == "intact"


@of_each_type
def test_whatever_the_house_says_is_computed_again(name: str, payload: type[Payload]) -> None:
    whole, event = next(places(name, payload))
    if event.actor != HOUSE:
        return
    changed = set()
    for field, forged_ in altered(whole, event, payload):
        assert event.type == READER.read(forged_[event.version - 1]).public.TYPE, "it is of its type all the same"
        due = "not-judged" if field in UNKNOWN_RULES else "altered"
        due = "intact" if field in CHOSEN.get(payload, ()) else due
        assert audit(READER, forged_).verdict == due, (field, forged_[event.version - 1])
        changed.add(field)
    assert changed == all_fields(name, payload)


@of_each_type
def test_whatever_anybody_else_says_is_compared(name: str, payload: type[Payload]) -> None:
    """Another act may be as good as the one recorded, but every field of it counts in some game. Free words do not."""
    if next(places(name, payload))[1].actor == HOUSE:
        return
    fields = all_fields(name, payload) - CHOSEN.get(payload, set())
    left = {field for field in fields if not field.startswith(f"{PUBLIC}.")}
    for whole, event in places(name, payload):
        for field, forged_ in altered(whole, event, payload):
            if field in left and audit(READER, forged_).verdict != "intact":
                left.discard(field)
        if not left:
            return
    assert not left


@of_each_type
def test_the_check_of_every_field_is_one_of_the_audit(name: str, payload: type[Payload]) -> None:
    assert {payload.CHECK, *payload.FIELD_CHECKS.values()} <= TEXTS.keys(), name
    assert payload.FIELD_CHECKS.keys() <= set(payload.__struct_fields__)
