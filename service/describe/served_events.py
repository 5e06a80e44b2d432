"""JSON Schemas of events in their served form: the envelope, and open sections."""

from collections.abc import Mapping, Sequence

from domain.kernel.event import Payload
from service.describe.field_meanings import HEX, ID, TIME, VERSION
from service.describe.json_schema import Schema, record, ref, some

SECTION_KEYS = {"seat": r"seat:[0-9]+", "house": "house", "public": "public"}
"""The pattern of a sealed section's audience, by kind."""

ACTOR: Schema = {
    "description": "The actor: a seat, a bot, an arbiter, the clock or the house.",
    "type": "string",
    "pattern": r"^(house|clock|(seat|bot):[0-9]+|arbiter:.+)$",
}


def among(games: Sequence[str]) -> Schema:
    """The schema of a name among these games."""
    return {"type": "string"} | ({"const": games[0]} if len(games) == 1 else {"enum": list(games)})


def _envelope_fields(
    payload: type[Payload], name: str, games: Schema, sections: tuple[Schema, Schema]
) -> dict[str, Schema]:
    """The fields of a served event. `sections` has the schemas of its seals, and of its open sections."""
    schemas = {form.SCHEMA for form in (*payload.EARLIER, payload)}
    return {
        "table": ID | {"description": "The table's id."},
        "game": {"description": "The table's game."} | games,
        "version": VERSION | {"description": "The event's number in its table's record: 1, 2, 3, …"},
        "position": VERSION | {"description": "The event's number in the whole log."},
        "deal": {
            "description": "The deal that the event belongs to; null outside deals.",
            "anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}],
        },
        "type": {"type": "string", "const": payload.TYPE, "description": "The event's type."},
        "schema": {
            "type": "integer",
            **({"enum": sorted(schemas)} if len(schemas) > 1 else {"const": payload.SCHEMA}),
            "description": "The version of this type's fields.",
        },
        "at": TIME | {"description": "The time at which the event was recorded."},
        "actor": ref("Actor"),
        "action": {
            "description": "The service's id of the action that caused the event.",
            "anyOf": [ID, {"type": "null"}],
        },
        "public": ref(name),
        "seals": {"description": "The commitment to each sealed section, by audience."} | sections[0],
        "sealed": {"description": "The sealed sections that the caller may open, by audience."} | sections[1],
        "hash": HEX | {"description": "The event's hash, which covers the previous one's."},
        "more": {
            "type": "boolean",
            "description": "In streams alone: whether another event of the act follows.",
        },
    }


def event_components(
    payload: type[Payload], event: str, name: str, games: Schema, renamed: Mapping[str, str]
) -> dict[str, Schema]:
    """The component of an event in its served form, and that of an open section if the event has sealed ones.

    `name` is the component of its public payload, `games` the schema of the name of its table's game.
    """
    sections = [renamed.get(section.__name__, section.__name__) for section in payload.SECTIONS.values()]
    salt = HEX | {"description": "The salt, in hex."}
    opened = f"{event.removesuffix('Event')}Section"
    audiences = "|".join(SECTION_KEYS[kind] for kind in payload.SECTIONS)
    by_audience = (_by_audience(audiences, HEX), _by_audience(audiences, ref(opened))) if sections else (_NONE, _NONE)
    envelope = record(
        " ".join((payload.__doc__ or "").split()),
        _envelope_fields(payload, name, games, by_audience),
        optional=("more",),
    )
    if not sections:
        return {event: envelope}
    data = some(sections) | {"description": "The sealed content."}
    text = f"An open section of `{payload.TYPE}`, and its salt."
    return {event: envelope, opened: record(text, {"data": data, "salt": salt})}


_NONE: Schema = {"type": "object", "additionalProperties": False}


def _by_audience(audiences: str, values: Schema) -> Schema:
    """An object with these values for audiences of this pattern."""
    return {
        "type": "object",
        "additionalProperties": values,
        "propertyNames": {"pattern": f"^({audiences})$"},
    }
