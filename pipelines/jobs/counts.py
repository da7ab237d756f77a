"""What a run counted, and whether it adds up: no record without an outcome, no state but one (spec 6.5)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from pipelines.errors import NotConserved, ParsersDiffer
from pipelines.jobs.staged import joined
from pipelines.tables.ranges import merged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pipelines.jobs.plan import Plan
    from pipelines.jobs.staged import StagedFile


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


def counts_of(parser_version: str, records: int, found: Counter[str]) -> Counts:
    """Of what was found, by the names of the other columns; what was not found is 0."""
    names = (each.name for each in fields(Counts) if each.name not in {"parser_version", "records"})
    return Counts(parser_version, records, **{name: found[name] for name in names})


def counted(staged: Sequence[StagedFile], plan: Plan) -> Counts:
    """What was staged, of each planned record exactly one outcome. Raises NotConserved, ParsersDiffer."""
    if others := {version for file in staged for version in file.versions} - {plan.parser_version}:
        raise ParsersDiffer(
            f"run {plan.run_id} is planned for the parsers {plan.parser_version}, and {', '.join(sorted(others))} "
            "parsed mails of it, too: nothing is published; run the command again"
        )
    found = sum((Counter(file.counts) for file in staged), Counter())
    counts = counts_of(plan.parser_version, plan.records, found)
    _require(
        plan,
        {
            "records = mails, one each": counts.records == counts.mails
            and list(joined(each for file in staged for each in file.ranges)) == merged(plan.ranges),
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
