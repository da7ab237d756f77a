from __future__ import annotations

from parsers.scoring.corpus import Case, Report, report, scored
from parsers.scoring.rows import rows_of

META = {"kind": "meta", "formats": ["text"], "asset_classes": ["corp_hy"], "language": "en"}
QUOTE = {"kind": "quote", "description": "ABC 5 30", "quote_type": "price_pct", "bid": "98", "ask": "99"}
REFUSAL = {"kind": "reject", "level": "part", "part_path": "2", "code": "IMAGE_ONLY"}


def made() -> Report:
    good = Case("good", META, (QUOTE, REFUSAL))
    silent = Case("silent", META | {"language": "de"}, ())
    return report([scored(good, [QUOTE, REFUSAL]), scored(silent, [QUOTE | {"bid": "7"}])])


def test_rows_have_the_same_keys_whatever_they_say() -> None:
    rows = list(rows_of(made()))
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
    assert rows[0]["recall"] == 1.0
    assert [row["f1"] for row in rows if row["name"] == "ask"] == [1.0]
