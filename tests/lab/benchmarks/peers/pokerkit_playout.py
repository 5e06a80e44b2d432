"""`pokerkit`: hands of no-limit hold'em whose six players act at random. `SECONDS`."""

import json
import random
import sys
import time
from collections.abc import Callable

from pokerkit import Automation, NoLimitTexasHoldem, State

AUTOMATED = tuple(Automation)
"""All but the players' own acts."""


def hand() -> State:
    """A new hand."""
    return NoLimitTexasHoldem.create_state(
        AUTOMATED,
        ante_trimming_status=True,
        raw_antes=0,
        raw_blinds_or_straddles=(1, 2),
        min_bet=2,
        raw_starting_stacks=(200,) * 6,
        player_count=6,
    )


def playout(rng: random.Random) -> int:
    """One hand; how many acts it took."""
    state, acts = hand(), 0
    while state.status:
        able: list[Callable[[], object]] = [state.check_or_call]
        if state.can_fold():
            able.append(state.fold)
        if state.can_complete_bet_or_raise_to():
            able.append(state.complete_bet_or_raise_to)
        rng.choice(able)()
        acts += 1
    return acts


def main(seconds: float) -> None:
    """Plays for so long."""
    rng = random.Random(1)  # noqa: S311 (nothing secret hangs on it)
    playout(rng)
    began, acts = time.process_time(), 0
    while (taken := time.process_time() - began) < seconds:
        acts += playout(rng)
    print(json.dumps({"per_s": acts / taken}))


if __name__ == "__main__":
    main(float(sys.argv[1]))
