"""Boston's numbered rules as data, and the rulebook that pins them together with the tables of contracts."""

from domain.games.boston.contracts import CONTRACTS, FACTORS, HONOURS, RESULTS
from domain.kernel.rulebook import Rule, Rulebook

RULES: tuple[Rule, ...] = (
    Rule(
        "BO-1.1",
        "Four players, and everything goes clockwise. Each plays alone, except where a supporter joins declarer for "
        "one deal.",
    ),
    Rule(
        "BO-1.2",
        "A game has a number of deals divisible by four: 12 by default, at least 4, at most 96.",
        reading=True,
    ),
    Rule(
        "BO-1.3",
        "The first dealer is drawn by the fair shuffle. The deal passes to the left after every deal; one that is "
        "thrown in counts as a deal.",
        reading=True,
    ),
    Rule("BO-1.4", "The player to the dealer's left is eldest."),
    Rule(
        "BO-1.5",
        "The game ends when its last deal is scored or thrown in. The highest score wins; equals share the win. There "
        "is no pool.",
        reading=True,
    ),
    Rule("BO-2.1", "52 cards. In every suit, high to low: A K Q J 10 9 8 7 6 5 4 3 2."),
    Rule("BO-2.2", "Each is dealt thirteen cards: four, four and five at a time, from eldest on."),
    Rule(
        "BO-2.3",
        "Suits rank, low to high, spades, clubs, diamonds, hearts. Their factors are 1, 2, 3 and 4.",
    ),
    Rule("BO-2.4", "The honours are ace, king, queen and jack of trumps."),
    Rule(
        "BO-3.1",
        "Eldest speaks first, then in turn all who have not passed. Each bids or passes, and a pass is final.",
    ),
    Rule(
        "BO-3.2",
        "A bid is a contract and a suit. The suit is trumps. In a misère nothing is trumps: the suit is named only, "
        "and yet its factor counts.",
    ),
    Rule(
        "BO-3.3",
        "A bid must outrank the last one: by a higher contract in any suit, or by the same contract in a higher suit.",
        reading=True,
    ),
    Rule(
        "BO-3.4",
        "Once three have passed, the fourth is declarer in the contract that the fourth has bid. A fourth who has not "
        "spoken yet may still bid, and is declarer at once, or pass.",
    ),
    Rule("BO-3.5", "If all four pass, the deal is thrown in: nothing is played or scored, and the next player deals."),
    Rule("BO-3.6", "A bid of Boston Ouvert in hearts ends the auction, since nothing outranks it.", reading=True),
    Rule(
        "BO-3.7",
        "Only who was dealt all four aces may bid Four-ace misère. The aces are shown with the bid, and everybody's "
        "view has them until they are played or, if declarer puts a card face down, until then: nobody else may know "
        "whether it was one of them. An open hand shows again which are left.",
        reading=True,
    ),
    Rule(
        "BO-4.0",
        "Five to Eight, and Five to Twelve, are the contracts to win at least so many tricks, without the misères "
        "that rank between them.",
    ),
    Rule(
        "BO-4.1",
        "Low to high: Five, Six, Petite misère, Seven, Eight, Grande misère, Nine, Four-ace misère, Ten, Petite misère "
        "ouverte, Eleven, Grande misère ouverte, Twelve, Boston, Boston Ouvert. A misère is to win no trick, a Boston "
        "all thirteen.",
        reading=True,
    ),
    Rule(
        "BO-4.2",
        "A contract to win n tricks has the base 3 × (n − 4) and the premium n − 4. The bases of the misères, low to "
        "high, are 16, 32, 40, 48 and 56, of Boston 100, of Boston Ouvert 200. Option five_base gives Five the base 4; "
        "its premium stays 1.",
        reading=True,
        option="five_base",
    ),
    Rule(
        "BO-4.3",
        "Option piccolissimo: to win exactly one trick of twelve without trumps, after one discard, ranks just above "
        "Seven with the base 24, and counts as a misère.",
        reading=True,
        option="piccolissimo",
    ),
    Rule("BO-4.4", "Boston à deux is not played."),
    Rule("BO-5.1", "In Five to Eight declarer plays alone or calls for a supporter, before the first lead."),
    Rule(
        "BO-5.2",
        "After a call the others answer in turn, from declarer's left on, each once. Who accepts first is the "
        "supporter, and nobody else is asked. If all decline, declarer plays alone. Declarer can neither refuse a "
        "supporter nor take the call back.",
        reading=True,
    ),
    Rule(
        "BO-5.3",
        "In a Petite misère, ouverte or not, and in Piccolissimo declarer puts one card face down, which nobody else "
        "sees until the deal is over. The others discard nothing: twelve tricks are played, and each of them keeps a "
        "card of their own choosing.",
    ),
    Rule("BO-5.4", "In an ouvert contract declarer's hand, after any discard, lies open before the first lead."),
    Rule("BO-5.5", "Apart from that, each knows the own cards and what has been played. Nobody talks."),
    Rule("BO-6.1", "Eldest leads to the first trick in every contract, and the winner of a trick to the next."),
    Rule("BO-6.2", "Follow the suit led if you can, else play any card."),
    Rule(
        "BO-6.3",
        "The highest trump wins the trick; without a trump, the highest card of the suit led. Each player's tricks "
        "count apart, those of allies too.",
    ),
    Rule(
        "BO-6.4",
        "In Four-ace misère declarer may, in the first ten tricks, play a card of another suit while holding the suit "
        "led: once, or by option four_ace_revoke any number of times. Nobody is told that a card was such a one; the "
        "audit judges it when the deal is over.",
        reading=True,
        option="four_ace_revoke",
    ),
    Rule(
        "BO-6.5",
        "Play stops when tricks to come cannot change the score: a misère at declarer's first trick, Piccolissimo at "
        "the second, a Boston at the first trick that declarer loses. Five to Twelve are always played out.",
        reading=True,
    ),
    Rule("BO-7.1", "Five to Twelve count the base, and one premium for each trick over or short of the contract."),
    Rule(
        "BO-7.2",
        "They count two premiums more if declarer was dealt three honours, four if all of them, won or lost.",
    ),
    Rule("BO-7.3", "Misères and Bostons count the base alone."),
    Rule("BO-7.4", "The sum, multiplied by the factor of the suit, is the value."),
    Rule(
        "BO-7.5",
        "Declarer alone scores the value if the contract is reached, else as much below zero. The others score "
        "nothing.",
    ),
    Rule(
        "BO-8.1",
        "If declarer and supporter both win their tricks, each scores half the own value. The supporter's contract is "
        "three tricks in Five, four in Six to Eight; its value counts the own tricks and honours.",
        reading=True,
    ),
    Rule("BO-8.2", "If neither does, each scores half the own value below zero."),
    Rule(
        "BO-8.3",
        "If one of them does, this one scores nothing, and the other half the sum of both values below zero.",
    ),
    Rule("BO-8.4", "A half is rounded up to a whole point, in a loss as in a gain.", reading=True),
    Rule("BO-8.5", "What one ally wins too many makes up for nothing that the other is short of.", reading=True),
    Rule(
        "BO-9.1",
        "Everything is booked against the bank, on the accounts of declarer and supporter alone; nothing for a deal "
        "that is thrown in.",
    ),
    Rule(
        "BO-9.2",
        "Declarer has one line, then the supporter; a score of 0 has none. A line names tricks over and honours apart. "
        "It rests on the bid, the support, the tricks of the deal and, where honours count, on the deal of the cards.",
        reading=True,
    ),
)

RULEBOOK = Rulebook(
    version=2,
    rules=RULES,
    tables={
        "bonuses": HONOURS,
        "contracts": tuple(CONTRACTS.values()),
        "outcomes": RESULTS,
        "suits": FACTORS,
    },
)
