"""Tables in random layouts: rows of cells, with what they say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tests.parsers.wild.books import Instrument, Mode
from tests.parsers.wild.dealer import Dealer, Level, instruments, level, truth
from tests.parsers.wild.words import FIELDS, MIDS, NAMED_SPREADS, PAIRED, TOTALS

WHOLE = {"headerless", "side_by_side"}  # no side is left out in these
LAYOUTS = (
    "mid",
    "offers",
    "plain",
    "plain",
    "plain",
    "sections",
    "two_rows",
    "pair_cell",
    "stacked",
    "transposed",
    "side_by_side",
    "headerless",
    "footnotes",
)


@dataclass(frozen=True)
class Sheet:
    rows: list[list[str]]
    truths: list[dict[str, object]]
    layout: str
    head: int = 1  # rows of header
    sections: list[int] = field(default_factory=list)  # rows that are headings


@dataclass(frozen=True)
class Row:
    instrument: Instrument
    levels: list[Level]


Column = tuple[str, list[str]]


@dataclass(frozen=True)
class Made:
    """What a layout is to show."""

    dealer: Dealer
    rows: list[Row]
    identity: list[Column]
    truths: list[dict[str, object]]


def sheet_of(dealer: Dealer, layout: str | None = None) -> Sheet:
    layout = layout or dealer.rng.choice(LAYOUTS)
    modes = modes_of(dealer, layout)
    bonds = instruments(dealer, dealer.rng.randint(4, 9))
    ids = printed_ids(dealer, bonds[0])
    if layout == "headerless" and not (
        ids and modes[0].quote_type == "price_pct" and modes[0].form == "decimal" and modes[0].low > 50
    ):
        layout = "plain"
    rows = [Row(bond, [level(dealer, mode, both=layout in WHOLE) for mode in modes]) for bond in bonds]
    if layout in {"mid", "offers"}:
        rows = [replace(row, levels=[single(row.levels[0], layout)]) for row in rows]
    truths = [truth(row.instrument, quoted, dealer.book, ids) for row in rows for quoted in row.levels]
    made = Made(dealer, rows, identity_columns(dealer, rows, ids), truths)
    return {"stacked": stacked, "transposed": transposed, "two_rows": two_rows}.get(layout, upright)(made, layout)


def modes_of(dealer: Dealer, layout: str) -> list[Mode]:
    """One measure, or two where the layout has room for them."""
    rng = dealer.rng
    first = rng.choice(dealer.book.modes)
    others = [
        mode
        for mode in dealer.book.modes
        if mode.columns != first.columns and {mode.columns, first.columns} != {"bare", "price"}
    ]
    if layout not in {"plain", "sections", "two_rows", "footnotes"} or not others or rng.random() < 0.6:
        return [first]
    modes = [first, rng.choice(others)]
    is_bare = [mode.columns == "bare" and mode.quote_type == "price_pct" for mode in modes]
    return [replace(mode, columns="price") if bare else mode for mode, bare in zip(modes, is_bare, strict=True)]


def single(quoted: Level, layout: str) -> Level:
    """One value alone: in the middle, or an offer."""
    value, text = (quoted.ask, quoted.ask_text) if quoted.ask is not None else (quoted.bid, quoted.bid_text)
    kept = replace(quoted, bid=None, bid_text="", ask_text=text)
    return replace(kept, ask=None, mid=value) if layout == "mid" else replace(kept, ask=value)


def upright(made: Made, layout: str) -> Sheet:
    """A row an instrument, a column a field."""
    dealer, rows, rng = made.dealer, made.rows, made.dealer.rng
    blocks = [level_columns(dealer, rows, at, layout) for at in range(len(rows[0].levels))]
    columns = made.identity + [column for block in blocks for column in block]
    if layout != "headerless":
        for column in [
            *noise_columns(dealer, rows),
            *benchmark_column(dealer, rows),
            *size_columns(dealer, rows, layout),
        ]:
            columns.insert(rng.randint(1, len(columns)), column)
    if layout == "plain" and rng.random() < 0.5:
        rng.shuffle(columns)
    if layout == "side_by_side":
        return side_by_side(columns, made.truths)
    grid = [] if layout == "headerless" else [[header for header, _ in columns]]
    grid += body(columns, [])
    if layout == "sections":
        return sectioned(dealer, grid, made.truths)
    if layout == "footnotes":
        grid = footnoted(dealer, grid, blocks[0][0][0])
    return Sheet(grid, made.truths, layout, head=0 if layout == "headerless" else 1)


MEASURES = {"price": "Price", "bare": "Price", "yield": "Yield", "spread": "Spread"}


def word(dealer: Dealer, name: str) -> str:
    by_language = FIELDS[name]
    return dealer.rng.choice(by_language.get(dealer.language, by_language["en"]))


def pair_words(dealer: Dealer, columns: str) -> tuple[str, str]:
    if columns in NAMED_SPREADS:
        bid, ask = ("Bid", "Ask") if dealer.language == "en" else PAIRED["bare"][dealer.language][0]
        name = NAMED_SPREADS[columns]
        return (f"{name} {bid}", f"{name} {ask}") if dealer.rng.random() < 0.5 else (f"{bid} {name}", f"{ask} {name}")
    return dealer.rng.choice(PAIRED[columns][dealer.language])


def printed_ids(dealer: Dealer, bond: Instrument) -> tuple[str, ...]:
    have = [name for name in ("isin", "cusip", "loanx_id") if getattr(bond, name)]
    if not have or dealer.rng.random() < 0.15:
        return ()
    chosen = dealer.rng.choice(have)
    return (chosen,)


def identity_columns(dealer: Dealer, rows: list[Row], ids: tuple[str, ...]) -> list[Column]:
    rng = dealer.rng
    columns: list[Column] = [
        (word(dealer, name), [getattr(row.instrument, name) or "" for row in rows]) for name in ids
    ]
    is_split = ids and all(row.instrument.ticker for row in rows) and rng.random() < 0.35
    if is_split:
        columns += [
            (word(dealer, name), [getattr(row.instrument, name) or "" for row in rows])
            for name in ("ticker", "coupon", "maturity")
        ]
    else:
        columns.append((word(dealer, "text"), [row.instrument.text for row in rows]))
        if all(row.instrument.maturity for row in rows) and rng.random() < 0.3:
            columns.append((word(dealer, "maturity"), [row.instrument.maturity or "" for row in rows]))
    if all(row.instrument.currency for row in rows) and rng.random() < 0.3:
        columns.append((word(dealer, "currency"), [row.instrument.currency or "" for row in rows]))
    return columns


def noise_columns(dealer: Dealer, rows: list[Row]) -> list[Column]:
    """Columns that hold no quote (spec 2.9)."""
    rng = dealer.rng
    made: dict[str, Callable[[], str]] = {
        "rating": lambda: rng.choice(("A-", "BBB+", "Ba2", "BB", "B3", "NR")),
        "sector": lambda: rng.choice(("Energy", "Autos", "Retail", "Tech")),
        "change": lambda: rng.choice(("+0.125", "-0.25", "0.5", "-1")).replace(".", dealer.mark),
        "wal": lambda: f"{rng.randint(11, 94) / 10:.1f}".replace(".", dealer.mark),
        "date": lambda: f"{rng.randint(13, 28)}/11/2026",
        "time": lambda: f"{rng.randint(8, 17):02}:{rng.randint(0, 59):02}",
        "duration": lambda: f"{rng.randint(110, 999) / 100:.2f}".replace(".", dealer.mark),
        "high": lambda: f"{rng.randint(9500, 11500) / 100:.2f}".replace(".", dealer.mark),
        "note": lambda: rng.choice(("", "axed 5mm", "call 06/28", "144A", "green", "see 2 pm")),
    }
    return [
        (word(dealer, name), [made[name]() for _ in rows])
        for name in rng.sample(sorted(made), rng.choice((0, 1, 2, 3)))
    ]


def benchmark_column(dealer: Dealer, rows: list[Row]) -> list[Column]:
    """The bond that spreads are over."""
    if (
        dealer.book.code not in {"corp_ig", "provincial_canada"}
        or rows[0].levels[0].mode.quote_type != "spread_bench_bp"
    ):
        return []
    name = "T" if dealer.book.code == "corp_ig" else "CAN"
    return [
        (
            word(dealer, "benchmark"),
            [
                f"{name} {dealer.rng.choice(('4 1/4', '3.25', '4'))} {dealer.rng.choice(('05/34', '11/30'))}"
                for _ in rows
            ],
        )
    ]


def size_columns(dealer: Dealer, rows: list[Row], layout: str) -> list[Column]:
    """None, one for both sides, one a side, or both in a cell."""
    rng = dealer.rng
    style = rng.choice(("none", "none", "one", "two", "pair", "unit"))
    sizes = [[str(rng.choice((1, 2, 3, 5, 10, 25))) for _ in rows] for _ in range(2)]
    if style == "none":
        return []
    if style == "one" or layout in {"mid", "offers"}:
        return [(word(dealer, "size"), sizes[0])]
    if style == "pair":
        return [(word(dealer, "size"), [f"{bid} x {ask}" for bid, ask in zip(*sizes, strict=True)])]
    unit = "mm" if style == "unit" else ""
    heads = rng.choice(PAIRED["size"][dealer.language])
    return [
        (head.partition(" (")[0] if unit else head, [one + unit for one in some])
        for head, some in zip(heads, sizes, strict=True)
    ]


def level_columns(dealer: Dealer, rows: list[Row], at: int, layout: str) -> list[Column]:
    bid, ask = pair_words(dealer, rows[0].levels[at].mode.columns)
    levels = [row.levels[at] for row in rows]
    blank = dealer.rng.choice(("", "-", "n/a", "--"))
    if layout == "pair_cell":
        gap = dealer.rng.choice(("/", " / ", " - "))
        bid, ask = (bid, ask) if bid != "Buy" else ("Bid", "Ask")  # `Buy/Sell` would be the way of an axe
        return [(f"{bid}/{ask}", [f"{one.bid_text or '--'}{gap}{one.ask_text or '--'}" for one in levels])]
    letter = levels[0].mode.prefix[0]
    if letter and dealer.rng.random() < 0.25:  # `T+85` in each cell
        levels = [
            replace(
                one, bid_text=one.bid_text and letter + one.bid_text, ask_text=one.ask_text and letter + one.ask_text
            )
            for one in levels
        ]
    if layout == "mid":
        measure = mode_word(dealer, rows[0].levels[at].mode)
        return [(measure, [one.ask_text for one in levels])]
    if layout == "offers":
        return [(ask, [one.ask_text for one in levels])]
    found = [(bid, [one.bid_text or blank for one in levels]), (ask, [one.ask_text or blank for one in levels])]
    return found[::-1] if layout == "plain" and dealer.rng.random() < 0.15 else found


def mode_word(dealer: Dealer, mode: Mode) -> str:
    """The header of a value in the middle."""
    mid = dealer.rng.choice(MIDS[dealer.language])
    if mode.columns in {"bare", "price"}:
        return mid
    return f"Mid {NAMED_SPREADS.get(mode.columns) or MEASURES[mode.columns]}"


def stacked(made: Made, layout: str) -> Sheet:
    rows, identity = made.rows, made.identity
    mode = rows[0].levels[0].mode
    measure = NAMED_SPREADS.get(mode.columns) or {**MEASURES, "bare": "Level"}[mode.columns]
    grid = [[*(header for header, _ in identity), "Side", measure]]
    for at, row in enumerate(rows):
        for side, text in (("Bid", row.levels[0].bid_text), ("Ask", row.levels[0].ask_text)):
            if text:
                grid.append([*(cells[at] for _, cells in identity), side, text])
    return Sheet(grid, made.truths, layout)


def transposed(made: Made, layout: str) -> Sheet:
    dealer, rows, identity = made.dealer, made.rows, made.identity
    named = sorted(identity, key=lambda column: not any(row.instrument.text in column[1] for row in rows))
    columns = named + level_columns(dealer, rows, 0, "transposed") + size_columns(dealer, rows, layout)
    while len(columns) < 4:
        columns.insert(1, (word(dealer, "rating"), ["BBB" for _ in rows]))
    return Sheet([[header, *cells] for header, cells in columns], made.truths, layout)


def two_rows(made: Made, layout: str) -> Sheet:
    """The sides of each level below its measure."""
    dealer, rows, identity = made.dealer, made.rows, made.identity
    bid, ask = dealer.rng.choice(PAIRED["bare"][dealer.language])
    heads = [header for header, _ in identity]
    top, below, levels = ["" for _ in heads], list(heads), list[Column]()
    for at, quoted in enumerate(rows[0].levels):
        measure = MEASURES.get(quoted.mode.columns) or NAMED_SPREADS[quoted.mode.columns]
        top += [measure, ""]
        below += [bid, ask]
        levels += level_columns(dealer, rows, at, "two_rows")
    return Sheet([top, below, *body(identity, levels)], made.truths, layout, head=2)


def body(identity: list[Column], levels: list[Column]) -> list[list[str]]:
    return [list(cells) for cells in zip(*(texts for _, texts in [*identity, *levels]), strict=True)]


def side_by_side(columns: list[Column], truths: list[dict[str, object]]) -> Sheet:
    heads, rows = [header for header, _ in columns], body(columns, [])
    half = (len(rows) + 1) // 2
    right = rows[half:] + [[""] * len(heads)] * (half - len(rows[half:]))
    grid = [[*heads, "", *heads], *([*one, "", *other] for one, other in zip(rows[:half], right, strict=True))]
    return Sheet(grid, truths, "side_by_side")


def sectioned(dealer: Dealer, grid: list[list[str]], truths: list[dict[str, object]]) -> Sheet:
    """Headings of a trade between the rows, and a total under them."""
    rng = dealer.rng
    cut = rng.randint(1, len(grid) - 2) if len(grid) > 3 else 1
    names = rng.sample(("AUTOS", "ENERGY", "TELECOM", "RETAIL", "HEALTHCARE"), 2)
    blank = [""] * (len(grid[0]) - 1)
    made = [grid[0], [names[0], *blank], *grid[1 : cut + 1], [names[1], *blank], *grid[cut + 1 :]]
    total = [rng.choice(TOTALS[dealer.language]), *(["" for _ in blank[:-1]]), "99.5".replace(".", dealer.mark)]
    return Sheet([*made, total], truths, "sections", sections=[1, cut + 2])


def footnoted(dealer: Dealer, grid: list[list[str]], header: str) -> list[list[str]]:
    at, row = grid[0].index(header), dealer.rng.randint(1, len(grid) - 1)
    if any(letter.isdigit() for letter in grid[row][at]):
        grid[row][at] += "*"
    return [*grid, ["* subject to prior sale", *([""] * (len(grid[0]) - 1))]]
