from __future__ import annotations

import re
from pathlib import Path

import pytest

from parsers.dealers import Dealers, DealerTableError

TABLE = """
["example.com"]
name = "Example Securities"
region = "north_america"
zone = "America/New_York"

["munis@example.com"]
name = "Example Munis"
class = "us_muni"
"""


def test_an_address_goes_before_its_domain_and_a_domain_serves_those_under_it() -> None:
    dealers = Dealers.parse(TABLE)
    named = {
        address: dealers.lookup(address) for address in ("munis@example.com", "A@Example.com", "b@desk.example.com")
    }
    assert [dealer.name if dealer else None for dealer in named.values()] == [
        "Example Munis",
        "Example Securities",
        "Example Securities",
    ]


def test_an_unknown_sender_is_named_by_its_domain() -> None:
    found = Dealers.parse(TABLE).lookup("x@other.org")
    assert found is not None
    assert (found.name, found.region) == ("other.org", "unknown")
    assert Dealers.parse(TABLE).lookup("") is None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('["a.com"]\nregion = "europe"', 'dealers.toml:1: ["a.com"] needs a name'),
        ('["a.com"]\nname = "A"\ncolour = "red"', "dealers.toml:3: [\"a.com\"] has an unknown key 'colour'"),
        ('["b.com"]\nname = "B"\n["a.com"]\nname = "A"\nregion = "mars"', "dealers.toml:5: [\"a.com\"] region 'mars'"),
        ('["a.com"]\nname = "A"\nzone = "Mars/Olympus"', "dealers.toml:3: [\"a.com\"] zone 'Mars/Olympus'"),
        ('["a.com"]\nname = "A"\nzone = "Europe"', "dealers.toml:3: [\"a.com\"] zone 'Europe'"),
        ('["a.com"]\nname = "A"\nclass = "gold"', "dealers.toml:3: [\"a.com\"] class 'gold'"),
        ('["a.com"]\nname = 1', 'dealers.toml:2: ["a.com"] name must be text'),
        (
            '["b.com"]\nname = "B"\n[a.com]\nname = "A"',
            "dealers.toml:3: [\"a\"] has a table 'com': a domain is written in quotes",
        ),
        ("# all\na = 1", 'dealers.toml:2: ["a"] must be a table'),
        ('["a.com"\nname = 1', "dealers.toml: .*at line 1"),
    ],
)
def test_an_unusable_table_names_file_line_entry_and_key(text: str, complaint: str) -> None:
    with pytest.raises(DealerTableError, match=complaint.replace("[", r"\[")):
        Dealers.parse(text)


def test_the_packaged_table_and_a_file_are_read(tmp_path: Path) -> None:
    assert Dealers.load(None).entries
    path = tmp_path / "own.toml"
    path.write_text(TABLE, "utf-8")
    assert Dealers.load(path) == Dealers.parse(TABLE)


def test_the_entry_on_the_page_about_new_dealers_can_be_used() -> None:
    page = (Path(__file__).parents[2] / "docs" / "new-dealer.md").read_text("utf-8")
    (entry,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    found = Dealers.parse(entry).lookup("kurse@bank.example")
    assert found is not None
    assert (found.name, found.region, str(found.zone)) == ("Bank", "europe", "Europe/Berlin")
