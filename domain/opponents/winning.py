"""What it is worth to win: near the end of a game to a target, more than points."""

from msgspec.structs import replace

from domain.kernel.course import Course, Standing, only_after_last_deal
from domain.kernel.ledger import Party
from domain.kernel.worth import Score


def to_target(course: Course) -> bool:
    """Whether a game may be over before its last deal, so that the points of the deal that ends it are not all."""
    return course.over is not only_after_last_deal


def won(course: Course, standing: Standing, score: Score) -> list[int]:
    """What each seat wins besides its points: if the deal ends the game, its winners as much as the highest total."""
    accounts: dict[Party, int] = dict(standing.accounts)
    for one in score.transfers:
        accounts[one.account] = accounts.get(one.account, 0) + one.amount
        accounts[one.counter] = accounts.get(one.counter, 0) - one.amount
    seats = range(len(standing.totals))
    totals = tuple([accounts[seat] for seat in seats])
    after = replace(standing, totals=totals, accounts=accounts, result=score.extra)
    if course.over(after) is None:
        return [0 for _ in seats]
    winners, stake = course.winners(after), max(totals)
    return [stake if seat in winners else 0 for seat in seats]
