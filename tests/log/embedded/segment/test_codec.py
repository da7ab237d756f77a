from __future__ import annotations

import pytest

from log import Record
from log.embedded.segment import codec
from tests.log.batches import encode

RECORDS = [Record(b"key", b"value %d" % number, (("name", b"header"),)) for number in range(5)]


def test_every_flipped_bit_behind_the_epoch_breaks_the_batch() -> None:
    batch = encode(RECORDS, 100, 1, 0, "none")
    assert codec.is_whole(batch)
    for position in [*range(8, 12), *range(16, len(batch))]:
        damaged = bytearray(batch)
        damaged[position] ^= 1
        assert not codec.is_whole(bytes(damaged)), position


def test_a_stretch_ends_before_a_batch_with_any_flipped_bit_but_those_of_the_epoch() -> None:
    first, second = (encode(RECORDS, base, 1, 0, "none") for base in (100, 105))
    whole = codec.intact_stretch(first + second, 0, 100, 1000, 2**20)
    assert (whole.stop, whole.batches, whole.records, whole.next_offset) == (len(first + second), 2, 10, 110)
    for position in [*range(12), *range(16, len(second))]:
        damaged = bytearray(first + second)
        damaged[len(first) + position] ^= 1
        stretch = codec.intact_stretch(bytes(damaged), 0, 100, 1000, 2**20)
        assert stretch[:4] == (len(first), 1, 5, 105), position


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(encode(RECORDS, 105, 1, 0, "none")[:-1], id="cut"),
        pytest.param(encode(RECORDS, 106, 1, 0, "none"), id="not the next one"),
        pytest.param(encode(RECORDS, 105, 1, 0, "zstd"), id="compressed"),
        pytest.param(encode(RECORDS * 2, 105, 1, 0, "none"), id="not wanted to its end"),
        pytest.param(encode([Record(None, bytes(2**10))], 105, 1, 0, "none"), id="too large"),
        pytest.param(b"\0\0\0\0\0\0\0\x69" + bytes(60), id="no length, and the CRC of nothing"),
    ],
)
def test_a_stretch_ends_before_a_batch_that_is_not_there_or_not_wanted_as_a_whole(second: bytes) -> None:
    first = encode(RECORDS, 100, 1, 0, "none")
    assert codec.intact_stretch(first + second, 0, 100, 112, 2**10).stop == len(first)


def test_keys_and_values_are_never_more_than_a_header_says() -> None:
    batch = encode(RECORDS, 100, 1, 0, "none")
    header = codec.read_header(batch)
    assert header is not None
    kept = sum(len(each.key or b"") + len(each.value or b"") for each in RECORDS)
    assert kept <= header.most_bytes < len(batch) - codec.HEADER.size
    room = codec.intact_stretch(batch, 0, 100, 112, 2**10).room
    assert room == 2**10 - header.most_bytes


@pytest.mark.parametrize("behind", [bytes(100), b"\xff" * 100, encode(RECORDS, 110, 1, 0, "none")])
def test_what_was_read_behind_the_batches_asked_for_is_not_decoded(behind: bytes) -> None:
    data = encode(RECORDS, 100, 1, 0, "none") + encode(RECORDS, 105, 1, 0, "none") + behind
    assert [record.offset for record in codec.decoder(data, 2)()] == list(range(100, 110))


def test_a_stretch_is_split_into_its_batches() -> None:
    batches = [encode(RECORDS, base, 1, 0, "none") for base in (100, 105, 110)]
    found = list(codec.split(b"".join(batches)))
    assert [batch for _, batch in found] == batches
    assert [header.base_offset for header, _ in found] == [100, 105, 110]
    assert [record.offset for record in codec.decoder(b"".join(batches), 3)()] == list(range(100, 115))


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
    assert codec.read_header(damage(encode(RECORDS, 0, 1, 0, "none"))) is None
