from __future__ import annotations

import dataclasses
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from conf.settings import LogSettings
from log import LogUnusable, Record, TopicPartition
from log.disk.documents import write_document
from log.embedded import EmbeddedLog, opening
from log.embedded.home import find_home
from log.embedded.opening import open_home

SOURCE = TopicPartition("mails", 0)
OpenLog = Callable[..., EmbeddedLog]


def test_a_log_is_made_once_and_found_again(options: LogSettings) -> None:
    made = open_home(options)
    assert open_home(options).log_id == made.log_id
    assert find_home(options.root) == made


def test_replicas_in_another_order_are_refused(options: LogSettings) -> None:
    open_home(options)
    with pytest.raises(LogUnusable) as refused:
        open_home(dataclasses.replace(options, replicas=options.replicas[::-1]))
    in_order = ", ".join(f'"{each}"' for each in options.replicas)
    assert str(refused.value).endswith(f": set [log] replicas = [{in_order}]")


def test_another_number_of_replicas_is_refused(options: LogSettings) -> None:
    open_home(options)
    with pytest.raises(LogUnusable, match="has 3 replicas, the settings name 2"):
        open_home(dataclasses.replace(options, replicas=options.replicas[:2]))


def test_what_to_set_is_told_in_whole_names_as_settings_have_another_base(options: LogSettings) -> None:
    (options.root.parent / "elsewhere").mkdir(parents=True)
    root = options.root.parent / "elsewhere" / ".." / "log"
    disks = tuple(root / f"disk-{number}" for number in (1, 2, 3))
    options = dataclasses.replace(options, root=root, replicas=disks)
    open_home(options)
    with pytest.raises(LogUnusable) as refused:
        open_home(dataclasses.replace(options, replicas=disks[:2]))
    assert ", ".join(f'"{disk.resolve()}"' for disk in disks) in str(refused.value)


def test_a_log_all_of_whose_replicas_are_of_another_log_is_refused(options: LogSettings) -> None:
    options = dataclasses.replace(options, replicas=options.replicas[:1], min_insync=1)
    open_home(options)
    stranger = options.root.parent / "stranger"
    open_home(dataclasses.replace(options, root=stranger / "log", replicas=(stranger / "disk",), min_insync=1))
    shutil.rmtree(options.replicas[0])
    shutil.copytree(stranger / "disk", options.replicas[0])
    with pytest.raises(LogUnusable, match="is replica 1 of log"):
        open_home(options)


def test_a_newer_format_is_refused_and_not_touched(options: LogSettings) -> None:
    open_home(options)
    path = options.root / "log.json"
    document = json.loads(path.read_bytes())
    document.pop("crc32")
    write_document(path, {**document, "format": 2})
    before = path.read_bytes()
    with pytest.raises(LogUnusable, match="format 2, this version knows 1"):
        open_home(options)
    with pytest.raises(LogUnusable, match="format 2, this version knows 1"):
        find_home(options.root)
    assert path.read_bytes() == before


def test_a_network_file_system_is_refused(options: LogSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "network_file_system", lambda path: "nfs4" if path == options.replicas[1] else None)
    with pytest.raises(LogUnusable, match=r"disk-2 is on nfs4: .* local file system.*kafka"):
        open_home(options)
    assert not options.root.exists()


def test_a_lost_root_comes_back_from_the_replicas(options: LogSettings, open_embedded: OpenLog) -> None:
    log = open_embedded()
    log.create_topic("mails", 1)
    log.append("mails", [Record(b"key", b"value")])
    log.close()
    shutil.rmtree(options.root)
    again = open_embedded()
    assert again.topics() == ["mails"]
    with pytest.raises(LogUnusable, match="its high watermark is lost; `otclog log tend` finds it again"):
        again.span(SOURCE)
    assert again.append("mails", [Record(b"key", b"next")])[0].offset == 1
    assert [record.value for record in again.read(SOURCE, 0, 100)] == [b"value", b"next"]


@pytest.mark.slow
def test_topics_that_the_root_alone_lost_come_back_from_the_replicas(
    options: LogSettings, open_embedded: OpenLog, each_death: Callable[..., Iterator[bool]]
) -> None:
    """Or who makes one of the same name would begin it anew, over what was acknowledged."""
    disks = tuple(options.root / f"disk-{number}" for number in (1, 2, 3))
    options = dataclasses.replace(options, replicas=disks)
    log = EmbeddedLog(options)
    log.create_topic("mails", 1)
    log.append("mails", [Record(b"key", b"value")])
    log.commit("group", {SOURCE: 1})
    log.close()
    shutil.rmtree(options.root / "topics")
    for _ in each_death(options.root, lambda: lambda: open_home(options)):
        again = open_embedded(root=options.root, replicas=disks)
        assert "mails" in again.topics()
        assert [record.value for record in again.read(SOURCE, 0, 100)] == [b"value"]
        assert again.committed("group") == {SOURCE: 1}
        again.close()
    shutil.rmtree(options.root / "topics")
    shutil.rmtree(disks[0])
    shutil.rmtree(disks[1])
    with pytest.raises(LogUnusable, match="no topics, and 1 of 3 replicas can be read"):
        open_home(options)


def test_a_lost_root_needs_a_majority_of_the_replicas(options: LogSettings) -> None:
    open_home(options)
    for folder in (options.root, *options.replicas[:2]):
        shutil.rmtree(folder)
    with pytest.raises(LogUnusable, match="1 of 3 replicas can be read"):
        open_home(options)


OPENER = """
import dataclasses, json, sys
from pathlib import Path
from conf.settings import LogSettings
from log import Record
from log.embedded import EmbeddedLog
given = json.loads(sys.argv[1])
options = LogSettings(**{**given, "root": Path(given["root"]), "replicas": tuple(map(Path, given["replicas"]))})
sys.stdin.readline()
log = EmbeddedLog(options)
print(log.topics())
log.close()
"""


@pytest.mark.slow
def test_processes_that_find_no_log_make_one(options: LogSettings, spawn: Callable[..., subprocess.Popen[str]]) -> None:
    for turn in range(3):
        root = options.root / str(turn)
        here = dataclasses.replace(options, root=root, replicas=tuple(root / f"disk-{number}" for number in (1, 2, 3)))
        command = [sys.executable, "-c", OPENER, json.dumps(dataclasses.asdict(here), default=str)]
        openers = [spawn(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in "1234"]
        for opener in openers:
            assert opener.stdin is not None
            opener.stdin.write("go\n")
            opener.stdin.flush()
        assert [opener.communicate()[0] for opener in openers] == ["[]\n"] * 4
        assert [opener.returncode for opener in openers] == [0] * 4
        home = find_home(root)
        for number in home.replicas:
            home.check_replica(number)


@pytest.mark.slow
def test_a_log_whose_maker_died_is_made_by_the_next(
    options: LogSettings, each_death: Callable[..., Iterator[bool]]
) -> None:
    options = dataclasses.replace(options, replicas=tuple(options.root / f"disk-{number}" for number in (1, 2, 3)))
    steps = 0
    for _ in each_death(options.root, lambda: lambda: open_home(options)):
        steps += 1
        home = open_home(options)
        for number in home.replicas:
            home.check_replica(number)
        assert not (options.root / "creating.json").exists() or find_home(options.root) == home
    assert steps > 20
