"""A client generated from the OpenAPI document plays a whole game."""

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from domain.registry import GAMES as OFFERED
from domain.table.events import DealScored
from tests.support.generated import COMMANDS, Generated
from tests.support.picking import pick
from tests.support.registry import GAMES, fewest_deals
from tests.support.repetition import TIMES, times

MAKEFILE = Path(__file__).parents[3] / "Makefile"

ASKED = ("crocodile", "king")
"""The games of which a client asks why an act is offered, and looks at the replay and the audit."""
FEW = 4
"""A game of no more deals is played to its end."""
LONG_ENOUGH = times(60)
"""After so many acts, more than a deal has, the players of another game agree to end it."""


class Player:
    """A player who speaks through the generated client."""

    def __init__(self, generated: Generated, url: str, name: str) -> None:
        self.generated = generated
        registration = generated.models.Registration(name=name)
        anyone = generated.package.Client(base_url=url)
        registered = generated.operation("players.register_player").sync(client=anyone, body=registration)
        self.client = generated.package.AuthenticatedClient(base_url=url, token=registered.token)
        self.id = registered.player

    def do(self, operation: str, *path: object, status: int = 200, **arguments: object) -> Any:
        """What the operation answers, as its model. The status must be as expected."""
        module = self.generated.operation(operation)
        answer = module.sync_detailed(*path, client=self.client, **arguments)
        assert answer.status_code == status, answer.content
        return answer.parsed


NAMES = ("Ada", "Berta", "Carl", "Dora")


@pytest.fixture
def players(generated: Generated, service_url: str) -> list[Player]:
    return [Player(generated, service_url, name) for name in NAMES]


@pytest.mark.parametrize("name", GAMES)
def test_it_plays_any_game_by_picking_from_offers(generated: Generated, players: list[Player], name: str) -> None:
    chance = random.Random(20)  # noqa: S311 (picking)
    deals = fewest_deals(GAMES[name])
    request = generated.request(name, {"game": name, "deals": deals})
    view = players[0].do("tables.open_table", body=request, status=201)
    table: UUID = view.table
    for player in players[: len(view.seats)]:
        view = player.do("tables.take_seat", table, body=generated.models.SeatRequest(), status=201)
    assert (view.status, view.deal) == ("playing", 1 if GAMES[name].course.gate is None else None)
    seats, to_act = list(range(len(view.seats))), view.to_act
    acts_left = None if deals <= FEW else LONG_ENOUGH
    # Where nobody must act, as in a game without turns, one is asked after another.
    while acts_left != 0 and (asked := to_act[:1] or chance.sample(seats, len(seats))):
        answers = ((player, player.do("play.get_offers", table)) for player in map(players.__getitem__, asked))
        player, offers = next((each for each in answers if each[1].offers), (None, None))
        if player is None:
            break
        action = pick([offer.to_dict() for offer in offers.offers], chance)
        if name in ASKED and offers.version == view.version:
            fields = generated.models.GetOffersFields.from_dict({k: v for k, v in action.items() if k != "type"})
            why = player.do("play.get_offers", table, why=action["type"], fields=fields).why
            assert (why.type_, why.offered, why.code) == (action["type"], True, None)
        to_act = player.do("play.act", table, body=generated.action(name, action), status=201).to_act
        acts_left = None if acts_left is None else acts_left - 1
    for player in players[: len(view.seats) if acts_left == 0 else 0]:
        player.do("tables.propose_end", table, body=generated.models.EndRequest(agree=True))
    view = players[0].do("tables.get_table", table)
    assert (view.status, view.winners is None) == ("finished", False)
    assert view.deal == deals or acts_left == 0
    assert type(view).__name__ == f"{name.capitalize()}View"
    if name in ASKED:
        replayed = players[0].do("record.get_replay", table, view.version)
        assert replayed.to_dict() == view.to_dict()
        assert players[0].do("record.audit_deal", table, 1).verdict == "intact"
    events = players[0].do("record.list_events", table, after=view.version - 2)
    own = any(issubclass(payload, DealScored) for payload in GAMES[name].events)
    named = "EndProposedEvent" if acts_left == 0 else f"{name.capitalize() if own else ''}DealScoredEvent"
    assert [type(event).__name__ for event in events.items] == [named, "GameFinishedEvent"]
    assert sum(line.amount for line in players[0].do("ledgers.get_table_ledger", table).lines) == 0


BY_NEED = {"generic": ("tetka", "nuts"), **{name: (name,) for name in (OFFERED if TIMES > 1 else ("lorum",))}}
"""The games that the clients of the documents by need play. `make long` has the documents of all games that the service
offers; a game that is for tests alone has none.
"""


@pytest.mark.parametrize("need", BY_NEED)
def test_the_client_of_a_document_for_one_need_plays(
    generated_by_need: Callable[[str], Generated], service_url: str, need: str
) -> None:
    generated, chance = generated_by_need(need), random.Random(20)  # noqa: S311 (picking)
    for name in BY_NEED[need]:
        players = [Player(generated, service_url, each) for each in NAMES]
        table = players[0].do("tables.open_table", body=generated.request(name, {"game": name}), status=201).table
        seats = GAMES[name].course.seats(GAMES[name].options())
        for player in players[:seats]:
            player.do("tables.take_seat", table, body=generated.models.SeatRequest(), status=201)
        for _ in range(30):
            offered = [(player, player.do("play.get_offers", table).offers) for player in players[:seats]]
            player, offers = chance.choice([each for each in offered if each[1]])
            action = pick([offer.to_dict() for offer in offers], chance)
            assert player.do("play.act", table, body=generated.action(name, action), status=201).events
        for player in players[:seats]:
            player.do("tables.propose_end", table, body=generated.models.EndRequest(agree=True))
        view = players[0].do("tables.get_table", table)
        assert (view.status, type(view)) == ("finished", type(generated.view(name, view.to_dict())))
        assert players[0].do("record.list_events", table, limit=200).items
        assert players[0].do("games.get_game", name).rules


def test_every_class_has_a_name_that_says_what_it_is(generated: Generated) -> None:
    # What has no name of its own in the document is numbered, or named after its place in a list or an object.
    assert {"Scope", "NoticeKind", "TableStatus", "CardsDealtSection", "LhombreContractName"} <= generated.names
    poor = re.compile(r"[0-9]|Items?($|[A-Z])|AdditionalPropert|Response$")
    assert [name for name in sorted(generated.names) if poor.search(name)] == []


def test_types_for_typescript_are_checked_as_the_readme_has_them_made() -> None:
    (command,) = (command for command in COMMANDS if "openapi-typescript" in command)
    program, options = re.fullmatch(r"npx (\S+) openapi.json (.*) --output \S+\n", command, re.DOTALL).groups()
    assert f"/{program} api-spec/openapi.json {options} --output " in MAKEFILE.read_text()


def test_it_receives_a_refusal_as_a_problem(generated: Generated, players: list[Player]) -> None:
    request = generated.request("crocodile", {"game": "crocodile"})
    table = players[0].do("tables.open_table", body=request, status=201).table
    refused = players[0].do("play.act", table, body=generated.action("crocodile", {"type": "pass"}), status=403)
    assert (type(refused).__name__, refused.code, refused.status) == ("Problem", "not-seated", 403)
