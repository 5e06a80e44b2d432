"""King's numbered rules as data, and the rulebook that pins them together with the tables of aims and deals."""

from collections.abc import Mapping

from msgspec.structs import replace

from domain.games.king.contracts import AIMS, DEALS, RESULTS, AimName
from domain.kernel.rulebook import Rule, Rulebook

RULES: tuple[Rule, ...] = (
    Rule("KG-1.1", "Four players, each alone. Everything goes clockwise."),
    Rule("KG-1.2", "A game is exactly ten deals: six negative ones, each with its own aim, then four positive ones."),
    Rule(
        "KG-1.3",
        "The first dealer is drawn by the fair shuffle. The deal then passes to the left, so each player deals one "
        "positive deal.",
        reading=True,
    ),
    Rule(
        "KG-1.4",
        "All scores start at 0. The game ends with the tenth deal. The highest score wins; equals share the win.",
        reading=True,
    ),
    Rule("KG-2.1", "52 cards: A K Q J 10 9 8 7 6 5 4 3 2 in four suits, ace high."),
    Rule("KG-2.2", "Thirteen cards each, one at a time from the dealer's left on. Nothing is left over.", reading=True),
    Rule(
        "KG-2.3",
        "A player knows the own cards, what has been played, and what has been said of trumps and direction. Nothing "
        "is exposed during a deal. Nobody may talk.",
    ),
    Rule(
        "KG-3.1",
        "The player to the dealer's left leads to the first trick, whoever named trumps. The winner of a trick leads "
        "to the next.",
    ),
    Rule("KG-3.2", "Follow the suit led if you can, else play any card. Nobody has to trump."),
    Rule(
        "KG-3.3",
        "The highest trump wins the trick; without a trump, the highest card of the suit led. Negative deals have no "
        "trumps.",
    ),
    Rule(
        "KG-3.4",
        "Any card may be led (option heart_leads, free). Restricted: in deals 2 and 5 a heart may be led only by a "
        "player who holds nothing else.",
        reading=True,
        option="heart_leads",
    ),
    Rule(
        "KG-3.5",
        "Play stops after the trick with which the score of the deal can no longer change, judged only by the cards "
        "captured: the thirteenth heart in deal 2, the fourth queen in deal 3, the eighth king or jack in deal 4, the "
        "king of hearts in deal 5. All other deals are played out.",
        reading=True,
    ),
    Rule("KG-4.1", "Deal 1, no tricks: each player scores −20 for each trick."),
    Rule("KG-4.2", "Deal 2, no hearts: each player scores −20 for each heart captured."),
    Rule("KG-4.3", "Deal 3, no queens: each player scores −50 for each queen captured."),
    Rule("KG-4.4", "Deal 4, no kings, no jacks: each player scores −30 for each king or jack captured."),
    Rule("KG-4.5", "Deal 5, no king of hearts: its captor scores −160."),
    Rule("KG-4.6", "Deal 6, not the last two tricks: −90 for the twelfth trick, −90 for the thirteenth."),
    Rule("KG-4.7", "After deal 6 the four scores together are −1,300."),
    Rule(
        "KG-5.1",
        "In a positive deal, before the first lead, the dealer names trumps, one of the four suits or none, or puts "
        "the right to name them up for auction among the three others.",
    ),
    Rule(
        "KG-5.2",
        "The auction goes clockwise from the dealer's left and skips the dealer. A bid is a number of tricks, 1 to 13, "
        "higher than the last bid.",
    ),
    Rule(
        "KG-5.3",
        "The player to the dealer's left must open with a bid (option auction_opening, forced). Free: all three may "
        "pass before there is a bid; then the auction is over, the dealer names trumps and cannot put them up again, "
        "and nothing is paid for them.",
        reading=True,
        option="auction_opening",
    ),
    Rule(
        "KG-5.4",
        "A pass is not final: the auction goes on until two passes in a row follow a bid (option auction_pass, open). "
        "Final: who has passed is out; once there is a bid, the last one left has bought the right; if nobody has bid, "
        "the last one left may bid, which ends the auction, or pass.",
        reading=True,
        option="auction_pass",
    ),
    Rule(
        "KG-5.5",
        "A bid of 13 ends the auction at once. The dealer cannot refuse the high bid, and the high bidder cannot "
        "withdraw.",
        reading=True,
    ),
    Rule("KG-5.6", "The high bidder names trumps: a suit or none."),
    Rule(
        "KG-5.7",
        "Then the dealer, never the high bidder, says whether the deal is played up or down. Trumps, bids and "
        "direction are public.",
    ),
    Rule("KG-5.8", "The bid is a price, not a promise: however many tricks the high bidder wins, it is settled alone."),
    Rule("KG-6.1", "Up: each player scores 25 for each trick."),
    Rule("KG-6.2", "Down: each player scores 325, less 75 for each trick."),
    Rule(
        "KG-6.3",
        "After an auction the bid is taken off the high bidder's tricks and added to the dealer's. It is booked apart: "
        "up, the high bidder pays the dealer 25 for each trick bid; down, the dealer pays the high bidder 75. Adjusted "
        "tricks may fall below 0 or rise above 13.",
        reading=True,
    ),
    Rule("KG-6.4", "In every positive deal the players' lines together are +325."),
    Rule(
        "KG-7.1",
        "What a player captured in a deal is one line with the bank, the price of trumps one between two players. No "
        "line is zero. Each deal's lines sum to zero over all accounts.",
    ),
    Rule(
        "KG-7.2",
        "After deal 6 the bank stands at +1,300, after deal 10 at 0, corrections left out.",
    ),
    Rule(
        "KG-7.3",
        "A line cites the events of the tricks that it counts and, in a positive deal, the direction; the price of "
        "trumps cites the high bid and the direction.",
        reading=True,
    ),
)

COSTS: Mapping[AimName, str] = {
    "no-tricks": "Each trick that you win costs 20.",
    "no-hearts": "Each heart that you capture costs 20.",
    "no-queens": "Each queen that you capture costs 50.",
    "no-kings-no-jacks": "Each king and each jack that you capture costs 30.",
    "no-king-of-hearts": "The king of hearts costs 160 to whoever captures it.",
    "not-last-two": "The twelfth and the thirteenth trick cost 90 each.",
    "up": "Each trick gains 25; a buyer of trumps pays the dealer 25 for each trick of the price.",
    "down": "Each trick costs 75 of the 325 that everybody gets; the dealer pays a buyer 75 for each trick of "
    "the price.",
}
"""What each aim gains and costs."""

RULEBOOK = Rulebook(
    version=1,
    rules=RULES,
    tables={
        "contracts": tuple(replace(row, text=COSTS[aim]) for aim, row in AIMS.items()),
        "outcomes": RESULTS,
        "deals": DEALS,
    },
    # The digest of the first tables, whose data had no names for the deals.
    also=("dcab112d77316572833475a60fbef6a04d33459a91ab2fa9f4581130b2d5040e",),
)
