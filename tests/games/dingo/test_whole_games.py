"""Whole games picked from offers: what may be done is what the rules say, and every moment is summed up."""

from domain.games.dingo import DINGO
from domain.games.dingo.acts import PlayWolves
from domain.kernel.offers import described
from tests.games.dingo.tables import DingoLive
from tests.support.games import chance, finished, step


def game(number: int) -> DingoLive:
    """A finished game."""
    return finished(DingoLive.started(seed=bytes([number]) * 32), chance(number))


def legal(live: DingoLive, seat: int) -> set[tuple[str, tuple[str, ...]]]:
    """What the rules let the seat do, listed act by act: its type and its cards."""
    view = live.view(f"seat:{seat}")
    hand = view["seats"][seat]["hand"]["known"]
    match view["phase"]:
        case "discard":
            return {("discard", (card,)) for card in hand if card[0] != "A"}
        case "pass":
            return {("pass-card", (card,)) for card in hand}
        case "hunt":
            wolves = {view["hunt"]["rank"] + suit for suit in "sc"}
            return {("pass", ()), *(("play-wolf", (card,)) for card in hand if card in wolves)}
        case _:
            aces = [card for card in hand if card in ("As", "Ac")]
            several = [(), *((card,) for card in aces), *([tuple(aces)] if len(aces) > 1 else [])]
            return {("play-wolves", cards) for cards in several}


def test_offers_are_what_the_rules_allow_and_nothing_else() -> None:
    cards = list(DINGO.pack)
    for number in range(2):
        live, rng = DingoLive.started(seed=bytes([number]) * 32), chance(number)
        while live.table.status == "playing":
            seat = live.turn
            offered, allowed = live.offers(seat), legal(live, seat)
            single = [(kind, {"card": card}) for kind in ("discard", "pass-card", "play-wolf") for card in cards]
            for kind, fields in single:
                assert described(offered, kind, fields) == ((kind, (fields["card"],)) in allowed)
            assert described(offered, "pass", {}) == (("pass", ()) in allowed)
            for held in ((), ("As",), ("Ac",), ("As", "Ac"), ("Ad",), ("Ah", "As")):
                assert described(offered, "play-wolves", {"cards": held}) == (("play-wolves", held) in allowed)
            step(live, rng)


def test_the_order_of_black_aces_does_not_matter() -> None:
    live = game(3)
    assert PlayWolves(("Ac", "As")) != PlayWolves(("As", "Ac"))
    for event in live.events:
        if event.public.TYPE == "wolves-played":
            assert event.public.cards in ((), ("As",), ("Ac",), ("As", "Ac"))
