"""What are no registries."""

from domain.registry import GAMES

EMPTY: dict[str, object] = {}
MISNAMED = {"whist": GAMES["solo"]}
