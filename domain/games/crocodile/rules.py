"""Crocodile's numbered rules as data, and the rulebook that pins them together with the tables of contracts."""

from collections.abc import Mapping

from msgspec.structs import replace

from domain.games.crocodile.contracts import BONUSES, CONTRACTS, RESULTS, ContractName
from domain.kernel.rulebook import Rule, Rulebook

RULES: tuple[Rule, ...] = (
    Rule("CR-1.1", "Three players. Everything goes clockwise."),
    Rule(
        "CR-1.2",
        "A game is a number of deals divisible by three (3, 6, 9, …), chosen when the table is opened. "
        "Default 3. Upper bound 99.",
    ),
    Rule(
        "CR-1.3",
        "The first dealer is drawn by the fair shuffle. The deal then moves one seat to the left after "
        "every deal, so each seat deals equally often.",
        reading=True,
    ),
    Rule(
        "CR-1.4",
        "The player to the dealer's left is eldest hand.",
    ),
    Rule(
        "CR-1.5",
        "When the last deal is scored, the game ends. The highest score wins; equal highest scores share the win.",
    ),
    Rule(
        "CR-2.1",
        "40 cards: K Q J 7 6 5 4 3 2 A in spades, hearts, diamonds, clubs. In every suit, trump or plain, "
        "they rank in that order, king high, ace low. There are no matadors.",
    ),
    Rule(
        "CR-3.1",
        "From the top of the shuffled pack: three cards to eldest, three to the next, three to the "
        "dealer; three times round.",
    ),
    Rule(
        "CR-3.2",
        "The last 13 cards are the talon, face down, in pack order. Its top card is the first of them.",
    ),
    Rule(
        "CR-4.1",
        "Eldest speaks first, then clockwise among those who have not passed.",
    ),
    Rule(
        "CR-4.2",
        "A player passes or bids. Who has passed cannot come in again.",
    ),
    Rule(
        "CR-4.3",
        "A bid must rank higher than the last one. Rank, low to high: Play, Grand, Tournee, Exchange "
        "Nolo, Solo, Grandissimo, Tournee Respect, Nolo, Nolo Ouvert.",
    ),
    Rule(
        "CR-4.4",
        "When two players have passed and the third has bid, the third is the declarer (soloist). When two have passed "
        "and the third has not spoken, the third may still bid (and is then declarer at once) or pass.",
    ),
    Rule(
        "CR-4.5",
        "When all three pass, eldest must play Casco.",
    ),
    Rule(
        "CR-4.6",
        "Nolo Ouvert cannot be overcalled, so bidding it ends the auction at once.",
        reading=True,
    ),
    Rule(
        "CR-5.1",
        "In a positive contract declarer must win more tricks than each opponent singly: five or more "
        "always do, four do when the others split three–two.",
    ),
    Rule(
        "CR-5.2",
        "In a negative contract (nolo) declarer must lose every trick.",
    ),
    Rule(
        "CR-5.3",
        "In Nolo Ouvert declarer's cards lie face up from just before the first lead.",
    ),
    Rule(
        "CR-6.1",
        "After winning the auction, and before any exchange, declarer declares the contract: the one last bid, or any "
        "contract of a strictly higher value (a higher rank of the same value is not enough). Casco cannot be raised.",
    ),
    Rule(
        "CR-6.2",
        'With the declaration, declarer names trumps where CR-5 says "named" (in Casco later, CR-7.6).',
    ),
    Rule(
        "CR-6.3",
        "With the declaration, declarer may make one bonus bid (CR-10.1). In Casco the declaration is the "
        "naming of trumps, after taking the talon.",
        reading=True,
    ),
    Rule(
        "CR-6.4",
        "In Tournee and Tournee Respect the talon's top card is turned face up right after the declaration.",
    ),
    Rule(
        "CR-7.1",
        "To exchange: discard any permitted number face down, then draw as many from the top of the "
        "talon. No one else learns which cards were discarded or drawn; how many is public.",
    ),
    Rule(
        "CR-7.2",
        "Declarer first, where the contract lets declarer exchange. In Tournee a turn-up that declarer "
        "does not take (no discards) stays on top of the talon, face up.",
    ),
    Rule(
        "CR-7.3",
        "Then both opponents, the one on declarer's left first. Each may exchange up to as many cards as "
        "the talon still holds. An opponent for whom no card is left is passed over.",
        reading=True,
    ),
    Rule(
        "CR-7.4",
        "Before exchanging, the first opponent may offer the other the right to go first. The other accepts, and "
        "exchanges first, or refuses, and the first opponent then exchanges without a second offer.",
    ),
    Rule(
        "CR-7.5",
        "Undrawn talon cards stay face down to the end of the deal.",
    ),
    Rule(
        "CR-7.6",
        "Casco: declarer keeps one card and discards eight face down, takes all 13 talon cards, then puts "
        "five cards down face up, leaving nine, and names trumps (a suit) or sans (none).",
    ),
    Rule(
        "CR-7.7",
        "In Casco the opponents exchange from declarer's discards. All 13 of them serve: an opponent takes any of the "
        "face-up cards by name and the rest of the draw unseen from the top of the eight face-down ones, in the order "
        "they were dealt to declarer. Whose draw would need more unseen cards than are left may not discard so many. "
        "Their own discards go face down and are not drawn. Which face-up cards are taken is public. Option "
        "casco_stock: all (default) or face-up (only the five face-up cards may be taken, one for each discard).",
        reading=True,
        option="casco_stock",
    ),
    Rule(
        "CR-8.1",
        "Eldest leads to the first trick, whoever is declarer. The winner of a trick leads to the next.",
    ),
    Rule(
        "CR-8.2",
        "Follow the suit led if you can; otherwise play any card.",
    ),
    Rule(
        "CR-8.3",
        "The highest trump wins the trick; without a trump, the highest card of the suit led.",
    ),
    Rule(
        "CR-8.4",
        "Play stops as soon as the outcome and every bonus, declared or silent, is settled: when every "
        "way of sharing out the tricks still to come among the three players gives the same result. Only "
        "who won which trick counts for this, never what anyone holds.",
        reading=True,
    ),
    Rule(
        "CR-9.1",
        "Contraprimeras (positive contracts): the opponents won the first five tricks. Declarer scores "
        "−4v. Here and below, d is declarer's number of tricks, a and b the opponents', v the contract's "
        "value; the first outcome that applies counts.",
    ),
    Rule(
        "CR-9.2",
        "Victory (positive contracts): d ≥ 5, or d = 4 and the others split 3–2. Declarer scores +v.",
    ),
    Rule(
        "CR-9.3",
        "Simple remis (positive contracts): d equals the larger of a, b (4–4–1, 3–3–3). Declarer scores −v.",
    ),
    Rule(
        "CR-9.4",
        "Piccolo remis (positive contracts): d = 1, a = b = 4. Declarer scores −v.",
    ),
    Rule(
        "CR-9.5",
        "Crocodile lunch (positive contracts): any other: an opponent has more tricks than declarer. "
        "Declarer scores −2v.",
    ),
    Rule(
        "CR-9.6",
        "Victory (negative contracts): d = 0. Declarer scores +v.",
    ),
    Rule(
        "CR-9.7",
        "Simple loss (negative contracts): d = 1. Declarer scores −v.",
    ),
    Rule(
        "CR-9.8",
        "Contranolo (negative contracts): d ≥ 5, or d = 4 and the others split 3–2. Declarer scores −4v.",
    ),
    Rule(
        "CR-9.9",
        "Crocodile lunch (negative contracts): any other d ≥ 2. Declarer scores −2v.",
    ),
    Rule(
        "CR-9.10",
        "Contraprimeras is settled by the fifth trick and comes before every other outcome, even where "
        "declarer could still win the last four tricks. Option contraprimeras: always (default) or "
        "if-lost (it applies only where declarer does not end with most tricks; any other result, piccolo "
        "remis included, is then contraprimeras, −4v).",
        reading=True,
        option="contraprimeras",
    ),
    Rule(
        "CR-9.11",
        "Concession: where CR-5 allows it, declarer may concede after completing declarer's own exchange and before "
        "playing to the first trick, whoever's turn it is, an unanswered offer of priority included. In Casco the own "
        "exchange is complete when trumps are named. It scores as a simple loss, −v.",
    ),
    Rule(
        "CR-9.12",
        "Only declarer's score changes. Everything is booked as transfers between declarer's account and "
        "the table's bank account, so that each deal's lines sum to zero over all accounts.",
    ),
    Rule(
        "CR-10.1",
        "Bonus bids, made with the declaration: Talking Ouvert (Nolo Ouvert only: declarer wins the "
        "contract while the opponents may talk; 10 points), Declared Cuatro (positive: declarer wins with "
        "exactly four tricks, the others 3–2; 2v), Declared Primeras (positive: declarer wins the first "
        "five tricks; 2v), Declared Tout (positive: declarer wins all nine; 7v).",
    ),
    Rule(
        "CR-10.2",
        "A bonus bid that is made good is worth plus its value, one that fails minus its value, booked "
        "apart from the contract: declarer who wins the contract but not the bonus bid scores both.",
    ),
    Rule(
        "CR-10.3",
        "Silent bonuses, for what was not bid but happened: Cuatro v, Primeras v, Tout 3v.",
    ),
    Rule(
        "CR-10.4",
        "A Tout that is made, bid or silent, takes the place of silent Primeras. A feat that was bid is "
        "never also paid as silent. Option bonus_stacking: exclusive (default) or cumulative (silent "
        "Primeras is booked beside Tout).",
        reading=True,
        option="bonus_stacking",
    ),
    Rule(
        "CR-10.5",
        "At most one bonus bid a deal. Feats that were not bid still score silently: a failed Declared "
        "Tout whose declarer won the first five tricks scores silent Primeras; a Declared Primeras "
        "followed by all nine scores silent Tout.",
        reading=True,
    ),
    Rule(
        "CR-10.6",
        "On a concession the bonus bid fails. Casco takes the bonuses of any positive contract.",
        reading=True,
    ),
    Rule(
        "CR-10.7",
        "In Talking Ouvert the two opponents may talk openly about their play from the moment declarer's "
        "hand lies open to the end of the deal: what they say is recorded like any other act and declarer "
        "hears it. At no other time may anyone talk. At most 50 utterances a seat and deal.",
        reading=True,
    ),
)

PROMISES: Mapping[ContractName, str] = {
    "casco": "Win more tricks than either opponent, naming trumps after taking the whole talon: gains 1, costs 1 to 4.",
    "play": "Win more tricks than either opponent, naming trumps and exchanging cards: gains 2, costs 2 to 8.",
    "grand": "Win more tricks than either opponent, without trumps, after exchanging cards: gains 2, costs 2 to 8.",
    "tournee": "Win more tricks than either opponent, with trumps fixed by the talon's top card, and exchanging: "
    "gains 3, costs 3 to 12.",
    "exchange-nolo": "Win no trick, without trumps, after exchanging up to four cards: gains 3, costs 3 to 12.",
    "solo": "Win more tricks than either opponent, naming trumps, cards as dealt: gains 4, costs 4 to 16.",
    "grandissimo": "Win more tricks than either opponent, without trumps, cards as dealt: gains 4, costs 4 to 16.",
    "tournee-respect": "Win more tricks than either opponent, with trumps fixed by the talon's top card, which you "
    "take: gains 6, costs 6 to 24.",
    "nolo": "Win no trick, without trumps, with the cards as dealt: gains 6, costs 6 to 24.",
    "nolo-ouvert": "Win no trick, with the cards as dealt and laid open: gains 10, costs 10 to 40.",
}
"""What each contract promises, and what it gains and costs."""

RULEBOOK = Rulebook(
    version=2,
    rules=RULES,
    tables={
        "contracts": tuple(replace(row, text=PROMISES[name]) for name, row in CONTRACTS.items()),
        "bonuses": tuple(BONUSES.values()),
        "outcomes": RESULTS,
    },
)
