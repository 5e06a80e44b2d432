"""What a table of L'Hombre shows in each phase of a deal."""

import pytest

from tests.games.lhombre.tables import FOUR, LhombreLive, declared, played


def test_a_deal_goes_through_its_phases() -> None:
    live = LhombreLive.around({}, options=FOUR)
    seen = []
    while not live.table.scored:
        view = live.view("public")
        seen.append(view["phase"])
        assert (view["game"], view["order"], view["to_act"]) == ("lhombre", (1, 3, 2), (live.turn,))
        assert (view["contract"] is None) is (view["phase"] in ("auction", "declaration"))
        match view["phase"]:
            case "auction":
                live.bid_out(1, "simple-game")
            case "declaration":
                live.do("declare", contract="tourne")
            case "exchange":
                live.do("exchange")
            case _:
                live.do("play", card=live.offered(live.turn, "play")[0]["card"]["one_of"][0])
    assert list(dict.fromkeys(seen)) == ["auction", "declaration", "exchange", "play"]


@pytest.mark.parametrize("winners", [(0,), (1, 1), (0, 1, 2, 0), (2, 2, 0, 0, 1, 1)])
def test_tricks_won_by_seat(winners: tuple[int, ...]) -> None:
    live = played("solo", winners, options=FOUR)
    expected = [0] * 4
    for winner in winners:
        expected[live.order[winner]] += 1
    for audience in live.audiences:
        assert [seat["tricks"] for seat in live.view(audience)["seats"]] == expected


def test_an_abandoned_deal_shows_what_it_showed_before() -> None:
    live = declared("tourne", options=FOUR)
    declarer = live.turn
    live.do("exchange", discard=live.hand(declarer)[:2])
    live.do("exchange")
    before = live.view("public")
    live.act(declarer, "abandon")
    after = live.view("public", before["version"] + 1)
    assert after["phase"] == "abandoned"
    for name in ("order", "auction", "contract", "exchanges", "talon", "trick", "last_trick"):
        assert after[name] == before[name]
    assert after["exchanges"] == ({"seat": declarer, "count": 2}, {"seat": before["order"][1], "count": 0})
