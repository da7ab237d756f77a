from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import conf
from log import LogOptions, Record, TopicConfig, open_log
from log.claims import CLAIM_HEADER, Claim, open_claims
from otclog import app
from tests.log.verify.read_only import NOT_ALLOWED

ROOT = Path(__file__).resolve().parents[3]
LARGE = b"a large mail"


def mail(raw: bytes, named: bytes | None = None) -> Record:
    return Record(b"desk", raw, (("sha256", hashlib.sha256(raw if named is None else named).hexdigest().encode()),))


@pytest.fixture
def otclog(tmp_path: Path) -> Callable[..., Result]:
    """A home whose log has three mails, one of them in the claim store."""
    config = tmp_path / "otclog.toml"
    config.write_text('[log]\nroot = "log"\nreplicas = ["disk-1", "disk-2", "disk-3"]\n')
    settings = conf.load(config, {}).log
    options: LogOptions = settings
    log = open_log(options)
    log.create_topic("mails", 1, TopicConfig(mail=True))
    claim = Claim(hashlib.sha256(LARGE).hexdigest(), len(LARGE))
    open_claims(settings).put(claim, lambda: [LARGE])
    large = Record(b"desk", claim.to_bytes(), (*mail(LARGE).headers, (CLAIM_HEADER, b"1")))
    log.append("mails", [mail(b"first"), mail(b"second"), large])
    log.commit("extract", {})
    log.close()

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, [*arguments, "--config", str(config)])

    return run


def findings(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 1, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_log_that_is_whole_has_no_findings(otclog: Callable[..., Result]) -> None:
    result = otclog("log", "verify")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "2 partitions verified, 0 findings\n")
    result = otclog("log", "verify", "--topic", "mails", "--json")
    assert (json.loads(result.stdout), "1 partition verified" in result.stderr) == (
        {"partitions": 1, "findings": 0},
        True,
    )


def test_a_log_on_a_read_only_mount_is_looked_at_and_what_writes_says_so_in_one_line(
    otclog: Callable[..., Result], tmp_path: Path
) -> None:
    """A mount namespace of its own: nothing is mounted once its process has ended."""
    assert otclog("log", "verify").exit_code == 0
    looks = ["log verify", "log read --topic mails", "topic describe mails", "group lag extract", "replica list"]
    looks += ["replica verify"]
    writes = ["topic create more", "replica resync 2"]
    alone = ["unshare", "--mount", sys.executable, "-m", "tests.log.verify.read_only", str(tmp_path)]
    done = subprocess.run([*alone, *looks, *writes], capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode == NOT_ALLOWED or "unshare failed" in done.stderr:
        pytest.skip(f"only root mounts: {done.stderr}")
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(each["command"], each["code"]) for each in said if each["code"]] == [(each, 1) for each in writes], said
    for each in said[len(looks) :]:
        assert (each["stderr"].count("\n"), "Read-only file system" in each["stderr"]) == (1, True), each


def test_damage_is_a_finding_and_a_failure(otclog: Callable[..., Result], tmp_path: Path) -> None:
    path = tmp_path / "disk-2" / "mails-0" / f"{0:020d}.log"
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    (finding,) = findings(otclog("log", "verify", "--json"))
    assert set(finding) == {"topic", "partition", "offset", "replica", "file", "what", "todo"}
    assert (finding["topic"], finding["partition"], finding["offset"], finding["replica"]) == ("mails", 0, 0, 2)
    assert finding["file"] == str(path)
    assert otclog("log", "verify").exit_code == 1


def test_a_mail_that_is_not_the_one_its_header_names_is_a_finding(
    otclog: Callable[..., Result], tmp_path: Path
) -> None:
    log = open_log(conf.load(tmp_path / "otclog.toml", {}).log)
    log.append("mails", [mail(b"third", named=b"another")])
    log.create_topic("notes", 1)
    log.append("notes", [Record(b"key", b"no mail, and no header")])
    log.close()
    found = findings(otclog("log", "verify", "--json"))
    assert [(each["topic"], each["offset"], each["replica"]) for each in found] == [("mails", 3, n) for n in (1, 2, 3)]


def test_a_claim_that_a_place_lacks_is_a_finding(otclog: Callable[..., Result], tmp_path: Path) -> None:
    (path,) = (tmp_path / "disk-3" / "claims").glob("??/*")
    path.write_bytes(b"another mail")
    found = findings(otclog("log", "verify", "--json"))
    assert {each["offset"] for each in found} == {2}
    assert f"{tmp_path}/disk-3/claims: damaged" in found[0]["what"]
    path.unlink()
    assert "No such file" in findings(otclog("log", "verify", "--json"))[0]["what"]


def test_an_unknown_topic_is_said(otclog: Callable[..., Result]) -> None:
    assert "no topic 'other'" in otclog("log", "verify", "--topic", "other").stderr
