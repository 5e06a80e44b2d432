"""Tëtka: thirteen tricks without trumps, in which queens, a card shown to all and its number cost points."""

from domain.games.tetka import meta
from domain.games.tetka.rules import NUMBERS, RULEBOOK
from domain.games.tetka.scoring import SCORING
from domain.games.tetka.state import Play, begin
from domain.games.tetka.view import TetkaView, show
from domain.games.tetka.words import WORDS
from domain.parts.plain_tricks import plain_game

TETKA = plain_game(
    NUMBERS,
    RULEBOOK,
    name="tetka",
    title="Tëtka",
    options=meta.Options,
    pack=meta.PACK,
    course=meta.TURNS.course(meta.deals),
    portions=meta.portions,
    play=Play,
    begin=begin,
    scoring=SCORING,
    view=TetkaView,
    fields=show,
    words=WORDS,
)
