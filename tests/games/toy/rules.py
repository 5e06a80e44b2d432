"""The toy's numbered rules, as data."""

from typing import Literal, TypeAlias

from msgspec import Struct

from domain.kernel.rulebook import Rule, Rulebook

Outcome: TypeAlias = Literal["won", "level", "lapsed"]


class Result(Struct, frozen=True, gc=False):
    """One outcome, and the rule that makes it."""

    outcome: Outcome
    rule: str
    name: str


WON = Result("won", "TY-4.1", "won")
LEVEL = Result("level", "TY-4.1", "level")
LAPSED = Result("lapsed", "TY-3.6", "lost by time")

RULES: tuple[Rule, ...] = (
    Rule(
        "TY-1.1",
        "Four play, seats 0 and 2 against 1 and 3. Nobody deals. Eldest is seat 0 in the first deal and the next seat "
        "clockwise in each one after it; turns go clockwise.",
    ),
    Rule(
        "TY-1.2",
        "The pack holds 4, 3, 2 and ace of four suits twice each, and a joker. An ace counts 1, a 2, 3 or 4 its "
        "number, the joker 5.",
    ),
    Rule(
        "TY-1.3",
        "Each deal waits until all players have said that they are ready. The pack is shuffled, and shuffled anew "
        "while an ace or the joker lies on top. The top card is laid open on the table. From eldest on each player "
        "gets two cards, one at a time, then one that nobody sees, then one that all other players see and its owner "
        "does not. The next five cards are the stock.",
    ),
    Rule(
        "TY-1.4",
        "The game is over when a player has the points of the target after a deal, or with the last of the deals "
        "agreed, 1 to 99. The side whose players have more points together wins.",
        option="target",
    ),
    Rule("TY-2.1", "Eldest passes a card of the hand to the partner. Only the two know which."),
    Rule(
        "TY-2.2",
        "Then all pledge at once and unseen: all the cards that they hold of one rank, or none. When all have "
        "answered, the pledges are opened. Each card pledged by a side is worth a point to both its players if the "
        "side wins the deal, and costs both a point if it loses.",
    ),
    Rule(
        "TY-3.1",
        "From eldest on each player who holds a card does one of three things in turn: lays a card on the table, "
        "captures with a card, or turns up the unseen one.",
    ),
    Rule(
        "TY-3.2",
        "A card captures one or more cards on the table that can be split into sets each of which counts as much as "
        "the card.",
    ),
    Rule("TY-3.3", "A player's unseen card is turned up once at most, and lies on the table."),
    Rule(
        "TY-3.4",
        "When a card is put on one of its rank that was put on the table just before, the first player to snap wins a "
        "point for both players of the side, until the next card is played. The first card of a deal counts as put "
        "just before the play.",
    ),
    Rule(
        "TY-3.5",
        "When no hand holds a card, each player gets one from the stock, from eldest on, twice in a deal. Where the "
        "stock is too small the captured cards are shuffled and put under it; where that is not enough either, the "
        "deal is over.",
    ),
    Rule(
        "TY-3.6",
        "A player who lets the time for a turn run out loses the deal for the side.",
        option="limit",
    ),
    Rule(
        "TY-4.1",
        "The deal is over when no hand holds a card and no more are dealt. The side wins it, and each of its players "
        "two points, whose captures, the capturing cards and its players' cards of TY-1.3 that they have not seen "
        "themselves but all others have, count more together. It is level if they count the same.",
    ),
)

RULEBOOK = Rulebook(version=1, rules=RULES, tables={"outcomes": (WON, LEVEL, LAPSED)})
