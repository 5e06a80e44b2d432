"""The generic form of the interface: acts, views and events of any game, as open objects."""

from collections.abc import Sequence

from litestar.handlers import HTTPRouteHandler

from domain.kernel.game import Game
from domain.kernel.rulebook import SERVED
from domain.kernel.table_view import TableView
from service.describe.json_schema import Schema, record
from service.describe.type_schemas import CARD, components_of
from service.http.schemas import TableRequest
from service.spec.components import RENAMED, all_components, completed
from service.spec.frame_schemas import of_any_type

OBJECT: Schema = {"type": "object", "additionalProperties": True}
"""An object with any members."""

ACTION: Schema = {
    "description": "An action of a seat: its type, and the fields of an offer of that type.",
    "type": "object",
    "properties": {"type": {"type": "string", "description": "The action's type, which its offer has."}},
    "required": ["type"],
    "additionalProperties": True,
}


def generic_components(handlers: Sequence[HTTPRouteHandler], game: Game) -> dict[str, Schema]:
    """The schemas of the bodies of requests and responses, without anything of a game's own.

    They describe any game; the given one only provides what all games share.
    """
    components = all_components(handlers, [game])
    own = components_of([TableView, TableRequest], RENAMED, [TableRequest])
    event = record(
        "An event of a table or of its game.", of_any_type(components["TableOpenedEvent"]), optional=["more"]
    )
    rows: Schema = {"type": "array", "items": OBJECT}
    return components | {
        "Action": ACTION,
        "Card": CARD,
        "Event": event,
        "GameDetails": completed(
            components["GameDetails"],
            dict.fromkeys(SERVED, rows) | {"tables": {"type": "object", "additionalProperties": rows}},
        ),
        "LobbyEvent": event | {"description": "An event that changes a list of tables."},
        "TableRequest": completed(own["TableRequest"], {"options": {"anyOf": [OBJECT, {"type": "null"}]}}),
        "SeatView": own["SeatView"] | {"additionalProperties": True},
        "View": completed(own["View"], {"options": OBJECT}) | {"additionalProperties": True},
    }
