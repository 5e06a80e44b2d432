"""Whoever may act is asked to, in one sentence, and is told what each announcement promises."""

import json
import re
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec
import pytest
from codille_client import Words as KitWords
from codille_client.offers import Offer

from domain.kernel.game import Game
from domain.kernel.words import filled
from domain.record.recorded import Recorded
from domain.table.words import VERBS as IMPERATIVES
from domain.table.words import complete
from service.describe.game_details import details
from tests.golden import games as golden
from tests.support.asked import Asked, asked
from tests.support.corpus import RECORDS
from tests.support.registry import GAMES
from tests.support.samples import sample

TABLES = 6
"""How many games played by chance are looked through, besides the recorded ones."""

VERBS = (
    "Accept|Add|Answer|Ask|Bid|Build|Bump|Call|Capture|Challenge|Choose|Declare|Discard|Draw|Exchange|Go|Hold|Lay|Lead|"
    "Let|Name|Pass|Play|Pledge|Put|Say|Snap|Start|Stop|Turn|Wait|Yield"
)

SELDOM = {
    "Add your last card to a meld: it may not be discarded in this turn.",
    "Pass, since you can bid nothing higher{auction:last}.",
    "Say that you are stuck: you have no move.",
    "Turn up the card that nobody has seen.",
}
"""Prompts of moments that chance seldom brings."""

ANNOUNCEMENTS = {
    "abandon", "answer-surrender", "auction", "bump", "call", "challenge", "concede", "go-out", "hold", "nuts",
    "offer-surrender", "play-alone", "self", "stop", "stuck", "ask", "yes",
}  # fmt: skip
"""The acts that say something and whose table, if there is one, does not tell what it means."""

DIGESTS = Path(__file__).with_name("digests.txt")
"""The digests of all rules, by game and version, before rows had texts of what they promise."""

each = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


def played(game: Game) -> Iterator[Asked]:
    """Each seat that is asked something in the game's recorded games, of all versions of its rules, and in some that
    were played by chance.
    """
    recorded = (golden.records(game.name, one) for one in golden.names(game.name))
    by_chance = (table.records for table in islice(sample(game.name).tables, TABLES))
    return chain.from_iterable(map(asked, chain(recorded, published(game.name), by_chance)))


def published(name: str) -> Iterator[list[Recorded]]:
    """The game's published records."""
    for path in sorted(RECORDS.glob("*.ndjson")):
        events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:-1]]
        if events[0]["game"] == name:
            yield golden.as_recorded(events)


def kit(game: Game) -> KitWords:
    """The words as the kit for Python has them."""
    return KitWords(json.loads(msgspec.json.encode(details(game))), dict(enumerate(("Ada", "Berta", "Carl", "Dora"))))


@each
def test_whoever_has_offers_is_asked_in_one_sentence_with_a_verb_first_and_no_hidden_card(game: Game) -> None:
    words, kit_words, used = complete(game), kit(game), set()
    for moment in played(game):
        acts = [offer for offer in moment.offers if offer["type"] != "talk"]
        prompt = kit_words.prompt(moment.view, [Offer(offer) for offer in moment.offers])
        if not acts:
            assert prompt is None
            continue
        assert prompt is not None, (moment.view["phase"], [offer["type"] for offer in acts])
        assert moment.view["phase"] in (None, "scored") or moment.view["phase"] in words.purposes
        assert re.fullmatch(rf"({VERBS})\b[^{{}}]*\.", prompt), prompt
        assert not re.search(r"[sS]eat \d|None|  | [,.;:]|[.!?] [A-Z]", prompt), prompt
        sentence = next(one for one in words.prompts if one.fits(moment.shown))
        used.add(sentence.text)
        cards = [part for part in filled(sentence, moment.shown) if not isinstance(part, str) and part.kind == "card"]
        assert all(json.dumps(part.value) in json.dumps(moment.public) for part in cards)
    assert {one.text for one in words.prompts} - used <= SELDOM


@each
def test_every_act_is_said_while_it_is_sent(game: Game) -> None:
    kit_words = kit(game)
    for action in sample(game.name).by_type.actions.values():
        sending = kit_words.sending(action)
        assert re.fullmatch(r"[A-Z][a-z]+ing\b[^{}]* …", sending), sending
        assert not re.search(r"None|  | [,.;:]|\b[AKQJT2-9][shdc]\b", sending), sending
        first, _, rest = sending.removesuffix(" …").partition(" ")
        assert kit_words.action(action) == f"{IMPERATIVES[first]} {rest}".strip()


@each
def test_what_each_row_promises_is_a_sentence(game: Game) -> None:
    rows = [row for rows in game.rulebook.tables.values() for row in rows if hasattr(row, "text")]
    told = {game.words.promises[row.__struct_fields__[0]][str(getattr(row, row.__struct_fields__[0]))] for row in rows}
    assert told == {row.text for row in rows}
    assert all({*game.rulebook.tables.get(name, ())} <= {*rows} for name in ("contracts", "bonuses", "melds"))
    for promised in (text for texts in game.words.promises.values() for text in texts.values()):
        assert re.fullmatch(r"[A-Z][^.!?{}]*\.", promised), promised
        assert len(promised.split()) <= 25, promised


@each
def test_every_announcement_says_what_it_promises(game: Game) -> None:
    acts = set(game.words.acts)
    announced = acts & ANNOUNCEMENTS
    assert announced <= game.words.promises.get("act", {}).keys() <= acts


@each
def test_why_there_is_a_phase_is_said_in_a_sentence_that_advises_no_act(game: Game) -> None:
    for phase, purpose in game.words.purposes.items():
        assert phase in game.words.terms["phase"]
        assert re.fullmatch(r"[A-Z][^.!?{}]*\.", purpose), purpose
        assert not re.match(rf"({VERBS})\b", purpose), purpose
        assert not re.search(r"\b([Yy]ou|should|must|better|best|wise|try)\b", purpose), purpose
        assert len(purpose.split()) <= 25, purpose


@each
def test_acts_that_are_asked_about_and_taken_by_a_tap_on_a_pile_exist(game: Game) -> None:
    words, view = game.words, game.showing.view
    assert {*words.final, *chain.from_iterable(words.piles.values())} <= {*words.acts}
    seat = get_args(get_type_hints(view)["seats"])[0]
    shown = {*view.__struct_encode_fields__, *seat.__struct_encode_fields__}
    assert {*words.piles} <= shown


def test_the_digests_of_all_rules_are_as_they_were() -> None:
    now = {
        f"{name} {one.rulebook.version}": one.rulebook.digest()
        for name, game in GAMES.items()
        for one in (*game.earlier, game)
    }
    before = dict(line.rsplit(" ", 1) for line in DIGESTS.read_text(encoding="utf-8").splitlines())
    assert before.items() <= now.items()
