"""Small changes of a module, each of which should make a test fail."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], list[type[ast.cmpop]]] = {
    ast.Lt: [ast.LtE, ast.GtE],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.LtE],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.In: [ast.NotIn],  # codespell:ignore notin
    ast.NotIn: [ast.In],  # codespell:ignore notin
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


@dataclass(frozen=True)
class Mutant:
    """One change of a module."""

    name: str
    """Says what is changed where, whatever the number of the line is."""
    line: int
    source: str
    """The whole module with the change."""


def mutants_of(source: str) -> list[Mutant]:
    """Every change of this module."""
    tree = ast.parse(source)
    seen: Counter[str] = Counter()
    found = []
    for path, function in nodes_in(tree):
        node = node_at(tree, path)
        for changed in changes_of(node):
            if text_of(changed) == text_of(node):
                continue
            name = f"{function}: {text_of(node)} → {text_of(changed)}"
            seen[name] += 1
            if seen[name] > 1:
                name += f" ({seen[name]})"
            found.append(Mutant(name, getattr(node, "lineno", 0), with_change(tree, path, changed)))
    return found


Path = tuple[tuple[str, int | None], ...]
"""The fields, and the places in their lists, that lead from a module to one of its nodes."""


def nodes_in(node: ast.AST, path: Path = (), function: str = "module") -> Iterator[tuple[Path, str]]:
    """Every node that can be changed, with the name of the function or class around it; no types."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "bases", "type_params"):
            continue
        children = enumerate(value) if isinstance(value, list) else [(None, value)]
        for at, child in children:
            if not isinstance(child, ast.AST) or is_left_out(child):
                continue
            here = (*path, (field, at))
            name = function
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                name = child.name if function == "module" else f"{function}.{child.name}"
            yield here, name
            yield from nodes_in(child, here, name)


def is_left_out(node: ast.AST) -> bool:
    """Assertions and imports stay as they are, and so does the capacity of a vector, which is only a hint."""
    return isinstance(node, ast.Assert | ast.Import | ast.ImportFrom) or (
        isinstance(node, ast.keyword) and node.arg == "capacity"
    )


def node_at(tree: ast.AST, path: Path) -> ast.AST:
    node = tree
    for field, at in path:
        value = getattr(node, field)
        node = value if at is None else value[at]
    return node


def with_change(tree: ast.Module, path: Path, changed: ast.AST) -> str:
    whole = copy.deepcopy(tree)
    field, at = path[-1]
    parent = node_at(whole, path[:-1])
    if at is None:
        setattr(parent, field, changed)
    else:
        getattr(parent, field)[at] = changed
    return ast.unparse(ast.fix_missing_locations(whole))


def text_of(node: ast.AST) -> str:
    return ast.unparse(node).partition("\n")[0]


def changes_of(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(ops=[operator]):
            for other in COMPARISONS[type(operator)]:
                yield replaced(node, ops=[other()])
        case ast.Compare(ops=[*operators]):
            for at, operator in enumerate(operators):
                for other in COMPARISONS[type(operator)]:
                    yield replaced(node, ops=[*operators[:at], other(), *operators[at + 1 :]])
        case ast.BoolOp(op=operator):
            yield replaced(node, op=ast.Or() if isinstance(operator, ast.And) else ast.And())
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator):
            if type(operator) in OPERATORS:
                yield replaced(node, op=OPERATORS[type(operator)]())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield ast.Constant(value + 1)
        case ast.If(test=ast.Name() | ast.Attribute() | ast.Call() as test):
            yield replaced(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.IfExp(test=ast.Name() | ast.Attribute() | ast.Call() as test):
            yield replaced(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.Break():
            yield ast.Pass()
        case ast.Continue() | ast.Raise() | ast.Expr(value=ast.Call()):
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()


def replaced(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for field, value in fields.items():
        setattr(changed, field, value)
    return changed
