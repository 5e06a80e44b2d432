"""The pages that scripts fill."""

from service.describe.texts import Texts
from service.pages import File, scripted

SCRIPTED = (
    "home", "new", "replay", "play", "tables", "disputes", "desk", "player", "leaderboard", "archive", "statistics",
    "docs", "viewer", "sheet",
)  # fmt: skip


def all_of(texts: Texts | None = None) -> dict[str, File]:
    """All of these pages, by name."""
    return {name: scripted(name, texts) for name in SCRIPTED}
