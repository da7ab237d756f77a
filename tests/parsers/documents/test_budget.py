from __future__ import annotations

import pytest

from parsers.codes import Code
from parsers.documents.budget import MAX_MEMBERS, MAX_RATIO, MAX_TOTAL_BYTES, Budget
from parsers.documents.unreadable import Unreadable


def test_members_are_counted_over_all_containers() -> None:
    budget = Budget()
    for _ in range(MAX_MEMBERS):
        budget.member()
    with pytest.raises(Unreadable) as refused:
        budget.member()
    assert refused.value.code is Code.ARCHIVE_LIMIT


def test_bytes_are_counted_over_all_members() -> None:
    budget = Budget()
    budget.unpacked(MAX_TOTAL_BYTES, 10, 10)
    with pytest.raises(Unreadable, match="bytes unpacked"):
        budget.unpacked(1, 1, 1)


def test_a_small_member_may_be_packed_as_well_as_it_can_and_a_large_one_not() -> None:
    budget = Budget()
    budget.unpacked(2**20, 2**20, 1)
    budget.unpacked(1, 2**20 + 1, 2**20)
    with pytest.raises(Unreadable, match=f"{MAX_RATIO}:1"):
        budget.unpacked(1, 2**20 + 1, 2**20 // MAX_RATIO)
