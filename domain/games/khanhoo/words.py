"""Khanhoo's own words."""

from domain.games.khanhoo.events import (
    BumpChallenged,
    BumpsAnnounced,
    BumpYielded,
    CardDiscarded,
    ClaimAnswered,
    DiscardDrawn,
    DiscardTaken,
    HandsShown,
    KhanhooScored,
    MeldLaid,
    StockDrawn,
    StockRenewed,
    WentOut,
)
from domain.games.khanhoo.rules import RULEBOOK
from domain.kernel.words import EventWords, Introduction, Meaning, Words, offered, say, terms_of, unless, when
from domain.parts.words import PHASES, reasoned

_BUMPS = "{bumps:each}. The bump of {standing:seat} stands."
_BUMP = (say("{seat} bumps with {meld:term made}"),)

WORDS = Words(
    introduction=Introduction(
        aim=(
            "Arrange your fifteen cards in melds (sets and rows that score), and collect points over several deals.",
            "Once somebody has 50 points the game ends after that deal, and the highest score wins.",
        ),
        turn=(
            "Draw the top card of the stock (face-down cards) or of the discard pile (face-up ones); with four "
            "players, you are given the latter.",
            "Then discard one card face up, or go out (end the deal) if your fifteen other cards are all in melds.",
            "With three or four players, others may then bump: claim the discard for a meld, which they lay face up.",
        ),
        beginners=(
            "They keep one long row: it scores one point whatever its length, so six in a row are better as two rows.",
            "They want to lay their melds: melds stay hidden in the hand and count there, except those made with "
            "a bump.",
            "They wait until they can go out: all players score their melds when the deal ends, and other cards "
            "cost nothing.",
        ),
    ),
    events={
        StockDrawn.TYPE: EventWords(
            "draw",
            (say("{seat} draws from the stock."),),
            {"seat": (say("The card is {drawn.card:card}."),)},
        ),
        DiscardDrawn.TYPE: EventWords("draw", (say("{seat} draws the discard {card}."),)),
        DiscardTaken.TYPE: EventWords("draw", (say("{seat} gets the discard {card}."),)),
        CardDiscarded.TYPE: EventWords("discard", (say("{seat} discards {card}."),)),
        WentOut.TYPE: EventWords("out", (say("{seat} discards {card} and is out."),)),
        ClaimAnswered.TYPE: EventWords(
            "claims",
            (say("{seat} has answered."),),
            {
                "seat": (
                    say("{owner} lets the discard go.", when("meld", None)),
                    say("{owner} bumps with {meld:term made}: {cards}."),
                )
            },
        ),
        BumpsAnnounced.TYPE: EventWords(
            "claims",
            (
                say("Nobody bumps.", when("standing", None)),
                say(f"All have answered. {_BUMPS}", each=_BUMP),
            ),
        ),
        BumpChallenged.TYPE: EventWords(
            "claims",
            (say("{seat} challenges with {meld:term made}: there is no bump."),),
            {"seat": (say("{owner} has named {cards}."),)},
        ),
        BumpYielded.TYPE: EventWords("claims", (say("{seat} yields."),)),
        MeldLaid.TYPE: EventWords("meld", (say("{seat} takes the discard and lays {meld:term made}: {cards}."),)),
        StockRenewed.TYPE: EventWords(
            "stock",
            (say("All discards but the top one are shuffled into a new stock."),),
            {"house": (say("The new stock holds {stock.card:cards}."),)},
        ),
        HandsShown.TYPE: EventWords(
            "hands",
            (say("The hands are shown: {hands:each}.", each=(say("{seat} holds {cards:hand}"),)),),
        ),
        KhanhooScored.TYPE: EventWords(
            "outcome",
            (
                say(
                    "Deal {deal:number} is over ({outcome:term}): {divisions:each}.",
                    each=(
                        say("{seat} has no meld in hand", when("melds", length=0)),
                        say("{seat} has {melds:each}", each=(say("{meld:term made} {cards}"),)),
                    ),
                ),
            ),
        ),
    },
    acts={
        "draw-stock": "Draw from the stock",
        "draw-discard": "Draw the discard",
        "discard": "Discard",
        "go-out": "Go out",
        "bump": "Bump",
        "let-go": "Let go",
        "challenge": "Challenge",
        "yield": "Yield",
    },
    prompts=(
        say(
            "Draw the top card of the stock, unseen, or the top discard: either goes into your hand, for any use.",
            offered("draw-stock"),
        ),
        say("Go out with your last discard, or discard a card and play on.", offered("go-out")),
        say("Discard a card, face up: others may take it.", offered("discard")),
        say("Bump to claim the discard for a meld with cards of your hand, or let it go.", offered("bump")),
        say("Let the discard go: you have no meld to bump with.", offered("let-go")),
        say(
            "Challenge to take the discard yourself, or yield it to {standing:seat}.",
            offered("challenge"),
            unless("standing", None),
        ),
        say(
            "Yield the discard to {standing:seat}: you have no meld with it that is worth as much.",
            offered("yield"),
            unless("standing", None),
        ),
    ),
    sending={
        "draw-stock": (say("Drawing from the stock …"),),
        "draw-discard": (say("Taking the top discard …"),),
        "discard": (say("Discarding {card} …"),),
        "go-out": (say("Going out with {card} …"),),
        "bump": (say("Bumping with {cards} for {meld:term made} …"),),
        "let-go": (say("Letting the discard go …"),),
        "challenge": (say("Challenging with {cards} for {meld:term made} …"),),
        "yield": (say("Yielding …"),),
    },
    purposes={
        "draw": "Most melds are a rank in three suits, or a row in one suit; the joker stands for any card of a meld.",
        "discard": "Cards score in melds alone: most are a rank in three suits, or a row in one suit.",
        "claim": "A discard may complete a meld of somebody else, so the others are asked before the next turn.",
        "challenge": "A bump takes the discard from the player whose turn is next, who may stop it.",
    },
    final={"discard": "discard"},
    piles={"stock": ("draw-stock",), "discards": ("draw-discard",)},
    sections=("The game", "Cards", "The deal", "A turn", "Melds", "Bumps and challenges", "Going out", "Scoring"),
    promises={
        **terms_of(RULEBOOK, "text"),
        "act": {
            "bump": "You take the discard and lay the meld for good, unless a higher bump or a challenge stops it.",
            "challenge": "You take the discard as your draw; no meld is laid, and you may do with it what you like.",
            "go-out": "The deal ends at once, all melds are scored, and you get five points more.",
        },
    },
    terms=terms_of(RULEBOOK)
    | {
        "made": {
            meld: name if meld in ("aces", "double-aces") else f"a {name}"
            for meld, name in terms_of(RULEBOOK)["meld"].items()
        },
        "phase": {
            "draw": "draw",
            "discard": "discard",
            "claim": "claims",
            "challenge": "challenge",
            "shown": "hands shown",
            "scored": PHASES["scored"],
        },
    },
    status=(
        (
            say(
                "Discards: {discarded:number} of at most {limit:number}.",
                unless("limit", None),
            ),
        ),
        (
            say(f"{_BUMPS}", unless("standing", None), each=_BUMP),
            say("{discarder:seat} has discarded, and the others are asked whether to bump.", unless("discarder", None)),
            say("{out:seat} is out.", unless("out", None)),
        ),
        (
            say(
                "Melds: a row in one suit 1, three aces 1, a rank in three suits 2, J♣ Q♣ K♣ 3, K♣ 9♥ 9♥ or Q♣ 8♠ 8♠ "
                "or J♣ 7♦ 7♦ 4, A♥ 2♠ 3♦ 5; all six of a rank or twice J♣ Q♣ K♣ 10, twice A♥ 2♠ 3♦ 15.",
                unless("phase", None),
            ),
        ),
    ),
    marks={"eldest": "eldest", "out": "out"},
    lines={"meld": (reasoned(note="{cards}"),), "out": (reasoned(how=None),)},
    fields={
        "MeldRow.text": Meaning("Its cards, and what it gains."),
        "answered": Meaning(
            "The seats that have answered whether to bump, in the order of their answers.", distinct=True
        ),
        "answers": Meaning("Their answers, in the same order."),
        "Answer.claim": Meaning("The answer; null where the audience does not know it."),
        "Answer.seat": Meaning("The seat that has answered.", least=0),
        "bumps": Meaning("The bumps that were announced, from the discarder's left on."),
        "Claim.cards": Meaning("The cards of the hand that make the meld with the discard, sorted.", distinct=True),
        "laid": Meaning("The melds that the seat has laid in this deal."),
        "Claim.meld": Meaning("The kind of meld; null for letting go."),
        "discarded": Meaning("How many discards have been made in the deal.", least=0),
        "discarder": Meaning("The seat whose discard may be claimed; null where none may.", least=0),
        "discards": Meaning("The discard pile, from the top."),
        "divisions": Meaning("How each hand was divided into melds, by seat."),
        "DrawnCard.drawn": Meaning("The opening of the card drawn."),
        "eldest": Meaning("The seat that begins the deal.", least=0),
        "hands": Meaning("The hands, by seat."),
        "limit": Meaning("The number of discards after which the deal ends.", least=0),
        "meld": Meaning("The kind of meld."),
        "melds": Meaning("The melds, in the order of their rows and cards."),
        "MeldRow.points": Meaning("The points that it scores.", least=1),
        "out": Meaning("The seat that is out; null for none.", least=0),
        "renewal": Meaning("The number of the renewal in the deal.", least=1),
        "renewals": Meaning("How often the stock was renewed in the deal.", least=0),
        "standing": Meaning("The seat whose bump stands; null for none.", least=0),
        "RenewedStock.stock": Meaning("The openings of the renewed stock, from its top."),
        "stock": Meaning("The cards that are left to be drawn."),
    },
)
