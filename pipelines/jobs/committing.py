"""The commits of an intent, each table's in one, and the publication that names their versions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipelines.metrics import count_run
from pipelines.tables.commits import commit, require_files
from pipelines.tables.publication import newest, publish
from pipelines.tables.schemas import TABLES

if TYPE_CHECKING:
    from pipelines.jobs.plan import Intent, IntentFile, Plan
    from pipelines.tables.store.interface import Hold, Store


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run did: its plan, its row in the table `runs`, and the publication that shows it."""

    plan: Plan
    row: dict[str, Any]
    publication: int


def commit_all(store: Store, hold: Hold, file: IntentFile, intent: Intent) -> Summary:
    """Make the commits that are written down, publish them, and say so. The caller holds the tables.

    Raises FilesMissing before the first one, JobCutOff, LeaseLost.
    """
    for name, change in intent.changes.items():
        require_files(store, TABLES[name], change)
    plan = intent.plan  # its ranges, which may be many, stand in the run's row
    metadata = {"run_id": plan.run_id, "kind": plan.kind, "group": plan.group, "parser_version": plan.parser_version}
    on = newest(store) if intent.on is None else intent.on
    versions = {
        name: commit(store, TABLES[name], change, metadata, hold, published=on)
        for name, change in intent.changes.items()
    }
    publication = publish(store, plan.run_id, versions, hold, on, topics=plan.topics)
    file.end()
    count_run(plan.kind, "published")
    return Summary(plan, intent.row, publication.number)
