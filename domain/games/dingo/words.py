"""Dingo's own words."""

from domain.games.dingo.events import (
    AceShown,
    CardDiscarded,
    CardPassed,
    DingoPlayed,
    DingoScored,
    HuntEnded,
    HuntOff,
    RabbitPlayed,
    WolfPassed,
    WolfPlayed,
    WolvesPlayed,
)
from domain.games.dingo.hunts import VALUES
from domain.games.dingo.rules import RULEBOOK
from domain.kernel.words import EventWords, Introduction, Meaning, Row, Words, offered, say, terms_of, unless, when
from domain.parts.tricks import HandExposed
from domain.parts.words import PHASES, RANKS, reasoned

HUNT = "hunt"
_GETS = (say("{seat} scores {card}"),)
_LOSES = (say("{seat} is penalised with {card}"),)

_ACES = "offers.play-wolves.fields.cards.max"

WORDS = Words(
    introduction=Introduction(
        aim=(
            "Score in thirteen hunts, one for each rank from 2 to ace: diamonds are rabbits, hearts are dingoes, "
            "black cards are wolves.",
            "The last wolf played in a hunt takes its rabbit, and the highest score wins; in a single deal, the "
            "highest rabbit decides between equals.",
        ),
        turn=(
            "First shape your hand: in seven steps, discard a card face up or pass one face down, as the step says.",
            "Then, rank by rank, the heart is played for its holder, and the others in turn play a black card of "
            "that rank, or pass.",
            "In the last hunt, play none, one or both of your black aces; the holder of the heart comes last.",
        ),
        beginners=(
            "They keep a heart when both black cards of its rank are gone: alone, it counts against them.",
            "They play the first wolf too eagerly: if the second is played too, it takes the rabbit, and the "
            "first scores for the dingo.",
            "They forget the ace of diamonds: worth ten if both black aces are out by its holder's turn, it else "
            "costs three.",
        ),
    ),
    events={
        CardDiscarded.TYPE: EventWords("discards", (say("{seat} discards {card}."),)),
        CardPassed.TYPE: EventWords(
            "passes",
            (say("{seat} passes a card to {to:seat}."),),
            {"seat": (say("{owner} knows it: {card}."),)},
        ),
        DingoPlayed.TYPE: EventWords(
            HUNT, (say("{seat} has the dingo and plays {card}."),), row=Row(HUNT, say("{seat} {card}"))
        ),
        HuntOff.TYPE: EventWords(HUNT, (say("The dingo is gone, so the {rank:term ranks} are not hunted."),)),
        WolfPlayed.TYPE: EventWords(HUNT, (say("{seat} plays {card}."),), row=Row(HUNT, say("{seat} {card}"))),
        WolfPassed.TYPE: EventWords(HUNT, (say("{seat} passes."),), row=Row(HUNT, say("{seat} –"))),
        WolvesPlayed.TYPE: EventWords(
            HUNT,
            (say("{seat} plays no black ace.", when("cards", length=0)), say("{seat} plays {cards}.")),
        ),
        RabbitPlayed.TYPE: EventWords(HUNT, (say("Both black aces are out: {seat} plays {card}."),)),
        AceShown.TYPE: EventWords(HUNT, (say("{seat} shows {card}, which was not played."),)),
        HuntEnded.TYPE: EventWords(
            HUNT,
            (
                say("The hunt is over: {penalty:each}.", when("score", length=0), each=_LOSES),
                say("The hunt is over: {score:each}.", when("penalty", length=0), each=_GETS),
                say(
                    "The hunt is over: {score:each}; {penalty.seat:seats} is penalised with {penalty.card:cards}.",
                    each=_GETS,
                ),
            ),
            row=Row(HUNT, None, ends=True),
        ),
        HandExposed.TYPE: EventWords("hands", (say("{seat} shows what is left: {cards:hand}."),)),
        DingoScored.TYPE: EventWords("outcome", (say("Deal {deal:number} is over: every rank has had its turn."),)),
    },
    acts={
        "discard": "Discard",
        "pass-card": "Pass a card",
        "play-wolf": "Play a wolf",
        "pass": "Pass",
        "play-wolves": "Play black aces",
    },
    prompts=(
        say("Discard a card that is no ace, face up: it is out of play.", offered("discard")),
        say("Pass one card, face down, to the player on your left.", offered("pass-card"), when("step", 2)),
        say("Pass one card, face down, to the player across the table.", offered("pass-card"), when("step", 4)),
        say("Pass one card, face down, to the player on your right.", offered("pass-card")),
        say(
            "Play the second wolf of the {hunt.rank:term ranks} to take the rabbit, or pass.",
            offered("play-wolf"),
            unless("hunt", None),
            when("hunt.wolves", length=1),
        ),
        say(
            "Play a wolf of the {hunt.rank:term ranks} for the rabbit, or pass.",
            offered("play-wolf"),
            unless("hunt", None),
        ),
        say("Pass: you hold no wolf of the {hunt.rank:term ranks}.", offered("pass"), unless("hunt", None)),
        say("Go on without an ace: you hold no black one.", offered("play-wolves"), when(_ACES, 0)),
        say("Play your black ace, or none.", offered("play-wolves"), when(_ACES, 1)),
        say("Play one of your black aces, both or none.", offered("play-wolves")),
    ),
    sending={
        "discard": (say("Discarding {card} …"),),
        "pass-card": (say("Passing {card} on …"),),
        "play-wolf": (say("Playing {card} …"),),
        "pass": (say("Passing …"),),
        "play-wolves": (say("Playing no black ace …", when("cards", length=0)), say("Playing {cards} …")),
    },
    purposes={
        "discard": "Before the hunts, hands are shaped: a card that is discarded takes part in no hunt.",
        "pass": "A passed card changes hands, and its new holder plays it in its hunt.",
        "hunt": "The last wolf that is played gets the rabbit; a wolf before it goes to the player who has the dingo.",
        "ace-hunt": "The last hunt is for the ace of diamonds, which counts most where both black aces are out.",
    },
    final={"discard": "discard", "pass-card": "exchange"},
    sections=(
        "The game",
        "Cards and their values",
        "The deal",
        "Discarding and passing",
        "Hunts",
        "The hunt of the aces",
        "What players know, and the end",
        "Scoring",
    ),
    terms=terms_of(RULEBOOK)
    | {
        "ranks": RANKS,
        "worth": {
            row.rank: f"each card counts {row.value}"
            if row.rabbit == row.value
            else f"the ace of diamonds counts {row.rabbit}, each other ace {row.value}"
            for row in VALUES
        },
        "phase": {
            "discard": "discards",
            "pass": "passes",
            "hunt": "hunt",
            "ace-hunt": "hunt of the ace",
            "open": "hands shown",
            "scored": PHASES["scored"],
        },
    },
    status=(
        (
            say("Step {step:number} of 7: {step:term}.", unless("step", None)),
            say(
                "The {hunt.rank:term ranks} are hunted next: {hunt.rank:term worth}.",
                unless("hunt", None),
                when("hunt.dingo", None),
            ),
            say(
                "The {hunt.rank:term ranks} are hunted: {hunt.rank:term worth}. {hunt.dingo:seat} has the dingo, and "
                "{hunt.wolves:each}.",
                unless("hunt", None),
                unless("hunt.wolves", length=0),
                each=(say("{seat} has played {card}"),),
            ),
            say(
                "The {hunt.rank:term ranks} are hunted: {hunt.rank:term worth}. {hunt.dingo:seat} has the dingo.",
                unless("hunt", None),
            ),
        ),
    ),
    marks={"hunt.dingo": "dingo"},
    lines={"score": (reasoned("{card}"),), "penalty": (reasoned("{card}"),)},
    fields={
        "act": Meaning("What each seat does in the step."),
        "DingoView.rabbits": Meaning("The open rabbits whose hunt is still to come or going on, the lowest first."),
        "DingoView.step": Meaning(
            "The number of the step of discards and passes, from 1; null when they are over.", least=1
        ),
        "Step.to": Meaning("How many seats to the left a card is passed; 0 for a discard.", least=0),
        "CardPassed.to": Meaning("The seat that gets the card.", least=0),
        "step": Meaning("The number of the step, from 1.", least=1),
        "caught": Meaning("Whether the first wolf goes to the dingo player."),
        "Catch.penalty": Meaning("Whether the dingo goes to its player's penalty pile."),
        "Catch.rabbit": Meaning(
            "The number of the wolf, from 1, whose player gets the rabbit; null: put aside.", least=1
        ),
        "Catch.wolves": Meaning("The number of wolves played.", least=0),
        "HuntView.wolves": Meaning("The wolves played, in order."),
        "dingo": Meaning("The seat that had to play the dingo; null until it is played.", least=0),
        "queue": Meaning("The seats that are still to be asked, in turn.", least=0),
        "discards": Meaning("The discards, in the order made."),
        "rank": Meaning("The rank."),
        "value": Meaning("What a card of the rank counts.", least=1),
        "Value.rabbit": Meaning("What the rank's rabbit counts in a score pile.", least=1),
        "HuntEnded.score": Meaning("The cards that went to score piles, each with its player."),
        "HuntEnded.penalty": Meaning("The cards that went to penalty piles, each with its player."),
        "rabbits": Meaning("The rank of the highest rabbit in each score pile, by seat; null for none."),
        "hunt": Meaning("The hunt that is on; null between hunts."),
        "score_pile": Meaning("The cards of the score pile, in the order won."),
        "penalty_pile": Meaning("The cards of the penalty pile, in the order won."),
        "points": Meaning("What the piles of the deal come to."),
    },
)
