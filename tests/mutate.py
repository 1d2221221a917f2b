"""Mutation testing of the rules: change one thing at a time in a module and see whether the tests notice.

    python tests/mutate.py referee/game/rules.py referee/game/scoring.py

Prints each mutant that no test killed, and the share that was killed. Works on a copy; not part of the test run.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click.testing  # noqa: F401  (loaded once, before the children are made)
import hypothesis  # noqa: F401
import pytest

ROOT = Path(__file__).parent.parent
TESTS = ("tests/game/test_rules.py", "tests/game/test_scoring.py", "tests/game/test_golden.py")
LONGEST_S = 120
COMPARES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult,
}  # fmt: skip


def mutate_node(node: ast.AST) -> Iterator[ast.AST]:
    """Give what could stand there instead."""
    if isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            changed = copy.deepcopy(node)
            changed.ops[index] = COMPARES[type(operator)]()
            yield changed
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.And() if isinstance(node.op, ast.Or) else ast.Or(), node.values)
        for index in range(len(node.values)):
            rest = node.values[:index] + node.values[index + 1 :]
            yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in OPERATORS:
        changed = copy.deepcopy(node)
        changed.op = OPERATORS[type(node.op)]()
        yield changed
    elif isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.Return) and node.value is not None:
        nothing = isinstance(node.value, ast.Constant) and node.value.value is None
        if not nothing:
            yield ast.Return(ast.Constant(None))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("any", "all"):
        changed = copy.deepcopy(node)
        changed.func = ast.Name("all" if node.func.id == "any" else "any")
        yield changed
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
        changed = copy.deepcopy(node)
        changed.func = ast.Name("max" if node.func.id == "min" else "min")
        yield changed
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Certainty":
        yield ast.Attribute(node.value, "DOUBTFUL" if node.attr != "DOUBTFUL" else "CERTAIN")


def make_mutants(source: str) -> Iterator[tuple[int, str, str, str]]:
    """Give line, what stands there, what is put there, and the whole changed module."""
    tree = ast.parse(source)
    inside = [
        node
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for statement in function.body
        for node in ast.walk(statement)
    ]
    for index, node in enumerate(inside):
        for number in range(len(list(mutate_node(node)))):
            fresh = ast.parse(source)
            again = [
                part
                for function in ast.walk(fresh)
                if isinstance(function, ast.FunctionDef)
                for statement in function.body
                for part in ast.walk(statement)
            ]
            target = again[index]
            changed = list(mutate_node(target))[number]
            before, after = ast.unparse(node), ast.unparse(changed)
            replace_node(fresh, target, changed)
            yield getattr(node, "lineno", 0), before, after, ast.unparse(ast.fix_missing_locations(fresh))


def replace_node(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    """Put a node in the place of another, wherever that is."""
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list):
                setattr(parent, name, [new if item is old else item for item in value])


def passes(copy_root: Path, tests: list[str], quiet: bool = True) -> bool:
    """Run the tests against the copy, in a child that has pytest loaded already; hanging is failing."""
    child = os.fork()
    if child == 0:
        signal.alarm(LONGEST_S)
        if quiet:
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.dup2(silence, 2)
        os.chdir(copy_root)
        sys.path.insert(0, str(copy_root))
        sys.dont_write_bytecode = True
        already = "ignore::pytest.PytestAssertRewriteWarning"  # hypothesis was loaded before
        code = pytest.main(["-q", "-x", "-p", "no:cacheprovider", "-W", already, "-m", "not slow", *tests])
        import referee

        assert referee.__file__ is not None
        inside = Path(referee.__file__).is_relative_to(copy_root)
        os._exit(0 if code == 0 and inside else 1)
    _, status = os.waitpid(child, 0)
    return status == 0


def main() -> None:
    """Mutate the modules named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--tests", nargs="+", default=list(TESTS))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for part in ("referee", "tests"):
            shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__", "*.onnx", "static"))
        shutil.copy(ROOT / "pyproject.toml", root)
        if not passes(root, options.tests, quiet=False):
            sys.exit("the tests fail without any mutation: mend them first")
        for module in options.modules:
            source = (ROOT / module).read_text(encoding="utf-8")
            killed = total = 0
            for line, before, after, text in make_mutants(source):
                (root / module).write_text(text, encoding="utf-8")
                total += 1
                if passes(root, options.tests):
                    print(f"{module}:{line}: survived: {before!r} -> {after!r}", flush=True)
                else:
                    killed += 1
            (root / module).write_text(source, encoding="utf-8")
            print(f"{module}: {killed} of {total} mutants killed ({killed / max(total, 1):.1%})", flush=True)


if __name__ == "__main__":
    main()
