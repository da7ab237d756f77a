"""The promise of `interface.Store`, of each kind of store."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipelines.errors import Changed, NotStored, PipelineError, TablesDamaged
from pipelines.tables.store.interface import Store

ODD = "quotes/received_day=2026-01-01/a b+c%20é#1.parquet"


def test_what_was_put_is_there_and_a_later_put_takes_its_place(store: Store) -> None:
    store.put("a/b.json", b"one")
    assert store.get("a/b.json") == b"one"
    store.put("a/b.json", b"")
    assert store.get("a/b.json") == b""
    assert store.size("a/b.json") == 0


def test_what_is_not_there_is_told_as_such_and_as_damage_where_nobody_asks(store: Store) -> None:
    for ask in (store.get, store.tagged, store.size, store.open_read):
        with pytest.raises(FileNotFoundError, match=r"none\.json is not there") as caught:
            ask("none.json")
        assert isinstance(caught.value, TablesDamaged)


def test_a_name_is_taken_once_and_an_equal_content_is_the_same_callers(store: Store) -> None:
    tag = store.put_new("_published/1.json", b"run 1")
    assert store.tagged("_published/1.json") == (b"run 1", tag)
    with pytest.raises(FileExistsError):
        store.put_new("_published/1.json", b"run 2")
    assert store.put_new("_published/1.json", b"run 1") == tag
    assert store.get("_published/1.json") == b"run 1"


def test_a_content_is_swapped_only_for_the_one_that_was_seen(store: Store) -> None:
    first = store.put_new("lease", b"1")
    second = store.swap("lease", b"2", first)
    with pytest.raises(Changed):
        store.swap("lease", b"3", first)
    with pytest.raises(Changed):
        store.swap("none", b"3", first)
    assert store.tagged("lease") == (b"2", second)
    assert store.swap("lease", b"2", first) == second  # an answer that was lost
    assert [each.name for each in store.list()] == ["lease"]


@pytest.mark.slow
def test_of_eight_writers_at_once_one_gets_the_name_and_one_the_swap(store: Store) -> None:
    def won(call: Callable[[], object]) -> bool:
        try:
            call()
        except (FileExistsError, Changed):
            return False
        return True

    with ThreadPoolExecutor(8) as writers:
        for turn in range(3):
            name, contents = f"turn-{turn}", [b"%d of %d" % (writer, turn) for writer in range(8)]
            took = list(writers.map(won, [partial(store.put_new, name, data) for data in contents]))
            assert took.count(True) == 1
            seen, tag = store.tagged(name)
            assert seen == contents[took.index(True)]
            after = [b"then " + data for data in contents]
            swapped = list(writers.map(won, [partial(store.swap, name, data, tag) for data in after]))
            assert swapped.count(True) == 1
            assert store.get(name) == after[swapped.index(True)]


@pytest.mark.slow
def test_a_counter_that_eight_writers_swap_misses_no_step(store: Store) -> None:
    store.put_new("counter", b"0 -")

    def step(writer: int) -> None:
        while True:
            data, tag = store.tagged("counter")
            try:
                store.swap("counter", b"%d %d" % (int(data.split()[0]) + 1, writer), tag)
            except Changed:
                continue
            return

    with ThreadPoolExecutor(8) as writers:
        list(writers.map(step, range(16)))
    assert store.get("counter").split()[0] == b"16"


def test_a_listing_has_names_sizes_and_times_of_a_folder_and_those_in_it(store: Store) -> None:
    for name in ("_published/1.json", "quotes/_delta_log/0.json", "quotes/day=1/x.parquet", "quotes2/y.parquet", ODD):
        store.put(name, name.encode())
    found = {each.name: each for each in store.list("quotes")}
    assert set(found) == {"quotes/_delta_log/0.json", "quotes/day=1/x.parquet", ODD}
    assert set(store.names("quotes")) == set(found)
    assert all(each.size == len(name.encode()) for name, each in found.items())
    assert all(abs(each.written_at - datetime.now(UTC)) < timedelta(minutes=5) for each in found.values())
    assert len(list(store.list())) == 5
    assert list(store.list("none")) == []
    assert list(store.names("none")) == []
    assert store.get(ODD) == ODD.encode()


def test_more_names_than_a_page_holds_are_listed_and_deleted(store: Store) -> None:
    names = {f"many/{number}" for number in range(1005)}
    with ThreadPoolExecutor(8) as writers:
        list(writers.map(lambda name: store.put(name, b"x"), names))
    assert {each.name for each in store.list("many")} == names
    store.delete(names - {"many/7"})
    assert [each.name for each in store.list()] == ["many/7"]


def test_names_that_are_not_there_are_deleted_without_a_word(store: Store) -> None:
    store.put("a/1", b"")
    store.delete(["a/0", "a/1", "b/2"])
    store.delete([])
    assert list(store.list()) == []


def test_a_name_leads_nowhere_out_of_the_root(store: Store) -> None:
    with pytest.raises((ValueError, PipelineError)):
        store.put("../outside", b"")


def test_a_parquet_file_is_written_and_read_in_ranges(store: Store) -> None:
    table = pa.table({"log_offset": range(200_000), "text": [f"line {number}" for number in range(200_000)]})
    with store.open_write(ODD) as file, pq.ParquetWriter(file, table.schema) as writer:
        for batch in table.to_batches(50_000):
            writer.write_batch(batch)
    assert store.size(ODD) == file.size
    with pq.ParquetFile(store.open_read(ODD)) as read:
        assert read.num_row_groups == 4
        assert read.read_row_group(2).equals(table.slice(100_000, 50_000))
        assert read.read().equals(table)


@pytest.mark.parametrize("written", [0, 10, 20 * 2**20])
def test_a_file_is_not_there_before_its_writer_is_done_nor_after_one_that_failed(store: Store, written: int) -> None:
    piece = b"x" * 2**20
    with store.open_write("whole") as file:
        for start in range(0, written, len(piece)):
            file.write(piece[: written - start])
        assert list(store.list()) == []
    assert store.size("whole") == file.size == written
    with suppress(KeyError), store.open_write("failed") as file:
        for start in range(0, written, len(piece)):
            file.write(piece[: written - start])
        file.close()
        raise KeyError
    assert [each.name for each in store.list()] == ["whole"]
    with pytest.raises(NotStored):
        store.size("failed")


def test_a_store_is_handed_to_another_process(store: Store) -> None:
    store.put("a", b"1")
    copied: Store = pickle.loads(pickle.dumps(store))
    assert copied.get("a") == b"1"
    assert copied.uri("quotes") == store.uri("quotes")
