"""What the documents say of the project agrees with it: links, settings, notes on decisions."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from domain.registry import GAMES
from service.config import Settings

ROOT = Path(__file__).parents[3]
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
DECISIONS = ROOT / "deploy/decisions"


def documents() -> list[Path]:
    """All Markdown files of the project; what tools keep lies in folders that begin with a dot."""
    return [*ROOT.glob("*.md"), *ROOT.glob("[a-z]*/**/*.md")]


def anchors(document: Path) -> set[str]:
    """The names by which links lead to the document's headings."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead(document: Path) -> Iterator[str]:
    """The relative links of the document that lead nowhere."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", document.read_text(), flags=re.DOTALL)
    for path, anchor in LINK.findall(text):
        target = document.parent / path if path else document
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield f"{document.relative_to(ROOT)}: {path}#{anchor}"


def test_every_link_into_the_project_leads_somewhere() -> None:
    read = documents()
    assert {"README.md", "CONTRIBUTING.md"} <= {document.name for document in read}
    assert [link for document in read for link in dead(document)] == []
    assert LINK.search((ROOT / "README.md").read_text())


def test_every_setting_has_one_row_with_its_default() -> None:
    rows = re.findall(
        r"^\| `([A-Z_]+)` \| (?:`(.+?)`)? ?\| .{10,} \|$", (ROOT / "deploy/settings.md").read_text(), re.MULTILINE
    )
    assert sorted(name for name, _ in rows) == sorted(name.upper() for name in Settings.__struct_fields__)
    settings = Settings()
    given = {name: default for name, default in rows if default}
    assert Settings.load({f"CODILLE_{name}": default for name, default in given.items()}) == settings
    # Those that show none are unset, or lie in the project.
    assert {name.upper() for name in Settings.__struct_fields__ if getattr(settings, name) not in (None, ())} == {
        *given,
        "SPEC_DIR",
    }


def test_every_note_on_a_decision_stands_in_the_index() -> None:
    rows = re.findall(r"^\| (\d+) \| \[(.+)\]\((.+)\) \|$", (DECISIONS / "README.md").read_text(), re.MULTILINE)
    index = sorted(rows, key=lambda row: int(row[0]))
    notes = sorted(note.name for note in DECISIONS.glob("*.md") if note.name != "README.md")
    assert [name for _, _, name in index] == notes
    titles = [(DECISIONS / name).read_text().splitlines()[0] for name in notes]
    assert [f"# {number}. {title}" for number, title, _ in index] == titles


def test_a_note_that_is_overtaken_names_a_later_one_in_its_first_line() -> None:
    overtaken = 0
    for note in DECISIONS.glob("0*.md"):
        lines = note.read_text().splitlines()
        for number, line in enumerate(lines):
            if line.startswith("*Overtaken"):
                later = [name for name, _ in LINK.findall(line)]
                assert (number, bool(later), all(name > note.name for name in later)) == (2, True, True), note
                overtaken += 1
    assert overtaken


def test_the_picture_of_the_rooms_is_the_order_in_which_they_import() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = {one.get("containers", ["whole"])[0]: one["layers"] for one in contracts if "layers" in one}
    (picture,) = re.findall(r"^```\n(service .*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL | re.MULTILINE)
    drawn: dict[str, list[str]] = {}
    for line in picture.splitlines():
        rooms = line.strip().split("  ")[0].replace(", ", " | ")
        if line.startswith(" "):
            drawn[list(drawn)[-1]].append(rooms)
        else:
            drawn[rooms] = []
    assert list(drawn) == layers.pop("whole")
    assert {name: rooms for name, rooms in drawn.items() if rooms} == layers


def test_what_documents_name_in_code_is_there() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    missing = set()
    for document in documents():
        # Fenced blocks, and code within a line.
        code = "\n".join(map("".join, re.findall(r"```\w*\n(.*?)```|`([^`\n]+)`", document.read_text(), re.DOTALL)))
        named = {f"make {name}": name in targets for name in re.findall(r"^make (\w[\w-]*)", code, re.MULTILINE)}
        for module in re.findall(r"python -m ((?:tests|service|domain)[\w.]*)", code):
            path = ROOT / module.replace(".", "/")
            named[module] = path.with_suffix(".py").exists() or (path / "__main__.py").exists()
        if document.parent.name == "guide" or document.name == "CONTRIBUTING.md":
            paths = re.findall(r"^((?:tests|service|domain|projections|api-spec|deploy)/[\w./-]*)$", code, re.MULTILINE)
            named |= {path: (ROOT / path).exists() for path in paths}
        missing |= {f"{document.relative_to(ROOT)}: {name}" for name, there in named.items() if not there}
    assert missing == set()


def test_programs_that_were_tried_are_those_that_are_locked() -> None:
    table = re.findall(r"^\| `(.+)` \| (PyPI|npm) (\S+) \|", (ROOT / "api-spec/README.md").read_text(), re.MULTILINE)
    project, locked = (tomllib.loads((ROOT / name).read_text()) for name in ("pyproject.toml", "uv.lock"))
    tried = {re.split("[<>=]", one)[0] for one in project["dependency-groups"]["foreign"]}
    versions = {("PyPI", one["name"]): one["version"] for one in locked["package"] if one["name"] in tried}
    packages = json.loads((ROOT / "tests/foreign/package.json").read_text())
    versions |= {("npm", name): version for name, version in packages["dependencies"].items()}
    versions |= {
        ("npm", name): version for name, version in packages["devDependencies"].items() if name != "typescript"
    }
    assert {(source, name): version for name, source, version in table} == versions
    installed = json.loads((ROOT / "tests/foreign/package-lock.json").read_text())["packages"]
    assert all(
        installed[f"node_modules/{name}"]["version"] == each for (by, name), each in versions.items() if by == "npm"
    )


def test_the_guide_says_what_each_game_takes_up() -> None:
    guide = (ROOT / "deploy/operations.md").read_text()
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| (\d+) \| (\d+) \| (\d+) \|$", guide, re.MULTILINE)
    assert sorted(title for title, *_ in rows) == sorted(game.title for game in GAMES.values())
    assert [title for title, *sizes in rows if round(int(sizes[0]) * int(sizes[1]) / 1000) != int(sizes[2])] == []


def test_the_guide_says_which_programs_work_with_the_schema() -> None:
    guide = (ROOT / "deploy/operations.md").read_text()
    lines = (ROOT / "service/store/schema.txt").read_text().splitlines()
    (said,) = re.findall(r"So far every line of `schema\.txt` names (\d+) as the earliest", guide)
    assert {line.split()[1] for line in lines} == {said}
