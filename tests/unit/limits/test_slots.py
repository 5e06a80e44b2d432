"""Slots of streams: how many each holder has, and who gives way where all are taken."""

import random
from contextlib import suppress

import pytest

from service.limits.addresses import WIDER, keys_of, networks
from service.limits.slots import AllTaken, Slot, Slots, TooManyOpen, most_streams


class Holders:
    """Takes slots, and keeps who had to give way, by address and player."""

    def __init__(self, most: int, *, per_address: int = 100, per_player: int = 100) -> None:
        self.slots = Slots(most=most, per_address=per_address, per_player=per_player)
        self.gave_way: list[tuple[str, str]] = []
        self.held: list[tuple[str, str]] = []

    def take(self, address: str, player: str = "") -> Slot:
        """A slot for a player, or nobody, at this address."""

        def give_way() -> None:
            self.gave_way.append((address, player))
            self.held.remove((address, player))

        slot = self.slots.take(networks(address), player, give_way)
        self.held.append((address, player))
        return slot

    def fill(self, address: str, count: int, player: str = "") -> None:
        """That many slots."""
        for _ in range(count):
            self.take(address, player)


def test_slots_are_counted_by_address_and_by_player() -> None:
    holders = Holders(100, per_address=2, per_player=1)
    ada = holders.take("192.0.2.1", "ada")
    with pytest.raises(TooManyOpen, match="one player may hold 1 "):
        holders.take("192.0.2.2", "ada")
    holders.take("192.0.2.1")
    with pytest.raises(TooManyOpen, match="one address may hold 2 "):
        holders.take("192.0.2.1", "berta")
    for _ in range(2):
        holders.slots.give_back(ada)
    holders.take("192.0.2.1", "berta")
    with pytest.raises(TooManyOpen):
        holders.take("192.0.2.1")
    assert not holders.gave_way


def test_a_wider_network_has_a_few_times_the_places_of_an_address() -> None:
    holders = Holders(1000, per_address=5)
    for number in range(WIDER[1] * 5):
        holders.take(f"2001:db8:0:{number:x}::1")
    with pytest.raises(TooManyOpen, match="one address may hold 10 "):
        holders.take("2001:db8:0:ff::1")
    for number in range((WIDER[2] - WIDER[1]) * 5):
        holders.take(f"2001:db8:0:{number % 4 + 1:x}{number:02x}::1")
    with pytest.raises(TooManyOpen, match="one address may hold 20 "):
        holders.take("2001:db8:0:ff00::1")
    holders.take("2001:db8:1::1")


def test_the_wider_networks_of_an_address() -> None:
    assert networks("2001:db8:1:2345::6") == ("2001:db8:1:2345::", "2001:db8:1:2300::/56", "2001:db8:1::/48")
    assert networks("192.0.2.1:4711") == ("192.0.2.1",) * 3
    assert networks("::ffff:192.0.2.1") == ("192.0.2.1",) * 3
    assert networks("unknown") == ("unknown",) * 3
    assert keys_of("2001:db8::1") != keys_of("2001:db8:0:1::1")
    assert keys_of("2001:db8::1")[1:] == keys_of("2001:db8:0:1::1")[1:]


def test_who_has_signed_in_gets_the_place_of_the_anonymous_holder_with_most() -> None:
    holders = Holders(10)
    holders.fill("192.0.2.1", 3)
    holders.fill("192.0.2.2", 4)
    holders.fill("192.0.2.3", 3, "ada")
    holders.fill("192.0.2.3", 7, "berta")
    assert set(holders.gave_way) == {("192.0.2.1", ""), ("192.0.2.2", "")}
    assert holders.gave_way[0] == ("192.0.2.2", "")
    assert len(holders.held) == 10
    with pytest.raises(AllTaken):
        holders.take("192.0.2.4")
    holders.take("192.0.2.4", "carl")
    assert holders.gave_way[-1] == ("192.0.2.3", "berta")


def test_of_equals_nobody_takes_a_place_from_another() -> None:
    holders = Holders(6)
    for address in ("192.0.2.1", "192.0.2.2", "192.0.2.3"):
        holders.fill(address, 2)
    for address in ("192.0.2.1", "192.0.2.2", "192.0.2.3"):
        with pytest.raises(AllTaken):
            holders.take(address)
    assert holders.gave_way == []
    with pytest.raises(AllTaken):
        holders.fill("192.0.2.4", 2)
    assert len(holders.gave_way) == 1


def test_one_with_a_network_of_many_addresses_counts_as_one() -> None:
    holders = Holders(40)
    for number in range(30):
        holders.take(f"2001:db8:0:{number:x}::1")
    holders.fill("192.0.2.1", 10)
    for number in range(8):
        holders.take(f"198.51.100.{number}")
    assert {address.partition(":")[0] for address, _ in holders.gave_way} == {"2001"}


def test_strangers_in_great_number_leave_each_other_what_they_have() -> None:
    """Ten addresses with as many streams as they may have: each newcomer gets a slot, they keep fair parts."""
    most = most_streams(2000)
    assert most == 1500
    holders = Holders(most, per_address=200, per_player=64)
    for number in range(10):
        with suppress(AllTaken):
            holders.fill(f"192.0.2.{number}", 200)
    assert len(holders.held) == most
    for number in range(100):
        holders.take(f"198.51.100.{number}")
        holders.take(f"203.0.113.{number}", f"player {number}")
    assert len(holders.held) == most
    assert {address.rpartition(".")[0] for address, _ in holders.gave_way} == {"192.0.2"}


def test_chance_keeps_the_books() -> None:
    rng = random.Random(7)  # noqa: S311
    holders = Holders(12, per_address=8, per_player=5)
    addresses = [f"192.0.2.{number}" for number in range(3)]
    addresses += [f"2001:db8:0:{number:x}::1" for number in range(0, 1024, 200)]
    taken: list[Slot] = []
    for _ in range(3000):
        if taken and rng.random() < 0.3:
            holders.slots.give_back(taken.pop(rng.randrange(len(taken))))
        else:
            try:
                taken.append(holders.take(rng.choice(addresses), rng.choice(["", "ada", "berta", "carl"])))
            except (TooManyOpen, AllTaken):
                continue
        assert sum(map(len, holders.slots._open.values())) <= 12
    for slot in taken:
        holders.slots.give_back(slot)
    assert not holders.slots._taken
    assert not any(holders.slots._open.values())
