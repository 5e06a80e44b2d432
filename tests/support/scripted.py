"""The pages that scripts fill."""

from functools import cached_property

from service.pages import File, ScriptedPages


def all_of(pages: ScriptedPages) -> dict[str, File]:
    """All of these pages, by name."""
    return {name: getattr(pages, name) for name, of in vars(ScriptedPages).items() if isinstance(of, cached_property)}
