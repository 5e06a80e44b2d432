"""An independent check of a finished game of Crocodile, from its event envelopes alone.

It is written from the rules of the game and from `api-spec/record.md` and shares no code with what it checks:
it imports only the standard library. `violations` takes the envelopes of one table as `GET …/events` serves
them when the game is over, every section open, and tells in sentences what is wrong with them.
"""

import hashlib
import hmac
import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from functools import cache
from typing import Any, TypeGuard

Envelope = dict[str, Any]
Line = dict[str, Any]
Test = Callable[[object], bool]

# the record

GENESIS = "00" * 32
SUITS = "shdc"
RANKS = "KQJ765432A"
SORTED_PACK = [rank + suit for suit in SUITS for rank in RANKS]


def canonical(value: object) -> bytes:
    """RFC 8785 for values without floats whose member names are ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def header(event: Envelope, previous: str) -> dict[str, Any]:
    """What an event's hash covers."""
    told = ("action", "actor", "at", "deal", "game", "schema", "seals", "table", "type", "version")
    chained = {"previous": previous, "public": sha256(canonical(event["public"])).hex()}
    return {name: event[name] for name in told} | chained


def event_hash(event: Envelope, previous: str) -> str:
    """The hash an envelope must carry after an event whose hash is `previous`."""
    return sha256(b"codille-event-v1\n" + canonical(header(event, previous))).hex()


def seal(section: dict[str, Any]) -> str:
    """The commitment to a section that is open."""
    return sha256(bytes.fromhex(section["salt"]) + canonical(section["data"])).hex()


def prefixed(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def numbers(seed: bytes, start: bytes) -> Iterator[int]:
    """The 32-bit words of the counter stream."""
    for counter in itertools.count():
        block = hmac.new(seed, start + counter.to_bytes(8, "big"), hashlib.sha256).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(block[at : at + 4], "big")


def below(bound: int, words: Iterator[int]) -> int:
    while True:
        word = next(words)
        if word < (2**32 // bound) * bound:
            return word % bound


def message(label: str, table: str, deal: int, entropies: Sequence[bytes]) -> bytes:
    return prefixed(label.encode(), table.encode(), deal.to_bytes(4, "big"), *entropies)


def first_dealer(seed: bytes, table: str, entropies: Sequence[bytes]) -> int:
    return below(3, numbers(seed, message("codille-first-dealer", table, 0, entropies)))


def draw_pack(seed: bytes, table: str, deal: int, entropies: Sequence[bytes]) -> list[str]:
    """The pack of a deal from its top."""
    words = numbers(seed, message("codille-deal", table, deal, entropies))
    pack = list(SORTED_PACK)
    for i in range(len(pack) - 1, 0, -1):
        j = below(i + 1, words)
        pack[i], pack[j] = pack[j], pack[i]
    return pack


def card_salt(seed: bytes, table: str, deal: int, place: int) -> bytes:
    told = message("codille-card", table, deal, ()) + place.to_bytes(4, "big")
    return hmac.new(seed, told, hashlib.sha256).digest()


def card_commitment(salt: bytes, card: str) -> str:
    return sha256(salt + card.encode("ascii")).hex()


def rules_digest(game: dict[str, Any]) -> str:
    """The digest of a game's rules, from what `GET …/games/{game}` serves of it."""
    rules = [{name: rule[name] for name in ("id", "option", "reading")} for rule in game["rules"]]
    tables = {
        table: [{name: row[name] for name in row if name != "text"} for row in game[table]]
        for table in ("bonuses", "contracts", "outcomes")
    }
    return sha256(canonical({"rules": rules, "tables": tables, "version": game["rules_version"]})).hex()


# the shape of what is served

CONTRACTS: dict[str, dict[str, Any]] = {
    # value; positive or not; trumps: named, turned, none; declarer's exchange (least, most); may concede
    "casco": {"value": 1, "positive": True, "trumps": "casco", "exchange": None, "concede": True},
    "play": {"value": 2, "positive": True, "trumps": "named", "exchange": (0, 9), "concede": True},
    "grand": {"value": 2, "positive": True, "trumps": "none", "exchange": (0, 9), "concede": True},
    "tournee": {"value": 3, "positive": True, "trumps": "turned", "exchange": (0, 9), "concede": True},
    "exchange-nolo": {"value": 3, "positive": False, "trumps": "none", "exchange": (0, 4), "concede": False},
    "solo": {"value": 4, "positive": True, "trumps": "named", "exchange": None, "concede": False},
    "grandissimo": {"value": 4, "positive": True, "trumps": "none", "exchange": None, "concede": False},
    "tournee-respect": {"value": 6, "positive": True, "trumps": "turned", "exchange": (1, 1), "concede": False},
    "nolo": {"value": 6, "positive": False, "trumps": "none", "exchange": None, "concede": False},
    "nolo-ouvert": {"value": 10, "positive": False, "trumps": "none", "exchange": None, "concede": False},
}
BIDS = ["play", "grand", "tournee", "exchange-nolo", "solo", "grandissimo", "tournee-respect", "nolo", "nolo-ouvert"]
BONUSES = ("talking", "cuatro", "primeras", "tout")
OUTCOMES = (
    "victory", "simple-remis", "piccolo-remis", "simple-loss", "crocodile-lunch", "contraprimeras", "contranolo",
    "conceded",
)  # fmt: skip
OPTIONS = {
    "contraprimeras": ("always", "if-lost"),
    "bonus_stacking": ("exclusive", "cumulative"),
    "casco_stock": ("all", "face-up"),
}


def is_int(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def is_seat(value: object) -> bool:
    return is_int(value) and 0 <= value <= 2


def is_card(value: object) -> bool:
    return isinstance(value, str) and value in SORTED_PACK


def is_suit(value: object) -> bool:
    return isinstance(value, str) and len(value) == 1 and value in SUITS


def is_hash(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def is_uuid(value: object) -> bool:
    pattern = "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def is_time(value: object) -> bool:
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def is_entropy(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch("([0-9a-f]{2}){0,64}", value) is not None


def is_actor(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch("house|seat:[0-2]|arbiter:.+", value) is not None


def one_of(*values: object) -> Test:
    return lambda value: any(value == each and type(value) is type(each) for each in values)


def or_null(test: Test) -> Test:
    return lambda value: value is None or test(value)


def list_of(test: Test, length: int | None = None) -> Test:
    return lambda value: isinstance(value, list) and length in (None, len(value)) and all(map(test, value))


def record_of(**fields: Test) -> Test:
    return lambda value: (
        isinstance(value, dict)
        and set(value) == set(fields)
        and all(test(value[name]) for name, test in fields.items())
    )


is_opening = record_of(position=lambda at: is_int(at) and 0 <= at < 40, card=is_card, salt=is_hash)
is_line = record_of(
    account=is_text, seat=or_null(is_seat), amount=is_int, kind=is_text, rule=is_text, text=is_text,
    events=list_of(is_int), **{"with": is_text},
)  # fmt: skip
seat_only = record_of(seat=is_seat)
is_contract = one_of(*CONTRACTS)

SHAPES: dict[str, tuple[Test, dict[str, Test]]] = {
    # by type: the public payload, and the sections by kind of audience
    "table-opened": (
        record_of(
            game=one_of("crocodile"), rules_version=is_int, rules_digest=is_hash, deals=is_int, seed_commitment=is_hash,
            options=record_of(**{name: one_of(*values) for name, values in OPTIONS.items()}),
        ),
        {"house": record_of(seed=is_hash, opener=is_text)},
    ),
    "seat-taken": (record_of(seat=is_seat, player=is_text, entropy=or_null(is_entropy)), {}),
    "seat-left": (seat_only, {}),
    "game-started": (record_of(first_dealer=is_seat, draws=list_of(is_text, 0)), {}),
    "cards-dealt": (
        record_of(deal=is_int, dealer=is_seat, card_commitments=list_of(is_hash, 40), lines=list_of(is_line, 0)),
        {
            "seat": record_of(cards=list_of(is_opening, 9)),
            "house": record_of(talon=list_of(is_opening, 13), seed=is_hash),
        },
    ),
    "deal-scored": (
        record_of(
            deal=is_int, outcome=one_of(*OUTCOMES), lines=list_of(is_line), totals=list_of(is_int, 3), seed=is_hash
        ),
        {},
    ),
    "game-finished": (
        record_of(totals=list_of(is_int, 3), winners=list_of(is_seat), reason=is_text, lines=list_of(is_line, 0)), {}
    ),
    "bid-made": (record_of(seat=is_seat, contract=one_of(*BIDS)), {}),
    "bid-passed": (seat_only, {}),
    "casco-forced": (seat_only, {}),
    "contract-declared": (
        record_of(seat=is_seat, contract=one_of(*BIDS), trump=or_null(is_suit), bonus=or_null(one_of(*BONUSES))), {}
    ),
    "talon-turned": (record_of(card=is_card, trump=is_suit, opening=is_opening), {}),
    "casco-taken": (
        seat_only, {"seat": record_of(kept=is_card, discarded=list_of(is_card, 8), taken=list_of(is_opening, 13))}
    ),
    "casco-laid": (
        record_of(seat=is_seat, cards=list_of(is_card, 5), trump=or_null(is_suit), bonus=or_null(one_of(*BONUSES))), {}
    ),
    "priority-offered": (record_of(seat=is_seat, to=is_seat), {}),
    "priority-answered": (record_of(seat=is_seat, accepted=one_of(True, False)), {}),
    "cards-exchanged": (
        record_of(seat=is_seat, count=is_int, taken=list_of(is_card)),
        {"seat": record_of(discarded=list_of(is_card), drawn=list_of(is_opening))},
    ),
    "hand-exposed": (record_of(seat=is_seat, cards=list_of(is_card, 9)), {}),
    "card-played": (record_of(seat=is_seat, card=is_card), {}),
    "trick-won": (record_of(seat=is_seat, trick=is_int), {}),
    "deal-conceded": (seat_only, {}),
    "table-talk": (seat_only, {"public": record_of(text=is_text)}),
    "dispute-opened": (
        record_of(dispute=is_int, seat=is_seat, lines=list_of(record_of(version=is_int, line=is_int))),
        {"public": record_of(reason=is_text)},
    ),
    "dispute-ruled": (
        record_of(dispute=is_int, ruling=one_of("upheld", "rejected")), {"public": record_of(text=is_text)}
    ),
    "ledger-corrected": (
        record_of(
            dispute=is_int, lines=list_of(is_line), totals=list_of(is_int, 3), winners=or_null(list_of(is_seat))
        ),
        {},
    ),
    "text-erased": (record_of(version=is_int, audience=one_of("public")), {}),
}  # fmt: skip

ENVELOPE: dict[str, Test] = {
    "table": is_uuid, "game": one_of("crocodile"), "version": is_int, "position": is_int, "deal": or_null(is_int),
    "type": one_of(*SHAPES), "schema": one_of(1), "at": is_time, "actor": is_actor,
    "action": or_null(is_uuid), "hash": is_hash,
    "public": lambda value: isinstance(value, dict),
    "seals": lambda value: isinstance(value, dict) and all(map(is_hash, value.values())),
    "sealed": lambda value: isinstance(value, dict),
}  # fmt: skip

ACTS = {
    "seat-taken", "seat-left", "bid-made", "bid-passed", "contract-declared", "casco-taken", "casco-laid",
    "priority-offered", "priority-answered", "cards-exchanged", "card-played", "deal-conceded", "table-talk",
    "dispute-opened",
}  # fmt: skip
"""What a seat does; everything else is the house's, or an arbiter's."""

ABOUT_THE_RECORD = {"dispute-opened", "dispute-ruled", "ledger-corrected", "text-erased"}
"""What may come between any two acts, and after the end of the game; it belongs to no deal."""


def audiences(event: Envelope) -> set[str]:
    """Whose sections an event of this type has."""
    kinds = SHAPES[event["type"]][1]
    if event["type"] == "cards-dealt":
        return {"seat:0", "seat:1", "seat:2", "house"}
    return {f"seat:{event['public']['seat']}" if kind == "seat" else kind for kind in kinds}


def shape_of(event: Envelope, erased: Collection[int] = ()) -> list[str]:
    """What is wrong with one envelope's fields, taken by themselves; the words of some versions are `erased`."""
    if not isinstance(event, dict) or set(event) != set(ENVELOPE):
        return [f"the envelope does not have the members it should: {sorted(event)}"]
    wrong = [f"{name} is ill-formed: {event[name]!r}" for name, test in ENVELOPE.items() if not test(event[name])]
    if wrong:
        return wrong
    public, kinds = SHAPES[event["type"]]
    if not public(event["public"]):
        return [f"the public payload is ill-formed: {event['public']!r}"]
    if set(event["seals"]) != audiences(event):
        return [f"sealed for {sorted(event['seals'])}, not for {sorted(audiences(event))}"]
    if set(event["sealed"]) != set(event["seals"]) - ({"public"} if event["version"] in erased else set()):
        return [f"open for {sorted(event['sealed'])} only, though the game is over"]
    for audience, section in event["sealed"].items():
        test = kinds[audience.partition(":")[0]]
        if not record_of(salt=is_hash, data=test)(section):
            wrong.append(f"the section for {audience} is ill-formed: {section!r}")
        elif seal(section) != event["seals"][audience]:
            wrong.append(f"the section for {audience} is not the one that was sealed")
    return wrong


# outcomes and bonuses

Booking = tuple[str, str, int]
"""Kind, rule and amount of what declarer gains."""
Result = tuple[str, tuple[Booking, ...]]


def outcome_of(contract: str, won: tuple[int, ...], declarer: int, options: tuple[str, str]) -> tuple[str, str, int]:
    """Outcome, rule and multiple of the value, when the nine tricks went to the seats in `won` (CR-9)."""
    mine = won.count(declarer)
    others = sorted(won.count(seat) for seat in range(3) if seat != declarer)
    most = mine > others[1]
    if CONTRACTS[contract]["positive"]:
        first_five_lost = declarer not in won[:5]
        if first_five_lost and (options[0] == "always" or not most):
            return "contraprimeras", "CR-9.1", -4
        if most:
            return "victory", "CR-9.2", 1
        if mine == others[1]:
            return "simple-remis", "CR-9.3", -1
        if (mine, *others) == (1, 4, 4):
            return "piccolo-remis", "CR-9.4", -1
        return "crocodile-lunch", "CR-9.5", -2
    if mine == 0:
        return "victory", "CR-9.6", 1
    if mine == 1:
        return "simple-loss", "CR-9.7", -1
    if most:
        return "contranolo", "CR-9.8", -4
    return "crocodile-lunch", "CR-9.9", -2


def bonus_value(contract: str, bonus: str) -> int:
    """What a bonus bid is worth (CR-10.1)."""
    value: int = CONTRACTS[contract]["value"]
    return {"talking": 10, "cuatro": 2 * value, "primeras": 2 * value, "tout": 7 * value}[bonus]


def result(contract: str, bonus: str | None, won: tuple[int, ...], declarer: int, options: tuple[str, str]) -> Result:
    """What a deal whose nine tricks went to `won` comes to (CR-9, CR-10)."""
    value: int = CONTRACTS[contract]["value"]
    outcome, rule, multiple = outcome_of(contract, won, declarer, options)
    bookings: list[Booking] = [("contract", rule, multiple * value)]
    victory = outcome == "victory"
    made = {
        "talking": victory,
        "cuatro": victory and won.count(declarer) == 4,
        "primeras": set(won[:5]) == {declarer},
        "tout": set(won) == {declarer},
    }
    if bonus is not None:
        worth = bonus_value(contract, bonus)
        bookings.append(("bonus", "CR-10.2", worth if made[bonus] else -worth))
    if CONTRACTS[contract]["positive"]:
        for feat, times in (("cuatro", 1), ("primeras", 1), ("tout", 3)):
            replaced = feat == "primeras" and made["tout"] and options[1] == "exclusive"
            if made[feat] and feat != bonus and not replaced:
                bookings.append(("bonus", "CR-10.3", times * value))
    return outcome, tuple(sorted(bookings))


def results(
    contract: str, bonus: str | None, won: Sequence[int], declarer: int, options: tuple[str, str]
) -> frozenset[Result]:
    """All that may still come of a deal of which these tricks are played: every way of sharing out the rest (CR-8.4).

    Nothing asks in which order the first five tricks fell, nor the last four; so they may be sorted, and the seats
    counted from declarer, that fewer cases are to be gone through.
    """
    told = [(seat - declarer) % 3 for seat in won]
    return _results(contract, bonus, tuple(sorted(told[:5])), tuple(sorted(told[5:])), options)


@cache
def _results(
    contract: str, bonus: str | None, early: tuple[int, ...], late: tuple[int, ...], options: tuple[str, str]
) -> frozenset[Result]:
    if len(early) + len(late) == 9:
        return frozenset({result(contract, bonus, early + late, 0, options)})
    further: set[Result] = set()
    for seat in range(3):
        if len(early) < 5:
            further |= _results(contract, bonus, tuple(sorted((*early, seat))), late, options)
        else:
            further |= _results(contract, bonus, early, tuple(sorted((*late, seat))), options)
    return frozenset(further)


# the game


class Stuck(Exception):
    """The record cannot be followed any further."""


class Replay:
    """Goes through the events of a table once, from the first to the last."""

    def __init__(self, events: list[Envelope]) -> None:
        self.events = events
        self.at = 0
        self.found: list[str] = []
        self.actions: set[str] = set()
        self.players: dict[int, str] = {}
        self.entropies: dict[int, bytes] = {}
        self.totals = [0, 0, 0]
        self.booked: dict[int, list[Line]] = {}
        """Lines by the version of the event that booked them."""
        self.disputes: list[Envelope] = []
        self.ruled: set[int] = set()
        self.erased: set[int] = set()
        self.finished = False
        self.deal: int | None = None
        self.talkers: set[int] = set()
        self.said: Counter[int] = Counter()
        self.may_concede: int | None = None
        """The seat that may concede now."""

    # reading

    def wrong(self, text: str, rule: str = "record") -> None:
        version = self.events[min(max(self.at - 1, 0), len(self.events) - 1)]["version"]
        self.found.append(f"version {version}: {rule}: {text}")

    def must(self, condition: bool, text: str, rule: str = "record") -> None:
        if not condition:
            self.wrong(text, rule)

    def must_be(self, name: str, recorded: object, expected: object, rule: str = "record") -> None:
        self.must(recorded == expected, f"{name} is {recorded!r} and should be {expected!r}", rule)

    def peek(self) -> str | None:
        return self.events[self.at]["type"] if self.at < len(self.events) else None

    def take(self) -> Envelope:
        while self.peek() in ABOUT_THE_RECORD:
            self.about_the_record()
        return self.next()

    def next(self) -> Envelope:
        if self.at == len(self.events):
            raise Stuck("the record ends before the game does")
        event = self.events[self.at]
        self.at += 1
        self.booked[event["version"]] = event["public"].get("lines", [])
        if event["type"] in ABOUT_THE_RECORD:
            self.must_be("deal", event["deal"], None)
        else:
            self.must_be("deal", event["deal"], self.deal)
        if event["type"] in ACTS:
            self.must_be("actor", event["actor"], f"seat:{event['public']['seat']}")
            own = event["action"] is not None and event["action"] not in self.actions
            self.must(own, "an act needs an action id of its own")
        elif event["type"] in ("dispute-ruled", "ledger-corrected"):
            self.must(event["actor"].startswith("arbiter:"), "an arbiter rules and corrects")
        else:
            self.must_be("actor", event["actor"], "house")
        if event["action"] is not None:
            self.actions.add(event["action"])
        return event

    def act(self, *types: str) -> Envelope:
        """The next act of the deal, which must be of one of these types; talk and concession may come first."""
        while True:
            event = self.take()
            if event["type"] == "table-talk":
                self.talk(event)
            elif event["type"] == "deal-conceded":
                raise Conceded(event)
            elif event["type"] not in types:
                raise Stuck(f"version {event['version']}: {event['type']} comes where {' or '.join(types)} should")
            else:
                return event

    def follow(self, type_: str) -> Envelope:
        """The event that must follow by itself at once, with the last one's action id and time."""
        last = self.events[self.at - 1]
        event = self.next()
        if event["type"] != type_:
            raise Stuck(f"version {event['version']}: {event['type']} comes where {type_} should follow")
        self.must_be("action", event["action"], last["action"])
        self.must_be("at", event["at"], last["at"])
        return event

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
                self.must(taken.isdisjoint(self.pairs(event)), "a line is disputed twice")
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
        """Every disputed pair is taken back, then pairs are booked anew; totals and winners follow."""
        public = event["public"]
        self.must_be("dispute", public["dispute"], dispute["public"]["dispute"])
        disputed = self.pairs(dispute)
        taken_back, anew = public["lines"][: 2 * len(disputed)], public["lines"][2 * len(disputed) :]
        for number, (version, pair) in enumerate(disputed):
            before = self.booked[version][2 * pair : 2 * pair + 2]
            for was, now in zip(before, taken_back[2 * number : 2 * number + 2], strict=True):
                for name in ("account", "with", "seat", "rule"):
                    self.must_be(f"{name} of what is taken back", now[name], was[name])
                self.must_be("what is taken back", now["amount"], -was["amount"])
                self.must_be("kind and grounds", (now["kind"], now["events"]), ("reversal", [version]))
        self.must(len(anew) % 2 == 0, "a line has no counter-line")
        for own, other in zip(anew[::2], anew[1::2], strict=False):
            told = (other["account"], other["with"], -other["amount"])
            self.must_be("the counter-line", told, (own["with"], own["account"], own["amount"]))
        for line in public["lines"]:
            if line["seat"] is not None:
                self.totals[line["seat"]] += line["amount"]
                self.must_be("account", line["account"], f"player:{self.players[line['seat']]}")
        self.must_be("totals", public["totals"], self.totals)
        self.must_be("winners", public["winners"], self.best() if self.finished else None)

    def best(self) -> list[int]:
        return [seat for seat in range(3) if self.totals[seat] == max(self.totals)]

    # the table

    def run(self) -> None:
        opened = self.take()
        if opened["type"] != "table-opened":
            raise Stuck("a table begins with table-opened")
        terms = opened["public"]
        self.table = opened["table"]
        self.stacking: tuple[str, str] = (terms["options"]["contraprimeras"], terms["options"]["bonus_stacking"])
        self.casco_stock = terms["options"]["casco_stock"]
        deals = terms["deals"]
        self.must(deals % 3 == 0 and 3 <= deals <= 99, f"a game has no {deals} deals", "CR-1.2")
        while len(self.players) < 3:
            self.seating()
        started = self.follow("game-started")
        before = terms["seed_commitment"]
        dealer = started["public"]["first_dealer"]
        for number in range(1, deals + 1):
            self.deal = number
            dealt = self.follow("cards-dealt")
            self.must_be("deal", dealt["public"]["deal"], number)
            self.must_be("dealer", dealt["public"]["dealer"], dealer, "CR-1.3")
            scored = self.play_deal(dealt, dealer)
            seed = scored["public"]["seed"]
            self.must_be("the hash of the deal's seed", sha256(bytes.fromhex(seed)).hex(), before)
            self.must_be("the seed in the house's section", dealt["sealed"]["house"]["data"]["seed"], seed)
            if number == 1:
                drawn = first_dealer(bytes.fromhex(seed), self.table, self.mixed())
                self.must_be("the first dealer", started["public"]["first_dealer"], drawn, "CR-1.3")
            before = seed
            dealer = (dealer + 1) % 3
        self.must_be("the last seed in the house's section", opened["sealed"]["house"]["data"]["seed"], before)
        self.deal = None
        finished = self.follow("game-finished")["public"]
        self.must_be("totals", finished["totals"], self.totals, "CR-1.5")
        self.must_be("winners", finished["winners"], self.best(), "CR-1.5")
        self.finished = True
        while self.peek() in ABOUT_THE_RECORD:
            self.about_the_record()
        self.must(self.at == len(self.events), "events follow the end of the game")

    def mixed(self) -> list[bytes]:
        return [self.entropies[seat] for seat in range(3)]

    def seating(self) -> None:
        event = self.take()
        public = event["public"]
        if event["type"] == "seat-taken":
            self.must(public["seat"] not in self.players, f"seat {public['seat']} is taken already")
            self.must(public["player"] not in self.players.values(), "the player has a seat already")
            self.players[public["seat"]] = public["player"]
            self.entropies[public["seat"]] = bytes.fromhex(public["entropy"] or "")
        elif event["type"] == "seat-left":
            self.must(public["seat"] in self.players, f"nobody sits on seat {public['seat']}")
            self.players.pop(public["seat"], None)
            self.entropies.pop(public["seat"], None)
        else:
            raise Stuck(f"version {event['version']}: {event['type']} comes before the seats are taken")

    # a deal

    def play_deal(self, dealt: Envelope, dealer: int) -> Envelope:
        """Goes through one deal; returns its score."""
        scored = next((e for e in self.events[self.at :] if e["type"] == "deal-scored"), None)
        if scored is None:
            raise Stuck("the deal is never scored")
        first = self.at - 1
        self.talkers, self.said, self.may_concede = set(), Counter(), None
        self.contract: str | None = None
        self.bonus: str | None = None
        self.trump: str | None = None
        self.won: list[int] = []
        self.deal_out(dealt, dealer, bytes.fromhex(scored["public"]["seed"]))
        eldest = (dealer + 1) % 3
        try:
            self.declarer, bid = self.auction(eldest)
            if bid is None:
                self.casco()
            else:
                self.declaration(bid)
            self.exchanges()
            expected = self.tricks(eldest)
        except Conceded as conceded:
            expected = self.concession(conceded.event)
        recorded = self.follow("deal-scored")
        self.score(recorded, expected, first)
        return recorded

    def deal_out(self, dealt: Envelope, dealer: int, seed: bytes) -> None:
        """The pack, its commitments, and who was told which cards (CR-3)."""
        assert self.deal is not None
        self.pack = draw_pack(seed, self.table, self.deal, self.mixed())
        self.openings: list[dict[str, Any]] = [
            {"position": place, "card": card, "salt": card_salt(seed, self.table, self.deal, place).hex()}
            for place, card in enumerate(self.pack)
        ]
        for place, commitment in enumerate(dealt["public"]["card_commitments"]):
            opening = self.openings[place]
            self.must_be(
                f"the commitment of place {place}", commitment,
                card_commitment(bytes.fromhex(opening["salt"]), opening["card"]),
            )  # fmt: skip
        places: dict[int, list[int]] = {0: [], 1: [], 2: []}
        for batch in range(9):
            places[(dealer + 1 + batch) % 3] += range(3 * batch, 3 * batch + 3)
        for seat in range(3):
            told = dealt["sealed"][f"seat:{seat}"]["data"]["cards"]
            self.must_be(f"what seat {seat} was told", told, [self.openings[p] for p in places[seat]], "CR-3.1")
        self.must_be("the talon", dealt["sealed"]["house"]["data"]["talon"], self.openings[27:], "CR-3.2")
        self.hands = {seat: [self.pack[p] for p in places[seat]] for seat in range(3)}
        self.stock = self.openings[27:]
        """What is drawn unseen, from the top."""
        self.face_up: list[str] = []

    def auction(self, eldest: int) -> tuple[int, str | None]:
        """Declarer, and the bid that stands; no bid means Casco (CR-4)."""
        speaking = [(eldest + step) % 3 for step in range(3)]
        standing: str | None = None
        while True:
            event = self.act("bid-made", "bid-passed")
            seat = event["public"]["seat"]
            self.must_be("the speaker", seat, speaking[0], "CR-4.1")
            if seat not in speaking:
                raise Stuck(f"version {event['version']}: CR-4.2: seat {seat} has passed already")
            if event["type"] == "bid-passed":
                speaking.remove(seat)
                if not speaking:
                    forced = self.follow("casco-forced")
                    self.must_be("declarer", forced["public"]["seat"], eldest, "CR-4.5")
                    return eldest, None
            else:
                bid = event["public"]["contract"]
                if standing is not None:
                    self.must(BIDS.index(bid) > BIDS.index(standing), f"{bid} is no higher than {standing}", "CR-4.3")
                standing = bid
                speaking.remove(seat)
                speaking.append(seat)
                if bid == "nolo-ouvert":
                    return seat, bid
            if len(speaking) == 1 and standing is not None:
                return speaking[0], standing

    def declaration(self, bid: str) -> None:
        """CR-6, and the turn-up."""
        public = self.act("contract-declared")["public"]
        self.must_be("declarer", public["seat"], self.declarer, "CR-6.1")
        name = public["contract"]
        kind = CONTRACTS[name]
        raised = kind["value"] > CONTRACTS[bid]["value"]
        self.must(name == bid or raised, f"{name} may not be declared on a bid of {bid}", "CR-6.1")
        named = kind["trumps"] == "named"
        self.must((public["trump"] is not None) == named, f"{name} with trump {public['trump']}", "CR-6.2")
        self.settle(name, public["trump"], public["bonus"])
        if kind["trumps"] == "turned":
            turned = self.follow("talon-turned")["public"]
            self.must_be("the turn-up", turned["card"], self.pack[27], "CR-6.4")
            self.must_be("its opening", turned["opening"], self.openings[27], "CR-6.4")
            self.must_be("trump", turned["trump"], self.pack[27][1], "CR-6.4")
            self.trump = self.pack[27][1]

    def settle(self, contract: str, trump: str | None, bonus: str | None) -> None:
        """Takes down what is played."""
        self.contract, self.trump, self.bonus = contract, trump, bonus
        bonuses = BONUSES[1:] if CONTRACTS[contract]["positive"] else BONUSES[:1] if contract == "nolo-ouvert" else ()
        self.must(bonus is None or bonus in bonuses, f"{bonus} with {contract}", "CR-10.1")

    def casco(self) -> None:
        """Declarer's part of Casco: keep one, take the talon, lay five, name trumps (CR-7.6)."""
        dealt = list(self.hands[self.declarer])
        taken = self.act("casco-taken")
        self.must_be("declarer", taken["public"]["seat"], self.declarer, "CR-7.6")
        data = taken["sealed"][f"seat:{taken['public']['seat']}"]["data"]
        self.must(data["kept"] in dealt, f"{data['kept']} was kept but not held", "CR-7.6")
        discarded = [card for card in dealt if card != data["kept"]]
        self.must_be("the discards", data["discarded"], discarded, "CR-7.6")
        self.must_be("the cards taken", data["taken"], self.stock, "CR-7.6")
        hand = [data["kept"], *self.pack[27:]]
        laid = self.act("casco-laid")["public"]
        self.must_be("declarer", laid["seat"], self.declarer, "CR-7.6")
        cards = laid["cards"]
        self.must(distinct_of(cards, hand), f"{cards} were laid but not held", "CR-7.6")
        self.must_be("the order of the cards laid", cards, sorted_cards(cards))
        self.hands[self.declarer] = [card for card in hand if card not in cards]
        self.settle("casco", laid["trump"], laid["bonus"])
        self.face_up = list(cards)
        unseen = discarded if self.casco_stock == "all" else []
        self.stock = [self.openings[self.pack.index(card)] for card in unseen]

    def exchanges(self) -> None:
        """CR-7: declarer, then the opponents, perhaps after an offer of priority."""
        assert self.contract is not None
        kind = CONTRACTS[self.contract]
        if kind["exchange"] is not None:
            self.exchange(self.act("cards-exchanged"), self.declarer, *kind["exchange"])
        if kind["concede"]:
            self.may_concede = self.declarer
        first, second = (self.declarer + 1) % 3, (self.declarer + 2) % 3
        event = self.act("cards-exchanged", "priority-offered")
        if event["type"] == "priority-offered":
            self.must_be("the offer", event["public"], {"seat": first, "to": second}, "CR-7.4")
            answer = self.act("priority-answered")["public"]
            self.must_be("who answers", answer["seat"], second, "CR-7.4")
            if answer["accepted"]:
                first, second = second, first
            event = self.act("cards-exchanged")
        self.exchange(event, first, 0, 9)
        if self.stock or self.face_up:
            self.exchange(self.act("cards-exchanged"), second, 0, 9)
        if self.contract == "nolo-ouvert":
            exposed = self.follow("hand-exposed")["public"]
            self.must_be("whose hand", exposed["seat"], self.declarer, "CR-5.3")
            self.must_be("the hand", exposed["cards"], sorted_cards(self.hands[self.declarer]), "CR-5.3")
            if self.bonus == "talking":
                self.talkers = {0, 1, 2} - {self.declarer}

    def exchange(self, event: Envelope, seat: int, least: int, most: int) -> None:
        public = event["public"]
        self.must_be("who exchanges", public["seat"], seat, "CR-7.3")
        data = event["sealed"][f"seat:{public['seat']}"]["data"]
        discarded, taken, count = data["discarded"], public["taken"], public["count"]
        self.must_be("the number of discards", len(discarded), count, "CR-7.1")
        self.must(least <= count <= most, f"{count} cards were exchanged, {least} to {most} may be", "CR-7.1")
        self.must(distinct_of(discarded, self.hands[seat]), f"{discarded} were discarded but not held", "CR-7.1")
        self.must(distinct_of(taken, self.face_up), f"{taken} do not lie face up", "CR-7.7")
        self.must_be("the order of discards", discarded, sorted_cards(discarded))
        self.must_be("the order of cards taken", taken, sorted_cards(taken))
        unseen = count - len(taken)
        self.must(0 <= unseen <= len(self.stock), f"{unseen} cards to draw of {len(self.stock)}", "CR-7.3, CR-7.7")
        drawn = self.stock[: max(unseen, 0)]
        self.must_be("the cards drawn", data["drawn"], drawn, "CR-7.1")
        self.stock = self.stock[len(drawn) :]
        self.face_up = [card for card in self.face_up if card not in taken]
        kept = [card for card in self.hands[seat] if card not in discarded]
        self.hands[seat] = [*kept, *taken, *(opening["card"] for opening in drawn)]
        self.must_be("the size of the hand", len(self.hands[seat]), 9, "CR-7.1")

    def tricks(self, eldest: int) -> Result:
        """CR-8: every trick until all is settled, and none after it."""
        assert self.contract is not None
        leader = eldest
        while len(results(self.contract, self.bonus, self.won, self.declarer, self.stacking)) > 1:
            trick: list[tuple[int, str]] = []
            for step in range(3):
                public = self.act("card-played")["public"]
                seat, card = public["seat"], public["card"]
                self.must_be("who plays", seat, (leader + step) % 3, "CR-8.1")
                hand = self.hands[seat]
                if card not in hand:
                    raise Stuck(f"{card} was played by seat {seat}, who did not hold it")
                if trick and card[1] != trick[0][1][1]:
                    could = [held for held in hand if held[1] == trick[0][1][1]]
                    self.must(not could, f"{card} was played with {could} in hand", "CR-8.2")
                hand.remove(card)
                trick.append((seat, card))
                if seat == self.declarer:
                    self.may_concede = None
            leader = self.winner(trick)
            self.won.append(leader)
            taken = self.follow("trick-won")["public"]
            self.must_be("the trick", taken, {"seat": leader, "trick": len(self.won)}, "CR-8.3")
        if self.peek() != "deal-scored":
            raise Stuck(f"after trick {len(self.won)}: CR-8.4: all is settled, and yet {self.peek()} follows")
        (settled,) = results(self.contract, self.bonus, self.won, self.declarer, self.stacking)
        return settled

    def winner(self, trick: list[tuple[int, str]]) -> int:
        best_seat, best = trick[0]
        for seat, card in trick[1:]:
            if card[1] == best[1]:
                if RANKS.index(card[0]) < RANKS.index(best[0]):
                    best_seat, best = seat, card
            elif card[1] == self.trump:
                best_seat, best = seat, card
        return best_seat

    def talk(self, event: Envelope) -> None:
        seat = event["public"]["seat"]
        self.said[seat] += 1
        self.must(seat in self.talkers, f"seat {seat} may not talk now", "CR-10.7")
        self.must(self.said[seat] <= 50, f"seat {seat} talked more than 50 times", "CR-10.7")
        if not event["sealed"]:
            return  # what was said is erased
        text = event["sealed"]["public"]["data"]["text"]
        well_formed = 1 <= len(text) <= 280 and not re.search("[\x00-\x1f\x7f-\x9f]", text)
        self.must(well_formed, f"an ill-formed text: {text!r}", "CR-10.7")

    def concession(self, event: Envelope) -> Result:
        seat = event["public"]["seat"]
        if self.contract is None or self.may_concede is None:
            raise Stuck(f"version {event['version']}: CR-9.11: nobody may concede now")
        self.must_be("who concedes", seat, self.may_concede, "CR-9.11")
        bookings: list[Booking] = [("contract", "CR-9.11", -CONTRACTS[self.contract]["value"])]
        if self.bonus is not None:
            bookings.append(("bonus", "CR-10.2", -bonus_value(self.contract, self.bonus)))
        return "conceded", tuple(sorted(bookings))

    def score(self, event: Envelope, expected: Result, first: int) -> None:
        """The outcome and every ledger line (CR-9.12)."""
        public = event["public"]
        self.must_be("deal", public["deal"], self.deal)
        outcome, bookings = expected
        self.must_be("outcome", public["outcome"], outcome, "CR-9")
        player = f"player:{self.players[self.declarer]}"
        lines: Counter[tuple[Any, ...]] = Counter()
        for kind, rule, amount in bookings:
            lines[player, "bank", self.declarer, amount, kind, rule] += 1
            lines["bank", player, None, -amount, kind, rule] += 1
        names = ("account", "with", "seat", "amount", "kind", "rule")
        recorded = Counter(tuple(line[name] for name in names) for line in public["lines"])
        for line in (recorded - lines).elements():
            self.wrong(f"this line should not be booked: {line}", "CR-9.12")
        for line in (lines - recorded).elements():
            self.wrong(f"this line is missing: {line}", "CR-9.12")
        self.must_be("the sum of all lines", sum(line["amount"] for line in public["lines"]), 0, "CR-9.12")
        grounds = ("contract-declared", "casco-laid", "deal-conceded" if outcome == "conceded" else "trick-won")
        rests_on = [each["version"] for each in self.events[first : self.at] if each["type"] in grounds]
        for line in public["lines"]:
            self.must_be("what a line rests on", line["events"], rests_on, "CR-9.12")
        for _, _, amount in bookings:
            self.totals[self.declarer] += amount
        self.must_be("totals", public["totals"], self.totals, "CR-9.12")


class Conceded(Exception):
    """A deal ends with a concession."""

    def __init__(self, event: Envelope) -> None:
        super().__init__("conceded")
        self.event = event


def distinct_of(cards: Sequence[str], among: Sequence[str]) -> bool:
    return len(set(cards)) == len(cards) and set(cards) <= set(among)


def sorted_cards(cards: Sequence[str]) -> list[str]:
    return sorted(cards, key=SORTED_PACK.index)


def violations(events: list[Envelope]) -> list[str]:
    """What is wrong with the record of a finished game; nothing, if the list is empty."""
    if not events:
        return ["there are no events"]
    found: list[str] = []
    previous = GENESIS
    erased = {
        event["public"]["version"]
        for event in events
        if not shape_of(event) and event["type"] == "text-erased" and event["public"]["version"] < event["version"]
    }
    for place, event in enumerate(events):
        wrong = shape_of(event, erased)
        found += [f"event {place + 1}: {text}" for text in wrong]
        if wrong:
            continue
        if event["version"] != place + 1:
            found.append(f"event {place + 1}: it has version {event['version']}")
        if event["table"] != events[0]["table"]:
            found.append(f"event {place + 1}: it belongs to another table")
        if place and event["position"] <= events[place - 1].get("position", 0):
            found.append(f"event {place + 1}: its position {event['position']} does not follow on the last")
        if event["hash"] != event_hash(event, previous):
            found.append(f"event {place + 1}: its hash is not that of its contents and of the event before")
        previous = event["hash"]
    if any(shape_of(event, erased) for event in events):
        return found
    replay = Replay(events)
    try:
        replay.run()
    except Stuck as stuck:
        replay.found.append(str(stuck))
    return found + replay.found
