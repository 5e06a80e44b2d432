"""Players who sit down and play a whole game: as quick opponents do, or without rules, by picking from the offers.

Everything goes through the interface, as with any client. The events that the players see are merged, so that the game
is narrated with all hands open.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle, islice
from random import Random
from typing import Any

import msgspec
from msgspec import ValidationError, convert, to_builtins
from rich.text import Text

from domain.kernel.game import Game
from domain.kernel.offers import Offer
from domain.kernel.offers import Text as TextField
from domain.opponents.choosing import LEVELS
from domain.opponents.opponent import Opponent
from domain.picking import offer_from_wire, pick
from domain.record.envelope import EventEnvelope
from domain.record.history import Reader
from domain.seats import PUBLIC, Seat, seat_audience
from service.auth.names import labels
from service.cli.client import Client
from service.cli.explorer import Explorer
from service.cli.narrator import Narrator
from service.cli.replay import public_view
from service.describe.narration import Event

NAMES = ("Ada", "Berta", "Carl", "Dora", "Emil")

THINKING_S = 0.03
"""The most seconds for which a player thinks about an act."""

GAME_S = 0.15
"""The same, for one act in each of the game's deals: the more deals, the less time for an act."""

USUAL, PASS, TALK, SELDOM = 100.0, 60.0, 8.0, 3.0
"""The weights of offers: one that advances the game, a pass, talk, and any other."""


def choose(offers: Sequence[Mapping[str, Any]], chance: Random) -> dict[str, Any]:
    """An action from one of the offers. Raises ValueError if a field of an offer is of an unknown kind."""
    known = [offer_from_wire(offer) for offer in offers]
    # Of several offers of one action, the first changes least, such as the contract as bid before a raised one.
    repeated = [sum(other.type == offer.type for other in known[:number]) for number, offer in enumerate(known)]
    choices = any(map(_is_choice, known))
    weights = [_weight(offer, choices) / 3**before for offer, before in zip(known, repeated, strict=True)]
    # Values are offered lowest first, as bids are, and most games are played at low ones.
    offer = chance.choices(known, weights)[0]
    return pick(offer, lambda count: min(int(chance.expovariate(0.6)), count - 1))


def _weight(offer: Offer, choices: bool) -> float:
    """The weight of an offer. Next to acts that choose something, other acts mostly end or delay the deal, except
    passing.
    """
    if _is_choice(offer) or not choices:
        return USUAL
    if offer.fields:
        return TALK
    return PASS if offer.type == "pass" else SELDOM


def _is_choice(offer: Offer) -> bool:
    """Whether the act chooses something, rather than only saying it."""
    return any(not isinstance(field, TextField) for field in offer.fields.values())


class Demo:
    """Plays games through a service and narrates them line by line. Raises Unreachable and Refusal."""

    def __init__(
        self,
        client: Client,
        games: Mapping[str, Game],
        say: Callable[[Text], None],
        chance: Random,
        *,
        rules: bool = True,
        pause_s: float = 0.0,
    ) -> None:
        """With `rules` the players play as quick opponents do, each by what its own seat sees."""
        self._client = client
        self._reader = Reader(games) if rules else None
        self._games = games
        self._say = say
        self._chance = chance
        self._pause_s = pause_s

    def play(self, game: str | None, deals: int | None, options: Mapping[str, Any] | None = None) -> str:
        """Plays one game to its end, and returns its table's id. It registers a player for each seat.

        The first line is the address of the table's page, which follows the game. By default it is the first game that
        the service offers, with the fewest deals.
        """
        game = game or str(self._client.get("/v1/games")["items"][0]["game"])
        deals = deals or self._fewest_deals(game, options or {})
        first = self._register(NAMES[0], 0)
        settled = {"deals": deals, "options": options}
        request = {"game": game} | {name: value for name, value in settled.items() if value is not None}
        opened = first.client.post("/v1/tables", request)
        table = str(opened["table"])
        self._say(Text(f"\n  Follow it in a browser: {self._client.url}/replay/{table}\n"))
        others = zip(islice(cycle(NAMES), 1, None), range(1, len(opened["seats"])), strict=False)
        players = [first, *[self._register(name, seat) for name, seat in others]]
        names = labels({player.id: player.name for player in players})
        narrator = Narrator(
            lambda player: names.get(player, player),
            self._games,
            lambda version: public_view(self._client, table, version),
        )
        for player in players:
            entropy = self._chance.randbytes(16).hex()
            player.client.post(f"/v1/tables/{table}/seats", {"entropy": entropy})
        events, to_act = self._events(players, table, 0), first.client.get(f"/v1/tables/{table}/offers")["to_act"]
        version = 0
        while True:
            for event in events:
                self._narrate(narrator, event)
                version = event["version"]
                if event["type"] == "game-finished":
                    return table
            acted = self._act(players, table, to_act)
            events, to_act = acted["events"], acted["to_act"]
            if not _complete(events, version):
                events = self._events(players, table, version)

    def _fewest_deals(self, game: str, options: Mapping[str, Any]) -> int | None:
        """The fewest deals that a game with these options may have; None if the service decides.

        That is if its default is no greater, or if it has to report an unknown game or option.
        """
        try:
            numbers = self._games[game].course.deals(convert(options, self._games[game].options))
        except (KeyError, ValidationError):
            return None
        return numbers.least if numbers.least < numbers.default else None

    def _register(self, name: str, seat: int) -> "DemoPlayer":
        made = self._client.post("/v1/players", {"name": name})
        client = self._client.authenticated(made["token"])
        return DemoPlayer(made["player"], name, client, seat, self._reader, self._chance)

    def _act(self, players: "Sequence[DemoPlayer]", table: str, to_act: Sequence[int]) -> Mapping[str, Any]:
        """Takes one action for a seat that has to act, or otherwise for any that may, and returns the response.

        If a time limit has run out in between, no seat may be able to act; then the result is based on the last offers.
        """
        seats = to_act[:1] or self._chance.sample(range(len(players)), len(players))
        offered: Mapping[str, Any] = {}
        for player in (players[seat] for seat in seats):
            offered = player.client.get(f"/v1/tables/{table}/offers")
            if offers := offered["offers"]:
                action = player.action(table, offers, must=bool(to_act))
                if action is not None:
                    acted: Mapping[str, Any] = player.client.post(f"/v1/tables/{table}/actions", action)
                    return acted
        return {"events": (), "to_act": offered["to_act"]}

    def _events(self, players: "Sequence[DemoPlayer]", table: str, after: int) -> list[Event]:
        """The events after a version, with the sections of all players open."""
        views = zip(*(player.client.events(table, after) for player in players), strict=True)
        return [_merged(same) for same in views]

    def _narrate(self, narrator: Narrator, event: Event) -> None:
        for line in narrator.lines(event):
            self._say(line)
        if self._pause_s and event["actor"] != "house":
            time.sleep(self._pause_s)


class DemoPlayer:
    """A registered player, and the client with the player's token. With a reader it follows its own seat's events."""

    def __init__(
        self, player: str, name: str, client: Client, seat: Seat, reader: Reader | None, chance: Random
    ) -> None:
        self.id = player
        self.name = name
        self.client = client
        self._seat = seat
        self._reader = reader
        self._chance = chance
        self._opponent: Opponent | None = None
        self._version = 0
        self._explorer = Explorer(None)

    def action(self, table: str, offers: Sequence[Mapping[str, Any]], *, must: bool) -> dict[str, Any] | None:
        """An action from one of the offers; None if nothing is worth doing before another event."""
        if self._reader is not None:
            own = self._followed(self._reader, table)
            if own.table is not None and own.table.running_deal is not None:
                end = time.monotonic() + min(THINKING_S, GAME_S / own.table.deals)
                chosen = own.choose(LEVELS["quick"], self._chance.randrange, lambda: time.monotonic() < end)
                return None if chosen is None else to_builtins(chosen)
        return choose(offers, self._chance) if must else self._leading_on(table, offers)

    def _followed(self, reader: Reader, table: str) -> Opponent:
        """The player's opponent, which has seen all that its seat may see."""
        for event in self.client.events(table, self._version):
            record = msgspec.json.decode(msgspec.json.encode(event), type=EventEnvelope).recorded()
            if self._opponent is None:
                self._opponent = Opponent(reader.of(reader.opened(record, PUBLIC)), self._seat)
            self._opponent.see(table, reader.read(record, seat_audience(self._seat)))
            self._version = record.version
        if self._opponent is None:
            raise ValueError("the table has no events")
        return self._opponent

    def _leading_on(self, table: str, offers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """An action from one of the offers, as `Explorer` picks it when nobody has to act."""
        view = self.client.get(f"/v1/tables/{table}")
        if view["deal"] != self._explorer.deal:
            self._explorer = Explorer(view["deal"])
        own = [seat for seat in view["seats"] if seat["seat"] == view["you"]]
        return self._explorer.pick(own, [offer_from_wire(offer) for offer in offers], self._chance.randrange)


def _complete(events: Sequence[Event], after: int) -> bool:
    """Whether an action's events directly follow a version, and the actor sees all their sections.

    Other events may come first, for example when a time limit runs out.
    """
    following = bool(events) and events[0]["version"] == after + 1
    return following and all(event["seals"].keys() == event["sealed"].keys() for event in events)


def _merged(same: Sequence[Event]) -> Event:
    """One event with the sections that any of several audiences sees."""
    return dict(same[0]) | {"sealed": {to: section for event in same for to, section in event["sealed"].items()}}
