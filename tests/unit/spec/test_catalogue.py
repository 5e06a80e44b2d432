"""The catalogue has every form of every event, a line for each member."""

from typing import ClassVar

import pytest
from msgspec import UNSET, Struct, UnsetType

from domain.kernel.event import Payload
from domain.registry import GAMES
from domain.table.events import EVENTS
from service.spec.catalogue_text import catalogue, text

TEXTS = catalogue(GAMES.values())
PAYLOADS = {"table": EVENTS, **{name: game.events for name, game in GAMES.items()}}


class Part(Struct):
    """An object that members hold."""

    inner: "tuple[Inner, ...]" = ()


class Inner(Struct):
    """One that only another object holds."""

    flag: bool


class Made1(Payload, frozen=True):
    """The form before."""

    TYPE: ClassVar = "part-made"

    part: Part | None


class Made(Made1, frozen=True, rename={"of": "from"}):
    """The form of today."""

    SCHEMA: ClassVar = 2
    EARLIER: ClassVar = (Made1,)
    SECTIONS: ClassVar = {"seat": Inner, "house": Part}

    of: int = 0
    name: str | UnsetType = UNSET


def test_it_reads_like_this() -> None:
    assert (
        text("The events of a test", (Made,))
        == """\
The events of a test

part-made, schema 2
  public
    part: Part or null
    from: integer
    name: string, or left out
  sealed for a seat
    flag: boolean
  sealed for the house
    inner: list of Inner

part-made, schema 1
  public
    part: Part or null

Part
  inner: list of Inner

Inner
  flag: boolean
"""
    )


@pytest.mark.parametrize("name", PAYLOADS)
def test_every_form_of_an_event_has_a_block_with_its_members(name: str) -> None:
    blocks = TEXTS[name].rstrip("\n").split("\n\n")
    events = [block.splitlines() for block in blocks if ", schema " in block.splitlines()[0]]
    listed = [
        (first, [line.strip().partition(":")[0] for line in lines if line.startswith("    ")])
        for first, *lines in events
    ]
    assert listed == [
        (
            f"{form.TYPE}, schema {form.SCHEMA}",
            [field for part in (form, *form.SECTIONS.values()) for field in part.__struct_encode_fields__],
        )
        for payload in PAYLOADS[name]
        for form in (payload, *reversed(payload.EARLIER))
    ]


def test_what_members_hold_is_described_once() -> None:
    for name, lines in TEXTS.items():
        heads = [line for line in lines.splitlines()[1:] if line and not line.startswith(" ")]
        assert len(heads) == len(set(heads)), name
