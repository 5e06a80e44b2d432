"""Dingo's numbered rules as data, and the rulebook that pins them together with the tables of steps and values."""

from domain.games.dingo.hunts import CATCHES, RESULTS, VALUES
from domain.games.dingo.meta import STEPS
from domain.kernel.rulebook import Rule, Rulebook

RULES: tuple[Rule, ...] = (
    Rule("DG-1.1", "Four players, each alone. Turns go clockwise."),
    Rule(
        "DG-1.2",
        "A game is one deal. By agreement it is a multiple of four deals, up to 96; then the scores of the deals add "
        "up.",
        reading=True,
    ),
    Rule(
        "DG-1.3",
        "The first dealer is drawn by the fair shuffle. The deal moves one seat to the left after every deal.",
        reading=True,
    ),
    Rule("DG-1.4", "The highest score wins. Ties are settled by DG-8.4."),
    Rule(
        "DG-2.1",
        "52 cards, from low to high 2 3 4 5 6 7 8 9 10 J Q K A. Every rank has one rabbit, the diamond; one dingo, the "
        "heart; and two wolves, the spade and the club.",
    ),
    Rule(
        "DG-2.2",
        "A card from 2 to 9 counts one, 10 to king two, an ace three. The ace of diamonds counts ten in a score pile, "
        "three in a penalty pile.",
    ),
    Rule(
        "DG-2.3", "The rabbits from 2 to king are not dealt. They lie open in the middle in order of rank, the 2 first."
    ),
    Rule(
        "DG-3.1",
        "The forty other cards, the ace of diamonds among them, are dealt one at a time from the dealer's left, ten to "
        "each.",
        reading=True,
    ),
    Rule(
        "DG-4.1",
        "In each step the dealer acts first, then the others clockwise, once each. In steps 1, 3, 5 and 7 each "
        "discards a card face up, any card but an ace. So all four aces stay in the hands.",
    ),
    Rule(
        "DG-4.2",
        "Everybody sees each discard when it is made. The whole pile stays open, in order.",
        reading=True,
    ),
    Rule(
        "DG-4.3",
        "In step 2 each passes one card face down to the left, in step 4 across, in step 6 to the right. Any card may "
        "be passed, an ace too, and also the card just received.",
        reading=True,
    ),
    Rule(
        "DG-4.4",
        "The receiver has the card in hand at once. Giver and receiver know it, nobody else does.",
    ),
    Rule(
        "DG-5.1",
        "The ranks are hunted in order. The holder of a rank's dingo is the dingo player, and must play it: there is "
        "no choice, so the house plays it. If it was discarded the hunt is off: the rabbit is put aside, nobody "
        "scores, and wolves of the rank stay where they are.",
        reading=True,
    ),
    Rule(
        "DG-5.2",
        "Then the three others, clockwise from the dingo player's left, once each play one wolf of the rank, or pass. "
        "Nobody has to play a wolf, and a holder of both may play one only. The dingo player plays none.",
    ),
    Rule(
        "DG-5.3",
        "A player without a wolf is asked too, so that a pass tells nothing. A hunt is cut short only when both its "
        "wolves have been discarded or played, which all know.",
        reading=True,
    ),
    Rule(
        "DG-5.4",
        "If no wolf was played, the dingo goes to the penalty pile of its player, and the rabbit is put aside.",
    ),
    Rule(
        "DG-5.5",
        "If one wolf was played, its player gets the wolf and the rabbit, the dingo player the dingo, in score piles.",
    ),
    Rule(
        "DG-5.6",
        "If two wolves were played, the second one's player gets that wolf and the rabbit, the dingo player the dingo "
        "and the first wolf, all in score piles.",
    ),
    Rule(
        "DG-5.7",
        "A second wolf that catches the first goes to its own player's score pile, as a single wolf does.",
        reading=True,
    ),
    Rule(
        "DG-6.1",
        "All four aces are in the hands. The house plays the ace of hearts for its holder, the dingo player.",
    ),
    Rule(
        "DG-6.2",
        "Then the three others, clockwise from the dingo player's left, and the dingo player last, once each play "
        "none, one or both of the black aces they hold. A player without a black ace is asked too; only DG-6.4 ends "
        "the hunt earlier.",
        reading=True,
    ),
    Rule(
        "DG-6.3",
        "The ace of diamonds can be played only in its holder's own turn, after that turn's wolves, and only if both "
        "black aces are out by then. Whenever it can be played, the house plays it.",
        reading=True,
    ),
    Rule(
        "DG-6.4",
        "When both black aces are out nothing is left to decide. If the turn of the holder of the ace of diamonds is "
        "still to come or going on, that ace is played at once, and otherwise not. The hunt ends.",
        reading=True,
    ),
    Rule(
        "DG-6.5",
        "Each black ace played goes to its player's score pile. The ace of hearts goes to the dingo player's score "
        "pile if any black ace was played, the dingo player's own too; else to the penalty pile. The ace of diamonds "
        "goes to its holder's score pile if it was played; if not, it is shown and goes to the holder's penalty pile.",
        reading=True,
    ),
    Rule(
        "DG-7.1",
        "A hand is known to its player alone, but for cards that others passed there: who passed a card knows where it "
        "is until the receiver passes a card to somebody else. After the hunt of the ace all cards left are shown; "
        "they are black and worth nothing.",
    ),
    Rule("DG-7.2", "All ranks are always hunted. There is no other early stop and no concession."),
    Rule(
        "DG-8.1",
        "Every card in a score pile books its value to its player, every card in a penalty pile takes its value, each "
        "by a line of its own against the table's bank. The line cites the rule that put the card there.",
    ),
    Rule(
        "DG-8.2", "A player's score is the sum of these lines. The lines of a deal sum to zero over players and bank."
    ),
    Rule(
        "DG-8.3",
        "A rank of value v costs the bank 3v with one wolf and 4v with two, brings it v with none, and does nothing "
        "without its dingo. The hunt of the ace costs it 3 for each black ace played, 3 more or less for the ace of "
        "hearts, and 10 for the ace of diamonds if it was played; if not, that ace brings it 3.",
    ),
    Rule(
        "DG-8.4",
        "Of equal highest scores, the player with the highest rabbit in the score pile wins, the ace being the "
        "highest; without any rabbit among them they share. This settles games of one deal; in longer games equal "
        "totals share.",
        reading=True,
    ),
)

RULEBOOK = Rulebook(
    version=1,
    rules=RULES,
    tables={"outcomes": RESULTS, "steps": STEPS, "values": VALUES, "catches": CATCHES},
    # The digest of the first tables, whose data had no names for the steps.
    also=("b52c76bc5f534d034c3a860fb5973cc920be699dbcd02720faebf712e967bfb8",),
)
