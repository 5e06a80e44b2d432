"""Khanhoo's numbered rules as data, and the rulebook that pins them together with the table of melds."""

from domain.games.khanhoo.contracts import MELDS, RESULTS
from domain.kernel.rulebook import Rule, Rulebook

RULES: tuple[Rule, ...] = (
    Rule(
        "KH-1.1",
        "Two, three or four players (option players: 3 by default), in seats clockwise, each alone. The left neighbour "
        "of a seat is the next seat.",
        option="players",
    ),
    Rule(
        "KH-1.2",
        "The first dealer is drawn by the fair shuffle. The deal moves one seat to the left after every deal. Eldest "
        "is the seat to the dealer's left.",
        reading=True,
    ),
    Rule(
        "KH-1.3",
        "The game ends with the deal after which a player has the points of the target (option target: 50 by default, "
        "20 to 500), or with the last deal agreed: 99 by default, no more. The highest score wins; equal highest "
        "scores share the win.",
        reading=True,
        option="target",
    ),
    Rule(
        "KH-2.1",
        "61 cards: two each of A 2 3 4 5 6 7 8 9 in hearts, spades and diamonds, two each of J Q K of clubs, and one "
        "joker. The courts are clubs, as the source has them.",
        reading=True,
    ),
    Rule("KH-2.2", "Number cards are those from A to 9. The ace is the lowest."),
    Rule(
        "KH-2.3",
        "A card is named by rank, suit and copy, as 9h.1 and 9h.2; the joker is Jo.1. Acts name copies, but no rule "
        "tells them apart. The order of the pack: spades, hearts, diamonds, clubs; in a suit 9 to A, or K Q J; the "
        "first copy before the second; the joker last.",
    ),
    Rule(
        "KH-3.1",
        "Each player is dealt fifteen cards, one at a time from eldest on, and eldest then a sixteenth.",
        reading=True,
    ),
    Rule(
        "KH-3.2",
        "What is left is the stock, face down: 30 cards with two players, 15 with three, none with four.",
    ),
    Rule(
        "KH-4.1",
        "Eldest begins by discarding, without a draw. Then turns go to the left: the player draws the top card of the "
        "stock or of the discard pile, and discards one card face up, or goes out with it.",
    ),
    Rule(
        "KH-4.2",
        "Four players have no stock. Each turn begins with the card just discarded by the player to the right, which "
        "the house gives to the player in turn.",
        reading=True,
    ),
    Rule(
        "KH-4.3",
        "Only the top card of the discard pile can be drawn. Any card may be discarded, also the one just drawn.",
        reading=True,
    ),
    Rule(
        "KH-4.4",
        "With two or three players, the stock is renewed if it is empty when a turn begins, or when a challenge is to "
        "draw, but not for a bumper. The top discard stays and is the discard pile. All others, in the order of the "
        "pack, are shuffled into a new stock, from the deal's seed under a label with the number of the renewal, from "
        "1. They get new commitments, and places that continue those of the deal.",
        reading=True,
    ),
    Rule(
        "KH-4.5",
        "A deal ends undecided, before any claim, once as many discards have been made as there are players times the "
        "limit (option turn_limit: 40 by default, 10 to 200) and nobody is out. All score by KH-8.",
        reading=True,
        option="turn_limit",
    ),
    Rule("KH-5.1", "A sequence is three to nine number cards of one suit in a row: 1 point."),
    Rule("KH-5.2", "Aces are any three aces, also two of one suit: 1 point."),
    Rule("KH-5.3", "A triplet is one heart, one spade and one diamond of one rank, 2 to 9: 2 points."),
    Rule("KH-5.4", "A royal assembly is J♣ Q♣ K♣: 3 points."),
    Rule("KH-5.5", "A court meld is K♣ 9♥ 9♥, Q♣ 8♠ 8♠ or J♣ 7♦ 7♦: 4 points."),
    Rule("KH-5.6", "A khanhoo is A♥ 2♠ 3♦: 5 points."),
    Rule("KH-5.7", "Double aces are all six aces: 10 points."),
    Rule("KH-5.8", "A double triplet is all six cards of one rank, 2 to 9: 10 points."),
    Rule("KH-5.9", "A double royal is J♣ J♣ Q♣ Q♣ K♣ K♣: 10 points."),
    Rule("KH-5.10", "A double khanhoo is A♥ A♥ 2♠ 2♠ 3♦ 3♦: 15 points."),
    Rule(
        "KH-5.11",
        "The joker stands for any one card of any meld, even one whose two copies lie elsewhere, and the meld counts "
        "in full. A sequence with it stays within A to 9.",
    ),
    Rule(
        "KH-5.12",
        "Three aces of three suits are aces, and no triplet; six aces are double aces, and no double triplet.",
        reading=True,
    ),
    Rule("KH-5.13", "A sequence is worth 1 point however long it is, so six in a row are better as two of three."),
    Rule(
        "KH-5.14",
        "A card belongs to one meld. Melds stay in the hand unseen and may be arranged anew at any time, but for those "
        "that a bump laid.",
    ),
    Rule(
        "KH-6.1",
        "With three or four players, each discard that does not go out is asked for: each player but the discarder and "
        "the next one, to the discarder's left, answers whether to bump or to let go, also one who cannot bump. Nobody "
        "draws before all have answered.",
        reading=True,
    ),
    Rule(
        "KH-6.2",
        "A bump names a meld of KH-5.2 to KH-5.10 and the cards of the hand that make it together with the discard. "
        "The house checks it.",
    ),
    Rule(
        "KH-6.3",
        "Answers are sealed until the last is given. Then all bumps are announced, by seat and kind of meld, without "
        "cards. Of two, the one worth more stands; of equal ones, that of the player nearer to the discarder's left. "
        "The other lapses.",
        reading=True,
    ),
    Rule(
        "KH-6.4",
        "Then the next player challenges or yields, and is asked even if no challenge is possible. A challenge names "
        "a meld, which may be a sequence, that holds the discard and is worth no less than the bumper's, and the cards "
        "of the hand that make it. The house checks them; only the kind is announced.",
        reading=True,
    ),
    Rule(
        "KH-6.5",
        "If the bump is challenged, it is void: the next player's turn begins, and its draw is the discard. No meld is "
        "laid, and the player need not keep the card.",
        reading=True,
    ),
    Rule(
        "KH-6.6",
        "If it is not, the bumper takes the discard and lays the meld face up; it stays as it is for the rest of the "
        "deal. The bumper discards or goes out, and the turn passes to the bumper's left. Players in between are "
        "skipped.",
    ),
    Rule(
        "KH-6.7",
        "Laid cards count among a player's fifteen. Who has laid all fifteen is out at once: the deal ends, the "
        "sixteenth card is not discarded, and KH-8.2 applies.",
        reading=True,
    ),
    Rule(
        "KH-7.1",
        "A player who is to discard, eldest in the first turn and a bumper included, may go out: by a discard that "
        "leaves fifteen cards, laid ones included, that are melds without rest. The house checks that they can be "
        "divided so.",
    ),
    Rule(
        "KH-7.2",
        "Nobody has to go out, but for KH-6.7. A discard that goes out cannot be claimed.",
        reading=True,
    ),
    Rule(
        "KH-8.1",
        "All hands are shown. Each player scores every meld laid, and every meld of the best division of the hand. "
        "Cards that are not melded cost nothing.",
    ),
    Rule("KH-8.2", "Who went out scores 5 more."),
    Rule(
        "KH-8.3",
        "The house divides the hands. The best division is the one of most points; for who went out by a discard, of "
        "those without rest. The card that is left by KH-6.7 belongs to no division.",
        reading=True,
    ),
    Rule(
        "KH-8.4",
        "Of several equally good divisions, the one recorded melds the most cards. Of several such, their melds are "
        "put in order, by the rows of KH-5 and then by cards one by one in the order of the pack; the first division "
        "is the one that, meld by meld, has the earlier one where they differ first.",
        reading=True,
    ),
    Rule(
        "KH-8.5",
        "Players score against the table's bank. Each meld has its own line, which cites its row of KH-5; seat by seat "
        "the melds laid, as they were laid, those of the hand as KH-8.4 puts them, and KH-8.2. No line is negative, "
        "and nothing else ends a deal early. Lines and bank sum to zero.",
    ),
)

RULEBOOK = Rulebook(version=1, rules=RULES, tables={"outcomes": RESULTS, "melds": MELDS})
