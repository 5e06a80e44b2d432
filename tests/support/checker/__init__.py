"""An independent check of a finished game, from its event envelopes alone.

It is written from the rules of the games and from `api-spec/record.md` and shares no code with what it checks: it
imports only the standard library. `violations` takes the envelopes of one table as `GET …/events` serves them when
the game is over, every section open, and tells in sentences what is wrong with them.
"""

from typing import Any

from tests.support.checker.chance import Envelope, canonical, sha256
from tests.support.checker.crocodile import CROCODILE
from tests.support.checker.lhombre import LHOMBRE
from tests.support.checker.ombre import OMBRE
from tests.support.checker.record import Form, Replay, Rules, Stuck
from tests.support.checker.solo import SOLO

GAMES: dict[str, Rules] = {rules.name: rules for rules in (CROCODILE, LHOMBRE, OMBRE, SOLO)}


def violations(events: list[Envelope]) -> list[str]:
    """What is wrong with the record of a finished game; nothing, if the list is empty."""
    if not events:
        return ["there are no events"]
    game = events[0].get("game")
    rules = GAMES.get(game) if isinstance(game, str) else None
    if rules is None:
        return [f"there is no such game: {game!r}"]
    if found := Form(rules).wrong_with(events):
        return found
    replay = Replay(rules, events)
    try:
        replay.run()
    except Stuck as stuck:
        replay.found.append(str(stuck))
    return replay.found


def rules_digest(game: dict[str, Any]) -> str:
    """The digest of a game's rules, from what `GET …/games/{game}` serves of it."""
    rules = [{name: rule[name] for name in ("id", "option", "reading")} for rule in game["rules"]]
    tables = {
        table: [{name: row[name] for name in row if name != "text"} for row in game[table]]
        for table in ("bonuses", "contracts", "outcomes")
    }
    return sha256(canonical({"rules": rules, "tables": tables, "version": game["rules_version"]})).hex()
