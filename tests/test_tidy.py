"""The repository's own rules: where SQL, floats and long code may be, and what is said nowhere."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FUNCTION_LINES, FILE_LINES = 40, 400
STATEMENT = re.compile(r"\s*(select|insert into|update \w+ set|delete from|copy|truncate|with \w+ as)\s", re.IGNORECASE)
# In pieces, so that this file holds none of what it looks for.
ELSEWHERE = ("/wo" + r"rk/", "/ro" + r"ot/", "py" + r"pi\.", r"files\.python" + "hosted", "/opt/" + "py")
UNFINISHED = (
    "FIX" + "ME",
    r"\bTO" + r"DO\b",
    "pragma: no " + "cover",
    "type: ig" + r"nore(?!\[[a-z-]+\]  # )",
)
UNWANTED = re.compile("|".join(ELSEWHERE + UNFINISHED))


def files(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(path.read_text())))


@pytest.mark.parametrize("path", files("services"), ids=name)
def test_sql_stands_in_stores_and_migrations_alone(path: Path) -> None:
    """A statement is a literal in the function of `store` that runs it, or a migration."""
    found = nodes(path)
    docstrings = {id(node.value) for node in found if isinstance(node, ast.Expr)}
    words = [node for node in found if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    sql = [node.lineno for node in words if id(node) not in docstrings and STATEMENT.match(str(node.value))]
    assert path.name in {"store.py", "migrations.py"} or path.parent.name == "store" or not sql


@pytest.mark.parametrize("folder", ["kernel", "games", "settlement", "progressives"])
def test_no_float_is_near_money_or_probability(folder: str) -> None:
    """Neither a float literal nor the name `float` stands where amounts, odds and probabilities are made."""
    found = [(path, node) for path in files(f"services/{folder}") for node in nodes(path)]
    literals = [path for path, node in found if isinstance(node, ast.Constant) and isinstance(node.value, float)]
    names = [path for path, node in found if isinstance(node, ast.Name) and node.id == "float"]
    assert not {name(path) for path in literals + names}


def test_kernel_needs_the_standard_library_alone() -> None:
    """The words import nothing that has to be installed."""
    found = [(path, node) for path in files("services/kernel") for node in nodes(path)]
    named = [(path, each.name) for path, node in found if isinstance(node, ast.Import) for each in node.names]
    named += [(path, str(node.module)) for path, node in found if isinstance(node, ast.ImportFrom)]
    allowed = {*sys.stdlib_module_names, "services"}
    assert not [f"{name(path)}: {module}" for path, module in named if module.split(".")[0] not in allowed]


@pytest.mark.parametrize("path", files("services", "clients", "tests"), ids=name)
def test_files_and_functions_stay_short(path: Path) -> None:
    """A file has at most 400 lines, a function at most 40 without its docstring."""
    lines = path.read_text().count("\n")
    assert lines <= FILE_LINES
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) and len(node.body) > 1 else node.body
            assert (node.end_lineno or 0) - body[0].lineno < FUNCTION_LINES, node.name


def test_each_wager_has_a_test() -> None:
    """The file of a wager and the file of its test come together."""
    wagers = [path for path in files("services/games") if path.parent.name == "wagers"]
    expected = {
        path.relative_to(ROOT / "services").with_name(f"test_{path.name}")
        for path in wagers
        if not path.stem.startswith("_")
    }
    assert not expected - {path.relative_to(ROOT / "tests") for path in files("tests/games")}


def test_nothing_is_unfinished_or_from_elsewhere() -> None:
    """No file that is kept holds a mark of unfinished work, an unexplained exception or a foreign address."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines()
    kept = [ROOT / line for line in listed] or files("services", "clients", "tests")
    text = {path: path.read_text(errors="replace") for path in kept if path.is_file()}
    found = {name(path): match.group() for path, words in text.items() if (match := UNWANTED.search(words))}
    assert not found
