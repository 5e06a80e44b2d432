"""The words for the events and acts of a table's life, which complete every game's own words."""

from collections.abc import Mapping

from msgspec.structs import replace

from domain.kernel.game import Game
from domain.kernel.words import EventWords, Sentence, Words, say, unless_length, when, when_length
from domain.table.disputes import REVERSAL
from domain.table.events import (
    CardsDealt,
    DealScored,
    DisputeOpened,
    DisputeRuled,
    EndProposed,
    GameFinished,
    GameStarted,
    LedgerCorrected,
    PlayerReady,
    SeatAbandoned,
    SeatLeft,
    SeatResumed,
    SeatTaken,
    SeatTakenOver,
    TableClosed,
    TableExpired,
    TableOpened,
    TableTalk,
    TextErased,
)

_DEALS_FIRST = "{first_dealer:seat} deals first."
_CORRECTED = "The ledger is corrected for dispute {dispute:number}"

GATE: Mapping[str, EventWords] = {PlayerReady.TYPE: EventWords("seats", (say("{seat} is ready."),))}
"""The words for games that wait until every player is ready."""

EVENTS: Mapping[str, EventWords] = {
    TableOpened.TYPE: EventWords("table", (say("The table is opened, and the seeds of all deals are fixed."),)),
    SeatTaken.TYPE: EventWords(
        "seats",
        (
            say("{seat} sits down on seat {seat:number}.", when("entropy", None)),
            say("{seat} sits down on seat {seat:number}, with entropy for the shuffle."),
        ),
    ),
    SeatLeft.TYPE: EventWords("seats", (say("{seat} leaves."),)),
    GameStarted.TYPE: EventWords(
        "seats",
        (
            say("The game starts.", when("first_dealer", None)),
            say(f"The game starts. {_DEALS_FIRST}", when_length("draws", 0)),
            say(f"The game starts. {{draws:each}}. {_DEALS_FIRST}", each=(say("{seat} draws {card}"),)),
        ),
    ),
    CardsDealt.TYPE: EventWords(
        "hands",
        (
            say(
                "Deal {deal:number} is dealt, {shown.card:cards} face up.",
                when("dealer", None),
                unless_length("shown", 0),
            ),
            say("Deal {deal:number} is dealt.", when("dealer", None)),
            say("Deal {deal:number}: {dealer:seat} deals, {shown.card:cards} face up.", unless_length("shown", 0)),
            say("Deal {deal:number}: {dealer:seat} deals."),
        ),
        {
            "seat": (say("{owner} holds {cards.card:hand}."),),
            "house": (say("The talon holds {talon.card:cards}.", unless_length("talon", 0)),),
        },
        absent=(say("{owner} sits out."),),
    ),
    DealScored.TYPE: EventWords("outcome", (say("Deal {deal:number} is over: {outcome:term}."),)),
    GameFinished.TYPE: EventWords(
        "finished",
        (
            say("The game is over. {winners:seats} wins: {totals}.", when_length("winners", 1)),
            say("The game is over. Nobody wins: {totals}.", when_length("winners", 0)),
            say("The game is over. {winners:seats} share the win: {totals}."),
        ),
    ),
    TableClosed.TYPE: EventWords("closed", (say("The table is closed before the start."),)),
    TableExpired.TYPE: EventWords("closed", (say("The table is closed: the game did not start in time."),)),
    EndProposed.TYPE: EventWords(
        "ending",
        (
            say("{seat} agrees to end the game.", when("agree", value=True)),
            say("{seat} does not agree to end the game."),
        ),
    ),
    SeatAbandoned.TYPE: EventWords("seats", (say("{seat} abandons the game."),)),
    SeatTakenOver.TYPE: EventWords("seats", (say("The house plays for {seat} from now on."),)),
    SeatResumed.TYPE: EventWords("seats", (say("{seat} is back."),)),
    TableTalk.TYPE: EventWords("talk", (say("{seat} speaks."),), {"public": (say("“{text}”"),)}),
    DisputeOpened.TYPE: EventWords(
        "dispute",
        (say("{seat} disputes {lines}."),),
        {"public": (say("“{reason:text}”"),)},
    ),
    DisputeRuled.TYPE: EventWords(
        "dispute",
        (say("Dispute {dispute:number} is {ruling:text}."),),
        {"public": (say("“{text}”"),)},
    ),
    LedgerCorrected.TYPE: EventWords(
        "dispute",
        (
            say(f"{_CORRECTED}: {{totals}}.", when("winners", None)),
            say(f"{_CORRECTED}. Now {{winners:seats}} wins: {{totals}}.", when_length("winners", 1)),
            say(f"{_CORRECTED}. Now nobody wins: {{totals}}.", when_length("winners", 0)),
            say(f"{_CORRECTED}. Now {{winners:seats}} share the win: {{totals}}."),
        ),
    ),
    TextErased.TYPE: EventWords("erased", (say("The words of event {version:number} were erased."),)),
}

LINES: Mapping[str, tuple[Sentence, ...]] = {
    REVERSAL: (
        say("Lines {line:number} and {counter_line:number} of event {event:number} taken back: {taken_back:line}"),
        say("Taken back, as deal {deal:number} does not count: {taken_back:line}"),
    ),
}
"""The sentences of lines that a table itself books."""

ACTS: Mapping[str, str] = {"talk": "Talk"}
"""The labels of the acts that belong to no game."""

ACTORS: Mapping[str, str] = {"clock": "The time had run out.", "bot": "The house played."}
"""The sentence added to an event with a `seat` that another actor caused, by the kind of the actor."""


def complete(game: Game) -> Words:
    """The game's words, completed by those for the events, acts and lines of its tables; the game's take precedence."""
    gate, own = {} if game.course.gate is None else GATE, game.words
    return replace(
        own,
        events={**EVENTS, **gate, **own.events},
        acts={**ACTS, **own.acts},
        lines={**LINES, **own.lines},
    )
