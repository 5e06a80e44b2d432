"""L'Hombre's numbered rules as data, and the rulebook that pins them together with the tables of contracts."""

from collections.abc import Mapping

from msgspec.structs import replace

from domain.games.lhombre.contracts import CONTRACTS, RESULTS, TOUT, ContractName
from domain.kernel.rulebook import Rule, Rulebook

RULES: tuple[Rule, ...] = (
    Rule(
        "LH-1.1",
        "Three or four players sit at the table (option players: 4, the default, or 3). Everything goes "
        "counter-clockwise: next is the player to the right, who sits out left over.",
        option="players",
    ),
    Rule(
        "LH-1.2",
        "The dealer is backhand, the player on the dealer's right forehand, the player on the dealer's left "
        "middlehand. Of four players the one opposite the dealer sits out the deal: no cards, no bids, no play.",
        reading=True,
    ),
    Rule(
        "LH-1.3",
        "The first dealer is drawn by the fair shuffle. The deal passes to the right after every deal, a washed-out "
        "one included.",
    ),
    Rule(
        "LH-1.4",
        "A game is a number of deals divisible by the number of players: 12 by default, at most 96 with four players "
        "and 99 with three. Wash-outs count. Who has most chips at the end wins; equals share the win.",
        reading=True,
    ),
    Rule(
        "LH-2.1",
        "40 cards: the pack without eights, nines and tens.",
    ),
    Rule(
        "LH-2.2",
        "In nolo contracts nothing is trump. High to low, black suits rank K Q J 7 6 5 4 3 2 A, red suits "
        "K Q J A 2 3 4 5 6 7.",
    ),
    Rule(
        "LH-2.3",
        "In game contracts the black aces are always trumps. Trumps, high to low, in a black suit: spadille (ace of "
        "spades), manille (the 2), basta (ace of clubs), K Q J 7 6 5 4 3, eleven in all; in a red suit: spadille, "
        "manille (the 7), basta, ponto (the ace), K Q J 2 3 4 5 6, twelve in all. Plain suits rank as in nolo, the "
        "black ones without their aces.",
    ),
    Rule(
        "LH-2.4",
        "Spadille, manille and basta are the matadors; ponto is none.",
    ),
    Rule(
        "LH-3.1",
        "Forehand, middlehand and backhand are dealt three cards each, three times round. The last 13 cards are the "
        "talon, face down, in pack order.",
    ),
    Rule(
        "LH-4.1",
        "Bids, low to high: Simple Game, Spade Game, Tourné, Simple Nolo, Grand Tourné, Solo, then Pure Nolo and Spade "
        "Solo, which are equal, so that the one bid first shuts out the other, and Nolo Ouvert.",
    ),
    Rule(
        "LH-4.2",
        "Forehand and middlehand bid first, forehand speaking first, in turn until both have spoken and one at least "
        "has passed. Then backhand comes in and bids in turn with who is left, until two have passed.",
    ),
    Rule(
        "LH-4.3",
        "A pass is final. A bid outranks every bid before it, or it is a self: the bid that stands, made by a player "
        "who comes before its bidder in the order forehand, middlehand, backhand. Who is so overtaken must go higher "
        "or pass.",
    ),
    Rule(
        "LH-4.4",
        "Where forehand and middlehand pass, backhand bids anything, and has won, or passes. When all three pass the "
        "deal is washed out: no play, no payment. The auction is over as soon as nobody could do anything but pass.",
    ),
    Rule(
        "LH-4.5",
        "Grand Tourné is bid only by who was dealt spadille and basta, and both are shown to the table with the bid. "
        "Nobody else can hold both, so it is never bid as a self.",
    ),
    Rule(
        "LH-5.1",
        "Who wins the auction is declarer against the other two, the defenders, and declares the contract bid, naming "
        "trumps where it names them. Simple Game may be made into Spade Game, Tourné or Simple Nolo, Solo into Spade "
        "Solo, before anything is turned or exchanged; it then counts as what it was made into. Where the bid leaves "
        "nothing to choose, its declaration follows by itself.",
    ),
    Rule(
        "LH-5.2",
        "In Tourné and Grand Tourné the talon's top card is turned up right after the declaration and fixes trumps: "
        "spadille means spades, basta clubs.",
    ),
    Rule(
        "LH-6.1",
        "Who exchanges discards face down any number of cards up to those left, then draws as many from the top of the "
        "talon. Declarer comes first, where the contract lets declarer exchange, then the defenders in turn from "
        "declarer's right, where they may. A turn-up is the first card drawn. Undrawn cards stay face down. A defender "
        "for whom no card is left is passed over.",
    ),
    Rule(
        "LH-6.2",
        "Only correct exchanges are possible, so the penalty for a fouled one never falls due.",
    ),
    Rule(
        "LH-7.1",
        "Forehand leads to the first trick, whoever is declarer. Follow the suit led if you can, else play any card. "
        "In game contracts the black aces belong to trumps, not to the suits printed on them.",
    ),
    Rule(
        "LH-7.2",
        "When a trump is led, a matador need not be played to follow, unless a higher matador was led. So who holds no "
        "trump but matadors, none of them lower than a matador led, plays any card; otherwise a trump must be played, "
        "and any trump will do.",
    ),
    Rule(
        "LH-7.3",
        "The highest trump wins the trick; without a trump, the highest card of the suit led. The winner leads to the "
        "next.",
    ),
    Rule(
        "LH-7.4",
        "In Nolo Ouvert declarer's hand is laid open when declarer has played the first card.",
    ),
    Rule(
        "LH-8.1",
        "Game contracts: win, more tricks than either defender (five or more, or four against three and two); bête, "
        "as many as the defender with most (4–4–1, 3–3–3); kodille, fewer than a defender.",
    ),
    Rule(
        "LH-8.2",
        "Nolo contracts: no trick wins, one is bête, two or more are kodille. Pure Nolo and Nolo Ouvert end with "
        "declarer's second trick; Simple Nolo is then played out.",
    ),
    Rule(
        "LH-8.3",
        "Tout: in a game contract, a declarer who has won the first five tricks stops, and the win is booked, or leads "
        "to the sixth, and so undertakes to win all nine; the first trick lost then ends the deal. Made, it is "
        "worth one chip more from each payer; failed, it costs one chip to each, the win being paid all the same.",
    ),
    Rule(
        "LH-8.4",
        "Abandon: where the contract allows it, from the end of declarer's own exchange until declarer's first card, "
        "whoever's turn it is, declarer may lay the hand open and pay a bête.",
    ),
    Rule(
        "LH-8.5",
        "Play stops when the payment can no longer change, judged by tricks won alone; a tout still open counts as a "
        "change until it is declined.",
    ),
    Rule(
        "LH-9.1",
        "Payment is in chips and sums to zero. For a win every payer pays declarer the contract's rate; for a bête "
        "declarer pays the rate to every payer, for a kodille the rate and what it costs more.",
    ),
    Rule(
        "LH-9.2",
        "The payers are all other players at the table, who sits out included. Option sitter_pays: true (default) or "
        "false (the defenders alone).",
        reading=True,
        option="sitter_pays",
    ),
)

PROMISES: Mapping[ContractName, str] = {
    "simple-game": "Win more tricks than either defender, naming trumps and exchanging: gains 1 from each, costs 1 for "
    "a tie, 2 for fewer.",
    "spade-game": "Win more tricks than either defender, with spades as trumps and an exchange: gains 1 from each, "
    "costs 1 for a tie, 2 for fewer.",
    "tourne": "Win more tricks than either defender, with trumps turned up and an exchange: gains 1 from each, "
    "costs 1 for a tie, 2 for fewer.",
    "simple-nolo": "Win no trick, without trumps, after an exchange: gains 2 from each, costs 2 for one trick, 1 more "
    "for each further one.",
    "grand-tourne": "Show both black aces; win more tricks than either defender, trumps turned up: gains 2 from each, "
    "costs 2 for a tie, 3 for fewer.",
    "solo": "Win more tricks than either defender, naming trumps, cards as dealt: gains 2 from each, costs "
    "2 for a tie, 3 for fewer.",
    "pure-nolo": "Win no trick, without trumps, with the cards as dealt: gains 3 from each, costs 3 for one trick, 5 "
    "for two.",
    "spade-solo": "Win more tricks than either defender, with spades as trumps, cards as dealt: gains 3 from "
    "each, costs 3 for a tie, 5 for fewer.",
    "nolo-ouvert": "Win no trick, with the cards as dealt and laid open: gains 5 from each, costs 5 for one trick, 8 "
    "for two.",
}
"""What each contract promises, and what it gains and costs, for each payer."""

RULEBOOK = Rulebook(
    version=2,
    rules=RULES,
    tables={
        "contracts": tuple(replace(row, text=PROMISES[name]) for name, row in CONTRACTS.items()),
        "bonuses": (TOUT,),
        "outcomes": RESULTS,
    },
)
