"""Lórum's own words."""

from msgspec.structs import replace

from domain.games.lorum.events import CardAdded, CardCounted, CardLaid, CardTurned, TrickKept, TurnPassed
from domain.games.lorum.rules import RULEBOOK
from domain.kernel.words import EventWords, Introduction, Meaning, Row, Words, offered, say, terms_of, unless, when
from domain.parts.tricks import CardPlayed, TrickWon
from domain.parts.words import PHASES, PLAY, RANKS, TRICK, acts_of, reasoned, sending_of, words_of
from domain.table.events import CardsDealt, DealScored
from domain.table.words import EVENTS

WORDS = Words(
    introduction=Introduction(
        aim=(
            "Have the most chips at the end; each dealer in turn deals seven different kinds of deal.",
            "In some you avoid tricks (one card from each player) or certain cards, in others you want to be rid "
            "of cards first.",
        ),
        turn=(
            "Look at the kind of deal first, for each has its own way to play.",
            "In deals with tricks, play the suit that was led (played first) if you have it; the highest card of "
            "that suit wins.",
            "In the others, play a card to a common count, a sequence or a row, or unseen from your own hidden hand.",
        ),
        beginners=(
            "They never try to capture everything: a player who alone takes all that costs is paid by the others.",
            "In Train, they play high cards near 25, 50 or 75: whoever reaches or passes such a mark pays.",
            "In Domino, they forget that rows end at the ace and the 7, so these cards are usually the last to fit.",
        ),
    ),
    events={
        **words_of(CardPlayed, TrickWon),
        DealScored.TYPE: EventWords(
            "outcome",
            (
                *(
                    say(
                        f"Deal {{deal:number}} is over: {players} players captured what costs.",
                        when("outcome", outcome),
                    )
                    for outcome, players in (("two-captured", "two"), ("three-captured", "three"))
                ),
                *EVENTS[DealScored.TYPE].sentences,
            ),
        ),
        # In Hairy Ape a seat gets the cards of the others.
        CardsDealt.TYPE: replace(EVENTS[CardsDealt.TYPE], sections={"seat": (say("{owner} sees {cards.card:hand}."),)}),
        CardTurned.TYPE: EventWords(
            "play", (say("{seat} turns up card {place:number}: {card}."),), row=Row(TRICK, say("{seat} {card}"))
        ),
        TrickKept.TYPE: EventWords(
            "play",
            (say("Nobody followed suit: each player captures their own card, and {seat} leads again."),),
            row=Row(TRICK, say("→ each their own"), ends=True),
        ),
        CardCounted.TYPE: EventWords("train", (say("{seat} plays {card}: the count is {count:number}."),)),
        CardAdded.TYPE: EventWords(
            "sequence",
            (
                say("{seat} plays {card}, the last card of the hand.", when("next", None)),
                say("{seat} plays {card}; {next:seat} is next."),
            ),
        ),
        CardLaid.TYPE: EventWords("layout", (say("{seat} lays {card}."),)),
        TurnPassed.TYPE: EventWords("layout", (say("{seat} has no card that fits, and passes."),)),
    },
    acts={**acts_of("pass", "play"), "turn-up": "Turn up"},
    terms=terms_of(RULEBOOK)
    | {
        "cost": {"points": "chips paid"},
        "ranks": RANKS,
        "phase": {
            "play": PHASES["play"],
            "hairy-ape": "cards turned away",
            "train": "train",
            "quart": "sequences",
            "domino": "layout",
            "scored": PHASES["scored"],
        },
    },
    prompts=(
        say("Turn up one of your cards unseen: it is played at once.", offered("turn-up")),
        say("Pass: no card of yours fits.", offered("pass")),
        say(
            "Play a card to the count of {count:number}: whoever reaches or passes a multiple of 25 pays.",
            when("phase", "train"),
            offered("play"),
            unless("count", None),
        ),
        say("Start a sequence with any card.", when("phase", "quart"), offered("play"), when("sequence", length=0)),
        say("Play the next card of the sequence: you hold it.", when("phase", "quart"), offered("play")),
        say(
            "Lay any card: the rows of the other suits begin with its rank too.",
            when("phase", "domino"),
            offered("play"),
            when("rows", length=0),
        ),
        say("Lay a card that begins a row or continues one.", when("phase", "domino"), offered("play")),
        *PLAY,
    ),
    sending={**sending_of("pass", "play"), "turn-up": (say("Turning up card {place:number} …"),)},
    purposes={
        "play": "In this kind of deal tricks, or certain cards in them, cost chips.",
        "hairy-ape": "Here everybody sees the cards of the others, but not their own.",
        "train": "All cards are added to one count, and whoever takes it past a mark pays.",
        "quart": "Cards go out in sequences, and the deal ends once somebody has none left.",
        "domino": "Rows grow up and down from one rank until somebody has no card left.",
    },
    sections=(
        "The game",
        "Cards and the deal",
        "No hearts, Queens, No tricks",
        "Hairy Ape",
        "Train",
        "Quart",
        "Domino",
        "The end of Domino, and the pot",
        "Booking",
    ),
    promises=terms_of(RULEBOOK, "text"),
    status=(
        (say("{kind:term}.", unless("kind", None)),),
        (
            say("The count is {count:number}.", unless("count", None)),
            say("The sequence so far: {sequence:cards}.", unless("sequence", length=0)),
            say("Rows begin with {starting_rank:term ranks}.", unless("starting_rank", None)),
        ),
        (say("{passed:each}.", unless("passed", length=0), each=(say("{seat} passed the {mark:number}"),)),),
        (say("The pot holds {pool:number}.", unless("pool", 0)),),
    ),
    lines={
        "cards-held": (reasoned(how="{out:seat} out", note="{cards}"), reasoned(how="{out:seat} out")),
        "captured": (reasoned(),),
        "king-of-hearts": (reasoned(),),
        "pot": (reasoned(),),
        "mark": (reasoned(how=None),),
    },
    fields={
        "Kind.text": Meaning("What it gains and costs."),
        "points": Meaning(
            "What captures and passed marks have cost so far in the deal, by seat; who captures everything is spared "
            "it at the end.",
            least=0,
        ),
        "captors": Meaning("How many players captured what costs; 0 where nothing is captured.", least=0),
        "Kind.cards": Meaning("The cards that it costs to capture; empty where tricks do, or nothing is captured."),
        "RowView.cards": Meaning("The cards of the row, from the highest down."),
        "captured": Meaning("The captured cards that cost, sorted; empty where none does."),
        "cards_left": Meaning("How many cards the seat has still to play, in its hand or its places.", least=0),
        "chips": Meaning("The chips that passing the mark costs.", least=1),
        "cost": Meaning("What it costs to capture the card.", least=1),
        "CardCounted.count": Meaning("The common count with this card.", least=0),
        "LorumView.count": Meaning("The count of the Train; null in other kinds.", least=0),
        "Kind.deal": Meaning("Which of a dealer's seven deals it is.", least=1),
        "gone": Meaning("The cards of complete sequences, sorted."),
        "kind": Meaning("What is played."),
        "LorumView.kind": Meaning("What is played in the deal; null before the first."),
        "mark": Meaning("The mark of the common count.", least=1),
        "next": Meaning("The seat that plays next; null when the deal ends.", least=0),
        "passed": Meaning("The marks that the Train has passed, in order."),
        "played": Meaning("The cards played in the deal, in order."),
        "place": Meaning("The number of the place in the own hand, from 1.", least=1),
        "places": Meaning(
            "The places of a hand that is turned away, from place 1 on, each with its card, known or hidden; an "
            "empty place has none. No places in other kinds."
        ),
        "pool": Meaning("The chips in the pot."),
        "rank": Meaning("The rank."),
        "rows": Meaning("The rows of Domino that are begun, in the order of suits."),
        "sequence": Meaning("The cards of the sequence that is not complete, in the order played."),
        "starting_rank": Meaning("The rank that begins a row of Domino; null before its first card."),
        "RowView.suit": Meaning("The suit of the row."),
        "total": Meaning("What all that can be captured costs together; 0 where nothing is captured.", least=0),
        "train": Meaning("The cards of the Train, in the order played."),
        "Kind.trick": Meaning("What it costs to capture a trick.", least=0),
        "TrickKept.seat": Meaning("The seat that led, and leads again.", least=0),
        "TrickKept.trick": Meaning("The number of the trick in the deal, from 1.", least=1),
        "Value.value": Meaning("What a card of the rank adds to the count.", least=1),
        "PassedMarkView.seat": Meaning("The seat that passed the mark.", least=0),
        "LastTrick.winner": Meaning("The seat that won it; null where each player captured the own card.", least=0),
    },
)
