"""ops.shipping.batch: a private key among the lines of a program, whole or on one line."""

from __future__ import annotations

import json

from ops.shipping.batch import Behind, Speaker, records_of

SPEAKER = Speaker("mx1", "app", "file")
BEGIN, END = b"-----BEGIN PRIVATE KEY-----", b"-----END PRIVATE KEY-----"


def events(*lines: bytes) -> list[str]:
    """What is shipped, taken a line at a time."""
    found: list[str] = []
    behind = Behind()
    for line in lines:
        (record,), behind = records_of([line], SPEAKER, behind)
        found.append(json.loads(record.value or b"")["event"])
    return found


def test_a_key_of_sixteen_thousand_bits_is_masked_to_its_last_line() -> None:
    key = [b"Ab3+" * 16] * 200
    assert events(BEGIN, *key, END, b"said")[1:] == ["***"] * 200 + [END.decode(), "said"]


def test_who_begins_a_key_and_never_ends_it_hides_256_lines_at_most() -> None:
    long = b"Ab3+" * 16
    assert events(BEGIN, *[long] * 257)[1:] == ["***"] * 256 + [long.decode()]


def test_behind_a_key_on_one_line_the_next_ones_are_whole() -> None:
    digest = b"61af783c" * 8
    assert events(BEGIN + b"\\nAb3+\\n" + END, digest)[1:] == [digest.decode()]
