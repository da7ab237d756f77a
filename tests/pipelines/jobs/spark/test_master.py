from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import conf
from conf.settings import KafkaSettings
from pipelines.errors import SparkUnusable
from pipelines.jobs.spark.master import check_master, is_local, masters
from pipelines.jobs.spark.pack import digest_file
from pipelines.jobs.spark.session import _config


def on_cluster(**changes: Any) -> conf.Settings:
    """What a cluster can do the jobs of."""
    settings = conf.defaults()
    spark: dict[str, Any] = {"master": "spark://m1.desk:7077", "host": "d1.desk", "pack": Path("/srv/otclog.tar.gz")}
    return replace(
        settings,
        log=replace(
            settings.log, backend="kafka", claims=("s3://desk/claims",), kafka=KafkaSettings(bootstrap="k1:9092")
        ),
        tables=replace(settings.tables, root="s3://desk/tables"),
        spark=replace(settings.spark, **spark | changes),
    )


@pytest.mark.parametrize("master", ["local", "local[2]", "local[*]", "local[*,4]"])
def test_every_local_master_is_taken_with_any_log_and_tables(master: str) -> None:
    for settings in (conf.defaults(), on_cluster(pack=None)):
        spark = replace(settings.spark, master=master)
        check_master(replace(settings, spark=spark))
        assert is_local(spark)


@pytest.mark.parametrize("master", ["spark://m1:7077", "spark://m1:7077,m2:7077", "yarn", "k8s://https://api:6443"])
def test_a_cluster_is_taken_with_brokers_a_bucket_and_a_pack(master: str) -> None:
    settings = on_cluster(master=master)
    check_master(settings)
    assert not is_local(settings.spark)


@pytest.mark.parametrize("master", ["spark://", "mesos://m1:5050", "local-cluster[2,1,1024]", "local[", "local[x]", ""])
def test_a_master_that_is_none_is_refused_with_those_there_are(master: str) -> None:
    with pytest.raises(SparkUnusable, match=r"\[spark\] master is .*local\[\*\].*spark://HOST:7077.*yarn.*k8s"):
        check_master(on_cluster(master=master))


def test_on_a_cluster_each_thing_that_lies_on_this_machine_is_refused_by_name() -> None:
    settings = replace(conf.defaults(), spark=on_cluster(pack=None, host="127.0.0.1").spark)
    with pytest.raises(SparkUnusable) as refused:
        check_master(settings)
    wanted = ('[log] backend = "kafka"', "[tables] root = s3://", "scripts/pack", "[spark] host")
    assert all(each in str(refused.value) for each in wanted), refused.value


def test_large_mails_in_a_folder_are_refused_but_not_in_one_that_is_said_to_be_everywhere() -> None:
    settings = on_cluster()
    with pytest.raises(SparkUnusable, match=r"large mails .*\[log\] claims = s3.*file:///FOLDER"):
        check_master(replace(settings, log=replace(settings.log, claims=(Path("/srv/claims"),))))
    check_master(replace(settings, log=replace(settings.log, claims=("file:///mnt/claims",))))


def test_a_driver_on_loopback_is_for_a_master_on_loopback() -> None:
    check_master(on_cluster(master="spark://127.0.0.1:7077", host="127.0.0.1"))
    for master in ("spark://m1.desk:7077", "spark://127.0.0.1:7077,m2.desk:7077", "yarn"):
        with pytest.raises(SparkUnusable, match=r"could not reach this driver at 127\.0\.0\.1"):
            check_master(on_cluster(master=master, host="127.0.0.1"))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("spark.master", "own to set"),
        ("spark.executor.memory", "own to set"),
        ("spark.authenticate.secret", "own to set"),
        ("spark.network.crypto.enabled", "own to set"),
        ("spark.ui.enabled", "own to set"),
        ("fs.s3a.endpoint", "own to set"),
        ("spark.hadoop.fs.s3a.secret.key", "may be a secret"),
        ("spark.executorEnv.AWS_SESSION_TOKEN", "may be a secret"),
    ],
)
def test_what_is_passed_to_spark_may_neither_undo_what_we_set_nor_show_a_secret(name: str, why: str) -> None:
    for settings in (conf.defaults(), on_cluster()):
        with pytest.raises(SparkUnusable, match=rf"\[spark\] conf: {name} .*{why}"):
            check_master(replace(settings, spark=replace(settings.spark, conf={name: "x"})))


def test_nothing_that_a_session_sets_may_be_passed(tmp_path: Path) -> None:
    pack = tmp_path / "otclog.tar.gz"
    pack.write_bytes(b"")
    digest_file(pack).write_text(hashlib.sha256(b"").hexdigest())
    settings = on_cluster(pack=pack)
    for name in _config(settings, []):
        with pytest.raises(SparkUnusable, match="own to set"):
            check_master(replace(settings, spark=replace(settings.spark, conf={name: "x"})))


def test_what_else_is_passed_to_spark_is_taken() -> None:
    passed = {
        "spark.executor.memoryOverhead": "1g",
        "spark.kerberos.keytab": "/etc/otclog.keytab",
        "spark.kubernetes.authenticate.oauthTokenFile": "/run/token",
        "spark.kubernetes.container.image": "desk/spark:4.2.0",
    }
    check_master(on_cluster(conf=passed))


def test_where_standalone_masters_listen_is_in_the_masters_name() -> None:
    assert masters(on_cluster(master="spark://m1:7077,m2:7078").spark) == [("m1", 7077), ("m2", 7078)]
    assert masters(on_cluster(master="yarn").spark) == []
