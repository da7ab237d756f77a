from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import tzdata

from parsers.values.times.moments import UNKNOWN_ZONE
from parsers.values.times.zones import is_zone, zone_of
from parsers.words import words_of

ROOT = Path(__file__).resolve().parents[4]
QUOTED = """
from parsers.parse import parse_mail
from parsers.taught import Taught
mail = b"From: a@b.example\\nDate: Fri, 20 Nov 2026 16:00:00 +0000\\n\\nas of 10:30 NY\\nACME 5 03/15/34 98.25/98.75\\n"
print(*(quote.quote_ts for quote in parse_mail(mail, Taught.load(None)).quotes))
"""


def quoted(zones: str) -> str:
    """When a mail's price was quoted, read by a process that looks for zones there first."""
    environ = os.environ | {"PYTHONTZPATH": zones}
    done = subprocess.run(
        [sys.executable, "-c", QUOTED], cwd=ROOT, env=environ, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.slow
def test_a_time_is_read_alike_on_machines_with_other_zone_databases_or_none(tmp_path: Path) -> None:
    tokyo = Path(tzdata.__file__).parent / "zoneinfo" / "Asia" / "Tokyo"
    (tmp_path / "America").mkdir()
    (tmp_path / "America" / "New_York").write_bytes(tokyo.read_bytes())
    assert quoted(str(tmp_path)) == quoted("") == "2026-11-20 15:30:00+00:00"


def test_every_zone_that_desks_print_is_there() -> None:
    printed = words_of(str(ROOT / "parsers" / "values" / "times" / "moments.py"), "zones").keys() - {UNKNOWN_ZONE}
    assert len(printed) > 10
    assert [name for name in printed if not is_zone(name)] == []


def test_a_zone_has_its_offsets_in_summer_and_winter() -> None:
    january, july = (datetime(2026, month, 1, 12, tzinfo=UTC) for month in (1, 7))
    assert [at.astimezone(zone_of("Europe/London")).hour for at in (january, july)] == [12, 13]
    assert isinstance(zone_of("UTC"), ZoneInfo)


@pytest.mark.parametrize(
    "name", ["", "Europe", "Mars/Base", "../zones", "/usr/share/zoneinfo/UTC", "UTC/../UTC", "utc"]
)
def test_what_is_no_name_of_a_zone_is_none(name: str) -> None:
    assert not is_zone(name)
    with pytest.raises(KeyError):
        zone_of(name)
