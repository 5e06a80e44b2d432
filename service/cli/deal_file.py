"""A deal of a recording as a page in one file, which needs no server."""

from collections.abc import Mapping
from itertools import takewhile

from domain.kernel.game import Game
from domain.record.history import Reader
from service.cli.replay import Recording, of_deal, taken_seats
from service.describe.texts import english
from service.pages import FILES
from service.pages.deals import deal_page

STYLES = ("page.css", "rules.css")


def deal_file(recording: Recording, deal: int, games: Mapping[str, Game]) -> bytes:
    """The page of a deal, with its styles in itself. Raises NoSuchDeal and UnknownEvent."""
    events = of_deal(recording.events, deal)
    opened = events[0]["public"]
    game = Reader(games).game(opened["game"], opened["rules_version"])
    before = takewhile(lambda event: event["deal"] != deal, recording.events)
    seated = {one["seat"]: one["player"] for one in taken_seats(before)}
    players = [seated.get(seat) for seat in range(max(seated, default=-1) + 1)]
    lines = [line for line in recording.lines if line["deal"] == deal]
    styles = "\n".join(FILES[name].body.decode() for name in STYLES)
    return deal_page(events, deal, game, players, recording.names, lines, english(), styles=styles)
