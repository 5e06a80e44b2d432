"""An independent check of a finished game, from its event envelopes alone.

It is written from the rules of the games and from `api-spec/record.md` and shares no code with what it checks: it
imports only the standard library. `violations` takes the envelopes of one table as `GET …/events` serves them when
the game is over, every section open, and tells in sentences what is wrong with them.
"""

from pathlib import Path
from typing import Any

from tests.support.checker.chance import Envelope, canonical, sha256
from tests.support.checker.record import Form, Replay, Stuck
from tests.support.helpers import helper

CHECKED = {file.parent.name for file in (Path(__file__).parents[2] / "games").glob("*/checker.py")}
"""The games whose rules are known."""


def violations(events: list[Envelope]) -> list[str]:
    """What is wrong with the record of a finished game; nothing, if the list is empty."""
    if not events:
        return ["there are no events"]
    game = events[0].get("game")
    if game not in CHECKED:
        return [f"there is no such game: {game!r}"]
    rules = helper(game, "checker")
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
        table: [{name: row[name] for name in row if name != "text"} for row in rows]
        for table, rows in {
            **{table: game[table] for table in ("bonuses", "contracts", "outcomes")},
            **game.get("tables", {}),
        }.items()
    }
    return sha256(canonical({"rules": rules, "tables": tables, "version": game["rules_version"]})).hex()
