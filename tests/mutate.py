"""Mutation testing of the rules: change one thing at a time in a module and see whether the tests notice.

    python tests/mutate.py referee/game/rules.py referee/game/scoring.py

Prints each mutant that no test killed, and the share that was killed. Each mutant lives in a process of its own;
no file is changed. Not part of the test run.
"""

from __future__ import annotations

import argparse
import ast
import copy
import functools
import importlib
import importlib.util
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

from hypothesis import Phase, settings

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


def load_tests(path: str) -> ModuleType:
    """Import a test file."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def find_cases(module: ModuleType) -> Iterator[Callable[[], object]]:
    """Give every test of a file as a call without arguments; the tests of the rules need no fixtures."""
    for name, function in list(vars(module).items()):
        if not name.startswith("test_"):
            continue
        marks = [mark for mark in getattr(function, "pytestmark", []) if mark.name == "parametrize"]
        if not marks:
            yield function
        for mark in marks:
            names = mark.args[0].split(",") if isinstance(mark.args[0], str) else mark.args[0]
            for values in mark.args[1]:
                yield functools.partial(function, *((values,) if len(names) == 1 else values))


def put_in_place(module: ModuleType, text: str) -> None:
    """Run a changed source in its module, and give everybody who imported from it the new things."""
    before = {id(value): name for name, value in vars(module).items() if not name.startswith("__")}
    exec(compile(text, str(module.__file__), "exec"), vars(module))
    for other in list(sys.modules.values()):
        for name, value in list(getattr(other, "__dict__", {}).items()):
            if other is not module and id(value) in before and not isinstance(value, ModuleType):
                setattr(other, name, vars(module)[before[id(value)]])


def survives(module: ModuleType, text: str, cases: list[Callable[[], object]]) -> bool:
    """Run the tests with a mutant in a child of this process; one that hangs does not survive."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    signal.alarm(LONGEST_S)
    code = 1
    try:
        put_in_place(module, text)
        for case in cases:
            case()
        code = 0
    finally:
        os._exit(code)


def main() -> None:
    """Mutate the modules named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--tests", nargs="+", default=list(TESTS))
    options = parser.parse_args()
    sys.dont_write_bytecode = True
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # hypothesis tells of each failure
    settings.register_profile("mutate", deadline=None, database=None, max_examples=20, phases=[Phase.generate])
    settings.load_profile("mutate")
    cases = [case for path in options.tests for case in find_cases(load_tests(path))]
    for path in options.modules:
        source = (ROOT / path).read_text(encoding="utf-8")
        module = importlib.import_module(path.removesuffix(".py").replace("/", "."))
        if not survives(module, source, cases):
            sys.exit("the tests fail without any mutation: mend them first")
        killed = total = 0
        for line, before, after, text in make_mutants(source):
            total += 1
            if survives(module, text, cases):
                print(f"{path}:{line}: survived: {before!r} -> {after!r}", flush=True)
            else:
                killed += 1
        print(f"{path}: {killed} of {total} mutants killed ({killed / max(total, 1):.1%})", flush=True)


if __name__ == "__main__":
    main()
