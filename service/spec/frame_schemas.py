"""The schemas of streams: the contents of frames, and frames as lines of JSON."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from domain.record.recorded import Recorded
from domain.seats import PUBLIC, seat_audience
from domain.table.events import EVENTS as TABLE_EVENTS
from service.describe.json_schema import Schema, one_of, pascal, record, ref
from service.http.examples import Sample, plain
from service.http.operations.record_files import record_frames
from service.http.operations.streams import Frames, lobby_frames, player_frames, streamed_event, table_frames
from service.live.frame_contents import FRAMES
from service.live.frames import WITHOUT_ID, Kind
from service.live.hub import LOBBY
from service.observability.stream_metrics import StreamKind
from service.queries.record_checks import RecordAudit, RecordLedger, RecordStep, RecordVerification

Line: TypeAlias = dict[str, Any]
"""A frame as a line of JSON."""

STREAMS: Mapping[StreamKind, str] = {"table": "a table", "player": "a player", "lobby": "the lobby"}
"""The subject of each stream."""

_MADE_FROM: Mapping[StreamKind, Callable[[Sample], Frames]] = {
    "table": table_frames, "player": player_frames, "lobby": lobby_frames,
}  # fmt: skip
"""What makes the examples of each stream's frames."""

WITH_VIEW = "TableEventWithViewFrame"
"""The component of the frame of a table's event with a view after it."""

WITH_OFFERS = "TableEventWithOffersFrame"
"""The component of the frame of a table's event with offers after it, and no view."""

RECORD: Mapping[str, str] = {
    "verification": "RecordVerification",
    "table": "View",
    "ledger": "RecordLedger",
    "audit": "RecordAudit",
    "step": "RecordStep",
}
"""The components of the contents of frames about a record's file, by the kind of frame."""


def held_types() -> list[type[Struct]]:
    """The types of the contents of frames, except events, each once."""
    types = [held for kinds in FRAMES.values() for held in kinds.values() if held is not Recorded]
    return list(dict.fromkeys([*types, RecordVerification, RecordLedger, RecordAudit, RecordStep]))


def held(stream: StreamKind, kind: Kind) -> str:
    """The name of the component that describes the content of a frame."""
    content = FRAMES[stream][kind]
    if content is Recorded:
        return "LobbyEvent" if stream == "lobby" else "Event"
    return content.__name__


def frames_of(stream: StreamKind) -> list[str]:
    """The names of the components that describe the frames of a stream as lines of JSON."""
    return [f"{pascal(stream)}Frame", *([WITH_VIEW, WITH_OFFERS] if stream == "table" else [])]


def place_of(stream: StreamKind) -> Schema:
    """The schema of a frame's `id`."""
    of = "version of the table" if stream == "table" else "position of the log"
    return {"type": "integer", "minimum": 0, "description": f"The {of} up to which the client has everything."}


def frame_components(event: Schema) -> dict[str, Schema]:
    """The frames of all streams as lines of JSON, and the events in them; `event` is the schema of any event."""
    components: dict[str, Schema] = {
        "EventWithView": _streamed("view=true", event, {"view": ref("View")}, optional=("offers",)),
        "EventWithOffers": _streamed("offers=true", event, {}),
        "LobbyEvent": one_of(
            "An event that changes a list of tables.",
            "type",
            {payload.TYPE: f"{payload.__name__}Event" for payload in TABLE_EVENTS if payload.TYPE in LOBBY},
        ),
        WITH_VIEW: _line("table", "event", "EventWithView"),
        WITH_OFFERS: _line("table", "event", "EventWithOffers"),
    }
    for stream, kinds in FRAMES.items():
        names = {kind: f"{pascal(stream)}{pascal(kind)}Frame" for kind in kinds}
        components |= {name: _line(stream, kind, held(stream, kind)) for kind, name in names.items()}
        text = f"A frame of the stream of {STREAMS[stream]}, as a line of JSON."
        components[frames_of(stream)[0]] = one_of(text, "frame", {str(kind): name for kind, name in names.items()})
    about = "the answer about a record's file"
    frames = {kind: f"Record{pascal(kind)}Frame" for kind in RECORD}
    components |= {name: _framed(about, kind, RECORD[kind], {}) for kind, name in frames.items()}
    components["RecordFrame"] = one_of(f"A frame of {about}, as a line of JSON.", "frame", frames)
    return components


def _line(stream: StreamKind, kind: Kind, holds: str) -> Schema:
    place = {} if kind in WITHOUT_ID else {"id": place_of(stream)}
    return _framed(f"the stream of {STREAMS[stream]}", kind, holds, place)


def _framed(whole: str, kind: str, holds: str, place: Schema) -> Schema:
    """A frame of this kind, `place` being the schema of its `id` if it has one."""
    return record(
        f"The frame `{kind}` of {whole}, as a line of JSON.",
        {"frame": {"type": "string", "const": kind, "description": "The kind of frame."}, **place, "data": ref(holds)},
    )


def _streamed(query: str, event: Schema, after: Schema, optional: Sequence[str] = ()) -> Schema:
    """An event of any type, with what follows it. A schema for each type would double those of all games."""
    return record(
        f"An event of a stream with `{query}`: all that `Event` says of its type, and what follows for the caller.",
        of_any_type(event)
        | after
        | {
            "offers": {
                "description": "With `offers=true`, where `more` is false: what the caller's seat may do after it.",
                "type": "array",
                "items": ref("Offer"),
            }
        },
        optional=optional,
    )


def of_any_type(event: Schema) -> Schema:
    """The properties of events of every type, from the schema of events of one type."""
    properties: Schema = event["properties"]
    text, any_object = {"type": "string"}, {"type": "object", "additionalProperties": True}
    return properties | {
        "game": text | {"description": properties["game"]["description"]},
        "type": text | {"description": properties["type"]["description"]},
        "schema": {"type": "integer", "minimum": 1, "description": properties["schema"]["description"]},
        "public": any_object | {"description": "What everybody may know of it."},
        "seals": {key: value for key, value in properties["seals"].items() if key != "propertyNames"},
        "sealed": any_object | {"description": properties["sealed"]["description"]},
    }


def example_lines(sample: Sample) -> Mapping[str, list[Line]]:
    """Frames of each kind of every stream as lines of JSON, by the name of the component that describes them."""
    lines = {frames_of(stream)[0]: list(_lines(stream, make(sample))) for stream, make in _MADE_FROM.items()}
    lines["RecordFrame"] = [{"frame": kind, "data": plain(data)} for kind, data in record_frames(sample)]
    return lines | {WITH_VIEW: [event_with_view(sample)], WITH_OFFERS: [event_with_offers(sample)]}


def event_with_view(sample: Sample) -> Line:
    """The frame of an event amid a deal, with the public's view after it."""
    version = sample.played.midway()[0] + 1
    event = streamed_event(sample, version)
    return {"frame": "event", "id": version, "data": event | {"view": sample.played.view(version, PUBLIC)}}


def event_with_offers(sample: Sample) -> Line:
    """The frame with which an act amid a deal ends, as the seat that is next to act gets it."""
    version, seat, _ = sample.played.midway()
    event = streamed_event(sample, version, seat_audience(seat))
    return {"frame": "event", "id": version, "data": event | {"offers": sample.played.offers(version, seat)}}


def _lines(stream: StreamKind, frames: Frames) -> Iterator[Line]:
    for kind, stream_id, data in frames:
        yield {"frame": kind} | ({} if stream_id is None else {"id": stream_id}) | {"data": plain(data)}
        if kind == "snapshot" and "reset" in FRAMES[stream]:
            yield {"frame": "reset", "id": stream_id, "data": plain(data)}
