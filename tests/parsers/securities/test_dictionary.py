from __future__ import annotations

import mmap
import random
import tracemalloc
from pathlib import Path

import msgspec
import pytest

from parsers.securities.dictionary import Dictionary, written
from parsers.securities.known import DESCRIBED, Known

LETTERS = "AB1é"


def test_what_is_known_is_found_and_nothing_else_is() -> None:
    draw = random.Random(7)
    for count in (1, 2, 3, 50):
        names = {
            (draw.choice(("isin", "wkn")), "".join(draw.choices(LETTERS, k=draw.randint(1, 4)))) for _ in range(count)
        }
        known = {name: Known(f"S{number % 9}", "corp_ig") for number, name in enumerate(sorted(names))}
        found = Dictionary.open(written(known))
        assert found.keys == len(known)
        for _ in range(300):
            asked = draw.choice(("isin", "wkn")), "".join(draw.choices(LETTERS, k=draw.randint(0, 5)))
            assert found.lookup(*asked) == known.get(asked)
        assert all(found.lookup(*name) == each for name, each in known.items())


def test_half_a_character_of_a_damaged_mail_is_asked_for_in_vain() -> None:
    assert Dictionary.open(written({("wkn", "A"): Known("A")})).lookup("wkn", "\ud800") is None


def test_whatever_is_cut_off_or_is_none_is_refused() -> None:
    whole = written({("isin", "A"): Known("A"), ("isin", "B"): None, (DESCRIBED, "C"): Known("C")})
    for content in (*(whole[:end] for end in range(len(whole))), whole + b"x", b"x" + whole, written({})):
        with pytest.raises(msgspec.DecodeError):
            Dictionary.open(content)
    assert Dictionary.open(b"xy" + whole, 2).whole == whole


def test_of_70000_instruments_nothing_is_read_but_what_is_asked_for(tmp_path: Path) -> None:
    names = [f"XS{number:010}" for number in range(70_000)]
    by_isin = {("isin", name): Known(name, "corp_ig", "EUR", "price_pct") for name in names}
    described = {(DESCRIBED, f"T{name[8:]} 1/2 2046-02-23"): each for (_, name), each in by_isin.items()}
    file = tmp_path / "dictionary"
    file.write_bytes(written(by_isin | described))
    assert file.stat().st_size < 20_000_000
    tracemalloc.start()
    try:
        with file.open("rb") as opened:
            found = Dictionary.open(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ))
        assert all(found.lookup("isin", name) is not None for name in names[::1000])
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()
