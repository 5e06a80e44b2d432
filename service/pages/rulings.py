"""A dispute on one page: the disputed lines, what they rest on, the audit, the ruling, and the totals around it."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.game import Game
from domain.kernel.ledger import Transfer, account_of
from domain.kernel.line_words import line_parts
from domain.seats import Seat
from domain.table.events import CardsDealt, DealScored, DisputeRuled, LedgerCorrected
from domain.table.rules import RULES
from service.describe.narration import Event, Narration, Telling
from service.describe.texts import Texts
from service.pages.deals import Step, grouped, hands, minute, steps
from service.pages.rendering import PageWriter, address, amount, named, page
from service.queries.disputes import AuditedDeal, DisputedLine, PublishedDispute


class Computed(Struct, frozen=True):
    """What the audit makes of the disputed lines."""

    confirmed: frozenset[tuple[int, int]]
    """The versions and numbers of the lines that the rules book too."""
    instead: tuple[Transfer, ...]
    """What the rules book instead of the others."""


class LineShown(Struct, frozen=True):
    """A line of the ledger."""

    account: Markup
    counter: Markup
    amount: Markup
    text: Markup
    rule: str
    events: tuple[int, ...]
    place: Markup | None = None
    """How disputes name it; None for a line that is not booked."""
    confirmed: bool = False
    """Whether the audit computes it too."""


class DealBehind(Struct, frozen=True):
    """What happened in a deal that disputed lines rest on: the events that they cite, and the tricks of these."""

    deal: int | None
    hands: tuple[Markup, ...]
    steps: tuple[Step, ...]


class Outcome(Struct, frozen=True):
    """The totals by seat and the winners, at some version."""

    totals: Sequence[int] = ()
    winners: Sequence[Seat] | None = None


def ruling_page(
    events: Sequence[Event],
    dispute: PublishedDispute,
    audits: Sequence[AuditedDeal],
    computed: Computed,
    game: Game,
    players: Sequence[str | None],
    names: Mapping[str, str],
    texts: Texts,
) -> bytes:
    """The page of a dispute, from all events of its table, under the rules that it was played by.

    `names` are the names of players, bots and the arbiter by id.
    """
    narration = _narration(game, players)

    def name_of(seat: Seat) -> str:
        return names.get(narration.players.get(seat) or "") or str(texts.say("seat", seat=seat + 1))

    def called(account: str) -> Markup:
        player = account.removeprefix("player:")
        return texts.say(f"account.{account}") if player == account else named(names.get(player, ""), texts)

    writer = PageWriter(narration, name_of, texts)
    behind = _behind(events, dispute, narration, writer)
    around, correction = _outcomes(events, dispute)

    def shown(line: Mapping[str, Any]) -> LineShown:
        text = writer.text(line_parts(narration.words.lines, line, game.pack))
        accounts = called(line["account"]), called(line["with"])
        return LineShown(*accounts, amount(line["amount"]), text, line["rule"], tuple(line["events"]))

    def placed(line: LineShown, at: DisputedLine) -> LineShown:
        place = texts.say("ruling.page.place", version=at.version, line=at.line)
        return replace(line, place=place, confirmed=(at.version, at.line - at.line % 2) in computed.confirmed)

    totals = zip(*(one.totals for one in around), strict=False)
    disputed = [placed(shown(line), at) for at, line in _disputed(events, dispute)]
    booked = [] if correction is None else [shown(line) for line in correction["public"]["lines"][::2]]
    instead = [shown(_line(pair, players)) for pair in computed.instead]
    return page(
        "ruling.html",
        texts,
        game=game,
        dispute=dispute,
        players=[named(name_of(seat), texts) for seat in range(len(players))],
        opener=named(name_of(dispute.seat), texts),
        arbiter=dispute.ruling and named(names.get(dispute.ruling.arbiter, ""), texts),
        disputed=disputed,
        behind=behind,
        audits=audits,
        instead=instead,
        booked=booked,
        totals=[(writer.seat(seat), *map(amount, pair)) for seat, pair in enumerate(totals)],
        winners=[one.winners and Markup(", ").join(map(writer.seat, one.winners)) for one in around],
        rules=_rules(game, (*disputed, *instead, *booked)),
        rules_address=address,
        minute=minute,
    )


_APART = frozenset({DealScored.TYPE, DisputeRuled.TYPE, LedgerCorrected.TYPE})
"""Events of which the page says more elsewhere."""


def _narration(game: Game, players: Sequence[str | None]) -> Narration:
    narration = Narration({game.name: game})
    narration.players |= {seat: player for seat, player in enumerate(players) if player is not None}
    return narration


def _rules(game: Game, lines: Sequence[LineShown]) -> Mapping[str, str | None]:
    """The texts of the rules of these lines, by number; None of one that is unknown."""
    known = {rule.id: rule.text for rule in (*game.rulebook.rules, *RULES)}
    return {line.rule: known.get(line.rule) for line in lines}


def _behind(
    events: Sequence[Event], dispute: PublishedDispute, narration: Narration, writer: PageWriter
) -> list[DealBehind]:
    """What disputed lines rest on, by deal. Narrates all events."""
    cited = {version for _, line in _disputed(events, dispute) for version in line["events"]}
    behind: dict[int | None, list[tuple[Event, list[Telling]]]] = {}
    row: list[int] = []
    for event in events:
        tellings = narration.tell(event)
        row.append(event["version"])
        if tellings:
            dealt = event["type"] == CardsDealt.TYPE and event["deal"] in dispute.deals
            if (dealt or not cited.isdisjoint(row)) and event["type"] not in _APART:
                behind.setdefault(event["deal"], []).append((event, tellings))
            row = []
    return [
        DealBehind(deal, tuple(hands(own, writer)), tuple(grouped(steps(own, writer)))) for deal, own in behind.items()
    ]


def _outcomes(events: Sequence[Event], dispute: PublishedDispute) -> tuple[tuple[Outcome, Outcome], Event | None]:
    """The totals and winners before and after the ruling, and its correction; all until now without a ruling."""
    ends = dispute.ruling and (dispute.ruling.correction or dispute.ruling.version)
    before = after = Outcome()
    correction: Event | None = None
    for event in events:
        public, version = event["public"], event["version"]
        if ends is None or version <= ends:
            before, after = after, Outcome(public.get("totals", after.totals), public.get("winners") or after.winners)
            if version == ends and event["type"] == LedgerCorrected.TYPE:
                correction = event
    return (after if correction is None else before, after), correction


def _disputed(events: Sequence[Event], dispute: PublishedDispute) -> list[tuple[DisputedLine, Mapping[str, Any]]]:
    """The disputed lines, without the counter-lines of others among them."""
    firsts: dict[tuple[int, int], DisputedLine] = {}
    for at in dispute.lines:
        firsts.setdefault((at.version, at.line // 2), at)
    booked = {event["version"]: event["public"].get("lines", ()) for event in events}
    return [(at, booked[at.version][at.line]) for at in firsts.values()]


def _line(pair: Transfer, players: Sequence[str | None]) -> Mapping[str, Any]:
    """The line that would book this transfer, as the interface has lines."""
    return {
        "account": account_of(pair.account, players),
        "with": account_of(pair.counter, players),
        "amount": pair.amount,
        "kind": pair.kind,
        "rule": pair.rule,
        "text": pair.text,
        "events": pair.events,
    }
