from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from log import Record, RecordTooLarge, TopicPartition
from log.embedded.segment import codec, encoding
from tests.log.batches import encode

SOURCE = TopicPartition("mails", 0)
RECORDS = [Record(b"key", b"value %d" % number, (("name", b"header"),)) for number in range(5)]

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
records = st.builds(
    Record,
    key=st.none() | st.binary(max_size=50),
    value=st.none() | st.binary(max_size=500),
    headers=st.lists(st.tuples(texts, st.binary(max_size=50)), max_size=4).map(tuple),
)


@pytest.mark.parametrize("compression", codec.COMPRESSIONS)
def test_a_batch_decodes_to_what_was_encoded(compression: str) -> None:
    batch = encode(RECORDS, 100, 1_764_000_000_000, 3, compression)
    stored = list(codec.decode(batch, SOURCE))
    assert [(each.key, each.value, each.headers) for each in stored] == [(r.key, r.value, r.headers) for r in RECORDS]
    assert [each.offset for each in stored] == [100, 101, 102, 103, 104]
    assert {each.timestamp_ms for each in stored} == {1_764_000_000_000}


@given(st.lists(records, min_size=1, max_size=10), st.integers(0, 2**62))
def test_any_records_survive_the_codec(given_records: list[Record], base: int) -> None:
    batch = encode(given_records, base, 1, 0, "none")
    stored = list(codec.decode(batch, SOURCE))
    assert [(each.key, each.value, each.headers) for each in stored] == [
        (each.key, each.value, each.headers) for each in given_records
    ]


def test_the_header_stands_where_the_drawing_says() -> None:
    batch = encode(RECORDS, 100, 1_764_000_000_000, 3, "zstd")
    assert struct.unpack_from(">qiib", batch) == (100, len(batch) - 12, 3, 2)
    assert struct.unpack_from(">hiqqqhii", batch, 21) == (4 | 8, 4, 1_764_000_000_000, 1_764_000_000_000, -1, -1, -1, 5)
    header = codec.read_header(batch)
    assert header is not None
    assert (header.base_offset, header.last_offset, header.next_offset) == (100, 104, 105)
    assert (header.size, header.leader_epoch, header.records) == (len(batch), 3, 5)


def test_records_are_gathered_in_order_up_to_a_size() -> None:
    sizes = [10, 10, 500, 10, 2000, 10]
    given_records = [Record(None, b"x" * size) for size in sizes]
    starts = [0]
    while starts[-1] < len(sizes):
        starts.append(encoding.Run("none", 1, 1000).fill(given_records, starts[-1]))
    assert starts == [0, 4, 5, 6]


def test_a_record_that_fits_no_batch_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "MAX_RECORD_BYTES", 1000)
    with pytest.raises(RecordTooLarge, match="more than 1000"):
        encoding.Run("none", 1, 100).fill([Record(None, b"x" * 2000)])


def test_keys_and_headers_count_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "MAX_BATCH_BYTES", 1000)
    for record in (Record(b"k" * 1000, b""), Record(None, b"", (("header", b"h" * 1000),))):
        with pytest.raises(RecordTooLarge, match="no reader would take"):
            encode([record], 0, 1, 0, "none")


def test_what_stays_of_a_batch_keeps_its_place() -> None:
    header = codec.read_header(encode(RECORDS, 100, 5, 3, "none", codec.Producer(9, 1, 0)))
    assert header is not None
    stored = list(codec.decode(encode(RECORDS, 100, 5, 3, "none"), SOURCE))
    run = encoding.Run.like(header)
    run.keep(1, stored[1])
    batch = run.build(100, 3, 4)
    kept = codec.read_header(batch)
    assert kept is not None
    assert (kept.next_offset, kept.records, kept.producer) == (105, 1, codec.Producer(9, 1, 0))
    assert [(each.offset, each.value) for each in codec.decode(batch, SOURCE)] == [(101, b"value 1")]


def test_an_emptied_batch_keeps_its_offsets_its_epoch_and_its_producer() -> None:
    header = codec.read_header(encode(RECORDS, 100, 5, 3, "zstd", codec.Producer(9, 1, 0)))
    assert header is not None
    batch = encoding.emptied(header)
    found = codec.read_header(batch)
    assert found is not None
    assert codec.is_whole(batch)
    assert (found.base_offset, found.next_offset, found.leader_epoch, found.records) == (100, 105, 3, 0)
    assert found.producer == codec.Producer(9, 1, 0)
