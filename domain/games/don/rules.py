"""Nine-Card Don's numbered rules as data, and the rulebook that pins them together with the values of cards."""

from domain.games.don.contracts import COUNTING, RESULTS, SCORING
from domain.kernel.rulebook import Rule, Rulebook

RULES: tuple[Rule, ...] = (
    Rule("ND-1.1", "Four players, and everything goes clockwise."),
    Rule("ND-1.2", "Partners sit opposite each other."),
    Rule("ND-1.3", "The player to the dealer's left is the pitcher."),
    Rule(
        "ND-1.4",
        "The first pitcher is drawn by the fair shuffle from all four seats, together with the first dealer, who sits "
        "to the pitcher's right. Nobody chooses.",
        reading=True,
    ),
    Rule("ND-1.5", "The deal passes to the left after every deal: the pitcher deals next."),
    Rule(
        "ND-1.6",
        "The first side with the points of the target wins (option target: 121 by default, or 91). Play stops at once.",
        option="target",
    ),
    Rule(
        "ND-1.7",
        "A game has as many deals as it takes, but no more than were agreed when the table was opened: 1 to 99, 99 by "
        "default. A game that gets there is won by the side with more points; equals share the win.",
        reading=True,
    ),
    Rule("ND-2.1", "52 cards: A K Q J 10 9 8 7 6 5 4 3 2 in four suits, ace high in each."),
    Rule(
        "ND-2.2",
        "Each player is dealt nine cards, one at a time from the pitcher on. The other sixteen are set aside face "
        "down; nobody sees them before the deal is over.",
        reading=True,
    ),
    Rule(
        "ND-2.3",
        "The pitcher and both opponents see their own cards at once. The pitcher's partner sees none of the own cards "
        "until the first card has been led, and then all nine. Until then nobody knows them.",
    ),
    Rule("ND-2.4", "Otherwise a player knows what has been played. Nobody may talk."),
    Rule(
        "ND-3.1",
        "All that is done is to play a card, in turn. The pitcher leads any card to the first trick, and its suit is "
        "trumps for the deal.",
    ),
    Rule("ND-3.2", "Follow the suit led if you can, else play any card, a trump or not."),
    Rule(
        "ND-3.3",
        "The highest trump wins the trick; without a trump, the highest card of the suit led. The winner leads to the "
        "next.",
    ),
    Rule(
        "ND-3.4",
        "The tricks of partners count together. All nine are played, unless the game ends before.",
        reading=True,
    ),
    Rule(
        "ND-4.1",
        "When a trick is complete, the side that has won it scores for its cards: 5 of trumps 10, 9 of trumps 9, ace "
        "of trumps 4, king 3, queen 2, jack 1; a 5 of another suit 5.",
    ),
    Rule(
        "ND-4.2",
        "All cards of a trick score together, when its fourth card has been played. Cards that were not dealt score "
        "for nobody.",
        reading=True,
    ),
    Rule(
        "ND-5.1",
        "After nine tricks each side counts the cards that it has captured, of all suits: A 4, K 3, Q 2, J 1, 10 10.",
    ),
    Rule("ND-5.2", "The side with the higher count scores 8 points for game. With equal counts neither scores."),
    Rule(
        "ND-6.1",
        "After every trick, and after game, the scores are compared with the target. A side that has reached it has "
        "won; the deal ends there, and nothing more is scored: after a trick, game is not counted any more.",
    ),
    Rule("ND-6.2", "Each trick, and game, scores for one side only, so that one side gets there before the other."),
    Rule("ND-6.3", "Points beyond the target stay in the score.", reading=True),
    Rule(
        "ND-6.4",
        "A deal goes by the scores that it began with; a correction counts from the next deal on. After each deal the "
        "accounts decide: if a side has the points of the target the game is over, and the side with more points "
        "wins; equals share the win.",
        reading=True,
    ),
    Rule(
        "ND-7.1",
        "A side's points are booked in full to each of its two players, against the bank, so that either account is "
        "the side's score. Where an arbiter has booked to one of them alone, it is their mean, rounded down, and "
        "both win or lose with it.",
        reading=True,
    ),
    Rule(
        "ND-7.2",
        "When the deal ends, a line is booked for each scoring card and player, in the order in which the cards were "
        "played, the lower seat first; then one for each player for game. The running score is open to all from the "
        "trick on.",
    ),
    Rule("ND-7.3", "Both players of the winning side are winners."),
)

RULEBOOK = Rulebook(
    version=1,
    rules=RULES,
    tables={
        "scoring": SCORING,
        "counting": COUNTING,
        "outcomes": RESULTS,
    },
)
