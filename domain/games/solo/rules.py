"""Solo's numbered rules as data, and the rulebook that pins them together with the tables of games."""

from collections.abc import Mapping

from msgspec.structs import replace

from domain.games.solo.contracts import CONTRACTS, RESULTS
from domain.kernel.rulebook import Rule, Rulebook

RULES: tuple[Rule, ...] = (
    Rule(
        "SO-1.1",
        "Four players, and everything goes clockwise. 32 cards: A K Q J 10 9 8 7 in four suits. Each is dealt four "
        "cards, twice round from the dealer's left on, and nothing is left over. The first dealer is drawn by the fair "
        "shuffle; the deal passes to the left. A game has a number of deals divisible by four: 12 by default, at most "
        "96. Who has most points at the end wins; equals share the win.",
        reading=True,
    ),
    Rule(
        "SO-1.2",
        "One suit is color for the whole game (option color: any suit, clubs by default). A game with color as trumps "
        "ranks above, and is worth more than, the same game with any other trumps, which is in suit.",
        option="color",
    ),
    Rule(
        "SO-1.3",
        "The black queens are always trumps and belong to no other suit. Trumps, high to low: queen of clubs, 7 of "
        "trumps, queen of spades, A, K, in a red suit Q, J, 10, 9, 8: nine in a black suit, ten in a red one. Plain "
        "suits: A K J 10 9 8 7 in black, A K Q J 10 9 8 7 in red.",
    ),
    Rule(
        "SO-2.1",
        "In a simple game declarer names, with the trumps, an ace that declarer does not hold, of trumps or of any "
        "other suit; who holds it is the partner, which nobody is told until that ace is played. Who holds all four "
        "aces names a king not held instead; who holds all four kings too may not declare a simple game, and never "
        "has to, that hand having no queen.",
        reading=True,
    ),
    Rule(
        "SO-3.1",
        "The auction begins at the dealer's left. Each passes or asks, and the first to ask holds level 1. The next "
        "player then asks the holder for the level above, or passes. Asked, the holder says yes and holds that level, "
        "or passes, and who asked holds it. Who of the two has not passed goes on against the next player, the dealer "
        "coming last. A pass is final. The auction is over when one is left, or when somebody holds level 6.",
    ),
    Rule(
        "SO-3.2",
        "The last holder is declarer, and names a game of the level held or any higher one, and its trumps. Level 6 "
        "leaves one game alone, so that its declaration follows by itself.",
    ),
    Rule(
        "SO-3.3",
        "Who holds both black queens may not pass while the level in question is 3 or less (1 to open, else the one "
        "to ask for or to answer for), and as declarer plays solo in suit or a higher game.",
    ),
    Rule(
        "SO-3.4",
        "When all four pass, the holder of the queen of clubs shows it to all, is declarer, and names a simple game, "
        "in color or in suit.",
    ),
    Rule(
        "SO-4.1",
        "The dealer's left leads to the first trick, whoever is declarer. Follow the suit led if you can, a black "
        "queen following trumps alone, else play any card. The highest trump wins the trick; without a trump, the "
        "highest card of the suit led. The winner leads to the next.",
    ),
    Rule(
        "SO-4.2",
        "Simple games need five tricks of declarer and partner together, solo five of declarer's own, tout all eight. "
        "Made, declarer scores the game's value, else as much below zero; in a simple game the partner scores the "
        "same. The others score nothing. It is booked against the bank.",
    ),
    Rule(
        "SO-4.3",
        "Play stops when the result can no longer change, judged by tricks won alone. In a simple game it never stops "
        "before the called card has been played, since that would tell who is whose partner; it may stop at that "
        "card, in the middle of a trick.",
        reading=True,
    ),
)

PROMISES: Mapping[int, str] = {
    1: "Win five tricks with the holder of a card that you call, any suit but color as trumps: gains or "
    "costs each of you 2.",
    2: "Win five tricks with the holder of a card that you call, with color as trumps: gains or costs each of you 4.",
    3: "Win five tricks alone, with any suit but color as trumps: gains or costs 4.",
    4: "Win five tricks alone, with color as trumps: gains or costs 8.",
    5: "Win all eight tricks alone, with any suit but color as trumps: gains or costs 16.",
    6: "Win all eight tricks alone, with color as trumps: gains or costs 32.",
}
"""What each game promises, and what it gains and costs, by its level."""

RULEBOOK = Rulebook(
    version=2,
    rules=RULES,
    tables={
        "contracts": tuple(replace(row, text=PROMISES[level]) for level, row in CONTRACTS.items()),
        "outcomes": RESULTS,
    },
)
