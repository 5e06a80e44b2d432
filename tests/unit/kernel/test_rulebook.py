"""The digest that pins a table's rules."""

from typing import Any

import msgspec

from domain.games.crocodile.rules import RULEBOOK
from domain.kernel.rulebook import Rulebook
from tests.support.for_each import for_each


def changed(rule: int, **fields: Any) -> Rulebook:
    """The rulebook with one rule changed."""
    rules = list(RULEBOOK.rules)
    rules[rule] = msgspec.structs.replace(rules[rule], **fields)
    return msgspec.structs.replace(RULEBOOK, rules=tuple(rules))


def test_a_mended_text_changes_nothing() -> None:
    assert changed(3, text="mended").digest() == RULEBOOK.digest()


@for_each(
    "other",
    [
        changed(3, id="CR-99.9"),
        changed(3, reading=not RULEBOOK.rules[3].reading),
        changed(3, option="an option"),
        msgspec.structs.replace(RULEBOOK, version=RULEBOOK.version + 1),
        msgspec.structs.replace(RULEBOOK, rules=RULEBOOK.rules[1:]),
        msgspec.structs.replace(RULEBOOK, tables={**RULEBOOK.tables, "outcomes": ()}),
    ],
)
def test_changed_rules_have_another_digest(other: Rulebook) -> None:
    assert other.digest() != RULEBOOK.digest()
    assert len(other.digest()) == 64


def test_an_earlier_version_has_its_own_rules_tables_and_digests() -> None:
    newest = msgspec.structs.replace(RULEBOOK, version=3, also=("a digest of version 3",))
    mended, outcomes = msgspec.structs.replace(RULEBOOK.rules[0], text="as it was"), RULEBOOK.tables["outcomes"][:1]
    earlier = newest.before(2, mended, tables={"outcomes": outcomes}, also=("a digest of version 2",))
    assert (earlier.version, earlier.rules) == (2, (mended, *RULEBOOK.rules[1:]))
    assert earlier.tables == {**RULEBOOK.tables, "outcomes": outcomes}
    assert (earlier.also, newest.before(1).also) == (("a digest of version 2",), ())
