from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path

import deltalake
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conf.settings import ConfigError
from pipelines.errors import Changed, NotStored, PipelineError, StoreUnreachable, StoreUnusable
from pipelines.tables.store.bucket import Bucket
from pipelines.tables.store.interface import Store
from tests.pipelines.proxy import EXPIRED, Proxy, troubled
from tests.pipelines.stores import ROOT, Server

SEED = int(os.environ.get("TEST_SEED", random.randrange(2**32)))
Behind = Callable[[float], Bucket]


@pytest.mark.slow
@pytest.mark.parametrize("lost", [1, 7], ids=["once", "by each try of one call of obstore"])
def test_a_put_whose_answer_was_lost_is_known_by_its_content(behind: Behind, proxy: Proxy, lost: int) -> None:
    store = behind(30)
    proxy.plan = repeat("lost", lost)
    first = store.put_new("_published/1.json", b"run 1")
    assert store.tagged("_published/1.json") == (b"run 1", first)
    proxy.plan = repeat("lost", lost)
    second = store.swap("_published/1.json", b"run 2", first)
    assert store.tagged("_published/1.json") == (b"run 2", second)
    assert proxy.met["lost"] == 2 * lost


def test_a_put_whose_answer_was_lost_does_not_take_what_another_one_put_for_its_own(
    behind: Behind, proxy: Proxy, bucket: Store
) -> None:
    store = behind(30)
    tag = bucket.put_new("name", b"another's")
    proxy.plan = iter(["lost"])
    with pytest.raises(FileExistsError):
        store.put_new("name", b"mine")
    now = bucket.swap("name", b"another's again", tag)
    proxy.plan = iter(["cut", "lost"])
    with pytest.raises(Changed):
        store.swap("name", b"mine", tag)
    assert bucket.tagged("name") == (b"another's again", now)


@pytest.mark.slow
def test_all_verbs_do_the_same_on_a_line_in_trouble_as_on_a_good_one(behind: Behind, proxy: Proxy) -> None:
    store, there, turns = behind(60), dict[str, bytes](), random.Random(SEED)
    proxy.plan = troubled(SEED, 0.3)
    for step in range(60):
        name, data = f"folder/{turns.randrange(6)}", b"step %d" % step
        verb = turns.choice(["put", "put_new", "swap", "get", "size", "delete", "list"])
        if verb == "put":
            store.put(name, data)
            there[name] = data
        elif verb == "put_new" and name in there:
            with pytest.raises(FileExistsError):
                store.put_new(name, data)
        elif verb == "put_new":
            store.put_new(name, data)
            there[name] = data
        elif verb == "delete":
            store.delete([name])
            there.pop(name, None)
        elif verb == "list":
            assert {each.name for each in store.list("folder")} == set(there), (SEED, step)
        elif name not in there:
            with pytest.raises(NotStored):
                store.tagged(name)
        elif verb == "swap":
            store.swap(name, data, store.tagged(name)[1])
            there[name] = data
        else:
            assert (store.get(name), store.size(name)) == (there[name], len(there[name])), (SEED, step)
    assert {each.name: store.get(each.name) for each in store.list()} == there, SEED


def test_of_eight_writers_on_a_line_in_trouble_one_gets_the_name(behind: Behind, proxy: Proxy) -> None:
    store = behind(60)
    proxy.plan = troubled(SEED, 0.3)

    def won(writer: int) -> bool:
        try:
            store.put_new("name", b"writer %d" % writer)
        except FileExistsError:
            return False
        return True

    with ThreadPoolExecutor(8) as writers:
        took = list(writers.map(won, range(8)))
    assert took.count(True) == 1, SEED
    assert store.get("name") == b"writer %d" % took.index(True)


def test_a_parquet_file_goes_over_a_line_in_trouble(behind: Behind, proxy: Proxy) -> None:
    store = behind(60)
    noise = memoryview(random.Random(SEED).randbytes(20_000_000)).cast("q")
    table = pa.table({"noise": pa.array(noise, pa.int64())})
    proxy.plan = troubled(SEED, 0.25)
    with store.open_write("large.parquet") as file:  # three parts
        pq.write_table(table, file, compression="none", use_dictionary=False)
    assert store.size("large.parquet") == file.size > 2 * 8 * 2**20
    assert pq.read_table(store.open_read("large.parquet")).equals(table), SEED


@pytest.mark.slow
@pytest.mark.parametrize("trouble", ["cut", "lost", "500"])
@pytest.mark.parametrize("step", [r"POST .*\?uploads", r"PUT .*partNumber=2", r"POST .*\?uploadId="])
def test_each_step_of_an_upload_may_fail(behind: Behind, proxy: Proxy, step: str, trouble: str) -> None:
    store = behind(30)
    proxy.only, proxy.plan = step, repeat(trouble, 7)  # more often than one call of obstore tries it
    with store.open_write("large") as file:
        file.write(b"x" * 9 * 2**20)
    assert store.size("large") == 9 * 2**20
    assert proxy.met[trouble] == 7


@pytest.mark.slow
def test_a_store_that_does_not_answer_is_named_when_the_patience_is_over(behind: Behind, proxy: Proxy) -> None:
    store = behind(0.5)
    proxy.plan = repeat("cut")
    for call in verbs(store):
        with pytest.raises(StoreUnreachable, match=f"no answer from 127.0.0.1:{proxy.port}") as caught:
            call()
        assert caught.value.retriable
        assert "\n" not in str(caught.value)
    proxy.plan = repeat("503")
    with pytest.raises(StoreUnreachable, match=r"cannot serve now \(SlowDown\); try again"):
        store.put("a", b"")


def verbs(store: Store) -> list[Callable[[], object]]:
    def write() -> None:
        with store.open_write("a") as file:
            file.write(b"1")

    return [
        lambda: store.get("a"),
        lambda: store.put("a", b"1"),
        lambda: store.put_new("a", b"1"),
        lambda: store.swap("a", b"1", store.tagged("a")[1]),
        lambda: list(store.list()),
        lambda: store.delete(["a"]),
        lambda: store.size("a"),
        lambda: store.open_read("a"),
        write,
    ]


REFUSED = {
    "no such bucket": ({}, "there is no such bucket"),
    "wrong key": ({"AWS_ACCESS_KEY_ID": "nobody"}, "does not know the access key|refuses the credentials"),
    "wrong secret": ({"AWS_SECRET_ACCESS_KEY": "wrong-secret"}, "the signature is wrong|refuses the credentials"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_every_verb_tells_in_one_line_why_a_store_refuses(s3: Server, tmp_path: Path, case: str) -> None:
    changes, said = REFUSED[case]
    file = s3.with_credentials(tmp_path / "credentials", **changes)
    store = Bucket("s3://none/tables" if case == "no such bucket" else "s3://otclog/tables", file)
    for call in verbs(store):
        with pytest.raises(StoreUnusable, match=said) as caught:
            call()
        told_safely(caught.value, file)
        assert str(caught.value).startswith("s3://")


def test_an_expired_token_is_told_in_one_line_without_the_token(behind: Behind, proxy: Proxy, tmp_path: Path) -> None:
    proxy.plan = repeat(EXPIRED)
    for call in verbs(behind(5)):
        with pytest.raises(StoreUnusable, match="the session token has expired: get new credentials") as caught:
            call()
        told_safely(caught.value, tmp_path / "credentials.proxy")


def test_a_store_nobody_listens_for_is_told_by_its_address(s3: Server, tmp_path: Path) -> None:
    file = s3.with_credentials(tmp_path / "credentials", AWS_ENDPOINT_URL="http://127.0.0.1:1")
    with pytest.raises(StoreUnreachable, match=r"no answer from 127\.0\.0\.1:1: is it running") as caught:
        Bucket("s3://otclog/tables", file, 0.5).get("a")
    told_safely(caught.value, file)


def test_a_machine_without_credentials_is_told_how_to_give_them(s3: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{s3.address}")
    monkeypatch.setenv("AWS_METADATA_ENDPOINT", "http://127.0.0.1:1")
    with pytest.raises(
        StoreUnusable, match=r"there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    ):
        Bucket("s3://otclog/tables", None, 0.5).get("a")


def test_an_unknown_name_among_the_credentials_is_told_without_its_value(tmp_path: Path) -> None:
    file = tmp_path / "credentials"
    file.touch(0o600)
    file.write_text("AWS_SECRET_KEY_OF_MINE=top-secret\n")
    with pytest.raises(StoreUnusable, match="aws_secret_key_of_mine") as caught:
        Bucket("s3://otclog/tables", file)
    told_safely(caught.value, file)


def told_safely(error: PipelineError, credentials: Path) -> None:
    """In one line, without a secret, and so is what a traceback would show."""
    assert "\n" not in str(error)
    assert error.__suppress_context__
    assert error.__cause__ is None
    secrets = [line.split("=", 1)[1] for line in credentials.read_text().splitlines() if "SECRET" in line]
    assert not any(secret in str(error) for secret in [*secrets, "top-secret"])


def test_neither_its_text_nor_its_pickle_holds_a_secret(s3: Server) -> None:
    store = Bucket("s3://otclog/tables/", s3.credentials)
    secret = store.storage_options()["AWS_SECRET_ACCESS_KEY"]
    assert repr(store) == str(store) == "Bucket('s3://otclog/tables')"
    assert secret.encode() not in pickle.dumps(store)
    assert len(secret) == 40


def test_keys_may_come_from_the_environment(s3: Server, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for line in s3.credentials.read_text().splitlines():
        monkeypatch.setenv(*line.split("=", 1))
    monkeypatch.setenv("AWS_CONDITIONAL_PUT", "disabled")  # held nobody from overwriting a commit
    monkeypatch.setenv("AWS_ALLOW_HTTP", "false")
    store = Bucket(url, None)
    store.put_new("a", b"1")
    assert Bucket(url, s3.credentials).get("a") == b"1"
    deltalake.DeltaTable.create(store.uri("t"), pa.schema([("a", pa.int64())]), storage_options=store.storage_options())


@pytest.mark.parametrize("name", ["AWS_ENDPOINT_URL", "AWS_ENDPOINT"])
def test_an_endpoint_of_the_file_comes_before_one_of_the_environment_under_whatever_name(
    s3: Server, url: str, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "http://127.0.0.1:9")
    store = Bucket(url, s3.credentials, patience_s=0.0)
    store.put("name", b"x")
    deltalake.write_deltalake(store.uri("t"), pa.table({"a": [1]}), storage_options=store.storage_options())
    assert {each.name.partition("/")[0] for each in store.list()} == {"name", "t"}


def test_an_endpoint_of_the_environment_that_nothing_comes_before_is_refused_beside_another_of_the_file(
    s3: Server, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", f"http://{s3.address}")
    assert list(Bucket(url, s3.credentials).list()) == []
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:9")
    with pytest.raises(
        ConfigError, match=r"AWS_ENDPOINT_URL_S3 is set, and would come before AWS_ENDPOINT_URL of .*unset"
    ):
        Bucket(url, s3.credentials)


def test_delta_rs_finds_the_table_and_writes_only_with_conditions(bucket: Store) -> None:
    where, options = bucket.uri("quotes"), bucket.storage_options()
    deltalake.write_deltalake(where, pa.table({"a": [1, 2]}), storage_options=options)
    read = deltalake.DeltaTable(where, storage_options=options).to_pyarrow_dataset().to_table()
    assert read.to_pydict() == {"a": [1, 2]}
    assert bucket.size("quotes/_delta_log/00000000000000000000.json") > 0
    assert options["AWS_S3_ALLOW_UNSAFE_RENAME"] == "false"


WRITE = r"""
import re, sys
from pathlib import Path
from pipelines.tables.store.bucket import Bucket
store, piece = Bucket(sys.argv[1], Path(sys.argv[2])), b"x" * 2**20
with store.open_write("large") as file:
    for _ in range(160):
        file.write(piece)
peak = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1]
print(peak, store.size("large"))
"""


@pytest.mark.slow
def test_a_file_larger_than_the_memory_is_written(s3: Server, url: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WRITE, url, str(s3.credentials)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    peak, size = (int(word) for word in done.stdout.split())
    assert size == 160 * 2**20
    assert peak < 160 * 2**10  # kB: modules 80 MB, parts of 8 MiB


FORK = """
import os, signal, sys
from pathlib import Path
from pipelines.tables.store.bucket import Bucket
def opened():
    return Bucket(sys.argv[1], Path(sys.argv[2]))
if sys.argv[3] == "before":
    store = opened()
    store.put("a", b"1")
if os.fork():
    os.wait()
else:
    signal.alarm(60)
    def written():
        with store.open_write("b") as file:
            file.write(b"1")
    for use in (opened, lambda: store.get("a"), written):
        try:
            print(type(use()).__name__, flush=True)
        except (RuntimeError, NameError) as error:
            print(error, flush=True)
"""


def test_a_process_that_was_forked_after_a_bucket_was_opened_is_told_so_and_does_not_hang(s3: Server, url: str) -> None:
    def said(when: str) -> list[str]:
        command = [sys.executable, "-c", FORK, url, str(s3.credentials), when]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()

    assert said("before") == ["this process was forked from one that had opened a bucket: it must be spawned"] * 3
    assert said("after")[0] == "Bucket"
