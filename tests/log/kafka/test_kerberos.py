"""Spark's source at a broker that asks for Kerberos, with a real key distribution centre on loopback."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from conf.settings import KafkaSettings, LogSettings
from log import LogUnusable, Record
from log.kafka import KafkaLog
from pipelines.jobs.spark.source import records
from pipelines.tables.ranges import OffsetRange
from tests.brokers import addresses, cluster, on_kafka

pytestmark = pytest.mark.soak

REALM = "OTCLOG.TEST"
KRB5 = """
[libdefaults]
 default_realm = {realm}
 dns_lookup_realm = false
 dns_lookup_kdc = false
 rdns = false
 udp_preference_limit = 1
[realms]
 {realm} = {{
  kdc = 127.0.0.1:{port}
 }}
"""
KDC = """
[kdcdefaults]
 kdc_listen = 127.0.0.1:{port}
 kdc_tcp_listen = 127.0.0.1:{port}
[realms]
 {realm} = {{
  database_name = {home}/principal
  key_stash_file = {home}/stash
  acl_file = {home}/acl
 }}
"""
MORE = """
sasl.enabled.mechanisms=SCRAM-SHA-512,OAUTHBEARER,GSSAPI
sasl.kerberos.service.name=kafka
listener.name.sasl_ssl.gssapi.sasl.jaas.config=com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true \\
    storeKey=true keyTab="{home}/kafka.keytab" principal="{broker}";
"""


@pytest.fixture
def kdc(tmp_path: Path, needs: Callable[..., str], spawn: Callable[..., subprocess.Popen[Any]]) -> Path:
    """The folder of a realm that is served: krb5.conf, and the keytabs of the broker and of the user `admin`."""
    for program in ("kdb5_util", "kadmin.local"):
        needs(program)
    serve, home = needs("krb5kdc"), tmp_path / "kdc"
    home.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (home / "krb5.conf").write_text(KRB5.format(realm=REALM, port=port))
    (home / "kdc.conf").write_text(KDC.format(realm=REALM, port=port, home=home))
    environ = os.environ | {"KRB5_CONFIG": str(home / "krb5.conf"), "KRB5_KDC_PROFILE": str(home / "kdc.conf")}

    def run(program: str, *words: str) -> None:
        subprocess.run([needs(program), "-r", REALM, *words], env=environ, check=True, capture_output=True)

    run("kdb5_util", "create", "-s", "-P", "of-the-database")
    for principal, keytab in ((broker(), "kafka"), (f"admin@{REALM}", "admin")):
        run("kadmin.local", "-q", f"addprinc -randkey {principal}")
        run("kadmin.local", "-q", f"ktadd -k {home / keytab}.keytab {principal}")
    spawn([serve, "-n", "-r", REALM], env=environ, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            break
        time.sleep(0.1)
    return home


def broker() -> str:
    """What a client asks for, who looks up the name of the address that it is told."""
    return f"kafka/{socket.gethostbyaddr('127.0.0.1')[0]}@{REALM}"


def test_spark_reads_with_a_ticket_and_our_client_says_what_it_lacks(
    spark: SparkSession, kdc: Path, options: LogSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    (kdc / "more").write_text(MORE.format(home=kdc, broker=broker()))
    monkeypatch.setenv("KAFKA_MORE", str(kdc / "more"))
    monkeypatch.setenv("KAFKA_OPTS", f"-Djava.security.krb5.conf={kdc / 'krb5.conf'}")
    jvm: Any = spark.sparkContext._jvm
    jvm.java.lang.System.setProperty("java.security.krb5.conf", str(kdc / "krb5.conf"))
    credentials = kdc / "credentials"
    credentials.write_text(f"principal=admin@{REALM}\nkeytab={kdc / 'admin.keytab'}\n")
    credentials.chmod(0o600)
    with cluster(1, "--secure") as home:
        secure = home / "secure"
        by_password = KafkaSettings(
            bootstrap=addresses(home), security="scram", ca=secure / "ca.pem", credentials=secure / "credentials"
        )
        with closing(KafkaLog(replace(on_kafka(options, home), kafka=by_password))) as log:
            log.create_topic("by-ticket", 1)
            log.append("by-ticket", [Record(b"desk", b"%d" % number) for number in range(5)])
        known = replace(by_password, security="kerberos", credentials=credentials)
        settings = replace(on_kafka(options, home), kafka=known)
        rows = records(spark, settings, [OffsetRange("by-ticket", 0, 1, 4)]).collect()
        assert [bytes(row.value) for row in rows] == [b"1", b"2", b"3"]
        with closing(KafkaLog(settings)) as log, pytest.raises(LogUnusable, match="no Kerberos"):
            log.topics()
