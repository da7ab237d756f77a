from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path

import pytest

from pipelines.errors import GroupBusy, LeaseLost, StoreUnreachable, TableBusy, TablesDamaged
from pipelines.tables.store.bucket import Bucket
from pipelines.tables.store.folder import Folder
from pipelines.tables.store.interface import Store
from pipelines.tables.store.lease import leased
from pipelines.tables.store.store import open_store
from tests.pipelines.proxy import Proxy, troubled
from tests.pipelines.stores import ROOT, Server

pytestmark = pytest.mark.slow

NAME = "_locks/extract.lease"
HELD = "group extract is being extracted"
SHORT_S = 0.6
LONG_S = 6.0  # where nobody may take it over, however busy the machine: what is waited for is a renewal, a third of it


def test_a_lease_is_one_holders_until_he_gives_it_back(store: Store) -> None:
    with leased(store, NAME, GroupBusy, HELD, length_s=LONG_S) as lease:
        lease.check()
        with pytest.raises(GroupBusy) as caught, leased(store, NAME, GroupBusy, HELD, length_s=LONG_S):
            pass
        assert f"{HELD} by process {os.getpid()} on " in str(caught.value)
        assert str(caught.value).endswith("; try again")
        with leased(store, "_locks/other.lease", GroupBusy, HELD, length_s=LONG_S):
            pass
    started = time.monotonic()
    with leased(store, NAME, GroupBusy, HELD, length_s=3600):
        assert time.monotonic() - started < 1800  # nobody waited for its end


def test_what_it_says_is_for_people_and_names_its_holder(store: Store) -> None:
    with leased(store, NAME, GroupBusy, HELD):
        said = json.loads(store.get(NAME))
    assert said["holder"]["pid"] == os.getpid()
    assert said["since"] < said["until"]
    assert said["length_s"] == 30
    assert json.loads(store.get(NAME))["holder"] is None


def test_a_lease_outlives_its_length_while_its_holder_lives_though_nobody_asks(store: Store) -> None:
    with leased(store, NAME, GroupBusy, HELD, length_s=LONG_S) as lease:
        with pytest.raises(GroupBusy), leased(store, NAME, GroupBusy, HELD, length_s=LONG_S, wait_s=1.5 * LONG_S):
            pass  # who waits for so long would have it, had it not been renewed
        lease.check()


HOLD = """
import sys
from pathlib import Path
from pipelines.errors import GroupBusy, LeaseLost
from pipelines.tables.store.lease import leased
from pipelines.tables.store.store import open_store
store = open_store(sys.argv[1], Path(sys.argv[2]))
with leased(store, sys.argv[3], GroupBusy, "x", length_s=float(sys.argv[4])) as lease:
    print("held", flush=True)
    for line in sys.stdin:
        try:
            lease.check()
            print("holds", flush=True)
        except LeaseLost as error:
            print("lost", error.retriable, error, flush=True)
"""


@contextmanager
def holding(root: str, credentials: Path, length_s: float) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lease; a line to it has it ask for it."""
    command = [sys.executable, "-c", HOLD, root, str(credentials), NAME, str(length_s)]
    with subprocess.Popen(command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        try:
            assert answer(holder) == "held"
            yield holder
        finally:
            holder.kill()


def answer(process: subprocess.Popen[str], line: str = "") -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    if line:
        process.stdin.write(line + "\n")
        process.stdin.flush()
    return process.stdout.readline().strip()


def test_the_lease_of_a_holder_that_died_is_taken_when_its_length_is_over(s3: Server, url: str) -> None:
    with holding(url, s3.credentials, SHORT_S) as holder:
        holder.kill()
        holder.wait()
        with leased(open_store(url, s3.credentials), NAME, GroupBusy, HELD, length_s=SHORT_S) as lease:
            lease.check()


def test_a_holder_that_stood_still_for_longer_than_its_lease_finds_it_taken(s3: Server, url: str) -> None:
    with holding(url, s3.credentials, SHORT_S) as holder:
        assert answer(holder, "?") == "holds"
        stopped(holder)
        with leased(open_store(url, s3.credentials), NAME, GroupBusy, HELD, length_s=SHORT_S) as lease:
            holder.send_signal(signal.SIGCONT)
            said = answer(holder, "?")
            assert said == f"lost True another process took {url}/{NAME} over while this one stood still"
            lease.check()
        with leased(open_store(url, s3.credentials), NAME, GroupBusy, HELD, length_s=SHORT_S):
            assert answer(holder, "?").startswith("lost")  # for good


def stopped(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGSTOP)
    os.waitpid(process.pid, os.WUNTRACED)


def test_a_holder_that_stood_still_and_whose_lease_nobody_wanted_goes_on(s3: Server, url: str) -> None:
    with holding(url, s3.credentials, SHORT_S) as holder:
        stopped(holder)
        time.sleep(2 * SHORT_S)
        holder.send_signal(signal.SIGCONT)
        assert answer(holder, "?") == "holds"


def test_who_waits_looks_at_no_clock_of_the_holders(tmp_path: Path) -> None:
    store = Folder(tmp_path)
    for until in ("1970-01-01T00:00:00+00:00", "2999-01-01T00:00:00+00:00"):
        with leased(store, NAME, GroupBusy, HELD, length_s=LONG_S) as lease:
            said = json.loads(store.get(NAME)) | {"since": until, "until": until}
            store.put(NAME, json.dumps(said).encode())  # as a machine with such a clock would write it
            with pytest.raises(GroupBusy), leased(store, NAME, GroupBusy, HELD, length_s=LONG_S):
                pass
            lease.check()


def test_a_renewal_whose_answer_was_lost_is_the_holders_own(behind: Callable[[float], Bucket], proxy: Proxy) -> None:
    with leased(behind(0.3), NAME, GroupBusy, HELD, length_s=SHORT_S) as lease:
        proxy.plan = repeat("lost", 30)  # for longer than the patience: it gives up what may have been written
        deadline = time.monotonic() + 60
        while proxy.met["lost"] < 30 and time.monotonic() < deadline:
            time.sleep(0.05)
        lease.check()
    assert proxy.met["lost"] == 30


def test_a_lease_is_kept_over_a_line_in_trouble(
    behind: Callable[[float], Bucket], proxy: Proxy, s3: Server, url: str
) -> None:
    with leased(behind(10), NAME, GroupBusy, HELD, length_s=LONG_S) as lease:
        proxy.plan = troubled(7, 0.4)
        other = open_store(url, s3.credentials)  # on a line of its own
        with pytest.raises(GroupBusy), leased(other, NAME, GroupBusy, HELD, length_s=LONG_S, wait_s=1.5 * LONG_S):
            pass
        proxy.plan = repeat("pass")
        lease.check()


def test_a_holder_that_is_cut_off_does_not_believe_that_it_holds_it(
    behind: Callable[[float], Bucket], proxy: Proxy
) -> None:
    with leased(behind(0.2), NAME, GroupBusy, HELD, length_s=SHORT_S) as lease:
        proxy.plan = repeat("cut")
        time.sleep(2 * SHORT_S)
        with pytest.raises(StoreUnreachable):
            lease.check()
        proxy.plan = repeat("pass")
        lease.check()


def test_a_lease_that_was_removed_is_lost_and_what_is_none_is_told(tmp_path: Path) -> None:
    store = Folder(tmp_path)
    with leased(store, NAME, GroupBusy, HELD, length_s=SHORT_S) as lease:
        store.delete([NAME])
        time.sleep(SHORT_S)
        with pytest.raises(LeaseLost):
            lease.check()
    for content in (b"", b"{}", b'{"holder": 1}', b"[]"):
        store.put(NAME, content)
        with (
            pytest.raises(TablesDamaged, match="is no lease: remove it while no otclog runs"),
            leased(store, NAME, GroupBusy, HELD),
        ):
            pass


def test_those_that_wait_get_it_one_after_the_other(store: Store) -> None:
    with (
        leased(store, NAME, TableBusy, HELD, length_s=LONG_S),
        pytest.raises(TableBusy),
        leased(store, NAME, TableBusy, HELD, length_s=LONG_S, wait_s=0.1),
    ):
        pass
    with leased(store, NAME, TableBusy, HELD, length_s=LONG_S, wait_s=60):
        pass
