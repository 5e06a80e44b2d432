"""The words for the events and acts of a table's life, which complete every game's own words."""

from collections.abc import Mapping

from msgspec.structs import replace

from domain.kernel.game import Game
from domain.kernel.words import EventWords, Meaning, Sentence, Words, say, unless, when
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
    SubstituteSeated,
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
    TableOpened.TYPE: EventWords("table", (say("Table opened."),)),
    SeatTaken.TYPE: EventWords(
        "seats",
        (
            say("A {opponent.level:text} bot takes seat {seat:place}.", unless("opponent", None)),
            say("{seat} takes seat {seat:place}."),
        ),
    ),
    SeatLeft.TYPE: EventWords("seats", (say("{seat} leaves."),)),
    GameStarted.TYPE: EventWords(
        "seats",
        (
            say("The game starts.", when("first_dealer", None)),
            say(f"The game starts. {_DEALS_FIRST}", when("draws", length=0)),
            say(f"The game starts. {{draws:each}}. {_DEALS_FIRST}", each=(say("{seat} draws {card}"),)),
        ),
    ),
    CardsDealt.TYPE: EventWords(
        "hands",
        (
            say("Deal {deal:number} is dealt.", when("dealer", None)),
            say("Deal {deal:number}: {dealer:seat} deals, {shown.card:cards} face up.", unless("shown", length=0)),
            say("Deal {deal:number}: {dealer:seat} deals."),
        ),
        {
            "seat": (say("{owner} holds {cards.card:hand}."),),
            "house": (say("The talon holds {talon.card:cards}.", unless("talon", length=0)),),
        },
        absent=(say("{owner} sits out."),),
    ),
    DealScored.TYPE: EventWords("outcome", (say("Deal {deal:number} is over: {outcome:term}."),)),
    GameFinished.TYPE: EventWords(
        "finished",
        (
            say("The game is over. {winners:seats} wins: {totals}.", when("winners", length=1)),
            say("The game is over. Nobody wins: {totals}.", when("winners", length=0)),
            say("The game is over. {winners:seats} share the win: {totals}."),
        ),
    ),
    TableClosed.TYPE: EventWords("closed", (say("The table was closed before the game began."),)),
    TableExpired.TYPE: EventWords("closed", (say("The table was closed, as the game did not begin in time."),)),
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
    SubstituteSeated.TYPE: EventWords("seats", (say("A {opponent.level:text} bot plays on for {seat}."),)),
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
            say(f"{_CORRECTED}. Now {{winners:seats}} wins: {{totals}}.", when("winners", length=1)),
            say(f"{_CORRECTED}. Now nobody wins: {{totals}}.", when("winners", length=0)),
            say(f"{_CORRECTED}. Now {{winners:seats}} share the win: {{totals}}."),
        ),
    ),
    TextErased.TYPE: EventWords("erased", (say("The words of event {version:number} were erased."),)),
}

LINES: Mapping[str, tuple[Sentence, ...]] = {
    REVERSAL: (
        say("Lines {line:number} and {counter_line:number} of event {event:number} taken back: {taken_back:line}"),
        say(
            "Lines {line:number} and {counter_line:number} of event {event:number} taken back, as deal {deal:number} "
            "does not count: {taken_back:line}"
        ),
        # The earlier text does not name the lines.
        say("Taken back, as deal {deal:number} does not count: {taken_back:line}"),
    ),
}
"""The sentences of lines that a table itself books."""

SECTIONS = (
    "Opening and starting",
    "Clock",
    "Who is away, and leaving",
    "Ending early",
    "Talk",
    "Late spectators",
    "Bots",
)
"""The names of the sections of the rules of every table, in their order."""

ACTS: Mapping[str, str] = {"talk": "Talk"}
"""The labels of the acts that belong to no game."""

SENDING: Mapping[str, tuple[Sentence, ...]] = {"talk": (say("Saying “{text}” …"),)}
"""What is said of these acts while they are sent."""

VERBS: Mapping[str, str] = {
    "Abandoning": "Abandon",
    "Accepting": "Accept",
    "Adding": "Add",
    "Agreeing": "Agree",
    "Asking": "Ask",
    "Bidding": "Bid",
    "Building": "Build",
    "Bumping": "Bump",
    "Calling": "Call",
    "Capturing": "Capture",
    "Challenging": "Challenge",
    "Conceding": "Concede",
    "Declaring": "Declare",
    "Declining": "Decline",
    "Discarding": "Discard",
    "Drawing": "Draw",
    "Exchanging": "Exchange",
    "Forbidding": "Forbid",
    "Going": "Go",
    "Having": "Have",
    "Holding": "Hold",
    "Keeping": "Keep",
    "Laying": "Lay",
    "Letting": "Let",
    "Naming": "Name",
    "Offering": "Offer",
    "Opening": "Open",
    "Passing": "Pass",
    "Playing": "Play",
    "Pledging": "Pledge",
    "Putting": "Put",
    "Refusing": "Refuse",
    "Saying": "Say",
    "Snapping": "Snap",
    "Starting": "Start",
    "Stopping": "Stop",
    "Taking": "Take",
    "Turning": "Turn",
    "Yielding": "Yield",
}
"""The verbs with which acts are said while they are sent, as they stand on a button."""

ACTORS: Mapping[str, str] = {"clock": "The time had run out."}
"""The sentence added to an event with a `seat` that another actor caused, by the kind of the actor."""

FIELDS: Mapping[str, Meaning] = {
    "abandoned": Meaning("The seats whose players have left the game for good."),
    "account": Meaning("`player:ID`, `bank` or `pool`."),
    "agree": Meaning("Whether the player agrees to end the game at once."),
    "agreed": Meaning("The seats that agree to end the game."),
    "amount": Meaning("The amount that the account gains, in the game's unit; negative for a loss."),
    "DeadlineView.at": Meaning("The first moment at which it may happen."),
    "TextErased.audience": Meaning("The audience of the erased section."),
    "bot": Meaning("The bot that plays the seat now, by level and version; null for a person."),
    "bots": Meaning("The seats that the house plays."),
    "card": Meaning("The card."),
    "card_commitments": Meaning("A commitment, in hex, for each place of the cards that are shuffled, from the top."),
    "cards": Meaning("The cards."),
    "clocks": Meaning("The seats' clocks; only at a table with a clock."),
    "CardsDealt.clocks": Meaning("The reserves of the seats' clocks, by seat; only at a table with a clock."),
    "Face.copy": Meaning("The copy, from 1; null if there is only one such card."),
    "deadlines": Meaning(
        "The times at which an event follows without an act; only at a table with a clock, or of a game with time "
        "limits."
    ),
    "deal": Meaning("The number of the deal, from 1."),
    "dealer": Meaning("The seat that deals."),
    "deals": Meaning("The number of deals of the game."),
    "dispute": Meaning("The dispute's number at its table."),
    "disputes": Meaning("The disputes at the table, with their status."),
    "draws": Meaning("The cards that the seats drew for the first deal, in games that draw."),
    "entropy": Meaning("The player's contribution to the shuffle, in hex; null for none."),
    "Line.events": Meaning("The versions of the events that cause the line."),
    "first_dealer": Meaning("The seat that deals first."),
    "game": Meaning("The game's name."),
    "hand": Meaning("The hand, as far as it is known."),
    "hidden": Meaning("The number of other cards."),
    "Rule.id": Meaning("The rule's number."),
    "kind": Meaning("The kind of line: the contract, a bonus, …"),
    "known": Meaning("The known cards, sorted."),
    "leaving": Meaning("Who has left, or wants to; only once a player has left the game, or wants to end it."),
    "level": Meaning("How well a bot plays."),
    "line": Meaning("The line's number within its event, from 0."),
    "lines": Meaning("The booked lines, each amount with its counter-line."),
    "DisputeOpened.lines": Meaning("The disputed lines."),
    "DisputeView.lines": Meaning("The disputed lines."),
    "Rematch.of": Meaning("The id of the previous table."),
    "opener": Meaning("The player who opened the table."),
    "opponent": Meaning("The bot, by level and version; null for a person."),
    "SubstituteSeated.opponent": Meaning("The bot, by level and version."),
    "option": Meaning("The option that changes the rule; null for none."),
    "options": Meaning("The options in force."),
    "outcome": Meaning("The outcome of the deal, by name."),
    "Face.owner": Meaning("The seat to whose pack it belongs; null if there is one pack."),
    "phase": Meaning(
        "The phase of the deal; `scored` when it is over, `broken-off` when the game has ended in it, null before "
        "the first deal."
    ),
    "player": Meaning("The player's id."),
    "players": Meaning("The players by seat; null for a free seat."),
    "Opening.position": Meaning("The card's place in the pack, from the top."),
    "Face.rank": Meaning("The rank: `A`, `K`, `Q`, `J`, `T` for the ten, `9` to `2`, or `Jo` for a joker."),
    "reading": Meaning("Whether the rule settles a point that its source leaves open."),
    "reason": Meaning("The reason."),
    "GameFinished.reason": Meaning(
        "Why the game is over: `last deal scored`; `target reached`, or `target passed` in games that need more "
        "points than the target; `ended by agreement`; `no player is left`; or `abandoned by seat N`. In old "
        "records it is `target exceeded` instead of `target passed`."
    ),
    "CardsDealt.rejected": Meaning(
        "Lists of cards that were drawn, rejected and shuffled in again, in games that do so."
    ),
    "TableOpened.rematch": Meaning("The previous game; only at a table that was opened for a rematch."),
    "reserve_ms": Meaning("The reserve that was left when the clock began to run, in milliseconds."),
    "rule": Meaning("The numbered rule that the line follows from."),
    "DeadlineView.rule": Meaning("The numbered rule that sets it."),
    "rules_digest": Meaning("SHA-256 of the rules' data, in hex."),
    "rules_version": Meaning("The version of the rules in force."),
    "ruling": Meaning("`upheld` or `rejected`."),
    "run_out": Meaning("The acts in a row that the house took because the time had run out."),
    "salt": Meaning("The salt, in hex."),
    "seat": Meaning("A seat; seats are numbered clockwise from 0."),
    "DeadlineView.seat": Meaning("The seat whose time runs out; null for a limit of the game's own rules."),
    "Line.seat": Meaning("The player's seat; null for the bank and a pool."),
    "seats": Meaning("The seats, by number."),
    "seed": Meaning("The deal's seed, in hex."),
    "GameFinished.seed": Meaning(
        "The seed of the deal in which the game ended, in hex; left out if it ended after a deal."
    ),
    "TableSecret.seed": Meaning("The last seed of the chain, in hex."),
    "seed_commitment": Meaning("The chain's seed(0), in hex."),
    "CardsDealt.shown": Meaning("The openings that everybody gets, in games that deal cards face up."),
    "status": Meaning(
        "Whether the table is open, playing, finished, or closed (by its opener, or as it did not fill)."
    ),
    "DisputeView.status": Meaning("`open`, or the ruling."),
    "Face.suit": Meaning("The suit; null for a joker."),
    "table": Meaning("The table's id."),
    "TableOpened.table": Meaning("The table's own options that differ from the defaults."),
    "DealtTalon.talon": Meaning("The talon's cards, from its top."),
    "text": Meaning("The text, as written."),
    "Line.text": Meaning("The line in words. An amount in it has no sign; `amount` has."),
    "Rule.text": Meaning("The rule's text."),
    "to_act": Meaning("The seats that must act."),
    "totals": Meaning("The total of each seat's player, in the game's unit, by seat."),
    "type": Meaning("The type."),
    "version": Meaning("The version: the number of events in the table's record."),
    "Bot.level": Meaning("How well the bot plays."),
    "Bot.version": Meaning("The version of the bots' code."),
    "LineAt.version": Meaning("The version of the event that booked the line."),
    "TextErased.version": Meaning("The version of the event whose text was erased."),
    "winners": Meaning("The seats that have won by the game's rules; null until the game is finished."),
    "GameFinished.winners": Meaning("The seats that have won by the game's rules."),
    "with": Meaning("The account that bears the counter-line."),
    "you": Meaning("The seat whose view it is; null for the public, and where all hands are open."),
}
"""The meanings of fields that every game has, by name or by `Type.name`."""


def complete(game: Game) -> Words:
    """The game's words, completed by those for the events, acts and lines of its tables; the game's take precedence."""
    gate, own = {} if game.course.gate is None else GATE, game.words
    return replace(
        own,
        events={**EVENTS, **gate, **own.events},
        acts={**ACTS, **own.acts},
        sending={**SENDING, **own.sending},
        lines={**LINES, **own.lines},
    )
