"""Checks what needs no rules: hashes, seals, seeds, packs, cards' commitments, the log's tree and its signatures.

`verify` checks an exported record from the file alone; `Chain` checks events as they come. Whether an act was legal,
and whether a score follows from the play, is judged by the service's own `codille verify`.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from itertools import cycle, pairwise
from typing import Any, Literal, TypeAlias

import msgspec

from codille_client.ed25519 import ed25519
from codille_client.packs import RANKS, below, hashed, pack, salts_of, shuffled, words_of
from codille_client.problems import Altered

Json: TypeAlias = Mapping[str, Any]

GENESIS = "0" * 64
HEADER = ("action", "actor", "at", "deal", "game", "schema", "seals", "table", "type", "version")
FORMATS = ("codille-export-v1", "codille-export-v2")
ENDS = {"game-finished": "finished", "table-closed": "closed", "table-expired": "closed"}
"""The events after which nothing can be played any more, and the table's status from then on."""
OLD_TIMES = ("crocodile", "lhombre", "ombre", "solo")
"""The games at whose tables times need not rise under version 1 of the rules."""

UUID7 = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
TIME = re.compile(r"[0-9]{4}(-[0-9]{2}){2}T([01][0-9]|2[0-3])(:[0-5][0-9]){2}\.[0-9]{6}Z")


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that was altered: the check that fails, and the version of the event, or the line, counted from 1."""

    check: str
    text: str
    event: int | None = None
    line: int | None = None


@dataclass(slots=True)
class Report:
    """What a record's checks have shown. `unchecked` says what could not be checked.

    `line_ends` says that lines do not end as they were exported, which is no fault.
    """

    table: str | None = None
    game: str | None = None
    audience: str | None = None
    events: int = 0
    faults: list[Fault] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    readable: bool = True
    pinned: bool = True
    line_ends: str | None = None

    @property
    def verdict(self) -> Literal["intact", "unpinned", "altered", "unreadable"]:
        """`unpinned`: nothing is wrong, but no key was given. `unreadable` is what is no export at all."""
        if self.faults or not self.readable:
            return "altered" if self.readable else "unreadable"
        return "intact" if self.pinned else "unpinned"

    def expect(self, holds: bool, check: str, text: str, event: int | None = None, line: int | None = None) -> None:
        """Notes a fault unless this holds."""
        if not holds:
            self.faults.append(Fault(check, text, event, line))

    @contextmanager
    def reading(self, check: str, event: int | None = None) -> Iterator[None]:
        """What cannot be read is a fault of the check."""
        try:
            yield
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
            self.faults.append(Fault(check, f"it cannot be read: {error!r}", event))


def canonical(value: object) -> bytes:
    """The bytes of a value in canonical JSON (RFC 8785), as everything is hashed."""
    return _encoder.encode(value)


_encoder = msgspec.json.Encoder(order="sorted")


def event_hash(event: Json, previous: str) -> str:
    """The hash of an event after the one with the hash `previous`."""
    public = sha256(canonical(event["public"])).hexdigest()
    header = {name: event[name] for name in HEADER} | {"previous": previous, "public": public}
    return sha256(b"codille-event-v1\n" + canonical(header)).hexdigest()


def commitment(section: Json) -> str:
    """The commitment to a sealed section."""
    return sha256(bytes.fromhex(section["salt"]) + canonical(section["data"])).hexdigest()


def openings(value: Any) -> Iterator[Json]:
    """All openings of cards within a value."""
    if isinstance(value, Mapping):
        if value.keys() == {"position", "card", "salt"}:
            yield value
        value = [*value.values()]
    for item in value if isinstance(value, list) else ():
        yield from openings(item)


class Chain:
    """The events of one table from its first, or from after one that is trusted: each must fit those before it.

    It checks the chain of hashes, each open section against its seal, and each opened card against the commitments that
    were published when it was dealt.
    """

    def __init__(self, *, version: int = 0, head: str = GENESIS) -> None:
        self.version = version
        self.head = head
        self._commitments: list[str] | None = None

    def add(self, event: Json) -> None:
        """Checks the next event. Raises Altered."""
        faults = [*self.faults(event)]
        if faults:
            raise Altered(f"event {event.get('version')}: {faults[0].text}")

    def faults(self, event: Json) -> Iterator[Fault]:
        """What does not fit in the next event."""
        report = Report()
        version = event.get("version")
        report.expect(version == self.version + 1, "chain", f"it comes after event {self.version}", version)
        with report.reading("chain", version):
            report.expect(event_hash(event, self.head) == event["hash"], "chain", "its hash is another's", version)
        self.version, self.head = (
            max(self.version + 1, version if isinstance(version, int) else 0),
            str(event.get("hash")),
        )
        with report.reading("seals", version):
            for audience, section in event["sealed"].items():
                fits = (
                    event["seals"].get(audience) == commitment(section) and section["salt"] == section["salt"].lower()
                )
                report.expect(fits, "seals", f"its section for {audience} does not fit the seal", version)
        with report.reading("commitments", version):
            self._cards(event, report)
        yield from report.faults

    def _cards(self, event: Json, report: Report) -> None:
        if event["type"] == "cards-dealt":
            self._commitments = []
        if self._commitments is None:
            return
        self._commitments += event["public"].get("card_commitments", ())
        for opening in openings([event["public"], *(section["data"] for section in event["sealed"].values())]):
            digest = sha256(bytes.fromhex(opening["salt"]) + opening["card"].encode()).hexdigest()
            fits = (
                0 <= opening["position"] < len(self._commitments) and self._commitments[opening["position"]] == digest
            )
            text = f"{opening['card']} is not what was committed to at place {opening['position']}"
            report.expect(fits, "commitments", text, event["version"])


def verify(data: bytes, keys: Sequence[str] = ()) -> Report:
    """Checks an exported record; `keys` are verifier keys of the log, one of which must stand in it.

    Without keys anyone could have signed it, which the report says. Whatever the file holds, nothing is raised, but
    ValueError for a key that is none.
    """
    pinned = [_key(key.strip().strip("\ufeff").strip()) for key in keys]
    report = Report(pinned=bool(pinned))
    exported = data.removeprefix(BOM_UTF8).replace(b"\r\n", b"\n").rstrip(b"\r\n") + b"\n"
    *lines, _ = exported.split(b"\n")
    header = _decoded(lines[0])
    if not isinstance(header, dict) or header.get("format") not in FORMATS:
        return Report(readable=False)
    report.table, report.audience = header.get("table"), header.get("audience")
    report.line_ends = None if exported == data else "Its line ends are not an export's, or a BOM comes first."
    values = [_decoded(line) for line in lines]
    for number, (line, value) in enumerate(zip(lines, values, strict=True), 1):
        report.expect(_is_canonical(line, value), "form", "the line is not in canonical form", line=number)
    trailer = values[-1] if len(values) > 1 and "signature" in (values[-1] or {}) else None
    report.expect(trailer is not None, "form", "the last line is missing or broken", line=len(lines))
    events = []
    for number, value in enumerate(values[1 : None if trailer is None else -1], 2):
        is_event = isinstance(value, dict) and {*HEADER, "position", "public", "sealed", "hash"} == value.keys()
        report.expect(is_event, "form", "the line holds no event", line=number)
        events += [value] if is_event else []
    report.events = len(events)
    report.expect(bool(events), "acts", "there is no event in it")
    if events:
        _check_events(events, header, report)
    if trailer is not None:
        with report.reading("signature"):
            _check_trailer(lines, header, trailer, events, pinned, report)
    if not pinned:
        report.unchecked.append("The signer is not pinned: anyone could have signed this.")
    report.unchecked.append("What rests on the rules: who was dealt which place, legality, tricks, outcome, lines.")
    return report


def _check_events(events: Sequence[Json], header: Json, report: Report) -> None:
    report.game = events[0]["game"]
    last = events[-1]
    for name, value in (("table", last["table"]), ("version", last["version"]), ("head", last["hash"])):
        report.expect(header.get(name) == value, "header", f"{name} is not the last event's", last["version"])
    fits = re.fullmatch("public|seat:[0-9]", str(header.get("audience"))) is not None
    report.expect(fits, "header", "there is no such audience")
    chain = Chain()
    for event in events:
        report.faults += chain.faults(event)
    with report.reading("envelope"):
        _check_envelopes(events, report)
    with report.reading("openings"):
        _check_sections(events, header["audience"], report)
    with report.reading("totals"):
        _check_amounts(events, report)
    with report.reading("seed"):
        _Deals(events, report).check()


def _check_envelopes(events: Sequence[Json], report: Report) -> None:
    first, action = events[0], None
    milliseconds = int(first["table"].replace("-", "")[:12], 16) if UUID7.fullmatch(first["table"]) else None
    report.expect(milliseconds is not None, "envelope", "the table's id is no UUIDv7", 1)
    rises = first["game"] not in OLD_TIMES or first["public"].get("rules_version") != 1
    for event in events:
        version = event["version"]
        for name in ("table", "game"):
            report.expect(event[name] == first[name], "envelope", f"{name} has changed", version)
        well_formed = event["action"] == action or UUID7.fullmatch(str(event["action"])) is not None
        report.expect(well_formed and event["action"] is not None, "envelope", "it has no action's id", version)
        action = event["action"]
        report.expect(_is_time(event["at"]), "envelope", "there is no such time", version)
    for before, event in pairwise(events):
        report.expect(event["position"] > before["position"], "envelope", "the position sinks", event["version"])
        report.expect(not rises or event["at"] >= before["at"], "envelope", "the time goes back", event["version"])
        same = event["action"] != before["action"] or event["at"] == before["at"]
        report.expect(same, "envelope", "the time is not that of the act", event["version"])
    if rises and milliseconds is not None and _is_time(first["at"]):
        begun = datetime.fromisoformat(first["at"]).timestamp() * 1000
        report.expect(int(begun) >= milliseconds, "envelope", "the time is earlier than that in the table's id", 1)


def _check_sections(events: Sequence[Json], audience: str, report: Report) -> None:
    """The open sections are those that the audience may open now; only erased words may be missing."""
    over = any(event["type"] in ENDS for event in events)
    scored = {event["deal"] for event in events if event["type"] == "deal-scored"}
    late = audience == "public" and not over and "spectator_delay" in (events[0]["public"].get("table") or {})
    erased: set[int] = set()
    for event in events:
        if event["type"] == "text-erased":
            number = event["public"]["version"]
            is_text = 0 < number < event["version"] and "public" in events[number - 1]["seals"]
            text = f"no words of event {number} are there to be erased"
            report.expect(is_text and number not in erased, "erasures", text, event["version"])
            erased.add(number)
    for event in events:
        everything = over or (event["deal"] is not None and event["deal"] in scored)
        open_by_now = {to for to in event["seals"] if everything or to in (audience, "public")}
        if event["version"] in erased:
            open_by_now.discard("public")
        missing, surplus = open_by_now - event["sealed"].keys(), event["sealed"].keys() - open_by_now
        if late and missing == {"public"}:
            report.unchecked.append(f"The words of event {event['version']} may have been erased after the last event.")
            missing = set()
        report.expect(not missing, "openings", f"sections are not open: {', '.join(sorted(missing))}", event["version"])
        report.expect(not surplus, "openings", f"sections are open: {', '.join(sorted(surplus))}", event["version"])


def _check_amounts(events: Sequence[Json], report: Report) -> None:
    """Lines come in pairs of opposite amounts, and totals are the sums by seat."""
    sums: dict[int, int] = {}
    for event in events:
        public, version = event["public"], event["version"]
        lines = public.get("lines", ()) if event["type"] != "dispute-opened" else ()
        pairs = [*zip(lines[::2], lines[1::2], strict=False)]
        opposite = all(one["amount"] == -other["amount"] and one["account"] == other["with"] for one, other in pairs)
        report.expect(opposite and len(lines) % 2 == 0, "ledger", "lines are not pairs of opposite amounts", version)
        for line in lines:
            if line["seat"] is not None:
                sums[line["seat"]] = sums.get(line["seat"], 0) + line["amount"]
        totals = public.get("totals", ())
        fits = all(total == sums.get(seat, 0) for seat, total in enumerate(totals))
        report.expect(fits, "totals", "totals are not the sums of the lines", version)


class _Deals:
    """The deals of a record: their seeds, the first dealer, and the packs drawn again from them."""

    def __init__(self, events: Sequence[Json], report: Report) -> None:
        self._events = events
        self._report = report
        self._table: str = events[0]["table"]
        self._game: str = events[0]["game"]
        self._seeds: dict[int, tuple[bytes, int]] = {}
        """By deal, the seed and the version of the event that published it."""
        self._entropies: dict[int, bytes] = {}

    def check(self) -> None:
        self._collect_seeds()
        for deal, (seed, version) in self._seeds.items():
            due = bytes.fromhex(self._events[0]["public"]["seed_commitment"])
            fits = hashed(seed, deal) == due
            self._report.expect(fits, "seed", f"the seed of deal {deal} does not hash to the commitment", version)
        for event in self._events:
            public, kind = event["public"], event["type"]
            if kind == "seat-taken":
                self._entropies[public["seat"]] = bytes.fromhex(public["entropy"] or "")
            elif kind == "seat-left":
                self._entropies.pop(public["seat"], None)
            elif kind in ("game-started", "cards-dealt", "stock-renewed"):
                with self._report.reading("pack", event["version"]):
                    {"game-started": self._dealer, "cards-dealt": self._dealt, "stock-renewed": self._renewed}[kind](
                        event
                    )

    def _collect_seeds(self) -> None:
        deal = 0
        for event in self._events:
            public, secret = event["public"], event["sealed"].get("house", {"data": {}})["data"]
            found = [public.get("seed")] if event["type"] in ("deal-scored", "game-finished") else []
            if event["type"] == "cards-dealt":
                deal, found = public["deal"], [secret.get("seed")]
            number = deal
            if event["type"] == "table-opened":
                number, found = public["deals"], [secret.get("seed")]
            for text in filter(None, found):
                seed = bytes.fromhex(text)
                known = self._seeds.setdefault(number, (seed, event["version"]))[0]
                self._report.expect(
                    seed == known, "seed", f"the seed of deal {number} is another one", event["version"]
                )
        if deal and deal not in self._seeds:
            self._report.unchecked.append(f"Deal {deal} is not over: its seed is not published.")

    def _stream(self, label: str, deal: int) -> tuple[bytes, str, str, int, list[bytes]]:
        seats = [self._entropies[seat] for seat in sorted(self._entropies)]
        return self._seeds[max(deal, 1)][0], label, self._table, deal, seats

    def _dealer(self, event: Json) -> None:
        public = event["public"]
        if 1 not in self._seeds or public["first_dealer"] is None:
            return
        if self._game == "ombre":
            drawn = self._draws()
        else:
            drawn = below(len(self._entropies), words_of(*self._stream("codille-first-dealer", 0))), []
        fits = (public["first_dealer"], public["draws"]) == drawn
        self._report.expect(fits, "first-dealer", "another first dealer was drawn", event["version"])

    def _draws(self) -> tuple[int, list[Json]]:
        cards, ranks = cycle(shuffled(pack("ombre"), *self._stream("codille-dealer-draw", 0))), "AKQJ765432"
        drawing, draws = sorted(self._entropies), list[Json]()
        while len(drawing) > 1:
            drawn = [(seat, next(cards)) for seat in drawing]
            draws += [{"seat": seat, "card": card} for seat, card in drawn]
            best = min(ranks.index(card[0]) for _, card in drawn)
            drawing = [seat for seat, card in drawn if card[0] == ranks[best]]
        return drawing[0], draws

    def _dealt(self, event: Json) -> None:
        public, deal = event["public"], event["public"]["deal"]
        if deal not in self._seeds:
            return
        if self._game not in RANKS:
            self._report.unchecked.append(f"The pack of deal {deal}: this version does not know {self._game}.")
            return
        cards = self._pack_of(deal, public.get("rejected", ()))
        salts = salts_of(self._seeds[deal][0], self._table, deal, len(cards))
        made = [sha256(salt + card.encode()).hexdigest() for salt, card in zip(salts, cards, strict=True)]
        fits = public["card_commitments"] == made
        self._report.expect(fits, "pack", "the cards that were committed to are not those drawn", event["version"])

    def _pack_of(self, deal: int, rejected: Sequence[Sequence[str]]) -> list[str]:
        """The pack as it was dealt, drawn again."""
        whole, seats = pack(self._game), sorted(self._entropies)
        if self._game == "nuts":
            return [
                f"{seat}.{card}"
                for seat in seats
                for card in shuffled(whole, *self._stream(f"codille-deal-seat-{seat}", deal))
            ]
        if self._game == "dingo":
            whole = [card for card in whole if card[1] != "d" or card == "Ad"]
        cards = shuffled(whole, *self._stream("codille-deal", deal))
        kept = 6 * len(seats)
        for number, four in enumerate(rejected, 1):
            if cards[kept : kept + 4] != [*four]:
                raise ValueError(f"{four} were not rejected")
            rest = sorted(cards[kept:], key=whole.index)
            cards[kept:] = shuffled(rest, *self._stream(f"codille-redeal-{number}", deal))
        return cards

    def _renewed(self, event: Json) -> None:
        deal, house = event["deal"], event["sealed"].get("house")
        if deal in self._seeds and house is not None:
            stock = [opening["card"] for opening in house["data"]["stock"]]
            order = sorted(stock, key=pack(self._game).index)
            label = f"codille-renewal-{event['public']['renewal']}"
            fits = shuffled(order, *self._stream(label, deal)) == stock
            self._report.expect(fits, "pack", "the stock is not in the order drawn", event["version"])


def _check_trailer(
    lines: Sequence[bytes], header: Json, trailer: Json, events: Sequence[Json], pinned: Sequence[Key], report: Report
) -> None:
    keys = _valid_keys(trailer["keys"])
    report.expect(
        0 < len(keys) == len(trailer["keys"]) == len({*keys}), "signer", "keys are none, or stand there twice"
    )
    first_format = header["format"] == FORMATS[0]
    before = b"".join(line + b"\n" for line in lines[:-1])
    unsigned = b"" if first_format else canonical({**trailer, "signature": ""}) + b"\n"
    due = f"codille/export\n{header['table']}\n{b64encode(sha256(before + unsigned).digest()).decode()}\n"
    signers: list[Key] = []
    for check, note, allowed in (
        ("checkpoint", trailer["checkpoint"], keys),
        ("signature", trailer["signature"], keys if first_format else keys[-1:]),
    ):
        try:
            text, by, number = _signed(note, allowed)
            signers += by
            fits = check == "checkpoint" or (text == due and number == 1)
            report.expect(fits, check, "it is signed for other bytes than those of this file")
        except ValueError as error:
            report.faults.append(Fault(check, str(error)))
    if first_format:
        report.expect(all(key in signers for key in keys), "signer", "a key has signed nothing")
        report.expect(not pinned or all(key in pinned for key in keys), "signer", "it is none of the keys given")
    else:
        announcements = trailer["announcements"]
        report.expect(len(announcements) == len(keys) - 1, "signer", "there are not as many announcements as keys")
        for (one, other), announcement in zip(pairwise(keys), announcements, strict=False):
            announced: tuple[str, list[Key], int] = ("", [], 0)
            with suppress(ValueError):
                announced = _signed(announcement, keys)
            fits = announced[:2] == (f"codille/key\n{other.text}\n", [one])
            report.expect(fits, "signer", f"{other.text} is not announced by the key before it")
        report.expect(not pinned or any(key in pinned for key in keys), "signer", "it is none of the keys given")
    with report.reading("inclusion"):
        _check_tree(trailer, events, report)


def _check_tree(trailer: Json, events: Sequence[Json], report: Report) -> None:
    found = re.fullmatch(r"codille/log\n(0|[1-9][0-9]{0,15})\n([^\n]+)", trailer["checkpoint"].partition("\n\n")[0])
    if found is None:
        report.expect(False, "checkpoint", "it is no checkpoint of the log")
        return
    size, root = int(found[1]), _base64(found[2])
    report.expect(len(trailer["proofs"]) == len(events), "inclusion", "there are not as many proofs as events")
    for event, path in zip(events, trailer["proofs"], strict=False):
        well_formed = all(re.fullmatch("[0-9a-f]{64}", node) for node in path)
        leaf = sha256(b"\0" + bytes.fromhex(event["hash"])).digest()
        stands = well_formed and root_from(leaf, event["position"] - 1, size, [*map(bytes.fromhex, path)]) == root
        report.expect(stands, "inclusion", "it does not stand at its position in the tree", event["version"])


def root_from(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """The root to which an inclusion proof leads (RFC 9162, 2.1.3.2); None if it is no proof for this place."""
    if not 0 <= index < size:
        return None
    last, root = size - 1, leaf
    for sibling in path:
        if last == 0:
            return None
        right = index % 2 or index == last
        root = sha256(b"\1" + (sibling + root if right else root + sibling)).digest()
        while right and index % 2 == 0 and index:
            index, last = index >> 1, last >> 1
        index, last = index >> 1, last >> 1
    return root if last == 0 else None


@dataclass(frozen=True, slots=True)
class Key:
    """A verifier key as C2SP's signed-note has it: `text`, and the name, id and public key in it."""

    text: str
    name: str
    id: bytes
    public: bytes


def _key(text: str) -> Key:
    name, _, rest = text.partition("+")
    number, _, encoded = rest.partition("+")
    material = _base64(encoded)
    due = sha256(name.encode() + b"\n" + material).digest()[:4]
    if len(material) != 33 or material[0] != 1 or not re.fullmatch(r"[^ +\n]+", name) or number != due.hex():
        raise ValueError(f"{text!r} is no verifier key for Ed25519")
    return Key(text, name, due, material[1:])


def _valid_keys(texts: Iterable[str]) -> list[Key]:
    keys = []
    for text in texts:
        with suppress(ValueError):
            keys.append(_key(text))
    return keys


def _signed(note: str, keys: Sequence[Key]) -> tuple[str, list[Key], int]:
    """A note's text, the keys that have signed it, and how many signatures it has. Raises ValueError."""
    text, blank, rest = note.rpartition("\n\n")
    text, lines = text + "\n", rest.split("\n")
    if not blank or lines.pop() or not lines:
        raise ValueError("it is no signed note")
    signers: list[Key] = []
    for line in lines:
        found = re.fullmatch("— ([^ +\n]+) ([A-Za-z0-9+/=]+)", line)
        material = _base64(found[2]) if found else b""
        if found is None or len(material) <= 4:
            raise ValueError("a line of its signatures is none")
        for key in keys:
            if (key.name, key.id) == (found[1], material[:4]):
                if key in signers or not ed25519(key.public, material[4:], text.encode()):
                    raise ValueError(f"it is not signed by {key.name} ({key.id.hex()}), as it says")
                signers.append(key)
    if not signers:
        raise ValueError("none of the log's keys has signed it")
    return text, signers, len(lines)


def _decoded(line: bytes) -> Any:
    with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return msgspec.json.decode(line)
    return None


def _is_canonical(line: bytes, value: Any) -> bool:
    """Whether the line is the canonical form of its value, whose numbers are integers of at most 53 bits."""
    if value is None or canonical(value) != line:
        return False
    numbers = re.findall(rb"(?<=[:,\[])-?[0-9.eE+-]+(?=[,\]}])", re.sub(rb'"(?:[^"\\]|\\.)*"', b'""', line))
    return all(re.fullmatch(rb"-?[0-9]+", number) and abs(int(number)) < 2**53 for number in numbers)


def _is_time(text: Any) -> bool:
    with suppress(ValueError, TypeError):
        return TIME.fullmatch(text) is not None and datetime.fromisoformat(text) is not None
    return False


def _base64(text: str) -> bytes:
    value = b64decode(text, validate=True)
    if b64encode(value).decode() != text:
        raise ValueError("this is not base64 in its one form")
    return value
