from __future__ import annotations

from contextlib import suppress

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from log import CorruptRecord, Record, TopicPartition
from log.embedded.segment.codec import COMPRESSIONS, decode, read_header
from log.embedded.segment.columns import FIELDS, HEADERS, Columns
from tests.log.batches import encode

SOURCE = TopicPartition("mails", 3)
EVERYTHING = range(2**40)

RECORDS = st.builds(
    Record,
    st.none() | st.binary(max_size=100),
    st.none() | st.binary(max_size=300),
    st.lists(st.tuples(st.text(max_size=20), st.binary(max_size=200)), max_size=3).map(tuple),
)


def columns(batches: list[bytes], wanted: range = EVERYTHING, *, headers: bool = True) -> pa.RecordBatch:
    found = Columns(SOURCE, wanted, headers=headers)
    for batch in batches:
        header = read_header(batch)
        assert header is not None
        found.add(header, batch)
    return found.take()


@pytest.mark.parametrize("compression", COMPRESSIONS)
@settings(deadline=None)  # the first call loads the codecs
@given(runs=st.lists(st.lists(RECORDS, min_size=1, max_size=5), min_size=1, max_size=4))
def test_the_columns_say_what_the_codec_reads(compression: str, runs: list[list[Record]]) -> None:
    batches = [encode(run, 1000 * at, 1_700_000_000_000 + at, 0, compression) for at, run in enumerate(runs)]
    found = columns(batches)
    stored = [record for batch in batches for record in decode(batch, SOURCE)]
    assert found.schema == pa.schema([*FIELDS, HEADERS])
    assert found.column("key").to_pylist() == [record.key for record in stored]
    assert found.column("value").to_pylist() == [record.value for record in stored]
    assert found.column("offset").to_pylist() == [record.offset for record in stored]
    assert found.column("timestamp").cast(pa.int64()).to_pylist() == [record.timestamp_ms * 1000 for record in stored]
    assert [[tuple(each.values()) for each in headers] for headers in found.column("headers").to_pylist()] == [
        list(record.headers) for record in stored
    ]
    assert set(found.column("topic").to_pylist()) == {"mails"}
    assert set(found.column("partition").to_pylist()) == {3}
    assert set(found.column("timestampType").to_pylist()) == {1}


def test_records_beside_the_wanted_ones_are_left_out() -> None:
    batches = [encode([Record(None, b"%d" % at) for at in range(5)], base, 0, 0, "zstd") for base in (10, 15)]
    found = columns(batches, range(12, 17), headers=False)
    assert found.column("value").to_pylist() == [b"2", b"3", b"4", b"0", b"1"]
    assert "headers" not in found.schema.names


def test_what_was_taken_is_not_given_again() -> None:
    batch = encode([Record(None, b"one")], 0, 0, 0, "none")
    header = read_header(batch)
    assert header is not None
    found = Columns(SOURCE, EVERYTHING, headers=False)
    found.add(header, batch)
    assert found.size_bytes > 0
    assert found.take().num_rows == 1
    assert found.size_bytes == 0


@pytest.mark.parametrize("compression", COMPRESSIONS)
@settings(deadline=None)
@given(data=st.data())
def test_no_damage_behind_the_header_reads_beyond_the_batch(compression: str, data: st.DataObject) -> None:
    batch = bytearray(encode([Record(b"key", b"value" * 9, (("name", b"x"),)) for _ in range(3)], 0, 0, 0, compression))
    for _ in range(data.draw(st.integers(1, 4))):
        batch[data.draw(st.integers(61, len(batch) - 1))] = data.draw(st.integers(0, 255))
    with suppress(CorruptRecord):
        found = columns([bytes(batch)])
        found.validate(full=True)
        assert found.num_rows <= 3


def test_a_batch_that_cannot_be_unpacked_names_its_place() -> None:
    batch = encode([Record(None, b"value" * 99)], 7, 0, 0, "zstd")
    with pytest.raises(CorruptRecord, match=r"mails-3: damaged at offset 7 .its batch cannot be unpacked"):
        columns([batch[:61] + bytes(len(batch) - 61)])


def test_records_that_cannot_be_read_name_their_place() -> None:
    batch = bytearray(encode([Record(None, b"value")], 7, 0, 0, "none"))
    batch[batch.index(b"value") - 1] = 0x7E  # its length: 63
    with pytest.raises(CorruptRecord, match=r"mails-3: damaged at offset 7 .records from here on cannot be read"):
        columns([bytes(batch)])


def test_a_negative_number_of_headers_is_damage() -> None:
    batch = bytearray(encode([Record(None, b"value", (("name", b"x"),))], 7, 0, 0, "none"))
    batch[batch.index(b"value") + 5] = 0x01  # their number: -1
    with pytest.raises(CorruptRecord, match="no such number of headers"):
        columns([bytes(batch)])
