"""Tëtka's numbered rules as data, and the rulebook that pins them together with the table of penalties."""

from domain.games.tetka.penalties import PENALTIES, RESULTS
from domain.kernel.rulebook import Rule, Rulebook
from domain.parts.plain_tricks import PlainRules

RULES: tuple[Rule, ...] = (
    Rule("TE-1.1", "Four players, each alone. Everything goes clockwise."),
    Rule(
        "TE-1.2",
        "A game is a number of deals divisible by four, chosen when the table is opened: 4 by default, at least 4, at "
        "most 96.",
        reading=True,
    ),
    Rule(
        "TE-1.3",
        "The first dealer is drawn by the fair shuffle. After every deal the deal moves one seat to the left, so that "
        "each seat deals equally often.",
        reading=True,
    ),
    Rule(
        "TE-1.4",
        "When the last deal is scored, the game ends. The fewest points win; equals share the win.",
        reading=True,
    ),
    Rule(
        "TE-2.1",
        "52 cards. In every suit A K Q J 10 9 8 7 6 5 4 3 2, ace high. There are no trumps.",
    ),
    Rule(
        "TE-2.2",
        "Thirteen cards each, one at a time from the dealer's left, so that the last card falls to the dealer.",
        reading=True,
    ),
    Rule(
        "TE-2.3",
        "That last card, the bum card, is shown to everyone and goes into the dealer's hand, to be played like any "
        "other. Its suit is the bum suit, and the queen of that suit is Tëtka.",
    ),
    Rule(
        "TE-2.4",
        "A seat knows its own cards, the bum card and what has been played. So one of the dealer's cards is known to "
        "all until it is played. Nobody may talk.",
    ),
    Rule(
        "TE-3.1",
        "The only action is to play a card, in turn. The player to the dealer's left leads any card to the first "
        "trick; the winner of a trick leads to the next.",
    ),
    Rule(
        "TE-3.2",
        "Follow the suit led if you can; otherwise play any card. The highest card of the suit led wins the trick.",
    ),
    Rule(
        "TE-3.3",
        "All thirteen tricks are always played, since the last one always costs a point.",
    ),
    Rule("TE-4.1", "The trick with the bum card costs its winner 1 point."),
    Rule("TE-4.2", "The trick with Tëtka costs its winner 2 points."),
    Rule("TE-4.3", "Each queen other than Tëtka costs the winner of its trick 1 point."),
    Rule(
        "TE-4.4",
        "The trick whose number is the rank of the bum card costs its winner 1 point: ace 1, 2 to 10 their number, "
        "jack 11, queen 12, king 13.",
    ),
    Rule("TE-4.5", "The thirteenth trick costs its winner 1 point."),
    Rule("TE-4.6", "The largest number of tricks costs 1 point at the end of the deal."),
    Rule(
        "TE-4.7",
        "Penalties add up: one trick may bring several. When the bum card is a king, the thirteenth trick costs 1 "
        "point for its number and 1 for being the last.",
    ),
    Rule(
        "TE-4.8",
        "A bum card that is a queen is Tëtka itself, and its trick costs 1 and 2 points. The three other queens cost 1 "
        "each, as ever.",
        reading=True,
    ),
    Rule(
        "TE-4.9",
        "If several have the largest number of tricks, the point of TE-4.6 goes to the one of them who captured most "
        "cards of the bum suit; if several of these are equal in that too, to the one of those who captured the "
        "highest card of that suit among them.",
    ),
    Rule(
        "TE-4.10",
        "If none of them captured a card of the bum suit, nobody gets the point of TE-4.6. That can happen with tricks "
        "4, 4, 3 and 2 alone.",
        reading=True,
    ),
    Rule("TE-4.11", "So a deal gives nine points in all, or eight by TE-4.10."),
    Rule(
        "TE-5.1",
        "A penalty of n points takes n from the player's account and gives n to the table's bank. So the highest "
        "balance wins, which is the order of the fewest points.",
        reading=True,
    ),
    Rule(
        "TE-5.2",
        "Each penalty has its own line, by TE-4.3 one for each queen, with its rule and the events of its trick: four "
        "cards played and the trick won. The line of TE-4.6 rests on those of all thirteen tricks. Lines stand in the "
        "order of the tricks, within a trick in the order of TE-4.1 to TE-4.5, and TE-4.6 comes last. The lines of a "
        "deal sum to zero over all accounts.",
    ),
)

RULEBOOK = Rulebook(version=1, rules=RULES, tables={"outcomes": RESULTS, "penalties": PENALTIES})

NUMBERS = PlainRules(
    seats="TE-1.1",
    dealer="TE-1.3",
    finish="TE-1.4",
    cards="TE-2.1",
    deal="TE-2.2",
    lead="TE-3.1",
    follow="TE-3.2",
    end="TE-3.3",
    booked="TE-5.1",
)
