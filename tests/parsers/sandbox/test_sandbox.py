"""Real children that hang, crash, flood and lie: each costs its part one code, and nobody else anything."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest

import parsers
from parsers import version
from parsers.codes import Code, MailState
from parsers.outcome import MailOutcome
from parsers.parse import parse_mail
from parsers.sandbox import Sandbox, SandboxOptions, process
from parsers.sandbox.failures import ChildFailed, ParserChanged, StartFailed
from parsers.taught import Taught
from parsers.version import parser_version, parsers_alone

pytestmark = pytest.mark.slow

ROOT = Path(parsers.__file__).parents[1]
GOOD = b"From: a@b.example\nSubject: USD IG\n\nBACR 5.2 05/26 T+85/80 5x5\n"
Broken = Callable[[str], Sandbox]


def mail_with(attachment: bytes) -> bytes:
    return (
        b"From: a@b.example\nSubject: USD IG\nContent-Type: multipart/mixed; boundary=b\n\n"
        b"--b\n\nBACR 5.2 05/26 T+85/80 5x5\n--b\nContent-Type: text/html\nContent-Disposition: attachment; filename=x.html\n\n"
        + attachment
        + b"\n--b--\n"
    )


EVIL = mail_with(b"<p>EVIL</p>")


def codes(outcome: MailOutcome) -> dict[str, str]:
    return {part.part_path: str(part.code or part.state) for part in outcome.parts}


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Broken]:
    """A sandbox whose HTML reader does something to parts that hold EVIL: a copy of the package, changed."""
    made: list[Sandbox] = []

    def make(deed: str) -> Sandbox:
        root = tmp_path / "root"
        for name in ("parsers", "conf"):
            shutil.copytree(ROOT / name, root / name)  # with what is compiled: the children need not compile it anew
        reader = root / "parsers" / "documents" / "html" / "reader.py"
        source = reader.read_text()
        head = "    meta = _META_CHARSET.search(data[:4096])\n"
        assert head in source
        reader.write_text(
            source.replace(head, "    if b'EVIL' in data:\n" + textwrap.indent(deed, " " * 8) + "\n" + head)
        )
        monkeypatch.setattr(process, "_ROOT", root)
        monkeypatch.setattr(process, "_CHILD", root / "parsers" / "sandbox" / "child.py")
        monkeypatch.setattr(version, "_ROOM", root / "parsers")
        parsers_alone.cache_clear()
        made.append(Sandbox(SandboxOptions(part_deadline_s=1, memory_bytes=2**28)))
        return made[-1]

    yield make
    for sandbox in made:
        sandbox.close()
    parsers_alone.cache_clear()


def test_a_sandboxed_mail_has_the_outcome_it_has_in_the_caller() -> None:
    with Sandbox() as sandbox, Sandbox(SandboxOptions(sandbox="off")) as off:
        for raw in (GOOD, EVIL, b"", bytes(range(256)) * 10):
            assert sandbox.parse(raw) == off.parse(raw) == parse_mail(raw)


DEEDS = {
    "it hangs": ("while True: pass", "PARSE_TIMEOUT"),
    "it crashes": ("import os; os.kill(os.getpid(), 11)", "PARSER_ERROR"),
    "it leaves": ("import os; os._exit(0)", "PARSER_ERROR"),
    "it eats memory": ("x = bytearray(1 << 31)", "PARSER_ERROR"),
    "it raises": ("raise ValueError('x')", "PARSER_ERROR"),
    "it panics": ("raise type('PanicException', (BaseException,), {})('x')", "PARSER_ERROR"),
    "it prints": ("import sys; print('x' * 10**7); sys.stderr.write('x' * 10**7); 1 / 0", "PARSER_ERROR"),
    "it floods": (
        "import os\nfor fd in range(3, 20):\n    try: os.write(fd, b'x' * 10**6)\n    except OSError: pass",
        "PARSER_ERROR",
    ),
    "it forks": ("import os; os.fork() or os._exit(3)\nimport os; os._exit(4)", "PARSER_ERROR"),
    "it sleeps": ("import time; time.sleep(99)", "PARSE_TIMEOUT"),
}


@pytest.mark.parametrize(
    "names",
    [[name for name in DEEDS if name != "it sleeps"], ["it sleeps"]],
    ids=["one after the other", "it sleeps"],
)
def test_a_bad_part_gets_its_code_and_the_rest_of_the_mail_is_kept(names: list[str], broken: Broken) -> None:
    """In one sandbox, as mails come: each of its children takes a second to start."""
    sandbox = broken("\n".join(f"if b'{name}' in data:\n{textwrap.indent(DEEDS[name][0], ' ')}" for name in names))
    for name in names:
        outcome = sandbox.parse(mail_with(f"<p>EVIL {name}</p>".encode()))
        assert (name, codes(outcome)) == (name, {"1": "parsed", "2": DEEDS[name][1]})
        assert (outcome.state, len(outcome.quotes)) == (MailState.parsed, 1)
        assert sandbox.parse(GOOD).state is MailState.parsed, name


def test_a_child_that_lies_is_not_believed(broken: Broken) -> None:
    lie = """
    import parsers.parse
    true = parsers.parse._Mail
    parsers.parse._Mail = lambda key, *rest: true('f' * 64, *rest)
    """
    sandbox = broken(textwrap.dedent(lie).strip())
    assert sandbox.parse(EVIL).message_key != "f" * 64
    outcome = sandbox.parse(GOOD)
    assert (outcome.state, outcome.message_key) == (MailState.parsed, parse_mail(GOOD).message_key)


def test_a_child_can_write_no_file_and_stands_in_a_folder_without_a_name(broken: Broken) -> None:
    deed = """
    import os
    try: open('/tmp/otclog-evil', 'wb', buffering=0).write(b'x' * 10)
    except OSError as error: first = error.errno
    try: open('here', 'wb')
    except OSError as error: second = error.errno
    raise ValueError(f'{first} {second} {os.environ.get("HOME")} {os.umask(0)}')
    """
    outcome = broken(textwrap.dedent(deed).strip()).parse(EVIL)
    assert outcome.parts[1].detail == f"ValueError: 1 1 None {0o077}"
    Path("/tmp/otclog-evil").unlink(missing_ok=True)


def test_a_child_killed_from_outside_costs_no_part_its_quotes() -> None:
    with Sandbox() as sandbox:
        sandbox.parse(GOOD)
        assert sandbox._child is not None
        os.kill(sandbox._child.pid, signal.SIGKILL)
        assert sandbox.parse(GOOD).state is MailState.parsed


def test_a_parts_bytes_are_the_childs_finding_and_a_mail_can_follow() -> None:
    with Sandbox() as sandbox, Sandbox(SandboxOptions(sandbox="off")) as off:
        for one in (sandbox, off):
            assert one.part_bytes(EVIL, "2") == b"<p>EVIL</p>"
            assert one.part_bytes(EVIL, "3") is None
            assert one.part_bytes(b"Subject: x\n\n", "1") == b""
        assert sandbox.parse(GOOD).state is MailState.parsed


def test_a_part_that_kills_its_child_while_it_is_unpacked_says_so_and_a_mail_can_follow(broken: Broken) -> None:
    broken("pass")
    unpacking = process._ROOT / "parsers" / "mail" / "partbytes.py"
    unpacking.write_text(
        unpacking.read_text().replace("    return unpack(", "    import os; os._exit(5)\n    return unpack(")
    )
    parsers_alone.cache_clear()
    with Sandbox(SandboxOptions(part_deadline_s=1, memory_bytes=2**28)) as sandbox:
        with pytest.raises(ChildFailed, match="exit code 5"):
            sandbox.part_bytes(EVIL, "2")
        assert sandbox.parse(GOOD).state is MailState.parsed


def test_a_spare_lost_while_it_warms_up_costs_no_mail() -> None:
    with Sandbox() as sandbox:
        sandbox.parse(GOOD)
        for child in (sandbox._spare, sandbox._child):
            assert child is not None
            os.kill(child.pid, signal.SIGKILL)
        assert [sandbox.parse(GOOD).state for _ in range(2)] == [MailState.parsed] * 2


@contextmanager
def no_more_files() -> Iterator[None]:
    """A process that may open nothing more, and so start nothing."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (max(int(each.name) for each in Path("/proc/self/fd").iterdir()) + 1, limits[1])
    )
    kept = []
    try:
        while True:
            kept.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        for each in kept:
            os.close(each)


def test_a_spare_that_cannot_be_started_costs_no_mail_its_outcome() -> None:
    with Sandbox() as sandbox:
        sandbox.parse(GOOD)
        assert sandbox._spare is not None
        sandbox._spare.close()
        sandbox._spare = None
        with no_more_files():
            assert sandbox.parse(GOOD).state is MailState.parsed
        assert sandbox._spare is None
        sandbox.parse(GOOD)
        assert sandbox._spare is not None


def test_behind_a_child_that_is_gone_the_spare_that_was_warm_takes_over() -> None:
    with Sandbox() as sandbox:
        sandbox.parse(GOOD)
        spare = sandbox._spare
        assert spare is not None
        assert sandbox._child is not None
        spare._await_ready()
        os.kill(sandbox._child.pid, signal.SIGKILL)
        assert sandbox.parse(GOOD).state is MailState.parsed
        assert sandbox._child is spare


def test_behind_a_part_that_kills_two_children_a_second_spare_that_was_warm_takes_over(broken: Broken) -> None:
    sandbox = broken("import os; os._exit(5)")
    while sandbox._second_spare is None or not sandbox._second_spare.is_up():
        sandbox.parse(GOOD)
        time.sleep(0.05)
    second = sandbox._second_spare
    assert codes(sandbox.parse(EVIL))["2"] == "PARSER_ERROR"
    assert sandbox._child is second


def test_children_that_die_one_after_the_other_are_no_more_than_three_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "child.py"
    script.write_text(
        "import os, sys\nsys.path.insert(0, sys.argv[1])\nfrom parsers.sandbox.frames import READY, Frame\n"
        f"os.write(1, Frame(READY, {parser_version(Taught.load(None)).encode()!r}).encode())\nos.read(0, 1)\nos._exit(1)\n"
    )
    monkeypatch.setattr(process, "_CHILD", script)
    with Sandbox() as sandbox:
        began = time.monotonic()
        for _ in range(2):  # two children each, and the first is lost after its start
            assert codes(sandbox.parse(GOOD)) == {"1": "PARSER_ERROR"}
        assert time.monotonic() - began > 1


def test_a_caller_with_more_than_a_thousand_open_files_is_served() -> None:
    program = """
    import os, resource
    from parsers.sandbox import Sandbox
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 2048), most))
    kept = [os.open("/dev/null", os.O_RDONLY) for _ in range(1100)]
    with Sandbox() as sandbox:
        print(sandbox.parse(b"Subject: x\\n\\nhello").state)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout == "parsed_empty\n", done.stderr


def test_five_bad_parts_end_the_patience_with_a_mail(broken: Broken) -> None:
    part = b"--b\nContent-Type: text/html\nContent-Disposition: attachment; filename=x%d.html\n\n<p>EVIL %d</p>\n"
    raw = (
        b"Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n"
        + b"".join(part % (n, n) for n in range(7))
        + b"--b--\n"
    )
    outcome = broken("import os; os._exit(1)").parse(raw)
    assert outcome.state is MailState.rejected
    assert {part.code for part in outcome.parts} == {Code.PARSER_ERROR}


def test_a_child_that_dies_at_ever_new_parts_ends_the_patience_too(
    broken: Broken, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parsers.sandbox.sandbox._MAX_FAILURES", 3)
    lie = """
    import os, sys
    from parsers.sandbox.frames import PART, Frame
    frame = sys._getframe()
    while "announcements" not in frame.f_locals: frame = frame.f_back
    frame.f_locals["send"](frame.f_locals["announcements"], Frame(PART, b"\\n\\x1b[2J" + os.urandom(4).hex().encode()))
    os._exit(1)
    """
    outcome = broken(textwrap.dedent(lie).strip()).parse(EVIL)
    assert (outcome.state, outcome.code) == (MailState.rejected, None)
    assert codes(outcome) == {"1": "PARSER_ERROR"}
    assert caplog.records
    assert not any(set("\n\x1b") & set(record.getMessage()) for record in caplog.records)


def test_children_end_with_their_parent() -> None:
    program = """
    import os, sys
    from parsers.sandbox import Sandbox
    sandbox = Sandbox()
    sandbox.parse(b"x")
    print(sandbox._child.pid, sandbox._spare.pid, flush=True)
    os.kill(os.getpid(), 9)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    pids = [int(word) for word in done.stdout.split()]
    assert len(pids) == 2, done.stderr
    end = time.monotonic() + 30
    while any(_lives(pid) for pid in pids) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(_lives(pid) for pid in pids)


def _lives(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_closing_leaves_no_process_and_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Sandbox() as sandbox:
        sandbox.parse(GOOD)
        assert sandbox._child is not None
        pid = sandbox._child.pid
    assert not _lives(pid)
    assert list(tmp_path.iterdir()) == []


def test_a_child_that_cannot_start_says_why(broken: Broken, tmp_path: Path) -> None:
    sandbox = broken("pass")
    (tmp_path / "root" / "parsers" / "parse.py").write_text("raise RuntimeError('half installed')\n")
    with pytest.raises(StartFailed, match="half installed"):
        sandbox.parse(GOOD)


@pytest.mark.parametrize("kind", ["process", "limits", "off"])
def test_the_kernel_says_which_walls_stand(kind: Literal["process", "limits", "off"]) -> None:
    with Sandbox(SandboxOptions(sandbox=kind)) as sandbox:
        walls = sandbox.walls()
    apart = ["a network of its own"] if os.geteuid() == 0 else []
    filtered = ["a filter of system calls"] if kind == "process" else []
    assert walls == ([] if kind == "off" else ["limits", "no new privileges", *filtered, *apart])


def test_all_children_have_the_dealer_table_that_was_there_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "dealers.toml"
    file.write_text('["b.example"]\nname = "Bank B"\n', "utf-8")
    with Sandbox(SandboxOptions(dealers=Path("dealers.toml"))) as sandbox:
        file.write_text("[", "utf-8")
        outcome = sandbox.parse(GOOD)
        assert outcome.dealer == "Bank B"
        assert sandbox._child is not None
        os.kill(sandbox._child.pid, signal.SIGKILL)
        assert sandbox.parse(GOOD) == outcome


def test_a_child_that_would_parse_by_changed_code_is_refused_and_no_mail_is_to_blame(
    broken: Broken, tmp_path: Path
) -> None:
    sandbox = broken("pass")
    with (tmp_path / "root" / "parsers" / "quote.py").open("a") as module:
        module.write("# of the next version\n")
    with pytest.raises(ParserChanged, match=r"the parsers on disk are now .*, and this process began with"):
        sandbox.parse(GOOD)


def test_a_mail_whose_reader_lies_about_the_parser_version_costs_that_mail_alone(broken: Broken) -> None:
    lie = """
    import parsers.parse
    parsers.parse.parser_version = lambda _: 'another one'
    """
    sandbox = broken(textwrap.dedent(lie).strip())
    assert sandbox.parse(EVIL).parser_version == sandbox.parser_version
    assert sandbox.parse(GOOD).state is MailState.parsed
