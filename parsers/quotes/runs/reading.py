"""One line of a run understood: which instrument, which levels, which sizes, which notes (spec 5.11)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from parsers.codes import Firmness
from parsers.quotes.runs.tokens import Kind, Token
from parsers.values.identifiers import Found
from parsers.values.numbers import Locale, number

MAX_COUPON = 20


@dataclass(frozen=True, slots=True)
class Mark:
    """A level and the words that belong to it."""

    token: Token
    side: str | None = None  # bid, ask, mid
    kind: str | None = None  # talk, cover, trade
    label: str | None = None  # a quote type, or `price`
    struct: str | None = None  # atm, rr25, ...
    tenor: str | None = None  # where each level of the line has its own
    reference: str | None = None
    delta: str | None = None
    running: str | None = None
    bond: str | None = None


@dataclass(slots=True)
class Reading:
    """What a line says, still as printed."""

    identifiers: tuple[Found, ...] = ()
    name: str = ""
    coupon: str | None = None
    maturity: str | None = None
    is_series: bool = False  # `5s 34`
    margin: str | None = None  # of a floater or loan, in bp
    tenor: str | None = None
    tranche: str | None = None
    quantity: str | None = None  # a bare number in front of the name
    marks: list[Mark] = field(default_factory=list)
    sizes: list[str] = field(default_factory=list)
    words: int = 0  # plain words of the name
    axe: str | None = None  # bid, ask, any
    is_flat: bool = False
    firmness: Firmness | None = None
    is_withdrawn: bool = False
    is_dnt: bool = False
    bond: str | None = None
    is_timed: bool = False  # a time of day stands in the line

    @property
    def has_instrument(self) -> bool:
        """Whether the line itself names one."""
        return bool(self.identifiers) or (self.coupon is not None and self.maturity is not None and bool(self.name))


_YEAR = re.compile(r"'?(20[2-9]\d|[2-9]\d)")
_FLOATING = re.compile(r"(?:FRN|FLT|FLOAT|Float|Floater|FRNs?|VAR)\Z")
_EMPTY_BRACKETS = re.compile(r"\s*\(\s*\)\s*")
_FLOORS = frozenset({"fl", "flr", "floor"})
_PERPETUAL = re.compile(r"PERPs?\Z|[Pp]erp(?:etual)?\Z")
_MARGINS = frozenset({"S", "SOFR", "E", "EURIBOR", "ESTR", "€STR", "SONIA", "L"})
_CURVES = {
    "Z": "Z",
    "G": "G",
    "I": "I",
    "J": "J",
    "N": "N",
    "MS": "MS",
    "OAS": "OAS",
    "ASW": "ASW",
    "MMD": "MMD",
    "T": "T",
}
_TO_BUY = re.compile(
    r"\b(?:better\s+buyers?(?:\s+of)?|buyers?\s+of|axed?\s+to\s+buy|looking\s+to\s+buy|can\s+buy|we\s+(?:buy|bid(?:\s+for)?)|bid\s+for|buying|to\s+buy|buy)\b:?",
    re.IGNORECASE,
)
_TO_SELL = re.compile(
    r"\b(?:better\s+sellers?(?:\s+of)?|sellers?\s+of|axed?\s+to\s+sell|looking\s+to\s+sell|can\s+(?:offer|sell)|we\s+(?:sell|offer)|selling|offering|to\s+sell|sell|offer)\b:?",
    re.IGNORECASE,
)
_FILLERS = frozenset(
    {"of", "at", "for", "in", "on", "-", "–", "—", ":", "*", "@", "area", "and", "the", "=", "vs", "to"}
)
_PRICE_LABELS = frozenset(
    {
        "yield_pct",
        "breakeven_pct",
        "discount_rate_pct",
        "price",
        "payup_32",
        "roll_ticks",
        "premium_bp",
        "dm_bp",
        "spread_oas_bp",
        "spread_asw_bp",
        "base_corr_pct",
    }
)
_NOTES = {"subject": Firmness.subject, "firm": Firmness.firm, "indicative": Firmness.indicative}


def read(
    text: str,
    tokens: Sequence[Token],
    locale: Locale,
    *,
    coupon_alone: bool = False,
    counted: bool = False,
    known: bool = False,
    curves: bool = False,
    under_issuer: bool = False,
) -> Reading:
    """What the tokens of a line mean.

    Args:
        text: the line that they were cut from.
        tokens: of the line.
        locale: of its numbers.
        coupon_alone: the class names its instruments by coupon without a maturity (`FNCL 5.5 Dec`, `JPM PRD 5.75`).
        counted: a number in front of the name is a quantity (munis).
        known: the text has the form of its class's instruments, so a lone value behind it is a level.
        curves: the class is quoted by tenor, so a value behind a tenor is a level.
        under_issuer: a heading may name the issuer, so coupon and year alone are an instrument.
    """
    reading = Reading()
    found = list(tokens)
    reading.axe, found = _axe(text, found)
    resolver = _Resolver(found, locale, reading, known=known, curves=curves, under_issuer=under_issuer)
    resolver.run(coupon_alone=coupon_alone, counted=counted)
    _name(text, found, reading)
    return reading


def seconds(tokens: Sequence[Token], *, curves: bool) -> int | None:
    """Where a second instrument begins on the line: behind a level, with a level of its own; None on most lines.

    Args:
        tokens: of the line.
        curves: instruments are a name and a tenor, so a name is enough to begin one; else it takes a bond or identifier.
    """
    levels = [at for at, token in enumerate(tokens) if token.kind is Kind.level]
    if len(levels) < 2:
        return None
    for at in range(levels[0] + 1, levels[-1]):
        token = tokens[at]
        if token.kind is Kind.identifier:
            return token.start
        if (
            token.kind is not Kind.word
            or not token.text[0].isupper()
            or tokens[at - 1].kind is Kind.word
            or len(token.text) < 2 - curves
        ):
            continue
        ahead = tokens[at + 1 : at + 5]
        until = next((index for index, other in enumerate(ahead) if other.kind is Kind.level), None)
        if until is None:
            continue
        own = ahead[:until]
        if curves and (not own or any(other.kind is Kind.tenor for other in own)) and token.text not in _CURVES:
            return token.start
        if any(other.kind in (Kind.month, Kind.date, Kind.series) for other in own) and any(
            other.kind in (Kind.number, Kind.series) for other in own
        ):
            return token.start
    return None


def _axe(text: str, found: list[Token]) -> tuple[str | None, list[Token]]:
    """The wish to deal that the words state, and the tokens without those words."""
    if not any(letter in text for letter in "uUsSfFbB"):
        return None, found
    for pattern, side in ((_TO_BUY, "bid"), (_TO_SELL, "ask")):
        match = pattern.search(text)
        if match is not None and not any(token.kind is Kind.level and token.end <= match.start() for token in found):
            plain = [
                token
                for token in found
                if not (match.start() <= token.start < match.end() and token.kind in (Kind.word, Kind.label))
            ]
            if len(plain) < len(found) and not _only_a_label(match[0], found):
                return side, plain
    return None, found


def _only_a_label(words: str, found: list[Token]) -> bool:
    """A lone `offer` beside a value is the value's side, not a wish of its own."""
    return words.strip(": ").lower() in {"offer"} or not found


class _Resolver:
    """Walks the tokens once and settles what each is."""

    def __init__(
        self, found: list[Token], locale: Locale, reading: Reading, *, known: bool, curves: bool, under_issuer: bool
    ) -> None:
        self.under_issuer = under_issuer
        self.known = known
        self.curves = curves
        self.found = found
        self.locale = locale
        self.reading = reading

    def run(self, *, coupon_alone: bool, counted: bool) -> None:
        found, reading = self.found, self.reading
        reading.is_timed = any(token.kind is Kind.time for token in found)
        reading.identifiers = tuple(
            Found(token.key or "", token.text, token.start, token.end)
            for token in found
            if token.kind is Kind.identifier
        )
        if counted and found and found[0].kind is Kind.number and found[0].text.replace(",", "").isdigit():
            reading.quantity = found[0].text
            found.pop(0)
        elif (
            counted
            and len(found) > 1
            and found[0].kind is Kind.identifier
            and found[1].kind is Kind.number
            and found[1].text.replace(",", "").isdigit()
            and len(found) > 2
            and found[2].kind is Kind.word
        ):
            reading.quantity = found[1].text
            found.pop(1)
        self._instrument(coupon_alone=coupon_alone)
        self._margin()
        self._levels()

    def _instrument(self, *, coupon_alone: bool) -> None:
        """Coupon and maturity, the first place where they stand together."""
        found, reading = self.found, self.reading
        for at, token in enumerate(found):
            if token.kind is Kind.level and token.prefix is None and token.key is None and self._plain_level(at):
                break
            if token.kind is Kind.series and self._later(at):
                coupon, _, year = token.text.replace(" of ", " ").partition("s ")
                reading.coupon, reading.maturity, reading.is_series = coupon, year.strip(), True
                return
            if token.kind is Kind.date or (token.kind is Kind.month and self._is_maturity(at)):
                reading.maturity = token.text
                before = found[at - 1] if at else None
                if before is not None and self._coupon_like(before):
                    reading.coupon = before.text
                elif (
                    at >= 2
                    and before is not None
                    and before.kind is Kind.word
                    and before.text.lower() not in _FLOORS
                    and self._coupon_like(found[at - 2])
                ):
                    reading.coupon = found[at - 2].text
                elif at + 1 < len(found) and self._coupon_like(found[at + 1]) and self._later(at + 1) and at:
                    reading.coupon = found[at + 1].text
                return
            if (
                token.kind is Kind.number
                and at
                and _YEAR.fullmatch(token.text)
                and self._later(at)
                and token.unit is None
            ):
                before = found[at - 1]
                if self._coupon_like(before) and (at >= 2 or self.under_issuer):
                    reading.coupon, reading.maturity = before.text, token.text
                    return
                if before.kind is Kind.word and _FLOATING.search(before.text):
                    reading.maturity = token.text
                    return
            if token.kind is Kind.word and _PERPETUAL.match(token.text):
                reading.maturity = "PERP"
                if at and self._coupon_like(found[at - 1]):
                    reading.coupon = found[at - 1].text
                return
        if coupon_alone:
            for at, token in enumerate(found):
                if token.kind is Kind.level:
                    break
                if at and self._coupon_like(token) and self._later(at):
                    reading.coupon = token.text
                    return

    def _coupon_like(self, token: Token) -> bool:
        if token.kind is not Kind.number or (token.unit not in (None, "%")) or token.text[0] in "+-−–(":
            return False
        value = number(token.text, self.locale)
        return value is not None and 0 <= value.value <= MAX_COUPON

    def _is_maturity(self, at: int) -> bool:
        """A month and year that a level follows; after a tenor it is a level itself."""
        before = self.found[at - 1] if at else None
        if before is None or before.kind in (Kind.tenor, Kind.tranche) or not self._later(at):
            return False
        return before.kind in (Kind.number, Kind.word, Kind.label, Kind.identifier)

    def _plain_level(self, at: int) -> bool:
        """A pair in the middle of a name (`32-34 Park`) is none; one that nothing but levels, sizes, notes follow is."""
        return not any(token.kind in (Kind.month, Kind.date, Kind.series) for token in self.found[at + 1 : at + 4])

    def _later(self, at: int) -> bool:
        """Whether something that can be a level follows, or has come."""
        if any(token.kind is Kind.level and token.prefix not in _MARGINS for token in self.found[:at]):
            return True
        for token in self.found[at + 1 :]:
            if token.kind is Kind.level or token.key in (
                "talk",
                "cover",
                "trade",
                "not_traded",
                "withdrawn",
                "subject",
            ):
                return True
            if token.kind is Kind.number or (token.kind is Kind.month and self.reading.maturity is None):
                return True
        return False

    def _margin(self) -> None:
        """`S+325`, `SOFR+104` in a name: a margin, when a level of another kind stands behind it."""
        found = self.found
        for at, token in enumerate(found):
            if token.kind is Kind.level and token.prefix in _MARGINS and "/" not in token.text and self._later(at):
                if not any(other.kind is Kind.level and other.prefix is None for other in found[:at]):
                    self.reading.margin = token.text
                    found[at] = replace(token, kind=Kind.word)
                return

    def _levels(self) -> None:
        """The marks: levels with the labels beside them; lone numbers where they can only be levels."""
        found, reading = self.found, self.reading
        self._promote()
        first = next((at for at, token in enumerate(found) if token.kind is Kind.level), len(found))
        side_first = self._side_first()
        pending: dict[str, str] = {}
        for at, token in enumerate(found):
            if token.kind is Kind.tenor:
                if at < first and reading.tenor is None:
                    reading.tenor = token.text
                pending["tenor"] = token.text
            elif token.kind is Kind.tranche:
                reading.tranche = token.text
            elif token.kind is Kind.size:
                reading.sizes.append(token.text)
            elif token.kind is Kind.bond:
                reading.bond = token.text
            elif token.kind is Kind.label:
                self._label(token, pending, at, first, side_first=side_first)
            elif token.kind in (Kind.reference, Kind.delta) and reading.marks:
                name = "reference" if token.kind is Kind.reference else "delta"
                reading.marks[-1] = replace(reading.marks[-1], **{name: token.text})
            elif (
                token.kind is Kind.word
                and at > first - 3
                and token.text in _CURVES
                and at + 1 < len(found)
                and found[at + 1].kind is Kind.level
                and found[at + 1].prefix is None
                and at
            ):
                found[at + 1] = replace(found[at + 1], prefix=_CURVES[token.text])
            elif token.kind is Kind.level:
                self._mark(token, pending)

    def _label(self, token: Token, pending: dict[str, str], at: int, first: int, *, side_first: bool) -> None:
        reading, key = self.reading, token.key or ""
        if key in ("bid", "ask", "mid"):
            if side_first or not reading.marks or self._next_is_bare_level(at):
                if at >= first - 2:
                    pending["side"] = key
            elif reading.marks[-1].side is None and reading.marks[-1].kind is None:
                reading.marks[-1] = replace(reading.marks[-1], side=key)
        elif key in ("talk", "cover", "trade"):
            if at + 1 < len(self.found) and self.found[at + 1].kind in (Kind.level, Kind.label):
                pending["kind"] = key
        elif key in _PRICE_LABELS:
            if at + 1 < len(self.found) and self.found[at + 1].kind in (Kind.level, Kind.label):
                pending["label"] = key
            elif reading.marks and reading.marks[-1].label is None and key != "price":
                reading.marks[-1] = replace(reading.marks[-1], label=key)
        elif key == "atm" or key[:2] in ("rr", "bf"):
            pending["struct"] = key
        elif key == "flat":
            reading.is_flat = True
        elif key == "not_traded":
            reading.is_dnt = True
        elif key == "withdrawn":
            reading.is_withdrawn = reading.is_withdrawn or at >= len(self.found) - 2
        elif key == "axe":
            reading.axe = reading.axe or "any"
        if key in _NOTES:
            reading.firmness = _NOTES[key]
            if key == "subject" and not reading.marks and at == len(self.found) - 1:
                reading.is_withdrawn = True

    def _mark(self, token: Token, pending: dict[str, str]) -> None:
        reading = self.reading
        if (
            token.prefix == ""
            and reading.marks
            and "pt" in (reading.marks[-1].token.unit or "")
            and "/" not in token.text
        ):
            reading.marks[-1] = replace(reading.marks[-1], running=token.text)
            return
        kind = "talk" if token.key == "talk" else pending.pop("kind", None)
        side = token.key if token.key in ("bid", "ask") else pending.pop("side", None)
        reading.marks.append(
            Mark(
                token,
                side=side,
                kind=kind,
                label=pending.pop("label", None),
                struct=pending.pop("struct", None),
                tenor=pending.pop("tenor", None),
            )
        )

    def _promote(self) -> None:
        """Turn months and lone numbers that can only be levels into levels."""
        found, reading = self.found, self.reading
        has_level = any(token.kind is Kind.level for token in found)
        for at, token in enumerate(found):
            if (
                token.kind is Kind.month
                and token.text != reading.maturity
                and token.text[:1].isdigit()
                and not has_level
            ):
                found[at] = replace(token, kind=Kind.level)
                has_level = True
        open_from = self._name_end()
        lone = [at for at, token in enumerate(found) if at >= open_from and token.kind is Kind.number]
        keyed = [at for at in lone if self._is_keyed(at)]
        for at in keyed:
            found[at] = replace(found[at], kind=Kind.level)
        free = [at for at in lone if at not in keyed]
        if not free or (keyed and len(free) > 1):
            return
        has_level = has_level or bool(keyed)
        if len(free) == 2 and free[1] == free[0] + 1 and not has_level and self._is_pair(free):
            first, second = found[free[0]], found[free[1]]
            found[free[0]] = Token(
                Kind.level, first.start, second.end, f"{first.text} / {second.text}", unit=second.unit
            )
            del found[free[1]]
        elif len(free) == 1 and self._is_price_like(found[free[0]], alone=not has_level):
            found[free[0]] = replace(found[free[0]], kind=Kind.level)

    def _name_end(self) -> int:
        """The first token behind the instrument's description."""
        found, reading = self.found, self.reading
        texts = {reading.coupon, reading.maturity} - {None}
        end = 0
        seen = 0
        for at, token in enumerate(found):
            if token.text in texts and seen < len(texts):
                end, seen = at + 1, seen + 1
            elif token.kind in (Kind.series, Kind.date, Kind.identifier, Kind.tranche) or (
                token.kind is Kind.word and not any(o.kind is Kind.level for o in found[:at])
            ):
                end = max(end, at + 1)
        return end

    def _is_keyed(self, at: int) -> bool:
        before = self.found[at - 1] if at else None
        after = self.found[at + 1] if at + 1 < len(self.found) else None
        keys = {"bid", "ask", "mid", "cover", "trade"} | _PRICE_LABELS
        if self.curves and before is not None and before.kind is Kind.tenor:
            return True
        if self.found[at].unit in ("dm", "DM"):
            return True
        return (before is not None and before.kind is Kind.label and before.key in keys) or (
            after is not None and after.kind is Kind.label and after.key in (keys | {"subject", "flat"})
        )

    def _is_pair(self, free: list[int]) -> bool:
        values = [number(self.found[at].text, self.locale, ceiling=1000) for at in free]
        if values[0] is None or values[1] is None:
            return False
        low, high = sorted((abs(values[0].value), abs(values[1].value)))
        return high > 0 and (high - low) <= high / 5

    def _is_price_like(self, token: Token, *, alone: bool) -> bool:
        """A lone value behind the name: with decimals, a fraction or ticks it is a level; a bare integer may be anything."""
        if token.unit is not None:
            return token.unit not in ("%",) or alone
        reading = self.reading
        if not (
            reading.identifiers
            or (reading.coupon is not None and reading.maturity is not None)
            or self.known
            or any(token.kind is Kind.tenor for token in self.found)
        ):
            return False
        return bool(re.search(r"[.,¼½¾⅛⅜⅝⅞/'’\-+]", token.text)) or (
            alone and self.reading.coupon is not None and len(token.text) in (2, 3)
        )

    def _side_first(self) -> bool:
        """Whether side words stand in front of their values: `bid 98.5 offer 99`."""
        for at, token in enumerate(self.found):
            if token.kind is Kind.level:
                return False
            if token.kind is Kind.label and token.key in ("bid", "ask") and self._next_is_level(at):
                return True
        return False

    def _next_is_level(self, at: int) -> bool:
        return at + 1 < len(self.found) and self.found[at + 1].kind is Kind.level

    def _next_is_bare_level(self, at: int) -> bool:
        """A level follows that no side word of its own follows."""
        if not self._next_is_level(at) or not self.reading.marks or self.reading.marks[-1].side is None:
            return False
        return True


def _name(text: str, found: list[Token], reading: Reading) -> None:
    """The instrument's description: what stands before the first level, or behind it where nothing does."""
    first = next((at for at, token in enumerate(found) if token.kind is Kind.level), len(found))
    parts = _described(text, found[:first])
    if not parts and reading.coupon is not None:
        parts = _described(text, found[first:])
    reading.name = _EMPTY_BRACKETS.sub(" ", " ".join(parts)).strip(" -–:,;|*(")
    reading.words = sum(
        token.kind is Kind.word and token.text.isalpha() and token.text.islower() for token in found[:first]
    )


def _described(text: str, found: Sequence[Token]) -> list[str]:
    """The stretches of text that the describing tokens cover."""
    parts: list[str] = []
    last_end = -1
    for at, token in enumerate(found):
        describes = (
            token.kind in (Kind.word, Kind.number, Kind.month, Kind.date, Kind.series, Kind.tenor, Kind.tranche)
            or (
                token.kind is Kind.label
                and token.key
                in ("atm", "withdrawn", "roll_ticks", "running", "base_corr_pct", "price", "trade", "cover", "flat")
                and any(later.kind in (Kind.word, Kind.number, Kind.month) for later in found[at + 1 :])
            )
            or (token.kind is Kind.label and token.key in ("atm", "roll_ticks", "base_corr_pct"))
        )
        if not describes or (
            token.kind is Kind.word and token.text in _FILLERS and (not parts or at + 1 == len(found))
        ):
            last_end = -1
            continue
        stretch = text[token.start : token.end]
        if parts and last_end >= 0:
            parts[-1] += " " + stretch
        else:
            parts.append(stretch)
        last_end = token.end
    return parts
