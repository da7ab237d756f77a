"""Runs in text: a line an instrument, in a dealer's own notation."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.parsers.wild.books import PRICE, Instrument
from tests.parsers.wild.dealer import Dealer, Level, instruments, level, truth
from tests.parsers.wild.levels import decimal, decimal_tail, on_grid
from tests.parsers.wild.words import SIDE_HEADINGS

LISTED = {"clo", "rmbs_nonagency", "cdo_trups", "abs"}
SIDED = {"corp_hy", "em_hard_ccy", "leveraged_loan", "distressed_debt", "financial_sub"}
TALK = (("low", 0, 3), ("mid", 4, 6), ("high", 7, 9), ("very low", 0, 1), ("low/mid", 3, 5))
SECTIONS = ("AUTOS", "ENERGY", "TELECOM", "RETAIL", "HEALTHCARE")


@dataclass(frozen=True)
class Run:
    lines: list[str]
    truths: list[dict[str, object]]
    style: str


@dataclass(frozen=True)
class Habits:
    gap: str  # between bid and ask
    shorthand: bool
    prefix: str
    suffix: str
    repeats: bool  # the prefix before the ask too
    sizes: str  # none, bare, mm
    number: str  # where the identifier stands: none, front, back
    one_sided: str  # slash or words


def run_of(dealer: Dealer) -> Run:
    rng = dealer.rng
    if dealer.book.code in LISTED and rng.random() < 0.3:
        return list_of(dealer)
    if dealer.book.code in SIDED and rng.random() < 0.25:
        return sides_of(dealer)
    mode = rng.choice([mode for mode in dealer.book.modes if mode.columns != "yield" or len(dealer.book.modes) == 1])
    bonds = instruments(dealer, rng.randint(4, 9))
    is_price = not mode.falling and mode.quote_type.startswith("price")
    gaps = ["/", "/", " / ", " - "] + (["–", "@"] if is_price and mode.form == "decimal" and dealer.mark == "." else [])
    habits = Habits(
        gap="-" if mode.suffix == ("% NAV",) else rng.choice(gaps),
        shorthand=rng.random() < 0.35 and mode.columns in {"bare", "price"} and not mode.falling,
        prefix=rng.choice(mode.prefix),
        suffix=rng.choice(mode.suffix),
        repeats=rng.random() < 0.15,
        sizes=rng.choice(("none", "bare", "mm", "mm")) if is_price or mode.columns == "spread" else "none",
        number=rng.choice(("none", "none", "front", "back")),
        one_sided=rng.choice(("slash", "words")) if not mode.prefix[0] else "slash",
    )
    ids = (
        tuple(name for name in ("isin", "cusip", "loanx_id") if getattr(bonds[0], name))[:1]
        if habits.number != "none"
        else ()
    )
    second = (
        replace(PRICE, low=90, high=101)
        if mode.prefix[0] and dealer.book.code in {"agency_ssa", "corp_ig", "covered_bond"} and rng.random() < 0.4
        else None
    )
    lines, truths, sections = [], [], 0
    for at, bond in enumerate(bonds):
        if (
            at in {0, len(bonds) // 2}
            and rng.random() < 0.3
            and dealer.book.code in {"corp_ig", "corp_hy", "leveraged_loan"}
        ):
            lines += ["", SECTIONS[sections]]
            sections += 1
        levels = [level(dealer, mode)] + ([level(dealer, second, both=True)] if second else [])
        sizes = (rng.choice((1, 2, 3, 5, 10)), rng.choice((1, 2, 5, 10, 20))) if habits.sizes != "none" else None
        lines.append(line_of(dealer, bond, levels, habits, ids, sizes=sizes))
        told = {"bid_size": str(sizes[0] * 10**6), "ask_size": str(sizes[1] * 10**6)} if sizes else {}
        told = {} if dealer.book.code in {"preferred", "warrant_equity"} else told  # shares, or who knows
        truths += [truth(bond, quoted, dealer.book, ids) | told for quoted in levels]
    return Run(lines, truths, f"{mode.quote_type} {habits.gap.strip() or '-'}")


def sides_of(dealer: Dealer) -> Run:
    """Single values under the side that they are on."""
    rng, mode = dealer.rng, dealer.book.modes[0]
    lines, truths = [], []
    bonds = instruments(dealer, 6)
    for side, head, some in zip(("bid", "ask"), rng.choice(SIDE_HEADINGS), (bonds[:3], bonds[3:]), strict=True):
        lines += [head, ""]
        for bond in some:
            both = level(dealer, mode, both=True)
            kept = replace(both, ask=None) if side == "bid" else replace(both, bid=None)
            lines.append(f"{bond.text}  {rng.choice(mode.prefix)}{both.bid_text if side == 'bid' else both.ask_text}")
            truths.append(truth(bond, kept, dealer.book, ()))
        lines.append("")
    return Run(lines, truths, "sides")


def list_of(dealer: Dealer) -> Run:
    """A BWIC with talk, or its colour with covers (spec 4.9)."""
    rng = dealer.rng
    is_talk = rng.random() < 0.5
    truths: list[dict[str, object]] = []
    lines = [rng.choice(("BWIC talk", "BWIC - price talk")) if is_talk else "BWIC color", ""]
    for bond in instruments(dealer, 5):
        size = f"{rng.randint(1, 20)}mm"
        if is_talk:
            decade = rng.choice((70, 80, 90))
            words, low, high = rng.choice(TALK)
            lines.append(f"{bond.text}  {size}  talk {words} {decade}s")
            truth_of = {"talk_low": str(decade + low), "talk_high": str(decade + high), "quote_kind": "talk"}
        else:
            price = decimal(on_grid(rng, 82, 104, "0.05"), 2)
            lines.append(f"{bond.text}  {size}  cvr {price}")
            truth_of = {"bid": price, "quote_kind": "cover"}
        base: dict[str, object] = {
            "kind": "quote",
            "description": bond.text,
            "asset_class": dealer.book.code,
            "quote_type": "price_pct",
        }
        truths.append(base | truth_of)
    return Run(lines, truths, "list")


def line_of(
    dealer: Dealer,
    bond: Instrument,
    levels: list[Level],
    habits: Habits,
    ids: tuple[str, ...],
    *,
    sizes: tuple[int, int] | None,
) -> str:
    rng = dealer.rng
    number = next((getattr(bond, name) for name in ids), "")
    words = [bond.text, levels_text(levels[0], habits, dealer)]
    words += [f"{other.bid_text}/{other.ask_text}" for other in levels[1:]]
    if habits.number == "front":
        words.insert(0, number)
    if bond.extra:
        words.append(bond.extra)
    if sizes is not None:
        bid, ask = sizes
        unit = "mm" if habits.sizes == "mm" else ""
        words.append(f"{bid}{unit}{' x ' if unit and rng.random() < 0.5 else 'x'}{ask}{unit}")
    if habits.number == "back":
        words.append(number)
    return rng.choice(("  ", " ", "   ")).join(word for word in words if word)


def levels_text(quoted: Level, habits: Habits, dealer: Dealer) -> str:
    bid, ask = quoted.bid_text, quoted.ask_text
    if not bid or not ask:
        if habits.one_sided == "words" and not habits.suffix:
            return f"{bid} bid" if bid else f"{ask} {dealer.rng.choice(('offered', 'offer', 'ask'))}"
        return f"{habits.prefix}{bid}/{habits.suffix}" if bid else f"/{habits.prefix}{ask}{habits.suffix}"
    if habits.shorthand and habits.gap in {"/", "-"} and quoted.mode.form == "decimal":
        ask = decimal_tail(bid.replace(",", "."), ask.replace(",", ".")) or ask
    second = habits.prefix + ask if habits.repeats and ask == quoted.ask_text else ask
    return f"{habits.prefix}{bid}{habits.gap}{second}{habits.suffix}"
