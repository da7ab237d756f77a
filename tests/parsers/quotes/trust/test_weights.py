"""A file of what factors weigh: whole numbers, limits and rising shares; refused with its line where it is not."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

from parsers.lexicon import WordsBroken
from parsers.quotes.trust.weights import FILE, MOST_STEPS, weights_of

SOUND = """\
[limits]
accepted = 20
review = -20
[shares]
"-20" = "0.400"
"20" = "0.990"
[factors]
"flag.crossed" = -9
"class.subject" = 12
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "weights.toml"
    file.write_text(text, "utf-8")
    return file


def test_the_file_that_comes_with_otclog_is_sound_and_its_limits_begin_shares() -> None:
    found = weights_of(FILE)
    assert 1 < len(found.shares) <= MOST_STEPS
    assert {found.accepted, found.review} <= {least for least, _ in found.shares}
    assert all(found.factors.values())


def test_factors_limits_and_shares_are_as_they_are_written(tmp_path: Path) -> None:
    found = weights_of(written(tmp_path, SOUND))
    assert dict(found.factors) == {"flag.crossed": -9, "class.subject": 12}
    assert (found.accepted, found.review) == (20, -20)
    assert found.shares == ((-20, Decimal("0.400")), (20, Decimal("0.990")))


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ('"flag.crossed"', '"flag.sunny"', 8, "'flag.sunny' is no factor of this lexicon"),
        ('"flag.crossed"', '"weather.sunny"', 8, "'weather.sunny' is no factor of this lexicon"),
        ("= -9", "= -9.5", 8, "'flag.crossed' weighs a whole number"),
        ("= 12", '= "12"', 9, "'class.subject' weighs a whole number"),
        ("accepted = 20\n", "", 1, "the limit 'accepted' is a whole number"),
        ("review = -20", "review = 30", 3, "what is accepted is below the review"),
        ('"20" = "0.990"', '"20" = "0.390"', 6, "shares rise with their sums, up to 1"),
        ('"20" = "0.990"', '"20" = "1.100"', 6, "shares rise with their sums, up to 1"),
        ('"20" = "0.990"', '"-30" = "0.990"', 6, "shares rise with their sums, up to 1"),
        ('"20" = "0.990"', '"20" = "0.99"', 6, "a share has three decimals"),
        ('"-20" = "0.400"', '"-10" = "0.400"', 4, f"there are one to {MOST_STEPS} shares, the first from the limit"),
        ("[factors]", "[facts]", 1, "there is no table [factors]"),
        ("[factors]", "[factors", None, "Expected"),
    ],
)
def test_what_is_no_file_of_weights_is_refused_with_the_line(
    tmp_path: Path, old: str, new: str, line: int | None, told: str
) -> None:
    assert old in SOUND
    file = written(tmp_path, SOUND.replace(old, new, 1))
    place = f":{line}" if line is not None else ""
    with pytest.raises(WordsBroken, match=rf"^{re.escape(str(file))}{place}: {re.escape(told)}"):
        weights_of(file)
