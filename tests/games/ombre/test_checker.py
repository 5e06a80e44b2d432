"""The independent check of Ombre finds nothing wrong with what the domain records, and finds what is altered."""

from collections import Counter
from collections.abc import Sequence

from tests.games.checking import (
    CheckerTests,
    act,
    drawn_from_below,
    first,
    follow_up,
    hand_of,
    needs,
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
from tests.support.checker.matadors import PACK, TRUMPS
from tests.support.for_each import for_each
from tests.support.recording import Envelope

FACTS = {
    "bid-made": ("hold",),
    "contract-declared": ("contract",),
    "cards-exchanged": ("count", "drawn"),
    "exchange-yielded": ("to",),
    "surrender-answered": ("accepted",),
    "deal-scored": ("estuches",),
}


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


def bids_no_higher(events: list[Envelope], deal: list[int]) -> None:
    bids = [events[place]["public"] for place in of_type(events, deal, "bid-made")]
    needs(len(bids) > 1 and not bids[1]["hold"])
    bids[1]["contract"] = bids[0]["contract"]


def holds_who_comes_later(events: list[Envelope], deal: list[int]) -> None:
    """A seat later in the order bids higher, which is recorded as a hold."""
    bids = [events[place]["public"] for place in of_type(events, deal, "bid-made")]
    eldest = (events[deal[0]]["public"]["dealer"] - 1) % 3
    needs(len(bids) > 1 and bids[0]["seat"] == eldest)
    bids[1] |= {"contract": bids[0]["contract"], "hold": True}


def holds_though_nobody_may(events: list[Envelope], _: list[int]) -> None:
    held = [event["public"]["contract"] for event in events if event["type"] == "bid-made" and event["public"]["hold"]]
    needs(held and held[0] != "solo")
    events[0]["public"]["options"]["hold"] = False


def auction_cut_short(events: list[Envelope], deal: list[int]) -> None:
    """The last pass is left out."""
    last = first(events, deal, "contract-declared") - 1
    needs(events[last]["type"] == "bid-passed")
    del events[last]


def third_player_not_asked(events: list[Envelope], deal: list[int]) -> None:
    """Two have passed, and the deal is passed out."""
    place = first(events, deal, "deal-passed-out")
    del events[place - 1]
    follow_up(events, place - 1)
    follow_up(events, place)


def declared(events: list[Envelope], deal: list[int], *contracts: str) -> int:
    """The place where one of these contracts is declared. Raises NoOccasion."""
    return first(events, deal, "contract-declared", lambda public: public["contract"] in contracts)


def lower_contract(events: list[Envelope], deal: list[int]) -> None:
    """Solo was bid, entrada is declared."""
    events[declared(events, deal, "solo")]["public"]["contract"] = "entrada"


def second_card_turned_up(events: list[Envelope], deal: list[int]) -> None:
    opening = events[deal[0]]["sealed"]["house"]["data"]["talon"][1]
    turned = {"card": opening["card"], "trump": opening["card"][1], "opening": opening}
    events[first(events, deal, "talon-turned")]["public"] = turned


def nine_cards_against_a_solo(events: list[Envelope], deal: list[int]) -> None:
    """The first to exchange in a solo discards all cards as dealt."""
    declared(events, deal, "solo")
    event = events[of_type(events, deal, "cards-exchanged")[0]]
    seat = event["public"]["seat"]
    event["public"]["count"] = 9
    event["sealed"][f"seat:{seat}"]["data"] = {
        "discarded": sorted(hand_of(events, deal, seat), key=PACK.index),
        "drawn": events[deal[0]]["sealed"]["house"]["data"]["talon"][:9],
    }


def exchange_in_a_solo(events: list[Envelope], deal: list[int]) -> None:
    """Ombre exchanges too."""
    place = declared(events, deal, "solo")
    seat = events[place]["public"]["seat"]
    own = act(events, place, "cards-exchanged", seat=seat, count=0)
    own["sealed"] = {f"seat:{seat}": {"salt": "00" * 32, "data": {"discarded": [], "drawn": []}}}
    events.insert(place + 1, own)


def yielded_twice(events: list[Envelope], deal: list[int]) -> None:
    place = first(events, deal, "exchange-yielded")
    public = events[place]["public"]
    events.insert(place + 1, act(events, place, "exchange-yielded", seat=public["to"], to=public["seat"]))


def revoke(events: list[Envelope], deal: list[int]) -> None:
    """Who followed with a plain card plays a later one of another plain suit in its place."""
    trump = events[first(events, deal, "contract-declared")]["public"]["trump"]
    needs(trump is not None and not of_type(events, deal, "surrender-answered", "all-tricks-undertaken"))
    # Each trump is a suit of its own, since whether it must follow another depends on both.
    revoked(events, deal, lambda card: card if card in TRUMPS[trump] else card[1], 3)


def lead_before(events: list[Envelope], deal: list[int], tricks: int) -> int:
    """The place of the lead after so many tricks. Raises NoOccasion."""
    done = of_type(events, deal, "trick-won")
    needs(tricks <= len(done) and events[done[tricks - 1] + 1]["type"] == "card-played")
    return done[tricks - 1] + 1


def offers_surrender(events: list[Envelope], deal: list[int], tricks: int, *contracts: str) -> None:
    """Ombre offers to surrender one of these contracts after so many tricks."""
    ombre = events[declared(events, deal, *contracts)]["public"]["seat"]
    place = lead_before(events, deal, tricks)
    events.insert(place, act(events, place, "surrender-offered", seat=ombre))


def surrender_after_four_tricks(events: list[Envelope], deal: list[int]) -> None:
    needs(not of_type(events, deal, "surrender-offered"))
    offers_surrender(events, deal, 4, "entrada", "vuelta")


def surrender_in_a_solo(events: list[Envelope], deal: list[int]) -> None:
    offers_surrender(events, deal, 1, "solo")


def surrender_offered_twice(events: list[Envelope], deal: list[int]) -> None:
    needs(lead_before(events, deal, 3) > first(events, deal, "surrender-answered"))
    offers_surrender(events, deal, 3, *BIDS)


def surrender_in_the_middle_of_a_trick(events: list[Envelope], deal: list[int]) -> None:
    ombre = events[declared(events, deal, "entrada", "vuelta")]["public"]["seat"]
    place = lead_before(events, deal, 1)
    needs(not of_type(events, deal, "surrender-offered"))
    events.insert(place + 1, act(events, place, "surrender-offered", seat=ombre))


def two_answers(events: list[Envelope], deal: list[int]) -> tuple[Envelope, Envelope]:
    """Both answers to a surrender. Raises NoOccasion."""
    answers = of_type(events, deal, "surrender-answered")
    needs(len(answers) == 2)
    return events[answers[0]], events[answers[1]]


def answered_by_the_other_first(events: list[Envelope], deal: list[int]) -> None:
    one, other = two_answers(events, deal)
    one["public"], other["public"] = other["public"], one["public"]
    one["actor"], other["actor"] = other["actor"], one["actor"]


def both_accept_and_play_goes_on(events: list[Envelope], deal: list[int]) -> None:
    _, second = two_answers(events, deal)
    needs(not second["public"]["accepted"])
    second["public"]["accepted"] = True


def stops_without_the_first_five(events: list[Envelope], deal: list[int]) -> None:
    place = lead_before(events, deal, 5)
    winners = {events[each]["public"]["seat"] for each in of_type(events, deal, "trick-won")[:5]}
    seat = events[first(events, deal, "contract-declared")]["public"]["seat"]
    needs(winners != {seat})
    events.insert(place, act(events, place, "play-stopped", seat=seat))


def no_ante(events: list[Envelope], deal: list[int]) -> None:
    dealt = events[deal[0]]["public"]
    for event in events:
        if "totals" in event["public"]:
            event["public"]["totals"][dealt["dealer"]] += 5
    dealt["lines"] = []


def codille_to_the_other(events: list[Envelope], deal: list[int]) -> None:
    """The pool's value goes to the defender with fewer tricks."""
    public = events[deal[-1]]["public"]
    value = [line for line in public["lines"] if line["kind"] == "codille"]
    needs(public["outcome"] == "codille" and len(value) == 2)
    ombre = events[first(events, deal, "contract-declared")]["public"]["seat"]
    own = next(line for line in value if line["seat"] != ombre)
    mirror = next(line for line in value if line is not own)
    other = ({0, 1, 2} - {own["seat"], mirror["seat"]}).pop()
    players = {e["public"]["seat"]: e["public"]["player"] for e in events if e["type"] == "seat-taken"}
    own |= {"seat": other, "account": f"player:{players[other]}"}
    mirror["with"] = own["account"]


def rest_to_a_player(events: list[Envelope], _: list[int]) -> None:
    """What cannot be shared equally goes to a player."""
    lines = events[-1]["public"]["lines"]
    banks = [place for place, line in enumerate(lines) if line["account"] == "bank"]
    needs(banks)
    bank, mirror = lines[banks[0]], lines[banks[0] ^ 1]
    player = next(e["public"]["player"] for e in events if e["type"] == "seat-taken")
    bank |= {"account": f"player:{player}", "seat": 0}
    mirror["with"] = f"player:{player}"


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = (PACK, OUTCOMES, BIDS)
    intact = range(16)
    long = (({"hold": True}, 99), ({"hold": False}, 99))
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
