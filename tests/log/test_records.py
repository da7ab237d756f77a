"""log/records.py: what a read found."""

from __future__ import annotations

from functools import partial

from log import Record, StoredRecord, TopicPartition
from log.embedded.segment import codec
from log.records import Records
from tests.log.batches import encode

SOURCE = TopicPartition("mails", 3)
GIVEN = [Record(b"k%d" % number, b"v%d" % number, (("h", b"%d" % number),)) for number in range(5)]
STORED = [
    StoredRecord(SOURCE, 7 + number, 1000, record.key, record.value, record.headers)
    for number, record in enumerate(GIVEN)
]


def found() -> Records:
    first, second = encode(GIVEN[:3], 7, 1000, 0, "none"), encode(GIVEN[3:], 10, 1000, 0, "zstd")
    some = [record for record in codec.decoder(second)() if record.offset < 12]
    return Records(SOURCE, [codec.decoder(first), partial(iter, some)], 5, 12)


def test_records_are_made_as_they_were_stored() -> None:
    assert found() == STORED
    assert list(found()) == STORED
    assert repr(found()) == repr(STORED)
    assert found() != STORED[1:]


def test_a_record_is_found_by_its_place() -> None:
    assert (found()[0], found()[-1], found()[1:3]) == (STORED[0], STORED[-1], STORED[1:3])


def test_values_can_be_had_without_the_records_and_again() -> None:
    records = found()
    assert records.values() == records.values() == [record.value for record in GIVEN]


def test_their_number_and_where_to_read_on_are_known_without_decoding() -> None:
    records = Records(SOURCE, [], 5, 12)
    assert (len(records), records.next_offset, bool(records)) == (5, 12, True)
    assert not Records(SOURCE, [], 0, 7)
