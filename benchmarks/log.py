"""Messages/s of the embedded log beside a real Kafka broker, in one run on one machine.

usage: .venv/bin/python -m benchmarks.log [--runs 5] [--messages 50000] [--folder DIR]

Both get the same messages of 200 bytes, not compressed, one partition, one replica, and flush nothing until the end.
otclog: one `append` a message or a batch, level `written`, while a second process has the log open and appends ten
times a second. Kafka: one broker (KRaft) on loopback, confluent-kafka, acks=1, linger.ms=0, five requests in flight,
one message or 50 a batch; beside that, what it does with its best settings. Consuming: 1,000 messages a fetch, the
length of every value added up; of otclog without making a record object (`Records.values`), and with one for each. The
sides take turns; each figure is the median of all runs, with their spread.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections import defaultdict
from pathlib import Path

from benchmarks import kafka, log_sides
from benchmarks.machine import machine

BATCH = 50
BATCHED = 10  # times as many messages where a call takes many
MARKS = {"append 1": 12, "append 50": 4, "consume 50": 4}
TITLES = {
    "append 1": "append, 1 a batch",
    "append 50": f"append, {BATCH} a batch",
    "append best": "append, 1,000 a batch; Kafka's best settings",
    "consume 50": f"consume, 1,000 a fetch, appended {BATCH} a batch",
    "consume 50 records": "the same, otclog making a record of each",
    "consume 1": "consume, 1,000 a fetch, appended 1 a batch",
}

Rates = dict[tuple[str, str], list[float]]  # by what was done and who did it


def one_run(rates: Rates, address: str, folder: Path, count: int, number: int) -> None:
    """Every figure once, the sides in turn."""
    for name, batch, options in (
        ("1", 1, log_sides.KAFKA_EACH | {"batch.num.messages": 1}),
        ("50", BATCH, log_sides.KAFKA_EACH | {"batch.num.messages": BATCH}),
        ("best", log_sides.FETCH, log_sides.KAFKA_BEST),
    ):
        topic, values = f"benchmark-{name}-{number}", log_sides.messages(count if batch == 1 else count * BATCHED)
        rates[f"append {name}", "Kafka"].append(log_sides.kafka_produce(address, topic, values, options))
        with log_sides.new_log(folder) as log:
            rates[f"append {name}", "otclog"].append(log_sides.otclog_append(log, values, batch))
            if name != "best":
                theirs = log_sides.kafka_consume(address, topic, len(values))
                ours, with_records = (log_sides.otclog_consume(log, len(values), made=made) for made in (False, True))
                rates[f"consume {name}", "Kafka"].append(theirs)
                rates[f"consume {name}", "otclog"].append(ours)
                rates[f"consume {name} records", "Kafka"].append(theirs)
                rates[f"consume {name} records", "otclog"].append(with_records)


def shown(rates: list[float]) -> str:
    """Median and spread."""
    return f"{statistics.median(rates):,.0f} ({min(rates):,.0f} to {max(rates):,.0f})"


def table(rates: Rates) -> str:
    """Markdown."""
    rows = ["| messages/s, median (spread) | otclog | Kafka | ratio | mark |", "|---|---|---|---|---|"]
    for name, title in TITLES.items():
        ours, theirs = rates[name, "otclog"], rates[name, "Kafka"]
        ratio = statistics.median(ours) / statistics.median(theirs)
        mark = f"{MARKS[name]}" if name in MARKS else ""
        rows.append(f"| {title} | {shown(ours)} | {shown(theirs)} | {ratio:.1f} | {mark} |")
    return "\n".join(rows)


def main() -> None:
    """Run, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--messages", type=int, default=50_000, help="one by one; ten times as many in batches")
    parser.add_argument("--folder", type=Path, help="on the disk to be measured; default: for temporary files")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        measured = machine(f"confluent-kafka {log_sides.VERSION}")
        print(f"{measured}; {args.runs} runs of {args.messages} and {BATCHED * args.messages} messages\n", flush=True)
        rates: Rates = defaultdict(list)
        with kafka.broker(Path(folder)) as address:
            for number in range(args.runs):
                one_run(rates, address, Path(folder), args.messages, number)
        print(table(rates), flush=True)


if __name__ == "__main__":
    main()
