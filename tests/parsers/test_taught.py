from __future__ import annotations

import hashlib
import pickle
from pathlib import Path

import msgspec
import pytest

from parsers.account import account
from parsers.codes import Flag
from parsers.dealers import Dealers
from parsers.parse import parse_mail
from parsers.sandbox import SandboxOptions
from parsers.securities.errors import SecuritiesError
from parsers.securities.known import Known
from parsers.taught import Taught

TABLE = '["bank.example"]\nname = "Bank"\nregion = "europe"\n["a@b.example"]\nname = "A"\n'
SAME = '# in another order\r\n["A@b.example"]\r\nname = "A"\r\n\r\n["bank.example"]\r\nregion = "europe"\r\nname = "Bank"\r\n'


def test_the_digest_changes_with_what_is_taught_and_not_with_how_it_is_written_down() -> None:
    taught = Taught.of(Dealers.parse(TABLE))
    assert Taught.of(Dealers.parse(SAME)) == taught
    for other in (TABLE.replace("europe", "canada"), TABLE.replace("a@b", "c@b"), TABLE.partition('["a@')[0], ""):
        assert Taught.of(Dealers.parse(other)).digest != taught.digest


def test_what_one_process_writes_another_reads_as_the_same(tmp_path: Path) -> None:
    file = tmp_path / "dealers.toml"
    file.write_text(TABLE, "utf-8")
    taught = Taught.load(SandboxOptions(dealers=file))
    again = Taught.decode(taught.content)
    assert again == taught
    assert again.dealers.lookup("x@bank.example") == taught.dealers.lookup("x@bank.example")
    assert Taught.decode(Taught.load(None).content) == Taught.load(None)


MASTER = "isin,asset_class\nUS037833BX70,{}\n"


def files_of(folder: Path, asset_class: str | None) -> SandboxOptions:
    """The table and a master file that says of a bond that it is of this class; None: no master."""
    (folder / "dealers.toml").write_text(TABLE, "utf-8")
    (folder / "securities.csv").write_text(MASTER.format(asset_class), "utf-8")
    return SandboxOptions(
        dealers=folder / "dealers.toml", securities=folder / "securities.csv" if asset_class is not None else None
    )


def test_a_dictionary_of_instruments_is_taught_with_the_dealers_and_without_one_nothing_changes(tmp_path: Path) -> None:
    dealers = Dealers.parse(TABLE)
    alone = Taught.load(files_of(tmp_path, None))
    assert alone == Taught.of(dealers)
    assert (
        alone.digest
        == hashlib.sha256(msgspec.json.encode({"dealers": dict(dealers.entries)}, order="sorted")).hexdigest()
    )
    high_yield = Taught.load(files_of(tmp_path, "corp_hy"))
    taught = Taught.load(files_of(tmp_path, "corp_ig"))
    assert len({alone.digest, high_yield.digest, taught.digest}) == 3
    for again in (Taught.decode(taught.content), pickle.loads(pickle.dumps(taught))):
        assert again == taught
        assert again.securities is not None
        assert again.securities.lookup("isin", "US037833BX70") == Known("US037833BX70", "corp_ig")


def test_a_master_that_contradicts_itself_is_refused_with_its_lines(tmp_path: Path) -> None:
    files = files_of(tmp_path, "corp_ig\nUS037833BX70,corp_hy")
    with pytest.raises(
        SecuritiesError, match=r"securities\.csv: line 3: isin US037833BX70 has asset_class corp_hy here"
    ):
        Taught.load(files)


def test_a_master_that_is_not_there_is_refused_as_a_setting_by_its_key(tmp_path: Path) -> None:
    missing = tmp_path / "none.csv"
    with pytest.raises(SecuritiesError, match=rf"^\[parsers\] securities: {missing}: No such file or directory$") as it:
        Taught.load(SandboxOptions(securities=missing))
    assert it.value.exit_code == 2


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'{"dealers": {"a": 1}}', b'{"dealers": {}}\n', b'{"dealers": {}}\notcsec1\n' + b"\1" * 8],
)
def test_what_is_none_is_refused(content: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        Taught.decode(content)


def mail(body: str, subject: str, content_type: str) -> bytes:
    head = f"From: kurse@bank.example\nSubject: {subject}\nDate: Fri, 27 Nov 2026 09:00:00 +0000\n"
    return f"{head}Content-Type: {content_type}; charset=utf-8\n\n{body}\n".encode()


def quotes(raw: bytes, entry: str) -> list[str]:
    """What is read of a mail whose dealer's entry says so."""
    table = Dealers.parse(f'["bank.example"]\nname = "Bank"\n{entry}\n')
    assert not table.slips
    found = parse_mail(raw, Taught.of(table)).quotes
    return [" ".join(str(getattr(each, name)) for name in FIELDS) for each in found]


FIELDS = ("quote_type", "asset_class", "currency", "bid", "ask", "ask_size")
LINE = "ABC 4.5 10/28"
SHEET = "<table><tr><th>ISIN<th>{}<th>{}<th>{}</tr><tr><td>XS2641318121<td>{}<td>{}<td>{}</tr></table>"


@pytest.mark.parametrize(
    ("subject", "body", "entry", "without", "taught"),
    [
        (
            "IG",
            f"XS2641318121 {LINE} 99-16/99-24",
            "thirty_seconds = true",
            "",
            "price_pct corp_ig None 99.5 99.75 None",
        ),
        (
            *("IG", SHEET.format("Bid", "Ask", "Size", "99-16", "99-24", "5m"), "thirty_seconds = true"),
            *("", "price_pct corp_ig None 99.5 99.75 5000000"),
        ),
        (
            *("IG", f"{LINE} 99.5/99.75", 'currency = "CHF"'),
            *("price_pct corp_ig None 99.5 99.75 None", "price_pct corp_ig CHF 99.5 99.75 None"),
        ),
        (
            *("IG in USD", f"{LINE} 99.5/99.75", 'currency = "CHF"'),
            *("price_pct corp_ig USD 99.5 99.75 None", "price_pct corp_ig USD 99.5 99.75 None"),
        ),
        (
            *("IG", SHEET.format("Bid", "Ask", "Size", "99.5", "99.75", "5m"), 'currency = "CHF"'),
            *("price_pct corp_ig None 99.5 99.75 5000000", "price_pct corp_ig CHF 99.5 99.75 5000000"),
        ),
        (
            *("IG", f"{LINE} 45/40", 'measure = "spread_asw_bp"'),
            *("spread_bench_bp corp_ig None 45 40 None", "spread_asw_bp corp_ig None 45 40 None"),
        ),
        (
            *("IG", SHEET.format("Bid", "Ask", "Size", "45", "40", "5m"), 'measure = "spread_asw_bp"'),
            *("spread_bench_bp corp_ig None 45 40 5000000", "spread_asw_bp corp_ig None 45 40 5000000"),
        ),
        (
            *("IG", f"{LINE} 99.5/99.75 250x500", "unit = 1000"),
            *("price_pct corp_ig None 99.5 99.75 500000000", "price_pct corp_ig None 99.5 99.75 500000"),
        ),
        (
            *("IG", SHEET.format("Bid", "Ask", "Size", "99.5", "99.75", "500"), "unit = 1000"),
            *("price_pct corp_ig None 99.5 99.75 500000000", "price_pct corp_ig None 99.5 99.75 500000"),
        ),
        (
            *("IG", f"{LINE} 99.75/99.5", 'sides = "ask/bid"'),
            *("price_pct corp_ig None 99.75 99.5 None", "price_pct corp_ig None 99.5 99.75 None"),
        ),
        (
            *("IG", f"{LINE} T+40/45\nDEF 3 9/29 T+50/55\nGHI 3 9/30 T+60/65", 'sides = "bid/ask"'),
            "spread_bench_bp corp_ig USD 45 40 None\nspread_bench_bp corp_ig USD 55 50 None\nspread_bench_bp corp_ig USD 65 60 None",
            "spread_bench_bp corp_ig USD 40 45 None\nspread_bench_bp corp_ig USD 50 55 None\nspread_bench_bp corp_ig USD 60 65 None",
        ),
        (
            *("IG", f"{LINE} wir nehmen 99.75", 'words = { "wir nehmen" = "bid" }'),
            *("price_pct corp_ig None None None None", "price_pct corp_ig None 99.75 None None"),
        ),
        (
            *("IG", f"{LINE} Zwergbund+45/40", 'words = { zwergbund = "Bund" }'),
            *("", "spread_bench_bp corp_ig EUR 45 40 None"),
        ),
        (
            *("Wackelkandidaten heute", f"{LINE} 99.5/99.75", 'words = { wackelkandidaten = "high yield" }'),
            *("price_pct unknown None 99.5 99.75 None", "price_pct corp_hy None 99.5 99.75 None"),
        ),
        (
            "IG",
            SHEET.format("Wir nehmen", "Wir geben", "Pott", "99.5", "99.75", "5m"),
            'columns = { "Wir nehmen" = "bid", "wir  geben" = "ask", Pott = "size" }',
            *("", "price_pct corp_ig None 99.5 99.75 5000000"),
        ),
        (
            *(
                "IG",
                "ISIN | Wir nehmen | Brief | Topf\nXS2641318121 | 98,25 | 98,75 | 5",
                'columns = { "Wir nehmen" = "bid", topf = "size" }',
            ),
            *("", "price_pct corp_ig None 98.25 98.75 5000000"),
        ),
        *(
            (
                *("IG", SHEET.format("Bid", "Ask", head, "99.5", "99.75", "5m"), 'columns = { "Süßmaß" = "size" }'),
                *("price_pct corp_ig None 99.5 99.75 None", "price_pct corp_ig None 99.5 99.75 5000000"),
            )
            for head in ("Süßmaß", "SÜSSMASS", "sussmass")
        ),
        (
            *("IG", f"{LINE} drinnen draußen 99.75", 'words = { "drinnen draußen" = "ask" }'),
            *("price_pct corp_ig None None None None", "price_pct corp_ig None None 99.75 None"),
        ),
        (
            "IG",
            "ISIN          Nehme      Gebe\nXS2641318121  98.25      98.75\nXS2802234513  99.25      99.75",
            'columns = { Nehme = "bid", Gebe = "offer price" }',
            "",
            "price_pct corp_ig None 98.25 98.75 None\nprice_pct corp_ig None 99.25 99.75 None",
        ),
    ],
)
def test_what_a_dealers_entry_says_holds_where_the_mail_says_nothing(
    subject: str, body: str, entry: str, without: str, taught: str
) -> None:
    raw = mail(body, subject, "text/html" if body.startswith("<") else "text/plain")
    assert quotes(raw, "") == without.splitlines()
    assert quotes(raw, entry) == taught.splitlines()
    assert quotes(raw.replace(b"@bank.", b"@other."), entry) == without.splitlines()


ISIN_OF_FRANCE = "FR0013507852"


@pytest.mark.parametrize(
    ("body", "currency"),
    [
        (f"{LINE} T+40/45", "USD True"),
        (f"{LINE} 99.5/99.75 $5mm", "USD False"),
        (f"{ISIN_OF_FRANCE} 99.5/99.75", "EUR True"),
        (f"{LINE} 99.5/99.75", "CHF True"),
        (SHEET.format("Bid", "Ask", "Size", "99.5", "99.75", "$5mm"), "USD False"),
        (SHEET.format("Bid", "Ask", "Size", "99.5", "99.75", "5m"), "CHF True"),
    ],
)
def test_a_dealers_currency_is_assumed_where_nothing_of_the_quote_says_one(body: str, currency: str) -> None:
    table = Dealers.parse('["bank.example"]\nname = "Bank"\nregion = "europe"\ncurrency = "CHF"\n')
    raw = mail(body, "IG", "text/html" if body.startswith("<") else "text/plain")
    (quote,) = parse_mail(raw, Taught.of(table)).quotes
    assert f"{quote.currency} {Flag.ccy_assumed in quote.flags}" == currency


def test_a_dealers_canadian_dollars_make_no_munis_of_his_canadian() -> None:
    raw = mail("Munis\n\nCalif St 5 9/1/35 101.5/102", "Offerings", "text/plain")
    table = Dealers.parse('["bank.example"]\nname = "Bank"\ncurrency = "CAD"\n')
    (quote,) = parse_mail(raw, Taught.of(table)).quotes
    assert (quote.asset_class, quote.currency) == ("us_muni", "USD")


TALK = 'words = { nehme = "buyers of", gebe = "ask", anleihe = "bond", zettel = "high yield" }'


def test_what_is_printed_stays_as_printed_though_it_is_read_by_other_words() -> None:
    body = "Nehme heute alles:\n\nACME Anleihe 4.5 10/28 Gebe 99.75 5m\nXS2641318121 gebe 98.5\n nehme Anleihe 99.5 vielleicht"
    raw = mail(body, "Anleihe Zettel", "text/plain")
    table = Dealers.parse(f'["bank.example"]\nname = "Bank"\n{TALK}\n')
    outcome = parse_mail(raw, Taught.of(table))
    text = body + "\n"
    for quote in outcome.quotes:
        assert quote.raw_text in text
        assert text[quote.char_start : quote.char_end].startswith(quote.ask_raw or "?")
        assert quote.subject == "Anleihe Zettel"
        assert quote.asset_class == "corp_hy"
    assert [quote.ask_raw for quote in outcome.quotes] == ["99.75", "98.5"]
    assert "Anleihe" in (outcome.quotes[0].description or "")
    assert all((reject.raw_text or "") in text for reject in outcome.rejects)


def test_an_account_tells_the_dealers_words_and_what_his_entry_says_and_shows_what_is_printed() -> None:
    raw = mail("ISIN | Wir nehmen | Brief | Topf\nXS2641318121 | 98,25 | 98,75 | 5", "IG", "text/plain")
    entry = 'currency = "CHF"\ncolumns = { "wir nehmen" = "bid", topf = "size" }'
    taught = Taught.of(Dealers.parse(f'["bank.example"]\nname = "Bank"\n{entry}\n'))
    (quote,) = parse_mail(raw, taught).quotes
    found = account(raw, quote.part_path, quote.record_id, taught)
    assert found is not None
    assert "Wir nehmen | Brief | Topf" in found.source[0]
    assert {"`Wir nehmen` is the dealer's word for `bid`", "`Topf` is the dealer's word for `size`"} < set(
        found.decided
    )
    assert "by the dealer table, where nothing else is said: currency CHF" in found.decided
    assert not any(line.startswith("the subject says") for line in found.decided)


ASKED = 'words = { gebe = "ask", "wir nehmen" = "bid" }'
WRAPPED = "XS2641318121 Alaska\n    99.5 wir  nehmen Alaska 99.75 gebe"
PASTED = "<table><tr><td>Alaska 4.5 10/28 gebe<td>99.5/99.75</tr><tr><td>Gebex 3 9/29 gebe<td>98.5/98.75</tr></table>"


@pytest.mark.parametrize(
    ("body", "printed"),
    [
        (
            "Alaska Air 4.8 10/29 99.5/99.75\nDEF 3 9/29 gebe 98",
            ["Alaska Air 4.8 10/29 99.5/99.75", "DEF 3 9/29 gebe 98"],
        ),
        ("Alaska 4.8 10/29 ask gebe 99.75", ["Alaska 4.8 10/29 ask gebe 99.75"]),
        (WRAPPED, [" ".join(WRAPPED.split("\n    "))]),
        (PASTED, ["Alaska 4.5 10/28 gebe  99.5/99.75", "Gebex 3 9/29 gebe  98.5/98.75"]),
        (SHEET.format("Bid", "Gebe", "Issuer", "99.5", "99.75", "Alaska"), ["XS2641318121\t99.5\t99.75\tAlaska"]),
        (
            "F 6.1 32 gebe 101, Alaska 5.8 27 wir nehmen 100.75",
            ["F 6.1 32 gebe 101", "Alaska 5.8 27 wir nehmen 100.75"],
        ),
    ],
)
def test_a_dealers_word_is_printed_again_where_it_stood_and_nowhere_else(body: str, printed: list[str]) -> None:
    raw = mail(body, "IG", "text/html" if body.startswith("<") else "text/plain")
    table = Dealers.parse(f'["bank.example"]\nname = "Bank"\n{ASKED}\n')
    outcome = parse_mail(raw, Taught.of(table))
    assert [quote.raw_text for quote in outcome.quotes] == printed
    for quote in outcome.quotes:
        names = f"{quote.description} {quote.issuer}"
        assert "Algebe" not in names
        assert "Bgebe" not in names


def test_a_refused_line_is_printed_as_it_stands_though_others_below_are_in_the_dealers_words() -> None:
    body = "ask 99.5/99.75 Alaska\nask 98.5/98.75\ngebe 98.5/98.75\nDEF 3 9/29 gebe 98"
    table = Dealers.parse(f'["bank.example"]\nname = "Bank"\n{ASKED}\n')
    outcome = parse_mail(mail(body, "IG", "text/plain"), Taught.of(table))
    told = {reject.locator: reject.raw_text for reject in outcome.rejects}
    assert told == {f"line {at}": line for at, line in enumerate(body.splitlines()[:3], 1)}
