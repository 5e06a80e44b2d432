"""An opponent acts by what its seat knows, and better than chance."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from statistics import mean
from typing import Any

import pytest
from msgspec.structs import asdict, replace

from domain.games.diloti import acts as diloti
from domain.games.lhombre.acts import Exchange, Play
from domain.kernel.action import Action, tag_of
from domain.kernel.event import Event, Payload, redact
from domain.kernel.game import Game
from domain.kernel.offers import SomeOf, described
from domain.opponents.choosing import LEVELS, STEP, choose
from domain.opponents.lessons import Before, Lessons, Move
from domain.opponents.opponent import Opponent
from domain.opponents.playouts import MOST, Playouts, candidates, discarding
from domain.picking import Chance
from domain.registry import GAMES
from domain.seats import Seat, seat_audience
from tests.games.toy.game import TOY
from tests.lab.tournament.duplicates import Pair, duplicate, play, started
from tests.support.picking import repeatable
from tests.support.repetition import times
from tests.support.worlds import Played, folds, played

CHEAP = ("boston", "ombre", "solo")
"""Games whose deals opponents play in a second; `make long` plays the others, too."""

TRICKS = ("boston", "crocodile", "king", "lhombre", "ombre", "solo", "tetka")
"""Games of tricks alone. In Nine-Card Don a deal's first card makes trumps, which is an event of its own."""

LEARNED = 5
"""So many playouts of each act are played in which others learn."""

FEW = 12
"""So many discards are looked at."""

COMPARED = GAMES if times(1) > 1 else CHEAP


def chances(text: str) -> Chance:
    return Random(text).randrange  # noqa: S311 (what is drawn can be repeated; nothing is secret)


@pytest.mark.parametrize("name", COMPARED)
def test_deals_among_quick_opponents_end(name: str) -> None:
    """Each act is legal: the table would refuse another."""
    game = GAMES[name]
    start = started(game, f"opponents/{name}/1", chances)
    assert play(game, start, ["quick"] * len(start.own), chances).ended


@pytest.mark.parametrize("name", COMPARED)
def test_quick_beats_chance(name: str) -> None:
    """The same deals, with the better player at each seat in turn."""
    game = GAMES[name]
    assert mean(duplicate(game, Pair("quick", "random"), number, "law", chances).difference for number in range(4)) > 0


@pytest.mark.parametrize("name", GAMES)
def test_what_a_seat_cannot_know_changes_nothing(name: str) -> None:
    """In each world that the seat may believe in, with the same chance, it does the same."""
    game, asked = GAMES[name], 0
    for number in range(times(1)):
        for record, seat, version in moments(game, repeatable(number)):
            opponent, acts = followed(record, seat, version), set()
            assert opponent.belief is not None
            for turn in range(2):
                world = opponent.belief.draw(repeatable(turn).randrange)
                other = Opponent(game, seat)
                other.table = opponent.belief.before
                for event in world.events:
                    other.see("table", replace(event, sealed=redact(event.sealed, seat_audience(seat))))
                acts.add(str(other.choose(4, repeatable(5).randrange)))
            assert len(acts) == 1
            asked += 1
    assert asked


def moments(game: Game, rng: Random, number: int = 3) -> list[tuple[Played, int, int]]:
    """Some seats that must act in a deal of a game, or may where none must: the record, the seat, and the version."""
    found = every_moment(game, rng)
    return rng.sample(found, min(number, len(found)))


def every_moment(game: Game, rng: Random) -> list[tuple[Played, int, int]]:
    """All of them in one deal."""
    options = game.options()
    record = played(game, rng, options, game.course.deals(options).default, until=lambda table: table.scored >= 1)
    (first, last), *_ = record.deals
    found = []
    for version in range(first + 1, last):
        state = record.tables[version - 1].deal_state
        if game.decider.next_automatic(state) is None and game.decider.score(state) is None:
            due = game.decider.to_act(state) or record.seats
            found += [(record, seat, version) for seat in due if game.decider.offers(state, seat)]
    return found


def followed(record: Played, seat: int, version: int) -> Opponent:
    """The opponent at the seat, after the event of this version."""
    opponent = Opponent(record.game, seat)
    for event in record.events[:version]:
        opponent.see("table", replace(event, sealed=redact(event.sealed, seat_audience(seat))))
    return opponent


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_in_which_somebody_must_act_is_not_over(name: str) -> None:
    """So playouts ask for the score of others alone."""
    game, rng = GAMES[name], repeatable(6)
    options = game.options()
    deals = game.course.deals(options).default
    record = played(game, rng, options, deals, until=lambda table: table.scored >= 1)
    states = [table.deal_state for table in record.tables if table.running_deal is not None]
    over = [state for state in states if game.decider.score(state) is not None]
    assert over
    assert not [state for state in over if game.decider.to_act(state)]


@pytest.mark.parametrize("name", GAMES)
def test_a_playout_that_learns_comes_to_an_end_by_offered_acts(name: str) -> None:
    """What one seat wins, the others lose."""
    game = GAMES[name]
    decider = game.decider

    def decide(state: object, seat: int, action: Action) -> Event[Payload]:
        assert described(decider.offers(state, seat), tag_of(type(action)), asdict(action)), action
        return decider.decide(state, seat, action)

    strict = replace(game, decider=replace(decider, decide=decide))
    for record, seat, version in moments(game, repeatable(7)):
        opponent, table = followed(record, seat, version), record.tables[version - 1]
        assert opponent.belief is not None
        playouts = Playouts(strict, repeatable(2).randrange, len(record.seats), learner=seat)
        for act in candidates(decider.offers(table.deal_state, seat), 2, playouts.act):
            for number in range(LEARNED):
                state = opponent.belief.draw(repeatable(number).randrange).table.deal_state
                after = decider.evolve(state, decide(state, seat, act))
                assert sum(playouts.gained(after, version + 1, opponent.belief.trick)) == pytest.approx(0)


def test_moves_are_learned_by_the_first_and_the_last_card_of_their_trick(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the cards that lie there when the seat is to choose."""
    game, made = GAMES["tetka"], list[tuple[Before, Move]]()
    monkeypatch.setattr(Lessons, "add", lambda _self, _seat, before, move, _gained: made.append((before, move)))
    begun = set[int]()
    for record, seat, version in moments(game, repeatable(9), 12):
        opponent, state = followed(record, seat, version), record.tables[version - 1].deal_state
        assert opponent.belief is not None
        playouts = Playouts(game, repeatable(2).randrange, len(record.seats), learner=seat)
        act = playouts.any_act(game.decider.offers(state, seat))
        trick = (*opponent.belief.trick, act)
        begun.add(len(trick))
        made.clear()
        playouts.gained(game.decider.evolve(state, game.decider.decide(state, seat, act)), version + 1, trick)
        moves = [*trick, *(move for _, move in made)]
        for index, (before, _) in enumerate(made, len(trick)):
            first, last = moves[index - index % 4], moves[index - 1]
            assert before == ((), (first,), (first, last), (first, last))[index % 4]
    assert begun == {1, 2, 3, 4}


def test_of_an_act_that_says_more_than_a_card_what_is_listed_is_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Type and card, and the value that is declared, but not which cards are taken."""
    made: list[tuple[Before, Move]] = []
    monkeypatch.setattr(Lessons, "add", lambda _self, _seat, before, move, _gained: made.append((before, move)))
    for record, seat, version in moments(GAMES["diloti"], repeatable(2), 12):
        state = record.tables[version - 1].deal_state
        playouts = Playouts(record.game, repeatable(2).randrange, len(record.seats), learner=seat)
        playouts.gained(state, version, (diloti.Capture("5h", ("2c", "3c")),))
    assert {before for before, _ in made if before} >= {(("capture", "5h"),)}
    assert {type(move) for _, move in made if isinstance(move, Action)} == {diloti.Lay}
    said = {(move[0], len(move)) for _, move in made if isinstance(move, tuple)}
    assert said == {("capture", 2), ("declare", 3)}


@pytest.mark.parametrize("name", TRICKS)
def test_the_trick_is_what_lies_on_the_table(name: str) -> None:
    for record, seat, version in moments(GAMES[name], repeatable(8)):
        belief, state = followed(record, seat, version).belief, record.tables[version - 1].deal_state
        assert belief is not None
        on_table = [each.card for each in state.tricks.trick] if hasattr(state, "tricks") else []
        assert [getattr(act, "card", None) for act in belief.trick] == on_table


@pytest.mark.parametrize("name", GAMES)
def test_candidates_are_offered_and_bounded(name: str) -> None:
    """Each is one of the offers' acts, and no offer has more than its share."""
    game = GAMES[name]
    for record, seat, version in moments(game, repeatable(3)):
        state = record.tables[version - 1].deal_state
        offers = game.decider.offers(state, seat)
        acts = candidates(offers, MOST, Playouts(game, repeatable(1).randrange, len(record.seats)).act)
        assert 0 < len(acts) <= MOST * len(offers)
        for act in acts:
            game.decider.decide(state, seat, act)


@pytest.mark.parametrize("name", ["king", "lhombre"])
def test_without_time_the_usual_act_is_taken(name: str) -> None:
    """Where cards are discarded, nothing is learned before, either."""
    asked = [*moments(GAMES[name], repeatable(4)), *([discard(GAMES[name])] if name == "lhombre" else ())]
    for record, seat, version in asked:
        opponent, chance = followed(record, seat, version), repeatable(1).randrange
        table = opponent.table
        assert table is not None
        offers = record.game.decider.offers(table.deal_state, seat)
        usual = Playouts(record.game, repeatable(1).randrange, len(record.seats)).usual_act(
            table.deal_state, seat, offers
        )
        late = choose(record.game, table, seat, opponent.belief, chance, LEVELS["strong"], in_time=lambda: False)
        assert late == usual
        assert opponent.belief is not None
        assert opponent.belief.tried == 0, "no world is drawn"


@pytest.mark.parametrize("name", ["crocodile", "lhombre"])
def test_a_strong_opponent_tries_discards_that_it_has_learned(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By each offer: in Crocodile there is one for each number of cards that are taken by name."""
    record, seat, version = discard(GAMES[name])
    opponent, chance, decider = followed(record, seat, version), repeatable(1).randrange, record.game.decider
    assert opponent.table is not None
    tried: Counter[Action] = Counter()

    def decide(state: Any, by: int, action: Action) -> Event[Payload]:
        if by == seat and hasattr(action, "discard"):
            tried[action] += 1
        return decider.decide(state, by, action)

    playouts = Playouts(record.game, chance, len(record.seats))
    giving = discarding(decider.offers(opponent.table.deal_state, seat))
    learned = [playouts.any_act([offer]) for offer, _ in giving]
    left = iter(learned)
    monkeypatch.setattr(Playouts, "discards", lambda *_: [next(left)])
    strict = replace(record.game, decider=replace(decider, decide=decide))
    choose(strict, opponent.table, seat, opponent.belief, chance, LEVELS["strong"])
    assert min(tried[each] for each in learned) >= STEP
    assert next(left, None) is None, "each offer was asked about"


def test_in_playouts_seats_discard_what_brought_them_less_than_other_cards() -> None:
    record, seat, version = discard(GAMES["lhombre"])
    game, belief = record.game, followed(record, seat, version).belief
    assert belief is not None
    worth, decider, made = {card: float(number) for number, card in enumerate(game.pack)}, game.decider, list[Seat]()
    mean = sum(worth.values()) / len(worth)

    def decide(state: Any, by: int, action: Action) -> Event[Payload]:
        if isinstance(action, Exchange):
            (offer,) = (offer for offer in decider.offers(state, by) if offer.type == "exchange")
            field = offer.fields["discard"]
            assert isinstance(field, SomeOf)
            less = sorted([card for card in field.values if worth[card] < mean], key=worth.__getitem__)
            assert action.discard == tuple(less[: field.max])
            made.append(by)
        return decider.decide(state, by, action)

    strict = replace(game, decider=replace(decider, decide=decide))
    playouts = Playouts(strict, repeatable(2).randrange, len(record.seats), learner=(seat + 1) % 4)
    for own in record.seats:
        for card, value in worth.items():
            playouts.lessons_about(None).add(own, (), Play(card), value)
    playouts.gained(belief.draw(repeatable(1).randrange).table.deal_state, version)
    assert seat in made, "who is not to choose discards so, too"


def test_what_playouts_learn_is_shared_by_cards_and_discards_and_not_by_bids(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the cards of the trick come before the one that is tried."""
    asked: list[tuple[Sequence[Action], Action | None]] = []

    def gained(
        _: Playouts, _state: object, _version: int, trick: Sequence[Action], about: Action | None
    ) -> list[float]:
        asked.append((trick, about))
        return [0.0] * 4

    monkeypatch.setattr(Playouts, "gained", gained)
    bid = next(one for one in every_moment(GAMES["lhombre"], repeatable(4)) if phase(one) == "Auction")
    for record, seat, version in (*moments(GAMES["tetka"], repeatable(9), 12), discard(GAMES["lhombre"]), bid):
        opponent = followed(record, seat, version)
        assert opponent.belief is not None
        assert opponent.table is not None
        asked.clear()
        choose(record.game, opponent.table, seat, opponent.belief, repeatable(1).randrange, LEVELS["strong"])
        for trick, about in asked:
            assert tuple(trick[:-1]) == opponent.belief.trick
            assert (about is None) == (phase((record, seat, version)) != "Auction")
            assert bool(trick) == (record.game.name == "tetka")


def phase(moment: tuple[Played, int, int]) -> str:
    """The name of the phase at the moment."""
    record, _, version = moment
    return type(record.tables[version - 1].deal_state).__name__


def discard(game: Game) -> tuple[Played, int, int]:
    """A seat that may only discard some of its cards, in the most ways: the record, the seat, and the version."""
    rng, found = repeatable(5), list[tuple[int, tuple[Played, int, int]]]()
    deals = game.course.deals(game.options()).default
    while len(found) < FEW:
        record = played(game, rng, game.options(), deals, until=lambda table: table.scored >= 1)
        for version in range(*record.deals[0]):
            state = record.tables[version - 1].deal_state
            for seat in game.decider.to_act(state) if game.decider.next_automatic(state) is None else ():
                offers = game.decider.offers(state, seat)
                if offers and len(offers) == len(discarding(offers)):
                    found.append((len(offers), (record, seat, version)))
    return max(found, key=lambda each: each[0])[1]


def test_an_opponent_of_a_game_without_worlds_plays_on() -> None:
    """The toy does not say what its events move unseen, so its opponents have no belief."""
    own = list(folds(played(TOY, repeatable(1), TOY.options(), 1, until=lambda table: table.scored >= 1), "seat:0"))
    table = next(table for table in own if table.running_deal is not None and TOY.decider.offers(table.deal_state, 0))
    assert choose(TOY, table, 0, None, repeatable(1).randrange, 24) is not None
