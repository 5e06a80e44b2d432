"""What holds of every game's independent checker, and breaches of rules that many games have.

A game's `test_checker.py` says in `TestChecker` in which games that is tried, and adds breaches of its own rules.
"""

import copy
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar

from tests.support.altering import Path, Values, forge, leaves, rewritten
from tests.support.checker import violations
from tests.support.for_each import Failures
from tests.support.habits import Habits
from tests.support.picking import repeatable
from tests.support.recording import Envelope, game, habitual

Facts = Mapping[str, Collection[str]]
"""By type of event, the fields that follow from the rules, the seeds and the players' choices."""
FACTS: Facts = {
    "table-opened": ("deals", "seed_commitment", "seed"),
    "game-started": ("first_dealer", "draws"),
    "cards-dealt": ("deal", "dealer", "card_commitments", "lines", "cards", "talon", "seed"),
    "talon-turned": ("card", "trump", "opening"),
    "hand-exposed": ("cards",),
    "trick-won": ("trick",),
    "deal-scored": ("deal", "outcome", "lines", "totals", "seed"),
    "game-finished": ("totals", "winners", "lines"),
}
"""Those of every game, besides the seat that an event of a deal names."""
Breach = Callable[[list[Envelope], list[int]], None]
"""Alters a deal, of which it gets the places, in the events of a game. Raises NoOccasion, with nothing altered."""


class NoOccasion(Exception):
    """A deal in which a breach cannot be committed."""


def places(event: Envelope, facts: Facts) -> list[Path]:
    """Where the facts of an event stand."""
    names = {*FACTS.get(event["type"], ()), *facts.get(event["type"], ())}
    if event["deal"] is not None:
        names.add("seat")
    return [
        path
        for path in leaves(event)
        if path in (("deal",), ("actor",), ("schema",), ("type",))
        or (path[0] == "public" and path[1] in names and path[-1] != "text")
        or (path[0] == "sealed" and path[2] == "data" and path[3] in names)
    ]


def unnoticed(habits: Habits, number: int, facts: Facts, values: Values, each: int) -> list[tuple[str, Path]]:
    """Of a few facts of every type in a game, those that could be rewritten and nothing was found wrong."""
    rng = repeatable(number)
    events = habitual(habits, number)
    by_type: dict[str, list[tuple[int, Path]]] = {}
    for place, event in enumerate(events):
        by_type.setdefault(event["type"], []).extend((place, path) for path in places(event, facts))
    return [
        (type_, path)
        for type_, alterable in by_type.items()
        for place, path in rng.sample(alterable, min(each, len(alterable)))
        if not violations(rewritten(events, place, path, values, rng))
    ]


def moved(habits: Habits, number: int, at_once: Collection[str]) -> list[int]:
    """The places at which an event could be left out, doubled or moved, and nothing was found wrong.

    Before the start of the game players may take their seats in any order, and later do what stands in `at_once`.
    """
    events = habitual(habits, number)
    start = next(place for place, event in enumerate(events) if event["type"] == "game-started")
    return [
        place
        for place in repeatable(number).sample(range(start, len(events) - 1), 5)
        for other in (
            events[:place] + events[place + 1 :],
            [*events[:place], events[place], *events[place:]],
            [*events[:place], events[place + 1], events[place], *events[place + 2 :]],
        )
        if not {each["type"] for each in other[place : place + 2]} <= {*at_once} or len(other) != len(events)
        if not violations(forge([{**event} for event in other]))
    ]


def breached(habits: Habits, breach: Breach) -> Iterator[list[str]]:
    """What is found wrong in two games in which this breach is committed, or in the one of many that lets it be."""
    found = 0
    for number in range(250):
        events = habitual(habits, number)
        if committed(breach, events):
            yield violations(forge(events))
            found += 1
        if found == 2:
            return
    assert found, "no game gave an occasion"


def committed(breach: Breach, events: list[Envelope]) -> bool:
    """Whether the breach is now committed, in the first deal that lets it be."""
    for deal in deals(events):
        with suppress(NoOccasion):
            breach(events, deal)
            return True
    return False


class CheckerTests:
    """What holds of the checker of any game. A game's own class says in which games that is tried, and its breaches."""

    habits: ClassVar[Habits]
    facts: ClassVar[Facts]
    """What it has besides `FACTS`."""
    values: ClassVar[Values]
    intact: ClassVar[Iterable[int]] = range(6)
    """The numbers of the games in which nothing is altered; and so on."""
    long: ClassVar[Sequence[tuple[dict[str, Any], int]]] = ()
    """Options and numbers of deals of other games in which nothing is altered."""
    rewritten: ClassVar[Iterable[int]]
    rewritten_each: ClassVar[int] = 3
    """How many facts of every type are rewritten."""
    moved: ClassVar[Iterable[int]]
    at_once: ClassVar[Collection[str]] = ()
    """What players do in any order."""
    breaches: ClassVar[Sequence[tuple[Breach, str]]]
    """Breaches of the rules, each with what the checker must say of it."""

    def test_games_of_the_domain_are_intact(self) -> None:
        assert {number: found for number in self.intact if (found := violations(habitual(self.habits, number)))} == {}
        for options, number in self.long:
            assert violations(game(1, options, number, self.habits)) == [], options

    def test_a_fact_rewritten_is_found(self) -> None:
        for number in self.rewritten:
            assert unnoticed(self.habits, number, self.facts, self.values, self.rewritten_each) == [], number

    def test_an_event_left_out_doubled_or_moved_is_found(self) -> None:
        for number in self.moved:
            assert moved(self.habits, number, self.at_once) == [], number

    def test_a_breach_of_the_rules_is_found(self) -> None:
        failures = Failures()
        for breach, message in self.breaches:
            with failures.of({"breach": breach}):
                for found in breached(self.habits, breach):
                    assert any(message in violation for violation in found), found
        failures.report(len(self.breaches))


# looking for occasions


def deals(events: Sequence[Envelope]) -> list[list[int]]:
    """The places of the events of each deal, from the dealing to the score."""
    by_deal: dict[int, list[int]] = {}
    for place, event in enumerate(events):
        if event["deal"] is not None:
            by_deal.setdefault(event["deal"], []).append(place)
    return list(by_deal.values())


def of_type(events: Sequence[Envelope], within: Sequence[int], *types: str) -> list[int]:
    """Those places where an event of these types stands."""
    return [place for place in within if events[place]["type"] in types]


def needs(occasion: object) -> None:
    """Raises NoOccasion where there is none."""
    if not occasion:
        raise NoOccasion


def first(
    events: Sequence[Envelope],
    within: Sequence[int],
    type_: str,
    fits: Callable[[dict[str, Any]], object] = lambda _: True,
) -> int:
    """The first of those places where an event of this type stands whose public part fits. Raises NoOccasion."""
    place = next((place for place in of_type(events, within, type_) if fits(events[place]["public"])), None)
    if place is None:
        raise NoOccasion
    return place


def hand_of(events: Sequence[Envelope], deal: Sequence[int], seat: int) -> list[str]:
    """The cards that the seat was dealt and could see."""
    section = events[deal[0]]["sealed"].get(f"seat:{seat}")
    return [opening["card"] for opening in section["data"]["cards"]] if section else []


def act(events: Sequence[Envelope], place: int, type_: str, **public: object) -> Envelope:
    """An act of a seat as it might stand before this place, with an action id and a time of its own."""
    seat = public["seat"]
    event = copy.deepcopy(events[place])
    action = f"{place:08x}-0000-7000-8000-{'f' * 12}"
    return event | {
        "type": type_,
        "schema": 1,
        "public": public,
        "sealed": {},
        "actor": f"seat:{seat}",
        "action": action,
    }


def follow_up(events: list[Envelope], place: int) -> None:
    """Gives the event at this place, which follows by itself, the action and time of the one before."""
    events[place] |= {name: events[place - 1][name] for name in ("action", "at")}


def pay_more(events: list[Envelope], place: int, line: int) -> None:
    """One chip more in a line and its counter-line, and the totals to match, here and later."""
    public = events[place]["public"]
    pair = public["lines"][line // 2 * 2 : line // 2 * 2 + 2]
    for one, sign in zip(pair, (1, -1), strict=True):
        one["amount"] += sign
        if one["seat"] is not None:
            for later in events[place:]:
                if "totals" in later["public"]:
                    later["public"]["totals"][one["seat"]] += sign


# breaches of the rules that many games have


def swapped(
    events: Sequence[Envelope], deal: Sequence[int], fits: Callable[[str | None, str, str], bool], players: int = 4
) -> None:
    """A player plays a later card in place of one, where it fits: the card led (None for the leader), both cards."""
    played = [events[place]["public"] for place in of_type(events, deal, "card-played")]
    for index, mine in enumerate(played):
        led = played[index - index % players]["card"] if index % players else None
        for its in played[index + 1 :]:
            if its["seat"] == mine["seat"] and fits(led, mine["card"], its["card"]):
                mine["card"], its["card"] = its["card"], mine["card"]
                return
    raise NoOccasion


def revoked(
    events: Sequence[Envelope],
    deal: Sequence[int],
    suit: Callable[[str], str] = lambda card: card[1],
    players: int = 4,
) -> None:
    """Who followed suit plays a later card of another suit in its place."""
    swapped(events, deal, lambda led, mine, its: led is not None and suit(led) == suit(mine) != suit(its), players)


def revoke(events: list[Envelope], deal: list[int]) -> None:
    """Who followed suit plays a later card of another suit in its place, in a game of four without special trumps."""
    revoked(events, deal)


def played_on(events: list[Envelope], deal: list[int]) -> None:
    """The winner of the deal's last trick leads a card when all is settled."""
    needs(events[deal[-2]]["type"] == "trick-won")
    leader = events[deal[-2]]["public"]["seat"]
    played = {events[place]["public"]["card"] for place in of_type(events, deal, "card-played")}
    held = [card for card in hand_of(events, deal, leader) if card not in played]
    needs(held)
    events.insert(deal[-1], act(events, deal[-1], "card-played", seat=leader, card=held[0]))
    follow_up(events, deal[-1] + 1)


def stopped_too_soon(events: list[Envelope], deal: list[int]) -> None:
    """A deal that is played to its last trick is scored without it."""
    tricks = of_type(events, deal, "trick-won")
    last = range(tricks[-2] + 1, deal[-1]) if len(tricks) > 1 else ()
    needs({events[place]["type"] for place in last} == {"card-played", "trick-won"})
    del events[last[0] : deal[-1]]
    follow_up(events, last[0])


def drawn_from_below(events: list[Envelope], deal: list[int]) -> None:
    """Who exchanges several cards gets them in another order."""
    exchanges = [events[place] for place in of_type(events, deal, "cards-exchanged")]
    drawn = [event["sealed"][f"seat:{event['public']['seat']}"]["data"]["drawn"] for event in exchanges]
    several = [cards for cards in drawn if len(cards) > 1]
    needs(several)
    several[0].reverse()


def one_more(events: list[Envelope], deal: list[int]) -> None:
    """A player gets one more in the first deal that pays."""
    needs(events[deal[-1]]["public"]["lines"])
    pay_more(events, deal[-1], 0)


def partner_unpaid(events: list[Envelope], deal: list[int]) -> None:
    """Of a deal's two pairs of lines the second is left out."""
    lines = events[deal[-1]]["public"]["lines"]
    needs(len(lines) == 4)
    del lines[2:]


def other_grounds(events: list[Envelope], deal: list[int]) -> None:
    """A line of the first deal cites one event less."""
    for line in events[deal[-1]]["public"]["lines"][:2]:
        line["events"] = line["events"][1:]
