"""Examples of the bodies of requests and responses, taken from sample games."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.kernel.game import Game
from service.describe.json_schema import LOCAL, Schema, reachable
from service.http.examples import Sample, plain
from service.http.operation import Operation


class GameBodies(Struct, frozen=True):
    """The example bodies made from one game's sample."""

    sample: Sample
    requests: Mapping[str, dict[str, Any]]
    """The bodies of requests, by operation id and name."""
    answers: Mapping[str, Any]
    """The body of each successful response, by operation id."""


class Bodies:
    """Example bodies by operation id and name: from each game for operations `by_game`, else from the first game."""

    def __init__(self, operations: Sequence[Operation], by_game: Sequence[GameBodies]) -> None:
        self._operations = operations
        self.by_game = by_game
        self.samples = [own.sample for own in by_game]
        self.games = [sample.game for sample in self.samples]
        self.sample = self.samples[0]
        self.requests: dict[str, dict[str, Any]] = {}
        self.answers: dict[str, dict[str, Any]] = {}
        for own in by_game:
            game = own.sample.game
            chosen = [one.id for one in operations if own.sample is self.sample or one.by_game]
            for operation in chosen:
                if operation in own.requests:
                    _add(self.requests.setdefault(operation, {}), game, own.requests[operation])
                if operation in own.answers:
                    _add(self.answers.setdefault(operation, {}), game, {game.title: own.answers[operation]})

    def of_game(self, index: int) -> "Bodies":
        """The bodies from one of the games alone."""
        return Bodies(self._operations, [self.by_game[index]])


def game_bodies(operations: Iterable[Operation], sample: Sample) -> GameBodies:
    """The bodies made from this sample."""
    return GameBodies(
        sample,
        {one.id: plain(one.requests(sample)) for one in operations if one.requests is not None},
        {one.id: plain(one.example(sample)) for one in operations if one.example is not None},
    )


def _add(bodies: dict[str, Any], game: Game, named: Mapping[str, Any]) -> None:
    """Adds the bodies that differ from all present ones."""
    for name, body in named.items():
        if body not in bodies.values():
            bodies[f"{name}, {game.title}" if name in bodies else name] = body


class Harvest:
    """Examples of components: for each, the first part of a value that it describes."""

    def __init__(self, components: Mapping[str, Schema]) -> None:
        self.examples: dict[str, Any] = {}
        self._components = components
        self._reachable: dict[str, set[str]] = {}
        self._complete: set[str] = set()

    def take(self, schema: Schema, value: Any) -> None:
        """Takes an example from the value for every component that has none yet and describes a part of it."""
        if "$ref" in schema:
            name = schema["$ref"].removeprefix(LOCAL)
            if not self._has_all(name):
                self.examples.setdefault(name, value)
                self.take(self._components[name], value)
        elif "discriminator" in schema:
            discriminator = schema["discriminator"]
            self.take({"$ref": discriminator["mapping"][value[discriminator["propertyName"]]]}, value)
        elif options := schema.get("anyOf"):
            fitting = next((option for option in options if _fits(option, value, self._components)), None)
            if fitting is not None:
                self.take(fitting, value)
        elif isinstance(value, dict):
            others = schema.get("additionalProperties")
            for name, part in value.items():
                inner = schema.get("properties", {}).get(name, others)
                if isinstance(inner, dict):
                    self.take(inner, part)
        elif isinstance(value, list):
            for part in value:
                self.take(schema.get("items") or {}, part)

    def _has_all(self, name: str) -> bool:
        """Whether the component and everything it refers to have examples, so that no value can add one."""
        if name not in self._complete:
            if name not in self._reachable:
                self._reachable[name] = {name} | reachable(self._components[name], self._components)
            if not self._reachable[name] <= self.examples.keys():
                return False
            self._complete.add(name)
        return True


_KINDS: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
    "object": dict,
    "array": list,
}


def _fits(schema: Schema, value: Any, components: Mapping[str, Schema]) -> bool:
    """Whether the value has the schema's kind. Checks only what distinguishes the alternatives of a union."""
    if "$ref" in schema:
        return _fits(components[schema["$ref"].removeprefix(LOCAL)], value, components)
    if "discriminator" in schema and isinstance(value, dict):
        discriminator = schema["discriminator"]
        chosen = discriminator["mapping"].get(str(value.get(discriminator["propertyName"])))
        return chosen is not None and _fits({"$ref": chosen}, value, components)
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return any(_fits(option, value, components) for option in options)
    kind = schema.get("type")
    if kind is not None and not isinstance(value, _KINDS[kind]):
        return False
    if value not in schema.get("enum", [value]) or schema.get("const", value) != value:
        return False
    if isinstance(value, list) and value and schema.get("items"):
        return _fits(schema["items"], value[0], components)
    if isinstance(value, dict) and "properties" in schema:
        properties = schema["properties"]
        complete = set(schema.get("required", ())) <= value.keys() <= properties.keys()
        return complete and all(_fits(properties[name], part, components) for name, part in value.items())
    return True
