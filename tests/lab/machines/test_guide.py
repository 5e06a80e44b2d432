"""What `make machines` does is what the page says, and the page says nothing that is not there."""

import re
import subprocess
from pathlib import Path

import pytest

from service.config import Settings
from tests.lab.machines.__main__ import table
from tests.lab.machines.faults import FAULTS
from tests.lab.machines.guide import FOLDER, FORMS, Step, steps, steps_of, variables, with_values
from tests.lab.machines.hosts import ADDRESSES, ROOT, cleared
from tests.lab.machines.machines import INTERFACES, values
from tests.lab.machines.run import Row, kind_of, longest_gap
from tests.support.for_each import for_each

PARTS = {"db": ["db1"], "redis": ["redis2"], "cluster": ["redis3"], "app": ["app1"], "front": ["front"]}
PAGE = (FOLDER / "README.md").read_text()
TEMPLATES = [file for part in PARTS for file in (FOLDER / part).rglob("*") if file.is_file()]


def filled(form: str = "sentinels") -> dict[str, str]:
    """The variables of `machines.env` as a shell reads them, with the values of a run."""
    text = with_values((FOLDER / "machines.env").read_text(), values(form))
    names = re.findall(r"^(\w+)=", text, flags=re.MULTILINE)
    script = text + "\n" + "\n".join(f'printf "%s\\n" "{name}=${name}"' for name in names)
    printed = subprocess.run(["/bin/sh", "-euc", script], capture_output=True, text=True, check=True).stdout
    return dict(line.split("=", 1) for line in printed.splitlines())


@pytest.mark.long
def test_each_step_names_its_hosts() -> None:
    text = "## 1. First\n\nOn `db1` and `db2`:\n\n```sh\none\ntwo\n```\n\n```sh\nnot run\n```\n"
    assert [*steps(text)] == [Step("1. First", ("db1", "db2"), "one\ntwo\n")]


def test_each_block_of_the_page_is_a_step() -> None:
    assert len([*steps(PAGE)]) == PAGE.count("```sh")


@pytest.mark.parametrize("form", FORMS)
def test_the_steps_of_a_form_reach_every_host(form: str) -> None:
    reached = {host for step in steps_of(form) for host in step.hosts}
    assert reached == ADDRESSES.keys()
    installed = {
        step.commands.split("install ")[1].split()[0] for step in steps_of(form) if "/install " in step.commands
    }
    assert installed == {"db", "cluster" if form == "cluster" else "redis", "app", "front"}


def test_every_variable_of_a_template_is_filled() -> None:
    known = filled().keys() | {"HOST", "ADDRESS"}
    assert {file.name: left for file in TEMPLATES if (left := variables(file.read_text()) - known)} == {}


def test_every_value_is_used() -> None:
    used = {name for file in TEMPLATES for name in variables(file.read_text())}
    named = {name for name in filled() if f"${name}" in PAGE or f"${name}" in (FOLDER / "machines.env").read_text()}
    assert filled().keys() - used - named - {name.upper() for name in ADDRESSES} == set()


@pytest.mark.long
def test_a_value_of_no_variable_is_refused() -> None:
    assert with_values("A=1\nB=2\n", {"B": "$3"}) == "A=1\nB=$3\n"
    with pytest.raises(KeyError):
        with_values("A=1\n", {"C": "3"})


def test_what_the_page_names_is_there() -> None:
    linked = re.findall(r"\]\((?!https:)([^)#]+)", PAGE)
    assert linked
    assert [name for name in linked if not (FOLDER / name).exists()] == []
    named = re.findall(r"/opt/codille/(deploy/\S+)|`(deploy/[^`]+)`", PAGE)
    assert [name for pair in named for name in pair if name and not (ROOT / name).exists()] == []


@for_each("form", FORMS)
def test_the_service_takes_the_settings(form: str) -> None:
    for host in INTERFACES:
        known = filled(form) | {"HOST": host, "ADDRESS": ADDRESSES[host]}
        for part in ("api", "projector", "webhooks", "bots"):
            lines = "".join((FOLDER / "app" / "codille" / f"{name}.env").read_text() for name in ("service", part))
            text = re.sub(r"\$\{(\w+)\}", lambda found, known=known: known[found[1]], lines)
            Settings.load(dict(line.split("=", 1) for line in text.splitlines()) | {"CODILLE_ROLE": part})


def test_a_template_without_a_value_is_not_installed(tmp_path: Path) -> None:
    script = (FOLDER / "install").read_text()
    (filling,) = re.findall(r"perl -pe '(.*?)' ", script)
    template = tmp_path / "template"
    template.write_text("a ${SET} b ${ADDRESS}\n")
    done = subprocess.run(
        ["/usr/bin/perl", "-pe", filling, template], env={"SET": "1", "ADDRESS": "$x"}, capture_output=True, check=True
    )
    assert done.stdout == b"a 1 b $x\n"
    failed = subprocess.run(
        ["/usr/bin/perl", "-pe", filling, template], env={"SET": "1", "ADDRESS": ""}, capture_output=True, check=False
    )
    assert (failed.returncode != 0, failed.stderr.split(b"\n")[0]) == (True, b"ADDRESS has no value")


@pytest.mark.long
def test_the_longest_gap_reaches_to_both_ends() -> None:
    assert longest_gap([1.0, 2.0, 6.0, 20.0], 0.0, 9.0) == 4.0
    assert longest_gap([], 3.0, 8.0) == 5.0
    assert longest_gap([1.0], 0.0, 9.0) == 8.0


@pytest.mark.long
def test_what_is_wrong_is_counted_by_its_kind() -> None:
    lines = {
        "the act of key 1 was acknowledged at 3 and is lost": "lost",
        "the act of seat:1 at 4 was never acknowledged, and is no forgotten one": "doubled",
        "the stream of public should have brought version 4: [3, 5]": "streams",
        "the audit: []": "other",
    }
    assert {line: kind_of(line) for line in lines} == lines
    row = Row("primary killed", "sentinels", 15.0, wrong=[*lines])
    assert table([row])[1].split()[-4:] == ["1", "1", "1", "1"]


@pytest.mark.long
def test_every_fault_strikes_with_some_form() -> None:
    assert all({*fault.forms} <= FORMS.keys() and fault.forms for fault in FAULTS.values())


@pytest.mark.long
def test_a_folder_in_which_something_is_mounted_is_not_removed(tmp_path: Path) -> None:
    folder = tmp_path / "machines"
    (folder / "python").mkdir(parents=True)
    other = f"36 35 98:0 / {tmp_path}/machines-of-another rw - ext4 /dev/vda rw"
    for point in (folder, folder / "python"):
        with pytest.raises(RuntimeError, match="is not removed"):
            cleared(folder, f"{other}\n37 35 98:0 /usr {point} rw - ext4 /dev/vda rw")
        assert (folder / "python").exists()
    cleared(folder, other)
    assert not folder.exists()
