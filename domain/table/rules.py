"""The numbered rules of a table's life, the same for every game: seats, clock, leaving, early end, talk, spectators and
bots.

They are served beside each game's own rules, and are outside the digest of those. This is their first version, so no
table's record names it. If they change, `table-opened` must name the version. Rules of what no earlier record holds,
such as those of bots, change nothing. Neither do rules of what may be asked for, such as the level of a substitute: no
record is judged by them.
"""

from collections.abc import Mapping

from domain.kernel.rulebook import Rule

OPENING = "TL-1.1"
START = "TL-1.2"
EXPIRY = "TL-1.3"
TIME = "TL-2.1"
COUNTING = "TL-2.2"
RUNNING_OUT = "TL-2.3"
ABSENCE = "TL-2.4"
LIMITS = "TL-2.5"
HOUSE_PLAYS = "TL-3.1"
COMING_BACK = "TL-3.2"
ABANDONMENT = "TL-3.3"
AGREEMENT = "TL-4.1"
EARLY_END = "TL-4.2"
NOBODY_LEFT = "TL-4.3"
TALK = "TL-5.1"
TALK_BOUND = "TL-5.2"
TALK_IS_NO_ACT = "TL-5.3"
SPECTATORS = "TL-6.1"
NOT_HELD_BACK = "TL-6.2"
BOTS = "TL-7.1"
BOTS_ACT = "TL-7.2"
SUBSTITUTES = "TL-7.3"
BOTS_FOLLOW = "TL-7.4"

RULES: tuple[Rule, ...] = (
    Rule(
        OPENING,
        "A table is opened for one game under its rules, with its options, a number of deals and options of the table "
        "itself, which all stand in the table's first event; options left out are as by default. A player takes one "
        "seat at a table, and may leave it before the game starts.",
    ),
    Rule(START, "The game starts when all seats are taken. Before that, who opened the table may close it."),
    Rule(EXPIRY, "A table whose game has not started seven days after the table was opened expires: it is closed."),
    Rule(
        TIME,
        "With the option clock, a player that the game waits for has so many seconds for the act (seconds), and beyond "
        "them what is left of the player's reserve for the whole game (reserve, in seconds). Only the time beyond the "
        "seconds is taken from the reserve, in milliseconds, rounded up. Each act that the game waited for, and that "
        "the player took, adds to the reserve (increment, in seconds).",
        option="clock",
    ),
    Rule(
        COUNTING,
        "The time counts from the event with which the game begins to wait for the seat, for each seat by itself where "
        "it waits for several. It ends with the seat's act. Nothing is taken from the reserve where it ends with the "
        "deal, or as the game no longer waits for the seat. What a seat does without its turn, such as talk, neither "
        "ends it nor adds to the reserve.",
        option="clock",
    ),
    Rule(
        RUNNING_OUT,
        "When seconds and reserve have run out, and not before, the house acts for the seat: with the mildest act open "
        "to it, as the game says which. The event's actor is the clock. An act that the player takes late, but before "
        "the house, counts.",
        option="clock",
    ),
    Rule(
        ABSENCE,
        "When the house has acted so often in a row for a seat (absent_after), without an act in between that the game "
        "waited for and the player took, the player is absent and the house plays the seat.",
        option="clock",
    ),
    Rule(
        LIMITS,
        "A time limit of the game's own rules runs beside the clock. What is recorded when it has run out, which is "
        "not before its time, is no act of a seat: it takes nothing from a reserve, and counts for no absence.",
    ),
    Rule(
        HOUSE_PLAYS,
        "For a seat that the house plays it acts at once whenever the game waits for the seat, with the mildest act, "
        "as when a time has run out. The event's actor is the seat's bot. Amounts are booked to the player.",
    ),
    Rule(
        COMING_BACK,
        "An absent player plays again from any act on, or from taking the seat again; acts of the house are then "
        "counted anew.",
    ),
    Rule(
        ABANDONMENT,
        "A player may abandon a game that has started, and cannot come back. From then on the house plays the seat; "
        "or, with the option on_abandon end, the game ends, and who abandoned it cannot win. A partner still can.",
        option="on_abandon",
    ),
    Rule(
        AGREEMENT,
        "The game ends when all have agreed to end it whose players have not abandoned it. Whoever says no makes void "
        "what others have agreed to.",
    ),
    Rule(
        EARLY_END,
        "Where a game ends before its own rules end it, the running deal books nothing: its antes are taken back, and "
        "its cards are opened. A pool is shared as at any end. The deals that were scored decide, by the game's rules, "
        "who has won of those that can win; where no deal was scored, nobody has but, against who abandoned the game, "
        "all others.",
    ),
    Rule(NOBODY_LEFT, "When the house plays all seats, the game ends."),
    Rule(
        TALK,
        "With the option talk, whoever sits at the table and has not abandoned the game may say something at any time "
        "from the game's start to its end, during deals and between them, also where the game's rules have players "
        "keep silent. All who may look at the table learn it, and it is recorded. Where the game's own rules let "
        "players talk, they do so by those alone, and the option cannot be chosen.",
        option="talk",
    ),
    Rule(
        TALK_BOUND,
        "A seat says at most 50 things in a deal; what is said before the next deal counts to the one before.",
        option="talk",
    ),
    Rule(
        TALK_IS_NO_ACT,
        "What is said so is no act of the game: it takes no turn, ends no time that runs, and brings back no player "
        "who is absent.",
        option="talk",
    ),
    Rule(
        SPECTATORS,
        "With the option spectator_delay, callers who do not sit at the table follow a running deal late: an action, "
        "with all events that follow from it by themselves, is seen when so many seconds have passed since it was "
        "recorded (seconds), or when so many events have followed on it (events). Until then nothing tells of it. "
        "Lists, statements and leaderboards, which are the same for everybody, show what was before the deal.",
        option="spectator_delay",
    ),
    Rule(
        NOT_HELD_BACK,
        "What was recorded before the running deal began is not held back, nor is the action that deals its cards, "
        "nor anything when the deal is scored or the game over. A player who has abandoned the game still sits at the "
        "table.",
        option="spectator_delay",
    ),
    Rule(
        BOTS,
        "Bots may play at a table. A table may be opened with some; and until the game starts, who opened it or sits "
        "there may seat a bot on a free seat. The record names a bot's level and version. A bot adds nothing to the "
        "shuffle. Who seated it, or opened the table, may remove it before the game starts.",
    ),
    Rule(
        BOTS_ACT,
        "A bot is bound by the rules as any player is, takes any act open to its seat, and knows what its seat may "
        "know. The event's actor is the seat's bot. Where its time runs out the house acts for it, as for anybody. "
        "It does not talk.",
    ),
    Rule(
        SUBSTITUTES,
        "When the house plays a seat, who opened the table, or sits there and has not abandoned the game, may have a "
        "bot play on there as a substitute, of the strongest level there is: no other may be asked for. From then on "
        "the acts for the seat are the bot's, which may be any, and no longer the mildest. Amounts are booked to the "
        "player. The substitute goes when the player comes back, and when its own time has run out as often as makes "
        "a player absent.",
    ),
    Rule(
        BOTS_FOLLOW,
        "Where people and bots play together, bots agree to end the game when all others do; and the game ends when "
        "the house plays the seats of all people.",
    ),
)

BASIS: Mapping[str, str] = {
    "table-expired": EXPIRY,
    "end-proposed": AGREEMENT,
    "seat-abandoned": ABANDONMENT,
    "seat-taken-over": HOUSE_PLAYS,
    "seat-resumed": COMING_BACK,
    "substitute-seated": SUBSTITUTES,
    "table-talk": TALK,
    "clock": TIME,
}
"""The rule that the audit cites for an event of the table's life, by its type, or for a check."""
