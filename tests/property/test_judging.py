"""Cards and acts of recorded deals give again what happened in them; of others, the first that is refused is named."""

import re
from copy import deepcopy

import msgspec
from msgspec.structs import replace

from domain.kernel.event import Event, Payload
from domain.table.judging import ImpossibleDeal, judge
from tests.property.strategies import of_each_game
from tests.property.test_facts import recorded
from tests.support.games import Live, chance
from tests.support.judging import played_game
from tests.support.repetition import times

BESIDES = re.compile(r'[0-9a-f]{64}|player:[^"]*|"events":\[[^]]*\]|,?"rejected":\[\[.*?\]\]')
"""What follows from the seed, cards that were shuffled back; players, and the versions that lines cite."""


def plain(event: Event[Payload]) -> object:
    """What an event says, but for what a judged deal has of its own."""
    said = msgspec.json.encode((event.public, sorted(event.sealed.items()))).decode()
    return event.deal, event.public.TYPE, BESIDES.sub("", said)


@of_each_game
def test_cards_and_acts_give_again_what_happened(tables: type[Live]) -> None:
    judged = 0
    for records in recorded(tables.game.name):
        deals = played_game(records)
        if deals is None:
            continue
        found = judge(deals.game, deals.standing, deals.deals)
        assert found.refused is None, found.refused
        assert [plain(one) for one in found.events if one.deal is not None] == [plain(one) for one in deals.happened]
        judged += len(deals.deals)
    assert judged > 5


@of_each_game
def test_acts_in_another_order_are_played_or_refused(tables: type[Live]) -> None:
    refused = 0
    for number, records in enumerate(recorded(tables.game.name)):
        deals = played_game(records)
        if deals is None:
            continue
        choose = chance(f"{tables.game.name} {number}")
        for _ in range(times(3)):
            mixed = deepcopy(deals.deals)
            acts = choose.choice(mixed).acts
            assert isinstance(acts, list)
            for one, other in zip(*(choose.choices(range(len(acts)), k=2) for _ in range(2)), strict=True):
                acts[one], acts[other] = acts[other], acts[one]
            try:
                found = judge(deals.game, deals.standing, mixed)
            except ImpossibleDeal:
                continue
            if found.refused is not None:
                refused += 1
                deal, act = found.refused.deal, found.refused.act
                again = judge(
                    deals.game, deals.standing, [*mixed[:deal], replace(mixed[deal], acts=mixed[deal].acts[:act])]
                )
                assert again.events == found.events
    assert refused > 0
