"""What runs came to, and what they read, counted by the process that drives them."""

from __future__ import annotations

from collections import Counter as Counts
from typing import TYPE_CHECKING, Literal

from prometheus_client import Counter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CODE = "code_"  # begins the name of a count of rejects by code

_RUNS = Counter("otclog_runs_total", "Runs by kind, and how they ended: published, or failed.", ["kind", "state"])
_MAILS = Counter("otclog_parsed_mails_total", "Mails that runs read, by their state.", ["kind", "state"])
_PARTS = Counter("otclog_parsed_parts_total", "Parts of mails that runs read, by their state.", ["kind", "state"])
_QUOTES = Counter("otclog_parsed_quotes_total", "Quotes that runs found.", ["kind"])
_REJECTS = Counter("otclog_parsed_rejects_total", "What runs refused, by code.", ["kind", "code"])
_SECONDS = Counter("otclog_parse_seconds_total", "Seconds of the clock that parsing took runs.", ["kind"])


def count_run(kind: str, state: Literal["published", "failed"]) -> None:
    """Count a run of this kind that has ended so."""
    _RUNS.labels(kind, state).inc()


def count_parsed(kind: str, counts: Iterable[Mapping[str, int]], seconds: float) -> None:
    """Count mails that were parsed in so many seconds; `counts` are those of the files where they are staged."""
    found = sum(map(Counts, counts), Counts())
    for name, number in found.items():
        thing, _, of = name.partition("_")
        if name.startswith(CODE):
            _REJECTS.labels(kind, of).inc(number)
        elif of:
            (_MAILS if thing == "mails" else _PARTS).labels(kind, of).inc(number)
    _QUOTES.labels(kind).inc(found["quotes"])
    _SECONDS.labels(kind).inc(seconds)
