"""What the records of all games have in common, and the form in which a game tells its own rules.

**A game** is one value of `Rules`, in `checker.py` of its folder. It is facts and functions, of which a game of tricks
alone needs few: its `deal` is a `TrickDeal`, which says in `dues` what the tricks come to.

- `pack`, sorted (suits `s h d c`, ranks high to low by the game's plain order), is what is shuffled and what sorted
  lists are sorted by; `portions` says which seat gets each place of it, `None` being the talon. The seats in
  `portions` must first appear in the order of turns, eldest first: that is a deal's `order`.
- `options` tests the options as they stand in `table-opened`; all other functions are given them as that dict.
- `shapes` tells of each type of event of the game the tests of its public part and of its sections, by the kind of
  audience (`seat`, which is the seat in `public.seat`, or `public`). `acts` are those among them that a seat does,
  and `acts_or_follows` those that a seat does or that follow by themselves, as the deal says with `declared`.
- `cites` names the rules that are broken where the deals are miscounted (`deals`), the first or next dealer is another
  (`dealer`), cards went elsewhere (`cards`), a line is wrong (`ledger`), the winners are others (`winners`).
- `deal` is a subclass of `Deal`, made anew for every deal. Its `play` goes through the events between `cards-dealt`
  and `deal-scored`, complains of what breaks a rule, and returns what the deal comes to, a `Result`.

What is to be booked is a list of `Due`, one for each pair of line and counter-line; `to` and `by` are seats, `bank`
or `pool`. An amount may be negative, which is the same as the opposite amount the other way; one of zero is not
booked. Lines rest on the deal's `Result.grounds` unless a `Due` has `events` of its own; antes and shares rest on the
event that books them.

**An act that is refused** breaks rules, and a deal says which: `stage` the acts that have a place now, with the rules
that a type out of place and a seat out of turn break, and `broken` every other rule that an act breaks, in any order.
An act is a dict as it stands on the wire, all its fields given. A deal that is `watched` calls the watcher before each
act, so that tests can ask `first_broken` there.

**A deal** reads events with `act` (what somebody does; it steps over disputes) and `follow` (what must come by itself
at once). It complains with `must`, `must_be` and `wrong`, naming the rule, and goes on where that makes sense; where
it does not, it raises `Stuck`. Types in `FREE` may come before any act and are given to `free`, which may raise
`Ended` with the deal's result.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple

from tests.support.checker.chance import (
    Draw,
    Envelope,
    Lots,
    Shuffle,
    by_number,
    card_commitment,
    card_salt,
    event_hash,
    seal,
    sha256,
    shuffled,
    whole_pack,
)
from tests.support.checker.life import LEAVING, EarlyEnd, Life, is_clocks, is_options
from tests.support.checker.life import SHAPES as LIFE
from tests.support.checker.shapes import (
    Test,
    card_of,
    from_to,
    is_actor,
    is_entropy,
    is_hash,
    is_int,
    is_line,
    is_opponent,
    is_seat,
    is_text,
    is_time,
    is_uuid,
    list_of,
    one_of,
    opening_of,
    or_null,
    record_of,
    record_with,
    seat_only,
    time_in,
    time_of,
)

Line = dict[str, Any]
Options = Mapping[str, Any]
Party = int | str
Trick = Sequence[tuple[int, str]]
"""Who played what, in order."""
Shapes = Mapping[str, tuple[Test, Mapping[str, Test]]]


class Due(NamedTuple):
    """What `to` gains of `by`, and why: a line and its counter-line."""

    kind: str
    rule: str
    amount: int
    to: Party
    by: Party
    events: Sequence[int] | None = None


class Result(NamedTuple):
    """What a deal comes to; `extra` are the further fields of its `deal-scored`."""

    outcome: str
    dues: Sequence[Due]
    grounds: Sequence[int]
    extra: Mapping[str, object] = {}


def nothing(*_: object) -> Sequence[Due]:
    """Of games that book nothing but their deals."""
    return ()


def never(*_: object) -> None:
    """Of games that end with the last deal alone."""


def passes_on(_: int) -> bool:
    """Of games in which nobody deals twice in a row."""
    return False


def shared(best: Sequence[int], _deals: int, _extra: Mapping[str, object]) -> Sequence[int]:
    """Of games in which equals share the win."""
    return best


def alone(_: Options) -> Sequence[Sequence[int]]:
    """Of games without sides."""
    return ()


def four(_: Options) -> int:
    """Of games for four."""
    return 4


def to_the_left(rules: "Rules", dealer: int, options: Options) -> int:
    """Of games in which the deal moves one seat to the left after every deal."""
    return (dealer + 1) % rules.seats(options)


def one_by_one(rules: "Rules", dealer: int, options: Options) -> Sequence[int | None]:
    """Of games in which all cards are dealt one at a time, from the dealer's left on."""
    seats = rules.seats(options)
    return [(dealer + 1 + place) % seats for place in range(rules.dealt or len(rules.pack))]


class Rules(NamedTuple):
    """A game. Without more it is one of tricks alone, for four, who are dealt the whole pack one card at a time."""

    name: str
    pack: Sequence[str]
    deals: Callable[[int, Options], bool]
    """Whether a game may have so many deals."""
    outcomes: Collection[str]
    deal: "type[Deal]"
    cites: Mapping[str, str]
    options: Test = record_of()
    seats: Callable[[Options], int] = four
    portions: Callable[[int, Options], Sequence[int | None]] | None = None
    """By dealer; in games without one by the number of the deal. Without it, one card at a time."""
    next_dealer: Callable[[Any, Options], int | None] | None = None
    """By the last dealer. Without it, the seat to the left."""
    shapes: Shapes | None = None
    """Without it, those of tricks alone."""
    acts: Collection[str] = ("card-played",)
    acts_or_follows: Collection[str] = ()
    schemas: Mapping[str, int] = {}
    """By type of event, the schema of the game's own that is not 1."""
    scored: Mapping[str, Test] = {}
    """Fields of `deal-scored` that only this game has."""
    lots: Lots = by_number
    antes: Callable[[int, Options], Sequence[Due]] = nothing
    """What is booked with `cards-dealt`, by dealer."""
    shares: Callable[[Mapping[Party, int], Options], Sequence[Due]] = nothing
    """What is booked with `game-finished`, by the balances of the seats, `bank` and `pool`."""
    learns: Callable[[int, Options], Sequence[Collection[str]]] | None = None
    """By place, the audiences that get its opening, with what `portions` is asked by. Without it, the place's seat."""
    learns_in: Callable[[int, int, Options], Sequence[Collection[str]]] | None = None
    """Likewise by the number of the deal and its dealer, where it hangs on both."""
    stays: Callable[[int], bool] = passes_on
    """Whether who dealt the deal of this number deals the next one too."""
    draw: Draw = whole_pack
    dealt: int | None = None
    """How many cards are dealt; without it, the whole pack."""
    cards: Callable[[Options], Sequence[str]] | None = None
    """The cards that are drawn from, sorted, where that hangs on the options; without it, the whole pack."""
    kinds: int = 1
    """So many deals, from the first on, show all kinds of deal."""
    gate: bool = False
    """Whether each deal waits until all players are ready."""
    sealed: Mapping[str, Callable[[Mapping[str, Any], Options], Collection[str]]] = {}
    """By type of event, the audiences of its sections, from its public part and the options, where `shapes` do not say
    them."""
    timed: Collection[str] = ()
    """The types of event that the clock records."""
    together: Collection[str] = ()
    """The types of act for which the game waits from several seats at once."""
    unbound: Collection[str] = ()
    """The types of act, besides those in a deal's `FREE`, that need no turn, and after which another seat has one."""
    over: Callable[[Sequence[int], Options], str | None] = never
    """Why the game ends before the last deal, by the totals."""
    sides: Callable[[Options], Sequence[Sequence[int]]] = alone
    """The seats that play together, side by side."""
    of_equals: Callable[[Sequence[int], int, Mapping[str, object]], Sequence[int]] = shared
    """Who of those with the best totals has won, by the number of deals and the last deal's further fields."""


class Stage(NamedTuple):
    """What a deal waits for."""

    rule: str
    """The rule that says which acts there are."""
    turns: Mapping[str, str] = {}
    """By type of act that needs a turn, the rule that says whose it is."""
    free: Collection[str] = ()
    """The types of act that need no turn."""


def numbered(rule: str) -> tuple[int, ...]:
    """A rule's number, by which rules stand in order."""
    return tuple(map(int, rule.partition("-")[2].split(".")))


class Stuck(Exception):
    """The record cannot be followed any further."""


class Ended(Exception):
    """A deal ends with an act that may come at any time."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.outcome)
        self.result = result


# what an event looks like

ACTS = {"seat-taken", "seat-left", "player-ready", "dispute-opened"}
"""What a seat does; everything else is the house's or an arbiter's, or a game's own."""

ABOUT_THE_RECORD = {"dispute-opened", "dispute-ruled", "ledger-corrected", "text-erased"}
"""What may come between any two acts, and after the end of the game; it belongs to no deal."""


def own_shapes(rules: Rules) -> Shapes:
    """By type of the game's own events: its public part, and its sections by kind of audience."""
    if rules.shapes is not None:
        return rules.shapes
    tricks = len(rules.pack) // rules.seats({})
    return {
        "card-played": (record_of(seat=is_seat, card=card_of(rules.pack)), {}),
        "trick-won": (record_of(seat=is_seat, trick=from_to(1, tricks)), {}),
    }


def portions_of(rules: Rules, key: int, options: Options) -> Sequence[int | None]:
    """By place, the seat that gets it, by the dealer or the number of the deal."""
    return one_by_one(rules, key, options) if rules.portions is None else rules.portions(key, options)


def shapes_of(rules: Rules) -> Shapes:
    """By type of event: its public part, and its sections by kind of audience."""
    is_opening = opening_of(rules.pack)
    is_draw = record_of(seat=is_seat, card=card_of(rules.pack))
    dealt = None if rules.cards is not None else rules.dealt or len(rules.pack)
    return {
        "table-opened": (
            record_with(
                record_of(
                    game=one_of(rules.name), rules_version=is_int, rules_digest=is_hash, deals=is_int,
                    seed_commitment=is_hash, options=rules.options,
                ),
                table=is_options,
                rematch=record_of(of=is_uuid, players=list_of(is_uuid)),
            ),
            {"house": record_of(seed=is_hash, opener=is_text)},
        ),
        "seat-taken": (
            record_with(
                record_of(seat=is_seat, player=is_text, entropy=or_null(is_entropy)), opponent=or_null(is_opponent)
            ),
            {},
        ),
        "seat-left": (seat_only, {}),
        "game-started": (record_of(first_dealer=or_null(is_seat), draws=list_of(is_draw)), {}),
        **({"player-ready": (seat_only, {})} if rules.gate else {}),
        "cards-dealt": (
            record_with(
                record_of(
                    deal=is_int, dealer=or_null(is_seat), lines=list_of(is_line),
                    card_commitments=list_of(is_hash, dealt),
                ),
                shown=list_of(is_opening), rejected=list_of(list_of(card_of(rules.pack))), clocks=is_clocks,
            ),
            {
                "seat": record_of(cards=list_of(is_opening)),
                "house": record_of(talon=list_of(is_opening), seed=is_hash),
            },
        ),
        "deal-scored": (
            record_of(
                deal=is_int, outcome=one_of(*rules.outcomes), lines=list_of(is_line), totals=list_of(is_int),
                seed=is_hash, **rules.scored,
            ),
            {},
        ),
        "game-finished": (
            record_with(
                record_of(totals=list_of(is_int), winners=list_of(is_seat), reason=is_text, lines=list_of(is_line)),
                seed=is_hash,
            ),
            {},
        ),
        **LIFE,
        "dispute-opened": (
            record_of(dispute=is_int, seat=is_seat, lines=list_of(record_of(version=is_int, line=is_int))),
            {"public": record_of(reason=is_text)},
        ),
        "dispute-ruled": (
            record_of(dispute=is_int, ruling=one_of("upheld", "rejected")), {"public": record_of(text=is_text)}
        ),
        "ledger-corrected": (
            record_of(
                dispute=is_int, lines=list_of(is_line), totals=list_of(is_int), winners=or_null(list_of(is_seat))
            ),
            {},
        ),
        "text-erased": (record_of(version=is_int, audience=one_of("public")), {}),
        **own_shapes(rules),
    }  # fmt: skip


class Form:
    """What a game's envelopes look like."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.shapes = shapes_of(rules)
        self.sections = {
            type_: {kind: record_of(salt=is_hash, data=test) for kind, test in kinds.items()}
            for type_, (_, kinds) in self.shapes.items()
        }
        self.envelope: dict[str, Test] = {
            "table": is_uuid, "game": one_of(rules.name), "version": is_int, "position": is_int,
            "deal": or_null(is_int), "type": one_of(*self.shapes), "schema": is_int, "at": is_time,
            "actor": is_actor, "action": is_uuid, "hash": is_hash,
            "public": lambda value: isinstance(value, dict),
            "seals": lambda value: isinstance(value, dict) and all(map(is_hash, value.values())),
            "sealed": lambda value: isinstance(value, dict),
        }  # fmt: skip

    def audiences(self, event: Envelope, options: Options) -> set[str]:
        """Whose sections an event has."""
        kinds, public = self.shapes[event["type"]][1], event["public"]
        if event["type"] == "cards-dealt":
            every = learning(self.rules, public["deal"], public["dealer"], options)
            return {"house", *(audience for audiences in every for audience in audiences)} - {"public"}
        if event["type"] in self.rules.sealed:
            return set(self.rules.sealed[event["type"]](public, options))
        return {f"seat:{event['public']['seat']}" if kind == "seat" else kind for kind in kinds}

    def wrong(self, event: Envelope) -> list[str]:
        """What is wrong with one envelope's fields, taken by themselves, but for its sections."""
        if not isinstance(event, dict) or set(event) != set(self.envelope):
            return [f"the envelope does not have the members it should: {sorted(event)}"]
        wrong = [
            f"{name} is ill-formed: {event[name]!r}" for name, test in self.envelope.items() if not test(event[name])
        ]
        if wrong:
            return wrong
        seated = 2 if "opponent" in event["public"] else 1
        schemas = {"ledger-corrected": 2, "seat-taken": seated} | {**self.rules.schemas}
        schema = schemas.get(event["type"], 1)
        if event["schema"] != schema:
            return [f"the schema is not {schema}: {event['schema']!r}"]
        public, _ = self.shapes[event["type"]]
        return [] if public(event["public"]) else [f"the public payload is ill-formed: {event['public']!r}"]

    def wrong_in_sections(self, event: Envelope, options: Options, erased: Collection[int]) -> list[str]:
        """What is wrong with a well-formed envelope's seats and sections. The words of some versions are `erased`."""
        if beyond := seats_named(event["public"]) - set(range(self.rules.seats(options))):
            return [f"there are no such seats: {sorted(beyond)}"]
        audiences = self.audiences(event, options)
        if set(event["seals"]) != audiences:
            return [f"sealed for {sorted(event['seals'])}, not for {sorted(audiences)}"]
        if set(event["sealed"]) != set(event["seals"]) - ({"public"} if event["version"] in erased else set()):
            return [f"open for {sorted(event['sealed'])} only, though the game is over"]
        wrong = []
        kinds = self.sections[event["type"]]
        for audience, section in event["sealed"].items():
            if not kinds[audience.partition(":")[0]](section):
                wrong.append(f"the section for {audience} is ill-formed: {section!r}")
            elif seal(section) != event["seals"][audience]:
                wrong.append(f"the section for {audience} is not the one that was sealed")
        return wrong

    def wrong_with(self, events: Sequence[Envelope]) -> list[str]:
        """What is wrong with the envelopes of a table, but for what they tell of the game."""
        if bad := [(place, text) for place, event in enumerate(events, 1) for text in self.wrong(event)]:
            return [f"event {place}: {text}" for place, text in bad]
        if events[0]["type"] != "table-opened":
            return ["a table begins with table-opened"]
        options = events[0]["public"]["options"]
        erased = {
            event["public"]["version"]
            for event in events
            if event["type"] == "text-erased" and event["public"]["version"] < event["version"]
        }
        found = []
        previous, position, time = "00" * 32, 0, time_in(events[0]["table"])
        for place, event in enumerate(events, 1):
            found += [f"event {place}: {text}" for text in self.wrong_in_sections(event, options, erased)]
            if event["version"] != place:
                found.append(f"event {place}: it has version {event['version']}")
            if event["table"] != events[0]["table"]:
                found.append(f"event {place}: it belongs to another table")
            if event["position"] <= position:
                found.append(f"event {place}: its position {event['position']} does not follow on the last")
            if event["hash"] != event_hash(event, previous):
                found.append(f"event {place}: its hash is not that of its contents and of the event before")
            if time_of(event["at"]) < time:
                found.append(f"event {place}: {event['at']} is earlier than {time}, which came before")
            previous, position, time = event["hash"], event["position"], time_of(event["at"])
        return found


def drawn_from(rules: Rules, options: Options) -> Sequence[str]:
    """The cards that a deal is drawn from, sorted."""
    return rules.pack if rules.cards is None else rules.cards(options)


def learning(rules: Rules, deal: int, dealer: int | None, options: Options) -> Sequence[Collection[str]]:
    """By place of this deal, the audiences that get its opening."""
    key = deal if dealer is None else dealer
    if rules.learns_in is not None:
        return rules.learns_in(deal, key, options)
    if rules.learns is not None:
        return rules.learns(key, options)
    return [() if seat is None else (f"seat:{seat}",) for seat in portions_of(rules, key, options)]


def seats_named(public: Mapping[str, Any]) -> set[int]:
    """The seats that an event's public part names."""
    alone = {public.get(name) for name in ("seat", "to", "dealer", "first_dealer")}
    many = {one.get("seat") for name in ("lines", "draws") for one in public.get(name, ())}
    return {seat for seat in alone | many | set(public.get("winners") or ()) if seat is not None}


# the record of a table


class Replay:
    """Goes through the events of a table once, from the first to the last."""

    def __init__(self, rules: Rules, events: list[Envelope]) -> None:
        self.rules = rules
        self.events = events
        self.options: Options = events[0]["public"]["options"]
        self.seats = rules.seats(self.options)
        self.table: str = events[0]["table"]
        self.at = 0
        self.found: list[str] = []
        self.actions: set[str] = set()
        self.players: dict[int, str] = {}
        self.entropies: dict[int, bytes] = {}
        self.balances: Counter[Party] = Counter()
        """What has been booked, by seat, and for `bank` and `pool`."""
        self.booked: dict[int, list[Line]] = {}
        """Lines by the version of the event that booked them."""
        self.disputes: list[Envelope] = []
        self.ruled: set[int] = set()
        self.erased: set[int] = set()
        self.finished = False
        self.deal: int | None = None
        self.scored = 0
        self.playing: Deal | None = None
        self.extra: Mapping[str, object] = {}
        """The further fields of the last deal's score."""
        self.watcher: Callable[[Deal], None] | None = None
        """What is called before each act of a deal."""
        own = events[0]["public"].get("table", {})
        self.life = Life(own, self.seats, rules.together, self.must)

    # reading

    def wrong(self, text: str, rule: str = "record") -> None:
        version = self.events[min(max(self.at - 1, 0), len(self.events) - 1)]["version"]
        self.found.append(f"version {version}: {rule}: {text}")

    def must(self, condition: bool, text: str, rule: str = "record") -> None:
        if not condition:
            self.wrong(text, rule)

    def must_be(self, name: str, recorded: object, expected: object, rule: str = "record") -> None:
        if recorded != expected:
            self.wrong(f"{name} is {recorded!r} and should be {expected!r}", rule)

    def peek(self) -> str | None:
        """The type of the event that comes next."""
        return self.events[self.at]["type"] if self.at < len(self.events) else None

    def take(self) -> Envelope:
        """The next act, which is neither about the record nor leaving. Raises EarlyEnd where there is none."""
        self.pass_by()
        if self.life.ended is not None or (self.peek() == "game-finished" and self.scored != self.deal):
            raise EarlyEnd
        return self.next()

    def pass_by(self) -> None:
        """Goes through what comes between acts."""
        while self.peek() in ABOUT_THE_RECORD or self.peek() in self.beside:
            if self.peek() in self.beside:
                self.leaving()
            else:
                self.about_the_record()

    @property
    def beside(self) -> set[str]:
        """What may come between any two acts of the game that is on, and is none of them."""
        return LEAVING | {"table-talk"} if self.life.talks and len(self.players) == self.seats else LEAVING

    def leaving(self) -> None:
        last = self.events[self.at - 1]
        event = self.next()
        if event["type"] == "table-talk":
            self.life.talk(event)
            self.must(event["action"] != last["action"], "an act needs an action id of its own")
        elif self.life.left(event):
            self.at_once(event, last)
        else:
            self.must(event["action"] != last["action"], "an act needs an action id of its own")

    def at_once(self, event: Envelope, last: Envelope) -> None:
        """That the event follows by itself on the last one."""
        self.must_be("action", event["action"], last["action"])
        self.must_be("at", event["at"], last["at"])

    def next(self) -> Envelope:
        if self.at == len(self.events):
            raise Stuck("the record ends before the game does")
        event = self.events[self.at]
        self.at += 1
        self.book(event)
        about = event["type"] in ABOUT_THE_RECORD
        self.must_be("deal", event["deal"], None if about else self.deal)
        follows = event["type"] in self.rules.acts_or_follows and event["actor"] == "house"
        if not follows and event["type"] in (*self.rules.acts, *self.rules.acts_or_follows, "player-ready"):
            self.acted(event)
        elif event["type"] in ("seat-taken", "seat-left") and self.about_a_bot(event):
            self.seated_by(event)
        elif event["type"] in ACTS:
            self.must_be("actor", event["actor"], f"seat:{event['public']['seat']}")
            self.must(event["action"] not in self.actions, "an act needs an action id of its own")
        elif event["type"] in self.beside:
            pass
        elif event["type"] == "table-expired":
            self.life.expired(self.events[0], event)
        elif event["type"] in self.rules.timed:
            self.must_be("actor", event["actor"], "clock")
            self.must(event["action"] not in self.actions, "what the clock does needs an action id of its own")
        elif event["type"] in ("dispute-ruled", "ledger-corrected"):
            self.must(event["actor"].startswith("arbiter:"), "an arbiter rules and corrects")
        else:
            self.must_be("actor", event["actor"], "house")
        if not about and event["type"] not in self.beside and not self.is_free(event):
            self.life.moved(event)
        if event["type"] == "cards-dealt":
            self.life.dealt(event)
        self.actions.add(event["action"])
        return event

    def about_a_bot(self, event: Envelope) -> bool:
        """Whether a bot sits down, or is removed."""
        public = event["public"]
        return public.get("opponent") is not None or (
            event["type"] == "seat-left" and public["seat"] in self.life.opponents
        )

    def seated_by(self, event: Envelope) -> None:
        """Who seats or removes a bot is the table's opener, or sits there (TL-7.1)."""
        opened, seat, actor = self.events[0], event["public"]["seat"], event["actor"]
        people = {f"seat:{each}": player for each, player in self.players.items() if each not in self.life.opponents}
        self.must(actor == "house" or actor in people, f"{actor} seats or removes a bot", "TL-7.1")
        opener = opened["sealed"]["house"]["data"]["opener"]
        self.must(actor != "house" or opener not in people.values(), "the opener sits at the table", "record")
        if event["type"] == "seat-taken":
            self.must(event["public"]["entropy"] is None, "a bot adds nothing to the shuffle", "TL-7.1")
            self.life.opponents[seat] = people.get(actor)
            if event["action"] == opened["action"]:
                self.at_once(event, self.events[self.at - 2])
                self.must_be("actor", actor, "house")
                return
        else:
            own = people.get(actor, opener) in (self.life.opponents.pop(seat), opener)
            self.must(own, f"{actor} removes a bot that another seated", "TL-7.1")
            self.must("rematch" not in opened["public"], "the seat is kept for the bot", "TL-7.1")
        self.must(event["action"] not in self.actions, "an act needs an action id of its own")

    def is_free(self, event: Envelope) -> bool:
        """Whether an event is an act that needs no turn."""
        return self.playing is not None and event["type"] in self.playing.FREE

    def acted(self, event: Envelope) -> None:
        """What a seat does, or the house for it."""
        if self.life.act(event, free=self.is_free(event) or event["type"] in self.rules.unbound):
            self.at_once(event, self.events[self.at - 2])
        else:
            self.must(event["action"] not in self.actions, "an act needs an action id of its own")

    def follow(self, type_: str) -> Envelope:
        """The event that must follow by itself at once, with the last one's action id and time."""
        while self.life.due is not None and self.peek() in LEAVING:
            self.leaving()
        last = self.events[self.at - 1]
        event = self.next()
        if event["type"] != type_:
            raise Stuck(f"version {event['version']}: {event['type']} comes where {type_} should follow")
        self.at_once(event, last)
        return event

    # the ledger

    def book(self, event: Envelope) -> None:
        """Takes an event's lines down; each has its counter-line beside it, and none is of nothing."""
        public = event["public"]
        lines: list[Line] = [] if event["type"] == "dispute-opened" else public.get("lines", [])
        self.booked[event["version"]] = lines
        self.must(len(lines) % 2 == 0, "a line has no counter-line")
        for own, other in zip(lines[::2], lines[1::2], strict=False):
            counter = (other["account"], other["with"], other["amount"], *(other[name] for name in SHARED))
            should = (own["with"], own["account"], -own["amount"], *(own[name] for name in SHARED))
            self.must_be("the counter-line", counter, should)
        for line in lines:
            seat = line["seat"]
            self.must(line["amount"] != 0, "a line of nothing")
            if seat is not None:
                self.must_be("account", line["account"], self.account(seat))
            self.balances[line["account"] if seat is None else seat] += line["amount"]
        if "totals" in public:
            self.must_be("totals", public["totals"], self.totals)

    @property
    def totals(self) -> list[int]:
        return [self.balances[seat] for seat in range(self.seats)]

    def account(self, party: Party) -> str:
        return party if isinstance(party, str) else f"player:{self.players.get(party)}"

    def must_book(self, event: Envelope, dues: Sequence[Due], grounds: Sequence[int]) -> None:
        """The event books just this."""
        rule = self.rules.cites["ledger"]
        lines: Counter[tuple[Any, ...]] = Counter()
        for due in dues:
            events = tuple(grounds if due.events is None else due.events)
            for own, other, amount in ((due.to, due.by, due.amount), (due.by, due.to, -due.amount)):
                seat = None if isinstance(own, str) else own
                line = (self.account(own), self.account(other), seat, amount, due.kind, due.rule, events)
                lines[line] += amount != 0
        names = ("account", "with", "seat", "amount", "kind", "rule")
        recorded = Counter(
            (*(line[name] for name in names), tuple(line["events"])) for line in event["public"]["lines"]
        )
        for line in (recorded - lines).elements():
            self.wrong(f"this line should not be booked: {line}", rule)
        for line in (lines - recorded).elements():
            self.wrong(f"this line is missing: {line}", rule)

    def best(self) -> list[int]:
        """The seats of the sides with the highest sums of totals; a seat without a side is one of its own."""
        able = [seat for seat in range(self.seats) if seat != self.life.out]
        if not self.scored:
            return [] if self.life.out is None else able
        sums = {seat: sum(self.totals[each] for each in self.side(seat)) for seat in able}
        best = [seat for seat in sums if sums[seat] == max(sums.values())]
        return list(self.rules.of_equals(best, self.events[0]["public"]["deals"], self.extra))

    def side(self, seat: int) -> Sequence[int]:
        return next((side for side in self.rules.sides(self.options) if seat in side), [seat])

    def twins(self, version: int, line: int) -> list[tuple[int, int]]:
        """The pairs with the lines that partners have as this one."""

        def alike(other: int) -> list[int]:
            names = ("kind", "rule", "amount")
            same = {name: lines[line][name] for name in names} | {"seat": other}
            return [place for place, each in enumerate(lines) if all(each[name] == same[name] for name in same)]

        lines = self.booked[version]
        seat = lines[line]["seat"]
        if seat is None:
            return []
        place = alike(seat).index(line)
        return [(version, twin // 2) for other in self.side(seat) for twin in alike(other)[place : place + 1]]

    # disputes and erasures

    def about_the_record(self) -> None:
        event = self.next()
        public = event["public"]
        match event["type"]:
            case "dispute-opened":
                self.must_be("the number of the dispute", public["dispute"], len(self.disputes) + 1)
                self.must(bool(public["lines"]), "nothing is disputed")
                taken = {pair for one in self.disputes for pair in self.pairs(one)}
                for place in public["lines"]:
                    there = 0 <= place["line"] < len(self.booked.get(place["version"], []))
                    if not there or place["version"] >= event["version"]:
                        raise Stuck(f"version {event['version']}: {place} was never booked")
                pairs = self.pairs(event)
                self.must(taken.isdisjoint(pairs), "a line is disputed twice")
                twins = [
                    twin for version, pair in pairs for line in (0, 1) for twin in self.twins(version, 2 * pair + line)
                ]
                self.must(set(twins) <= set(pairs), "a partner's line is not disputed with it")
                named = [tuple(place.values()) for place in public["lines"]]
                self.must(len(set(named)) == len(named), "a line is named twice")
                self.disputes.append(event)
            case "dispute-ruled":
                self.must(public["dispute"] not in self.ruled, "a dispute is ruled on twice")
                if not 1 <= public["dispute"] <= len(self.disputes):
                    raise Stuck(f"version {event['version']}: there is no dispute {public['dispute']}")
                self.ruled.add(public["dispute"])
                self.must(event["actor"][8:] not in self.players.values(), "the arbiter sits at the table")
                if public["ruling"] == "upheld":
                    corrected = self.follow("ledger-corrected")
                    self.must_be("actor", corrected["actor"], event["actor"])
                    self.corrected(corrected, self.disputes[public["dispute"] - 1])
            case "text-erased":
                self.must(public["version"] not in self.erased, "words are erased twice")
                erased = next((one for one in self.events[: self.at] if one["version"] == public["version"]), None)
                self.must(erased is not None and "public" in erased["seals"], "there were no words to erase")
                self.erased.add(public["version"])
            case _:
                raise Stuck(f"version {event['version']}: no ruling made this correction")

    def pairs(self, dispute: Envelope) -> list[tuple[int, int]]:
        """The pairs of line and counter-line that a dispute is about, each once, in its order."""
        return list(dict.fromkeys((place["version"], place["line"] // 2) for place in dispute["public"]["lines"]))

    def corrected(self, event: Envelope, dispute: Envelope) -> None:
        """Every disputed pair is taken back, before others are booked anew; winners follow."""
        public = event["public"]
        self.must_be("dispute", public["dispute"], dispute["public"]["dispute"])
        disputed = self.pairs(dispute)
        taken_back = public["lines"][: 2 * len(disputed)]
        self.must_be("the number of lines taken back", len(taken_back), 2 * len(disputed))
        for number, (version, pair) in enumerate(disputed):
            before = self.booked[version][2 * pair : 2 * pair + 2]
            for was, now in zip(before, taken_back[2 * number : 2 * number + 2], strict=False):
                for name in ("account", "with", "seat", "rule"):
                    self.must_be(f"{name} of what is taken back", now[name], was[name])
                self.must_be("what is taken back", now["amount"], -was["amount"])
                self.must_be(
                    "kind and grounds", (now["kind"], now["events"]), ("reversal", [version, event["version"] - 1])
                )
        self.must_be("winners", public["winners"], self.best() if self.finished else None)

    # the table

    def run(self) -> None:
        opened = self.next()
        deals: int = opened["public"]["deals"]
        self.must(self.rules.deals(deals, self.options), f"a game has no {deals} deals", self.rules.cites["deals"])
        while len(self.players) < self.seats:
            if self.peek() == "table-expired":
                self.next()
                self.must(self.at == len(self.events), "events follow the end of the table")
                return
            self.seating()
        started = self.follow("game-started")["public"]
        self.seed = opened["public"]["seed_commitment"]
        self.number = 0
        reason = None
        try:
            reason = self.play(started, deals)
        except EarlyEnd:
            self.end_early()
        else:
            self.end(reason)
        last = bytes.fromhex(opened["sealed"]["house"]["data"]["seed"])
        for _ in range(self.number, deals):
            last = sha256(last)
        self.must_be("the last seed in the house's section", last.hex(), self.seed)
        self.finished = True
        while self.peek() in ABOUT_THE_RECORD:
            self.about_the_record()
        self.must(self.at == len(self.events), "events follow the end of the game")

    seed: str
    """The seed of the last deal that was dealt; before, the commitment to all."""
    number: int
    """How many deals were dealt."""

    def play(self, started: Mapping[str, Any], deals: int) -> str | None:
        """Goes through all deals. Why the game then ends; null where only a correction has ended it."""
        rules, options = self.rules, self.options
        next_dealer = rules.next_dealer or partial(to_the_left, rules)
        dealer = started["first_dealer"]
        while (reason := self.over(self.number, deals)) is None and self.gate(self.number):
            self.number += 1
            self.deal = self.number
            dealt = self.follow("cards-dealt")
            self.must_be("deal", dealt["public"]["deal"], self.number)
            if dealt["public"]["dealer"] != dealer:
                raise Stuck(f"version {dealt['version']}: {rules.cites['dealer']}: seat {dealer} should deal")
            self.must_book(dealt, rules.antes(dealer, options), [dealt["version"]])
            seed = self.seed_of_deal()
            self.must_be("the hash of the deal's seed", sha256(bytes.fromhex(seed)).hex(), self.seed)
            self.must_be("the seed in the house's section", dealt["sealed"]["house"]["data"]["seed"], seed)
            if self.number == 1:
                drawn, draws = rules.lots(bytes.fromhex(seed), self.table, self.mixed())
                self.must_be("the first dealer", dealer, drawn, rules.cites["dealer"])
                self.must_be("the draws", started["draws"], draws, rules.cites["dealer"])
            self.seed = seed
            self.play_deal(dealt, dealer, bytes.fromhex(seed))
            dealer = dealer if rules.stays(self.number) else next_dealer(dealer, options)
            self.deal = None
        return reason or self.over(self.number, deals)

    def end(self, reason: str | None) -> None:
        """The game's end by its rules."""
        cites = self.rules.cites
        shares = self.rules.shares(dict(self.balances), self.options)
        finished = self.follow("game-finished")
        self.must_book(finished, shares, [finished["version"]])
        self.must_be("reason", finished["public"]["reason"], reason, cites["winners"])
        self.must_be("winners", finished["public"]["winners"], self.best(), cites["winners"])
        self.must("seed" not in finished["public"], "no deal was broken off", "TL-4.2")

    def end_early(self) -> None:
        """The game's end before its rules end it: the deal that was running counts for nothing (TL-4.2)."""
        running, self.deal, self.playing = self.deal, None, None
        cause, dealt, balances = self.events[self.at - 1]["version"], [], Counter(self.balances)
        if running is not None:
            first = next(
                one["version"] for one in self.events if one["type"] == "cards-dealt" and one["deal"] == running
            )
            for own, other in zip(self.booked[first][::2], self.booked[first][1::2], strict=False):
                to, by = (line["account"] if line["seat"] is None else line["seat"] for line in (own, other))
                dealt.append(Due("reversal", "TL-4.2", -own["amount"], to, by, [first, cause]))
                balances[to] -= own["amount"]
                balances[by] += own["amount"]
        shares = self.rules.shares(dict(balances), self.options)
        finished = self.follow("game-finished")
        public = finished["public"]
        self.must_book(finished, [*dealt, *shares], [finished["version"]])
        self.must_be("reason", public["reason"], self.life.ended, "TL-4.1")
        self.must_be("seed", public.get("seed"), None if running is None else self.seed, "TL-4.2")
        self.must_be("winners", public["winners"], self.best(), "TL-4.2")

    def over(self, number: int, deals: int) -> str | None:
        """Why the game ends after so many deals; null while it goes on."""
        if not number:
            return None
        return self.rules.over(self.totals, self.options) or ("last deal scored" if number == deals else None)

    def gate(self, number: int) -> bool:
        """All players are ready for the next deal; false where a correction ends the game before they are."""
        waiting = set(range(self.seats)) if self.rules.gate else set()
        while waiting:
            while self.peek() in ABOUT_THE_RECORD or self.peek() in self.beside:
                if self.peek() in self.beside:
                    self.leaving()
                    continue
                self.about_the_record()
                if number and self.rules.over(self.totals, self.options) is not None:
                    return False
            if self.life.ended is not None:
                raise EarlyEnd
            event = self.next()
            if event["type"] != "player-ready":
                raise Stuck(f"version {event['version']}: {event['type']} comes before the players are ready")
            self.must(event["public"]["seat"] in waiting, "the player is ready already")
            waiting.discard(event["public"]["seat"])
        return True

    def mixed(self) -> list[bytes]:
        return [self.entropies[seat] for seat in range(self.seats)]

    def seating(self) -> None:
        event = self.take()
        public = event["public"]
        if event["type"] == "seat-taken":
            self.must(public["seat"] not in self.players, f"seat {public['seat']} is taken already")
            self.must(public["player"] not in self.players.values(), "the player has a seat already")
            kept = self.events[0]["public"].get("rematch")
            if kept is not None:
                owner = dict(enumerate(kept["players"])).get(public["seat"])
                self.must(public["player"] == owner, f"seat {public['seat']} is kept for another player")
            self.players[public["seat"]] = public["player"]
            self.entropies[public["seat"]] = bytes.fromhex(public["entropy"] or "")
        elif event["type"] == "seat-left":
            self.must(public["seat"] in self.players, f"nobody sits on seat {public['seat']}")
            self.players.pop(public["seat"], None)
            self.entropies.pop(public["seat"], None)
        else:
            raise Stuck(f"version {event['version']}: {event['type']} comes before the seats are taken")

    def seed_of_deal(self) -> str:
        """What the score of the running deal will open."""
        ends = ("deal-scored", "game-finished")
        scored = next((event for event in self.events[self.at :] if event["type"] in ends), None)
        if scored is None or "seed" not in scored["public"]:
            raise Stuck("the deal is never scored")
        seed: str = scored["public"]["seed"]
        return seed

    def play_deal(self, dealt: Envelope, dealer: int | None, seed: bytes) -> None:
        """Goes through one deal, to its score."""
        deal = self.playing = self.rules.deal(self, dealer, seed)
        deal.check_cards(dealt)
        try:
            result = deal.play()
        except Ended as ended:
            result = ended.result
        scored = self.follow("deal-scored")
        self.scored, self.playing, self.extra = self.scored + 1, None, result.extra
        public = scored["public"]
        self.must_be("deal", public["deal"], self.deal)
        self.must_be("outcome", public["outcome"], result.outcome, self.rules.cites["ledger"])
        self.must_book(scored, result.dues, result.grounds)
        for name in self.rules.scored:
            self.must_be(name, public[name], result.extra[name], self.rules.cites["ledger"])


SHARED = ("kind", "rule", "text", "events")
"""What a line and its counter-line have in common."""


# a deal


def suit_of(card: str) -> str:
    """The suit that a card belongs to by its name."""
    return card[1]


def height_of(card: str) -> int:
    """The more, the higher the card in its suit, aces high."""
    return -"AKQJT98765432".index(card[0])


def following(hand: Sequence[str], led: str | None, suit: Callable[[str], str] = suit_of) -> list[str]:
    """What may be played to this lead: a card of its suit, anything without one. Anything may be led."""
    return [card for card in hand if led is not None and suit(card) == suit(led)] or list(hand)


def taker(
    trick: Sequence[tuple[int, str]],
    trump: str | None = None,
    suit: Callable[[str], str] = suit_of,
    power: Callable[[str], int] = height_of,
) -> int:
    """Who wins these cards: the highest trump does, without any the highest card of the suit led."""
    suits = [suit(card) for _, card in trick]
    counting = trump if trump in suits else suits[0]
    return max((power(card), seat) for seat, card in trick if suit(card) == counting)[1]


class Deal(ABC):
    """One deal, of which a game's subclass knows how it is played."""

    FREE: ClassVar[Collection[str]] = ()
    """The types of event that may come before any act."""
    SUIT_RULE: ClassVar[str]
    """The rule of following suit."""
    TRICK_RULE: ClassVar[str]
    """The rule of who wins a trick and leads to the next."""
    EXCHANGE_RULE: ClassVar[str] = ""
    LEAD_RULE: ClassVar[str]
    """The rule of the lead."""
    CARDS_RULE: ClassVar[str]
    """The rule that says which cards there are."""

    waited_for: Collection[str] = ()
    """The types of event that may come next."""
    on_turn: Collection[int] = ()
    """The seats whose turn it is."""
    led: str | None = None
    """The card led to the trick on the table."""

    def __init__(self, table: Replay, dealer: int | None, seed: bytes) -> None:
        assert table.deal is not None
        self.table = table
        self.options = table.options
        self.rules_version: int = table.events[0]["public"]["rules_version"]
        """The version of the game's rules: games kept from earlier ones are checked too."""
        self.key = table.deal if dealer is None else dealer
        """The dealer; in games without one the number of the deal."""
        self.first = table.at - 1
        """Where the deal's events begin."""
        self.portions = portions_of(table.rules, self.key, table.options)
        self.learning = learning(table.rules, table.deal, dealer, table.options)
        self.order = [seat for seat in dict.fromkeys(self.portions) if seat is not None]
        """The seats that play, in the order of turns, eldest first."""
        self.seed = seed
        drawn = table.rules.draw(self.shuffle, drawn_from(table.rules, table.options), table.options)
        self.pack, self.rejected = drawn
        self.openings: list[dict[str, Any]] = []
        """Of every place, in order."""
        self.lay_out(self.pack)
        self.hands = {seat: [opening["card"] for opening in self.dealt_to(seat)] for seat in self.order}
        """The cards of those who play, as they change."""
        self.stock = self.dealt_to(None)
        """The openings of what is drawn unseen, from the top."""
        self.won: list[int] = []
        """Who won each trick."""
        self.balances: Mapping[Party, int] = dict(table.balances)
        """Of seats, `bank` and `pool`, this deal's antes included."""

    @property
    def shuffle(self) -> Shuffle:
        """The deal's shuffle."""
        table, deal = self.table, self.table.deal
        assert deal is not None
        return lambda label, cards: shuffled(cards, label, self.seed, table.table, deal, table.mixed())

    def lay_out(self, cards: Sequence[str]) -> list[dict[str, Any]]:
        """The openings of these cards, which come to the places after those that there are."""
        assert self.table.deal is not None
        made: list[dict[str, Any]] = [
            {
                "position": place,
                "card": card,
                "salt": card_salt(self.seed, self.table.table, self.table.deal, place).hex(),
            }
            for place, card in enumerate(cards, len(self.openings))
        ]
        self.openings += made
        return made

    def commitments(self, recorded: Sequence[str], openings: Sequence[dict[str, Any]]) -> None:
        """What was committed to is what these openings open."""
        self.must_be("the number of commitments", len(recorded), len(openings))
        for opening, commitment in zip(openings, recorded, strict=False):
            computed = card_commitment(bytes.fromhex(opening["salt"]), opening["card"])
            self.must_be(f"the commitment of place {opening['position']}", commitment, computed)

    @abstractmethod
    def play(self) -> Result:
        """Goes through the deal's events to the last before its score."""

    def free(self, event: Envelope) -> None:
        """Goes through an event whose type is in `FREE`."""
        self.must(False, f"{event['type']} has no place in this game")

    def dealt_to(self, to: int | None) -> list[dict[str, Any]]:
        return [opening for opening, seat in zip(self.openings, self.portions, strict=True) if seat == to]

    def check_cards(self, dealt: Envelope) -> None:
        """The pack's commitments, and the cards in each seat's section."""
        rule, public = self.table.rules.cites["cards"], dealt["public"]
        self.commitments(public["card_commitments"], self.openings)
        for seat in range(self.table.seats):
            section = dealt["sealed"].get(f"seat:{seat}", {"data": {"cards": []}})
            self.must_be(f"the cards of seat {seat}", section["data"]["cards"], self.learnt(f"seat:{seat}"), rule)
        self.must_be("the talon", dealt["sealed"]["house"]["data"]["talon"], self.learnt(None), rule)
        self.must_be("what is shown", public.get("shown", []), self.learnt("public"), rule)
        self.must_be("what was rejected", public.get("rejected", []), self.rejected, rule)
        self.must([] not in (public.get("shown"), public.get("rejected")), "an empty list is left out")

    def learnt(self, audience: str | None) -> list[dict[str, Any]]:
        """The openings that the audience gets with the deal; without one, those that nobody gets."""
        pairs = zip(self.openings, self.learning, strict=True)
        return [opening for opening, to in pairs if (not to if audience is None else audience in to)]

    # reading

    def must(self, condition: bool, text: str, rule: str = "record") -> None:
        self.table.must(condition, text, rule)

    def must_be(self, name: str, recorded: object, expected: object, rule: str = "record") -> None:
        self.table.must_be(name, recorded, expected, rule)

    def act(self, *types: str, turn: int | Collection[int] = ()) -> Envelope:
        """The next act of the deal, which must be of one of these types; those in `FREE` may come first.

        `turn` is the seat, or the seats, whose turn it is.
        """
        self.waited_for, self.on_turn = types, (turn,) if isinstance(turn, int) else turn
        while True:
            if self.table.watcher is not None:
                self.table.pass_by()
                self.table.watcher(self)
            event = self.table.take()
            if event["type"] in self.FREE:
                self.free(event)
            elif event["type"] not in types:
                raise Stuck(f"version {event['version']}: {event['type']} comes where {' or '.join(types)} should")
            else:
                return event

    def follow(self, type_: str) -> Envelope:
        """The event that must follow by itself at once."""
        return self.table.follow(type_)

    def declared(self, rule: str, *, by_itself: bool, turn: int | Collection[int] = ()) -> Envelope:
        """The declaration: an act or, where there was nothing to choose, what followed by itself."""
        event = self.follow("contract-declared") if by_itself else self.act("contract-declared", turn=turn)
        self.must((event["actor"] == "house") is by_itself, f"{event['actor']} declared the contract", rule)
        return event

    def versions(self, *types: str) -> list[int]:
        """The versions of the deal's events of these types so far."""
        return [each["version"] for each in self.table.events[self.first : self.table.at] if each["type"] in types]

    def after(self, seat: int, steps: int = 1) -> int:
        """The seat whose turn comes so many steps later."""
        return self.order[(self.order.index(seat) + steps) % len(self.order)]

    def sorted(self, cards: Sequence[str]) -> list[str]:
        return sorted(cards, key=self.table.rules.pack.index)

    # what is refused

    def stage(self) -> Stage:
        """What the deal waits for now."""
        raise NotImplementedError

    def turn_rule(self, seat: int) -> str | None:  # noqa: ARG002 - read in games where it depends on the seat
        """The rule by which it is not the seat's turn, if it is another than the stage's."""
        return None

    def broken(self, seat: int, act: Mapping[str, Any]) -> Iterator[str]:
        """Every rule that this act breaks, of a type that has a place now and from a seat that is not out of turn."""
        raise NotImplementedError

    def first_broken(self, seat: int, act: Mapping[str, Any]) -> str | None:
        """The rule that the act breaks: that of the phase, else of the turn, else of the cards, else the first."""
        stage, type_ = self.stage(), act["type"]
        if type_ in stage.turns and seat not in self.on_turn:
            return self.turn_rule(seat) or stage.turns[type_]
        if type_ not in stage.turns and type_ not in stage.free:
            return stage.rule
        pack = drawn_from(self.table.rules, self.options)
        if any(card not in pack for card in cards_named(act)):
            return self.CARDS_RULE
        return min(self.broken(seat, act), key=numbered, default=None)

    def breaks_by_playing(self, seat: int, card: str) -> Iterator[str]:
        """The rule that a card breaks which may not be led, or played to the one that is."""
        hand = self.hands[seat]
        if self.led is None:
            if card not in hand:
                yield self.LEAD_RULE
        elif card not in self.playable(hand, self.led):
            yield self.following_rule

    # exchange

    def exchange(self, event: Envelope, seat: int, least: int, most: int, taken: Sequence[str] = ()) -> None:
        """`cards-exchanged` by this seat, who discards so many; what it does not take openly it draws unseen."""
        rule = self.EXCHANGE_RULE
        public = event["public"]
        self.must_be("who exchanges", public["seat"], seat, rule)
        if seat != public["seat"]:
            raise Stuck(f"version {event['version']}: the exchange of another seat")
        data = event["sealed"][f"seat:{seat}"]["data"]
        discarded, count = data["discarded"], public["count"]
        self.must_be("the number of discards", len(discarded), count, rule)
        self.must(least <= count <= most, f"{count} cards were exchanged, {least} to {most} may be", rule)
        self.must(distinct_of(discarded, self.hands[seat]), f"{discarded} were discarded but not held", rule)
        self.must_be("the order of discards", discarded, self.sorted(discarded))
        unseen = count - len(taken)
        self.must(0 <= unseen <= len(self.stock), f"{unseen} cards to draw of {len(self.stock)}", rule)
        drawn = self.stock[: max(unseen, 0)]
        self.must_be("the cards drawn", data["drawn"], drawn, rule)
        self.stock = self.stock[len(drawn) :]
        kept = [card for card in self.hands[seat] if card not in discarded]
        self.hands[seat] = [*kept, *taken, *(opening["card"] for opening in drawn)]
        self.must_be("the size of the hand", len(self.hands[seat]), self.portions.count(seat), rule)

    # tricks

    def suit(self, card: str) -> str:
        """The suit that a card belongs to."""
        return card[1]

    def power(self, card: str) -> int:
        """The more, the higher the card among those of its suit."""
        return -self.table.rules.pack.index(card)

    def trumps(self) -> str | None:
        """The suit that beats the others."""
        return None

    def playable(self, hand: Sequence[str], led: str) -> list[str]:
        """What may be played to this lead: a card of its suit, anything without one."""
        return following(hand, led, self.suit)

    @property
    def following_rule(self) -> str:
        """The rule of what is played to the card led."""
        return self.SUIT_RULE

    def card(self, seat: int, led: str | None) -> str:
        """The card that this seat plays."""
        self.led = led
        event = self.act("card-played", turn=seat)
        self.must_be("who plays", event["public"]["seat"], seat, self.TRICK_RULE)
        return self.played(seat, event["public"]["card"], led)

    def played(self, seat: int, card: str, led: str | None) -> str:
        hand = self.hands[seat]
        if card not in hand:
            raise Stuck(f"{card} was played by seat {seat}, who did not hold it")
        if led is not None:
            could = self.playable(hand, led)
            self.must(card in could, f"{card} was played with {could} in hand", self.following_rule)
        hand.remove(card)
        return card

    def trick_won(self, trick: Sequence[tuple[int, str]]) -> int:
        """`trick-won` follows; who wins this trick of seats and cards."""
        winner = self.winner(trick)
        self.won.append(winner)
        taken = self.follow("trick-won")["public"]
        self.must_be("the trick", taken, {"seat": winner, "trick": len(self.won)}, self.TRICK_RULE)
        return winner

    def trick(self, leader: int) -> list[tuple[int, str]]:
        """The seats and cards of a trick, from this leader on."""
        trick: list[tuple[int, str]] = []
        for step in range(len(self.order)):
            seat = self.after(leader, step)
            trick.append((seat, self.card(seat, trick[0][1] if trick else None)))
        return trick

    def winner(self, trick: Sequence[tuple[int, str]]) -> int:
        """The highest trump wins, without any the highest card of the suit led."""
        return taker(trick, self.trumps(), self.suit, self.power)

    def over(self) -> None:
        """Nothing may come any more but the score."""
        if self.table.peek() != "deal-scored":
            raise Stuck(f"after trick {len(self.won)}: all is settled, and yet {self.table.peek()} follows")


class TrickDeal(Deal):
    """A deal of tricks alone, all of which are played, and after which each line rests on tricks."""

    @abstractmethod
    def dues(self, tricks: Sequence[Trick], events: Sequence[Sequence[int]]) -> tuple[str, list[Due]]:
        """The outcome, and what is booked for these tricks; with each trick the versions of its events."""

    def play(self) -> Result:
        """All tricks, the first of which the dealer's left leads to."""
        leader, tricks, events = self.order[0], list[list[tuple[int, str]]](), list[list[int]]()
        while any(self.hands.values()):
            tricks.append(self.trick(leader))
            leader = self.trick_won(tricks[-1])
            events.append(self.versions("card-played", "trick-won")[-len(self.order) - 1 :])
        self.over()
        outcome, dues = self.dues(tricks, events)
        return Result(outcome, dues, self.versions("card-played", "trick-won"))

    def stage(self) -> Stage:
        """A card to play, in turn."""
        return Stage(self.LEAD_RULE, {"play": self.LEAD_RULE})

    def broken(self, seat: int, act: Mapping[str, Any]) -> Iterator[str]:
        """The rules of the lead and of following suit."""
        yield from self.breaks_by_playing(seat, act["card"])


def cards_named(act: Mapping[str, Any]) -> Iterator[str]:
    """The cards that the fields of an act name, but for those of its words."""
    for name, value in act.items():
        if name in CARD_FIELDS:
            yield from [value] if isinstance(value, str) else value or ()


CARD_FIELDS = {"called", "card", "cards", "discard", "keep", "lay", "loose", "take", "taken", "wild"}
"""The fields of acts that name cards."""


def distinct_of(cards: Sequence[str], among: Sequence[str]) -> bool:
    return len(set(cards)) == len(cards) and set(cards) <= set(among)
