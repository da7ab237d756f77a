from __future__ import annotations

import datetime as dt
import os
import tracemalloc
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from parsers.securities import master, sheets
from parsers.securities.errors import SecuritiesError
from parsers.securities.known import DESCRIBED, Known, described
from parsers.securities.master import load

HEAD = "security_id,isin,cusip,ticker,coupon,maturity,asset_class,currency,unit\n"
APPLE = "APPLE46,US037833BX70,,AAPL,4.65,2046-02-23,corp_ig,USD,price_pct\n"
DEUTSCHE = ",XS2641318121,,ABC,4.5,2028-10-15,covered_bond,EUR,\n"
KNOWN = Known("APPLE46", "corp_ig", "USD", "price_pct")


def file_of(folder: Path, content: str | bytes, name: str = "securities.csv") -> Path:
    file = folder / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


@pytest.mark.parametrize(
    ("kind", "name", "known"),
    [
        ("isin", "US037833BX70", KNOWN),
        ("cusip", "037833BX7", KNOWN),
        *((DESCRIBED, described("AAPL", Fraction("4.65"), due), KNOWN) for due in ("2046", "2046-02", "2046-02-23")),
        ("isin", "XS2641318121", Known("XS2641318121", "covered_bond", "EUR")),
        ("common_code", "264131812", Known("XS2641318121", "covered_bond", "EUR")),
        ("cusip", "US037833BX70", None),
        ("isin", "US037833BX7", None),
        ("isin", "", None),
        (DESCRIBED, described("AAPL", Fraction("4.65"), "2046-02-24"), None),
        (DESCRIBED, described("AAPL", Fraction("4.5"), "2046"), None),
        (DESCRIBED, described("AAP", Fraction("4.65"), "2046"), None),
    ],
)
def test_an_instrument_is_known_by_its_identifiers_the_number_in_its_isin_and_what_describes_it(
    kind: str, name: str, known: Known | None, tmp_path: Path
) -> None:
    assert load(file_of(tmp_path, HEAD + APPLE + DEUTSCHE)).lookup(kind, name) == known


def test_what_describes_several_instruments_names_none_of_them(tmp_path: Path) -> None:
    of_rule_144a = APPLE.replace("APPLE46,US037833BX70", "APPLE46A,US0378331005")
    in_march = APPLE.replace("APPLE46,US037833BX70", "APPLE46M,US5949181045").replace("-02-23", "-03-23")
    found = load(file_of(tmp_path, HEAD + APPLE + of_rule_144a + in_march))

    def known(due: str) -> str | None:
        it = found.lookup(DESCRIBED, described("AAPL", Fraction("4.65"), due))
        return it.security_id if it is not None else None

    assert [known(due) for due in ("2046-02-23", "2046-02", "2046")] == [None, None, None]
    assert [known(due) for due in ("2046-03-23", "2046-03")] == ["APPLE46M", "APPLE46M"]
    assert found.lookup("isin", "US037833BX70") == KNOWN


def test_equal_masters_are_equal_dictionaries_in_whatever_form_and_order_they_are_written(tmp_path: Path) -> None:
    plain = HEAD + APPLE + DEUTSCHE
    cells = [dict(zip(HEAD.strip().split(","), line.strip().split(","), strict=True)) for line in (APPLE, DEUTSCHE)]
    typed = [
        cell | {"coupon": Decimal(f"{cell['coupon']:0<14}"), "maturity": dt.date.fromisoformat(cell["maturity"])}
        for cell in cells
    ]
    floating = [cell | {"coupon": float(cell["coupon"]), "of_others": [1]} for cell in cells]
    wider = plain.replace("\n", ",x\n").replace("unit,x", "unit,Notes", 1).replace("isin", " ISIN ")
    forms = [
        plain,
        HEAD + DEUTSCHE + APPLE + APPLE + "\n\n",
        "\ufeff" + plain.replace(",", ";").replace("\n", "\r\n"),
        plain.replace(",", "\t"),
        wider,
        plain.replace("APPLE46", '" APPLE46 "'),
    ]
    files = [file_of(tmp_path, text, f"{number}.csv") for number, text in enumerate(forms)]
    for number, rows in enumerate((cells, typed, floating)):
        files.append(tmp_path / f"{number}.parquet")
        pq.write_table(pa.Table.from_pylist(rows), files[-1])
    assert len({load(file).whole for file in files}) == 1


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (
            APPLE + APPLE.replace("corp_ig", "corp_hy"),
            "line 3: isin US037833BX70 has asset_class corp_hy here, and corp_ig in line 2",
        ),
        (APPLE + "APPLE46,,037833BX7,,,,corp_ig,USD,price_pct\n", None),
        (
            APPLE + "APPLE46,,037833BX7,,,,preferred,USD,price_pct\n",
            "line 2: cusip 037833BX7 has asset_class corp_ig here, and preferred in line 3",
        ),
        (
            ",,037833BX7,,,,corp_ig,USD,price_pct\n" + APPLE,
            "line 3: cusip 037833BX7 has security_id APPLE46 here, and 037833BX7 in line 2",
        ),
        (
            ",US037833BX70,037833BX7,,,,corp_ig,,\n,,037833BX7,,,,corp_ig,,\n",
            "line 3: cusip 037833BX7 has security_id 037833BX7 here, and US037833BX70 in line 2",
        ),
        (APPLE.replace("BX70", "BX71"), "line 2: isin 'US037833BX71' is none: its form or check digit is wrong"),
        (APPLE.replace("corp_ig", "bond"), "line 2: asset_class 'bond' is none"),
        (APPLE.replace("corp_ig", "unknown"), "line 2: asset_class 'unknown' is none"),
        (APPLE.replace("USD", "Dollar"), "line 2: currency 'Dollar' is no code of a currency"),
        (APPLE.replace("price_pct", "yield_pct"), "line 2: unit 'yield_pct' is none of price_pct, price_unit"),
        (APPLE.replace("4.65", "4,65"), "line 2: has 10 cells under 9 headings"),
        (APPLE.replace("4.65", '"4,65"'), "line 2: coupon '4,65' is no percentage, as 4.65"),
        (APPLE.replace("2046-02-23", "2046-02-30"), "line 2: maturity '2046-02-30' is no day, as 2046-02-23"),
        (APPLE.replace("AAPL", "AAPL US"), "line 2: ticker 'AAPL US' is none"),
        (",,,AAPL,4.65,2046-02-23,corp_ig,,\n", "line 2: has neither an identifier nor a security_id"),
        (APPLE.replace("APPLE46", "A" * 201), "line 2: security_id is no text of at most 200 letters"),
        (APPLE.replace("APPLE46", "A\x00"), "line 2: security_id is no text of at most 200 letters"),
        (APPLE.replace("APPLE46", '"A\nB"') + "x", "line 2: security_id is no text of at most 200 letters"),
        (APPLE + DEUTSCHE.replace("ABC", '"ABC'), "line 3: "),
        (APPLE + '"' + "A" * 200_000, "line 3: "),
        ("\n\n", "has no instruments"),
    ],
)
def test_what_is_wrong_or_contradicts_itself_is_refused_with_the_file_and_the_line(
    rows: str, told: str | None, tmp_path: Path
) -> None:
    file = file_of(tmp_path, HEAD + rows)
    if told is None:
        assert load(file).lookup("cusip", "037833BX7") == KNOWN
        return
    with pytest.raises(SecuritiesError) as refused:
        load(file)
    assert str(refused.value).startswith(f"{file}: {told}")


def test_the_first_ten_wrong_lines_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(SecuritiesError) as refused:
        load(file_of(tmp_path, HEAD + APPLE.replace("BX70", "BX71") * 12))
    assert [told.split(":")[0] for told in str(refused.value).partition(": ")[2].split("; ")] == [
        f"line {line}" for line in range(2, 12)
    ]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (HEAD.encode() + APPLE.encode() + b"\xff\n", "line 3: is not in UTF-8"),
        (HEAD.replace("cusip", "isin"), "has the column isin twice"),
        (b"", "has no instruments"),
        (b"PAR1", "is no Parquet file that can be read: "),
        (b"PAR1" + b"\x00" * 100 + b"PAR1", "is no Parquet file that can be read: "),
        (b"\x89PNG\r\n\x1a\n\x00", "line 1: is not in UTF-8"),
    ],
)
def test_what_is_no_sheet_is_refused(content: str | bytes, told: str, tmp_path: Path) -> None:
    file = file_of(tmp_path, content)
    with pytest.raises(SecuritiesError) as refused:
        load(file)
    assert str(refused.value).startswith(f"{file}: {told}")


def test_a_pipe_and_a_folder_are_no_files_and_nobody_waits_for_them(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", tmp_path, Path("/dev/zero")):
        with pytest.raises(SecuritiesError, match=f"{place}: is no file"):
            load(place)
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.csv")


def test_what_has_too_many_rows_or_bytes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "MOST_ROWS", 2)
    assert load(file_of(tmp_path, HEAD + APPLE + DEUTSCHE)).records == 2
    with pytest.raises(SecuritiesError, match="has more than 2 rows"):
        load(file_of(tmp_path, HEAD + APPLE * 3))
    monkeypatch.setattr(sheets, "MOST_BYTES", 2**20)
    with pytest.raises(SecuritiesError, match="has more than 1 MiB"):
        load(file_of(tmp_path, HEAD + " " * 2**20))


def parquet(folder: Path, columns: dict[str, pa.Array], name: str = "securities.parquet") -> Path:
    pq.write_table(pa.table(columns), folder / name, compression="zstd")
    return folder / name


@pytest.mark.slow
def test_a_parquet_file_that_swells_is_refused_before_it_does(tmp_path: Path) -> None:
    many = sheets.MOST_ROWS + 1
    equal = parquet(tmp_path, {"isin": pa.array(["US037833BX70"] * many)}, "equal.parquet")
    assert equal.stat().st_size < 10_000
    wide = pa.DictionaryArray.from_arrays(pa.array([0] * 200_000, pa.int32()), pa.array(["A" * 1_000_000]))
    long = parquet(tmp_path, {"isin": wide}, "long.parquet")
    assert long.stat().st_size < 20_000
    plain = tmp_path / "plain.parquet"
    pq.write_table(pa.table({"isin": ["A" * 3_000_000] * 200}), plain, compression="zstd", use_dictionary=False)
    for file, told in (
        (equal, "more than 300000 rows"),
        (long, "a text of more than 200 letters"),
        (plain, "unpacks to more than"),
    ):
        with pytest.raises(SecuritiesError, match=told):
            load(file)


def lying(file: Path) -> int:
    """Let the file say that it unpacks to nothing; the bytes that it said before."""
    chunk = pq.read_metadata(file).row_group(0).column(0)
    content, number = file.read_bytes(), chunk.total_uncompressed_size * 2  # zigzag
    digits = []
    while number:
        digits.append(number & 0x7F | 0x80)
        number >>= 7
    told = bytes([*digits[:-1], digits[-1] & 0x7F])
    foot = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    nothing = b"\x82" + b"\x80" * (len(told) - 2) + b"\x00"
    file.write_bytes(content[:foot] + content[foot:].replace(told, nothing))
    return int(chunk.total_uncompressed_size)


def test_a_parquet_file_that_lies_of_what_it_unpacks_to_costs_no_more_than_it_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "lying.parquet"
    pq.write_table(pa.table({"isin": ["A" * 1_000_000] * 100}), file, compression="zstd", use_dictionary=False)
    assert lying(file) > 100_000_000
    assert pq.read_metadata(file).row_group(0).column(0).total_uncompressed_size == 1
    assert file.stat().st_size < 20_000
    monkeypatch.setattr(sheets, "MEMORY_BYTES", 50 * 2**20)
    with pytest.raises(SecuritiesError, match="is no Parquet file that can be read: "):
        load(file)
    monkeypatch.undo()
    os.utime(file)  # what was refused is remembered
    with pytest.raises(SecuritiesError, match="a text of more than 200 letters"):
        load(file)


def test_a_parquet_file_whose_few_texts_stand_in_many_rows_is_held_a_row_at_a_time_and_ended_where_it_swells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("security_id", "ticker", "asset_class", "currency", "unit", "wkn", "valor")
    wide = pa.DictionaryArray.from_arrays(pa.array([0] * 3_000, pa.int32()), pa.array(["€" * 200]))
    content = parquet(tmp_path, dict.fromkeys(names, wide)).read_bytes()
    assert len(content) < 20_000
    tracemalloc.start()
    try:
        assert sum(1 for _ in sheets.rows_of(content, names)) == 3_000
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    monkeypatch.setattr(sheets, "SWELLS_TO", 10 * 2**20)
    rows = sheets.rows_of(content, names)
    places: list[str] = []
    with pytest.raises(SecuritiesError, match="unpacks to more than 10 MiB"):
        places.extend(place for place, _ in rows)
    assert 2_000 < len(places) < 3_000  # of 4,228 bytes each


@pytest.mark.parametrize(
    ("column", "told"),
    [
        (pa.array([["US037833BX70"]]), "the column isin is of list"),
        (pa.array([{"a": "US037833BX70"}]), "the column isin is of struct"),
        (pa.array([b"US037833BX70"]), "the column isin is of binary"),
        (pa.array([True]), "the column isin is of bool"),
        (pa.array(["US037833BX71"]), "row 1: isin 'US037833BX71' is none"),
        (pa.array([None], pa.string()), "row 1: has neither"),
        (
            pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xfe")]),
            "is no Parquet file that can be read: ",
        ),
    ],
)
def test_a_parquet_file_with_other_than_text_numbers_and_dates_is_refused(
    column: pa.Array, told: str, tmp_path: Path
) -> None:
    with pytest.raises(SecuritiesError) as refused:
        load(parquet(tmp_path, {"isin": column}))
    assert str(refused.value).partition(": ")[2].startswith(told)


def replaced(file: Path, content: str) -> None:
    """Put another file of the same age into its place."""
    other = file_of(file.parent, content, "other.csv")
    os.utime(other, ns=(file.stat().st_atime_ns, file.stat().st_mtime_ns))
    other.replace(file)


def test_a_file_right_or_wrong_is_read_again_once_it_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[Path] = []

    def reading(path: Path) -> bytes:
        reads.append(path)
        return sheets.content_of(path)

    monkeypatch.setattr(master, "content_of", reading)
    file = file_of(tmp_path, HEAD + APPLE)
    assert load(file) is load(file)
    replaced(file, HEAD + APPLE.replace("corp_ig", "bond"))
    for _ in range(2):
        with pytest.raises(SecuritiesError, match=r"securities\.csv: line 2: asset_class 'bond' is none"):
            load(file)
    assert reads == [file] * 2
    replaced(file, HEAD + APPLE.replace("corp_ig", "corp_hy"))
    again = load(file).lookup("isin", "US037833BX70")
    assert again is not None
    assert again.asset_class == "corp_hy"
