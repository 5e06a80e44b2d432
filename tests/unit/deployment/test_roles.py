"""The roles of processes: the guide shows them as they are, and each process opens what its role names."""

import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from service.config import RoleName, Settings
from service.garbage import NEW_OBJECTS
from service.roles import ANSWERING, PLAYING, PROJECTING, ROLES, SENDING, Role
from service.watchers import open_watchers
from service.wiring import open_services

GUIDE = Path(__file__).parents[3] / "deploy/operations.md"
BEGIN, END = "<!-- roles -->\n", "<!-- end of roles -->\n"
NOWHERE = "postgresql://127.0.0.1:1/codille", "redis://127.0.0.1:1"


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n".replace("|  |", "| |")


def of_role(role: Role) -> str:
    opens = ", ".join(f"the {one}" for one in sorted(role.opens))
    does = (*(ANSWERING if "interface" in role.opens else ()), *role.watchers)
    beside = ", ".join(f"`{name}`" for name in role.beside)
    return row(f"`{role.name}`", opens, ", ".join(one.name for one in does), beside)


def drawn() -> str:
    """The tables of the guide."""
    rule = "|---|---|---|---|\n"
    roles = row("role", "opens", "does", "starts when needed") + rule + "".join(map(of_role, ROLES.values()))
    does = row("", "follows", "writes") + rule[4:]
    for one in (*ANSWERING, *PROJECTING, *SENDING, *PLAYING):
        does += row(one.name, one.follows, one.writes)
    return f"{roles}\n{does}"


def test_the_guide_shows_the_roles_as_they_are() -> None:
    shown = GUIDE.read_text().partition(BEGIN)[2].partition(END)[0]
    assert shown == drawn()


@pytest.mark.parametrize("name", ROLES)
async def test_what_works_by_itself_in_a_process_is_what_its_role_names(name: RoleName, tmp_path: Path) -> None:
    opening = open_services(Settings(role=name, data_dir=tmp_path), *NOWHERE)
    async with opening as services, AsyncExitStack() as stack:
        watchers = await open_watchers(stack, services, *NOWHERE)
    assert list(watchers) == [one.name for one in ROLES[name].watchers]
    assert (services.edge is not None) == ("interface" in ROLES[name].opens)


def test_the_interface_loads_nothing_that_renders_a_page_until_one_is() -> None:
    program = """
import sys, service.app
print("jinja2" in sys.modules)
from service.pages import error_page
assert error_page(404, "Not found", "no such page", "not-found")
print("jinja2" in sys.modules)
"""
    loaded = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == ["False", "True"]


BEGUN = """
import gc, sys
from pathlib import Path
import structlog
from deploy.embedded import Servers
from service.config import Settings
from service.run.listen import Listeners
from service.run.process import run
from service.run.stop import stopping

with stopping() as stop:
    def ready():
        print("frozen:", gc.get_freeze_count(), *gc.get_threshold(), *sys.modules)
        stop.set()

    run(Settings(role="{role}", data_dir=Path("{data}")), Servers(*{nowhere}), Listeners(None, None),
        stop=stop, ready=ready, log=structlog.get_logger())
"""


UNUSED = {
    "api": {"service.bots.player", "service.live.timekeeper", "service.live.outbox", "service.audit.continuous"},
    "bots": {"service.live.hub", "service.live.timekeeper", "service.live.outbox", "service.audit.continuous"},
}
"""Modules that processes of these roles have no use for."""


@pytest.mark.parametrize("role", ROLES)
def test_a_process_loads_only_what_its_role_opens_and_leaves_that_out_of_garbage_collections(
    role: str, tmp_path: Path
) -> None:
    program = BEGUN.format(nowhere=NOWHERE, role=role, data=tmp_path)
    ended = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
    frozen, threshold, _, _, *loaded = ended.stdout.partition("frozen: ")[2].split()
    assert int(frozen) > 50_000
    assert int(threshold) == NEW_OBJECTS
    assert {*loaded} & {*UNUSED.get(role, ()), "msgspec"} == {"msgspec"}
