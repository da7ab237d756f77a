from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from parsers.scoring.dump import NoDump, counts, differences, dumped, require_dump_of

QUOTE: dict[str, Any] = {
    "kind": "quote",
    "part_path": "1",
    "description": "ABC 5 30",
    "quote_type": "price_pct",
    "bid": "98",
    "line": 3,
}
REFUSED: dict[str, Any] = {"kind": "reject", "level": "row", "part_path": "1", "locator": "line 5", "code": "NO_LEVEL"}


def kinds(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.kind, one.fields if one.kind == "changed" else ()) for one in differences(before, now)]


def test_the_order_of_lines_is_no_change() -> None:
    other = QUOTE | {"line": 4, "description": "DEF 4 31"}
    assert kinds([QUOTE, other, REFUSED], [REFUSED, other, QUOTE]) == []


def test_one_of_two_that_are_alike_is_lost() -> None:
    assert kinds([QUOTE, QUOTE], [QUOTE]) == [("lost", ())]


def test_any_field_that_changes_is_told_also_one_that_no_truth_has() -> None:
    assert kinds([QUOTE], [QUOTE | {"flags": ["crossed"], "bid": "99"}]) == [("changed", ("bid", "flags"))]


def test_a_quote_whose_type_is_another_has_changed_and_was_not_lost() -> None:
    assert kinds([QUOTE], [QUOTE | {"quote_type": "price_unit"}]) == [("changed", ("quote_type",))]


def test_a_refusal_with_another_code_has_changed_and_one_in_another_place_is_another() -> None:
    assert kinds([REFUSED], [REFUSED | {"code": "CROSSED"}]) == [("changed", ("code",))]
    assert kinds([REFUSED], [REFUSED | {"locator": "line 6"}]) == [("lost", ()), ("added", ())]


def test_a_quote_that_became_a_refusal_was_lost() -> None:
    found = differences([QUOTE], [REFUSED])
    assert counts(found) == {"added": 1, "lost": 1, "changed": 0}


def test_a_dump_is_of_the_mails_that_it_has_files_of(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("")
    require_dump_of(["a"], tmp_path)
    for names in (["a", "b"], [], ["b"]):
        with pytest.raises(NoDump, match="other mails"):
            require_dump_of(names, tmp_path)


@pytest.mark.parametrize("text", ["[]", '{"kind":"meta"}', "x", '"quote"', "\x00"])
def test_what_parse_does_not_write_is_no_dump(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(text)
    with pytest.raises(NoDump, match="line 1"):
        dumped(tmp_path / "a.jsonl")
