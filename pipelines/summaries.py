"""What a run did, as the commands tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conf.cli import emit

if TYPE_CHECKING:
    from pipelines.jobs.committing import Summary

_COLUMNS = (
    "run_id",
    "records",
    "mails_parsed",
    "mails_parsed_empty",
    "mails_rejected",
    "quotes",
    "rejects",
    "parse_s",
    "write_s",
    "publication",
)


def emit_summary(summary: Summary, *, as_json: bool) -> None:
    """Its row in the table `runs`, and the publication that shows it."""
    emit([summary.row | {"publication": summary.publication}], as_json=as_json, columns=_COLUMNS)
