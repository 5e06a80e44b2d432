"""The test vectors of `api-spec/record.md` hold the domain and an independent implementation alike."""

import itertools
import json
from typing import Any

import msgspec
import pytest
import rfc8785
from msgspec.structs import replace

from domain.fair import seeds, shuffle
from domain.fair.deck import Deck
from domain.fair.lots import Lots
from domain.games.crocodile.meta import PACK
from domain.kernel import canonical
from domain.kernel.course import Standing
from domain.record import envelope
from domain.record import recorded as record
from domain.record.history import Reader
from domain.registry import GAMES as OFFERED
from service.describe.game_details import details
from tests.support.checker import rules_digest, violations
from tests.support.for_each import for_each
from tests.support.games import Live, destinations
from tests.support.helpers import helper
from tests.support.registry import GAMES
from tests.unit.record_spec.make_vectors import FOLDER, PINNED, pins, vectors


def rows(name: str) -> Any:
    return json.loads((FOLDER / f"{name}.json").read_text())


def unhex(texts: list[str]) -> list[bytes]:
    return [bytes.fromhex(text) for text in texts]


def test_no_published_vector_has_changed() -> None:
    # Verifiers were written by them, so rows are added, never changed.
    pinned = PINNED.read_text().splitlines()
    assert [pin for path in sorted(FOLDER.glob("*.json")) for pin in pins(path.stem, path.read_text())] == pinned
    whole = (FOLDER / "packs.json").read_text()
    assert whole == json.dumps(rows("packs"), indent=1, ensure_ascii=False) + "\n"


def test_the_files_are_what_the_independent_implementation_makes() -> None:
    made = vectors()
    assert made
    assert {name: rows(name) for name in made} == made


@for_each("row", rows("canonical"))
def test_canonical_json(row: dict[str, Any]) -> None:
    expected = row["canonical"].encode()
    assert canonical.canonical(row["value"]) == expected
    assert rfc8785.dumps(row["value"]) == expected


@pytest.mark.parametrize("row", rows("seal"))
def test_seals(row: dict[str, Any]) -> None:
    salt = bytes.fromhex(row["section"]["salt"])
    assert record.commitment(salt, canonical.canonical(row["section"]["data"])) == row["commitment"]


@pytest.mark.parametrize("row", rows("event"))
def test_event_hashes(row: dict[str, Any]) -> None:
    event = row["event"]
    plain = ("table", "game", "version", "deal", "type", "schema", "at", "actor", "action")
    recorded = record.Recorded(
        **{name: event[name] for name in plain},
        public=canonical.canonical(event["public"]),
        seals=canonical.canonical(event["seals"]),
        sealed=canonical.canonical(event["sealed"]),
        hash=b"",
    )
    assert record.rehash(recorded, bytes.fromhex(row["previous"])).hex() == event["hash"]


def test_seeds() -> None:
    chain = unhex(rows("seeds")["seeds"])
    for steps, seed in enumerate(reversed(chain)):
        assert seeds.seed_before(chain[-1], steps) == seed


def test_the_counter_stream() -> None:
    row = rows("stream")
    message = shuffle.keyed_message(row["label"], row["table"], row["deal"], unhex(row["entropies"]))
    assert message.hex() == row["message"]
    words = shuffle._words(bytes.fromhex(row["seed"]), message)
    assert list(itertools.islice(words, len(row["words"]))) == row["words"]


@pytest.mark.parametrize("row", rows("below"))
def test_a_number_below_a_bound(row: dict[str, Any]) -> None:
    words = iter(row["words"])
    assert shuffle._below(row["bound"], words) == row["number"]
    assert len(row["words"]) - len(list(words)) == row["taken"]


@pytest.mark.parametrize("row", rows("pack"))
def test_packs_and_commitments(row: dict[str, Any]) -> None:
    seed = bytes.fromhex(row["seed"])
    cards = shuffle.shuffled(
        PACK.cards,
        label="codille-deal",
        seed=seed,
        table=row["table"],
        deal=row["deal"],
        entropies=unhex(row["entropies"]),
    )
    assert cards == row["pack"]
    deck = Deck(row["table"], row["deal"], tuple(cards), seed)
    assert [deck.opening(place).salt for place in range(40)] == row["salts"]
    assert list(deck.commitments()) == row["commitments"]


@for_each("row", rows("packs"))
def test_every_games_pack(row: dict[str, Any]) -> None:
    game, table = OFFERED[row["game"]], row["table"]
    options = msgspec.convert(row["options"], game.options)
    standing = Standing(options, row["seats"], row["deal"], row["dealer"], (0,) * row["seats"], {})
    empty = Deck(table, row["deal"], (), bytes.fromhex(row["seed"]), tuple(unhex(row["entropies"])))
    drawn = game.dealing.draw(standing, empty.shuffled)
    deck = Deck(table, row["deal"], drawn.cards, bytes.fromhex(row["seed"]))
    assert (list(game.pack), game.course.seats(options)) == (row["sorted"], row["seats"])
    assert (list(drawn.cards), list(deck.commitments())) == (row["pack"], row["commitments"])
    given = {place: portion.to for portion in game.dealing.portions(standing) for place in portion.places}
    assert [given[place] for place in range(len(given))] == row["places"]


def test_there_is_a_pack_of_every_game_and_number_of_seats() -> None:
    seats = {
        (name, game.course.seats(msgspec.convert(options, game.options)))
        for name, game in OFFERED.items()
        for options in helper(name, "habits").option_sets
    }
    assert {(row["game"], row["seats"]) for row in rows("packs")} == seats


@pytest.mark.parametrize("row", rows("draws"), ids=lambda row: str(row["ties"]))
def test_first_dealers_drawn_by_cards(row: dict[str, Any]) -> None:
    lots = Lots(row["seats"], bytes.fromhex(row["seed"]), row["table"], unhex(row["entropies"]))
    drawn = OFFERED["ombre"].course.first_dealer(lots)
    assert (drawn.dealer, msgspec.to_builtins(list(drawn.draws))) == (row["dealer"], row["draws"])


@pytest.mark.parametrize("row", rows("renewal"))
def test_cards_shuffled_anew_have_places_after_the_others(row: dict[str, Any]) -> None:
    before = (None,) * row["first_place"]
    deck = Deck(row["table"], row["deal"], before, bytes.fromhex(row["seed"]), tuple(unhex(row["entropies"])))
    order = deck.shuffled(row["label"], row["cards"])
    assert order == row["order"]
    renewed = deck.renewed(order)
    openings = renewed.openings(range(row["first_place"], len(renewed.cards)))
    assert [opening.salt for opening in openings] == row["salts"]
    assert list(renewed.commitments(row["first_place"])) == row["commitments"]


@for_each("row", rows("redeal"))
def test_cards_that_are_rejected_are_shuffled_anew_before_the_commitments(row: dict[str, Any]) -> None:
    diloti, seed = OFFERED["diloti"], bytes.fromhex(row["seed"])
    options = msgspec.convert(row["options"], diloti.options)
    standing = Standing(options, 99, row["deal"], 0, (0,) * row["options"]["players"], {})
    empty = Deck(row["table"], row["deal"], (), seed, tuple(unhex(row["entropies"])))
    drawn = diloti.dealing.draw(standing, empty.shuffled)
    assert (list(drawn.cards), list(map(list, drawn.rejected))) == (row["pack"], row["rejected"])
    assert list(Deck(row["table"], row["deal"], drawn.cards, seed).commitments()) == row["commitments"]


def test_there_are_vectors_of_one_redeal_of_two_and_of_none() -> None:
    numbers = [len(row["rejected"]) for row in rows("redeal")]
    assert sorted(numbers) == [0, 1, 1, 1, 1, 2]
    assert 1 in {len({card[0] for card in four}) for row in rows("redeal") for four in row["rejected"]}
    (spared,) = [row for row in rows("redeal") if not row["rejected"]]
    turned = [card[0] for card in spared["pack"][24:28]]
    assert max(map(turned.count, turned)) >= 3


@for_each("row", rows("dealer"))
def test_first_dealers(row: dict[str, Any]) -> None:
    dealer = shuffle.drawn_number(
        row["seats"],
        label="codille-first-dealer",
        seed=bytes.fromhex(row["seed"]),
        table=row["table"],
        entropies=unhex(row["entropies"]),
    )
    assert dealer == row["dealer"]


def test_places_go_round_in_batches_of_three() -> None:
    given = destinations(Live.game, Live.opened().table, 1)
    assert given == [*(2, 2, 2, 0, 0, 0, 1, 1, 1) * 3, *(None,) * 13]


def test_the_digest_of_the_rules() -> None:
    book = GAMES["crocodile"].rulebook
    served = msgspec.to_builtins({"rules_version": book.version, "rules": book.rules, **book.tables})
    assert rules_digest(served) == book.digest()


def test_the_digest_holds_tables_of_other_names() -> None:
    game = GAMES["solo"]
    aims = game.rulebook.tables["outcomes"][:1]
    wider = replace(game, rulebook=replace(game.rulebook, tables={**game.rulebook.tables, "aims": aims}))
    served = msgspec.to_builtins(details(wider))
    assert list(served["tables"]) == ["aims"]
    assert rules_digest(served) == wider.rulebook.digest() != game.rulebook.digest()


def test_the_whole_game_is_intact() -> None:
    events = rows("game")
    assert violations(events) == []
    reader = Reader(GAMES)
    previous = record.GENESIS
    for event in events:
        raw = {name: canonical.canonical(event[name]) for name in ("public", "seals", "sealed")}
        recorded = msgspec.convert({**event, **raw, "hash": bytes.fromhex(event["hash"])}, record.Recorded)
        assert record.rehash(recorded, previous) == recorded.hash
        assert json.loads(envelope.served(recorded, "house", over=True)) == event
        reader.read(recorded)
        previous = recorded.hash
