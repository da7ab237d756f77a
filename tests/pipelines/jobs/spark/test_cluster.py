"""What needs no cluster; the rest is in tests/whole/test_cluster.py."""

from __future__ import annotations

import hashlib
import os
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pyspark import SparkConf

from pipelines.errors import ClusterSilent, SparkUnusable
from pipelines.jobs.spark.cluster import SECRET, cluster_config, connect, secret_in_environment
from pipelines.jobs.spark.pack import digest_file, shipped_pack
from tests.pipelines.jobs.spark.test_master import on_cluster


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """As scripts/pack leaves it, but for what is in it."""
    file = tmp_path / "otclog.tar.gz"
    file.write_bytes(b"packed")
    digest_file(file).write_text(f"{hashlib.sha256(b'packed').hexdigest()}  {file.name}\n")
    return file


def test_what_spark_is_told_authenticates_encrypts_and_holds_no_secret(pack: Path) -> None:
    told = cluster_config(on_cluster(pack=pack, executors=3, executor_cores=2), [Path("kafka-clients-4.jar")])
    assert told["spark.authenticate"] == told["spark.network.crypto.enabled"] == told["spark.speculation"] == "true"
    assert told["spark.authenticate.secret"] == "in the environment"
    assert told["spark.cores.max"] == told["spark.default.parallelism"] == "6"
    assert told["spark.jars"] == "kafka-clients-4.jar"


def test_a_session_knows_the_pack_that_it_has_sent_whatever_lies_there_since(pack: Path) -> None:
    def session(told: dict[str, str]) -> Any:
        config = SparkConf(loadDefaults=False).setAll(list(told.items()))
        return SimpleNamespace(sparkContext=SimpleNamespace(getConf=lambda: config))

    sent = session(cluster_config(on_cluster(pack=pack), []))
    digest_file(pack).unlink()
    pack.write_bytes(b"packed again")
    assert shipped_pack(sent) == hashlib.sha256(b"packed").hexdigest()
    assert shipped_pack(session({})) is None


def test_the_address_of_tokens_is_told_to_the_executors_java_too(pack: Path, tmp_path: Path) -> None:
    secrets = tmp_path / "secrets"
    secrets.touch(0o600)
    secrets.write_text("client_id=otclog\nclient_secret=hush\ntoken_endpoint=https://login.desk/token\n")
    settings = on_cluster(pack=pack)
    kafka = replace(settings.log.kafka, security="oauth", credentials=secrets)
    told = cluster_config(replace(settings, log=replace(settings.log, kafka=kafka)), [])
    assert "allowed.urls=https://login.desk/token" in told["spark.executor.extraJavaOptions"]
    assert "hush" not in str(told)


def test_the_secret_is_in_the_environment_only_while_a_jvm_is_started(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.touch(0o600)
    file.write_text("hush\n")
    environ: dict[str, str] = {}
    with secret_in_environment(on_cluster(secret=file).spark, environ):
        assert environ == {SECRET: "hush"}
    assert environ == {}
    environ = {SECRET: "of the machine"}
    with secret_in_environment(on_cluster().spark, environ):
        assert environ == {SECRET: "of the machine"}
    assert environ == {SECRET: "of the machine"}


def test_the_secret_is_that_of_the_very_file_whose_mode_was_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, others = tmp_path / "secret", tmp_path / "others"
    file.touch(0o600)
    file.write_text("hush\n")
    others.write_text("known to all\n")
    own = Path.stat

    def replaced(path: Path, **options: Any) -> os.stat_result:
        found = own(path, **options)
        if path == file:
            others.replace(file)
        return found

    monkeypatch.setattr(Path, "stat", replaced)
    environ: dict[str, str] = {}
    with secret_in_environment(on_cluster(secret=file).spark, environ):
        assert environ == {SECRET: "hush"}


@pytest.mark.parametrize(
    ("mode", "content", "told"),
    [
        (None, "", "no such file|No such file"),
        (0o644, "hush", "open to others .*: chmod 600"),
        (0o600, "\n", "is empty"),
    ],
)
def test_a_secret_that_is_missing_or_open_to_others_is_refused_and_not_shown(
    tmp_path: Path, mode: int | None, content: str, told: str
) -> None:
    file = tmp_path / "secret"
    if mode is not None:
        file.write_text(content)
        file.chmod(mode)
    with (
        pytest.raises(SparkUnusable, match=rf"\[spark\] secret: .*({told})") as refused,
        secret_in_environment(on_cluster(secret=file).spark, {}),
    ):
        pass
    assert "hush" not in str(refused.value)


def test_without_any_secret_the_message_says_where_it_belongs() -> None:
    with (
        pytest.raises(SparkUnusable, match=f"name a file.*or set {SECRET}"),
        secret_in_environment(on_cluster().spark, {}),
    ):
        pass


def test_a_master_that_does_not_listen_is_told_at_once_and_one_of_several_is_enough() -> None:
    with socket.create_server(("127.0.0.1", 0)) as up, socket.create_server(("127.0.0.1", 0)) as other:
        gone, there = other.getsockname()[1], up.getsockname()[1]
        other.close()
        connect(on_cluster(master=f"spark://127.0.0.1:{gone},127.0.0.1:{there}").spark)
        with pytest.raises(ClusterSilent, match=f"no answer from spark://127.0.0.1:{gone} .*does it run"):
            connect(on_cluster(master=f"spark://127.0.0.1:{gone}").spark)
    connect(on_cluster(master="yarn").spark)  # there is nobody to ask


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda pack: pack.write_bytes(b"pack"), id="cut off"),
        pytest.param(lambda pack: digest_file(pack).write_text("0" * 64), id="another's digest"),
        pytest.param(lambda pack: digest_file(pack).unlink(), id="no digest"),
        pytest.param(lambda pack: pack.unlink(), id="no pack"),
    ],
)
def test_a_pack_that_is_not_whole_is_told_before_anything_starts(pack: Path, damage: Callable[[Path], object]) -> None:
    assert cluster_config(on_cluster(pack=pack), [])
    damage(pack)
    with pytest.raises(SparkUnusable, match=r"\[spark\] pack: .*make it again by scripts/pack"):
        cluster_config(on_cluster(pack=pack), [])
