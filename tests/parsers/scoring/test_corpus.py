from __future__ import annotations

import json
from pathlib import Path

from parsers.scoring.corpus import Case, Report, cases, report, scored

META = {"kind": "meta", "formats": ["text"], "asset_classes": ["corp_hy"], "language": "en"}
QUOTE = {"kind": "quote", "description": "ABC 5 30", "quote_type": "price_pct", "bid": "98", "ask": "99"}
REFUSAL = {"kind": "reject", "level": "part", "part_path": "2", "code": "IMAGE_ONLY"}


def made() -> Report:
    good = Case("good", META, (QUOTE, REFUSAL))
    silent = Case("silent", META | {"language": "de"}, ())
    return report([scored(good, [QUOTE, REFUSAL]), scored(silent, [QUOTE | {"bid": "7"}])])


def test_a_case_is_a_mail_with_its_truth_beside_it(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_text("Subject: x\n\n")
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, (META, QUOTE))) + "\n")
    (tmp_path / "b.eml").write_text("Subject: no truth\n\n")
    (case,) = cases(tmp_path)
    assert (case.name, case.meta["language"], case.lines) == ("a", "en", (QUOTE,))


def test_mails_are_counted_by_class_format_and_language() -> None:
    found = made()
    assert found.groups["asset_class", "corp_hy"].predicted == 2
    assert found.groups["language", "en"].exact == 1
    assert (found.refusals, found.refusals_found, found.silent, found.spoken) == (1, 1, 1, 1)
    assert [one.case.name for one in found.worst] == ["silent"]


def test_covering_notes_are_not_scored() -> None:
    note = {"kind": "reject", "level": "part", "part_path": "1", "code": "NO_QUOTE_CONTENT"}
    assert scored(Case("x", META, (note,)), []).refusals == 0
