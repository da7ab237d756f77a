from __future__ import annotations

from typing import TYPE_CHECKING

from pipelines.readers.rejects import rejects
from pipelines.readers.show import position
from pipelines.tables.store.folder import Folder

if TYPE_CHECKING:
    from tests.pipelines.conftest import Home


def test_rejects_are_found_by_code_and_level(extracted: Home) -> None:
    root = extracted.tables
    order = ("log_partition", "log_offset", "level", "code", "detail")
    found, stored = (
        sorted(rows, key=lambda row: [row[name] for name in order])
        for rows in (rejects(Folder(root), {}), extracted.rows("rejects"))
    )
    assert [[row[name] for name in (*order, "received_ts", "locator")] for row in found] == [
        [row[name] for name in (*order, "received_ts", "locator")] for row in stored
    ]
    mails = {position(row): (row["sender"], row["subject"]) for row in extracted.rows("mails")}
    assert all((row["sender"], row["subject"]) == mails[position(row)] for row in found)
    locked = list(rejects(Folder(root), {"code": "password_protected", "level": "part"}))
    assert [row["code"] for row in locked] == ["PASSWORD_PROTECTED"]
    assert list(rejects(Folder(root), {"level": "row", "code": "PASSWORD_PROTECTED"})) == []


def test_codes_are_left_out_as_told(extracted: Home) -> None:
    root = extracted.tables
    codes = {row["code"] for row in extracted.rows("rejects")}
    assert codes > {"NO_QUOTE_CONTENT"}
    left = {row["code"] for row in rejects(Folder(root), {"codes_left_out": ["NO_QUOTE_CONTENT", "CALENDAR_INVITE"]})}
    assert left == codes - {"NO_QUOTE_CONTENT", "CALENDAR_INVITE"}
