"""What came of the mails? The published tables, the last runs, and what was refused of today's mails."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from conf.printable import counted, span
from ops.findings import upgrade_due
from ops.lines import Line, ago, shown, since
from parsers.codes import EXPECTED_CODES
from pipelines.errors import NothingPublished
from pipelines.tables.publication import latest
from pipelines.tables.store.store import store_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import conf

MOST_CODES = 5  # that are named of today


def results(settings: conf.Settings) -> Iterator[Line]:
    """All of it; of tables that cannot be read that alone."""
    for check in (_tables, _runs, _rejects):
        yield from check(settings)


def _tables(settings: conf.Settings) -> Iterator[Line]:
    """The newest publication, and whether this otclog writes to these tables."""
    name = shown(settings.tables.root)
    try:
        publication = latest(store_of(settings.tables))
    except NothingPublished:
        yield Line("tables", name, "ok", "nothing is published yet", {"publication": None})
        return
    age_s = since(datetime.fromisoformat(publication.published_at))
    said = f"publication {publication.number}, {ago(age_s)}, by run {publication.run_id}"
    due = upgrade_due(settings)
    values = {"publication": publication.number, "run_id": publication.run_id, "upgrade_due": due is not None}
    values |= {"published_at": publication.published_at, "age_s": round(age_s, 1)}
    yield Line("tables", name, "fail" if due else "ok", f"{said}; {due}" if due else said, values)


def _runs(settings: conf.Settings) -> Iterator[Line]:
    """The last one of each group's extractions, the last reparse, the last undo."""
    from pipelines.readers.runs import last_runs, took_s  # imports DuckDB, which takes a while

    try:
        found = last_runs(store_of(settings.tables))
    except NothingPublished:
        return
    for row in found:
        worked_s, age_s = took_s(row), since(row["ended_ts"])
        counts = ", ".join(counted(row[name], name.removesuffix("s")) for name in ("mails", "quotes", "rejects"))
        said = f"{row['run_id']}: {counts}, in {span(worked_s)}; ended {ago(age_s)}"
        values = {name: row[name] for name in ("run_id", "kind", "group", "mails", "quotes", "rejects")}
        values |= {"ended_at": row["ended_ts"], "took_s": round(worked_s, 1), "age_s": round(age_s, 1)}
        yield Line("run", row["group"] or row["kind"], "ok", said, values)


def _rejects(settings: conf.Settings) -> Iterator[Line]:
    """Of mails received today, in UTC: how many rows of `rejects`, of which codes, and what needs a look."""
    from pipelines.readers.rejects import refused_on

    day = datetime.now(UTC).date()
    try:
        mails, codes = refused_on(store_of(settings.tables), day)
    except NothingPublished:
        return
    unexpected = sum(number for code, number in codes.items() if code not in EXPECTED_CODES)
    named = ", ".join(f"{code} {number}" for code, number in codes.most_common(MOST_CODES))
    more = f", and {len(codes) - MOST_CODES} other codes" if len(codes) > MOST_CODES else ""
    said = f"{counted(codes.total(), 'reject')} of {counted(mails, 'mail')} received today"
    if codes:
        said += f": {named}{more}; {unexpected} to look at (`otclog rejects --unexpected`)"
    values = {"day": day, "mails": mails, "rejects": codes.total(), "unexpected": unexpected, "codes": dict(codes)}
    yield Line("rejects", str(day), "ok", said, values)
