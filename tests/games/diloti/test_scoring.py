"""DL-9: the end of a deal, what it comes to, and what is booked."""

from itertools import cycle

import pytest
from msgspec.structs import replace

from domain.games.diloti.meta import PACK, TARGET, Options
from domain.games.diloti.scoring import SCORING
from domain.games.diloti.state import Capture
from domain.games.diloti.view import show
from domain.kernel.hands import Hand
from domain.kernel.ledger import BANK, LineAt, book
from domain.kernel.worth import Score
from domain.picking import pick
from domain.table.actions import Entry, OpenDispute, RuleDispute
from tests.games.diloti.tables import FOUR, DilotiLive, dealt, position
from tests.support.games import EVERYBODY, chance, finished

NAMED = ("Td", "As", "Ah", "Ad", "Ac", "2c")
FREE = Options(players=4, court_lay="free")


def scored(
    first: tuple[int, str, int], second: tuple[int, str, int], options: Options | None = None, loose: str = ""
) -> Score:
    """What a deal comes to in which each side has so many cards, those that score among them, and so many xeris."""
    options = options or Options()
    others = cycle(card for card in PACK if card not in NAMED)
    captures = []
    for seat, (number, names, xeris) in enumerate((first, second)):
        cards = [*names.split(), *(next(others) for _ in range(number - len(names.split())))]
        # The last capture of a side has the cards that score.
        captures += [
            Capture(seat, tuple(cards[-1 - xeri :][:1]), xeri=True, version=20 + xeri) for xeri in range(xeris)
        ]
        captures.append(Capture(seat, tuple(cards[: len(cards) - xeris]), xeri=False, version=30 + seat))
    begun = position("", loose, options=options)
    held = (Hand(),) * options.players
    found = SCORING.score(replace(begun, hands=held, stock=(), captures=tuple(each for each in captures if each.cards)))
    assert found is not None
    return found


def items(found: Score, seat: int = 0) -> list[tuple[str, int]]:
    """Rule and amount of each of the seat's lines."""
    return [(each.rule, each.amount) for each in found.transfers if each.account == seat]


def points(found: Score) -> list[int]:
    """What each side scored."""
    return [side.points for side in found.extra["sides"]]


def test_dl_9_3_the_view_says_what_xeris_and_cards_have_scored_so_far() -> None:
    captures = (Capture(0, ("Td", "9s"), xeri=True, version=20), Capture(1, ("2c", "Ah"), xeri=False, version=21))
    view = show(replace(position("", "3s"), captures=captures))
    assert [(side.xeris, side.points) for side in view["sides"]] == [(1, 12), (0, 2)]


def test_dl_9_1_a_deal_ends_when_hands_and_stock_are_empty() -> None:
    live = DilotiLive.started(deals=1)
    rng = chance("end")
    while live.table.scored == 0:
        state = live.table.deal_state
        assert state.stock or not state.empty_handed
        assert SCORING.score(state) is None
        offers = live.offers(live.turn)
        wire = pick(rng.choice(offers), rng.randrange)
        live.take(live.turn, {name: list(one) if isinstance(one, tuple) else one for name, one in wire.items()})
    assert live.table.deal_state.turns == 48


def test_dl_9_2_what_is_loose_goes_to_the_side_that_captured_last() -> None:
    live = dealt({0: "8s", 1: "9s"}, "8h Jh 3h 2h")
    live.capture("8s", "8h")
    # Nothing but numerals is laid after that, unless a court card must capture.
    live.lay_all(48)
    rest = [event for event in live.events if event.public.TYPE == "rest-taken"]
    captured = [event for event in live.events if event.public.TYPE == "cards-captured"]
    (taken,) = rest
    assert taken.public.seat == captured[-1].public.seat
    assert taken.actor == "house"
    assert sum(side.cards for side in live.score.sides) == 52
    assert not any(event.public.xeri for event in captured[-1:])
    assert not [card for card in taken.public.cards if card[0] in "KQJ"], "court cards are taken in pairs"


def test_dl_9_2_where_nobody_has_captured_it_counts_for_no_one() -> None:
    live = DilotiLive.started(deals=1, options=FREE)
    live.lay_all(48)
    assert live.score.outcome == "nothing-captured"
    assert [(side.cards, side.points) for side in live.score.sides] == [(0, 0), (0, 0)]
    assert live.score.lines == ()
    assert [event.public.TYPE for event in live.events[-3:]] == ["card-laid", "deal-scored", "game-finished"]
    assert len(live.view("public")["loose"]["known"]) == 52


def test_dl_9_3_each_xeri_scores_ten() -> None:
    found = scored((20, "", 2), (32, "", 0))
    assert items(found) == [("DL-9.3", 10)] * 2
    assert [each.events for each in found.transfers[:2]] == [(20,), (21,)]


def test_dl_9_4_most_cards_score_four_and_nobody_with_26_each() -> None:
    found = scored((27, "", 0), (25, "", 0))
    assert (found.outcome, items(found), items(found, 1)) == ("most-cards", [("DL-9.4", 4)], [])
    equal = scored((26, "", 0), (26, "", 0))
    assert (equal.outcome, equal.transfers) == ("cards-equal", ())


@pytest.mark.parametrize(("card", "amount"), [("Td", 2), ("9d", 0), ("Th", 0)])
def test_dl_9_5_the_ten_of_diamonds_scores_two(card: str, amount: int) -> None:
    found = scored((26, card, 0), (26, "", 0))
    assert points(found) == [amount, 0]


def test_dl_9_6_each_ace_scores_one_in_the_order_of_the_pack() -> None:
    found = scored((26, "Ac Ad Ah As", 0), (26, "", 0))
    assert items(found) == [("DL-9.6", 1)] * 4
    assert [each.text.split(" for ")[0] for each in found.transfers] == [
        f"Ace of {suit}" for suit in ("spades", "hearts", "diamonds", "clubs")
    ]


def test_dl_9_7_the_two_of_clubs_scores_one() -> None:
    found = scored((26, "", 0), (26, "2c", 0))
    assert items(found, 1) == [("DL-9.7", 1)]


def test_dl_9_8_example_9() -> None:
    found = scored((31, "Td As Ah Ad", 2), (21, "Ac 2c", 1))
    assert points(found) == [29, 12]
    assert [rule for rule, _ in items(found)] == ["DL-9.3"] * 2 + ["DL-9.4", "DL-9.5"] + ["DL-9.6"] * 3
    lines = book(found.transfers, ("a", "b"))
    assert sum(line.amount for line in lines if line.account == BANK) == -41
    four = scored((31, "Td As Ah Ad", 2), (21, "Ac 2c", 1), FOUR)
    assert points(four) == [29, 12]
    assert items(four, 2) == items(four)
    assert items(four, 3) == items(four, 1)
    lines = book(four.transfers, ("a", "b", "c", "d"))
    assert sum(line.amount for line in lines if line.account == BANK) == -82
    assert sum(line.amount for line in lines) == 0


def test_dl_9_8_a_deal_pays_eleven_points_and_ten_for_each_xeri() -> None:
    for number in range(8):
        rng = chance(("eleven", number))
        live = finished(DilotiLive.started(deals=1, options=FOUR, seed=rng.randbytes(32)), rng)
        xeris = sum(side.xeris for side in live.score.sides)
        fixed = 7 if live.score.outcome == "cards-equal" else 11
        assert sum(side.points for side in live.score.sides) == fixed + 10 * xeris
        assert 0 not in [line.amount for line in live.score.lines]


def test_dl_9_8_lines_say_whose_they_are() -> None:
    found = scored((27, "Td", 1), (25, "2c", 0), FOUR)
    assert [each.text for each in found.transfers if each.account == 2] == [
        "Xeri by seat 0 for seats 0 and 2: 10",
        "Most cards, 27 to 25 for seats 0 and 2: 4",
        "Ten of diamonds for seats 0 and 2: 2",
    ]
    assert [each.kind for each in found.transfers if each.account == 0] == ["xeri", "most-cards", "card"]


def test_dl_9_8_a_correction_to_one_account_counts_as_the_mean() -> None:
    live = DilotiLive.started(deals=2, options=FOUR)
    rng = chance("mean")
    while live.table.scored == 0:
        offers = live.offers(live.turn)
        wire = pick(rng.choice(offers), rng.randrange)
        live.take(live.turn, {name: list(one) if isinstance(one, tuple) else one for name, one in wire.items()})
    line = live.score.lines[0]
    assert line.seat == 0
    version = next(event.version for event in live.events if event.public.TYPE == "deal-scored")
    live.command(OpenDispute(EVERYBODY[0], (LineAt(version, 0),), None, "Not so."))
    again = [Entry(seat, BANK, line.amount, "again", line.rule, "As before") for seat in (0, 2)]
    more = Entry(0, BANK, 5, "corrected", line.rule, "Corrected")
    live.command(RuleDispute("an arbiter", 1, "upheld", "Indeed.", (*again, more)))
    totals = live.table.totals
    assert totals[0] == totals[2] + 5
    assert TARGET.over(replace(live.table.standing, totals=(66, 3, 56, 3))) == "target reached"
    assert TARGET.over(replace(live.table.standing, totals=(65, 3, 56, 3))) is None
