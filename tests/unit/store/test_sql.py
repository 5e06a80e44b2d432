"""Where SQL stands: a function in a file of its own, a query in the module that reads with it."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from service.store.migrate import sql_files

SERVICE = Path(__file__).parents[3] / "service"
QUERY = re.compile(r"\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s+\S")
SHARED = SERVICE / "store" / "records.py"
"""What several readers read alike."""

FOR_EARLIER = {"present"}
"""Functions that only programs of the version before call."""


def queries(tree: ast.AST) -> Iterator[str]:
    """The queries in the code, f-strings as they are written."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)):
                pass
            case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]):
                text = ast.unparse(node).lstrip("f'\"")
            case _:
                continue
        # The parts of an f-string are met too, but none of them is a query by itself.
        if QUERY.match(text):
            yield " ".join(text.split())


def test_a_changed_file_makes_another_version_of_the_schema() -> None:
    """Otherwise a program of before would put the functions back to what they were."""
    lines = [line.split() for line in (SERVICE / "store" / "schema.txt").read_text().splitlines()]
    assert [int(number) for number, _, _ in lines] == list(range(1, len(lines) + 1))
    assert all(1 <= int(earliest) <= int(number) for number, earliest, _ in lines)
    digest = sha256(b"".join(file.digest for file in (*sql_files("migrations"), *sql_files("sql")))).hexdigest()
    assert lines[-1][2] == digest, (
        f"add a line to service/store/schema.txt: {len(lines) + 1} EARLIEST {digest}, where EARLIEST is the "
        "first version whose programs work with the new files"
    )


def test_each_function_is_a_file_and_is_called() -> None:
    files = sql_files("sql")
    for file in files:
        assert re.findall(r"CREATE FUNCTION (?:codille|archive)\.(\w+)", file.text) == [file.name]
    texts = [path.read_text() for path in SERVICE.rglob("*.py")]
    for file in files:
        if file.name in FOR_EARLIER:
            continue
        others = [other.text for other in files if other is not file]
        assert any(re.search(rf'(?:codille|archive)\.{file.name}[("]', text) for text in (*texts, *others)), file.name


def test_a_query_is_written_once_and_stands_by_its_reader() -> None:
    written: Counter[str] = Counter()
    for path in SERVICE.rglob("*.py"):
        tree = ast.parse(path.read_text())
        written.update(set(queries(tree)))
        for statement in tree.body:
            if isinstance(statement, ast.Assign) and path != SHARED and any(queries(statement.value)):
                names = [target.id for target in statement.targets if isinstance(target, ast.Name)]
                assert all(name.startswith("_") for name in names), f"{path.name} lends {names}"
    assert [query for query, times in written.items() if times > 1 and query != "SELECT 1"] == []
