"""Grids of keys by keys: a level a cell (spec 5.10)."""

from __future__ import annotations

from tests.parsers.wild.books import ticker
from tests.parsers.wild.dealer import Dealer, as_text
from tests.parsers.wild.levels import decimal, on_grid
from tests.parsers.wild.sheets import Sheet

KINDS = {"cds_single": "curves", "swaption": "cube", "fx_option": "vols", "commercial_paper": "paper"}


def grid_of(dealer: Dealer, kind: str, title: str) -> Sheet:
    """`title` is what a grid without names is known by (ruling 11)."""
    if kind in {"cube", "vols"}:
        return {"cube": cube, "vols": vols}[kind](dealer, title)
    return {"curves": curves, "paper": paper}[kind](dealer)


def line(code: str, quote_type: str, text: str, **values: object) -> dict[str, object]:
    return {"kind": "quote", "asset_class": code, "quote_type": quote_type, "description": text, **values}


def curves(dealer: Dealer) -> Sheet:
    """CDS names by tenors, bid and ask in a cell."""
    rng, tenors = dealer.rng, ("1Y", "3Y", "5Y", "7Y", "10Y")
    kept = sorted(rng.sample(tenors, rng.randint(3, 5)), key=tenors.index)
    grid, truths = [[rng.choice(("Name", "Issuer", "Ticker")), *kept]], []
    for name in [ticker(rng) for _ in range(rng.randint(3, 6))]:
        cells = []
        for tenor in kept:
            bid = on_grid(rng, 30, 300, "1")
            ask = bid + rng.randint(2, 9)
            cells.append(f"{bid}/{ask}")
            truths.append(line("cds_single", "cds_spread_bp", name, tenor=tenor, bid=str(bid), ask=str(ask)))
        grid.append([name, *cells])
    return Sheet(grid, truths, "grid")


def cube(dealer: Dealer, title: str) -> Sheet:
    """Swaption vols, expiries by tenors."""
    rng, tenors = dealer.rng, ("1Y", "2Y", "5Y", "10Y", "30Y")
    grid, truths = [[rng.choice(("Expiry\\Tenor", "Exp/Tenor", "Expiry")), *tenors]], []
    for expiry in ("1M", "3M", "1Y", "5Y"):
        values = [on_grid(rng, 70, 130, "0.1") for _ in tenors]
        grid.append([expiry, *(decimal(value, 1, dealer.mark) for value in values)])
        truths += [
            line("swaption", "vol_normal_bp", title, tenor=expiry + tenor, mid=as_text(value))
            for tenor, value in zip(tenors, values, strict=True)
        ]
    return Sheet(grid, truths, "grid")


def vols(dealer: Dealer, title: str) -> Sheet:
    """FX vols, tenors by structures."""
    rng = dealer.rng
    structures = {"ATM": ("atm", 6, 12), "25RR": ("rr25", -2, 2), "25BF": ("bf25", 0.15, 0.5)}
    grid, truths = [["Tenor", *structures]], []
    for tenor in ("1W", "1M", "3M", "6M", "1Y"):
        cells = []
        for struct, low, high in structures.values():
            value = on_grid(rng, low, high, "0.05")
            cells.append(decimal(value, 2, dealer.mark))
            truths.append(line("fx_option", "vol_pct", title, tenor=tenor, mid=as_text(value), option_struct=struct))
        grid.append([tenor, *cells])
    return Sheet(grid, truths, "grid")


def paper(dealer: Dealer) -> Sheet:
    """Commercial paper, issuers by tenors: rates at which it is offered."""
    rng, tenors = dealer.rng, ("1W", "1M", "3M", "6M")
    grid, truths = [["Issuer", *tenors]], []
    for name in [ticker(rng) + "CP" for _ in range(4)]:
        values = [on_grid(rng, 3.8, 5.2, "0.01") for _ in tenors]
        grid.append([name, *(decimal(value, 2, dealer.mark) for value in values)])
        truths += [
            line("commercial_paper", "discount_rate_pct", name, tenor=tenor, mid=as_text(value))
            for tenor, value in zip(tenors, values, strict=True)
        ]
    return Sheet(grid, truths, "grid")
