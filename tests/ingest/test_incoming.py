from __future__ import annotations

import errno
import hashlib
import os
import resource
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from ingest.incoming import SMALL_BYTES, Incoming


@pytest.mark.parametrize("size", [0, 1, SMALL_BYTES, SMALL_BYTES + 1, 5 * SMALL_BYTES])
@pytest.mark.parametrize("held", [10, 2 * SMALL_BYTES])
def test_it_gives_back_what_came_in_and_its_digest(tmp_path: Path, size: int, held: int) -> None:
    raw = os.urandom(size)
    with closing(Incoming(10**9, tmp_path)) as incoming:
        for at in range(0, size, 50_000):
            incoming.add(raw[at : at + 50_000])
        first, second = incoming.mails(["a", "b"], "name", held)
        assert (first.source, second.source, first.name) == ("a", "b", "name")
        assert (first.raw is not None) == (size <= held)
        for mail in (first, second, first):
            assert b"".join(mail.chunks()) == raw
            assert (mail.sha256, mail.size) == (hashlib.sha256(raw).hexdigest(), size)
            assert raw.startswith(mail.head)
            assert mail.head or not raw


def test_a_large_one_leaves_no_file_behind_even_while_it_is_there(tmp_path: Path) -> None:
    with closing(Incoming(10**9, tmp_path)) as incoming:
        incoming.add(b"x" * 2 * SMALL_BYTES)
        assert list(tmp_path.iterdir()) == []


def test_what_is_too_large_is_counted_and_not_kept(tmp_path: Path) -> None:
    with closing(Incoming(1000, tmp_path)) as incoming:
        incoming.add(b"x" * 1000)
        assert not incoming.too_large
        for _ in range(3):
            incoming.add(b"x")
        assert incoming.too_large
        assert incoming.size == 1003


def test_what_the_disk_cannot_take_is_known_and_the_rest_read_on(tmp_path: Path) -> None:
    with closing(Incoming(10**9, tmp_path)) as incoming, largest_file(SMALL_BYTES):
        for _ in range(5):
            incoming.add(b"x" * SMALL_BYTES)
        assert incoming.failed is not None
        assert incoming.failed.errno == errno.EFBIG
        assert incoming.size == 5 * SMALL_BYTES


@pytest.mark.parametrize("pieces", [1, 2, 5])
@pytest.mark.parametrize("held", [10, 10**9])
def test_a_mail_of_which_bytes_are_missing_is_not_given(tmp_path: Path, pieces: int, held: int) -> None:
    with closing(Incoming(10**9, tmp_path)) as incoming:
        incoming.add(b"x" * 1000)
        with largest_file(SMALL_BYTES):
            for _ in range(pieces):
                incoming.add(b"x" * SMALL_BYTES)
        with pytest.raises(OSError, match="File too large"):
            incoming.mails(["a"], "name", held)


@pytest.mark.parametrize("held", [10, 10**9])
def test_a_mail_whose_file_was_cut_short_is_not_given(tmp_path: Path, held: int) -> None:
    with closing(Incoming(10**9, tmp_path)) as incoming:
        incoming.add(b"x" * 2 * SMALL_BYTES)
        (spool,) = [fd for fd in Path("/proc/self/fd").iterdir() if str(tmp_path) in os.path.realpath(fd)]
        os.truncate(spool, SMALL_BYTES)
        with pytest.raises(OSError, match="bytes are there"):
            incoming.mails(["a"], "name", held)


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """No file of this process may grow beyond this size."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
