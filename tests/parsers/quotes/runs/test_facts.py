from __future__ import annotations

import time

import pytest

from parsers.quotes.runs.cutting.facts import without_facts


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("XYZ 7 PERP 98.25/98.75  52-week range 85.00-99.75", "XYZ 7 PERP 98.25/98.75"),
        ("XYZ 7 PERP 52wk hi/lo 99.75/85.00", "XYZ 7 PERP"),
        ("XYZ 7 PERP ytd low 91.5", "XYZ 7 PERP"),
        ("XYZ 7 PERP +0.25 / -0.50 today", "XYZ 7 PERP"),
        ("XYZ 7 PERP up 0.50 on day", "XYZ 7 PERP"),
        ("XYZ 7 PERP 98/99 up 0.25 / down 0.50 on the day", "XYZ 7 PERP 98/99"),
        ("XYZ 7 PERP 98/99 down 2 bps today", "XYZ 7 PERP 98/99"),
        ("XYZ 7 PERP bids due 10:30 / 11:45 London", "XYZ 7 PERP bids due 10:30 London"),
        ("XYZ 7 PERP 5mm / 10mm", "XYZ 7 PERP 5mm 10mm"),
        ("XYZ order book 4.5bn / 500mm", "XYZ order book 4.5bn 500mm"),
        ("XYZ 7 PERP pays 15/6 15/12", "XYZ 7 PERP"),
        ("XYZ 7 PERP next cpn 01/03", "XYZ 7 PERP"),
        ("XYZ 7 PERP coupon dates 15/6 & 15/12", "XYZ 7 PERP"),
        ("XYZ 7 PERP min denom 200/1", "XYZ 7 PERP"),
        ("XYZ A1 LTV 45/55", "XYZ A1"),
        ("WAL: 5.5 - 6.0", ""),
        ("CE 12.5/13.5", ""),
        ("XYZ A1 average life 5.5 99.9/100", "XYZ A1 99.9/100"),
        ("XYZ A1 5.5y WAL 99.9/100", "XYZ A1 5.5y WAL 99.9/100"),
        ("XYZ 7 PERP 2mm settle 17/11", "XYZ 7 PERP 2mm"),
        ("Express SX5E 28 Barriere 60 %", "Express SX5E 28"),
        ("XYZ 7 PERP at a redemption price of 101.719% plus accrued", "XYZ 7 PERP at a plus accrued"),
        ("XYZ 7 PERP spread pick-up of 140bp", "XYZ 7 PERP spread"),
        ("XYZ 7 PERP 98/99 for a 25bp give-up", "XYZ 7 PERP 98/99 for a"),
        ("XYZ desk 212-555-0100/0101", "XYZ desk"),
        ("XYZ 7 PERP 98/99 should be 98.5/99.5", "XYZ 7 PERP 98.5/99.5"),
        ("XYZ 7 PERP 98/99 (correction: 98.5/99.5)", "XYZ 7 PERP 98.5/99.5)"),
        ("XYZ 7 PERP +240, should read +230", "XYZ 7 PERP +230"),
        ("EURUSD 1m -12.5/-12.1 -> -12.6/-12.2", "EURUSD 1m -12.6/-12.2"),
        ("XYZ 7 PERP 98/99 soll heißen 98.5/99.5", "XYZ 7 PERP 98.5/99.5"),
    ],
)
def test_what_a_word_makes_no_level_is_blank(line: str, left: str) -> None:
    found = without_facts(line)
    assert " ".join(found.split()) == left
    assert len(found) == len(line)


@pytest.mark.parametrize(
    "line",
    [
        "F 5y +182 today",
        "XYZ 5 03/34 98.25/98.75 should be 5mm",
        "XYZ 5 03/34 98.25 should be bid",
        "F 5y T+182/178 today",
        "AAL 5y 12.5/13.5 pts up +500",
        "MBONO 7.75 Nov-42 9.32/9.28",
        "XYZ 5 03/34 98.25/98.75 2/4mm up",
        "XYZ 5 03/34 98.25/ 5mm",
        "USD SOFR 10y pays 3.81/3.82",
        "XYZ FRN next call 06/28 98.25/98.75",
        "T 4 1/4 99:16/99:17 on the day",
        "USD 3m/6m basis 5/6",
        "CMBS A5 5.2 WAL 98.25",
        "XYZ 5 03/34 bid 98 offer 99 low coupon",
    ],
)
def test_levels_stay(line: str) -> None:
    assert without_facts(line) == line


@pytest.mark.parametrize(
    "piece", ["up 1 ", "52w hi/", "1,1.", "10:30/", "5mm / ", "15/6 ", "+1/-1", "212-", "next cpn "]
)
def test_a_line_without_end_takes_no_time(piece: str) -> None:
    began = time.process_time()
    without_facts(f"range today : mm pays - {piece * (5000 // len(piece))}")
    assert time.process_time() - began < 0.5
