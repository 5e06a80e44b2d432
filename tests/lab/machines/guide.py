"""What operators read, as the script follows it: the steps of `deploy/machines/README.md`, and the values they set."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

FOLDER = Path(__file__).parents[3] / "deploy" / "machines"
FORMS = {"sentinels": "With Sentinels", "cluster": "As a Cluster"}
"""The forms of Redis, with the heading of each one's steps."""


class Step(Struct, frozen=True):
    """Commands, and the hosts on each of which they are run."""

    heading: str
    hosts: tuple[str, ...]
    commands: str


def steps(text: str) -> Iterator[Step]:
    """The steps of the page: a line that begins with *On* names hosts, and the next block has their commands."""
    heading, hosts, block = "", (), list[str]()
    inside = False
    for line in text.splitlines():
        if line.startswith("```"):
            if inside and hosts:
                yield Step(heading, hosts, "\n".join(block) + "\n")
                hosts = ()
            inside, block = not inside, []
        elif inside:
            block.append(line)
        elif line.startswith("#"):
            heading = line.lstrip("# ")
        elif line.startswith("On ") and line.endswith(":"):
            hosts = tuple(re.findall(r"`(\w+)`", line))


def steps_of(form: str) -> list[Step]:
    """The steps of the page for this form of Redis."""
    others = {heading for name, heading in FORMS.items() if name != form}
    return [step for step in steps((FOLDER / "README.md").read_text()) if step.heading not in others]


def with_values(text: str, values: Mapping[str, str]) -> str:
    """A file of variables with these values instead of its own. Raises KeyError for a name that it does not have."""
    for name, value in values.items():
        text, found = re.subn(rf"^{name}=.*$", lambda _, line=f"{name}={value}": line, text, flags=re.MULTILINE)
        if found != 1:
            raise KeyError(name)
    return text


def variables(text: str) -> set[str]:
    """The names that a template has filled in."""
    return set(re.findall(r"\$\{(\w+)\}", text))
