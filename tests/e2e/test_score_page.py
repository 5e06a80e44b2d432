"""The page on which people keep the score of an evening, on a phone's screen."""

import base64
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, BrowserContext, ViewportSize, expect

from domain.registry import GAMES
from domain.table.events import DealScored
from service.queries.deal_facts import DealFacts
from tests.golden.games import READER, names, records
from tests.support.browser import Watched, browser
from tests.support.for_each import for_each
from tests.support.table_page import Party, events_of

__all__ = ["browser"]

PHONE: ViewportSize = {"width": 390, "height": 844}
NAMES = ("Ann", "Bo", "Cid", "Dee")


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport=PHONE, has_touch=True)
    yield context
    context.close()


class Scorer(Watched):
    """Who keeps the score of a game on a phone."""

    def opens(self, game: str, fragment: str = "") -> "Scorer":
        self.page.goto(f"{self.url}/games/{game}/score{fragment}")
        expect(self.page.locator("#facts .fact").first).to_be_visible()
        return self

    def names(self, *names: str) -> None:
        for seat, name in enumerate(names, 1):
            self.page.locator("#setup").get_by_label(f"Seat {seat}").fill(name)
            self.page.keyboard.press("Tab")

    def enters(self, facts: Mapping[str, Any]) -> None:
        """Fills the form: choices by their labels, texts, and a list for fields of all players."""
        form = self.page.locator("#entry")
        for label, value in facts.items():
            if isinstance(value, list):
                for field, each in zip(
                    form.get_by_role("group", name=label).locator("input").all(), value, strict=True
                ):
                    field.fill(str(each))
            elif isinstance(value, int):
                form.get_by_label(label, exact=True).fill(str(value))
            else:
                form.get_by_label(label, exact=True).select_option(label=value)

    def scores(self, facts: Mapping[str, Any], totals: Sequence[int | str]) -> None:
        """Enters a deal and has it scored, to these totals."""
        self.enters(facts)
        rows = self.page.locator("#totals tbody tr")
        before = rows.count()
        self.page.get_by_role("button", name="Score deal").click()
        expect(rows).to_have_count(before + 1)
        self.sees(totals)

    def sees(self, totals: Sequence[int | str]) -> None:
        """The totals after the last deal are these."""
        last = self.page.locator("#totals tbody tr").last.locator("b")
        expect(last).to_have_text([written(total) for total in totals])

    def assert_fits(self) -> None:
        assert self.faults() == []
        assert self.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        self.assert_clean()


def written(total: int | str) -> str:
    return total if isinstance(total, str) else f"+{total}" if total > 0 else f"−{-total}" if total < 0 else "0"


def packed(sheet: object) -> str:
    """The fragment of a link to a sheet."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    raw = squeeze.compress(json.dumps(sheet).encode()) + squeeze.flush()
    return "#sheet=" + base64.urlsafe_b64encode(raw).decode().rstrip("=")


def sheet(**others: Any) -> dict[str, Any]:
    """A sheet of Boston with a deal that brought Bo 64."""
    facts = {"ended": "played", "declarer": 1, "contract": "grande-misere", "suit": "c", "tricks": [5, 0, 4, 4]}
    return {
        "v": 1, "game": "boston", "rules_version": 2, "options": {}, "names": list(NAMES), "deals": 12, "deal": 1,
        "items": [{"facts": facts, "dealer": 0}],
    } | others  # fmt: skip


EIGHT = {
    "Declarer": "Ann",
    "Contract": "Eight",
    "Suit": "Diamonds",
    "Tricks won": [9, 2, 1, 1],
    "Honours": 3,
}


def test_an_evening_of_lhombre(phone: BrowserContext, service_url: str) -> None:
    scorer = Scorer(phone.new_page(), service_url).opens("lhombre")
    page = scorer.page
    scorer.names(*NAMES)
    scorer.scores({"Declarer": "Bo", "Contract": "Solo", "Tricks won": [0, 5, 0, 0]}, [-2, 6, -2, -2])
    # The deal passes to the right.
    expect(page.get_by_label("Dealer")).to_have_value("3")
    scorer.scores({"Declarer": "Ann", "Contract": "Nolo Ouvert", "Tricks won": [2, 0, 0, 0]}, [-26, 14, 6, 6])
    scorer.scores({"How it ended": "Washed out"}, [-26, 14, 6, 6])
    scorer.scores({"Declarer": "Cid", "Contract": "Tourné", "Tricks won": [4, 1, 4, 0]}, [-25, 15, 3, 7])
    expect(page.locator("#deal-title")).to_have_text("Deal 5 of 12")
    newest = page.locator("details.deal").first
    expect(newest.locator("summary").first).to_have_text("Deal 4: bête")
    # What one pays another is one line.
    expect(newest.locator("details.line")).to_have_count(3)
    line = newest.locator("details.line").first
    expect(line).to_contain_text("Bo from Cid")
    line.locator("summary").click()
    expect(line.locator("p")).to_contain_text("bête, as many as the defender with most (4–4–1, 3–3–3)")
    expect(line.get_by_role("link")).to_have_attribute("href", re.compile(r"/games/lhombre\?rules_version=\d+#LH-"))
    expect(page.get_by_role("img", name="Totals after 4 deals: Ann −25, Bo +15, Cid +3, Dee +7.")).to_be_visible()
    scorer.assert_fits()


def test_an_evening_of_ombre_with_its_pool(phone: BrowserContext, service_url: str) -> None:
    scorer = Scorer(phone.new_page(), service_url).opens("ombre")
    scorer.names(*NAMES[:3])
    won = {"Ombre": "Bo", "Contract": "Entrada", "Tricks won": [2, 5, 2], "Trump": "Spades"}
    scorer.enters(won)
    scorer.page.get_by_label("Estuches").fill("As 2♠ ac")
    expect(scorer.page.locator(".understood")).to_have_text("A♠ 2♠ A♣")
    # The dealer has put 5 into the pool, so Ombre gains 21.
    scorer.scores({}, [-13, 21, -8])
    scorer.scores({"How it ended": "Passed out"}, [-13, 21, -13, 5])
    scorer.scores({"Ombre": "Ann", "Contract": "Solo", "Tricks won": [3, 3, 3]}, [-33, 21, -8, 20])
    expect(scorer.page.locator("#totals thead")).to_contain_text("Pool")
    scorer.assert_fits()


def test_an_evening_of_boston(phone: BrowserContext, service_url: str) -> None:
    scorer = Scorer(phone.new_page(), service_url).opens("boston")
    page = scorer.page
    scorer.names(*NAMES)
    scorer.scores(EIGHT, [72, 0, 0, 0])
    six = {"Declarer": "Bo", "Contract": "Six", "Suit": "Clubs", "Tricks won": [1, 7, 1, 4], "Supporter": "Dee"}
    scorer.scores(six, [72, 8, 0, 6])
    boston = {"Declarer": "Cid", "Contract": "Boston", "Suit": "Spades", "Tricks won": [1, 0, 5, 0]}
    scorer.scores(boston, [72, 8, -100, 6])
    # The last deal is taken off, and its facts can be mended.
    page.get_by_role("button", name="Undo last deal").click()
    scorer.sees([72, 8, 0, 6])
    expect(page.locator("#deal-title")).to_have_text("Deal 3 of 12")
    expect(page.get_by_label("Declarer", exact=True)).to_have_value("2")
    scorer.scores({"Contract": "Boston Ouvert", "Suit": "Hearts", "Tricks won": [0, 0, 13, 0]}, [72, 8, 800, 6])
    # Totals that no earlier deals reach.
    page.get_by_text("Correct the totals").click()
    page.locator("#corrected").get_by_label("Cid").fill("-7")
    page.get_by_role("button", name="Set these totals").click()
    scorer.sees([72, 8, -7, 6])
    expect(page.locator("#totals")).to_be_focused()
    scorer.scores({"How it ended": "Thrown in"}, [72, 8, -7, 6])
    page.get_by_role("button", name="Undo last deal").click()
    page.get_by_role("button", name="Undo last deal").click()
    scorer.sees([72, 8, 800, 6])
    scorer.assert_fits()
    for _ in range(3):
        page.get_by_role("button", name="Undo last deal").click()
    expect(page.get_by_label("How it ended")).to_be_focused()
    expect(page.get_by_label("Declarer", exact=True)).to_have_value("0")


def test_the_number_of_a_deal_chooses_its_kind(phone: BrowserContext, service_url: str) -> None:
    scorer = Scorer(phone.new_page(), service_url).opens("king")
    scorer.names(*NAMES)
    page = scorer.page
    expect(page.get_by_label("Aim")).to_have_value('"no-tricks"')
    scorer.scores({"Captured": [13, 0, 0, 0]}, [-260, 0, 0, 0])
    expect(page.get_by_label("Aim")).to_have_value('"no-hearts"')
    scorer.opens("lorum")
    scorer.names(*NAMES)
    expect(page.get_by_label("Kind")).to_have_value('"no-hearts"')
    # What was entered is not changed.
    scorer.enters({"How it ended": "Quart"})
    page.reload()
    expect(page.get_by_label("How it ended")).to_have_value("quart")
    scorer.enters({"How it ended": "Captured", "Kind": "No hearts", "Captured": [8, 0, 0, 0]})
    page.get_by_role("button", name="Score deal").click()
    expect(page.get_by_label("How it ended")).to_have_value("queens")
    scorer.assert_fits()


SPADES, EIGHTS = "5s 6s 7s 8s 9s 10s Js", "8s 8h 8d 8d 8c 8c 2s"
CLOSED = (
    ((SPADES, "Ks Kh Kd Jo", "2d 7h 8h 9h"), (EIGHTS,)),
    ("", "Jo 4c", "Ac 9c 3c", "Kc Qc Jc 10c 9d 7c 6c 5c 4d 3d Ad"),
)
EXHAUSTED = ((("Jo 3h 4h 5h 6h 7h 8h 9h",), ()), ("3c", "3c", "3d", "3d"))


def lays(scorer: Scorer, melds: Sequence[Sequence[str]], hands: Sequence[str]) -> None:
    """Enters the melds of both sides, which have their pozzetti, and the cards that are left."""
    for side_of, laid in zip(("Ann and Cid", "Bo and Dee"), melds, strict=True):
        side = scorer.page.get_by_role("group", name=side_of)
        for meld in laid:
            side.get_by_role("button", name="Add: Meld").click()
            scorer.page.keyboard.type(meld)
        side.get_by_label("Pozzetto taken").check()
    scorer.enters({"Cards left": list(hands)})


def test_an_evening_of_burraco(phone: BrowserContext, service_url: str) -> None:
    scorer = Scorer(phone.new_page(), service_url).opens("burraco")
    scorer.names(*NAMES)
    lays(scorer, *CLOSED)
    scorer.scores({"How it ended": "Closed", "Who has closed": "Ann"}, [430, 55, 430, 55])
    # Partners have their lines together, with the cards as people write them.
    expect(scorer.page.locator("details.line")).to_have_count(10)
    first = scorer.page.locator("details.line summary").first
    expect(first).to_have_text("+55Ann and CidA meld of Ann and Cid: 55 (5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠)")
    lays(scorer, *EXHAUSTED)
    scorer.scores({"How it ended": "Stock exhausted"}, [595, 45, 595, 45])
    lays(scorer, *CLOSED)
    scorer.enters({"How it ended": "Closed", "Who has closed": "Ann"})
    side = scorer.page.get_by_role("group", name="Ann and Cid")
    side.get_by_role("button", name="Add: Meld").click()
    scorer.page.keyboard.type("5s 11h")
    expect(side.locator(".understood").last).to_have_text("“11h” is no card of this game.")
    side.get_by_role("button", name="Remove: Meld 4").click()
    scorer.scores({}, [1025, 100, 1025, 100])
    scorer.assert_fits()


def test_what_contradicts_the_rules_is_said_at_its_field_with_names(phone: BrowserContext, service_url: str) -> None:
    scorer = Scorer(phone.new_page(), service_url).opens("lhombre")
    scorer.names(*NAMES)
    page = scorer.page
    scorer.enters({"Declarer": "Cid", "Contract": "Solo", "Tricks won": [0, 0, 9, 0]})
    page.get_by_role("button", name="Score deal 1").click()
    declarer = page.get_by_label("Declarer", exact=True)
    expect(page.get_by_role("alert")).to_contain_text("Cid plays no card of this deal.")
    expect(declarer).to_be_focused()
    expect(declarer).to_have_attribute("aria-invalid", "true")
    assert declarer.evaluate("field => field.parentElement.contains(document.getElementById('refused'))")
    assert scorer.faults() == []
    expect(page.locator("#totals")).to_be_hidden()
    scorer.complaints.clear()
    scorer.scores({"Declarer": "Ann", "Tricks won": [9, 0, 0, 0]}, [9, -3, -3, -3])
    expect(page.get_by_role("alert")).to_have_count(0)
    # What was said goes with the form that it was said of.
    scorer.enters({"Declarer": "Bo", "Contract": "Solo", "Tricks won": [0, 9, 0, 0]})
    page.get_by_role("button", name="Score deal 2").click()
    expect(page.get_by_role("alert")).to_contain_text("Bo plays no card of this deal.")
    scorer.complaints.clear()
    page.get_by_role("button", name="New sheet").click()
    page.locator("#asked").get_by_role("button", name="New sheet").click()
    expect(page.locator("#totals")).to_be_hidden()
    expect(page.get_by_role("alert").locator("visible=true")).to_have_count(0)
    scorer.scores({"Declarer": "Ann", "Contract": "Solo", "Tricks won": [9, 0, 0, 0]}, [9, -3, -3, -3])
    scorer.assert_clean()


def test_what_was_entered_outlasts_the_connection_and_the_tab(phone: BrowserContext, service_url: str) -> None:
    scorer = Scorer(phone.new_page(), service_url).opens("boston")
    scorer.names(*NAMES)
    page = scorer.page
    scorer.scores(EIGHT, [72, 0, 0, 0])
    scorer.enters(EIGHT | {"Declarer": "Dee", "Tricks won": [2, 2, 2, 7], "Honours": 0})
    phone.set_offline(True)
    page.get_by_role("button", name="Score deal 2").click()
    expect(page.get_by_role("alert")).to_contain_text("What you entered is kept.")
    scorer.sees([72, 0, 0, 0])
    phone.set_offline(False)
    scorer.complaints.clear()
    page.reload()
    scorer.sees([72, 0, 0, 0])
    expect(page.get_by_label("Declarer", exact=True)).to_have_value("3")
    scorer.scores({}, [72, 0, 0, -48])
    page.goto(f"{service_url}/games/nuts/score")
    expect(page.locator("#totals")).to_be_hidden()
    expect(page.get_by_label("Dealer")).to_be_hidden()
    page.goto(f"{service_url}/games/boston/score")
    scorer.sees([72, 0, 0, -48])
    scorer.assert_clean()


def test_a_link_has_the_whole_sheet_and_takes_no_other_away(
    browser: Browser, phone: BrowserContext, service_url: str
) -> None:
    scorer = Scorer(phone.new_page(), service_url).opens("boston")
    scorer.names("Ann", "<b>Bo</b>")
    scorer.scores({"Declarer": "Ann"} | {**EIGHT}, [72, 0, 0, 0])
    scorer.page.get_by_role("button", name="Link to this sheet").click()
    link = scorer.page.get_by_role("textbox", name="Link to this sheet").input_value()
    window = browser.new_context(viewport=PHONE)
    other = Scorer(window.new_page(), service_url)
    other.page.goto(link)
    other.sees([72, 0, 0, 0])
    expect(other.page.get_by_label("Dealer")).to_have_value("1")
    expect(other.page.locator("#totals thead")).to_contain_text("<b>Bo</b>")
    assert other.page.url == f"{service_url}/games/boston/score"
    # The address of a link is not sent, and what it has only to compute.
    assert not any("sheet=" in url for url in other.requests if "/v1/" in url)
    other.scores({"How it ended": "Thrown in"}, [72, 0, 0, 0])
    other.page.goto(f"{service_url}/games/boston/score{packed(sheet())}")
    asked = other.page.locator("#asked")
    expect(asked).to_contain_text("The link has a sheet of 1 deal. Its players: Ann, Bo, Cid, Dee.")
    assert other.faults() == []
    asked.get_by_role("button", name="Keep mine").click()
    expect(other.page.locator("#totals tbody tr")).to_have_count(2)
    other.page.goto(f"{service_url}/games/boston/score{packed(sheet())}")
    asked.get_by_role("button", name="Use the sheet of the link").click()
    other.sees([0, 64, 0, 0])
    other.assert_clean()
    window.close()


BROKEN = "The link has no sheet that can be read."
BOMB = packed("0" * 300_000)


@for_each(
    "fragment, said",
    [
        ("#sheet=junk", BROKEN),
        ("#sheet=%00", BROKEN),
        (packed(sheet())[:-9], BROKEN),
        (BOMB, "The link holds more than a sheet can be."),
        (packed(sheet(v=2)), "The link is of another version of this page"),
        (packed(sheet(game="don")), "The link is a sheet of another game: don."),
        (packed(sheet(rules_version=99)), "The sheet is kept by version 99 of the rules"),
        (packed([]), BROKEN),
        (packed(sheet(names=[{"toString": 1}])), BROKEN),
        (packed(sheet(items=[{"facts": [], "dealer": 0}])), BROKEN),
        (packed(sheet(items=[{"totals": [1e99], "bank": 0, "pool": 0}])), BROKEN),
    ],
)
def test_a_link_that_is_no_sheet_here_is_refused_in_a_sentence(
    phone: BrowserContext, service_url: str, fragment: str, said: str
) -> None:
    scorer = Scorer(phone.new_page(), service_url).opens("boston", fragment)
    expect(scorer.page.locator("#notice")).to_contain_text(said)
    expect(scorer.page.locator("#totals")).to_be_hidden()
    scorer.page.close()


def test_a_link_of_eight_kilobytes_and_an_old_version_of_the_rules(browser: Browser, service_url: str) -> None:
    window = browser.new_context(viewport=PHONE)
    scorer = Scorer(window.new_page(), service_url)
    deals = [
        sheet()["items"][0] | {"dealer": number % 4, "note": f"{number * 7919 % 1009:x}{number * 104729:x}" * 9}
        for number in range(12)
    ]
    fragment = packed(sheet(rules_version=1, items=deals))
    while len(fragment) < 8192:
        deals[-1]["note"] += base64.b85encode(zlib.compress(str(len(fragment)).encode() * 7)).decode()
        fragment = packed(sheet(rules_version=1, items=deals))
    scorer.page.goto(f"{service_url}/games/boston/score{fragment}")
    scorer.sees([0, 12 * 64, 0, 0])
    expect(scorer.page.locator("#over")).to_have_text("The game is over. Won by: Bo.")
    expect(scorer.page.locator("#rules")).to_have_text("Rules, version 1")
    expect(scorer.page.locator("#deal")).to_be_hidden()
    scorer.assert_fits()
    window.close()


def test_a_sheet_that_cannot_be_computed_says_why_and_lets_itself_be_mended(browser: Browser, service_url: str) -> None:
    window = browser.new_context(viewport=PHONE)
    scorer = Scorer(window.new_page(), service_url)
    good, bad = sheet()["items"][0], {"facts": {"ended": "played", "deep": [[[{"x": None}]]]}, "dealer": 0}
    scorer.page.goto(f"{service_url}/games/boston/score{packed(sheet(items=[good, bad]))}")
    expect(scorer.page.get_by_role("alert").locator("visible=true")).to_have_count(1)
    scorer.sees([0, 64, 0, 0])
    scorer.page.get_by_role("button", name="Undo last deal").click()
    scorer.complaints.clear()
    scorer.scores({"How it ended": "Thrown in"}, [0, 64, 0, 0])
    scorer.assert_clean()
    window.close()


def test_on_paper_there_are_names_deals_lines_and_totals_alone(phone: BrowserContext, service_url: str) -> None:
    scorer = Scorer(phone.new_page(), service_url).opens("boston")
    scorer.names(*NAMES)
    scorer.scores(EIGHT, [72, 0, 0, 0])
    scorer.scores({"How it ended": "Thrown in"}, [72, 0, 0, 0])
    page = scorer.page
    page.emulate_media(media="print")
    for text in ("Ann", "+72", "Deal 1", "Eight by Ann, made"):
        expect(page.get_by_text(text).locator("visible=true").first).to_be_visible()
    expect(page.locator("button, select, input").locator("visible=true")).to_have_count(0)


def test_without_storage_a_sheet_is_kept_by_its_link(phone: BrowserContext, service_url: str) -> None:
    page = phone.new_page()
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } })")
    scorer = Scorer(page, service_url).opens("boston")
    scorer.scores(EIGHT | {"Declarer": "Seat 1"}, [72, 0, 0, 0])
    scorer.assert_clean()


def test_the_arbiters_desk_opens_the_form_with_the_facts_of_a_deal(phone: BrowserContext, service_url: str) -> None:
    party = Party(service_url)
    party.play_until("deal-scored")
    party.play_until("deal-scored")
    booked = [event for event in events_of(service_url, party.table) if event["type"] == "deal-scored"][-1]
    disputes = f"/v1/tables/{party.table}/disputes"
    opened = party.http.post(disputes, json={"deal": 2, "reason": "Count it again."}, headers=party.headers[0])
    assert opened.status_code == 201, opened.text
    scorer = Scorer(phone.new_page(), service_url)
    scorer.page.goto(f"{service_url}/disputes/{party.table}/1")
    scorer.page.get_by_role("link", name="Score deal 2 again").click()
    expect(scorer.page.locator("#deal-title")).to_have_text("Deal 2 of 3")
    scorer.scores({}, booked["public"]["totals"])
    scorer.assert_fits()


@pytest.mark.parametrize("game", GAMES)
def test_recorded_deals_come_through_the_form(phone: BrowserContext, service_url: str, game: str) -> None:
    """The form shows the facts of a deal, and what it reads from its fields is scored as that deal was."""
    record = records(game, names(game)[0])
    scorer = Scorer(phone.new_page(), service_url)
    # For each deal the page is loaded anew, in a browser that keeps no sheet.
    scorer.page.add_init_script("if (location.host) localStorage.clear()")
    ends = [at for at, event in enumerate(record) if event.type == DealScored.TYPE][:3]
    assert ends
    for at in ends:
        deal = msgspec.to_builtins(DealFacts.of(READER, record[:at]))
        before = deal.pop("standing")
        dealer = before.pop("dealer") or 0
        known = {one: before[one] for one in ("deal", "deals")}
        items = [{one: before[one] for one in ("totals", "bank", "pool")}]
        shown = deal | known | {"items": items, "draft": {"facts": deal.pop("facts"), "dealer": dealer}, "game": game}
        scorer.page.goto("about:blank")
        scorer.page.goto(f"{service_url}/games/{game}/score{packed(sheet(**shown))}")
        expect(scorer.page.locator("#score")).to_have_text(f"Score deal {known['deal']}")
        due = msgspec.to_builtins(READER.read(record[at]).public)["totals"]
        scorer.page.get_by_role("button", name="Score deal").click()
        expect(scorer.page.locator("#totals tbody tr")).to_have_count(2)
        shown_totals = scorer.page.locator("#totals tbody tr").last.locator("b").all_text_contents()
        assert shown_totals[: len(due)] == [written(total) for total in due], (game, known)
        said = " ".join(scorer.page.locator(".line .text").all_text_contents())
        assert not re.search(r"\bseats? \d|\b[2-9TJQK][shdc]\b", said), said
    scorer.assert_fits()
