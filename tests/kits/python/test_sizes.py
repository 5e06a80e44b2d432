"""The kit stays small."""

import ast
import tokenize
from pathlib import Path

PACKAGE = Path(__file__).parents[3] / "api-spec" / "clients" / "python" / "src" / "codille_client"
EXAMPLES = PACKAGE.parents[1] / "examples"
CLIENT = ("__init__", "client", "http", "offers", "problems", "streams", "table", "words")
VERIFIER = ("verify", "packs", "ed25519", "webhooks")
TYPES = ("game", "schemas", "types")
NO_CODE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def lines_of_code(path: Path) -> int:
    """The lines with code, without imports, docstrings and comments."""
    tree = ast.parse(path.read_text())
    without: set[int] = set()
    for node in ast.walk(tree):
        is_doc = (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        )
        if is_doc or isinstance(node, ast.Import | ast.ImportFrom):
            assert isinstance(node, ast.stmt)
            without |= {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    with path.open("rb") as source:
        tokens = [token for token in tokenize.tokenize(source.readline) if token.type not in NO_CODE]
    return len({line for token in tokens[1:] for line in range(token.start[0], token.end[0] + 1)} - without)


def test_the_client_has_at_most_800_lines_and_verifying_at_most_520() -> None:
    written = {path.stem for path in PACKAGE.glob("*.py")} - {"models", "operations"}
    assert written == {*CLIENT, *VERIFIER, *TYPES, "bot", "login"}
    assert sum(lines_of_code(PACKAGE / f"{name}.py") for name in CLIENT) <= 800
    assert sum(lines_of_code(PACKAGE / f"{name}.py") for name in VERIFIER) <= 520


def test_logging_in_has_at_most_80_lines() -> None:
    assert lines_of_code(PACKAGE / "login.py") <= 80


def test_the_bot_has_at_most_220_lines_and_the_one_that_counts_about_100() -> None:
    assert lines_of_code(PACKAGE / "bot.py") <= 220
    assert lines_of_code(EXAMPLES / "diloti.py") <= 110


def test_the_examples_are_a_bot_in_ten_lines_and_a_terminal_in_a_hundred() -> None:
    (play,) = (
        node
        for node in ast.walk(ast.parse((EXAMPLES / "bot.py").read_text()))
        if isinstance(node, ast.AsyncFunctionDef)
    )
    assert (play.end_lineno or 0) - play.body[0].lineno + 1 <= 10
    assert lines_of_code(EXAMPLES / "terminal.py") <= 102
    for example in EXAMPLES.glob("*.py"):
        assert not any(word in example.read_text() for word in ("retry", "sleep", "Retry-After", "Last-Event-ID"))
