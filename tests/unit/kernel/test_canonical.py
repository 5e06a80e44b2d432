"""Canonical JSON is that of RFC 8785, for which `rfc8785` is the oracle."""

import sys

import pytest
import rfc8785

from domain.games.crocodile.rules import RULEBOOK
from domain.kernel.canonical import canonical
from tests.support.for_each import for_each


@for_each("block", range(0x11))
def test_every_code_point_is_written_as_the_rfc_says(block: int) -> None:
    points = [point for point in range(block << 16, (block + 1) << 16) if not 0xD800 <= point <= 0xDFFF]
    assert max(points) <= sys.maxunicode
    text = "".join(map(chr, points))
    assert canonical(text) == rfc8785.dumps(text)
    for point in points[:0x300]:
        assert canonical(chr(point)) == rfc8785.dumps(chr(point)), hex(point)


@for_each(
    "value",
    [
        None,
        True,
        False,
        0,
        -1,
        2**53 - 1,
        -(2**53) + 1,
        "",
        [],
        {},
        [[], {}, [None, {"a": []}]],
        {"b": 1, "a": 2, "": 3, "A": 4, "aa": 5, "_": 6},
        {"with": "bank", "seat": None, "amount": -6, "events": [1, 2]},
        {"z": {"y": {"x": 1, "w": 2}}, "a-b": "é", "a": "\u2028</script>"},
    ],
)
def test_values_are_written_as_the_rfc_says(value: object) -> None:
    assert canonical(value) == rfc8785.dumps(value)  # type: ignore[arg-type] # plain data


def test_lone_surrogates_are_not_written() -> None:
    with pytest.raises(UnicodeEncodeError):
        canonical("\ud800")


def test_structs_are_written_by_their_names_on_the_wire() -> None:
    row = RULEBOOK.tables["bonuses"][0]
    plain = {name: getattr(row, name) for name in row.__struct_fields__}
    assert canonical(row) == rfc8785.dumps(plain)
