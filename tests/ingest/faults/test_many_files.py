"""Very many files in one folder, as after a watcher was down for a weekend."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing

import pytest

from log import open_log
from tests.ingest.faults.conftest import Desk, StartWatch

AMail = Callable[..., bytes]
SENDERS = 7
FEW = 100
MOST_KIB_A_FILE = 1.0  # the names of a folder are held in memory, and their order


def taken(desk: Desk, start: StartWatch, a_mail: AMail, first: int, number: int) -> tuple[float, int]:
    """Deliver so many mails, in order, and take them; the seconds that it took, and the KiB of memory at most."""
    for each in range(first, first + number):
        desk.deliver(f"{each:06}", a_mail(each, f"d{each % SENDERS}@x.example"), time_s=1_700_000_000 + each)
    program = "import resource, sys, subprocess; subprocess.run(sys.argv[1:], check=True);"
    program += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    began = time.monotonic()
    env = {"OTCLOG_INGEST_BATCH_MAILS": "500"}
    process = start(desk, "--once", under=[sys.executable, "-c", program], env=env)
    out, said = process.communicate(timeout=3000)
    assert process.returncode == 0, said
    return time.monotonic() - began, int(out.splitlines()[-1])


@pytest.mark.parametrize(
    "files",
    [
        pytest.param(5_000, marks=[pytest.mark.slow, pytest.mark.timeout(300)]),
        pytest.param(100_000, marks=[pytest.mark.soak, pytest.mark.timeout(3600)]),
    ],
)
def test_of_very_many_files_each_is_taken_in_its_senders_order_and_memory_stays_small(
    desk: Desk, start: StartWatch, a_mail: AMail, files: int, record_property: Callable[[str, object], None]
) -> None:
    _, with_few = taken(desk, start, a_mail, 0, FEW)
    seconds, with_many = taken(desk, start, a_mail, FEW, files)
    desk.check_taken()
    order: dict[bytes | None, list[int]] = defaultdict(list)
    with closing(open_log(desk.settings.log)) as log:
        for record in desk.records(log):
            assert record.value is not None
            order[record.key].append(int(record.value.partition(b"<")[2].partition(b"@")[0]))
    assert len(order) == SENDERS
    assert all(numbers == sorted(numbers) for numbers in order.values())
    record_property(
        "count",
        f"watch, {files:,} files in one folder: {seconds:.1f} s, {with_many - with_few:,} KiB more than with {FEW}, "
        "0 lost or doubled, each sender's in order",
    )
    assert with_many - with_few < 40 * 1024 + MOST_KIB_A_FILE * files
