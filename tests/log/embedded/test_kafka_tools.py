"""Kafka's own tools read our files."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pyspark
import pytest

from conf.settings import LogSettings
from log import Record, TopicConfig, TopicPartition
from log.embedded import EmbeddedLog
from log.embedded.producers import register
from log.embedded.replicas.archiving import archive_after
from log.embedded.segment.codec import COMPRESSIONS
from log.embedded.segment.comparing import SegmentPosition

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def dump_log_segments() -> Callable[..., str]:
    """Kafka's DumpLogSegments; its output. It may complain of gaps alone, and where they are expected: compaction.

    That of 4.3 calls it a gap that a segment does not begin at offset 0, of Kafka's own files, too.
    """
    jars = ROOT / ".jars" / "kafka"
    java = shutil.which("java")
    if not java or not jars.is_dir():
        pytest.skip("needs java and Kafka's jars: scripts/setup")
    snappy = next((Path(pyspark.__file__).parent / "jars").glob("snappy-java-*.jar"))

    def run(files: list[Path], *options: str, gaps: bool = False) -> str:
        names = ",".join(str(file) for file in files)
        done = subprocess.run(
            [
                java,
                "-cp",
                f"{jars}/*{os.pathsep}{snappy}",
                "org.apache.kafka.tools.DumpLogSegments",
                *options,
                "--files",
                names,
            ],
            capture_output=True,
            timeout=120,
            check=False,
        )
        told = re.sub(r"^ *-1 is followed by \d+\n", "", done.stderr.decode(), flags=re.MULTILINE)
        told = re.sub(r"^Non-consecutive offsets in .*\n(?! )", "", told, flags=re.MULTILINE)
        complaints = [line for line in told.splitlines() if not line.startswith("SLF4J")]
        if gaps:
            complaints = [
                line for line in complaints if not re.match(r"Non-consecutive offsets in|\s*\d+ is followed by", line)
            ]
        assert (done.returncode, complaints) == (0, [])
        return done.stdout.decode("utf-8", "replace")

    return run


@pytest.fixture
def folder(open_embedded: Callable[..., EmbeddedLog], options: LogSettings) -> Path:
    """A replica with a topic for each compression, some segments each, and a group's commits."""
    log = open_embedded(segment_bytes=60_000)
    for name in COMPRESSIONS:
        log.create_topic(name, 1, TopicConfig(compression=name))
        for number in range(0, 60, 2):
            values = [os.urandom(1500), b"plain text " * 50]
            log.append(name, [Record(b"%d" % (number + more), values[more], (("a", b"b"),)) for more in (0, 1)])
        log.append(name, [Record(b"tombstone", None), Record(None, b"no key")])
        log.commit("extract", {TopicPartition(name, 0): 10})
    log.close()
    return options.replicas[1]


def test_every_record_is_read_with_its_key_offset_and_append_time(
    folder: Path, dump_log_segments: Callable[..., str]
) -> None:
    output = dump_log_segments(sorted(folder.rglob("*.log")), "--deep-iteration", "--print-data-log")
    records = [line for line in output.splitlines() if line.startswith("| offset: ")]
    assert len(records) == len(COMPRESSIONS) * 62 + len(COMPRESSIONS)
    for name, number in COMPRESSIONS.items():
        part = output.split(f"/{name}-0/{0:020d}.log\n")[1].split(f"/{name}-0/")[0]
        offsets = [int(offset) for offset in re.findall(r"^\| offset: (\d+) LogAppendTime: \d+ ", part, re.MULTILINE)]
        assert offsets[:20] == list(range(20)), number
        assert f"compresscodec: {name} " in part
    assert 'key: {"group":"extract","partition":0,"topic":"zstd"} payload: {"committed_at_ms":' in output
    assert "isvalid: false" not in output


def test_the_indexes_are_found_sane(folder: Path, dump_log_segments: Callable[..., str]) -> None:
    indexes = sorted(folder.rglob("*.index")) + sorted(folder.rglob("*.timeindex"))
    filled = [path for path in indexes if path.stat().st_size]
    assert len({path.parent for path in filled}) == len(COMPRESSIONS)
    output = dump_log_segments(filled, "--index-sanity-check")
    assert output.count("passed sanity check.") == len(filled)
    verified = dump_log_segments(filled, "--verify-index-only")
    assert [line for line in verified.splitlines() if not line.startswith("Dumping ")] == []


@pytest.mark.slow
@pytest.mark.parametrize("compression", ["zstd", "none"])
def test_what_compaction_deletion_and_repair_leave_is_read_too(
    open_embedded: Callable[..., EmbeddedLog],
    options: LogSettings,
    dump_log_segments: Callable[..., str],
    compression: str,
) -> None:
    """Keys compacted to some batches and empty ones between, of a producer; deleted segments; a replica copied anew."""
    log = open_embedded(segment_bytes=9000)
    keys = TopicPartition("keys", 0)
    log.create_topic("keys", 1, TopicConfig(cleanup="compact", compression=compression, tombstone_s=0))
    producer = register(log, "writer")
    for number in range(60):
        value = None if number % 7 == 3 else os.urandom(1500)
        put = [Record(b"%d" % (number * more % 5), value) for more in (1, 2)]
        log.append("keys", put, producer=producer if number % 2 else None)
    log.create_topic("mails", 1, TopicConfig(compression=compression))
    log.append("mails", [Record(b"key", os.urandom(1500)) for _ in range(40)])
    log.append("mails", [Record(b"key", b"the last")])
    log.delete_records(TopicPartition("mails", 0), 41)
    shutil.rmtree(options.replicas[1])
    log.append("keys", [Record(b"last", b"value")])
    log.append("mails", [Record(b"key", b"value")])
    done = [each.action for each in log.tend() if each.ok]
    assert {"compact", "rejoin"} <= set(done)
    offsets = [record.offset for record in log.read(keys, 0, 2**30)]
    assert len(offsets) < 40
    log.close()
    nothing = options.root / "nothing"
    nothing.mkdir()
    for replica in options.replicas[:2]:
        aside = archive_after(replica / "mails-0", SegmentPosition(0, 0, 0), 0, nothing)
        assert aside is not None
        segments = sorted(replica.rglob("*.log"))
        output = dump_log_segments(segments, "--deep-iteration", "--print-data-log", gaps=True)
        parts = re.split(r"^Dumping .*?([^/]+)-0/(?:[^/]*/)?\d{20}\.log$", output, flags=re.MULTILINE)[1:]
        shown = [part for topic, part in zip(parts[::2], parts[1::2], strict=True) if topic == "keys"]
        assert [
            int(offset) for part in shown for offset in re.findall(r"^\| offset: (\d+) ", part, re.MULTILINE)
        ] == offsets
        assert "isvalid: false" not in output
        assert output.count("Dumping ") == len(segments)
    indexes = [path for suffix in ("index", "timeindex") for path in options.replicas[1].rglob(f"*.{suffix}")]
    filled = [path for path in indexes if path.stat().st_size]
    assert "mails-0" in {path.parent.name for path in filled}
    assert dump_log_segments(filled, "--index-sanity-check").count("passed sanity check.") == len(filled)
