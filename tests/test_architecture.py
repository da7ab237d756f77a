"""docs/architecture.md: which room may import which."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS: dict[str, set[str]] = {
    "log": set(),
    "ingest": {"log", "conf"},
    "parsers": set(),
    "pipelines": {"log", "parsers", "conf"},
    "ops": {"log", "ingest", "parsers", "pipelines", "conf"},
    "conf": set(),
}


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_command(path: Path) -> bool:
    """Commands read the settings, in any room."""
    return path.name == "cli.py" or path == ROOT / "log" / "command.py"


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_the_rooms_it_may(room: str) -> None:
    modules = sorted((ROOT / room).rglob("*.py"))
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in modules
        for name in imports_of(path)
        if (other := name.partition(".")[0]) in ROOMS
        and other != room
        and other not in ROOMS[room] | ({"conf"} if is_command(path) else set())
    ]
    assert modules
    assert wrong == []


def test_no_module_imports_itself_by_way_of_others_not_even_for_its_types() -> None:
    paths = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
    }
    imported = {
        module: {name if name in paths else name.rpartition(".")[0] for name in imports_of(path)} & paths.keys()
        for module, path in paths.items()
    }
    TopologicalSorter(imported).prepare()  # raises CycleError, which names the circle


INNER = (
    "log/embedded",
    "ingest",
    "parsers/mail",
    "parsers/documents",
    "parsers/quotes/runs",
    "parsers/quotes/tables",
    "pipelines",
)
BEHIND = ("log/embedded", "log/kafka")
KNOWING = {
    "log/__init__.py",
    "log/cli.py",
    "log/replicas/cli.py",
    "log/verify/cli.py",
}  # open a log, or are of its files


def test_a_folder_holds_at_most_twenty_modules() -> None:
    folders = {path.parent for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    crowded = {
        str(folder.relative_to(ROOT))
        for folder in folders
        if len([path for path in folder.glob("*.py") if path.name != "__init__.py"]) > 20
    }
    assert crowded == set()


@pytest.mark.parametrize("room", INNER)
def test_the_imports_of_inner_rooms_go_one_way(room: str) -> None:
    package = room.replace("/", ".")
    paths = sorted((ROOT / room).rglob("*.py"))
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths}

    def inner(module: str) -> str:
        """The inner room of a module, or the module itself where it stands in none."""
        within = module.removeprefix(f"{package}.")
        return within.partition(".")[0] if "." in within else module

    imported: dict[str, set[str]] = {}
    for module, path in modules.items():
        names = {name if name in modules else name.rpartition(".")[0] for name in imports_of(path)} & modules.keys()
        imported.setdefault(inner(module), set()).update({inner(name) for name in names} - {inner(module)})
    assert len({place for place in imported if "." not in place}) > 0
    TopologicalSorter(imported).prepare()  # raises CycleError, which names the circle


@pytest.mark.parametrize("room", ROOMS)
def test_the_architecture_page_says_what_the_test_checks(room: str) -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    row = next(line for line in page.splitlines() if line.startswith(f"| `{room}/`"))
    assert set(re.findall(r"`(\w+)`", row.rsplit("|", 2)[1])) == ROOMS[room]


def test_the_architecture_page_names_every_exception() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    exceptions = page.partition("`otclog.py` mounts")[2].partition("| room | inner rooms |")[0]
    named = {each.rstrip("/") for each in re.findall(r"`([\w./]+/[\w./]*)`", exceptions)}
    assert named - {"tests/test_architecture.py", "log", "embedded", "kafka"} == KNOWING | {"log/command.py"}


@pytest.mark.parametrize("folder", ["tables", "runs"])
def test_the_modules_on_the_way_of_a_quote_are_those_that_there_are(folder: str) -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    way = page.partition(f", in `{folder}/`;")[2].partition("\n\nA line")[0].partition("\n\nBefore")[0]
    there = {path.stem for path in (ROOT / "parsers" / "quotes" / folder).rglob("*.py")} - {"__init__"}
    named = set(re.findall(r"`(\w+)`", way))
    assert named
    assert named - there == set()
    section = page.partition("## The way of a quote")[2].partition("\n## ")[0]
    assert there - set(re.findall(rf"`(?:{folder}/)?(\w+)`", section)) == set()


def test_the_readers_of_tables_know_nothing_of_those_of_lines_which_hand_typed_tables_to_them() -> None:
    tables = sorted((ROOT / "parsers" / "quotes" / "tables").rglob("*.py"))
    assert tables
    assert [str(path) for path in tables if any(".quotes.runs" in name for name in imports_of(path))] == []


def test_the_lexer_knows_no_class_and_nothing_else_of_quotes() -> None:
    lexer = sorted((ROOT / "parsers" / "quotes" / "lexer").glob("*.py"))
    names = {name for path in lexer for name in imports_of(path) if name.startswith("parsers.quotes.")}
    assert names
    assert [name for name in sorted(names) if not name.startswith("parsers.quotes.lexer")] == []


def test_functions_over_the_log_know_nothing_of_what_is_behind_it() -> None:
    over = [path for path in (ROOT / "log").rglob("*.py") if not str(path.relative_to(ROOT)).startswith(BEHIND)]
    behind = tuple(each.replace("/", ".") for each in BEHIND)
    knowing = {path for path in over if any(name.startswith(behind) for name in imports_of(path))}
    assert {str(path.relative_to(ROOT)) for path in knowing} == KNOWING


ONE_SURFACE = Path(
    "parsers", "quotes"
)  # of all its inner rooms: cases of desks, gold, dealers and `explain` speak to it


def test_every_room_has_tests() -> None:
    """They speak to its surface: which of its modules does what may change."""
    tested = {
        path.parent.relative_to(ROOT / "tests") for path in (ROOT / "tests").rglob("test_*.py") if has_tests(path)
    }
    missing = {
        str(path.parent.relative_to(ROOT))
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        if path.name != "__init__.py"
        and has_behaviour(path)
        and surface_of(path.parent.relative_to(ROOT)) not in tested
    }
    assert sorted(missing) == []


def surface_of(folder: Path) -> Path:
    """The room whose tests are a folder's own."""
    return ONE_SURFACE if folder.is_relative_to(ONE_SURFACE) else folder


def has_tests(path: Path) -> bool:
    return bool(re.search(r"^(?:async )?def test_", path.read_text("utf-8"), re.MULTILINE))


def has_behaviour(path: Path) -> bool:
    """Value types and closed lists alone need no test of their own."""
    return any(
        isinstance(node, ast.FunctionDef) and node.body and not is_stub(node)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
    )


def is_stub(node: ast.FunctionDef) -> bool:
    body = [step for step in node.body if not (isinstance(step, ast.Expr) and isinstance(step.value, ast.Constant))]
    return not body


def test_the_command_starts_without_spark_or_the_document_engines() -> None:
    code = "import otclog, sys; print([m for m in ('pyspark', 'pypdfium2', 'pdfminer', 'openpyxl', 'aiokafka') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
