"""Diloti's numbered rules as data, and the rulebook that pins them together with the scoring items."""

from domain.games.diloti.contracts import RESULTS, SCORING
from domain.kernel.rulebook import Rule, Rulebook

RULES: tuple[Rule, ...] = (
    Rule(
        "DL-1.1",
        "Two or four players, clockwise (option players). Of four, partners sit opposite each other and share one pile "
        "of captured cards.",
        option="players",
    ),
    Rule(
        "DL-1.2",
        "The first dealer is drawn by the fair shuffle. After every deal the deal moves one seat to the left. Eldest "
        "is the seat to the dealer's left, and plays first.",
        reading=True,
    ),
    Rule(
        "DL-1.3",
        "The game ends with the deal after which a side has the points of the target (option target: 61 by default, "
        "21 to 201), and the higher score wins. Points count only once a whole deal is scored. While the scores are "
        "equal, another deal is played. A game has no more deals than were agreed, 1 to 99, 99 by default; after the "
        "last the higher score wins, and equal sides share the win.",
        reading=True,
        option="target",
    ),
    Rule(
        "DL-2.1",
        "52 cards. Numerals have a value: an ace 1, 2 to 10 their number. Court cards, J, Q and K, have none. In the "
        "order of the pack kings are high and aces low.",
    ),
    Rule(
        "DL-3.1",
        "Six cards are dealt to each seat, six at a time, eldest first; then four face up to the table. The rest is "
        "the stock, face down.",
        reading=True,
    ),
    Rule(
        "DL-3.2",
        "When all hands are empty and the stock is not, six more are dealt to each in the same way, and none to the "
        "table: four batches with two players, two with four.",
    ),
    Rule(
        "DL-3.3",
        "If three or more of the four table cards have one rank, they are shuffled back and four new ones turned, as "
        "often as need be. Everything that is not in a hand is put in the order of the pack and shuffled from the "
        "deal's seed under a label with the number of the redeal. Commitments are to the order that stands at last; "
        "the rejected fours are public. With the option redeal at court, only court cards are shuffled back.",
        reading=True,
        option="redeal",
    ),
    Rule(
        "DL-4.1",
        "Turns go clockwise from eldest. In a turn exactly one card is played from the hand: it is laid, it captures, "
        "or it goes into a declaration.",
    ),
    Rule(
        "DL-4.2",
        "A card that is laid lies loose on the table. Any numeral may be laid, even where it could capture. A court "
        "card may not be laid beside a loose one of its rank. With the option court_lay at free it may.",
        reading=True,
        option="court_lay",
    ),
    Rule("DL-4.3", "The owner of a declaration may not lay."),
    Rule(
        "DL-5.1",
        "A court card captures one loose card of its rank, which one the player chooses. With the option "
        "court_capture at all, it captures all loose cards of its rank.",
        reading=True,
        option="court_capture",
    ),
    Rule(
        "DL-5.2",
        "A numeral captures declarations of its value, and loose numerals that can be split into sets each adding up "
        "to it. At least one thing is taken. Nobody has to take all that could be taken.",
        reading=True,
    ),
    Rule(
        "DL-5.3",
        "The act names the card played and what it takes, not how loose cards are split: that they can be is enough. A "
        "declaration is never part of a sum.",
    ),
    Rule("DL-5.4", "Who captured last in the deal takes what is loose when all cards are played (DL-9.2)."),
    Rule(
        "DL-6.1",
        "A declaration has a value from 1 to 10, one or more sets of numerals each adding up to it, and an owner. With "
        "one set it is plain, with more a group. Its cards stay visible, and it is only taken whole. Declarations are "
        "numbered as they are made.",
    ),
    Rule(
        "DL-6.2",
        "To declare is to name the card played, a value, loose numerals and declarations, all of which become one "
        "declaration, under the conditions that follow.",
    ),
    Rule(
        "DL-6.2.1",
        "Each declaration named has the value declared, but for at most one: a plain one whose owner is on the other "
        "side, and which the card played raises to that value, by itself.",
    ),
    Rule(
        "DL-6.2.2",
        "The card played and the loose numerals together can be split into sets that each add up to the value; where a "
        "declaration is raised, the loose numerals alone, of which there may be none.",
    ),
    Rule("DL-6.2.3", "At least one loose numeral or one declaration is named."),
    Rule("DL-6.2.4", "A card of the value is still in the hand afterwards."),
    Rule("DL-6.2.5", "Who owns a declaration names it."),
    Rule(
        "DL-6.3",
        "All that is named becomes one declaration of the value; groups in it keep their sets. A declaration of the "
        "value may be anybody's, an opponent's too.",
        reading=True,
    ),
    Rule("DL-6.4", "The value of a group never changes. A group may go whole into a greater one.", reading=True),
    Rule(
        "DL-6.5",
        "The card played is always part of the declaration. Two declarations of one value may stand side by side.",
        reading=True,
    ),
    Rule(
        "DL-6.6",
        "The owner is who last made, raised or grouped the declaration. The owners of all that went into it own it no "
        "more, partners neither.",
        reading=True,
    ),
    Rule(
        "DL-7.1",
        "While the declaration stands and is theirs, its owner keeps a card of its value: the last such card in the "
        "hand is only played to capture the declaration. Other declarations of the value and loose sets may be "
        "captured with it.",
    ),
    Rule(
        "DL-7.2",
        "With other cards an owner may capture anything else, or declare so that the own declaration goes into the new "
        "one; nothing else. An opponent's declaration may be raised only to the own one's value, and grouped with it.",
        reading=True,
    ),
    Rule(
        "DL-7.3",
        "The duty ends when the declaration is captured by anyone, raised by an opponent or grouped by another. "
        "Partners owe nothing for each other. They may capture each other's declarations, and not raise them.",
    ),
    Rule(
        "DL-7.4",
        "So a player owns at most one declaration, an owner always has a legal act, and no declaration is left when a "
        "batch has been played.",
    ),
    Rule(
        "DL-8.1",
        "A capture that leaves no card on the table is a xeri. That of a deal's first turn is none; every later one "
        "counts, also in the last turn.",
        reading=True,
    ),
    Rule("DL-9.1", "A deal ends when hands and stock are empty, and not before."),
    Rule(
        "DL-9.2",
        "What is loose then goes to the pile of the side that captured last, and is no xeri. Where nobody has "
        "captured, which the option court_lay at free allows, it counts for no one.",
    ),
    Rule("DL-9.3", "Each xeri scores 10."),
    Rule("DL-9.4", "Most cards, 27 or more, score 4. With 26 each nobody scores them."),
    Rule("DL-9.5", "The ten of diamonds scores 2."),
    Rule("DL-9.6", "Each ace scores 1."),
    Rule("DL-9.7", "The two of clubs scores 1."),
    Rule(
        "DL-9.8",
        "A side's points are booked in full to each of its players, against the bank, so that either account is the "
        "side's score. Where an arbiter has booked to one of them alone, it is their mean, rounded down. There is a "
        "line for each xeri, for most cards and for each card that scores, by seat, then by rule, aces in the order "
        "of the pack. All players of the winning side win.",
        reading=True,
    ),
    Rule(
        "DL-10.1",
        "A hand is known to its player alone, the stock to nobody. Everybody knows the table, the declarations with "
        "their values and owners, and how many cards and xeris each side has. That an owner holds a card of the value "
        "is known to all; which one is not. After the deal all is open.",
        reading=True,
    ),
)

RULEBOOK = Rulebook(version=1, rules=RULES, tables={"scoring": SCORING, "outcomes": RESULTS})
