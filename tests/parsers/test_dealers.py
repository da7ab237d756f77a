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


OTHER = '["other.org"]\nname = "Other"\n'
BANK = '["bank.example"]\nname = "Bank"\n'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('["a.com"]\nregion = "europe"', '1: ["a.com"] needs a name'),
        ('["a.com"]\nname = ""', '2: ["a.com"] needs a name'),
        (BANK + 'colour = "red"', "3: [\"bank.example\"] has an unknown key 'colour'"),
        (BANK + '["a.com"]\nname = "A"\nregion = "mars"', "5: [\"a.com\"] region 'mars' is none of"),
        (BANK + 'zone = "Mars/Olympus"', "3: [\"bank.example\"] zone 'Mars/Olympus' is no IANA time zone"),
        (BANK + 'zone = "Europe"', "3: [\"bank.example\"] zone 'Europe'"),
        (BANK + 'class = "gold"', "3: [\"bank.example\"] class 'gold' is no asset class"),
        (BANK + 'currency = "euro"', "3: [\"bank.example\"] currency 'euro' is no code of a currency"),
        (BANK + 'currency = "EUF"', "3: [\"bank.example\"] currency 'EUF' is no code of a currency"),
        (
            BANK + '["Bank.example"]\nname = "A"',
            "3: [\"Bank.example\"] is written twice, as 'bank.example' in lower case",
        ),
        (BANK + 'measure = "price"', "3: [\"bank.example\"] measure 'price' is no quote type"),
        (BANK + 'sides = "bid"', "3: [\"bank.example\"] sides 'bid' is none of bid/ask, ask/bid"),
        (BANK + "unit = 10", '3: ["bank.example"] unit 10 is none of 1, 1000, 1000000, 1000000000'),
        (BANK + 'thirty_seconds = "yes"', '3: ["bank.example"] thirty_seconds must be true or false'),
        (BANK + 'words = "bid"', '3: ["bank.example"] words must be a table of words'),
        (BANK + 'words = { "wir nehmen" = "gorp" }', "3: [\"bank.example\"] words: 'wir nehmen' is said to be 'gorp'"),
        (
            BANK + '\nwords.nehme = "bid"\nwords."ich gebe" = 1',
            "5: [\"bank.example\"] words: 'ich gebe' is said to be 1",
        ),
        (
            BANK + '["bank.example".columns]\n# his\nmenge = "size"\nkurs = "gorp"',
            "6: [\"bank.example\"] columns: 'kurs' is said to be 'gorp', which is no heading that otclog knows",
        ),
        ('["a.com"]\nname = 1', '2: ["a.com"] name must be text'),
        ("# all\na = 1", '2: ["a"] must be a table'),
        ('["a.com"\nname = 1', "1: no TOML: "),
        (BANK + "zone = Europe/Berlin", "3: no TOML: Invalid value; up to the next [entry] left out"),
        (BANK + BANK, '3: ["bank.example"] stands twice'),
    ],
)
def test_a_slip_names_file_line_entry_and_key_and_all_else_holds(text: str, complaint: str) -> None:
    found = Dealers.parse(f"{text}\n{OTHER}")
    assert [slip[: len(complaint) + 13] for slip in found.slips] == [f"dealers.toml:{complaint}"]
    assert found.entries["other.org"].name == "Other"
    if text.startswith(BANK) and "no TOML" not in complaint:
        assert found.entries["bank.example"].name == "Bank"


def test_an_entry_that_is_left_out_is_told_beside_what_else_is_wrong_in_it() -> None:
    for text in ('["a.com"]\ncolour = "red"\n', '[a.com]\nname = "A"\n'):
        told = Dealers.parse(text).slips
        assert any("needs a name: all of it is left out" in slip for slip in told), told
    (alone,) = Dealers.parse('["a.com"]\nname = 1\n').slips
    assert alone == 'dealers.toml:2: ["a.com"] name must be text'


def test_a_slip_in_one_word_leaves_the_others_as_they_are() -> None:
    found = Dealers.parse(BANK + 'currency = "EUR"\nwords = { a = "gorp", B = "bid" }\n')
    assert (found.entries["bank.example"].currency, found.entries["bank.example"].words) == ("EUR", (("b", "bid"),))


def test_the_packaged_table_and_a_file_are_read(tmp_path: Path) -> None:
    assert Dealers.load(None).entries
    path = tmp_path / "own.toml"
    path.write_text(TABLE, "utf-8")
    assert Dealers.load(path) == Dealers.parse(TABLE)


def test_a_table_that_is_not_there_is_refused_as_a_setting_by_its_key(tmp_path: Path) -> None:
    missing = tmp_path / "none.toml"
    with pytest.raises(DealerTableError, match=rf"^\[parsers\] dealers: {missing}: No such file or directory$") as it:
        Dealers.load(missing)
    assert it.value.exit_code == 2


def test_the_entry_on_the_page_about_new_dealers_can_be_used() -> None:
    page = (Path(__file__).parents[2] / "docs" / "new-dealer.md").read_text("utf-8")
    (entry,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    found = Dealers.parse(entry).lookup("kurse@bank.example")
    assert found is not None
    assert (found.name, found.region, str(found.zone)) == ("Bank", "europe", "Europe/Berlin")
