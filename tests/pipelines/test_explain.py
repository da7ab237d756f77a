from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pipelines.errors import UnknownRecord
from pipelines.explain import explain, spans
from pipelines.prices import prices

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home


def test_an_explanation_reads_the_mail_back_and_marks_the_levels(extracted: Home) -> None:
    root = extracted.settings.tables.root
    row = next(row for row in prices(root, {}) if row["bid_raw"] and row["ask_raw"] and row["line"])
    found = explain(root, extracted.log, row["record_id"][:16])
    assert found.row == row
    assert found.mail_bytes
    assert "SHA-256 equal" in found.mail_proof
    (start, stop), (ask_start, ask_stop) = found.spans["bid"], found.spans["ask"]
    assert (row["raw_text"][start:stop], row["raw_text"][ask_start:ask_stop]) == (row["bid_raw"], row["ask_raw"])


def test_a_level_that_looks_like_the_coupon_is_marked_in_its_own_place() -> None:
    text = "ACME 5 05/34  5/6  x"
    row = {
        "raw_text": text,
        "bid_raw": "5",
        "ask_raw": "6",
        "mid_raw": None,
        "char_start": 114,
        "char_end": 117,
        "line": 4,
    }
    assert spans(row) == {"bid": (14, 15), "ask": (16, 17)}
    cells = {**row, "raw_text": "5\tACME\t5\t6", "char_start": 7, "char_end": 10, "line": None}
    assert spans(cells) == {"bid": (7, 8), "ask": (9, 10)}


def test_an_unknown_or_ambiguous_record_says_so(extracted: Home) -> None:
    with pytest.raises(UnknownRecord, match="no published quote"):
        explain(extracted.settings.tables.root, extracted.log, "zz")
    with pytest.raises(UnknownRecord, match="give more"):
        explain(extracted.settings.tables.root, extracted.log, "")
