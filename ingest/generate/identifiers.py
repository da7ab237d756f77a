"""Valid identifiers out of a serial number, each given once."""

from __future__ import annotations

from collections.abc import Callable

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
    if kind == "isin":
        body = country + _NATIONAL.get(country, _french)(serial)
        return body + isin.calc_check_digit(body)
    return _MAKERS[kind](serial)


def _cusip(serial: int) -> str:
    body = f"{101 + serial % 797:03d}" + _digits(serial, 4, _ALNUM[10:] + _ALNUM[:10]) + "A"
    return body + str(cusip.calc_check_digit(body))


def _sedol(serial: int) -> str:
    body = "B" + _digits(serial, 5, _CONSONANTS)
    return body + str(sedol.calc_check_digit(body))


def _figi(serial: int) -> str:
    body = "BBG0" + _digits(serial, 7, _CONSONANTS)
    return body + str(figi.calc_check_digit(body))


def _wkn(serial: int) -> str:
    return "A" + _digits(serial, 5, _ALNUM)


def _valor(serial: int) -> str:
    return str(110_000_000 + serial)


def _french(serial: int) -> str:
    return f"001{400_000 + serial:06d}"


def _digits(serial: int, length: int, alphabet: str) -> str:
    """The serial in the alphabet's base, scattered so that neighbours do not look alike; still each once."""
    serial = serial * _SCATTER % len(alphabet) ** length
    out = ""
    for _ in range(length):
        serial, rest = divmod(serial, len(alphabet))
        out = alphabet[rest] + out
    return out


_MAKERS: dict[str, Callable[[int], str]] = {
    "cusip": _cusip,
    "sedol": _sedol,
    "figi": _figi,
    "wkn": _wkn,
    "valor": _valor,
    "loanx_id": lambda serial: f"LX{200_000 + serial}",
}
# the nine characters between country and check digit; other countries number as France does
_NATIONAL: dict[str, Callable[[int], str]] = {
    "US": _cusip,
    "GB": lambda serial: "00" + _sedol(serial),
    "DE": lambda serial: "000" + _wkn(serial),
    "CH": _valor,
    "XS": lambda serial: f"{200_000_000 + 37 * serial}",
    "MX": lambda serial: "0MGO0" + _digits(serial, 4, _ALNUM),
    "BR": lambda serial: "STNC" + _digits(serial, 5, _ALNUM),
    "CO": lambda serial: "L17CT" + _digits(serial, 4, _ALNUM),
}
