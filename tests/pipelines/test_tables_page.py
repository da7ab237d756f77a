"""docs/tables.md: every column as the tables have it, and examples that run."""

from __future__ import annotations

import re
import runpy
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyspark.sql.types import StructField

from pipelines.tables.schemas import TABLES, Table
from pipelines.tables.schemas.events import EVENTS

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home

PAGE = (Path(__file__).parents[2] / "docs" / "tables.md").read_text("utf-8")


def line(column: StructField) -> str:
    meaning = column.metadata["comment"].replace("<", r"\<")
    return (
        f"| `{column.name}` | `{column.dataType.simpleString()}` | {'yes' if column.nullable else 'no'} | {meaning} |"
    )


@pytest.mark.parametrize("table", [*TABLES.values(), EVENTS], ids=[*TABLES, EVENTS.name])
def test_the_page_has_every_column_of_a_table_with_type_and_meaning(table: Table) -> None:
    section = PAGE.partition(f"\n### {table.name}\n")[2].partition("\n### ")[0]
    assert [row for row in section.splitlines() if row.startswith("|")][2:] == list(map(line, table.schema))


@pytest.mark.slow
def test_the_examples_run_in_a_home_and_read_the_published_rows(
    extracted: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tables").symlink_to(extracted.tables)
    (tmp_path / "otclog.toml").write_text("[log]\n")
    example = tmp_path / "example.py"
    example.write_text("".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)), "utf-8")
    monkeypatch.chdir(tmp_path)
    done = runpy.run_path(str(example))
    quotes = extracted.rows("quotes")
    assert sorted(done["frame"].record_id) == sorted(row["record_id"] for row in quotes)
    assert all(isinstance(bid, Decimal) for bid in done["frame"].bid.dropna())
    assert str(done["frame"].quote_ts.dt.tz) == "UTC"
    assert sum(row[1] for row in done["widest"].fetchall()) == sum(row["quote_type"] == "price_pct" for row in quotes)
    assert done["rejects"].count() == len(extracted.rows("rejects"))
    assert "PASSWORD_PROTECTED" in capsys.readouterr().out
