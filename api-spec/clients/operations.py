"""Writes a method for each operation of the interface's document, for the kits in Python and in JavaScript.

`python operations.py DOCUMENT python|typescript` prints the module. What a kit does for an operation by hand, since it
does more than ask, is named in `BY_HAND`.
"""

import json
import re
import runpy
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from keyword import iskeyword
from pathlib import Path
from textwrap import wrap
from typing import Any

KITS = Path(__file__).resolve().parent
TABLE = "/v1/tables/{table}"
NAMES = {
    "getMe": "me",
    "getPlayer": "player",
    "listBots": "bots",
    "listTables": "tables",
    "getPlayerLedger": "statement",
    "getLeaderboard": "leaderboard",
    "leaveSeat": "leave",
    "abandonSeat": "abandon",
    "closeTable": "close",
    "getReplay": "replay",
    "getTableLedger": "ledger",
    "auditDeal": "audit",
    "listDisputes": "disputes",
    "ruleOnDispute": "rule",
    "getPresence": "presence",
    "exportTable": "export",
}
"""Names that are not those of the operations: kits had them before."""
BY_HAND = {
    "registerPlayer": "register",
    "checkRecord": "checkRecord",
    "getPlayers": "names",
    "listGames": "games",
    "getGame": "game",
    "openTable": "openTable",
    "streamPlayer": "notices",
    "streamLobby": "lobby",
    "getTable": "view",
    "getOffers": "offers",
    "act": "act",
    "listEvents": "events",
    "streamEvents": "follow",
    "takeSeat": "sit",
    "proposeEnd": "proposeEnd",
    "rematch": "rematch",
    "openDispute": "dispute",
    "invite": "invite",
}
APART = ("removeBot", "leaveSeat", "closeTable", "getReplay")
"""Those that the kit in JavaScript has by hand besides: a refusal may say there that it was done before."""
TRUTH = {"true", "false"}
"""The values of a parameter that says yes or no."""
NARROWED = ("Acted", "Action", "Event", "TableRequest", "View")
"""The schemas that a game's own document has narrower."""


@dataclass(frozen=True)
class Operation:
    """An operation of the document."""

    id: str
    method: str
    path: str
    summary: str
    parameters: Mapping[str, Mapping[str, Any]]
    body: str | None
    """The name of its schema."""
    needs_body: bool
    answer: Mapping[str, Any] | None
    """The schema of its answer; None where it has none."""
    kind: str
    """The media type of its answer."""

    @property
    def is_of_table(self) -> bool:
        """Whether it is an operation at one table."""
        return self.path.startswith(TABLE)

    @property
    def name(self) -> str:
        """The method's name, as JavaScript writes it."""
        return BY_HAND.get(self.id) or NAMES.get(self.id, self.id)

    @property
    def within(self) -> str:
        """Its path within the table's, or within `/v1`."""
        if self.is_of_table:
            return self.path.removeprefix(TABLE).removeprefix("/")
        return self.path.removeprefix("/v1/") if self.path.startswith("/v1/") else f"..{self.path}"

    @property
    def queries(self) -> dict[str, Mapping[str, Any]]:
        """The parameters of its query that callers give."""
        own = ("cursor", "min_version", "invite") if self.is_of_table else ("cursor", "invite")
        return {name: one for name, one in self.parameters.items() if one["in"] == "query" and name not in own}

    @property
    def places(self) -> dict[str, Mapping[str, Any]]:
        """The arguments that must be there: those of the path, then those of the query."""
        path = {name: one for name, one in self.parameters.items() if one["in"] == "path" and name in self.within}
        return path | {name: one for name, one in self.queries.items() if one.get("required")}

    @property
    def optional(self) -> dict[str, Mapping[str, Any]]:
        """The arguments of the query that may be left out."""
        return {name: one for name, one in self.queries.items() if name not in self.places}

    @property
    def is_paged(self) -> bool:
        """Whether it lists items page by page."""
        return "cursor" in self.parameters


def operations(document: Mapping[str, Any]) -> Iterator[Operation]:
    """All operations of a document."""
    components = document["components"]

    def resolved(item: Mapping[str, Any], room: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = components[room][item["$ref"].rpartition("/")[2]] if "$ref" in item else item
        return found

    for path, methods in document["paths"].items():
        for method, one in methods.items():
            given = [resolved(item, "parameters") for item in one.get("parameters", ())]
            body = one.get("requestBody", {})
            schema = body.get("content", {}).get("application/json", {}).get("schema")
            answers = [resolved(item, "responses") for status, item in one["responses"].items() if status[0] == "2"]
            content = answers[0].get("content", {})
            kind = next(iter(content), "")
            yield Operation(
                one["operationId"],
                method.upper(),
                path,
                one["summary"].rstrip("."),
                {item["name"]: item for item in given},
                schema and schema["$ref"].rpartition("/")[2],
                body.get("required", False),
                content[kind]["schema"] if kind else None,
                kind,
            )


def _item(operation: Operation, schemas: Mapping[str, Any]) -> str:
    """The name of the schema of a list's items."""
    page = schemas[(operation.answer or {})["$ref"].rpartition("/")[2]]
    return str(page["properties"]["items"]["items"]["$ref"].rpartition("/")[2])


def _answer(operation: Operation, named: Callable[[str], str], text: str, data: str) -> str:
    """The type of an answer."""
    if operation.kind == "application/json":
        return named((operation.answer or {})["$ref"].rpartition("/")[2])
    return text if operation.kind.startswith(("text/", "image/svg")) else data


PYTHON = '''"""A method for each operation that only asks. Made by the kits' `operations.py`, not to be edited."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Generic, Literal, cast

from codille_client.game import G_co, V

from .http import Members, preconditions

if TYPE_CHECKING:
    from codille_client import models
    from codille_client.game import GameTypes


class ClientOperations:
    """Operations of a service."""

    async def request(
        self, method: str, path: str, body: Members = None, *, query: Members = None, headers: Members = None
    ) -> Any:
        """The answer to any request under `/v1`."""
        raise NotImplementedError

    def pages(self, path: str, **query: Any) -> AsyncIterator[Any]:
        """The items of a list, whose pages are asked for as they are needed."""
        raise NotImplementedError
{client}

class TableOperations(Generic[G_co]):
    """Operations at a table."""

    async def _read(self, path: str, query: Members = None) -> Any:
        raise NotImplementedError

    async def _request(self, method: str, path: str, body: Members = None, query: Members = None, **sent: Any) -> Any:
        raise NotImplementedError
{table}'''


def python(document: Mapping[str, Any]) -> str:
    """The module of the kit for Python."""
    schemas = document["components"]["schemas"]
    annotation = runpy.run_path(str(KITS / "python/src/codille_client/schemas.py"))["annotation"]

    def typed(schema: Mapping[str, Any]) -> str:
        return "bool" if {*schema.get("enum", ())} == TRUTH else str(annotation(schema))

    written: dict[bool, list[str]] = {False: [], True: []}
    for one in operations(document):
        if one.id in BY_HAND:
            continue
        names = {name: f"{name}_" if iskeyword(name) else name for name in one.parameters}
        arguments = [f"{names[name]}: {typed(item['schema'])}" for name, item in one.places.items()]
        body = one.body and f"models.{one.body}"
        arguments += [f"body: {body}" if one.needs_body else f"body: {body} | None = None"] if body else []
        for name, item in one.optional.items():
            hint = typed(item["schema"])
            arguments.append(f"{names[name]}: {hint}{'' if 'None' in hint else ' | None'} = None")
        conditions = {"If-Match": "version: int", "Idempotency-Key": "key: str"}
        own = [text for header, text in conditions.items() if header in one.parameters]
        arguments += ["*"] * bool(own) + [f"{text} | None = None" for text in own]
        query = ", ".join(f"{name!r}: {names[name]}" for name in one.queries)
        path = re.sub(r"\{(\w+)\}", lambda found: f"{{{found[1]}}}", one.within)
        path = f'{"f" if "{" in path else ""}"{path}"'
        returned = _answer(one, lambda name: f"models.{name}", "str", "bytes" if one.answer else "None")
        if one.is_paged:
            returned = f"AsyncIterator[models.{_item(one, schemas)}]"
            call = f"self.pages({', '.join([path, *(f'{name}={names[name]}' for name in one.queries)])})"
        elif one.is_of_table and "min_version" in one.parameters:
            call = f"await self._read({path}{f', {{{query}}}' if query else ''})"
        else:
            more = ["body" if body else "", f"query={{{query}}}" if query else ""]
            sent = ", ".join(f"{text.partition(':')[0]}={text.partition(':')[0]}" for text in own)
            more.append(f"headers=preconditions({sent})" if own else "")
            asked = "self._request" if one.is_of_table else "self.request"
            call = f"await {asked}({', '.join([repr(one.method), path, *filter(None, more)])})"
        owner = "self"
        if one.is_of_table and returned == "models.View":
            owner, returned = "self: TableOperations[GameTypes[V, Any, Any, Any]]", "V"
        call = call if one.is_paged or returned == "Any" else f'cast("{returned}", {call})'
        head = f"def {snake(one.name)}({', '.join([owner, *arguments])}) -> {returned}:"
        waits = "" if one.is_paged else "async "
        written[one.is_of_table].append(f'\n    {waits}{head}\n        """{one.summary}."""\n        return {call}\n')
    return PYTHON.format(client="".join(written[False]), table="".join(written[True]))


def snake(name: str) -> str:
    """A name as Python writes it."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).replace("Api", "api").lower()


TYPESCRIPT = """/** A method for each operation that only asks. Made by the kits' `operations.py`, not to be edited. */

/**
 * @typedef {import("./types.js").Schemas} Schemas
 * @typedef {import("./types.js").Sending} Sending
 */

/** Operations of a service. */
export class ClientOperations {
  /**
   * The answer to any request.
   * @param {import("./types.js").Method} method @param {string} path @param {Sending} [sending] @returns {Promise<any>}
   */
  request(method, path, sending) { throw new Error(`${method} ${path} ${sending}`); }

  /**
   * The items of a list, whose pages are asked for as they are needed.
   * @param {string} path @param {{[name: string]: any}} [query] @returns {AsyncGenerator<any>}
   */
  pages(path, query) { throw new Error(`${path} ${query}`); }
$client}

/** Operations at a table. @template {import("./types.js").GameSchemas} [S=Schemas] */
export class TableOperations {
  /**
   * The answer to any request below the table's own path.
   * @param {import("./types.js").Method} method @param {string} path @param {Sending} [sending] @returns {Promise<any>}
   */
  request(method, path, sending) { throw new Error(`${method} ${path} ${sending}`); }

  /**
   * What is at the highest version that was seen, or a later one.
   * @param {string} path @param {{[name: string]: any}} [query] @param {AbortSignal} [signal] @returns {Promise<any>}
   */
  read(path, query, signal) { throw new Error(`${path} ${query} ${signal}`); }
$table}
"""


def _hint(schema: Mapping[str, Any]) -> str:
    """The type of a parameter in TypeScript."""
    values = schema.get("enum", ())
    if values and {*values} != TRUTH:
        return " | ".join(map(json.dumps, values))
    return "boolean" if values else {"integer": "number"}.get(schema.get("type", ""), "string")


def typescript(document: Mapping[str, Any]) -> str:
    """The module of the kit for JavaScript."""
    schemas = document["components"]["schemas"]
    written: dict[bool, list[str]] = {False: [], True: []}
    for one in operations(document):
        if one.id in {*BY_HAND, *APART}:
            continue

        def named(name: str, of: str = "S" if one.is_of_table else "Schemas") -> str:
            return f'{of if name in NARROWED else "Schemas"}["{name}"]'

        hints = {name: _hint(item["schema"]) for name, item in one.places.items()}
        path = re.sub(r"\{(\w+)\}", r"${\1}", f"/{one.within}".rstrip("/"))
        path = f"`{path}`" if "$" in path else f'"{path}"'
        names = [*hints]
        asked = [name for name in one.queries if name in one.places]
        if one.body:
            hints["body" if one.needs_body else "[body]"] = named(one.body)
        members = ", ".join(f"{name}?: {_hint(item['schema'])}" for name, item in one.optional.items())
        if one.optional:
            hints["[query]"] = f"{{{members}}}"
        query = ", ".join([*asked, *["...query"] * bool(one.optional)])
        query = "query" if query == "...query" else f"{{ {query} }}" if query else ""
        returned = _answer(one, named, "string", "Uint8Array" if one.answer else "null")
        names += ["body"] * bool(one.body) + ["query"] * bool(one.optional)
        if one.is_paged:
            returned = f'AsyncGenerator<Schemas["{_item(one, schemas)}"]>'
            call = f"this.pages({', '.join(filter(None, [path, query]))})"
        elif one.is_of_table and "min_version" in one.parameters:
            returned = f"Promise<{returned}>"
            call = f"this.read({', '.join(filter(None, [path, query]))})"
        else:
            returned, names = f"Promise<{returned}>", [*names, "sending"]
            hints["[sending]"] = "Sending"
            given = [query if query == "query" else f"query: {query}"] * bool(query)
            sent = ", ".join(["...sending", *["body"] * bool(one.body), *given])
            call = f'this.request("{one.method}", {path}, {"sending" if sent == "...sending" else f"{{ {sent} }}"})'
        said = f"{one.summary}. {' '.join(f'@param {{{hint}}} {name}' for name, hint in hints.items())}"
        lines = wrap(f"{said.strip()} @returns {{{returned}}}", 115, break_long_words=False, break_on_hyphens=False)
        doc = f"/** {lines[0]} */" if len(lines) == 1 else "\n   * ".join(["/**", *lines]) + "\n   */"
        written[one.is_of_table].append(f"\n  {doc}\n  {one.name}({', '.join(names)}) {{ return {call}; }}\n")
    made = TYPESCRIPT.replace("$client", "".join(written[False])).replace("$table", "".join(written[True]))
    return made.rstrip() + "\n"


if __name__ == "__main__":
    made = {"python": python, "typescript": typescript}[sys.argv[2]]
    sys.stdout.write(made(json.loads(Path(sys.argv[1]).read_bytes())))
