"""Hooks of Schemathesis: the player it sends as, other players at its tables, and a check of the project's own."""

import json
import os
from contextlib import suppress
from datetime import datetime
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import schemathesis
from jsonschema import Draft202012Validator
from schemathesis import Case, CheckContext, GenerationMode, HookContext, Response

from service.auth.names import enforced_name, pretends
from service.http.parameters import LONGEST_WAIT_S

BASE_URL = os.environ["CODILLE_TEST_URL"]

MOST = 300
"""The most values of a parameter in a query: more than any may have, and in a URL that is short enough."""


def call(method: str, path: str, token: str | None = None, body: object = None) -> Any:
    """The JSON that the service answers with."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(BASE_URL + path, data, headers, method=method)) as answer:  # noqa: S310 (our own address)
        return json.load(answer)


def register(name: str) -> str:
    """A new player's token."""
    return str(call("POST", "/v1/players", body={"name": name})["token"])


@schemathesis.auth(refresh_interval=None)
class Player:
    """One player for the whole run, because others could not use what it has made.

    Requests that would end it, erasing the profile or revoking or rotating the token in use, are sent by another.
    """

    token: str | None = None
    id_of_token: str | None = None

    def get(self, case: Case, _context: object) -> str:
        if Player.token is None:
            Player.token = register("Schemathesis")
            (Player.id_of_token,) = [item["id"] for item in call("GET", "/v1/tokens", Player.token)["items"]]
        erases = case.method == "DELETE" and case.path == "/v1/players/me"
        ends = case.method in ("DELETE", "POST") and case.path_parameters.get("token") == Player.id_of_token
        return register("Passing by") if erases or ends else Player.token

    def set(self, case: Case, data: str, _context: object) -> None:
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def map_query(_context: HookContext, query: dict[str, Any] | None) -> dict[str, Any] | None:
    """Has answers held for a second at most, of the minute that they may be; no URL is so long that it reaches no
    operation.
    """
    if query and isinstance(query.get("wait"), int) and query["wait"] > 1:
        query["wait"] = 1 if query["wait"] <= LONGEST_WAIT_S else query["wait"]
    return query and {name: value[:MOST] if isinstance(value, list) else value for name, value in query.items()}


@schemathesis.hook
def after_call(context: HookContext, case: Case, response: Response) -> None:
    """Takes the other seats after Schemathesis has taken one, so that there is a game to act in."""
    if case.operation.definition.raw["operationId"] != "takeSeat" or response.status_code != 201:
        return
    view = response.json()
    for seat in view["seats"]:
        if seat["player"] is None:
            # An answer repeated for its key has the view of that time.
            with suppress(HTTPError):
                call("POST", f"/v1/tables/{view['table']}/seats", register("Another"), {"seat": seat["seat"]})


def of_its_game(case: Case) -> bool:
    """Whether the action is one of its table's game, which no schema expresses."""
    game = call("GET", f"/v1/tables/{case.path_parameters['table']}")["game"]
    return Draft202012Validator(call("GET", f"/v1/games/{game}")["schemas"]["actions"]).is_valid(case.body)


def is_a_nickname(name: str) -> bool:
    """Whether PRECIS takes the name (RFC 8266), and a person may have it. No schema expresses either."""
    try:
        return not pretends(enforced_name(name))
    except ValueError:
        return False


def is_a_time(body: Any) -> bool:
    """Whether the body's `expires_at` is a time (RFC 3339)."""
    try:
        datetime.fromisoformat(body["expires_at"])
    except ValueError:
        return False
    return True


OF_GAME = {"facts", "deals", "options", "standing", "rules_version"}
"""The members of deals to score or to judge that each game limits."""


@schemathesis.check
def what_fits_the_schema_is_not_called_invalid(ctx: CheckContext, response: Response, case: Case) -> None:
    """A body that fits the document may be refused for the state of things, never for its shape."""
    meta = case.meta
    if meta is None or meta.generation.mode is not GenerationMode.POSITIVE or response.status_code not in (400, 422):
        return
    operation = case.operation.definition.raw["operationId"]
    if operation == "act" and not of_its_game(case):
        return
    if operation in ("registerPlayer", "renamePlayer") and not is_a_nickname(case.body["name"]):
        return
    if operation == "takeSeat" and case.body.get("bot") is not None and case.body.get("entropy") is not None:
        # No schema says that a bot adds no entropy.
        return
    problem = response.json()
    places = [error["pointer"].split("/")[1] for error in problem.get("errors", ()) if error.get("pointer")]
    if operation in ("scoreDeal", "judgeDeals") and ({*places} <= OF_GAME if places else "NUL" in problem["detail"]):
        # The document leaves them open; the game's own schemas, `test_scores` and `test_judging` have them. So no
        # pattern binds what stands in them.
        return
    # Nor does one bind a text to its format, to which Schemathesis does not always keep.
    if problem["code"] == "invalid-body" and "must be a time" in problem["detail"] and not is_a_time(case.body):
        return
    assert problem["code"] not in ("malformed-body", "invalid-body"), response.text
