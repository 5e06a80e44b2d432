"""Mutants: small changes of a function or of a table of rules, each of which its game's tests should notice.

A mutant is named by module, qualified function or table, kind of change, and its number among the changes of that kind
there. Lines do not count, so comments and docstrings may be rewritten, and the same mutants tried again.
"""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[3]

Change = tuple[str, Callable[[], None]]
"""The kind of change, and what makes it in the tree."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Mutant(NamedTuple):
    """A change in one place."""

    module: str
    function: str
    kind: str
    number: int

    def __str__(self) -> str:
        return f"{self.module}:{self.function}:{self.kind}:{self.number}"

    @classmethod
    def named(cls, name: str) -> "Mutant":
        """The mutant of this name. Raises ValueError where it names none."""
        module, function, kind, number = name.split(":")
        return cls(module, function, kind, int(number))


NEGATED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
}  # fmt: skip
BOUNDARY: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip


def source_of(module: str) -> Path:
    """The module's file."""
    return ROOT / f"{module.replace('.', '/')}.py"


def mutants_of(module: str) -> list[Mutant]:
    """All mutants of the module, in the order of its text."""
    return [mutant for mutant, _ in changes(module, ast.parse(source_of(module).read_text(encoding="utf-8")))]


def mutated(mutant: Mutant, source: str | bytes) -> ast.Module:
    """The module's tree with the change. Raises LookupError where the mutant's place is no more."""
    tree = ast.parse(source)
    for each, make in changes(mutant.module, tree):
        if each == mutant:
            make()
            return ast.fix_missing_locations(tree)
    raise LookupError(f"there is no {mutant}")


def described(mutant: Mutant) -> str:
    """The lines that differ, once both texts are written without comments."""
    source = source_of(mutant.module).read_text(encoding="utf-8")
    trees = ast.parse(source), mutated(mutant, source)
    # A table is one line otherwise.
    before, after = (ast.unparse(tree).replace("), ", "),\n").splitlines() for tree in trees)
    while before and after and before[0] == after[0]:
        before, after = before[1:], after[1:]
    while before and after and before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    return "\n".join([*(f"    - {line.strip()}" for line in before), *(f"    + {line.strip()}" for line in after)])


def changes(module: str, tree: ast.Module) -> Iterator[tuple[Mutant, Callable[[], None]]]:
    """Every mutant of the module, and what makes it in this tree."""
    for name, function in functions(tree, ""):
        numbers = Counter[str]()
        for node in nodes(function):
            for kind, make in [*changes_of(node), *result_changes(node, function)]:
                yield Mutant(module, name, kind, numbers[kind]), make
                numbers[kind] += 1
    for name, table in tables(tree):
        numbers, rules = Counter[str](), rules_of(table)
        # The order of acts is the one in which they are offered. It limits nothing.
        for node in filter(lambda node, acts=table.args[1]: node is not acts, ast.walk(table)):
            for kind, make in row_changes(node, rules):
                yield Mutant(module, name, kind, numbers[kind]), make
                numbers[kind] += 1


def functions(tree: ast.AST, within: str) -> Iterator[tuple[str, Function]]:
    """All functions by their qualified names."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef | Function):
            if isinstance(node, Function):
                yield within + node.name, node
            yield from functions(node, f"{within}{node.name}.")
        else:
            yield from functions(node, within)


def tables(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """The tables of the rules that limit acts, by the names of their constants."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "Acts":
            yield ast.unparse(node.targets[0]), node.value


def rules_of(table: ast.Call) -> list[str]:
    """The numbers of rules in the table, each once."""
    texts = [node.value for node in ast.walk(table) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return sorted({text for text in texts if re.fullmatch(r"[A-Z]+-\d+\.\d+", text)})


def nodes(function: Function) -> Iterator[ast.AST]:
    """What the function computes with: no types, no texts, no functions within it."""
    pending: Sequence[ast.AST] = [*function.args.defaults, *function.body]
    while pending:
        node, *pending = pending
        if isinstance(node, ast.ClassDef | Function | ast.JoinedStr | ast.Raise | ast.Assert):
            continue
        yield node
        children = [child for child in ast.iter_child_nodes(node) if child is not getattr(node, "annotation", None)]
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Tuple)
            and isinstance(node.targets[0], ast.Tuple)
        ):
            # Values without one of them could not be assigned at all.
            children = node.value.elts
        pending = [*children, *pending]


def changes_of(node: Any) -> Iterator[Change]:
    """The changes that a node allows."""
    match node:
        case ast.Compare():
            for place, operator in enumerate(node.ops):
                yield "comparison", setter(node.ops, place, NEGATED[type(operator)]())
                if type(operator) in BOUNDARY:
                    yield "boundary", setter(node.ops, place, BOUNDARY[type(operator)]())
        case ast.BinOp() | ast.AugAssign() if type(node.op) in ARITHMETIC:
            yield "arithmetic", setter(node, "op", ARITHMETIC[type(node.op)]())
        case ast.BoolOp():
            yield "connective", setter(node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And())
        case ast.Constant(value=bool()):
            yield "flag", setter(node, "value", not node.value)
        case ast.Constant(value=int()):
            yield "one-more", setter(node, "value", node.value + 1)
            yield "one-less", setter(node, "value", node.value - 1)
        case ast.UnaryOp(op=ast.USub()):
            yield "sign", setter(node, "op", ast.UAdd())
        case ast.If() | ast.IfExp() | ast.While() if not comparing(node.test):
            yield "condition", setter(node, "test", negated(node.test))
        case ast.comprehension():
            for place, condition in enumerate(node.ifs):
                if not comparing(condition):
                    yield "condition", setter(node.ifs, place, negated(condition))
        case ast.match_case(guard=ast.expr()) if not comparing(node.guard):
            yield "condition", setter(node, "guard", negated(node.guard))
        case ast.Match():
            for place, case in enumerate(node.cases):
                if len(node.cases) > 1 and not unreachable(case):
                    yield "case", remover(node.cases, place)
        case ast.Tuple() | ast.List() | ast.Set() if len(node.elts) > 1 and not storing(node):
            yield "first", remover(node.elts, 0)
            yield "last", remover(node.elts, -1)
        case ast.Expr(value=ast.Yield() | ast.YieldFrom()):
            yield "yield", setter(node, "value", ast.YieldFrom(ast.Tuple([], ast.Load())))
        case _:
            pass


def row_changes(node: ast.AST, rules: Sequence[str]) -> Iterator[Change]:
    """The changes that a node of a table allows: another rule's number, no row, rows in another order, other values."""
    match node:
        case ast.Constant(value=str(rule)) if rule in rules:
            yield "rule", setter(node, "value", rules[(rules.index(rule) + 1) % len(rules)])
        case ast.Tuple(elts=items) | ast.Call(args=items) if any(isinstance(item, ast.Call) for item in items):
            rows = [place for place, item in enumerate(items) if isinstance(item, ast.Call)]
            for place in rows:
                yield "row", remover(items, place)
            for place in rows[1:]:
                yield "order", setter(items, slice(place - 1, place + 1), [items[place], items[place - 1]])
        case _:
            yield from changes_of(node)


def result_changes(node: ast.AST, function: Function) -> Iterator[Change]:
    """The negation of a result that is a boolean."""
    boolean = function.returns is not None and ast.unparse(function.returns) == "bool"
    if boolean and isinstance(node, ast.Return) and node.value and not comparing(node.value):
        yield "result", setter(node, "value", negated(node.value))


def negated(condition: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), condition)


def comparing(condition: ast.expr) -> bool:
    """Whether it is one comparison, which is negated as such."""
    return isinstance(condition, ast.Compare) and len(condition.ops) == 1


def unreachable(case: ast.match_case) -> bool:
    """Whether the case is there for the type check alone."""
    return "assert_never(" in ast.unparse(case.body[0])


def storing(node: ast.Tuple | ast.List | ast.Set) -> bool:
    return isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ast.Store)


def setter(target: Any, place: int | slice | str, value: object) -> Callable[[], None]:
    """What puts the value into the list, or into the field of the node."""
    return lambda: setattr(target, place, value) if isinstance(place, str) else target.__setitem__(place, value)


def remover(target: list[Any], place: int) -> Callable[[], None]:
    return lambda: target.__delitem__(place)
