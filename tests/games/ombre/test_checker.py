"""The independent check of Ombre finds nothing wrong with what the domain records, and finds what is altered."""

from collections import Counter
from collections.abc import Sequence

from tests.games.checking import (
    CheckerTests,
    act,
    deals,
    drawn_from_below,
    follow_up,
    hand_of,
    occasions,
    of_type,
    one_more,
    revoked,
    stopped_too_soon,
)
from tests.games.ombre.checker import (
    BIDS,
    OUTCOMES,
    POOL_LIMIT,
    Party,
    Terms,
    Worth,
    estuches,
    puesta,
    results,
    settled,
    shares,
    won,
)
from tests.games.ombre.habits import HABITS
from tests.support.checker import violations
from tests.support.checker.matadors import PACK, TRUMPS
from tests.support.for_each import for_each
from tests.support.recording import Envelope, game

FACTS = {
    "bid-made": ("hold",),
    "contract-declared": ("contract",),
    "cards-exchanged": ("count", "drawn"),
    "exchange-yielded": ("to",),
    "surrender-answered": ("accepted",),
    "deal-scored": ("estuches",),
}
VALUES = (PACK, OUTCOMES, BIDS)


@for_each("hold", [True, False])
def test_a_long_game_is_intact(hold: bool) -> None:
    assert violations(game(1, {"hold": hold}, 99, HABITS)) == []


# what the rules say


def test_om_6_3_estuches() -> None:
    assert estuches(TRUMPS["h"], "h") == ["As", "7h", "Ac", "Ah", "Kh"]
    assert estuches(["As", "2s", "Ac", "Ks", "Js"], "s") == ["As", "2s", "Ac", "Ks"]
    assert estuches(["As", "2s", "Ks", "Qs", "Js"], "s") == []


def gains(worth: Worth) -> Counter[Party]:
    """What each gains."""
    gained: Counter[Party] = Counter()
    for due in worth[1]:
        gained[due.to] += due.amount
        gained[due.by] -= due.amount
    return gained


@for_each(
    "terms, tricks, outcome, gained",
    [
        (Terms("entrada", 0, 5, 3), (5, 2, 2), "win", (21, -8, -8, -5)),
        (Terms("entrada", 0, 5, 0), (4, 3, 2), "win", (15, -5, -5, -5)),
        (Terms("solo", 1, 10, 5), (2, 7, 0), "win", (-20, 50, -20, -10)),
        (Terms("solo", 0, 10, 0), (3, 3, 3), "puesta", (-20, 5, 5, 10)),
        (Terms("solo", 2, 10, 4), (4, 1, 4), "puesta", (5, 5, -20, 10)),
        (Terms("vuelta", 0, 5, 0), (3, 5, 1), "codille", (-15, 10, 5, 0)),
        (Terms("entrada", 0, 5, 3), (1, 4, 4), "codille", (-15, 7, 7, 1)),
        (Terms("entrada", 0, 10, 3), (1, 4, 4), "codille", (-20, 10, 10, 0)),
        (Terms("vuelta", 0, 5, 3, vole=True), (9, 0, 0), "vole", (85, -40, -40, -5)),
        (Terms("vuelta", 0, 5, 3, vole=True), (5, 1, 3), "vole-failed", (-35, 20, 20, -5)),
        (Terms("entrada", 0, 5, 3, new=1), (2, 4, 3), "new-ombre-failed", (-10, -10, 10, 10)),
        (Terms("entrada", 0, 5, 3, new=1), (4, 5, 0), "new-ombre-won", (-15, 10, 5, 0)),
    ],
)
def test_om_8_every_row(
    terms: Terms, tricks: tuple[int, int, int], outcome: str, gained: tuple[int, int, int, int]
) -> None:
    worth = settled(terms, tricks)
    assert worth[0] == outcome
    assert [gains(worth)[party] for party in (0, 1, 2, "pool")] == list(gained)


def test_om_8_primeras_and_a_surrender_accepted() -> None:
    assert gains(won(Terms("entrada", 0, 5, 3), "win", primeras=True))[0] == 5 + 2 * 9
    assert gains(puesta(Terms("entrada", 0, 5, 3), "surrendered", "OM-7.2")) == {0: -15, 1: 5, 2: 5, "pool": 5}


def test_om_8_2_a_pool_is_filled_no_further_than_there_is_room() -> None:
    terms = Terms("entrada", 0, POOL_LIMIT - 7, 0)
    assert gains(puesta(terms, "puesta", "OM-6.1"))["pool"] == 7
    assert gains(settled(Terms("entrada", 0, POOL_LIMIT - 7, 0, new=1), (4, 4, 1)))["pool"] == 6


def test_om_1_4_the_rest_of_a_pool_goes_to_the_bank() -> None:
    assert [(due.to, due.amount) for due in shares({"pool": 14}, {})] == [(0, 4), (1, 4), (2, 4), ("bank", 2)]


@for_each(
    "winners, settled",
    [
        ((0, 0, 0, 0), False),
        ((0, 0, 0, 0, 0), False),
        ((1, 0, 0, 0, 0), False),
        ((1, 0, 0, 0, 0, 0), True),
        ((1, 1, 1, 1), False),
        ((1, 1, 1, 1, 0), False),
        ((1, 1, 1, 1, 1), True),
        ((1, 1, 1, 2, 2, 2, 0), False),
        ((0, 0, 0, 0, 1, 2, 1, 2), True),
        ((0, 0, 0, 0, 1, 1, 1, 2), False),
        ((0, 0, 0, 1, 1, 1, 2, 2, 0), True),
    ],
)
def test_om_6_4_whether_all_is_settled(winners: Sequence[int], settled: bool) -> None:
    assert (len(results(Terms("entrada", 0, 5, 0), winners)) == 1) == settled


def test_om_6_4_a_new_ombre_is_done_with_five_tricks_and_beaten_when_they_cannot_be_reached() -> None:
    terms = Terms("entrada", 0, 5, 0, new=1)
    assert [outcome for outcome, _ in results(terms, [1] * 5)] == ["new-ombre-won"]
    assert [outcome for outcome, _ in results(terms, [0] * 5)] == ["new-ombre-failed"]
    assert len(results(terms, [1] * 4 + [0] * 4)) == 2


# breaches of the rules


def bids_no_higher(events: list[Envelope]) -> bool:
    for deal in deals(events):
        bids = [events[place]["public"] for place in of_type(events, deal, "bid-made")]
        if len(bids) > 1 and not bids[1]["hold"]:
            bids[1]["contract"] = bids[0]["contract"]
            return True
    return False


def holds_who_comes_later(events: list[Envelope]) -> bool:
    """A seat later in the order bids higher, which is recorded as a hold."""
    for deal in deals(events):
        bids = [events[place]["public"] for place in of_type(events, deal, "bid-made")]
        eldest = (events[deal[0]]["public"]["dealer"] - 1) % 3
        if len(bids) > 1 and bids[0]["seat"] == eldest:
            bids[1] |= {"contract": bids[0]["contract"], "hold": True}
            return True
    return False


def holds_though_nobody_may(events: list[Envelope]) -> bool:
    events[0]["public"]["options"]["hold"] = False
    held = [event["public"]["contract"] for event in events if event["type"] == "bid-made" and event["public"]["hold"]]
    return bool(held) and held[0] != "solo"


def auction_cut_short(events: list[Envelope]) -> bool:
    """The last pass is left out."""
    for _, place in occasions(events, "bid-passed"):
        if events[place + 1]["type"] == "contract-declared":
            del events[place]
            return True
    return False


def third_player_not_asked(events: list[Envelope]) -> bool:
    """Two have passed, and the deal is passed out."""
    for _, place in occasions(events, "deal-passed-out"):
        del events[place - 1]
        follow_up(events, place - 1)
        follow_up(events, place)
        return True
    return False


def lower_contract(events: list[Envelope]) -> bool:
    """Solo was bid, entrada is declared."""
    for _, place in occasions(events, "contract-declared"):
        if events[place]["public"]["contract"] == "solo":
            events[place]["public"]["contract"] = "entrada"
            return True
    return False


def second_card_turned_up(events: list[Envelope]) -> bool:
    for deal, place in occasions(events, "talon-turned"):
        opening = events[deal[0]]["sealed"]["house"]["data"]["talon"][1]
        events[place]["public"] = {"card": opening["card"], "trump": opening["card"][1], "opening": opening}
        return True
    return False


def discards_of(events: list[Envelope], deal: list[int], place: int, count: int) -> None:
    """The first to exchange in a solo discards so many cards as dealt."""
    public = events[place]["public"]
    hand, house = hand_of(events, deal, public["seat"]), events[deal[0]]["sealed"]["house"]
    public["count"] = count
    events[place]["sealed"][f"seat:{public['seat']}"]["data"] = {
        "discarded": sorted(hand, key=PACK.index)[:count],
        "drawn": house["data"]["talon"][:count],
    }


def nine_cards_against_a_solo(events: list[Envelope]) -> bool:
    for deal, place in occasions(events, "contract-declared"):
        if events[place]["public"]["contract"] == "solo":
            exchange = of_type(events, deal, "cards-exchanged")[0]
            discards_of(events, deal, exchange, 9)
            return True
    return False


def exchange_in_a_solo(events: list[Envelope]) -> bool:
    """Ombre exchanges too."""
    for _, place in occasions(events, "contract-declared"):
        public = events[place]["public"]
        if public["contract"] == "solo":
            own = act(events, place, "cards-exchanged", seat=public["seat"], count=0)
            own["sealed"] = {f"seat:{public['seat']}": {"salt": "00" * 32, "data": {"discarded": [], "drawn": []}}}
            events.insert(place + 1, own)
            return True
    return False


def yielded_twice(events: list[Envelope]) -> bool:
    for _, place in occasions(events, "exchange-yielded"):
        public = events[place]["public"]
        events.insert(place + 1, act(events, place, "exchange-yielded", seat=public["to"], to=public["seat"]))
        return True
    return False


def revoke(events: list[Envelope]) -> bool:
    """Who followed with a plain card plays a later one of another plain suit in its place."""
    for deal in deals(events):
        trump = next((events[p]["public"]["trump"] for p in of_type(events, deal, "contract-declared")), None)
        if trump is None or of_type(events, deal, "surrender-answered", "all-tricks-undertaken"):
            continue
        # Each trump is a suit of its own, since whether it must follow another depends on both.
        if revoked(events, deal, lambda card, trump=trump: card if card in TRUMPS[trump] else card[1], 3):
            return True
    return False


def lead_before(events: list[Envelope], deal: list[int], tricks: int) -> int | None:
    """The place of the lead after so many tricks."""
    done = of_type(events, deal, "trick-won")
    after = done[tricks - 1] + 1 if 0 < tricks <= len(done) else None
    return after if after is not None and events[after]["type"] == "card-played" else None


def ombre_of(events: list[Envelope], deal: list[int]) -> tuple[int, str]:
    public = events[of_type(events, deal, "contract-declared")[0]]["public"]
    return public["seat"], public["contract"]


def offers_surrender(events: list[Envelope], deal: list[int], tricks: int) -> bool:
    place = lead_before(events, deal, tricks)
    if place is not None:
        events.insert(place, act(events, place, "surrender-offered", seat=ombre_of(events, deal)[0]))
    return place is not None


def surrender_after_four_tricks(events: list[Envelope]) -> bool:
    return any(
        offers_surrender(events, deal, 4)
        for deal in deals(events)
        if of_type(events, deal, "trick-won") and ombre_of(events, deal)[1] != "solo"
        if not of_type(events, deal, "surrender-offered")
    )


def surrender_in_a_solo(events: list[Envelope]) -> bool:
    return any(
        offers_surrender(events, deal, 1)
        for deal in deals(events)
        if of_type(events, deal, "trick-won") and ombre_of(events, deal)[1] == "solo"
    )


def surrender_offered_twice(events: list[Envelope]) -> bool:
    for deal in deals(events):
        before = of_type(events, deal, "surrender-answered")
        place = lead_before(events, deal, 3)
        if before and place is not None and place > before[0]:
            events.insert(place, act(events, place, "surrender-offered", seat=ombre_of(events, deal)[0]))
            return True
    return False


def surrender_in_the_middle_of_a_trick(events: list[Envelope]) -> bool:
    for deal in deals(events):
        place = lead_before(events, deal, 1)
        if place is None or of_type(events, deal, "surrender-offered"):
            continue
        ombre, contract = ombre_of(events, deal)
        if contract != "solo":
            events.insert(place + 1, act(events, place, "surrender-offered", seat=ombre))
            return True
    return False


def answered_by_the_other_first(events: list[Envelope]) -> bool:
    for deal in deals(events):
        answers = of_type(events, deal, "surrender-answered")
        if len(answers) == 2:
            one, other = (events[place] for place in answers)
            one["public"], other["public"] = other["public"], one["public"]
            one["actor"], other["actor"] = other["actor"], one["actor"]
            return True
    return False


def both_accept_and_play_goes_on(events: list[Envelope]) -> bool:
    for deal in deals(events):
        answers = of_type(events, deal, "surrender-answered")
        if len(answers) == 2 and not events[answers[1]]["public"]["accepted"]:
            events[answers[1]]["public"]["accepted"] = True
            return True
    return False


def stops_without_the_first_five(events: list[Envelope]) -> bool:
    for deal in deals(events):
        place = lead_before(events, deal, 5)
        if place is not None:
            winners = {events[each]["public"]["seat"] for each in of_type(events, deal, "trick-won")[:5]}
            seat = ombre_of(events, deal)[0]
            events.insert(place, act(events, place, "play-stopped", seat=seat))
            return winners != {seat}
    return False


def no_ante(events: list[Envelope]) -> bool:
    dealt = events[deals(events)[0][0]]["public"]
    for event in events:
        if "totals" in event["public"]:
            event["public"]["totals"][dealt["dealer"]] += 5
    dealt["lines"] = []
    return True


def codille_to_the_other(events: list[Envelope]) -> bool:
    """The pool's value goes to the defender with fewer tricks."""
    players = {e["public"]["seat"]: e["public"]["player"] for e in events if e["type"] == "seat-taken"}
    for deal in deals(events):
        public = events[deal[-1]]["public"]
        value = [line for line in public["lines"] if line["kind"] == "codille"]
        if public["outcome"] == "codille" and len(value) == 2:
            own = next(line for line in value if line["seat"] != ombre_of(events, deal)[0])
            mirror = next(line for line in value if line is not own)
            other = ({0, 1, 2} - {own["seat"], mirror["seat"]}).pop()
            own |= {"seat": other, "account": f"player:{players[other]}"}
            mirror["with"] = own["account"]
            return True
    return False


def rest_to_a_player(events: list[Envelope]) -> bool:
    """What cannot be shared equally goes to a player."""
    public = events[-1]["public"]
    for place in range(0, len(public["lines"]), 2):
        own, other = public["lines"][place : place + 2]
        bank = own if own["account"] == "bank" else other
        mirror = other if bank is own else own
        if bank["account"] == "bank":
            player = next(e["public"]["player"] for e in events if e["type"] == "seat-taken")
            bank |= {"account": f"player:{player}", "seat": 0}
            mirror["with"] = f"player:{player}"
            return True
    return False


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = VALUES
    intact = range(16)
    rewritten = (0, 1, 5, 6)
    moved = range(6)
    breaches = (
        (bids_no_higher, "OM-4.1"),
        (holds_who_comes_later, "OM-4.2"),
        (holds_though_nobody_may, "OM-4.2"),
        (auction_cut_short, "contract-declared comes where bid-made or bid-passed should"),
        (third_player_not_asked, "deal-passed-out comes where bid-made or bid-passed should"),
        (lower_contract, "OM-4.4"),
        (second_card_turned_up, "OM-4.4"),
        (drawn_from_below, "OM-4.5"),
        (nine_cards_against_a_solo, "OM-4.5"),
        (exchange_in_a_solo, "OM-4.5"),
        (yielded_twice, "exchange-yielded comes where cards-exchanged should"),
        (revoke, " in hand"),
        (surrender_after_four_tricks, "surrender-offered comes where card-played should"),
        (surrender_in_a_solo, "surrender-offered comes where card-played should"),
        (surrender_offered_twice, "surrender-offered comes where card-played should"),
        (surrender_in_the_middle_of_a_trick, "surrender-offered comes where card-played should"),
        (answered_by_the_other_first, "OM-7.2"),
        (both_accept_and_play_goes_on, "card-played follows"),
        (stops_without_the_first_five, "play-stopped comes where card-played should"),
        (stopped_too_soon, "deal-scored comes where card-played should"),
        (no_ante, "OM-8"),
        (one_more, "OM-8"),
        (codille_to_the_other, "OM-8"),
        (rest_to_a_player, "OM-8"),
    )
