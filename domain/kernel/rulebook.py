"""Rules as data: the tables that a game serves about itself, and the digest that pins them."""

from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from typing import Any

from msgspec import Struct

from domain.kernel.canonical import canonical

SERVED = ("bonuses", "contracts", "outcomes")
"""The tables that every game serves under their own names, even if empty; other tables are served by name."""


class Rule(Struct, frozen=True):
    """A numbered rule. A `reading` settles a point that the source leaves open; `option` names the option that changes
    it.
    """

    id: str
    text: str
    reading: bool = False
    option: str | None = None


class Rulebook(Struct, frozen=True, dict=True):
    """A game's rules at one version: numbered rules, and tables of data by name (contracts, bonuses, outcomes …).

    In the tables, columns named `name` and `text` are for people.
    """

    version: int
    rules: tuple[Rule, ...]
    tables: Mapping[str, tuple[Struct, ...]]
    also: tuple[str, ...] = ()
    """Other digests with which tables have pinned these same rules, when the data had other names or fewer columns."""

    def before(
        self,
        version: int,
        *rules: Rule,
        tables: Mapping[str, tuple[Struct, ...]] | None = None,
        also: tuple[str, ...] = (),
    ) -> "Rulebook":
        """The rulebook of an earlier version, in which these rules replace the ones with the same numbers, and these
        tables the ones with the same names.

        A digest belongs to one version, so `also` has this version's own.
        """
        stood = {rule.id: rule for rule in rules}
        kept = tuple(stood.get(rule.id, rule) for rule in self.rules)
        return Rulebook(version, kept, {**self.tables, **(tables or {})}, also)

    def digest(self) -> str:
        """SHA-256, in hex, of the canonical data without its texts, so that a corrected typo changes nothing."""
        return self._digest

    # Needed for every table that is opened.
    @cached_property
    def _digest(self) -> str:
        rules = [{"id": rule.id, "reading": rule.reading, "option": rule.option} for rule in self.rules]
        tables: dict[str, list[Any]] = {name: [] for name in SERVED} | {
            name: [{key: getattr(row, key) for key in row.__struct_fields__ if key != "text"} for row in rows]
            for name, rows in self.tables.items()
        }
        return sha256(canonical({"version": self.version, "rules": rules, "tables": tables})).hexdigest()
