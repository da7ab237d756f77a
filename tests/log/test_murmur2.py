from __future__ import annotations

import pytest
from aiokafka.partitioner import murmur2 as aiokafkas
from hypothesis import given
from hypothesis import strategies as st

from log.murmur2 import murmur2, partition_of


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (b"21", -973932308),
        (b"foobar", -790332482),
        (b"a-little-bit-long-string", -985981536),
        (b"a-little-bit-longer-string", -1486304829),
        (b"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971),
        (b"abc", 479470107),
    ],
)
def test_it_is_kafkas(key: bytes, expected: int) -> None:
    """The vectors of Kafka's own UtilsTest.testMurmur2."""
    assert murmur2(key) == expected % 2**32


@given(st.binary(max_size=200))
def test_it_is_the_one_of_another_client(key: bytes) -> None:
    assert murmur2(key) == aiokafkas(key)


@given(st.binary(max_size=50), st.integers(1, 100))
def test_a_partition_is_within_its_topic(key: bytes, partitions: int) -> None:
    assert partition_of(key, partitions) == (aiokafkas(key) & 0x7FFFFFFF) % partitions
