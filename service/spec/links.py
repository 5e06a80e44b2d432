"""How one operation's answer leads to the next: opening a table to sitting down, offers to acts."""

from typing import Any

Link = tuple[str, str, dict[str, str]]
"""The link's name, the operation that it leads to, and where its parameters come from."""

_TABLE = {"table": "$response.body#/table"}
_SAME_TABLE = {"table": "$request.path.table"}
_PLAYER = {"player": "$response.body#/player"}

OF_TABLE = ("getTable", "getOffers", "listEvents", "getReplayRange", "getTableLedger", "listDisputes")

LINKS: dict[str, tuple[Link, ...]] = {
    "registerPlayer": (("profile", "getPlayer", _PLAYER), ("statement", "getPlayerLedger", _PLAYER)),
    "addToken": (
        ("token", "getToken", {"token": "$response.body#/id"}),
        ("revoke", "revokeToken", {"token": "$response.body#/id"}),
    ),
    "listTokens": (("token", "getToken", {"token": "$response.body#/items/0/id"}),),
    "listGames": (
        ("game", "getGame", {"game": "$response.body#/items/0/game"}),
        ("leaderboard", "getLeaderboard", {"game": "$response.body#/items/0/game"}),
    ),
    "listTables": (("table", "getTable", {"table": "$response.body#/items/0/table"}),),
    "openTable": (
        ("sit", "takeSeat", _TABLE),
        ("close", "closeTable", _TABLE),
        *((operation, operation, _TABLE) for operation in OF_TABLE),
    ),
    "takeSeat": (
        ("offers", "getOffers", _TABLE),
        ("act", "act", _TABLE),
        ("leave", "leaveSeat", _TABLE),
        ("replay", "getReplay", _TABLE | {"version": "$response.body#/version"}),
        *((operation, operation, _TABLE) for operation in OF_TABLE if operation != "getOffers"),
    ),
    "getOffers": (("act", "act", _SAME_TABLE),),
    "act": (
        ("offers", "getOffers", _SAME_TABLE | {"min_version": "$response.body#/version"}),
        ("view", "getTable", _SAME_TABLE | {"min_version": "$response.body#/version"}),
        ("ledger", "getTableLedger", _SAME_TABLE | {"min_version": "$response.body#/version"}),
        ("replay", "getReplay", _SAME_TABLE | {"version": "$response.body#/version"}),
    ),
    "openDispute": (("dispute", "getDispute", _SAME_TABLE | {"dispute": "$response.body#/dispute"}),),
    "listDisputes": (("dispute", "getDispute", _SAME_TABLE | {"dispute": "$response.body#/items/0/dispute"}),),
    "getConsistencyProof": (("leaf", "getInclusionProof", {"position": "$response.body#/second"}),),
    "getTable": (("replay", "getReplay", _TABLE | {"version": "$response.body#/version"}),),
}


def links(operation: str) -> dict[str, Any]:
    """The links of the operation's successful answer."""
    return {
        name: {"operationId": leads_to, "parameters": parameters, "description": f"Leads to {leads_to}."}
        for name, leads_to, parameters in LINKS.get(operation, ())
    }
