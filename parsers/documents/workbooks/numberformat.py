"""How a workbook shows a number: enough of its format codes for the text a reader saw (ECMA-376 18.8.30)."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import lru_cache

from parsers.values.decimals import decimal_text

BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?",
    13: "# ??/??", 17: "mmm-yy", 37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)", 48: "##0.0E+0", 49: "@",
}  # fmt: skip  # days (14 to 16, 22) depend on the reader's locale: shown as ISO
_MAX_PLAIN = Decimal("1e15")  # beyond it a price is no price, and digits only cost
_MAX_PLACES = 15  # a double has no more digits
_WIDE = Context(prec=40)  # digits before and behind the point of the largest number with all places
_TOKENS = re.compile(
    r'"([^"]*)"|\\(.)|_.|\*.|\[\$([^][-]*+)[^][]*+\]|\[[^][]*+\]|([#0?.,/%]+|E[+-]0+|(?i:General)|@)|(.)', re.DOTALL
)


def shown_number(value: Decimal, code: str | None) -> str:
    """`value` as the format shows it; by its own digits where the format says nothing a price could need."""
    if abs(value) >= _MAX_PLAIN:
        return str(value)
    section, value, signed = _section(code or "General", value)
    tokens = _number_tokens(section)
    digits = next((text for kind, text in tokens if kind == "digits"), None)
    if (digits or "").lower() in {"@", "general"} or any(kind == "digits" and text[0] == "E" for kind, text in tokens):
        return decimal_text(-value if signed else value)
    if digits is None and not tokens:
        return ""  # `;;;` hides the number
    text = "".join(_shown_digits(value, text) if kind == "digits" else text for kind, text in tokens).strip()
    return ("-" if signed and any(c in "123456789" for c in text) else "") + text


def _section(code: str, value: Decimal) -> tuple[str, Decimal, bool]:
    """The section for this sign, the value as it is to be shown there, and whether a minus is still due."""
    sections = code.split(";") if '"' not in code else _split_sections(code)
    if value < 0 and len(sections) > 1:
        return sections[1], -value, False
    if value == 0 and len(sections) > 2:
        return sections[2], value, False
    return sections[0], abs(value), value < 0


def _split_sections(code: str) -> list[str]:
    """At semicolons outside quotes."""
    return re.findall(r'(?:"[^"]*"|[^;"])+|(?<=;)(?=;|$)', code) or [code]


@lru_cache(maxsize=256)
def _number_tokens(section: str) -> tuple[tuple[str, str], ...]:
    """Literals and the digit placeholders; a fraction's parts are one placeholder."""
    tokens: list[tuple[str, str]] = []
    for match in _TOKENS.finditer(section):
        quoted, escaped, currency, digits, other = match.groups()
        if digits is not None:
            tokens.append(("digits", digits))
        elif (text := quoted or escaped or currency or other) is not None:
            tokens.append(("text", text))
    merged: list[tuple[str, str]] = []
    for kind, text in tokens:
        if kind == "digits" and "/" in text and len(merged) > 1 and merged[-1] == ("text", " "):
            whole = merged[-2][1]
            merged[-2:] = [("digits", f"{whole} {text}")]
        elif kind == "text" and text.isdigit() and merged and "/" in merged[-1][1]:
            merged[-1] = ("digits", merged[-1][1] + text)  # a fixed denominator: `# ?/8`
        else:
            merged.append((kind, text))
    return tuple(merged)


def _shown_digits(value: Decimal, digits: str) -> str:
    if "/" in digits:
        return _shown_fraction(value, digits)
    if "%" in digits:
        return _shown_digits(value * 100, digits.replace("%", "")) + "%"
    if not digits.strip(",."):
        return digits
    thousands = len(digits) - len(digits.rstrip(","))  # a trailing comma shows thousands
    whole, _, decimals = digits.rstrip(",").partition(".")
    decimals = decimals[:_MAX_PLACES]
    scaled = value.scaleb(-3 * thousands)
    places = len(decimals)
    text = f"{scaled.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, _WIDE):f}"
    for place in reversed(decimals):  # `#` drops a zero that `0` shows
        if place != "#" or not text.endswith("0"):
            break
        text = text[:-1]
    whole_text, _, rest = text.rstrip(".").partition(".") if places else (text, "", "")
    if "," in whole:
        whole_text = f"{int(whole_text):,}"
    needed = whole.count("0")
    return whole_text.rjust(needed, "0") + ("." + rest if rest else "")


def _shown_fraction(value: Decimal, digits: str) -> str:
    """`# ?/8` shows 98.375 as `98 3/8`; a denominator that is not fixed has as many digits as there are marks."""
    whole_part, _, rest = digits.rpartition(" ")
    below = rest.partition("/")[2]
    exact = Fraction(value)
    whole = int(exact) if whole_part else 0
    part = exact - whole
    if below.isascii() and below.isdigit() and len(below) <= _MAX_PLACES and int(below) > 0:
        top, bottom = round(part * int(below)), int(below)
    else:
        near = part.limit_denominator(10 ** max(len(below), 1) - 1)
        top, bottom = near.numerator, near.denominator
    if whole_part and top == bottom:
        whole, top = whole + 1, 0
    if top == 0:
        return str(whole)
    return f"{whole} {top}/{bottom}" if whole_part and whole else f"{top}/{bottom}"
