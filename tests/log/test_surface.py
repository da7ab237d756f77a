from __future__ import annotations

import dataclasses
import subprocess
import sys
import types

import pytest

import log
from conf.settings import LogSettings
from log.embedded import EmbeddedLog


def test_all_that_is_public_is_named() -> None:
    public = {
        name
        for name, value in vars(log).items()
        if not name.startswith("_") and not isinstance(value, types.ModuleType) and name != "annotations"
    }
    assert public == set(log.__all__)


def test_importing_it_loads_no_engine() -> None:
    code = (
        "import log, sys; print([m for m in ('aiokafka', 'confluent_kafka', 'pyspark', 'pyarrow') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_error_is_of_one_tree_and_says_whether_to_try_again() -> None:
    errors = {name: getattr(log, name) for name in log.__all__ if isinstance(getattr(log, name), type)}
    errors = {name: error for name, error in errors.items() if issubclass(error, Exception)}
    assert all(issubclass(error, log.LogError) for error in errors.values())
    retriable = {name for name, error in errors.items() if error.retriable}
    assert retriable == {
        "ClaimUnavailable",
        "DiskFull",
        "LogUnreachable",
        "NotEnoughReplicas",
        "OutOfResources",
        "PartitionBusy",
        "ReplicaFailed",
    }


def test_the_settings_open_the_backend_they_name(options: LogSettings) -> None:
    opened = log.open_log(options)
    assert isinstance(opened, EmbeddedLog)
    opened.close()


def test_an_unknown_backend_is_refused(options: LogSettings) -> None:
    unknown = dataclasses.replace(options, backend="paper")  # type: ignore[arg-type]
    with pytest.raises(log.LogUnusable, match="backend 'paper' is not known"):
        log.open_log(unknown)
