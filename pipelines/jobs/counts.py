"""What a run counted, and whether it adds up: no record without an outcome, no state but one (spec 6.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import duckdb

from pipelines.errors import NotConserved, ParsersDiffer

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pipelines.jobs.plan import Plan


@dataclass(frozen=True, slots=True)
class Counts:
    """Columns of the table `runs`, which says what each means."""

    parser_version: str  # what all workers parsed with
    records: int
    mails: int
    mails_parsed: int
    mails_parsed_empty: int
    mails_rejected: int
    parts: int
    parts_parsed: int
    parts_skipped: int
    parts_rejected: int
    quotes: int
    rejects: int


_IN_STAGED = {
    "mails": "count(*)",
    "mails_parsed": "count(*) FILTER (mail.state = 'parsed')",
    "mails_parsed_empty": "count(*) FILTER (mail.state = 'parsed_empty')",
    "mails_rejected": "count(*) FILTER (mail.state = 'rejected')",
    "parts": "sum(len(parts))",
    "parts_parsed": "sum(len(list_filter(parts, lambda part: part.state = 'parsed')))",
    "parts_skipped": "sum(len(list_filter(parts, lambda part: part.state = 'skipped')))",
    "parts_rejected": "sum(len(list_filter(parts, lambda part: part.state = 'rejected')))",
    "quotes": "sum(len(quotes))",
    "rejects": "sum(len(rejects))",
}


def counted(staging: Path, plan: Plan) -> Counts:
    """Count what was staged. Raises NotConserved where it does not add up, and ParsersDiffer."""
    with duckdb.connect() as connection:
        staged = connection.read_parquet(f"{staging}/*.parquet")
        ((versions, *sums),) = staged.aggregate(
            ", ".join(["list_sort(list(DISTINCT parser_version))", *_IN_STAGED.values()])
        ).fetchall()
    if others := set(versions or ()) - {plan.parser_version}:
        raise ParsersDiffer(
            f"run {plan.run_id} is planned for the parsers {plan.parser_version}, and {', '.join(sorted(others))} "
            "parsed mails of it, too: nothing is published; run the command again"
        )
    found = {name: int(count or 0) for name, count in zip(_IN_STAGED, sums, strict=True)}
    counts = Counts(parser_version=plan.parser_version, records=plan.records, **found)
    _require(
        plan,
        {
            "records = mails": counts.records == counts.mails,
            "mails = parsed + parsed_empty + rejected": counts.mails
            == counts.mails_parsed + counts.mails_parsed_empty + counts.mails_rejected,
            "parts = parsed + skipped + rejected": counts.parts
            == counts.parts_parsed + counts.parts_skipped + counts.parts_rejected,
        },
        counts,
    )
    return counts


def check_written(plan: Plan, counts: Counts, written: Mapping[str, int]) -> None:
    """The tables took what was staged. `written`: table -> rows. Raises NotConserved."""
    _require(plan, {f"rows in {table}": getattr(counts, table) == rows for table, rows in written.items()}, written)


def _require(plan: Plan, rules: Mapping[str, bool], seen: object) -> None:
    broken = [rule for rule, holds in rules.items() if not holds]
    if broken:
        ranges = ", ".join(map(str, plan.ranges[:5]))
        raise NotConserved(f"run {plan.run_id} over {ranges} does not add up ({'; '.join(broken)}): {seen}")
