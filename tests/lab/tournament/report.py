"""What a tournament has shown: a file for the service, a table and a plot for readers, and rows for the terminal."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from rich.text import Text

from domain.kernel.game import Game
from domain.opponents.paired import LEAST, Strength
from service.cli.terminal_text import counted
from tests.lab.tournament.contests import Contest, Measured, signed
from tests.lab.tournament.duplicates import Pair
from tests.lab.tournament.plot import plotted

HEADINGS = ("game", "levels", "difference", "95 % interval", "deals", "s a deal", "acts a deal", "")


def measured_before(file: Path) -> list[Measured]:
    """What a `strength.json` says."""
    kept = msgspec.json.decode(file.read_bytes(), type=dict[str, dict[str, Strength]])
    return [Measured(game, Pair.named(pair), strength) for game, own in kept.items() for pair, strength in own.items()]


def write_report(
    folder: Path, contests: Sequence[Contest], games: Mapping[str, Game], before: Sequence[Measured] = ()
) -> list[Path]:
    """Writes `strength.json`, `strength.md` and `strength.svg`; answers their paths.

    Contests with too few deals, or with one that failed, are left out. `before` is said of games without a contest.
    """
    played = {contest.game for contest in contests}
    shown = [one.measured for one in contests if one.strength.deals >= LEAST and one.failure is None]
    shown += [one for one in before if one.game not in played and one.game in games]
    if before:
        shown.sort(key=lambda one: list(games).index(one.game))
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "strength.json": msgspec.json.format(msgspec.json.encode(served(shown))).decode() + "\n",
        "strength.md": "\n".join(_markdown(shown, games)) + "\n",
        "strength.svg": plotted(shown, games),
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [folder / name for name in texts]


def served(contests: Sequence[Measured]) -> dict[str, dict[str, Strength]]:
    """The strengths by game and pair of levels, as the service serves them."""
    by_game: dict[str, dict[str, Strength]] = {}
    for contest in contests:
        by_game.setdefault(contest.game, {})[contest.pair.name] = contest.strength
    return by_game


def rows(contests: Sequence[Contest]) -> Iterator[tuple[str | Text, ...]]:
    """A row of the terminal's table for each contest."""
    for contest in contests:
        strength, played = contest.strength, contest.played
        each = (f"{contest.mean_s:.2f}", f"{contest.acts / played:,.0f}") if played else ("", "")
        numbers = (signed(strength.difference), interval(strength)) if strength.deals >= LEAST else ("", "")
        yield contest.game, contest.pair.name, *numbers, f"{strength.deals:,}", *each, _verdict(contest)


def told(contest: Contest) -> str:
    """A contest in a line."""
    strength = contest.strength
    if strength.deals < LEAST:
        return f"{contest.name}: {counted(strength.deals, 'deal')}, too few to show anything"
    return f"{contest.name}: {signed(strength.difference)} ({interval(strength)}), {counted(strength.deals, 'deal')}"


def interval(strength: Strength) -> str:
    """The interval's two ends."""
    low, high = map(signed, strength.interval)
    return f"{low} to {high}"


def _verdict(contest: Contest) -> Text:
    if contest.failure is not None:
        return Text("failed", "bold red")
    strength = contest.strength
    unended = f"; {counted(contest.unended, 'play')} without an end" if contest.unended else ""
    if strength.deals < LEAST or not strength.decided:
        return Text(f"not decided{unended}", "yellow")
    if strength.difference > 0:
        return Text(f"{contest.pair.better} is better{unended}", "green")
    return Text(f"{contest.pair.other} is better{unended}", "red")


def _markdown(contests: Sequence[Measured], games: Mapping[str, Game]) -> Iterator[str]:
    """The table for a note: a row for each game, and two columns for each pair of levels."""
    pairs = list(dict.fromkeys(contest.pair for contest in contests))
    by_name = {(contest.game, contest.pair): contest for contest in contests}
    yield "".join(["| game | unit |", *(f" {pair.better} over {pair.other} | deals |" for pair in pairs)])
    yield "".join(["|---|---|", *("---|---:|" for _ in pairs)])
    for game in dict.fromkeys(contest.game for contest in contests):
        cells = [_cell(by_name.get((game, pair))) for pair in pairs]
        yield "".join([f"| {games[game].title} | {games[game].unit} |", *cells])
    unended = [contest for contest in contests if contest.unended]
    for contest in unended:
        plays = counted(contest.unended, "play")
        yield f"\n{contest.game} {contest.pair.name}: {plays} without an end, each counted as no difference."


def _cell(contest: Measured | None) -> str:
    if contest is None:
        return " | |"
    strength = contest.strength
    return f" {signed(strength.difference)} ({interval(strength)}) | {strength.deals:,} |"
