"""Makes the test vectors of `api-spec/record.md`, but for `game.json`, from the independent implementation of it.

Run as `python -m tests.unit.record_spec.make_vectors` from the project's folder. It adds a file that is not there yet,
a deal of each game and number of seats that `packs.json` lacks, and to `pinned.txt` what it has added: a published
vector is never changed.
"""

import hashlib
import itertools
import json
from pathlib import Path
from typing import Any

import msgspec

from domain.registry import GAMES
from tests.games.crocodile import checker as crocodile
from tests.support.checker import chance
from tests.support.checker.record import Rules, drawn_from, portions_of
from tests.support.helpers import helper

FOLDER = Path(__file__).parents[3] / "api-spec" / "vectors"
PINNED = Path(__file__).with_name("pinned.txt")
"""The SHA-256 of each vector that was published, and of each deal in `packs.json`."""

TABLE = "0193a6f0-5a00-7c3e-8d21-6f0c5a9b1e42"
LAST_SEED = bytes(range(32))
ENTROPIES = [b"", bytes.fromhex("c0ffee"), bytes(range(64))]
REDEALT: list[tuple[int, dict[str, Any]]] = [
    (428, {"players": 2, "redeal": "any"}),
    (119, {"players": 4, "redeal": "any"}),
    (3742, {"players": 4, "redeal": "any"}),
    (5337, {"players": 2, "redeal": "any"}),
    (518, {"players": 2, "redeal": "court"}),
    (119, {"players": 4, "redeal": "court"}),
]
"""Numbers of seeds, and options of Diloti: redeals for two and four players, for four cards of a rank, twice, of court
cards, and none since no court cards were turned."""


def canonical() -> list[dict[str, Any]]:
    """Values and their canonical form."""
    values: list[object] = [
        {},
        [],
        {"b": 1, "a": [True, False, None], "C": {"z": -3, "y": 0}},
        {"text": 'a "quoted" \\ slash / and \u2028 line, é, 中, 🂮, \u007f'},
        {"text": "\b\t\n\f\r\u0001\u001f"},
        9007199254740991,
    ]
    return [{"value": value, "canonical": chance.canonical(value).decode()} for value in values]


def seal() -> list[dict[str, Any]]:
    """Sections and their commitments."""
    sections = [
        {"data": {"text": "Spades, please."}, "salt": "11" * 32},
        {"data": {"drawn": [], "discarded": []}, "salt": "00" * 31 + "01"},
    ]
    return [{"section": section, "commitment": chance.seal(section)} for section in sections]


def seeds() -> dict[str, Any]:
    """A chain of seeds, from seed(0) on."""
    chain = [LAST_SEED]
    for _ in range(3):
        chain.insert(0, hashlib.sha256(chain[0]).digest())
    return {"deals": 3, "seeds": [seed.hex() for seed in chain]}


def event() -> list[dict[str, Any]]:
    """Two events in a chain, with the header that is hashed."""
    action = "0193a6f0-6b11-7000-9abc-0123456789ab"
    common = {"table": TABLE, "game": "crocodile", "schema": 1, "at": "2026-11-20T10:00:00.123456Z"}
    bid = {"version": 9, "position": 41, "deal": 1, "type": "bid-made", "actor": "seat:0", "action": action}
    talk = {"version": 10, "position": 44, "deal": 1, "type": "table-talk", "actor": "seat:2", "action": None}
    sealed = {"public": {"data": {"text": "é"}, "salt": "22" * 32}}
    envelopes = [
        common | bid | {"public": {"seat": 0, "contract": "play"}, "seals": {}, "sealed": {}},
        common | talk | {"public": {"seat": 2}, "seals": {"public": chance.seal(sealed["public"])}, "sealed": sealed},
    ]
    previous, vectors = "ab" * 32, []
    for envelope in envelopes:
        header = chance.canonical(chance.header(envelope, previous)).decode()
        hashed = chance.event_hash(envelope, previous)
        vectors.append({"previous": previous, "event": envelope | {"hash": hashed}, "header": header})
        previous = hashed
    return vectors


def stream() -> dict[str, Any]:
    """A message, and the first words of its stream."""
    message = chance.message("codille-deal", TABLE, 2, ENTROPIES)
    return {
        "seed": LAST_SEED.hex(),
        "label": "codille-deal",
        "table": TABLE,
        "deal": 2,
        "entropies": [entropy.hex() for entropy in ENTROPIES],
        "message": message.hex(),
        "words": list(itertools.islice(chance.numbers(LAST_SEED, message), 12)),
    }


def below() -> list[dict[str, Any]]:
    """Words, a bound, the number drawn and how many words that took."""
    cases = [
        (3, [4294967295, 4294967294, 7]),
        (40, [4294967280, 4294967295, 81]),
        (2, [4294967295]),
        (7, [4294967291, 4294967292, 4294967295, 13]),
        (1, [4294967295]),
    ]
    vectors = []
    for bound, words in cases:
        left = iter(words)
        number = chance.below(bound, left)
        vectors.append({"bound": bound, "words": words, "number": number, "taken": len(words) - len(list(left))})
    return vectors


def pack() -> list[dict[str, Any]]:
    """Whole deals: the pack from its top, salts and commitments by place."""
    vectors = []
    for deal, entropies in ((1, ENTROPIES), (2, [b"", b"", b""]), (99, [b"\x00", b"", b"\x00\x00"])):
        seed = hashlib.sha256(b"deal %d" % deal).digest()
        cards = chance.shuffled(crocodile.SORTED_PACK, "codille-deal", seed, TABLE, deal, entropies)
        salts = [chance.card_salt(seed, TABLE, deal, place) for place in range(40)]
        vectors.append(
            {
                "seed": seed.hex(),
                "table": TABLE,
                "deal": deal,
                "entropies": [entropy.hex() for entropy in entropies],
                "pack": cards,
                "salts": [salt.hex() for salt in salts],
                "commitments": [chance.card_commitment(salt, card) for salt, card in zip(salts, cards, strict=True)],
            }
        )
    return vectors


def dealt() -> list[tuple[str, dict[str, Any]]]:
    """Each game, with options of each number of seats: first those that were published, in their order."""
    published = json.loads((FOLDER / "packs.json").read_text())
    rows = [(row["game"], row["options"]) for row in published]
    seated = {(row["game"], row["seats"]) for row in published}
    for name, game in GAMES.items():
        for chosen in helper(name, "habits").option_sets:
            options = msgspec.to_builtins(msgspec.convert(chosen, game.options))
            if (seats := (name, helper(name, "checker").seats(options))) not in seated:
                seated.add(seats)
                rows.append((name, options))
    return rows


def packs() -> list[dict[str, Any]]:
    """Of each game, and each number of seats, a deal: the sorted pack, the pack dealt, and the seat of each place."""
    vectors = []
    for number, (name, options) in enumerate(dealt()):
        rules = helper(name, "checker")
        seats = rules.seats(options)
        dealer, deal = number % seats, number + 1
        seed = hashlib.sha256(b"a deal of %s" % name.encode()).digest()
        entropies = [*ENTROPIES, b"\x00"][:seats]
        key = (seed, TABLE, deal, entropies)
        cards, _ = drawn(rules, options, key)
        salts = [chance.card_salt(seed, TABLE, deal, place) for place in range(len(cards))]
        vectors.append(
            {
                "game": name,
                "options": options,
                "seats": seats,
                "sorted": list(rules.pack),
                "seed": seed.hex(),
                "table": TABLE,
                "deal": deal,
                "entropies": [entropy.hex() for entropy in entropies],
                "dealer": dealer,
                "pack": cards,
                "places": list(portions_of(rules, dealer, options)),
                "commitments": [chance.card_commitment(salt, card) for salt, card in zip(salts, cards, strict=True)],
            }
        )
    return vectors


Key = tuple[bytes, str, int, list[bytes]]
"""Seed, table, deal and entropies."""


def drawn(rules: Rules, options: dict[str, Any], key: Key) -> tuple[list[str], list[list[str]]]:
    """What is dealt with this key, and what was rejected before."""
    return rules.draw(lambda label, cards: chance.shuffled(cards, label, *key), drawn_from(rules, options), options)


def redeal() -> list[dict[str, Any]]:
    """Deals of Diloti in which table cards were rejected, and one in which others of a rank were not."""
    rules = helper("diloti", "checker")
    vectors = []
    for number, options in REDEALT:
        seed = hashlib.sha256(b"redeal %d" % number).digest()
        entropies = [*ENTROPIES, b"\x00"][: rules.seats(options)]
        cards, rejected = drawn(rules, options, (seed, TABLE, 1, entropies))
        salts = [chance.card_salt(seed, TABLE, 1, place) for place in range(len(cards))]
        vectors.append(
            {
                "options": options,
                "seed": seed.hex(),
                "table": TABLE,
                "deal": 1,
                "entropies": [entropy.hex() for entropy in entropies],
                "rejected": rejected,
                "pack": cards,
                "commitments": [chance.card_commitment(salt, card) for salt, card in zip(salts, cards, strict=True)],
            }
        )
    return vectors


def draws() -> list[dict[str, Any]]:
    """First dealers drawn by cards in Ombre: at once, after a tie of two, of three, and after several ties."""
    lots = helper("ombre", "checker").lots
    vectors = []
    for ties, draws_ in (([], 3), ([2], 5), ([3], 6), ([2, 2], 7), ([3, 2], 8)):
        for number in itertools.count():
            seed = hashlib.sha256(b"draw %d" % number).digest()
            dealer, drawn = lots(seed, TABLE, ENTROPIES)
            if len(drawn) == draws_ and ties_in(drawn, 3) == ties:
                break
        entropies = [entropy.hex() for entropy in ENTROPIES]
        vectors.append(
            {
                "seed": seed.hex(),
                "table": TABLE,
                "entropies": entropies,
                "seats": 3,
                "ties": ties,
                "dealer": dealer,
                "draws": drawn,
            }
        )
    return vectors


def ties_in(drawn: list[dict[str, Any]], seats: int) -> list[int]:
    """How many tied in each round but the last. A new round begins where a seat that has drawn draws again."""
    rounds: list[list[int]] = [[]]
    for draw in drawn:
        if draw["seat"] <= max(rounds[-1], default=-1):
            rounds.append([])
        rounds[-1].append(draw["seat"])
    assert len(rounds[0]) == seats
    return [len(each) for each in rounds[1:]]


def renewal() -> list[dict[str, Any]]:
    """Cards shuffled anew during a deal: in sorted order, in the new one, and their salts and commitments by place."""
    vectors = []
    for number, first, cards in (
        (1, 22, ["9h.1", "9h.2", "7h.1", "Ad.2", "2c.1", "Jo.1"]),
        (2, 28, ["1.Ks", "1.Ac", "2.Ks", "2.7h"]),
        (1, 40, ["Ks"]),
    ):
        seed = hashlib.sha256(b"renewal %d" % first).digest()
        label = f"codille-renewal-{number}"
        order = chance.shuffled(cards, label, seed, TABLE, 3, ENTROPIES)
        salts = [chance.card_salt(seed, TABLE, 3, place) for place in range(first, first + len(cards))]
        vectors.append(
            {
                "seed": seed.hex(),
                "table": TABLE,
                "deal": 3,
                "entropies": [entropy.hex() for entropy in ENTROPIES],
                "label": label,
                "first_place": first,
                "cards": cards,
                "order": order,
                "salts": [salt.hex() for salt in salts],
                "commitments": [chance.card_commitment(salt, card) for salt, card in zip(salts, order, strict=True)],
            }
        )
    return vectors


def dealer() -> list[dict[str, Any]]:
    """First dealers."""
    vectors = []
    for number in range(6):
        seed = hashlib.sha256(b"dealer %d" % number).digest()
        drawn = chance.by_number(seed, TABLE, ENTROPIES)[0]
        entropies = [entropy.hex() for entropy in ENTROPIES]
        vectors.append({"seed": seed.hex(), "table": TABLE, "entropies": entropies, "seats": 3, "dealer": drawn})
    return vectors


def vectors() -> dict[str, object]:
    """The vectors that it makes, by the name of their file."""
    return {
        "canonical": canonical(),
        "seal": seal(),
        "seeds": seeds(),
        "event": event(),
        "stream": stream(),
        "below": below(),
        "pack": pack(),
        "packs": packs(),
        "redeal": redeal(),
        "renewal": renewal(),
        "dealer": dealer(),
        "draws": draws(),
    }


def pins(name: str, text: str) -> list[str]:
    """The lines of `pinned.txt` for a file with this text; a list that games are added to has one for each row."""
    parts = [text] if name != "packs" else [json.dumps(row, ensure_ascii=False) for row in json.loads(text)]
    return [f"{name} {hashlib.sha256(part.encode()).hexdigest()}" for part in parts]


def main() -> None:
    """Adds what is not there yet, and pins it."""
    pinned = PINNED.read_text().splitlines()
    for name, content in vectors().items():
        file, text = FOLDER / f"{name}.json", json.dumps(content, indent=1, ensure_ascii=False) + "\n"
        if not file.exists() or (name == "packs" and text.startswith(file.read_text().removesuffix("\n]\n"))):
            file.write_text(text)
        pinned += [pin for pin in pins(name, file.read_text()) if pin not in pinned]
    PINNED.write_text("\n".join(sorted(pinned, key=lambda pin: pin.split()[0])) + "\n")


if __name__ == "__main__":
    main()
