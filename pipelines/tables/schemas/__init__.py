"""The Delta tables, column by column: the contract of everybody who reads them."""

from __future__ import annotations

from pipelines.tables.schemas.mails import MAILS, PARTS, REJECTS
from pipelines.tables.schemas.quotes import QUOTES
from pipelines.tables.schemas.runs import RUNS
from pipelines.tables.schemas.table import POSITION, Table

TABLES: dict[str, Table] = {table.name: table for table in (QUOTES, MAILS, PARTS, REJECTS, RUNS)}
OUTCOMES = (QUOTES, MAILS, PARTS, REJECTS)  # whose rows are of mails

__all__ = ["MAILS", "OUTCOMES", "PARTS", "POSITION", "QUOTES", "REJECTS", "RUNS", "TABLES", "Table"]
