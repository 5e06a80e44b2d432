"""`open_spiel`'s skat through Python: random playouts, with the observation string of every player. `SECONDS`."""

import json
import random
import sys
import time

import pyspiel  # type: ignore[import-not-found]  # a library in C++, without types


def playout(game: "pyspiel.Game", rng: random.Random) -> int:
    """One deal; how many acts of players it took."""
    state, acts = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(actions, weights)[0])
            continue
        state.apply_action(rng.choice(state.legal_actions()))
        for player in range(game.num_players()):
            state.observation_string(player)
        acts += 1
    return acts


def main(seconds: float) -> None:
    """Plays for so long."""
    game = pyspiel.load_game("skat")
    rng = random.Random(1)  # noqa: S311 (nothing secret hangs on it)
    playout(game, rng)
    began, acts = time.process_time(), 0
    while (taken := time.process_time() - began) < seconds:
        acts += playout(game, rng)
    print(json.dumps({"per_s": acts / taken}))


if __name__ == "__main__":
    main(float(sys.argv[1]))
