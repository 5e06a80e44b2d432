"""Examples of what the operations take and answer, out of games that were played."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from domain.audit.auditor import audit
from domain.kernel.game import Game
from domain.record import export, merkle, note
from domain.record.history import Reader
from domain.seats import PUBLIC, seat_audience
from domain.table.events import DisputeOpened
from service.http.schemas import DealAudit
from service.queries.disputes import audited, disputes
from service.queries.game_schemas import LOCAL, Schema, game_schemas
from service.spec.sample import (
    DAY,
    ENTROPY,
    JUDGEMENT,
    PLAYERS,
    REASON,
    TABLE,
    Happened,
    Played,
    disputed,
    happened,
    plain,
    shown,
)
from service.transparency.keys import SigningKey

TOKEN = "codille_Zm9sbG93IHN1aXQsIG9yIHBsYXkgYW55IGNhcmQuIQ"  # noqa: S105 (an example)
TOKEN_ID = "019752d0-6c00-7000-a000-000000000001"  # noqa: S105 (an id)
KEY = "9b2f0c1e-open-a-table"
CURSOR = "b3Blbi1zZXNhbWU"
REGISTERED_AT = f"{DAY}T09:30:00.250000Z"


DIFFERENT = frozenset({"openTable", "act", "getGame", "getTable", "getOffers"})
"""The operations whose bodies are shown for each game. Of the others those of the first game say enough."""


class Bodies:
    """Examples of bodies, by operation and name."""

    def __init__(self, games: Sequence[Game]) -> None:
        self.games = games
        self.happened = {game.name: happened(game) for game in games}
        self.requests: dict[str, dict[str, Any]] = {}
        self.answers: dict[str, dict[str, Any]] = {}
        for game in games:
            played = shown(game)
            for operation, named in requests(game, played, self.happened[game.name]).items():
                self._add(self.requests, operation, game, named)
            for operation, body in answers(game, played).items():
                self._add(self.answers, operation, game, {game.title: body})

    def _add(self, found: dict[str, dict[str, Any]], operation: str, game: Game, named: Mapping[str, Any]) -> None:
        own = found.setdefault(operation, {})
        for name, body in named.items():
            if game is self.games[0] or (operation in DIFFERENT and body not in own.values()):
                own[f"{name}, {game.title}" if name in own else name] = body


def requests(game: Game, played: Played, happened: Happened) -> dict[str, dict[str, Any]]:
    """Bodies by operation and name."""
    line = next(booked(played))
    return {
        "registerPlayer": {"a name": {"name": "Ada"}},
        "addToken": {"the same scopes": {}, "to play": {"scopes": ["play"]}},
        "openTable": {
            "as the game has it": {"game": game.name},
            "settled": {
                "game": game.name,
                "deals": 2 * game.default_deals,
                "options": plain(game.options()),
            },
        },
        "takeSeat": {"any seat": {}, "a seat, and entropy": {"seat": 0, "entropy": ENTROPY}},
        "act": dict(happened.actions),
        "openDispute": {
            "a line": {"reason": REASON, "lines": [{"version": line["version"], "line": 0}]},
            "a deal": {"reason": REASON, "deal": 1},
        },
        "ruleOnDispute": {
            "rejected": {"ruling": "rejected", "text": "The record shows otherwise."},
            "upheld": {
                "ruling": "upheld",
                "text": JUDGEMENT,
                "lines": [
                    {
                        "account": 0,
                        "with": "bank",
                        "amount": 3,
                        "kind": line["kind"],
                        "rule": line["rule"],
                        "text": "as it should have been",
                    }
                ],
            },
        },
    }


def answers(game: Game, played: Played) -> dict[str, Any]:
    """Bodies of successful answers by operation."""
    version, seat, _ = played.midway()
    after = next(following for following in played.actions if following > version)
    own = seat_audience(seat)
    events = [played.event(number, own) for number in range(version + 1, after + 1)]
    seated = 1 + len(played.view(1, PUBLIC)["seats"])
    token = {
        "id": TOKEN_ID,
        "scopes": ["play"],
        "created_at": REGISTERED_AT,
        "last_used_at": f"{DAY}T10:00:00Z",
        "current": True,
    }
    player = {
        "player": PLAYERS[0],
        "name": "Ada",
        "created_at": REGISTERED_AT,
        "erased": False,
        "record": _record(played),
    }
    corrected = disputed(game)
    summary = {
        "game": game.name,
        "title": game.title,
        "seats": game.seats(game.options()),
        "default_deals": game.default_deals,
        "unit": game.unit,
        "rules_version": game.rulebook.version,
        "rules_digest": game.rulebook.digest(),
    }
    tables = {name: plain(rows[:2]) for name, rows in game.rulebook.tables.items()}
    options = game_schemas(game)["options"]
    return {
        "registerPlayer": {"player": PLAYERS[0], "token": TOKEN},
        "getPlayer": player,
        "getPlayers": {"items": [player]},
        "listTokens": {"items": [token], "next": None},
        "getToken": token,
        "addToken": {"id": TOKEN_ID, "token": TOKEN, "scopes": ["play"]},
        "listGames": {"items": [summary]},
        "getGame": summary
        | {name: tables.get(name, []) for name in ("contracts", "bonuses", "outcomes")}
        | {
            "options": options,
            "rules": plain(game.rulebook.rules[:3]),
            "schemas": {"options": options},
        },
        "openTable": played.view(1, PUBLIC),
        "listTables": {"items": [_summary(played)], "next": CURSOR},
        "getTable": played.view(version, own),
        "closeTable": played.view(1, PUBLIC) | {"version": 2, "status": "closed"},
        "takeSeat": played.view(seated - 1, seat_audience(seated - 3)),
        "leaveSeat": played.view(1, PUBLIC) | {"version": 3},
        "getOffers": {
            "version": version,
            "to_act": played.to_act(version),
            "offers": played.offers(version, seat),
        },
        "act": {"version": after, "events": events, "to_act": played.to_act(after)},
        "listEvents": {"items": events, "version": after},
        "getReplay": corrected.view(corrected.version, PUBLIC),
        "getReplayRange": {
            "steps": [
                {
                    "version": version,
                    "event": played.event(version, PUBLIC),
                    "changed": ["version", "seats", "trick", "to_act"],
                    "view": played.view(version, PUBLIC),
                }
            ],
            "version": after,
        },
        "auditDeal": plain(DealAudit.of(audit(Reader({game.name: game}), played.records, 1))),
        "exportTable": _export(played),
        **_disputes(corrected),
        **_log(played),
        "getTableLedger": _ledger(played),
        "getPlayerLedger": {"items": _statement(played), "next": None},
        "getLeaderboard": {"items": _ranks(played), "next": None},
        "getLiveness": {"status": "ok"},
        "getReadiness": {"status": "ok"},
        "getMetrics": "# HELP codille_requests_total Requests answered.\n# TYPE codille_requests_total counter\n"
        'codille_requests_total{method="GET",route="/v1/games",status="200"} 1.0\n',
    }


def _disputes(played: Played) -> dict[str, Any]:
    reader = Reader({played.game.name: played.game})
    raised = next(record.version for record in played.records if record.type == DisputeOpened.TYPE)
    shown: dict[str, Any] = {}
    for operation, upto in (("openDispute", raised), ("getDispute", None), ("ruleOnDispute", None)):
        (found,) = disputes(reader, played.records[:upto])
        audits = plain(audited(reader, played.records[:upto], found))
        shown[operation] = plain(found) | {"audits": audits}
    return shown | {"listDisputes": {"items": [plain(found)]}}


def _log(played: Played) -> dict[str, Any]:
    """What the log would answer if it held this game alone."""
    leaves = [merkle.leaf_hash(record.hash) for record in played.records]

    def node(level: int, index: int) -> bytes:
        return (
            leaves[index]
            if level == 0
            else merkle.node_hash(node(level - 1, 2 * index), node(level - 1, 2 * index + 1))
        )

    size, first = len(leaves), len(leaves) // 2
    key = SigningKey(bytes(32))
    proofs = {
        "inclusion": merkle.inclusion_proof(node, 0, size),
        "consistency": merkle.consistency_proof(node, first, size),
    }
    told = {name: [part.hex() for part in proof] for name, proof in proofs.items()}
    return {
        "getCheckpoint": key.sign(note.checkpoint_text(size, merkle.root_hash(node, size))),
        "getInclusionProof": {
            "position": 1,
            "size": size,
            "leaf": played.records[0].hash.hex(),
            "proof": told["inclusion"],
        },
        "getConsistencyProof": {"first": first, "second": size, "proof": told["consistency"]},
        "getLogKeys": {"items": [{"verifier": str(key.verifier), "since": 0, "until": None, "announcement": None}]},
    }


def _export(played: Played) -> str:
    """The first lines of an export."""
    last = played.records[-1]
    header = export.encode_line(export.Header(PUBLIC, export.FORMAT, last.hash.hex(), TABLE, last.version))
    return (header + export.event_line(played.records[0], PUBLIC, over=True)).decode()


def booked(played: Played) -> Iterator[dict[str, Any]]:
    """The lines of the table's ledger."""
    for version in range(1, played.version + 1):
        event = played.event(version, PUBLIC)
        for line in event["public"].get("lines", ()):
            yield line | {"version": version, "deal": event["deal"]}


def _ledger(played: Played) -> dict[str, Any]:
    table = played.history(played.version).table
    return {
        "replay": f"/v1/tables/{TABLE}/replay/{{version}}",
        "version": played.version,
        "unit": played.game.unit,
        "balances": [
            {"account": f"player:{player}", "seat": seat, "balance": total}
            for seat, (player, total) in enumerate(zip(table.players, table.totals, strict=True))
        ]
        + [{"account": name, "seat": None, "balance": total} for name, total in sorted(table.accounts.items())],
        "lines": list(booked(played))[:4],
    }


def _statement(played: Played) -> list[dict[str, Any]]:
    balance = 0
    lines = []
    for line in booked(played):
        if line["seat"] == 0:
            balance += line["amount"]
            at = played.records[line["version"] - 1].at
            lines.append(line | {"table": TABLE, "game": played.game.name, "at": at, "balance": balance})
    return lines[::-1][:3]


def _record(played: Played) -> dict[str, Any]:
    table = played.history(played.version).table
    count = {"games": 1, "wins": int(0 in (table.winners or ()))}
    return count | {"by_game": [{"game": played.game.name, "total": table.totals[0]} | count]}


def _ranks(played: Played) -> list[dict[str, Any]]:
    table = played.history(played.version).table
    order = sorted(range(len(table.totals)), key=lambda seat: -table.totals[seat])
    return [
        {
            "rank": 1 + sum(total > table.totals[seat] for total in table.totals),
            "player": table.players[seat],
            "total": table.totals[seat],
            "games": 1,
            "wins": int(seat in (table.winners or ())),
        }
        for seat in order
    ]


def _summary(played: Played) -> dict[str, Any]:
    table = played.history(played.version).table
    return {
        "table": table.table,
        "game": table.game,
        "status": table.status,
        "deals": table.deals,
        "deal": table.deal,
        "players": list(table.players),
        "totals": list(table.totals),
        "winners": None if table.winners is None else list(table.winners),
        "version": table.version,
        "opened_at": played.records[0].at,
        "updated_at": played.records[-1].at,
    }


def harvest(schema: Schema, value: Any, components: Mapping[str, Schema], found: dict[str, Any]) -> None:
    """Notes, for every component that the schema describes a part of the value by, the first such part."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(LOCAL)
        found.setdefault(name, value)
        harvest(components[name], value, components, found)
    elif "discriminator" in schema:
        discriminator = schema["discriminator"]
        chosen = discriminator["mapping"][value[discriminator["propertyName"]]]
        harvest({"$ref": chosen}, value, components, found)
    elif options := schema.get("anyOf"):
        fitting = next((option for option in options if _fits(option, value, components)), None)
        if fitting is not None:
            harvest(fitting, value, components, found)
    elif isinstance(value, dict):
        others = schema.get("additionalProperties")
        for name, part in value.items():
            inner = schema.get("properties", {}).get(name, others)
            if isinstance(inner, dict):
                harvest(inner, part, components, found)
    elif isinstance(value, list):
        for part in value:
            harvest(schema.get("items") or {}, part, components, found)


_KINDS: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
    "object": dict,
    "array": list,
}


def _fits(schema: Schema, value: Any, components: Mapping[str, Schema]) -> bool:
    """Whether the value is of the schema's kind, as far as is needed to tell alternatives apart."""
    if "$ref" in schema:
        return _fits(components[schema["$ref"].removeprefix(LOCAL)], value, components)
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return any(_fits(option, value, components) for option in options)
    kind = schema.get("type")
    if kind is not None and not isinstance(value, _KINDS[kind]):
        return False
    if value not in schema.get("enum", [value]) or schema.get("const", value) != value:
        return False
    if isinstance(value, dict) and "properties" in schema:
        properties = schema["properties"]
        complete = set(schema.get("required", ())) <= value.keys() <= properties.keys()
        return complete and all(_fits(properties[name], part, components) for name, part in value.items())
    return True
