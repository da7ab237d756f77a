from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from log import Record, RecordTooLarge, TopicPartition
from log.embedded import codec

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
    batch = codec.encode(RECORDS, 100, 1_764_000_000_000, 3, compression)
    stored = list(codec.decode(batch, SOURCE))
    assert [(each.key, each.value, each.headers) for each in stored] == [(r.key, r.value, r.headers) for r in RECORDS]
    assert [each.offset for each in stored] == [100, 101, 102, 103, 104]
    assert {each.timestamp_ms for each in stored} == {1_764_000_000_000}


@given(st.lists(records, min_size=1, max_size=10), st.integers(0, 2**62))
def test_any_records_survive_the_codec(given_records: list[Record], base: int) -> None:
    batch = codec.encode(given_records, base, 1, 0, "none")
    stored = list(codec.decode(batch, SOURCE))
    assert [(each.key, each.value, each.headers) for each in stored] == [
        (each.key, each.value, each.headers) for each in given_records
    ]


def test_the_header_stands_where_the_drawing_says() -> None:
    batch = codec.encode(RECORDS, 100, 1_764_000_000_000, 3, "zstd")
    assert struct.unpack_from(">qiib", batch) == (100, len(batch) - 12, 3, 2)
    assert struct.unpack_from(">hiqqqhii", batch, 21) == (4 | 8, 4, 1_764_000_000_000, 1_764_000_000_000, -1, -1, -1, 5)
    header = codec.read_header(batch)
    assert header is not None
    assert (header.base_offset, header.last_offset, header.next_offset) == (100, 104, 105)
    assert (header.size, header.leader_epoch, header.records) == (len(batch), 3, 5)


def test_every_flipped_bit_behind_the_epoch_breaks_the_batch() -> None:
    batch = codec.encode(RECORDS, 100, 1, 0, "none")
    assert codec.is_whole(batch)
    for position in [*range(8, 12), *range(16, len(batch))]:
        damaged = bytearray(batch)
        damaged[position] ^= 1
        assert not codec.is_whole(bytes(damaged)), position


def test_a_stretch_ends_before_a_batch_with_any_flipped_bit_but_those_of_the_epoch() -> None:
    first, second = (codec.encode(RECORDS, base, 1, 0, "none") for base in (100, 105))
    whole = codec.intact_stretch(first + second, 0, 100, 1000, 2**20)
    assert (whole.stop, whole.records, whole.next_offset) == (len(first + second), 10, 110)
    for position in [*range(12), *range(16, len(second))]:
        damaged = bytearray(first + second)
        damaged[len(first) + position] ^= 1
        stretch = codec.intact_stretch(bytes(damaged), 0, 100, 1000, 2**20)
        assert (stretch.stop, stretch.records, stretch.next_offset) == (len(first), 5, 105), position


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(codec.encode(RECORDS, 105, 1, 0, "none")[:-1], id="cut"),
        pytest.param(codec.encode(RECORDS, 106, 1, 0, "none"), id="not the next one"),
        pytest.param(codec.encode(RECORDS, 105, 1, 0, "zstd"), id="compressed"),
        pytest.param(codec.encode(RECORDS * 2, 105, 1, 0, "none"), id="not wanted to its end"),
        pytest.param(codec.encode([Record(None, bytes(2**10))], 105, 1, 0, "none"), id="too large"),
        pytest.param(b"\0\0\0\0\0\0\0\x69" + bytes(60), id="no length, and the CRC of nothing"),
    ],
)
def test_a_stretch_ends_before_a_batch_that_is_not_there_or_not_wanted_as_a_whole(second: bytes) -> None:
    first = codec.encode(RECORDS, 100, 1, 0, "none")
    assert codec.intact_stretch(first + second, 0, 100, 112, 2**10).stop == len(first)


def test_keys_and_values_are_never_more_than_a_header_says() -> None:
    batch = codec.encode(RECORDS, 100, 1, 0, "none")
    header = codec.read_header(batch)
    assert header is not None
    kept = sum(len(each.key or b"") + len(each.value or b"") for each in RECORDS)
    assert kept <= header.most_bytes < len(batch) - codec.HEADER.size
    room = codec.intact_stretch(batch, 0, 100, 112, 2**10).room
    assert room == 2**10 - header.most_bytes


def test_a_stretch_is_split_into_its_batches() -> None:
    batches = [codec.encode(RECORDS, base, 1, 0, "none") for base in (100, 105, 110)]
    found = list(codec.split(b"".join(batches)))
    assert [batch for _, batch in found] == batches
    assert [header.base_offset for header, _ in found] == [100, 105, 110]
    assert [record.offset for record in codec.decoder(b"".join(batches))()] == list(range(100, 115))


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda b: b[:60], id="cut in the header"),
        pytest.param(lambda b: b[:8] + b"\x7f\xff\xff\xff" + b[12:], id="a length that must not be allocated"),
        pytest.param(lambda b: b[:8] + b"\xff\xff\xff\xff" + b[12:], id="a negative length"),
        pytest.param(lambda b: b[:8] + b"\0\0\0\0" + b[12:], id="no length"),
        pytest.param(lambda b: b[:16] + b"\1" + b[17:], id="another magic"),
        pytest.param(lambda b: bytes(len(b)), id="zeros"),
    ],
)
def test_what_cannot_be_a_header_is_none(damage: object) -> None:
    assert callable(damage)
    assert codec.read_header(damage(codec.encode(RECORDS, 0, 1, 0, "none"))) is None


def test_records_are_gathered_in_order_up_to_a_size() -> None:
    sizes = [10, 10, 500, 10, 2000, 10]
    given_records = [Record(None, b"x" * size) for size in sizes]
    starts = [0]
    while starts[-1] < len(sizes):
        starts.append(codec.Run("none", 1, 1000).fill(given_records, starts[-1]))
    assert starts == [0, 4, 5, 6]


def test_a_record_that_fits_no_batch_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "MAX_RECORD_BYTES", 1000)
    with pytest.raises(RecordTooLarge, match="more than 1000"):
        codec.Run("none", 1, 100).fill([Record(None, b"x" * 2000)])


def test_keys_and_headers_count_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "MAX_BATCH_BYTES", 1000)
    for record in (Record(b"k" * 1000, b""), Record(None, b"", (("header", b"h" * 1000),))):
        with pytest.raises(RecordTooLarge, match="no reader would take"):
            codec.encode([record], 0, 1, 0, "none")
