"""`python -m tests.lab.golden.keep GAME NAME …` keeps recorded games whole, in `tests/games/<game>/earlier/`.

That is done before a game's rules change: its newest rules then derive other events, or none, from the same acts.
"""

import sys

import msgspec

from tests.golden.games import events, file, played


def whole(of: str, name: str) -> str:
    """The recorded game with all its events, an event a line."""
    table = played(of, name).history.table
    ended = {"name": name, "totals": table.totals, "winners": table.winners}
    lines = ",\n".join(msgspec.json.encode(event).decode() for event in events(of, name))
    return f'{msgspec.json.encode(ended).decode()[:-1]},"events":[\n{lines}\n]}}\n'


def main(of: str, *named: str) -> None:
    """Writes the games named. Raises FileExistsError where one of the name is kept: that one is not written again."""
    folder = file(of).parent / "earlier"
    folder.mkdir(exist_ok=True)
    for name in named:
        with (folder / f"{name}.json").open("x", encoding="utf-8") as kept:
            kept.write(whole(of, name))


if __name__ == "__main__":
    main(*sys.argv[1:])
