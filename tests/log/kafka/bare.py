"""What other programs may write to a topic: by transactions, or by the bare protocol what no client would."""

from __future__ import annotations

import socket
import struct
import time

from confluent_kafka import Producer

from log import CommitLog, TopicPartition

PRODUCE, VERSION = 0, 7


def produce(bootstrap: str, topic: str, value: bytes, header: bytes) -> None:
    """Append one record with a header of this name to partition 0. Raises AssertionError where it is refused."""
    batch = _batch(value, header)
    body = struct.pack(">hhii", -1, -1, 10_000, 1) + _text(topic.encode())
    body += struct.pack(">iii", 1, 0, len(batch)) + batch
    request = struct.pack(">hhi", PRODUCE, VERSION, 1) + _text(b"bare") + body
    host, _, port = bootstrap.partition(",")[0].rpartition(":")
    with socket.create_connection((host, int(port)), 10) as connection, connection.makefile("rb") as answers:
        connection.sendall(struct.pack(">i", len(request)) + request)
        answer = answers.read(struct.unpack(">i", answers.read(4))[0])
    (error,) = struct.unpack_from(">h", answer, 4 + 4 + 2 + len(topic) + 4 + 4)
    assert error == 0


def await_end(log: CommitLog, source: TopicPartition, stop: int) -> None:
    """What ends a transaction is written a little after the producer was told that it is."""
    deadline = time.monotonic() + 30
    while log.span(source).stop < stop:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def _batch(value: bytes, header: bytes) -> bytes:
    record = b"\0" * 3 + _varint(-1) + _varint(len(value)) + value  # attributes, time, offset; no key
    record += _varint(1) + _varint(len(header)) + header + _varint(-1)
    now = int(time.time() * 1000)
    checked = struct.pack(">hiqqqhii", 0, 0, now, now, -1, -1, -1, 1) + _varint(len(record)) + record
    return struct.pack(">qiibI", 0, 9 + len(checked), -1, 2, _crc32c(checked)) + checked


def _text(name: bytes) -> bytes:
    return struct.pack(">h", len(name)) + name


def _varint(number: int) -> bytes:
    left, found = (number << 1) ^ (number >> 63), bytearray()
    while left > 0x7F:
        found.append(left & 0x7F | 0x80)
        left >>= 7
    return bytes([*found, left])


def _crc32c(data: bytes) -> int:
    """RFC 3720, B.4."""
    left = 0xFFFFFFFF
    for byte in data:
        left ^= byte
        for _ in range(8):
            left = left >> 1 ^ (0x82F63B78 if left & 1 else 0)
    return left ^ 0xFFFFFFFF


def in_transaction(bootstrap: str, topic: str, value: bytes, *, is_kept: bool) -> None:
    """Append one record to partition 0 in a transaction, which takes one offset more for its end."""
    producer = Producer({"bootstrap.servers": bootstrap, "transactional.id": f"another's-{topic}"})
    producer.init_transactions(30)
    producer.begin_transaction()
    producer.produce(topic, value, b"key", partition=0)
    if is_kept:
        producer.commit_transaction(30)
    else:
        producer.flush(30)
        producer.abort_transaction(30)
