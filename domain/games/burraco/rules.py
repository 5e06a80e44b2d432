"""Burraco's numbered rules as data, and the rulebook that pins them together with the values of cards."""

from domain.games.burraco.contracts import BURRACHI, ENDINGS, VALUES
from domain.kernel.rulebook import Rule, Rulebook

RULES: tuple[Rule, ...] = (
    Rule(
        "BU-1.1",
        "Four players, clockwise: those opposite each other play together. With the option "
        "players at 2, each of two players is a side, and all else is the same.",
        reading=True,
        option="players",
    ),
    Rule(
        "BU-1.2",
        "The first dealer is drawn by the fair shuffle, and the deal passes to the left after every deal. The dealer's "
        "left neighbour plays first; turns go to the left.",
        reading=True,
    ),
    Rule(
        "BU-1.3",
        "The game ends with the deal after which a side has more points than the target (option target: 2000 by "
        "default, 500 to 5000), and the higher score wins. While the scores are equal, another deal is played. A game "
        "has no more deals than were agreed, 1 to 99, 99 by default; after the last the higher score wins, and equal "
        "sides share the win.",
        reading=True,
        option="target",
    ),
    Rule(
        "BU-2.1",
        "108 cards: two packs of 52, and four jokers. A name is rank, suit and copy, as 7h.1 and 7h.2; the jokers are "
        "Jo.1 to Jo.4. Copies differ in two rules only: which card BU-4.2 bars, and which of two 2s is natural "
        "(BU-5.4).",
    ),
    Rule(
        "BU-2.2",
        "Jokers and 2s are wild cards. A 2 that stands in its own place in a run of its own suit is natural; "
        "everywhere else, in the hand too, it is wild.",
    ),
    Rule(
        "BU-2.3",
        "A joker is worth 30, a 2 20, an ace 15, K Q J 10 9 8 ten each, 7 6 5 4 3 five each, whatever a wild card "
        "stands for.",
    ),
    Rule(
        "BU-3.1",
        "Each player is dealt eleven cards, one at a time from the dealer's left. Two pozzetti of eleven cards each "
        "come next, face down, then one card face up, which begins the discard pile. The rest is the stock.",
        reading=True,
    ),
    Rule(
        "BU-4.1",
        "In a turn a player draws the top card of the stock or takes the whole discard pile, which is always free to "
        "take; then melds as often as wished; then discards one card, which ends the turn. Only the player in turn "
        "acts.",
    ),
    Rule(
        "BU-4.2",
        "Who took a pile of a single card may not discard that very card in the same turn. Its twin may be discarded.",
    ),
    Rule("BU-4.3", "Any card may be discarded, a wild card too; but what closes is no wild card (BU-9.2)."),
    Rule(
        "BU-5.1",
        "A set is three or more cards of one rank, an ace or 3 to king, of any suits, at most one of them wild. There "
        "are no sets of 2s or jokers. A side has at most one set of each rank.",
    ),
    Rule(
        "BU-5.2",
        "A run is three to thirteen consecutive cards of one suit, at most one of them wild. The ace stands below the "
        "2 or above the king, not both. A side may have several runs of a suit. Melds are never joined or divided.",
    ),
    Rule(
        "BU-5.3",
        "A run has no more than one ace; sets of aces are melds. A wild card may stand for an ace, but not for a "
        "second one.",
        reading=True,
    ),
    Rule(
        "BU-5.4",
        "The order of a run follows from its cards alone. An order without a wild card comes before one with it; then "
        "one with the wild card in a gap before one with it at the low end, or at the high end of a run that begins "
        "with an ace; then the ace low before high. Of two 2s of the suit the lower copy is the natural one. A set "
        "stands in the pack's order, its wild card last.",
        reading=True,
    ),
    Rule(
        "BU-5.5",
        "So a wild card moves by itself when a card is added: to a new gap, or to its end when the card comes that it "
        "stood for. A natural 2 turns wild to fill a gap, and natural again when it is back in its place.",
        reading=True,
    ),
    Rule(
        "BU-5.6",
        "A meld with a card that counts as wild takes no second wild card, even if the first could then be natural. A "
        "2 of a run's suit may be added if a 2 of the suit then stands in its own place.",
    ),
    Rule(
        "BU-6.1",
        "Lay three cards of the hand that are a meld. Melds are numbered as they are laid, both sides together. The "
        "turn must still be able to end (BU-6.5).",
    ),
    Rule(
        "BU-6.2",
        "Add one card of the hand to a meld of your side, whoever laid it and when, if all its cards are a meld then.",
    ),
    Rule(
        "BU-6.3",
        "Longer melds are laid as three cards, and the others are added one by one. Every set and run can be made so.",
        reading=True,
    ),
    Rule("BU-6.4", "Cards laid stay laid."),
    Rule(
        "BU-6.5",
        "After laying or adding, the turn must still be able to end. The hand may be empty only if the side has its "
        "pozzetto still to take. A single card may be left only if it may be discarded (BU-4.2, BU-9.2), or if the "
        "pozzetto is still to take and the card can be added to a meld.",
        reading=True,
    ),
    Rule(
        "BU-7.1",
        "A meld of seven or more cards is a burraco: clean if none of its cards counts as wild, else dirty. What it is "
        "when the deal ends counts.",
    ),
    Rule(
        "BU-7.2",
        "With the option semi_clean, a dirty burraco is worth 150 if seven natural cards stand next to each other in a "
        "run, or seven natural cards in a set.",
        option="semi_clean",
    ),
    Rule(
        "BU-8.1",
        "The first player of a side whose hand is empty takes a pozzetto, the first of the two that is left. The other "
        "is for the other side. A pozzetto that nobody has looked at is taken nevertheless.",
        reading=True,
    ),
    Rule(
        "BU-8.2",
        "Where laying or adding emptied the hand, the pozzetto is the hand at once, and the turn goes on.",
    ),
    Rule(
        "BU-8.3",
        "Where the discard emptied the hand, the pozzetto lies face down before its player, who looks at it when the "
        "own next turn begins, before drawing. Until then nobody knows it, not even its owner. The card discarded may "
        "be wild.",
        reading=True,
    ),
    Rule("BU-9.1", "A side that has taken its pozzetto empties a hand only by closing."),
    Rule(
        "BU-9.2",
        "To close is to discard the last card of the hand, when the side has taken its pozzetto and has a burraco, and "
        "the card is no wild card. Any 2 is one. A last card may not be discarded otherwise, unless a pozzetto is "
        "taken then.",
        reading=True,
    ),
    Rule(
        "BU-9.3",
        "The turn in which a draw leaves two cards in the stock is the last one. It is played to its end, and may "
        "close.",
    ),
    Rule(
        "BU-9.4",
        "A turn is idle if it took a pile of a single card and melded nothing. As many idle turns in a row as there "
        "are players end the deal.",
    ),
    Rule(
        "BU-9.5",
        "So every deal ends: the stock is drawn a limited number of times, and every other turn melds, takes a longer "
        "pile, or is idle.",
    ),
    Rule("BU-10.1", "Each meld scores the values of its cards."),
    Rule("BU-10.2", "Each clean burraco scores 200 more."),
    Rule("BU-10.3", "Each dirty burraco scores 100 more; with the option semi_clean some score 150 (BU-7.2)."),
    Rule("BU-10.4", "Closing scores 100."),
    Rule(
        "BU-10.5",
        "Each hand that is not empty costs the values of its cards. A pozzetto not looked at is its owner's hand.",
    ),
    Rule("BU-10.6", "A pozzetto that was not taken costs its side 100."),
    Rule(
        "BU-10.7",
        "A side's points are booked in full to each of its players, against the bank, so that either account is the "
        "side's score. Where an arbiter has booked to one of them alone, it is their mean, rounded down. There is a "
        "line for each item, none of zero: by seat from 0, for each all of one row of BU-10.1 to BU-10.6 before the "
        "next, melds as laid, hands by seat. Scores may be negative. Both players of the winning side win.",
        reading=True,
    ),
    Rule(
        "BU-11.1",
        "Everybody knows the discard pile, the melds, the sizes of hands and stock, and who has a pozzetto. A hand is "
        "known to its player, but for cards that came into it with the discard pile, which all have seen. Nobody knows "
        "the stock or a pozzetto on the table; one that lies face down not even its owner knows. After the deal all is "
        "open.",
        reading=True,
    ),
)

RULEBOOK = Rulebook(
    version=1,
    rules=RULES,
    tables={
        "burrachi": BURRACHI,
        "values": VALUES,
        "outcomes": ENDINGS,
    },
)
