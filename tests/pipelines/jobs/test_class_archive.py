from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.slow
def test_a_run_over_the_samples_leaves_an_archive_of_spark_and_delta(tmp_path: Path) -> None:
    archive = tmp_path / "session.jsa"
    subprocess.run([sys.executable, "-m", "pipelines.jobs.class_archive", archive], cwd=ROOT, check=True)
    content = archive.read_bytes()
    assert b"org/apache/spark/sql/SparkSession" in content
    assert b"org/apache/spark/sql/delta/OptimisticTransaction" in content
