"""Cards, faces and packs."""

import msgspec
import pytest

from domain.cards import NAMES, Card, Face, Pack, pack_of
from tests.support.registry import GAMES


def test_a_pack_is_sorted_by_owner_suit_rank_and_copy_jokers_last() -> None:
    assert pack_of("AK").cards == ("As", "Ks", "Ah", "Kh", "Ad", "Kd", "Ac", "Kc")
    doubled = pack_of({"s": "A2", "h": "", "d": "", "c": "K"}, copies=2, jokers=2)
    assert doubled.cards == ("As.1", "As.2", "2s.1", "2s.2", "Kc.1", "Kc.2", "Jo.1", "Jo.2")
    owned = pack_of({"s": "A", "h": "7", "d": "", "c": ""}, owners=(0, 2))
    assert owned.cards == ("0.As", "0.7h", "2.As", "2.7h")
    assert [doubled.order[card] for card in ("2s.1", "As.1", "Jo.2")] == [2, 0, 7]
    assert doubled.sorted(["Jo.1", "Kc.2", "As.2", "Kc.1"]) == ("As.2", "Kc.1", "Kc.2", "Jo.1")


def test_a_face_says_what_a_name_means() -> None:
    pack = Pack.of([Face("7", "h", owner=2), Face("7", "h", copy=1), Face("T", "d"), Face("Jo", copy=1)])
    assert pack.cards == ("2.7h", "7h.1", "Td", "Jo.1")
    assert [pack.rank(card) for card in pack] == ["7", "7", "T", "Jo"]
    assert [pack.suit(card) for card in pack.cards[:3]] == ["h", "h", "d"]
    with pytest.raises(ValueError, match="has no suit"):
        pack.suit("Jo.1")


@pytest.mark.parametrize("faces", [[Face("A", "s"), Face("A", "s")], [Face("1", "s")], [Face("A", "s", copy=3)]])
def test_no_pack_has_a_card_twice_or_one_without_a_name(faces: list[Face]) -> None:
    with pytest.raises(ValueError, match="a pack has"):
        Pack.of(faces)


def test_a_set_of_cards_has_a_bit_for_each() -> None:
    pack = pack_of("AK", copies=2)
    assert pack.bits(()) == 0
    assert pack.bits(pack.cards) == (1 << len(pack)) - 1
    assert pack.bits(("As.2",)) == 0b10


def test_decoders_know_every_card_and_no_other() -> None:
    assert all(set(game.pack) <= set(NAMES) for game in GAMES.values())
    assert [msgspec.convert(name, Card) for name in NAMES] == list(NAMES)
    for name in ("", "ks", "1s", "Ks.0", "Ks.3", "Jo", "Jo.9", "9.Ks", "Ks.1.1"):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(name, Card)
