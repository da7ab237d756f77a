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
from log.embedded.codec import COMPRESSIONS

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def dump_log_segments() -> Callable[..., str]:
    """Kafka's DumpLogSegments; its output. Complaints go to the same place."""
    jars = ROOT / ".jars" / "kafka"
    java = shutil.which("java")
    if not java or not jars.is_dir():
        pytest.skip("needs java and Kafka's jars: scripts/setup")
    snappy = next((Path(pyspark.__file__).parent / "jars").glob("snappy-java-*.jar"))

    def run(files: list[Path], *options: str) -> str:
        names = ",".join(str(file) for file in files)
        done = subprocess.run(
            [java, "-cp", f"{jars}/*{os.pathsep}{snappy}", "kafka.tools.DumpLogSegments", *options, "--files", names],
            capture_output=True,
            timeout=120,
            check=False,
        )
        complaints = [line for line in done.stderr.decode().splitlines() if not line.startswith("SLF4J")]
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
