"""The moments of a game at which a seat is asked to do something: its view, its offers, what all may see."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from domain.record.recorded import Recorded
from domain.table.seat_offers import offers
from domain.table.state import Table
from domain.table.view import view
from tests.support.games import READER

Json = dict[str, Any]


class Asked(Struct, frozen=True):
    """A seat of a game that goes on, and the view of those who sit on none."""

    view: Json
    offers: list[Json]
    public: Json

    @property
    def shown(self) -> Json:
        """The fields that a prompt is about."""
        return {**self.view, "offers": {offer["type"]: offer for offer in reversed(self.offers)}}


def asked(records: Iterable[Recorded]) -> Iterator[Asked]:
    """Each seat that has offers, after each of these events."""
    tables: dict[str, Table] = {}
    public: Table | None = None
    for record in records:
        public = READER.fold(public, (record,), "public")
        seats = [f"seat:{seat}" for seat in range(len(public.players))]
        for who in seats:
            own = READER.fold(tables.get(who), (record,), who)
            tables[who] = own
        if public.status != "playing":
            continue
        game = READER.of(public)
        for seat, who in enumerate(seats):
            if open_to := offers(game, tables[who], seat):
                offered = [offer.describe() for offer in open_to]
                shown = [view(game, tables[who], who), offered, view(game, public, "public")]
                yield Asked(*msgspec.json.decode(msgspec.json.encode(shown)))
