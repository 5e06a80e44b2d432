"""The plot of a tournament, as an SVG that suits a light and a dark page."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from domain.kernel.game import Game
from service.cli.terminal_text import counted
from tests.lab.tournament.contests import Measured, signed

WIDTH = 820
ROW, GAP, TOP = 18, 12, 46
"""The heights of a contest, of the space between games, and of the legend."""
LEFT, ZERO, RIGHT = 110, 200, 560
"""Where the plot begins, where no difference is, and where the plot ends."""

COLOURS = (("#0b6e99", "#5ab8e0"), ("#b3541e", "#f0a26b"), ("#4c7a2f", "#9ccf7c"))
"""The colours of the pairs on a light and on a dark page."""


def plotted(contests: Sequence[Measured], games: Mapping[str, Game]) -> str:
    """Each contest's difference and interval. Each game has a scale of its own, by its widest interval."""
    return "\n".join(_lines(contests, games)) + "\n"


def _lines(contests: Sequence[Measured], games: Mapping[str, Game]) -> Iterator[str]:
    pairs = list(dict.fromkeys(contest.pair for contest in contests))
    by_game: dict[str, list[Measured]] = {}
    for contest in contests:
        by_game.setdefault(contest.game, []).append(contest)
    height = TOP + ROW * len(contests) + GAP * (len(by_game) + 1)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        ' role="img">'
    )
    yield "<title>What a level of opponents gains in a deal over another, with 95 % intervals</title>"
    yield f"<style>{_style(len(pairs))}</style>"
    for number, pair in enumerate(pairs):
        x = LEFT + 170 * number
        yield f'<circle class="p{number}" cx="{x}" cy="16" r="4"/>'
        yield f'<text x="{x + 10}" y="20">{escape(pair.better)} over {escape(pair.other)}</text>'
    yield f'<text class="dim" x="{LEFT}" y="38">gained in a deal, by each game on a scale of its own</text>'
    yield f'<line class="zero" x1="{ZERO}" y1="{TOP}" x2="{ZERO}" y2="{height - GAP}"/>'
    y = TOP + GAP
    for game, own in by_game.items():
        scale = _scale(own)
        yield f'<text class="game" x="0" y="{y + 13}">{escape(games[game].title)}</text>'
        for contest in own:
            yield from _contest(contest, pairs.index(contest.pair), scale, y + ROW / 2, games[game].unit)
            y += ROW
        y += GAP
    yield "</svg>"


def _contest(contest: Measured, number: int, scale: float, y: float, unit: str) -> Iterator[str]:
    strength = contest.strength
    low, high = strength.interval
    left, middle, right = (ZERO + scale * value for value in (low, strength.difference, high))
    yield f'<line class="p{number}" x1="{left:.1f}" y1="{y:g}" x2="{right:.1f}" y2="{y:g}"/>'
    yield f'<circle class="p{number}" cx="{middle:.1f}" cy="{y:g}" r="4"/>'
    text = f"{signed(strength.difference)} {unit}, {counted(strength.deals, 'deal')}"
    yield f'<text class="dim" x="{RIGHT + 16}" y="{y + 4:g}">{text}</text>'


def _scale(contests: Sequence[Measured]) -> float:
    """The pixels of a point, so that all intervals of these contests have room."""
    low = min(0.0, *(contest.strength.interval[0] for contest in contests))
    high = max(0.0, *(contest.strength.interval[1] for contest in contests))
    rooms = [room / far for room, far in ((ZERO - LEFT, -low), (RIGHT - ZERO, high)) if far > 0]
    return min(rooms, default=1.0)


def _style(pairs: int) -> str:
    light, dark = (
        "".join(
            f".p{number}{{stroke:{colours[shade]};fill:{colours[shade]}}}"
            for number, colours in enumerate((COLOURS * pairs)[:pairs])
        )
        for shade in (0, 1)
    )
    return (
        "text{font:13px system-ui,sans-serif;fill:#1f2328}.game{font-weight:600}.dim{fill:#59636e}"
        f".zero{{stroke:#8c959f}}line{{stroke-width:2}}.zero{{stroke-width:1}}{light}"
        "@media (prefers-color-scheme:dark){text{fill:#f0f6fc}.dim{fill:#9198a1}.zero{stroke:#656c76}"
        f"{dark}}}"
    )
