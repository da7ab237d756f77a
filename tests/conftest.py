"""Shared by all tests: the one Spark session of a process, a home for a test's data, the order and the counts of a run."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import threading
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

import conf
from tests.processes import killed_at_the_end

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).parent.parent


def pytest_configure() -> None:
    """Hear Ctrl-C: a shell starts what runs in its background deaf to it, and all that this starts would be, too.

    And a forked child finalises nothing that was there before it: clients of Kafka and DuckDB that an earlier test
    left to the garbage collector end threads which did not come along, and the child would die of it (SIGSEGV).
    And no example of Hypothesis is to end within a time: the machine may be busy.
    """
    hypothesis_settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    hypothesis_settings.load_profile("busy")
    os.register_at_fork(after_in_child=gc.freeze)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(trylast=True)  # when those not wanted are gone
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The files with the longest tests first: a core that gets one of them last would have the others wait for it."""
    longest: dict[Path, float] = defaultdict(float)
    for item in items:
        longest[item.path] = max(longest[item.path], expected_seconds(item))
    items.sort(key=lambda item: -longest[item.path])


def expected_seconds(item: pytest.Item) -> float:
    """A rough guess by its marks: one that is given a limit of its own needs it."""
    limit = item.get_closest_marker("timeout")
    return float(limit.args[0]) if limit else 2.0 if item.get_closest_marker("slow") else 0.0


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What the loops counted, whichever process ran them: `record_property("count", "20 power cuts, 0 lost")`."""
    reports = [report for found in terminalreporter.stats.values() for report in found]
    told = [value for report in reports for name, value in getattr(report, "user_properties", ()) if name == "count"]
    if told:
        terminalreporter.section("counts")
        for line in sorted(set(told)):
            terminalreporter.line(str(line))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test is skipped where it needs something that is not there; where all must run (`CI=true`) that is a failure."""
    report = yield
    return failed_for_want(report) if os.environ.get("CI") == "true" else report


def failed_for_want(report: pytest.TestReport) -> pytest.TestReport:
    """The report, as a failure if the test was skipped because it "needs" something."""
    reason = report.longrepr[2] if report.skipped and isinstance(report.longrepr, tuple) else ""
    if reason.startswith("Skipped: needs "):
        report.outcome, report.longrepr = "failed", reason
    return report


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """One session for all tests of a process: starting one takes seconds."""
    from pipelines.jobs.spark.session import spark_session

    os.environ["SPARK_LOCAL_DIRS"] = str(tmp_path_factory.mktemp("spark"))
    settings = conf.defaults()
    session = spark_session(replace(settings, spark=replace(settings.spark, driver_memory="1g")))
    yield session
    session.stop()


@pytest.fixture(scope="session")
def brokers() -> Iterator[Path]:
    """The folder of a cluster of one broker: `addresses` in it says where it listens."""
    from tests.brokers import cluster

    with cluster(1) as home:
        yield home


@pytest.fixture
def settings(tmp_path: Path) -> conf.Settings:
    """The defaults, with every path below a folder of the test's own."""
    file = tmp_path / "otclog.toml"
    file.write_text('[log]\n[[ingest.sources]]\npath = "mail"\nkind = "maildir"\n')
    return conf.load(file, {})


@pytest.fixture(autouse=True)
def the_umask_is_put_back() -> Iterator[None]:
    """Commands that write set it, for their process is their own; a test's is not."""
    before = os.umask(0o077)
    os.umask(before)
    yield
    os.umask(before)


@pytest.fixture(autouse=True)
def no_thread_outlives_its_test(request: pytest.FixtureRequest) -> Iterator[None]:
    """Daemons stop with their test; Spark's own threads live as long as its session."""
    before = set(threading.enumerate())
    yield
    if "spark" not in request.fixturenames:
        left = set(threading.enumerate()) - before
        for thread in left:
            thread.join(5)  # one that was told to end may need a moment
        assert [thread for thread in left if thread.is_alive()] == []


@pytest.fixture
def spawn() -> Iterator[Callable[..., subprocess.Popen[Any]]]:
    """As `subprocess.Popen`; what still runs when the test ends, however it does, is killed and waited for."""
    with ExitStack() as ended:
        yield lambda command, **options: ended.enter_context(killed_at_the_end(subprocess.Popen(command, **options)))


@pytest.fixture(scope="session")
def needs() -> Callable[..., str]:
    """`needs("strace", root=True)`: the path of the first program of conf/debian-packages.txt.

    Where something is missing the test is skipped with the reason.
    """

    def find(*programs: str, root: bool = False) -> str:
        where = os.pathsep.join([os.environ["PATH"], "/usr/sbin", "/sbin", "/lib/systemd"])
        paths = {program: shutil.which(program, path=where) for program in programs}
        missing = [program for program, path in paths.items() if path is None]
        missing += ["root"] if root and os.geteuid() else []
        if missing:
            pytest.skip(f"needs {', '.join(missing)}: scripts/setup --system, as root")
        return next((path for path in paths.values() if path), "")

    return find


@pytest.fixture(scope="session")
def shared() -> Callable[[str], Path]:
    """A folder of the corpora that lie beside the checkout; where there are none a test is skipped."""

    def find(name: str) -> Path:
        folder = ROOT.parent / "shared" / name
        if not folder.exists():
            pytest.skip(f"needs the corpora beside the checkout: ../shared/{name}")
        return folder

    return find
