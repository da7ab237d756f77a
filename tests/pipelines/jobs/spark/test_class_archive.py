from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]


@pytest.mark.slow
def test_a_run_over_the_samples_leaves_an_archive_of_spark_and_delta() -> None:
    """That of `scripts/setup`, which makes another whenever the program that makes it has changed."""
    content = (ROOT / ".jars" / "classes" / "session.jsa").read_bytes()
    assert b"org/apache/spark/sql/SparkSession" in content
    assert b"org/apache/spark/sql/delta/OptimisticTransaction" in content
