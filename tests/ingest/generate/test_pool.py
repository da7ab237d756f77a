from __future__ import annotations

import io
import zipfile
from datetime import date
from random import Random

from ingest.generate import pool
from ingest.generate.books import books
from ingest.generate.dealers import writers


def test_a_document_is_made_once_and_made_anew_is_the_same_bytes() -> None:
    made = pool.pooled(77, "xlsx", 3)
    assert pool.pooled(77, "xlsx", 3) is made
    pool._KEPT.clear()
    again = pool.pooled(77, "xlsx", 3)
    assert again.attachment == made.attachment
    assert again.quotes == made.quotes


def test_what_another_process_made_is_taken() -> None:
    made = pool.pooled(78, "docx", 1)
    pool._KEPT.clear()
    pool.keep({(78, "docx", 1): made})
    assert pool.pooled(78, "docx", 1) is made


def test_a_document_is_named_in_its_format_and_belongs_to_a_day_of_the_week() -> None:
    for form in ("xlsx", "pdf", "docx"):
        made = pool.pooled(77, form, 5)
        assert made.attachment.name.endswith(f".{form}")
        assert 0 <= (made.day - pool.FIRST_DAY).days < 5
        assert {quote["part_path"] for quote in made.quotes} == {"2"}


def test_sheets_have_the_number_of_quotes_that_is_asked_for_in_the_mean() -> None:
    random = Random(1)
    total = sum(
        len(pool.sheet_of(random, 5, *pool.writer(random), quotes=12, day=date(2026, 11, 18)).levels)
        for _ in range(400)
    )
    assert abs(total / 400 - 12) < 1.2


def test_every_book_is_written_about() -> None:
    random = Random(1)
    assert {pool.writer(random)[1].key for _ in range(6000)} == set(books())
    assert {dealer.domain for dealer, _ in writers()[0]} == {pool.writer(random)[0].domain for _ in range(6000)}


def test_an_archive_holds_the_one_file() -> None:
    with zipfile.ZipFile(io.BytesIO(pool.zipped("a.csv", b"1,2\n"))) as archive:
        assert archive.read("a.csv") == b"1,2\n"
