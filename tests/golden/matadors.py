"""What L'Hombre and Ombre share: what a deal shows of the matadors."""

from collections.abc import Iterator

from tests.golden.course import Course
from tests.support.checker.matadors import TRUMPS


def matador_labels(course: Course) -> Iterator[str]:
    """What the play shows of the matadors' right not to follow."""
    if course.trump is None:
        return
    trumps = TRUMPS[course.trump]
    for turn in course.turns:
        own = [card for card in trumps if card in turn.hand]
        if not own or turn.led not in trumps:
            continue
        if turn.card not in own:
            yield "matador kept back"
        elif {*own} <= {*trumps[:3]} and turn.led in trumps[:2] and own[-1] in trumps[trumps.index(turn.led) :]:
            yield "matador drawn out by a higher one"
