"""Games narrated for people: every game, with any number of seats, every event, and no hidden card."""

import re
from collections.abc import Iterable
from typing import Any

import pytest

from domain.cards import Face
from domain.kernel.game import Game
from domain.kernel.words import said
from domain.parts.words import TRICK
from domain.table.words import complete
from service.cli.narrator import Narrator
from service.cli.replay import ALL, Recording, bots, from_log, from_records, narrate, plotted
from service.cli.terminal_text import by_suit, card
from service.describe.narration import Event
from tests.golden.games import events as golden_events
from tests.golden.games import names as golden_names
from tests.support.registry import GAMES
from tests.support.samples import sample
from tests.unit.cli.game import NAMES, open_events, played

CARD = re.compile(r"(?:10|[KQJA2-9])[♠♥♦♣]")


def lines(events: Iterable[Event], audience: str = ALL) -> list[str]:
    return [line.plain for line in narrate(events, audience, lambda player: NAMES.get(player, player), GAMES)]


@pytest.fixture(params=GAMES.values(), ids=list(GAMES))
def game(request: pytest.FixtureRequest) -> Game:
    """Each game that is offered."""
    chosen: Game = request.param
    return chosen


@pytest.fixture
def events(game: Game) -> list[Event]:
    """A game of it."""
    return open_events(game)


def test_no_event_of_a_game_is_narrated_by_its_fields(game: Game) -> None:
    narrator = Narrator(str, GAMES)
    for event in sample(game.name).by_type.events.values():
        for line in narrator.lines(event):
            assert not [name for name in event["public"] if f"{name}: " in line.plain], line.plain


def test_one_deal_is_no_deals(events: list[Event]) -> None:
    opened = events[0]
    for deals, text in ((1, ", 1 deal, "), (2, ", 2 deals, ")):
        (line, *_) = lines([opened | {"public": opened["public"] | {"deals": deals}}])
        assert text in line


def test_a_bound_of_deals_is_not_told_where_points_end_the_game(game: Game, events: list[Event]) -> None:
    """A game to a target has as many deals as its bound only if it is asked for no number."""
    limits, target = game.course.deals(game.options()), getattr(game.options(), "target", None)
    for deals in (limits.default, limits.least):
        opened = events[0] | {"public": events[0]["public"] | {"deals": deals}}
        narrated = lines([opened, *events[1:]])
        headlines = [line for line in narrated if line.startswith("Deal ")]
        to = f", to {target} {game.unit}" if target is not None and deals == limits.default else f" of {deals}"
        assert all(line.startswith(f"Deal {number}{to}") for number, line in enumerate(headlines, 1))
        assert (
            to.removeprefix(", ") in narrated[0]
            if to.startswith(", ")
            else re.search(rf", {deals} deals?, ", narrated[0])
        )


def test_options_that_are_not_known_keep_nothing_from_being_told(game: Game, events: list[Event]) -> None:
    """As in a record of a later version of the program."""
    public = events[0]["public"]
    later = [events[0] | {"public": public | {"options": public["options"] | {"later": 1}}}, *events[1:]]
    assert len(lines(later)) >= len(lines(events))
    line = {"amount": 1, "seat": 0, "deal": 1}
    for told, shown in ((events, True), (later, False)):
        recording = Recording(told, NAMES, {}, [line])
        assert any(plotted(recording, GAMES)) is shown


def test_every_event_can_be_narrated_by_itself(game: Game) -> None:
    for event in sample(game.name).by_type.events.values():
        told = [line.plain for line in Narrator(str, GAMES).lines(event)]
        assert told or event["type"] == "card-played"


def test_a_trick_is_narrated_with_the_cards_of_all_who_play(game: Game, events: list[Event]) -> None:
    tricks = [line for line in lines(events) if re.match(r"  trick \d", line) and "→" in line]
    rows = {type: said_of.row for type, said_of in game.words.events.items() if said_of.row is not None}
    ends = {type for type, row in rows.items() if row.name == TRICK and row.ends}
    assert len(tricks) == sum(event["type"] in ends for event in events)
    types = [event["type"] for event in events]
    playing = types[: types.index("trick-won")].count("card-played") if tricks else None
    assert {len(CARD.findall(line)) for line in tricks} == ({playing} if tricks else set())


def test_every_deal_begins_with_its_headline_and_ends_with_the_totals(events: list[Event]) -> None:
    dealers = [event["public"]["dealer"] for event in events if event["type"] == "cards-dealt"]
    deals = len(dealers)
    narrated = lines(events)
    assert [line for line in narrated if line.startswith("Deal ")] == [
        line
        for number, dealer in enumerate(dealers, 1)
        for line in narrated
        if line.startswith(f"Deal {number} of {deals}{'' if dealer is None else '  dealt by '}")
    ]
    assert sum(line.startswith("  totals ") for line in narrated) == deals
    assert narrated[-1].startswith("  finished ")


def test_a_deals_headline_says_what_sums_up_the_table_as_the_cards_lie(game: Game) -> None:
    records = played(game)
    views = from_log(records, GAMES, {}).views
    told = list(narrate(from_records(records), ALL, str, GAMES, views))
    headlines = [line.plain for line in told if line.plain.startswith("Deal ")]
    assert len(headlines) == len(views)
    for headline, view in zip(headlines, views.values(), strict=True):
        said_of = [parts for group in game.words.status if (parts := said(group, view)) is not None]
        literal = [part for parts in said_of for part in parts if isinstance(part, str)]
        assert all(part in headline for part in literal)


def test_what_a_deal_is_played_for_stands_in_its_headline() -> None:
    records = played(GAMES["king"])
    recording = from_log(records, GAMES, {})
    told = list(narrate(recording.events, ALL, NAMES.__getitem__, GAMES, recording.views))
    headlines = [line.plain for line in told if line.plain.startswith("Deal ")]
    assert headlines[2].endswith("  No queens.")
    assert headlines[6].endswith(" names trumps, or puts them up for auction.")


def test_who_sits_down_is_named_with_the_ids_first_letters(events: list[Event]) -> None:
    seated = [event["public"]["player"] for event in events if event["type"] == "seat-taken"]
    told = [line for line in lines(events) if " takes seat " in line]
    assert len(told) == len(seated)
    for player, line in zip(seated, told, strict=True):
        assert line.split()[-1] == player[:8]


def test_the_ledger_names_players_and_shows_cards(game: Game) -> None:
    for name in golden_names(game.name):
        played = golden_events(game.name, name)
        booked = [
            line["rule"]
            for event in played
            for line in event["public"].get("lines", ())
            if line.get("seat") in range(10)
        ]
        told = [line for line in lines(played) for rule in set(booked) if f"   {rule} " in line]
        assert len(told) == len(booked)
        assert not [line for line in told if re.search(r"\bseats? \d|\b[2-9TJQKA][shdc]\b|\bJo\b", line)]


def test_the_public_sees_no_card_that_is_dealt(game: Game, events: list[Event]) -> None:
    dealt = [event for event in events if event["type"] in ("table-opened", "seat-taken", "cards-dealt")]
    said_of = complete(game).events["cards-dealt"].sections
    assert any(CARD.search(line) for line in lines(dealt)) == bool(said_of)
    assert not any(CARD.search(line) for line in lines(dealt, "public"))


def test_a_player_sees_no_other_hand(events: list[Event]) -> None:
    upto = next(number for number, event in enumerate(events) if event["type"] == "cards-dealt")
    dealt = events[upto]
    seat = next((int(key.partition(":")[2]) for key in sorted(dealt["seals"]) if key.startswith("seat:")), None)
    if seat is None:  # Nobody has a hand: all are told the same.
        assert lines(events[: upto + 1], "seat:0") == lines(events[: upto + 1], "public")
        return
    before = len(lines(events[:upto], f"seat:{seat}"))
    narrated = lines(events[: upto + 1], f"seat:{seat}")[before:]
    hands = [line for line in narrated if len(CARD.findall(line)) > 1]
    assert len(hands) == 1
    assert list(NAMES.values())[seat] in hands[0]


def test_contracts_bonuses_and_outcomes_have_the_names_of_the_rule_book() -> None:
    named = GAMES["lhombre"].words.terms
    assert named["contract"]["grand-tourne"] == "Grand Tourné"
    assert named["outcome"]["bete"] == "bête"
    assert GAMES["crocodile"].words.terms["bonus"]["talking"] == "Talking Ouvert"


def test_a_seat_that_sits_out_a_deal_is_named() -> None:
    # The lines of who sits out and pays say so too.
    narrated = [line for line in lines(open_events(GAMES["lhombre"])) if "LH-9.2" not in line]
    of_four = [line for line in narrated if "sits out" in line]
    assert len(of_four) == 4
    assert not any("sits out" in line for line in lines(open_events(GAMES["lhombre"], players=3)))


def narrated(*events: tuple[str, dict[str, Any]], game: str = "lhombre") -> list[str]:
    """The lines of events of these types and public fields, at a table of this game."""
    narrator = Narrator(str, GAMES)
    opened = {"game": game, "deals": 4, "rules_version": 1, "options": {}}
    common = {"table": "T", "sealed": {}, "seals": {}}
    narrator.lines({"type": "table-opened", "public": opened} | common)
    return [line.plain for kind, public in events for line in narrator.lines({"type": kind, "public": public} | common)]


def test_a_dispute_names_the_words_and_the_event_of_its_lines() -> None:
    texts = ("a", "a", "Solo by seat 1, win: 2")
    line = {"account": "bank", "seat": None, "amount": 4, "kind": "contract", "rule": "LH-9.1"}
    booked = [line | {"text": text} for text in texts]
    lines = [{"version": 7, "line": 0}, {"version": 7, "line": 1}, {"version": 7, "line": 2}, {"version": 5, "line": 0}]
    narrator = Narrator(str, GAMES)
    common = {"table": "T", "sealed": {}, "seals": {}, "deal": None}
    opened = {"game": "lhombre", "deals": 4, "rules_version": 1, "options": {}}
    narrator.lines({"type": "table-opened", "version": 1, "public": opened} | common)
    narrator.lines(
        {"type": "seat-taken", "version": 2, "public": {"seat": 1, "player": "Berta", "entropy": None}} | common
    )
    scored = {"deal": 1, "outcome": "bete", "lines": booked, "totals": [0, 0, 0], "seed": ""}
    narrator.lines({"type": "deal-scored", "version": 7, "public": scored} | common)
    opened = {"dispute": 1, "seat": 0, "lines": lines}
    (told,) = narrator.lines({"type": "dispute-opened", "version": 8, "public": opened} | common)
    assert told.plain.endswith("seat 1 disputes “a”, “Solo by Berta, win: 2” of event 7; line 0 of event 5.")


@pytest.mark.parametrize(
    ("winners", "told"),
    [
        (None, "for dispute 1: seat 1 0"),
        ([2], "for dispute 1. Now seat 3 wins: seat 1 0"),
        ([0, 2], "for dispute 1. Now seat 1 and seat 3 share the win: seat 1 0"),
    ],
)
def test_a_correction_says_how_it_stands_and_who_has_won(winners: list[int] | None, told: str) -> None:
    corrected = {"dispute": 1, "lines": [], "totals": [0, 3, 3], "winners": winners}
    (line,) = narrated(("ledger-corrected", corrected))
    assert f"The ledger is corrected {told}" in line


def test_an_unfinished_trick_has_its_number() -> None:
    played = [("card-played", {"seat": 0, "card": "Ks"}), ("trick-won", {"seat": 0, "trick": 1})]
    left = [("card-played", {"seat": 0, "card": "Qs"}), ("deal-abandoned", {"seat": 1, "cards": ["As"]})]
    told = narrated(*played, *left)
    assert told[0].startswith("  trick 1")
    assert told[1].startswith("  trick 2")
    assert told[2].startswith("  abandons")


def test_what_happens_during_a_trick_does_not_part_it() -> None:
    shown = ("partner-shown", {"seat": 0})
    played = [("card-played", {"seat": seat, "card": name}) for seat, name in enumerate(("Ks", "Qs", "9s", "8s"))]
    told = narrated(played[0], shown, *played[1:], ("trick-won", {"seat": 0, "trick": 1}), game="solo")
    assert [line.split()[0] for line in told] == ["partner", "trick"]
    assert CARD.findall(told[1]) == ["K♠", "Q♠", "9♠", "8♠"]


def test_an_event_of_an_unknown_type_is_narrated_by_its_name_and_fields() -> None:
    narrator = Narrator(str)
    told = narrator.lines({"type": "cards-melded", "public": {"seat": 0, "worth": 40}, "sealed": {}, "seals": {}})
    assert [line.plain.split() for line in told] == [["cards", "melded", "seat:", "0,", "worth:", "40"]]


def test_an_event_with_unknown_fields_is_narrated_by_them() -> None:
    told = narrated(("contract-declared", {"seat": 0, "aim": "most hearts"}))
    assert [line.split() for line in told] == [["contract", "declared", "seat:", "0,", "aim:", "most", "hearts"]]


def test_an_unknown_game_is_narrated_in_the_terms_of_the_interface() -> None:
    narrator = Narrator(str)
    opened = {"game": "quadrille", "deals": 4, "rules_version": 1, "options": {"misere_ouvert": True}}
    bid = {"seat": 0, "contract": "sans-prendre"}
    told = [
        line.plain
        for kind, public in (("table-opened", opened), ("bid-made", bid), ("seat-left", {"seat": 3}))
        for line in narrator.lines({"type": kind, "table": "T", "public": public, "sealed": {}, "seals": {}})
    ]
    assert "Quadrille, 4 deals" in told[0]
    assert "misere ouvert: yes" in told[1]
    assert told[3].split() == ["bid", "made", "seat:", "0,", "contract:", "sans-prendre"]
    assert told[4].endswith("seat 4 leaves.")


@pytest.mark.parametrize(
    ("face", "shown"),
    [(Face("K", "s"), "K♠"), (Face("T", "h"), "10♥"), (Face("9", "d", copy=1, owner=2), "9♦"), (Face("Jo"), "★")],
)
def test_a_card_is_shown_by_its_rank_and_suit(face: Face, shown: str) -> None:
    assert card(face).plain == shown


def test_a_hand_is_shown_suit_by_suit_and_jokers_last() -> None:
    faces = [Face("Jo", copy=1), Face("7", "h"), Face("K", "s"), Face("9", "h", 1)]
    assert by_suit(faces).plain == "K♠  7♥ 9♥  ★"


def test_what_the_house_does_for_a_seat_is_told_to_be_its_doing(game: Game) -> None:
    narrator, rows = Narrator(str, GAMES), {type_ for type_, words in game.words.events.items() if words.row}
    for event in golden_events(game.name, "table-under-clock"):
        told = " ".join(line.plain for line in narrator.lines(event))
        by = event["actor"].partition(":")[0]
        # A card in a trick stands there without a sentence.
        if event["type"] not in rows:
            assert ("The time had run out." in told) is (by == "clock")


def test_bots_are_named_by_their_levels() -> None:
    events = golden_events("lhombre", "table-with-bots")
    names = bots(events)
    assert sorted(names.values()) == ["ᴮᴼᵀ Quick bot", "ᴮᴼᵀ Random bot", "ᴮᴼᵀ Strong bot"]
    told = [line.plain for line in narrate(events, ALL, lambda player: names.get(player, "Ada"), GAMES)]
    assert any("A strong bot takes seat 2." in line for line in told)
    assert any("A quick bot plays on for Ada." in line for line in told)
