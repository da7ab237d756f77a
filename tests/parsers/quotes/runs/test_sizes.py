from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from parsers.codes import Flag
from parsers.quotes.draft import Draft
from parsers.quotes.runs import RunResult

Runs = Callable[..., RunResult]


def one(runs: Runs, text: str) -> Draft:
    (draft,) = runs(text).drafts
    return draft


@pytest.mark.parametrize(
    ("line", "bid", "ask"),
    [
        ("XYZ 5 03/34 98/99 2x5", 2, 5),
        ("XYZ 5 03/34 98/99 2mm", 2, 2),
        ("XYZ 5 03/34 98 bid, 5mm", 5, None),
        ("XYZ 5 03/34 @ 99 5mm", None, 5),
        ("XYZ 5 03/34 98/99 2mm 5mm", 2, 5),
    ],
)
def test_one_size_counts_for_the_sides_there_are(runs: Runs, line: str, bid: int | None, ask: int | None) -> None:
    sizes = one(runs, f"HY RUN\n{line}\n").sizes
    assert (sizes.bid, sizes.ask) == tuple(side * 1_000_000 if side else None for side in (bid, ask))


def test_a_list_of_bids_wanted_has_bid_sizes_and_one_of_offers_ask_sizes(runs: Runs) -> None:
    wanted = one(runs, "CLO BWIC\n67592CAA4 OCT67 2023-1A A1 5mm talk mid 90s\n")
    offered = one(runs, "CLO OWIC\n67592CAA4 OCT67 2023-1A A1 5mm talk mid 90s\n")
    assert (wanted.sizes.bid, wanted.sizes.ask) == (Fraction(5_000_000), None)
    assert (offered.sizes.bid, offered.sizes.ask) == (None, Fraction(5_000_000))


def test_a_munis_quantity_is_in_thousands(runs: Runs) -> None:
    assert one(runs, "MUNIS\n500 CALIF ST GO 5s 34 3.45/3.40\n").sizes.bid == 500_000
    assert one(runs, "MUNI BIDS, sizes in M\n500 CALIF ST GO 5s 34 3.45 bid\n").sizes.bid == 500_000


def test_a_headings_unit_is_not_assumed(runs: Runs) -> None:
    told = one(runs, "HY RUN - sizes in mm\nXYZ 5 03/34 98/99 2x5\n")
    assumed = one(runs, "HY RUN\nXYZ 5 03/34 98/99 2x5\n")
    assert Flag.size_unit_assumed not in told.sizes.flags
    assert Flag.size_unit_assumed in assumed.sizes.flags


@pytest.mark.parametrize(
    ("line", "size"),
    [
        ("Acme $750mm TLB S+325 99 1/4-99 3/4", None),
        ("Acme TLB 99.25/99.75 (750mm)", None),
        ("Acme $1.2bn TLB S+325 99 1/4-99 3/4 3x3", 3_000_000),
        ("Acme TLB 5mm S+325 99 1/4-99 3/4", 5_000_000),
    ],
)
def test_a_loans_facility_is_no_size_of_either_side(runs: Runs, line: str, size: int | None) -> None:
    sizes = one(runs, f"LOAN RUN\n{line}\n").sizes
    assert (sizes.bid, sizes.ask) == (size, size)


def test_the_money_of_a_facility_is_the_loans(runs: Runs) -> None:
    assert one(runs, "LOAN RUN\nAcme €750mm TLB 99 1/4-99 3/4\n").instrument.currency == "EUR"
