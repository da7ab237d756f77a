"""conf.formats: a message as a line of JSON, whichever way it is made."""

from __future__ import annotations

import json
import logging
import random
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from conf.formats import Json, origin
from conf.masking import masked_fields

TEXTS = (
    *(
        "a.eml",
        "password=hunter2",
        "token: 5y bond",
        "s3://ann:hunter2@host/b",
        "100 %s %(x)d %",
        "\x1b[2J\x7f\n\u202e",
    ),
    *("\udcff", "Łódź \U0001f4c8", '"quoted" \\', "", "x" * 300, "AUTH PLAIN AGFubgBodW50ZXIy", "\u017fecret=hunter2"),
    *("--password", "-p", "spark.authenticate.secret"),
)
NAMES = (
    "event",
    "file",
    "message_id",
    "sha256",
    "source",
    "offset",
    "password",
    "100 %s",
    "host",
    "level",
    "Łódź",
    "tok",
)


def anything(chance: random.Random, depth: int = 0) -> Any:
    if depth < 2 and chance.random() < 0.15:
        return {chance.choice(NAMES): anything(chance, depth + 1) for _ in range(2)}
    if depth < 2 and chance.random() < 0.1:
        return [anything(chance, depth + 1), anything(chance, depth + 1)]
    numbers = (0, -1, 2**70, True, False, None, 1.5, float("nan"), float("inf"), b"\xff", {1: "token=x"}, {"token=x"})
    return chance.choice(TEXTS) if chance.random() < 0.7 else chance.choice(numbers)


def plain_line(text: str, fields: Mapping[str, Any], record: logging.LogRecord) -> str:
    """What a line is, made as it is said to be."""
    said = {**fields, "event": text}
    shown = {name: said[name] for name in ("message_id", "sha256") if isinstance(said.get(name), str)}
    at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    own = {"timestamp": at, "level": record.levelname.lower(), "logger": record.name, "process": record.process}
    line = json.dumps(masked_fields(said) | shown | origin() | own, sort_keys=True)
    return line.replace("\x7f", "\\u007f")


def record_of(text: str, fields: Mapping[str, Any], chance: random.Random) -> logging.LogRecord:
    record = logging.makeLogRecord({"name": chance.choice(("ingest", "log")), "msg": "%s", "args": (text,)})
    record.levelname, record.created = chance.choice(("INFO", "WARNING")), chance.random() * 2e9
    record.__dict__.update(fields)
    return record


@pytest.mark.parametrize("seed", range(5))
def test_a_line_is_byte_for_byte_what_json_makes_of_its_masked_fields(seed: int) -> None:
    chance, form = random.Random(seed), Json()
    for _ in range(1_000):
        text = chance.choice(TEXTS)
        fields = {name: anything(chance) for name in chance.sample(NAMES[1:], chance.randrange(6))}
        record = record_of(text, fields, chance)
        assert form.format(record) == plain_line(text, fields, record)


@pytest.mark.parametrize("seed", range(5))
def test_lines_made_together_are_those_of_single_messages(seed: int) -> None:
    chance, together, single = random.Random(seed), Json(), Json()
    names = chance.sample(NAMES[1:], 4)
    said = [(chance.choice(TEXTS), {name: anything(chance) for name in names}) for _ in range(200)]
    lines = together.lines("ingest", said)
    assert len(lines) == len(said)
    for line, (text, fields) in zip(lines, said, strict=True):
        record = record_of(text, fields, chance)
        record.name, record.levelname = "ingest", "INFO"
        assert without_time(line) == without_time(single.format(record))


def without_time(line: str) -> str:
    return re.sub(r'"timestamp": "[^"]*"', "", line)


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["mysql", "--password", "hunter2", "db"], ["mysql", "--password", "***", "db"]),
        (("--client-secret", 17, "--user", "ann"), ["--client-secret", "***", "--user", "ann"]),
        (["--api-key", "--token", "hunter2"], ["--api-key", "***", "***"]),
        (["--conf", "spark.authenticate.secret", "hunter2"], ["--conf", "spark.authenticate.secret", "***"]),
        ([["--password", ["hunter2"]], "x"], [["--password", "***"], "x"]),
        (["--password", None, "x", "--password"], ["--password", None, "x", "--password"]),
        (["token", "5y", "no --password", "x"], ["token", "5y", "no --password", "x"]),
    ],
)
def test_a_word_of_a_list_behind_an_option_that_names_a_secret_is_masked_and_no_other(words: Any, shown: Any) -> None:
    line = Json().format(record_of("a", {"cmd": words}, random.Random(0)))
    assert json.loads(line)["cmd"] == shown
