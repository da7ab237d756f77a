"""A driver in a process of its own, for tests: each line it is told is a round, in which it does one run, without Spark.

`python -m tests.pipelines.faults.driver ROOT CREDENTIALS LENGTH_S`; a line is `ROUND STEP PARSERS`: the run is of the
mails of that round, by `today's` parsers or by `others'`, and stops itself once at STEP, or `never`. It
answers with what that ended by: LeaseLost, JobCutOff, …, done.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
from deltalake import DeltaTable

import pipelines.tables.store.bucket
from parsers.codes import Code, MailState, PartState
from parsers.outcome import MailOutcome, PartOutcome, Reject
from parsers.taught import Taught
from pipelines.errors import PipelineError
from pipelines.jobs.counts import counted
from pipelines.jobs.made import Made
from pipelines.jobs.outcome_batch import outcome_batch
from pipelines.jobs.plan import NAME, IntentFile, Plan, new_plan
from pipelines.jobs.run import commit_made
from pipelines.jobs.staged import rows_of, stage
from pipelines.jobs.staging import staging_folder
from pipelines.tables.datafiles import write
from pipelines.tables.ranges import OffsetRange
from pipelines.tables.schemas import OUTCOMES
from pipelines.tables.store.bucket import Bucket
from pipelines.tables.store.interface import Store
from pipelines.tables.store.lease import leased
from pipelines.tables.store.store import open_store
from tests.pipelines.jobs.small_runs import no_spark

MAILS = 5  # a round
DAY = datetime(2026, 11, 24, 9, tzinfo=UTC)
TAUGHT = Taught.load(None)
Step = tuple[type, str, Callable[..., bool]]  # whose method, and of which arguments
STEPS: dict[str, Step] = {
    "before it is written down": (Bucket, "put_new", lambda *given: given[1] == NAME),
    "before it is written down again": (Bucket, "swap", lambda *given: given[1] == NAME),
    "before the first commit": (DeltaTable, "create_write_transaction", lambda *_: True),
    "before a later commit": (DeltaTable, "create_write_transaction", lambda table, *_: "rejects" in table.table_uri),
    "before it is published": (Bucket, "put_new", lambda *given: given[1].startswith("_published/")),
    "before it is over": (IntentFile, "end", lambda *_: True),
}


def outcome(version: str) -> MailOutcome:
    return MailOutcome(
        message_key="a" * 64,
        message_id="1@bank.example",
        state=MailState.parsed_empty,
        size_bytes=1234,
        parser_version=version,
        parts=(PartOutcome(part_path="1", state=PartState.parsed, content_type="text/plain", quotes=0),),
        rejects=(Reject(level="row", code=Code.ROW_NO_PRICE, part_path="1", locator="line 8", raw_text="no bid"),),
    )


def planned(number: int, parsers: str) -> Plan:
    """The run of a round."""
    plan = new_plan("reparse", None, [OffsetRange("mails", 0, number * MAILS, (number + 1) * MAILS)], TAUGHT)
    return plan if parsers == "today's" else replace(plan, parser_version="9.9.9+0.0")


def made(store: Store, plan: Plan, staging: str) -> Made:
    """As tasks write it."""
    (each,) = plan.ranges
    positions = [
        pa.array(["mails"] * MAILS),
        pa.array([0] * MAILS, pa.int32()),
        pa.array(range(each.start, each.stop), pa.int64()),
        pa.array([DAY] * MAILS, pa.timestamp("us", "UTC")),
    ]
    batch = outcome_batch(positions, [outcome(plan.parser_version)] * MAILS)
    staged = stage([batch], store, f"{staging}/0/0.parquet")
    assert staged is not None
    files = {table.name: write(rows_of(store, [staged.name], table), store, table, plan.run_id) for table in OUTCOMES}
    return Made(files, counted([staged], plan), "0" * 64, datetime.now(UTC), 0.0, 0.0)


def stopped_before(step: Step) -> Callable[[], None]:
    """Let this process stop itself once before that step; call what is returned to let it not."""
    owner, name, chosen = step
    function = getattr(owner, name)
    waits = [True]

    def stopped(*arguments: Any, **options: Any) -> Any:
        if waits and chosen(*arguments):
            waits.clear()
            os.kill(os.getpid(), signal.SIGSTOP)
        return function(*arguments, **options)

    setattr(owner, name, stopped)
    return lambda: setattr(owner, name, function)


def tried(store: Store, number: int, parsers: str) -> str:
    plan = planned(number, parsers)
    try:
        with staging_folder(store, plan.run_id) as staging:
            commit_made(no_spark, store, plan, made(store, plan, staging), {})
    except PipelineError as error:
        return type(error).__name__
    return "done"


def round_of(store: Store, number: int, step: str, parsers: str) -> str:
    if step == "never":
        while (befell := tried(store, number, parsers)) in {"TableBusy", "LeaseLost", "JobCutOff"}:
            pass
        return befell
    undo = stopped_before(STEPS[step])
    try:
        return tried(store, number, parsers)  # once: who tries again replaces what he has left
    finally:
        undo()


def main(root: str, credentials: str, length_s: str) -> None:
    setattr(pipelines.tables.store.bucket, "leased", partial(leased, length_s=float(length_s)))  # noqa: B010
    store = open_store(root, Path(credentials) if credentials else None)
    for line in sys.stdin:
        number, step, parsers = line.rstrip("\n").split("\t")
        print(json.dumps(round_of(store, int(number), step, parsers)), flush=True)  # noqa: T201  the test reads it


if __name__ == "__main__":
    main(*sys.argv[1:])
