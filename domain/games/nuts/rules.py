"""Nuts' numbered rules as data, and the rulebook that pins them together with the results of a hand."""

from domain.games.nuts.outcomes import RESULTS
from domain.kernel.rulebook import Rule, Rulebook

RULES: tuple[Rule, ...] = (
    Rule(
        "NU-1.1",
        "Two, three or four seats (option players: 2 by default), each for itself. There is no dealer, no direction "
        "and no turn. Partnerships of more than four players are not played.",
        reading=True,
        option="players",
    ),
    Rule(
        "NU-1.2",
        "The game ends with the hand after which somebody has more points than the target (option target: 100 by "
        "default, 20 to 500), or with the last of the hands agreed, 1 to 99, 99 by default. The highest score wins; "
        "equal highest scores share the win.",
        reading=True,
        option="target",
    ),
    Rule(
        "NU-2.1",
        "Each seat has a pack of its own, 52 cards. A card's name is the owner's seat, rank and suit. Ace low, king "
        "high; hearts and diamonds are red.",
    ),
    Rule(
        "NU-3.1",
        "A hand is dealt when every player has said ready, which is said once and not taken back.",
        reading=True,
    ),
    Rule(
        "NU-3.2",
        "Each pack is shuffled by the fair shuffle, under a label with its seat. The first 13 cards are the reserve, "
        "the first of them on top; the next 4 are columns 1 to 4 of the tableau, face up; the other 35 are the stock, "
        "face down, the first on top.",
    ),
    Rule(
        "NU-3.3",
        "The top card of the reserve lies face up, those under it are hidden. The discard pile is empty, and there "
        "are no foundations yet.",
    ),
    Rule(
        "NU-4.1",
        "Turn: the top three cards of the stock go together, face up, onto the own discard pile, the first lowest, so "
        "that only the last is seen; if fewer are left, those.",
        reading=True,
    ),
    Rule("NU-4.2", "Flip: when the stock is empty, the discard pile is turned over and is the stock."),
    Rule("NU-4.3", "Build: a card, and all cards on it, go onto an own column."),
    Rule("NU-4.4", "Found: a single card goes to the middle."),
    Rule("NU-4.5", "Stuck: a player whose own stuck does not stand says so."),
    Rule(
        "NU-4.6",
        "Every player may act at any time while the hand is on. Nothing happens by itself, but that the next card of "
        "the reserve is turned up when the top one has gone.",
    ),
    Rule(
        "NU-5.1",
        "What can be moved: the top card of the reserve, the top card of the discard pile, and of the own tableau the "
        "last card of a column to the middle, or any card with all those on it to another column. Nobody touches the "
        "layout of another, and a founded card never moves again.",
    ),
    Rule(
        "NU-5.2",
        "A column takes a card one rank lower than its last card and of the other colour. An empty column takes any "
        "card, and need not be filled; but a whole column is not moved into an empty one.",
        reading=True,
    ),
    Rule(
        "NU-5.3",
        "An ace starts a new foundation, always. Any other card goes on a foundation that the player names, of its "
        "suit, whose top card is one rank lower, whoever started it. Foundations are numbered from 1 as they are "
        "started, and there may be several of a suit. One with its king is complete.",
    ),
    Rule(
        "NU-6.1",
        "All acts stand in the order in which the service records them. Each is judged by the table as it is then; "
        "that others have acted meanwhile is no reason to refuse it.",
    ),
    Rule(
        "NU-6.2",
        "Of two cards for one place, the one that was recorded first lies there. The other act is refused as a lost "
        "race: nothing is recorded, the card stays where it was, and it costs nothing.",
    ),
    Rule(
        "NU-6.3",
        "If a card cannot be moved there at all, that is a rule violation. A found of any card but an ace is a lost "
        "race if the foundation named is of its suit and has its rank already. Acts before and after the hand, and "
        "ready during it, are of the wrong phase.",
    ),
    Rule("NU-6.4", "The acts of one player are taken in the order in which they arrive."),
    Rule("NU-6.5", "An act counts if it was recorded before the one that ended the hand, and else not.", reading=True),
    Rule(
        "NU-7.1",
        "Progress is any found, and any build from the reserve or from the discard pile; moves between columns are "
        "none.",
    ),
    Rule(
        "NU-7.2",
        "A stuck stands until its player acts in any other way, or anybody makes progress. It need not be true.",
        reading=True,
    ),
    Rule(
        "NU-7.3",
        "When all are stuck, the house makes the shift, for all at once: the discard pile is turned over onto what is "
        "left of the stock, then the stock's top card goes to its bottom. No stuck stands any more.",
    ),
    Rule(
        "NU-7.4",
        "When all are stuck for the third time, with no progress since before the first, the hand ends.",
        reading=True,
    ),
    Rule(
        "NU-7.5",
        "When so many seconds (option stall: 120 by default, or 10 to 3600) have passed since the last progress or "
        "shift, or since the cards were dealt, the clock says stuck for everybody. With stall 0 it does not, and the "
        "hand ends after 2000 acts of players without progress, whatever shifts there were.",
        reading=True,
        option="stall",
    ),
    Rule(
        "NU-8.1",
        "The hand ends when the last card of a reserve has been moved: the house calls Nuts for its player. Where it "
        "is optional (option nuts_call), the player may play on, and calls at any time later.",
        option="nuts_call",
    ),
    Rule("NU-8.2", "It also ends as NU-7.4 and NU-7.5 say, and in no other way."),
    Rule("NU-9.1", "Each card of one's own pack on the foundations gains 1 point, whoever built under it."),
    Rule("NU-9.2", "Each card left in one's reserve costs 2 points."),
    Rule(
        "NU-9.3",
        "That makes two lines a player at most, against the table's bank. Scores may be negative, and to end the hand "
        "earns nothing by itself.",
    ),
    Rule(
        "NU-10.1",
        "No player has a secret from another. The reserve under its top, the stock and the discard pile under its top "
        "are hidden from all, but for cards whose places follow from what was seen; a hidden card is opened for all "
        "by the act that uncovers it.",
        reading=True,
    ),
)

RULEBOOK = Rulebook(version=1, rules=RULES, tables={"outcomes": RESULTS})
