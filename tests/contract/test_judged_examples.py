"""The worked examples of the rules that are about acts, judged as the rules print them.

They stand in `judged_examples.txt`, each under its game and number: its `cards`, the options and standing that it is
`under`, and lines of acts that are played, which are written as `tests/support/judging.py` says. Between them stands
what is so then: `open` has acts that are open, `no` a rule and an act that it refuses, `ways` everything loose that a
card can capture, `turn` the seats that must act, and `says` events that came one after the other, with some fields.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from operator import ge
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.kernel.offers import Offer, SetsOf
from domain.picking import offer_from_wire
from domain.registry import GAMES
from tests.contract.shared import client, in_one_loop
from tests.contract.test_judging import judged
from tests.support.for_each import Failures, for_each
from tests.support.judging import made_up, wire

__all__ = ["client"]

pytestmark = in_one_loop

EXAMPLES = Path(__file__).with_name("judged_examples.txt").read_text(encoding="utf-8").strip().split("\n\n")
REFUSAL = re.compile(r"(?:([a-z-]+) )?([A-Z]+-[\d.]+) (.+)")
"""The kind of a refusal, where it is no `rule-violation`; the rule, and the act."""


@pytest.mark.parametrize("game", sorted({example.partition(" ")[0] for example in EXAMPLES}))
async def test_worked_examples_about_acts_are_judged_as_the_rules_print_them(
    client: httpx.AsyncClient, game: str
) -> None:
    own, failures = [example for example in EXAMPLES if example.startswith(f"{game} ")], Failures()
    for example in own:
        with failures.of({"example": example}):
            await follow(client, game, example.splitlines()[1:])
    failures.report(len(own))


async def follow(client: httpx.AsyncClient, game: str, lines: Sequence[str]) -> None:
    """Asserts that an example is judged as its lines say."""
    piles: dict[str, str] = {}
    under: dict[str, dict[str, int]] = {}
    acts: list[str] = []
    answer, before = None, 0

    async def judged_with(*more: str) -> dict[str, Any]:
        return await judged(client, game, made_up(GAMES[game], piles, [*acts, *more], **under))

    for line in lines:
        verb, _, rest = line.partition(" ")
        if verb == "cards":
            piles |= dict(pile.split(": ") for pile in rest.split(" | "))
        elif verb == "under":
            part, *fields = rest.split()
            under[part] = {name: int(number) for name, _, number in (field.partition("=") for field in fields)}
        elif verb.isdigit():
            acts += line.split("; ")
            before = len(answer["events"]) if answer else 0
            answer = await judged_with()
            assert answer["refused"] is None, answer["refused"]
        else:
            answer = answer or await judged_with()
            if verb == "no":
                refusal = REFUSAL.fullmatch(rest)
                assert refusal is not None, line
                kind, rule, act = refusal.groups()
                assert not is_open(answer, game, act)
                refused = await judged_with(act)
                assert refused == {**answer, "refused": refused["refused"]}
                why = refused["refused"]
                assert (why["code"], why["rule"]) == (kind or "rule-violation", rule), why["detail"]
                assert why["pointer"] == f"/deals/0/acts/{len(acts)}"
            else:
                holds(verb, answer | {"events": answer["events"][before:]}, rest, game)


def holds(verb: str, answer: Mapping[str, Any], rest: str, game: str) -> None:
    """Asserts that the answer says what a line has."""
    match verb:
        case "open":
            assert [act for act in rest.split("; ") if not is_open(answer, game, act)] == []
        case "ways":
            seat, card, *ways = rest.replace(":", "").split()
            assert {*captures(answer, int(seat), card)} == {frozenset(way.split("+")) for way in ways}
        case "turn":
            assert answer["to_act"] == [*map(int, rest.split())]
        case "says":
            said, events = [{*event.split()} for event in rest.split("; ")], [*map(told, answer["events"])]
            runs = [events[begin : begin + len(said)] for begin in range(len(events) - len(said) + 1)]
            assert any(all(map(ge, run, said)) for run in runs), events
        case _:
            raise AssertionError(f"no line begins with {verb}")


def offered(answer: Mapping[str, Any]) -> Iterator[tuple[int, Offer]]:
    """Each offer in the answer, with its seat."""
    for own in answer["open"]:
        for offer in own["offers"]:
            yield own["seat"], offer_from_wire(offer)


def is_open(answer: Mapping[str, Any], game: str, act: str) -> bool:
    """Whether an offer in the answer has the act."""
    fields = wire(GAMES[game], act)
    seat, kind = fields.pop("seat"), fields.pop("type")
    return any((own, offer.type) == (seat, kind) and offer.admits(fields) for own, offer in offered(answer))


def captures(answer: Mapping[str, Any], seat: int, card: str) -> Iterator[frozenset[str]]:
    """Every choice of loose cards that the seat may capture with the card."""
    for own, offer in offered(answer):
        if (own, offer.type) == (seat, "capture") and offer.fields["card"].admits(card):
            loose = offer.fields["loose"]
            assert isinstance(loose, SetsOf)
            every = (some for size in range(1, len(loose.values) + 1) for some in combinations(loose.values, size))
            yield from map(frozenset, filter(loose.admits, every))


def told(event: Mapping[str, Any]) -> set[str]:
    """The type of an event, and its public fields."""
    return {event["type"], *(f"{name}={text_of(value)}" for name, value in event["public"].items())}


def text_of(value: Any) -> str:
    """A value of an event as an example has it; a card with its proof is the card."""
    match value:
        case None | []:
            return "-"
        case bool():
            return "yes" if value else "no"
        case {"card": card}:
            return str(card)
        case list():
            return "+".join(map(text_of, value))
        case _:
            return str(value)


@for_each(
    "laid, added, stands",
    [
        ("7h 8h Jo", "", "* 7h 8h"),
        ("7h 8h Jo", "Th", "7h 8h * Th"),
        ("7h 8h Jo", "Th 9h", "* 7h 8h 9h Th"),
        ("7h 8h Jo", "6h", "* 6h 7h 8h"),
        ("7h 9h Jo", "Jh", "BU-6.2"),
        ("2h 3h 4h", "Jo", "* 2h 3h 4h"),
        ("2h 3h 4h", "Jo 6h", "2h 3h 4h * 6h"),
        ("2h 3h 4h", "6h", "3h 4h * 6h"),
        ("2h 3h 4h", "6h 5h", "2h 3h 4h 5h 6h"),
        ("2h 3h 4h", "6h Jo", "BU-5.6"),
        ("2h 3h 4h", "6h 2h.2", "2h 3h 4h * 6h"),
        ("Ah 2h 3h", "Jo", "Ah 2h 3h *"),
        ("Ah 2h 3h", "Jo 6h", "BU-6.2"),
        ("Qh Kh Ah", "Jo", "* Qh Kh Ah"),
        ("Ah 3h Jo", "2d", "BU-5.6"),
        ("2h 3h 4h", "5h 6h 7h 8h 9h Th Jh Qh Kh Jo Ah", "BU-6.2"),
    ],
)
async def test_burraco_1_runs_stand_as_the_example_has_them(
    client: httpx.AsyncClient, laid: str, added: str, stands: str
) -> None:
    """What does not fit into the hand is drawn, and lies in the pozzetto."""
    cards, (one, other, last) = [*laid.split(), *added.split()], laid.split()
    lay = f"0 lay {one}+{other} {last}" if last == "Jo" else f"0 lay {one}+{other}+{last}"
    acts = ["0 draw", lay, *(f"0 add 1 {card}" for card in added.split())]
    held, drawn, later = (" ".join(cards[begin:end]) for begin, end in ((0, 11), (11, 12), (12, 23)))
    piles = {"0": held, "stock": drawn, "pozzetto 1": later}
    answer = await judged(client, "burraco", made_up(GAMES["burraco"], piles, acts))
    run = next(event["public"] for event in reversed(answer["events"]) if "wild" in event["public"])
    shown = " ".join("*" if card == run["wild"] else card.partition(".")[0] for card in run["cards"])
    refused = answer["refused"]
    assert (shown if refused is None else refused["rule"]) == stands
    assert refused is None or refused["pointer"] == f"/deals/0/acts/{len(acts) - 1}"
