"""Kafka's murmur2: which partition a key goes to. https://github.com/apache/kafka, `Utils.murmur2`."""

from __future__ import annotations

import struct
from functools import lru_cache

SEED = 0x9747B28C
M = 0x5BD1E995
R = 24
MASK = 0xFFFFFFFF


@lru_cache(maxsize=2**16)  # the same senders come again and again
def murmur2(key: bytes) -> int:
    """The 32-bit hash, unsigned."""
    h = SEED ^ len(key)
    whole = len(key) & ~3
    for (k,) in struct.iter_unpack("<I", key[:whole]):
        k = k * M & MASK  # noqa: PLW2901  one word, mixed in place
        h = (h * M & MASK) ^ ((k ^ k >> R) * M & MASK)
    rest = key[whole:]
    if rest:
        h = (h ^ int.from_bytes(rest, "little")) * M & MASK
    h = (h ^ h >> 13) * M & MASK
    return h ^ h >> 15


def partition_of(key: bytes, partitions: int) -> int:
    """As Kafka's default partitioner for a record with a key."""
    return (murmur2(key) & 0x7FFFFFFF) % partitions
