"""Valid identifiers out of a serial number, each given once."""

from __future__ import annotations

from stdnum import cusip, figi, isin
from stdnum.gb import sedol

_ALNUM = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without I and O, which CUSIPs and WKNs avoid
_SCATTER = 600_011  # a prime that divides no alphabet's length
_CONSONANTS = "0123456789BCDFGHJKLMNPQRSTVWXYZ"


def identifier(kind: str, serial: int) -> str:
    """`cusip`, `isin:XX`, `sedol`, `wkn`, `valor`, `figi` or `loanx_id` of an instrument (domain.md section 3).

    ISINs hold the national number of the same serial where their country's do: US a CUSIP, GB a SEDOL, DE a WKN,
    CH a valor.
    """
    kind, _, country = kind.partition(":")
    match kind:
        case "isin":
            body = country + _national(country, serial)
            return body + isin.calc_check_digit(body)
        case "cusip":
            body = f"{101 + serial % 797:03d}" + _digits(serial, 4, _ALNUM[10:] + _ALNUM[:10]) + "A"
            return body + str(cusip.calc_check_digit(body))
        case "sedol":
            body = "B" + _digits(serial, 5, _CONSONANTS)
            return body + sedol.calc_check_digit(body)
        case "wkn":
            return "A" + _digits(serial, 5, _ALNUM)
        case "valor":
            return str(110_000_000 + serial)
        case "figi":
            body = "BBG0" + _digits(serial, 7, _CONSONANTS)
            return body + figi.calc_check_digit(body)
        case _:
            return f"LX{200_000 + serial}"


def _national(country: str, serial: int) -> str:
    match country:
        case "US":
            return identifier("cusip", serial)
        case "GB":
            return "00" + identifier("sedol", serial)
        case "DE":
            return "000" + identifier("wkn", serial)
        case "CH":
            return identifier("valor", serial)
        case "XS":
            return f"{200_000_000 + 37 * serial}"
        case "MX":
            return "0MGO0" + _digits(serial, 4, _ALNUM)
        case "BR":
            return "STNC" + _digits(serial, 5, _ALNUM)
        case "CO":
            return "L17CT" + _digits(serial, 4, _ALNUM)
        case _:
            return f"001{400_000 + serial:06d}"


def _digits(serial: int, length: int, alphabet: str) -> str:
    """The serial in the alphabet's base, scattered so that neighbours do not look alike; still each once."""
    serial = serial * _SCATTER % len(alphabet) ** length
    out = ""
    for _ in range(length):
        serial, rest = divmod(serial, len(alphabet))
        out = alphabet[rest] + out
    return out
