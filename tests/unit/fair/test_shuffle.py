"""The fair deal: seed chain, shuffle, commitments; recomputed here with the standard library alone."""

import hmac
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import count, islice, permutations

import pytest

from domain.fair import shuffle
from domain.fair.deck import Deck, card_commitment, card_salts
from domain.fair.seeds import SeedChain, seed_before
from domain.fair.shuffle import drawn_number, keyed, shuffled
from domain.games.crocodile.meta import PACK
from domain.kernel.dealing import DealtHand, DealtTalon
from domain.table.events import CardsDealt, DealScored, TableOpened
from tests.support.for_each import for_each
from tests.support.games import SEED, TABLE, Live, chance, finished


def framed(*parts: bytes) -> bytes:
    """The parts, each with its length in four bytes before it."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def words(seed: bytes, message: bytes) -> Iterator[int]:
    """The counter stream's 32-bit words."""
    for counter in count():
        block = hmac.new(seed, message + counter.to_bytes(8, "big"), sha256).digest()
        yield from (int.from_bytes(block[start : start + 4], "big") for start in range(0, 32, 4))


def drawn_again(seed: bytes, table: str, deal: int, entropies: list[bytes]) -> list[str]:
    """The pack of a deal, drawn by a plain reading of the architecture."""
    stream = words(seed, framed(b"codille-deal", table.encode(), deal.to_bytes(4, "big"), *entropies))
    cards: list[str] = list(PACK)
    for last in range(39, 0, -1):
        bound = last + 1
        word = next(word for word in stream if word < 2**32 // bound * bound)
        cards[last], cards[word % bound] = cards[word % bound], cards[last]
    return cards


@for_each("number", range(10))
def test_the_pack_is_drawn_as_described(number: int) -> None:
    seed = sha256(bytes([number])).digest()
    entropies = [b"", bytes([number]), b"x" * number]
    drawn = shuffled(PACK, label="codille-deal", seed=seed, table=TABLE, deal=number, entropies=entropies)
    assert drawn == drawn_again(seed, TABLE, number, entropies)


@for_each("length", [0, 1, 32, 63, 64, 65, 100])
def test_a_key_is_prepared_once_for_many_messages(length: int) -> None:
    key = bytes(range(length))
    digest = keyed(key, b"a prefix ")
    for rest in (b"", b"rest", bytes(200), b"rest"):
        assert digest(rest) == hmac.digest(key, b"a prefix " + rest, "sha256")


def test_every_input_changes_the_pack() -> None:
    def draw(
        label: str = "a", seed: bytes = SEED, table: str = "t", deal: int = 1, *entropies: bytes
    ) -> tuple[str, ...]:
        return tuple(shuffled(PACK, label=label, seed=seed, table=table, deal=deal, entropies=entropies))

    packs = [
        draw(),
        draw("b"),
        draw("a", bytes(32)),
        draw("a", SEED, "u"),
        draw("a", SEED, "t", 2),
        draw("a", SEED, "t", 1, b"ab", b"c"),
        draw("a", SEED, "t", 1, b"a", b"bc"),
        draw("a", SEED, "t", 1, b"abc"),
        draw("a", SEED, "t", 1, b"abc", b""),
    ]
    assert len(set(packs)) == len(packs)
    assert draw() == packs[0]


def test_the_seed_chain_is_hashed_from_the_last() -> None:
    last = sha256(b"last").digest()
    chain = [last]
    for _ in range(5):
        chain.insert(0, sha256(chain[0]).digest())
    assert [seed_before(last, 5 - deal) for deal in range(6)] == chain
    seeds = SeedChain(5, last)
    assert [seeds.at(deal) for deal in range(6)] == chain
    with pytest.raises(ValueError, match="not known"):
        seeds.at(6)


@pytest.mark.parametrize("bound", [2, 3, 5, 7, 10, 39, 40])
def test_words_of_the_last_incomplete_range_are_rejected(bound: int, monkeypatch: pytest.MonkeyPatch) -> None:
    complete = 2**32 // bound * bound
    stream = [*range(complete, min(complete + 3, 2**32)), complete - 1]
    monkeypatch.setattr(shuffle, "_words", lambda *_: iter(stream))
    assert drawn_number(bound, label="x", seed=SEED, table=TABLE, entropies=[]) == bound - 1


@pytest.mark.parametrize("word", [0, 1, 39, 40, 2**32 - 17])
def test_words_below_are_taken_by_remainder(word: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffle, "_words", lambda *_: iter([word]))
    assert drawn_number(40, label="x", seed=SEED, table=TABLE, entropies=[]) == word % 40


def chi_square(counts: Counter[object], cells: int, draws: int) -> float:
    """The statistic of a uniform distribution over the cells."""
    expected = draws / cells
    return sum((n - expected) ** 2 / expected for n in counts.values()) + (cells - len(counts)) * expected


def seeds(number: int) -> Iterator[bytes]:
    """Seeds that are the same in every run."""
    rng = chance("chi-square")
    return islice(iter(lambda: rng.randbytes(32), b""), number)


def test_every_order_of_a_small_pack_is_equally_likely() -> None:
    draws = 12_000
    counts: Counter[object] = Counter(
        tuple(shuffled("abcd", label="x", seed=seed, table=TABLE, deal=1, entropies=[])) for seed in seeds(draws)
    )
    assert set(counts) <= set(permutations("abcd"))
    assert chi_square(counts, 24, draws) < 49.7, "0.1 % of uniform samples lie above, with 23 degrees of freedom"


def test_every_card_is_equally_likely_in_every_place() -> None:
    draws = 4_000
    places: list[Counter[object]] = [Counter() for _ in PACK]
    for seed in seeds(draws):
        for place, card in enumerate(
            shuffled(PACK, label="codille-deal", seed=seed, table=TABLE, deal=1, entropies=[])
        ):
            places[place][card] += 1
    statistics = [chi_square(place, 40, draws) for place in places]
    assert max(statistics) < 80, "with 39 degrees of freedom, one in 10 000 lies above 80"
    assert sum(statistics) < 40 * 39 + 4 * (2 * 40 * 39) ** 0.5


def test_the_first_dealer_is_equally_likely() -> None:
    draws = 9_000
    counts: Counter[object] = Counter(
        drawn_number(3, label="codille-first-dealer", seed=seed, table=TABLE, entropies=[b"a"]) for seed in seeds(draws)
    )
    assert chi_square(counts, 3, draws) < 13.8


def test_commitments_open_with_their_salts() -> None:
    deck = Deck(TABLE, 1, tuple(PACK), SEED)
    for position, (card, published) in enumerate(zip(PACK, deck.commitments(), strict=True)):
        opening = deck.opening(position)
        salt = hmac.new(
            SEED, framed(b"codille-card", TABLE.encode(), (1).to_bytes(4, "big")) + position.to_bytes(4, "big"), sha256
        ).digest()
        assert (opening.position, opening.card, bytes.fromhex(opening.salt)) == (position, card, salt)
        assert salt == card_salts(SEED, TABLE, 1, 40)[position]
        assert published == sha256(salt + card.encode()).hexdigest() == card_commitment(salt, card)
        assert deck.openings_of([card]) == (opening,)


def test_only_the_house_can_open_a_card() -> None:
    for deck in (Deck(TABLE, 1, tuple(PACK)), Deck(TABLE, 1, (None,) * 40, SEED)):
        with pytest.raises(ValueError, match="only the house"):
            deck.opening(0)
        with pytest.raises(ValueError, match="only the house"):
            deck.commitments()


def test_a_game_is_dealt_from_the_chain_and_opens_everything_in_the_end() -> None:
    entropies = [b"north", None, b"\x00\xff"]
    live = finished(Live.started(deals=6, entropies=entropies), chance("fair"))
    seed = bytes.fromhex(live.of(TableOpened)[0].seed_commitment)
    for dealt_event in (event for event in live.events if isinstance(event.public, CardsDealt)):
        dealt = dealt_event.public
        scored = live.of(DealScored)[dealt.deal - 1]
        before, seed = seed, bytes.fromhex(scored.seed)
        assert sha256(seed).digest() == before
        cards = drawn_again(seed, TABLE, dealt.deal, [entropy or b"" for entropy in entropies])
        for position, published in enumerate(dealt.card_commitments):
            assert card_commitment(card_salts(seed, TABLE, dealt.deal, 40)[position], cards[position]) == published  # type: ignore[arg-type] # a card
        hands = [*(dealt_event.section(f"seat:{seat}", DealtHand) for seat in range(3))]
        house = dealt_event.section("house", DealtTalon)
        assert house is not None
        assert house.seed == seed.hex()
        openings = [*house.talon, *(opening for hand in hands if hand for opening in hand.cards)]
        assert sorted(opening.position for opening in openings) == list(range(40))
        assert all(cards[opening.position] == opening.card for opening in openings)
