"""Players who use the Python kit, which follows the table, and sends again what was lost.

What goes over their connections is written down as that of other clients, and what the kit passes on, as a stream.
"""

import random
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import httpx
import msgspec
from codille_client import Altered, Moment
from codille_client import Client as Kit

from tests.lab.chaos.memory import HELD_BACK, Call, Frame, Kind, Listening
from tests.lab.chaos.players import TLS, Party
from tests.support.picking import Temper, pick
from tests.support.waiting import PATIENCE_S

ENDURES_S = 10 * PATIENCE_S
"""How long the kit tries again. At a table at which nothing happens, no stream brings anything between two faults."""
CALL = "codille.call"
"""Under this name a request has what is written down of it."""
ADDED = ("view", "offers")
"""What a frame has besides its event."""
SHOWN = 0.2
"""So often that is written down: a view is large."""

_plain = msgspec.json.Decoder()


async def sit_with_kit(party: Party, seat: int, temper: Temper, rng: random.Random, written: Listening) -> None:
    """Plays a seat until the game is over, and follows its table until it is cancelled."""
    watch = _Watch(party, seat)
    hooks = {"request": [watch.asks], "response": [watch.is_answered]}
    http = httpx.AsyncClient(trust_env=False, verify=TLS, event_hooks=hooks)
    try:
        async with Kit(party.url(), party.tokens[seat], deadline_s=ENDURES_S, http=http) as kit:
            async for moment in kit.table(party.table).follow(after=0, beyond=True):
                if moment.event is not None:
                    data = {name: value for name, value in (moment.data or {}).items() if name not in ADDED}
                    written.frames.append(Frame(1, "event", moment.version, data, party.memory.now()))
                    if rng.random() < SHOWN:
                        _note_shown(party, seat, moment)
                    if data["type"] == "game-finished":
                        party.ended()
                if moment.to_act and not party.over.is_set():
                    await moment.act(pick([offer.wire for offer in moment.offers], rng, temper))
    except Altered as altered:
        party.memory.raised.append(f"{party.table}: the kit of seat {seat} says: {altered}")


def _note_shown(party: Party, seat: int, moment: Moment) -> None:
    """Writes down what the kit shows beside an event, as answers to requests."""
    view = moment.view
    shown: dict[Kind, Mapping[str, Any]] = {"view": view}
    # They come with an act's last event.
    if "offers" in (told := moment.data or {}):
        known = {"version": moment.version, "you": view["you"], "to_act": view["to_act"]}
        shown["offers"] = {**known, "offers": told["offers"]}
    for kind, answer in shown.items():
        call = party.memory.ask(Call(kind, seat, party.table, seat, party.memory.now()))
        party.memory.answer(call, HTTPStatus.OK, answer)


class _Watch:
    """Writes down the requests of a kit about a table, and their answers."""

    def __init__(self, party: Party, seat: int) -> None:
        self._party = party
        self._seat = seat

    async def asks(self, request: httpx.Request) -> None:
        """A request is about to be sent."""
        kind, body = self._kind(request), None
        if kind is None:
            return
        if kind == "act":
            body = _plain.decode(request.content)
        key, own = request.headers.get("Idempotency-Key", ""), request.headers.get("If-Match")
        least = request.url.params.get("min_version")
        memory = self._party.memory
        call = Call(kind, self._seat, self._party.table, self._seat, memory.now(), key, body)
        call.least, call.expected = least and int(least), own and int(own.strip('"'))
        request.extensions[CALL] = memory.ask(call)

    async def is_answered(self, response: httpx.Response) -> None:
        """The head of an answer has come."""
        call: Call | None = response.request.extensions.get(CALL)
        if call is None:
            return
        # An answer that is cut off here is none; the kit gets the same error.
        content = await response.aread()
        if response.status_code in HELD_BACK:
            self._party.memory.answer(call, response.status_code, None)
        else:
            replayed = "idempotency-replayed" in response.headers
            self._party.memory.answer(call, response.status_code, _plain.decode(content), replayed=replayed)

    def _kind(self, request: httpx.Request) -> Kind | None:
        kinds: Mapping[str, Kind] = {"/actions": "act", "/offers": "offers", "": "view"}
        path = request.url.path
        return kinds.get(path.removeprefix(self._party.path)) if path.startswith(self._party.path) else None
