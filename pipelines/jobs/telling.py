"""What a run says while it goes on: its id with every message, and at level `info` the outcome of each mail."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from structlog.contextvars import bound_contextvars

from conf.messages import say_each
from pipelines.jobs.staged import rows_of
from pipelines.tables.schemas import MAILS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipelines.jobs.plan import Plan
    from pipelines.jobs.staged import StagedFile
    from pipelines.tables.store.interface import Store

logger = logging.getLogger(__name__)

_COLUMNS = ("topic", "log_partition", "log_offset", "message_key", "message_id", "state", "code", "quotes")


@contextmanager
def of_run(plan: Plan) -> Iterator[None]:
    """Messages of this thread say meanwhile which run they are of."""
    with bound_contextvars(run=plan.run_id, parser_version=plan.parser_version):
        yield


def tell_outcomes(store: Store, staged: Sequence[StagedFile]) -> None:
    """A message for each mail that was parsed; nothing is read for it unless somebody hears it."""
    if not logger.isEnabledFor(logging.INFO):
        return
    for batch in rows_of(store, [each.name for each in staged], MAILS):
        say_each(logger, (_told(row) for row in batch.select(_COLUMNS).to_pylist()))


def _told(row: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """What became of a mail, and the fields of the message."""
    about = {
        "topic": row["topic"],
        "partition": row["log_partition"],
        "offset": row["log_offset"],
        "sha256": row["message_key"],
        "message_id": row["message_id"],
        "state": row["state"],
        "code": row["code"],
        "quotes": row["quotes"],
    }
    code = f" ({row['code']})" if row["code"] else ""
    where = f"{row['topic']}-{row['log_partition']}, offset {row['log_offset']}"
    return f"{where}: {row['state']}{code}, {row['quotes']} quotes", about
