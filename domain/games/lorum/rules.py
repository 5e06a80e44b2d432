"""Lórum's numbered rules as data, and the rulebook that pins them together with its tables."""

from domain.games.lorum.contracts import KINDS, MARKS, RESULTS, VALUES
from domain.kernel.rulebook import Rule, Rulebook

RULES: tuple[Rule, ...] = (
    Rule("LO-1.1", "Four players, each alone. Everything goes clockwise."),
    Rule(
        "LO-1.2",
        "Each dealer deals seven times in a row, once each kind, in their order; then the deal moves one seat to the "
        "left. A game is 28 deals, or 56 or 84 if that is agreed when the table is opened.",
        reading=True,
    ),
    Rule("LO-1.3", "The first dealer is drawn by the fair shuffle.", reading=True),
    Rule("LO-1.4", "The player to the dealer's left is eldest, and begins in all seven kinds."),
    Rule(
        "LO-1.5",
        "Payment is in chips. The pot is the table's pool: it starts empty and stays from deal to deal. Players' "
        "accounts start at 0 and may go below.",
        reading=True,
    ),
    Rule(
        "LO-1.6",
        "The game ends when the last deal is settled. Most chips win; those with equal most share the win.",
        reading=True,
    ),
    Rule("LO-2.1", "32 cards: A K Q J 10 9 8 7 in four suits, ace high. There are no trumps."),
    Rule("LO-2.2", "Eight cards each, four at a time from eldest, twice round. Nothing is left over.", reading=True),
    Rule(
        "LO-2.3",
        "Everybody knows what has been played, and how many cards each hand holds. Cards that are still held when a "
        "deal ends are shown by no event. Nobody may talk.",
        reading=True,
    ),
    Rule(
        "LO-3.1",
        "No hearts, Queens, No tricks: eldest leads to the first trick. Follow the suit led if you can, else play any "
        "card. The highest card of the suit led wins the trick, and its player leads to the next.",
    ),
    Rule(
        "LO-3.2",
        "No hearts: a heart may not be led to the first trick, unless eldest holds nothing else. Discarding one there "
        "is allowed.",
        reading=True,
    ),
    Rule("LO-3.3", "No hearts: each heart captured costs 1, all together 8."),
    Rule("LO-3.4", "Queens: capturing the queen of hearts costs 4, of diamonds 3, of spades 2, of clubs 1: 10 in all."),
    Rule("LO-3.5", "No tricks: each trick captured costs 1, all together 8."),
    Rule("LO-3.6", "If all four captured what costs, each pays its cost into the pot."),
    Rule("LO-3.7", "If three did, each of them pays its cost, and the fourth receives the whole."),
    Rule("LO-3.8", "If two did, each of them pays its cost, and the others receive half of the whole each."),
    Rule("LO-3.9", "If one player captured all that costs, each of the others pays that player the whole."),
    Rule(
        "LO-3.10",
        "Play stops at the end of the trick with which all that costs is captured: the eighth heart, the fourth queen. "
        "No tricks is always played out.",
        reading=True,
    ),
    Rule(
        "LO-4.1",
        "Hairy Ape: players hold their cards turned away. A seat sees the three other hands, card by card in their "
        "places, and not its own, whose places are 1 to 8 in the order dealt. Spectators see no hand.",
        reading=True,
    ),
    Rule(
        "LO-4.2",
        "In turn, a player names a place of the own hand that is not empty: the card there is turned up and played. "
        "There is no duty to follow suit. Until then nothing that the service says tells the player which card it is.",
    ),
    Rule(
        "LO-4.3",
        "If any of the three later cards is of the suit led, the highest card of that suit captures all four, and its "
        "player leads. If none is, each player captures the own card, and the leader leads again.",
        reading=True,
    ),
    Rule("LO-4.4", "Whoever captures the king of hearts pays 4 chips into the pot. The deal ends with that trick."),
    Rule(
        "LO-4.5",
        "Hairy Ape is played blind (option hairy_ape). Open: hands are seen as usual, and LO-3.1 holds instead of "
        "LO-4.1 to LO-4.3.",
        option="hairy_ape",
    ),
    Rule(
        "LO-5.1",
        "Train: eldest plays any card, then each in turn, any card. Every card adds its value to a common count: an "
        "ace 11, a king 4, a queen 3, a jack 2, a ten 1, others nothing.",
    ),
    Rule(
        "LO-5.2",
        "Whoever brings the count to 25 or beyond pays 1 chip into the pot, to 50 or beyond 2, to 75 or beyond 3, to "
        "100 or beyond 4.",
    ),
    Rule(
        "LO-5.3",
        "A ten adds 1, so that the whole pack counts 84, and 100 is never reached (option train_ten, 1). With 10 the "
        "pack counts 120, and all four marks are passed.",
        reading=True,
        option="train_ten",
    ),
    Rule("LO-5.4", "The deal ends with the card that passes the last mark within reach: 75, or 100.", reading=True),
    Rule("LO-6.1", "Quart: eldest starts a sequence with any card."),
    Rule(
        "LO-6.2",
        "Whoever holds the next higher card of its suit must play it, out of turn; after the ace comes the 7. It is "
        "that player's only act, and nobody else may act.",
    ),
    Rule(
        "LO-6.3",
        "A sequence is complete with four cards, or as soon as its next card has already been played in this deal. Its "
        "cards are turned down; the record keeps them open to all.",
        reading=True,
    ),
    Rule("LO-6.4", "Whoever played the last card of a sequence starts the next one, with any card."),
    Rule(
        "LO-6.5",
        "The deal ends the moment a player plays the last card of the hand, also within a sequence. Each other player "
        "pays that player 1 chip for every card still held.",
        reading=True,
    ),
    Rule(
        "LO-6.6",
        "The event of a play names who is next: the same player when a sequence is complete, nobody when the deal "
        "ends. So everybody hears who holds the next card a moment before it is played.",
        reading=True,
    ),
    Rule("LO-7.1", "Domino: eldest plays any card. Its rank is the starting rank."),
    Rule(
        "LO-7.2",
        "Then in turn a player plays a card of the starting rank in a suit not yet begun, or one next in rank, above "
        "or below, to an end of a row begun in its suit. Rows end at the ace and at the 7.",
        reading=True,
    ),
    Rule(
        "LO-7.3",
        "A player who has such a card must play one; a player who has none passes, and may do nothing else.",
        reading=True,
    ),
    Rule("LO-7.4", "At most three pass in a row: the cards that fit next are all in somebody's hand."),
    Rule("LO-8.1", "Domino ends when a player plays the last card of the hand."),
    Rule("LO-8.2", "Each other player then pays 1 chip into the pot for every card still held."),
    Rule("LO-8.3", "Then the player who is out takes the whole pot, with what earlier deals left there."),
    Rule("LO-8.4", "Nothing else leaves the pot."),
    Rule("LO-8.5", "So the pot is empty after every seventh deal, corrections left out."),
    Rule(
        "LO-9.1",
        "Accounts are the four players, the pot, and the bank, which LO-9.2 alone uses. Each deal's lines sum to zero "
        "over them, no line is zero, and the pot is never below 0, corrections left out.",
    ),
    Rule(
        "LO-9.2",
        "LO-3.6 is booked to the pot. By LO-3.7 to LO-3.9 each player has one line with the bank, and the bank's lines "
        "of a deal sum to zero. LO-6.5 is a transfer from each payer to the winner; LO-4.4, each mark of LO-5.2 and "
        "LO-8.2 are transfers to the pot, LO-8.3 is one from it.",
        reading=True,
    ),
)

RULEBOOK = Rulebook(
    version=1,
    rules=RULES,
    tables={"contracts": KINDS, "outcomes": RESULTS, "marks": MARKS, "values": VALUES},
)
