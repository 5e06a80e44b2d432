"""Players who know no rules: they sit down and play a whole game by picking from the offers.

Everything goes through the interface, as with any client. The events that the players see are put together, so the
game is narrated with all hands open.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle, islice
from random import Random
from typing import Any

from rich.text import Text

from domain.kernel.game import Game
from service.cli.client import Client
from service.cli.narrator import Event, Narrator

NAMES = ("Ada", "Berta", "Carl", "Dora", "Emil")

WEIGHTS = {"concede": 1, "abandon": 1, "offer-surrender": 3, "talk": 8, "offer-priority": 15, "pass": 60}
"""How likely an action is, others being at 100: a game in which everybody concedes demonstrates nothing."""

REMARKS = ("Now!", "That was the last of them.", "Lead low, I have the rest.", "Patience.", "Let it go.")


def choose(offers: Sequence[Mapping[str, Any]], chance: Random) -> dict[str, Any]:
    """An action that one of the offers describes. Raises ValueError when a field of the offer is of an unknown kind."""
    # Of several offers of one action the first changes least, such as the contract as bid before a raised one.
    weights = [
        WEIGHTS.get(offer["type"], 100) / 3 ** sum(other["type"] == offer["type"] for other in offers[:number])
        for number, offer in enumerate(offers)
    ]
    offer = chance.choices(offers, weights)[0]
    if offer["type"] == "bid":
        # Bids are offered lowest first, and most games are played at low ones.
        bids = offer["fields"]["contract"]["one_of"]
        return {"type": "bid", "contract": bids[min(int(chance.expovariate(0.6)), len(bids) - 1)]}
    return {"type": offer["type"]} | {name: _value(field, chance) for name, field in offer["fields"].items()}


def _value(field: Mapping[str, Any], chance: Random) -> Any:
    match field:
        case {"one_of": [None, *others]} if others:
            return None if chance.random() < 0.7 else chance.choice(others)
        case {"one_of": values}:
            return chance.choice(values)
        case {"some_of": values, "min": least, "max": most}:
            return chance.sample(values, min(most, least + int(chance.expovariate(0.4))))
        case {"text": {"min": least, "max": most}}:
            return chance.choice(REMARKS)[:most].ljust(least, ".")
        case _:
            raise ValueError(f"an offer has a field of an unknown kind: {field}")


class Demo:
    """Plays games through a service and narrates them line by line. Raises Unreachable and Refusal."""

    def __init__(
        self,
        client: Client,
        games: Mapping[str, Game],
        say: Callable[[Text], None],
        chance: Random,
        *,
        pause_s: float = 0.0,
    ) -> None:
        self._client = client
        self._games = games
        self._say = say
        self._chance = chance
        self._pause_s = pause_s

    def play(self, game: str | None, deals: int | None, options: Mapping[str, Any] | None = None) -> str:
        """Plays one game to its end, and returns its table's id. It registers a player for each seat.

        Without a name it is the first game that the service offers.
        """
        game = game or self._client.get("/v1/games")["items"][0]["game"]
        first = self._register(NAMES[0])
        settled = {"deals": deals, "options": options}
        request = {"game": game} | {name: value for name, value in settled.items() if value is not None}
        opened = first.client.post("/v1/tables", request)
        table = str(opened["table"])
        players = [first, *map(self._register, islice(cycle(NAMES), 1, len(opened["seats"])))]
        names = {player.id: player.name for player in players}
        narrator = Narrator(lambda player: names.get(player, player), self._games)
        for player in players:
            entropy = self._chance.randbytes(16).hex()
            player.client.post(f"/v1/tables/{table}/seats", {"entropy": entropy})
        events = self._events(players, table, 0)
        while True:
            for event in events:
                self._narrate(narrator, event)
            if events[-1]["type"] == "game-finished":
                return table
            events = self._act(players, table, events[-1]["version"])

    def _register(self, name: str) -> "DemoPlayer":
        made = self._client.post("/v1/players", {"name": name})
        return DemoPlayer(made["player"], name, self._client.authenticated(made["token"]))

    def _act(self, players: "Sequence[DemoPlayer]", table: str, version: int) -> list[Event]:
        """Takes one action for a seat that is to act, and returns the events that follow."""
        seat = players[0].client.get(f"/v1/tables/{table}/offers")["to_act"][0]
        client = players[seat].client
        offers = client.get(f"/v1/tables/{table}/offers")["offers"]
        client.post(f"/v1/tables/{table}/actions", choose(offers, self._chance))
        return self._events(players, table, version)

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
    """A registered player, and the client with the player's token."""

    def __init__(self, player: str, name: str, client: Client) -> None:
        self.id = player
        self.name = name
        self.client = client


def _merged(same: Sequence[Event]) -> Event:
    """One event with the sections that any of several audiences sees."""
    return dict(same[0]) | {"sealed": {to: section for event in same for to, section in event["sealed"].items()}}
