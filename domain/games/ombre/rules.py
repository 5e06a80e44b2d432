"""Ombre's numbered rules as data, and the rulebook that pins them together with the tables of contracts."""

from collections.abc import Mapping

from msgspec.structs import replace

from domain.games.ombre.contracts import BONUSES, CONTRACTS, RESULTS, ContractName
from domain.kernel.rulebook import Rule, Rulebook

RULES: tuple[Rule, ...] = (
    Rule(
        "OM-1.1",
        "Three players sit at the table. Everything goes counter-clockwise: next is the player to the right. Eldest "
        "sits at the dealer's right.",
    ),
    Rule(
        "OM-1.2",
        "Each player starts with the same number of chips (option chips: 100 by default, at least 40, at most "
        "1,000,000), which are shown with the balance and not booked. Balances may go below zero. The table has a "
        "pool, an account of its own that carries over from deal to deal.",
        reading=True,
        option="chips",
    ),
    Rule(
        "OM-1.3",
        "Each player, in seat order, draws a card from a pack shuffled for this alone; the highest, aces high, deals "
        "first. Those who tie for it draw again from the same pack. The deal passes to the right after every deal, "
        "one passed out included.",
    ),
    Rule(
        "OM-1.4",
        "A game is a number of deals divisible by three: 12 by default, at most 99. Deals passed out count. What is "
        "left in the pool at the end is shared equally, an odd rest going to the bank. Who has most chips then wins; "
        "equals share the win.",
        reading=True,
    ),
    Rule(
        "OM-2.1",
        "40 cards: the pack without eights, nines and tens. The black aces are always trumps. Trumps, high to low, in "
        "a black suit: spadille (ace of spades), manille (the 2), basta (ace of clubs), K Q J 7 6 5 4 3; in a red "
        "suit: spadille, manille (the 7), basta, punto (the ace), K Q J 2 3 4 5 6. Plain black suits rank K Q J 7 6 5 "
        "4 3 2, plain red suits K Q J A 2 3 4 5 6 7. Spadille, manille and basta are the matadors; punto is none.",
    ),
    Rule(
        "OM-3.1",
        "At every deal the dealer puts 5 chips into the pool, then deals eldest, the next and himself three cards "
        "each, three times round. The last 13 cards are the talon, face down, in pack order.",
    ),
    Rule(
        "OM-4.1",
        "Bids, low to high: Entrada, Vuelta, Solo. Turns go round among those who have not passed, eldest first. A "
        "pass is final, and each bid is higher than the last. The auction is over when two have passed and the third "
        "has bid, or as soon as nobody could do anything but pass; a third who has not spoken still bids or passes. "
        "Nothing is raised afterwards.",
    ),
    Rule(
        "OM-4.2",
        "Option hold (on by default): who comes before the standing bidder in the order eldest, second, dealer may "
        "hold, which makes the standing bid his own; who is so overtaken must go higher or pass.",
        option="hold",
    ),
    Rule(
        "OM-4.3",
        "The highest bidder is Ombre, against the other two, the defenders. When all three pass, nothing is played or "
        "paid; the pool stays, and the next dealer adds to it as always.",
    ),
    Rule(
        "OM-4.4",
        "In Entrada Ombre names trumps, then discards any number of cards face down and draws as many from the top of "
        "the talon. In Vuelta the talon's top card is turned up and fixes trumps, spadille meaning spades and basta "
        "clubs; then Ombre discards and draws as in Entrada, the turn-up first. In Solo Ombre names trumps and plays "
        "the cards as dealt. As nothing is named in Vuelta, its declaration follows by itself.",
    ),
    Rule(
        "OM-4.5",
        "Then the defenders exchange, each any number up to the cards left, in Solo at most eight. Ombre's right-hand "
        "neighbour goes first, or leaves the first turn to the other, who needs not agree. A defender for whom no "
        "card is left is passed over. Undrawn cards stay face down.",
    ),
    Rule(
        "OM-5.1",
        "Eldest leads to the first trick, whoever is Ombre. Follow the suit led if you can, else play any card. When a "
        "trump is led, a matador need not be played to follow, unless a higher matador was led; so who holds no trump "
        "but matadors, none of them lower than a matador led, plays any card. The highest trump wins the trick, "
        "without one the highest card of the suit led, and the winner leads to the next.",
    ),
    Rule(
        "OM-6.1",
        "Win: Ombre has more tricks than either defender (five or more, or four against three and two), takes the "
        "pool, and is paid 5 chips by each defender, in Vuelta 2 and in Solo 10 more. Puesta: Ombre has as many as the "
        "defender with most (4–4–1, 3–3–3), and puts into the pool as much as it holds. Codille: a defender has more "
        "than Ombre, and Ombre pays the defender with more tricks as much as the pool holds, while the pool stays. In "
        "both Ombre also pays 5 chips to each defender. The pool counts as it stood when the cards were dealt.",
        reading=True,
    ),
    Rule(
        "OM-6.2",
        "An Ombre who has won the first five tricks stops, and is paid 1 chip more by each defender for primeras, or "
        "leads to the sixth, which gives up primeras and undertakes the vole, all nine tricks; the first trick lost "
        "then ends the deal. The vole made, each defender pays 30 chips more; the vole failed, Ombre pays each "
        "defender 30, the win being paid all the same.",
    ),
    Rule(
        "OM-6.3",
        "Estuches: for the three matadors in the hand with which Ombre starts play, after all exchanges, each defender "
        "pays an Ombre who wins 3 chips, and 1 more for each next trump in unbroken order, at most 5.",
    ),
    Rule(
        "OM-6.4",
        "Play stops when the payment can no longer change, judged by tricks won alone. To whom the pool's value is "
        "paid belongs to the payment; a vole still open counts as a change until it is declined.",
    ),
    Rule(
        "OM-7.1",
        "In Entrada and Vuelta Ombre may once offer to surrender: from the end of the exchanges while no card lies on "
        "the table and at most three tricks are complete, whoever is to lead. Play waits for the answers.",
        reading=True,
    ),
    Rule(
        "OM-7.2",
        "The defender at Ombre's right answers first, then the other. If both accept, the deal is over and is paid as "
        "a puesta.",
    ),
    Rule(
        "OM-7.3",
        "The first to forbid the surrender becomes new Ombre, keeps the tricks already won, and cannot surrender. The "
        "trumps stay, and the old Ombre defends. The new Ombre wins with five tricks, nothing less, and then the old "
        "one pays as for a codille, the new Ombre being paid what the pool holds. Otherwise both put into the pool "
        "as much as it holds, and each pays the third player 5 chips. Bonuses for contract, estuches, primeras and "
        "vole are not paid.",
        reading=True,
    ),
    Rule(
        "OM-8.1",
        "In a codille with the defenders equal (one trick against four and four) each is paid half of what the pool "
        "holds, and an odd chip goes to the pool.",
        reading=True,
    ),
    Rule(
        "OM-8.2",
        "Every payment leaves one account and reaches another, so that the chips of all players, pool and bank "
        "together never change. No puesta takes the pool beyond 1,000,000,000 chips: what is put in is then as much as "
        "there is room for, the same from each who is beaten, and the line says so.",
        reading=True,
    ),
)

PROMISES: Mapping[ContractName, str] = {
    "entrada": "Win more tricks than either defender, naming trumps and exchanging: gains the pool and 5 from each, "
    "costs the pool's value and 10.",
    "vuelta": "Win more tricks than either defender, with trumps turned up, and exchanging: gains the pool "
    "and 7 from each, costs the pool's value and 10.",
    "solo": "Win more tricks than either defender, naming trumps, cards as dealt: gains the pool and 15 "
    "from each, costs the pool's value and 10.",
}
"""What each contract promises, and what it gains and costs."""

RULEBOOK = Rulebook(
    version=2,
    rules=RULES,
    tables={
        "contracts": tuple(replace(row, text=PROMISES[name]) for name, row in CONTRACTS.items()),
        "bonuses": BONUSES,
        "outcomes": RESULTS,
    },
)
