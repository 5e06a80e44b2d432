"""Which deals a tournament still needs, and what those that were played show."""

from collections.abc import Iterable, Sequence
from math import inf

from msgspec import Struct

from domain.opponents.paired import Differences, Strength
from tests.lab.tournament.duplicates import Duplicate, Pair


class Played(Struct, frozen=True):
    """A duplicate deal that was played, as it stands in the file of deals."""

    game: str
    pair: str
    number: int
    """Deals of a game are numbered from 0."""
    result: Duplicate
    seconds: float
    """The CPU time that it took."""


class Measured(Struct, frozen=True):
    """What two levels in one game have shown."""

    game: str
    pair: Pair
    strength: Strength
    unended: int = 0
    """The number of plays without a result."""


class Contest:
    """Two levels in one game."""

    def __init__(self, game: str, pair: Pair, most: int) -> None:
        self.game = game
        self.pair = pair
        self.most = most
        self.seconds = 0.0
        """The CPU time of all its deals."""
        self.played = 0
        """The number of deals played, some of which may come after those that count."""
        self.acts = 0
        self.unended = 0
        """The number of plays without a result, in the deals that count."""
        self.failure: str | None = None
        """What went wrong in one of its deals. Nothing more of it is played, and it shows nothing."""
        self._differences = Differences(most)
        self._ahead: dict[int, Played] = {}
        """Deals that are played, while an earlier one is not."""

    @property
    def name(self) -> str:
        """The game and the levels."""
        return f"{self.game} {self.pair.name}"

    @property
    def measured(self) -> Measured:
        """What it has shown so far, in three decimals, as it is served."""
        low, high = (round(end, 3) for end in self.strength.interval)
        rounded = Strength(round(self.strength.difference, 3), (low, high), self.strength.deals)
        return Measured(self.game, self.pair, rounded, self.unended)

    @property
    def complete(self) -> bool:
        """Whether no more deals are needed."""
        return self._differences.complete

    @property
    def mean_s(self) -> float:
        """The CPU time that a deal takes; 0 before the first."""
        return self.seconds / self.played if self.played else 0.0

    @property
    def strength(self) -> Strength:
        """What the deals show so far. Only deals before which no deal is missing count, whichever ends first."""
        return self._differences.strength

    def add(self, played: Played) -> None:
        """Takes in a deal."""
        self.seconds += played.seconds
        self.acts += played.result.acts
        self.played += 1
        self._ahead[played.number] = played
        while not self.complete and self._differences.number in self._ahead:
            one = self._ahead.pop(self._differences.number)
            self._differences.add(one.result.difference)
            self.unended += one.result.unended

    def needs(self, number: int) -> bool:
        """Whether the deal of this number is not played and may still count."""
        return self._differences.number <= number < self.most and number not in self._ahead


class Tournament:
    """The contests of all games, which take turns so that each gets the same time until it is complete."""

    def __init__(self, contests: Sequence[Contest]) -> None:
        self.contests = contests
        self._given: set[tuple[str, str, int]] = set()
        """The deals that are being played."""

    @property
    def counted(self) -> tuple[int, int]:
        """How many deals count so far, and how many that will be at most."""
        done = [contest.strength.deals for contest in self.contests]
        most = [own if one.complete or one.failure else one.most for one, own in zip(self.contests, done, strict=True)]
        return sum(done), sum(most)

    def next(self, within_s: float = inf) -> tuple[Contest, int] | None:
        """The deal to play next; None if no more are needed than are being played.

        Deals that are likely to take longer than the given time are not begun.
        """
        open_ = [
            (contest, number)
            for contest in self.contests
            if contest.mean_s <= within_s and (number := self._next_of(contest)) is not None
        ]
        if not open_:
            return None
        contest, number = min(open_, key=lambda one: self._expected_s(one[0]))
        self._given.add((contest.game, contest.pair.name, number))
        return contest, number

    def add(self, played: Iterable[Played]) -> None:
        """Takes in deals, of this run or of an earlier one."""
        by_name = {(contest.game, contest.pair.name): contest for contest in self.contests}
        for one in played:
            self._given.discard((one.game, one.pair, one.number))
            contest = by_name.get((one.game, one.pair))
            if contest is not None and contest.needs(one.number):
                contest.add(one)

    def _next_of(self, contest: Contest) -> int | None:
        if contest.complete or contest.failure is not None:
            return None
        given = {number for game, pair, number in self._given if (game, pair) == (contest.game, contest.pair.name)}
        return next((number for number in range(contest.most) if contest.needs(number) and number not in given), None)

    def _expected_s(self, contest: Contest) -> float:
        """The time that the contest will have had when the deals that are being played have ended."""
        given = sum((game, pair) == (contest.game, contest.pair.name) for game, pair, _ in self._given)
        return contest.seconds + given * (contest.mean_s or 1.0)


def signed(amount: float) -> str:
    """An amount with its sign, a true minus, in three digits or more."""
    digits = 1 if abs(amount) >= 10 else 2
    return f"{amount:+.{digits}f}".replace("-", "−")
