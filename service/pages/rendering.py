"""Pages that the service renders: templates, and what a game says as markup.

Templates escape every value. Markup made here comes from `Markup.format`, which escapes what fills it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from domain.cards import SUITS, Face, Suit
from domain.kernel.ledger import signed
from domain.kernel.words import Filled, Parts
from domain.seats import Seat
from service.describe.narration import Narration
from service.describe.texts import Texts

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def _templates() -> "Environment":
    """The templates, from the first page that is rendered on."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def page(template: str, texts: Texts, **values: Any) -> bytes:
    """The page that this template makes of the values."""
    return _templates().get_template(template).render({"styles": None, **values}, say=texts.say).encode()


def address(game: str, version: int, rule: str = "") -> str:
    """The address of a rule on the page of its game."""
    return f"/games/{game}?rules_version={version}" + (f"#{rule}" if rule else "")


def face(card: Face) -> Markup:
    """A card by its rank and suit."""
    return Markup('<span class="face suit-{}">{}</span>').format(card.suit, card.written)


def named(names: str, texts: Texts) -> Markup:
    """Names in a text. The marks of bots are elements that say what they mean, as no name of a person has any."""
    mark, means = texts.say("bot.mark"), texts.say("bot.mark.means")
    badge = Markup('<span class="bot" role="img" aria-label="{}" title="{}">{}</span>').format(means, means, mark)
    return badge.join(names.split(mark))


def amount(points: int) -> Markup:
    """An amount with its sign."""
    if points == 0:
        return Markup('<span class="amount">0</span>')
    return Markup('<span class="amount {}">{}</span>').format("gain" if points > 0 else "loss", signed(points))


class PageWriter:
    """Writes what a narration says as markup."""

    def __init__(self, narration: Narration, name_of: Callable[[Seat], str], texts: Texts) -> None:
        self._narration = narration
        self._name_of = name_of
        self._texts = texts

    def text(self, parts: Parts) -> Markup:
        """A sentence with its holes filled."""
        return Markup().join(part if isinstance(part, str) else self._written(part) for part in parts)

    def seat(self, seat: Seat) -> Markup:
        """The name of a seat's player."""
        return Markup('<span class="who">{}</span>').format(named(self._name_of(seat), self._texts))

    def cards(self, cards: Iterable[str]) -> Markup:
        """Cards in this order."""
        return Markup(" ").join(map(self._card, cards))

    def _written(self, part: Filled) -> Markup:
        value = part.value
        match part.kind:
            case "seat":
                return self.seat(value)
            case "place":
                return Markup("{}").format(value + 1)
            case "card":
                return self._card(value)
            case "hand":
                return self._hand(self._narration.sorted(value))
            case "suit":
                return Markup("{} {}").format(self._texts.say(f"suit.{value}"), face(Face("", value)))
            case "term":
                named = self._narration.term(part.of, value) or str(value).replace("-", " ")
                return Markup("<b>{}</b>").format(named)
            case "amount":
                return amount(value)
            case "totals":
                return Markup(", ").join(
                    Markup("{} {}").format(self.seat(seat), amount(points)) for seat, points in enumerate(value)
                )
            case "lines":
                return self._lines(value)
            case _:
                return Markup("{}").format(value)

    def _card(self, name: str) -> Markup:
        return face(self._narration.face(name) or Face(name))

    def _hand(self, cards: Sequence[str]) -> Markup:
        """Cards in groups by suit, the jokers last."""
        faces = [self._narration.face(card) or Face(card) for card in cards]
        suits: tuple[Suit | None, ...] = (*SUITS, None)
        groups = ([face(one) for one in faces if one.suit == suit] for suit in suits)
        # Wider than a space, and nothing at the end of a line.
        return Markup("\N{EM SPACE}").join(
            Markup('<span class="suit">{}</span>').format(Markup(" ").join(group)) for group in groups if group
        )

    def _lines(self, line_ats: Sequence[Mapping[str, int]]) -> Markup:
        """Booked lines, each sentence once, with the events that booked them."""
        texts = self._texts

        def line(said: Parts | int) -> Markup:
            return texts.say("said.line", line=said) if isinstance(said, int) else self.text(said)

        return Markup("; ").join(
            texts.say("said.lines", lines=Markup(", ").join(dict.fromkeys(map(line, lines))), version=version)
            for version, lines in self._narration.booked(line_ats).items()
        )
