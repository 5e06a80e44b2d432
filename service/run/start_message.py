"""The text that the service prints when it is ready: where it listens, and how to play."""

import os
import shutil
import sys
from importlib.metadata import version
from pathlib import Path

from service.config import Settings

DOCUMENTATION = "/docs"


def start_message(url: str, metrics_url: str, settings: Settings) -> str:
    """A few lines for the user who started the service, with its URL and that of its metrics."""
    register = f"""curl -X POST {url}/v1/players -H 'Content-Type: application/json' -d '{{"name": "Ada"}}'"""
    return "\n".join(
        (
            "",
            f"  codille {version('codille')} listens on {url}",
            "",
            f"    Games, tables   {url}/",
            f"    Replay a table  {url}/replay/TABLE",
            f"    Documentation   {url}{DOCUMENTATION}",
            f"    Watch a game    {_program()} demo{_where(url, settings)}",
            f"    Join            {register}",
            f"    Data            {_data(settings)}",
            f"    Metrics         {metrics_url}/metrics",
            "    Stop            Ctrl-C",
            "",
        )
    )


def _program() -> str:
    """The command with which to call this program again from here."""
    called = Path(sys.argv[0])
    on_path = shutil.which(called.name)
    if on_path and Path(on_path).resolve() == called.resolve():
        return called.name
    return os.path.relpath(called) if called.is_relative_to(Path.cwd()) else str(called)


def _where(url: str, settings: Settings) -> str:
    """The option that names this service, if the program could not find it on its own."""
    return "" if settings.data_dir == Settings().data_dir else f" --url {url}"


def _data(settings: Settings) -> str:
    embedded = [
        name for name, url in (("Postgres", settings.database_url), ("Valkey", settings.redis_url)) if url is None
    ]
    if not embedded:
        return "on the servers that CODILLE_DATABASE_URL and CODILLE_REDIS_URL name"
    return f"{settings.data_dir} (embedded {' and '.join(embedded)})"
