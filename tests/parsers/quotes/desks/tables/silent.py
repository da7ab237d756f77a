"""Tables of desks: what is no quote."""

from __future__ import annotations

from tests.parsers.quotes.desks.case import Case

CASES: list[Case] = [  # subject, rows, what they state
    ("For info", "Issuer | Equity price | Market cap (bn) | 5y CDS\nFord | 12.31 | 48.2 | 182", []),
    (
        "Notice",
        "ISIN | Product | Reference level | Trigger | Result\nCH0224397213 | Express SX5E | 5,701.2 | 5,450 | redeemed",
        [],
    ),
    ("Exposure", "Issuer | Nominal (m) | MV (m) | CS01 (k) | % NAV\nBNP | 12.5 | 12.8 | 5.6 | 2.1", []),
    ("Where we are", "Benchmark | Yield | Change\nUST 10Y | 4.12 | +1\nBund 10Y | 2.68 | 0\nGilt 10Y | 4.51 | +2", []),
    ("Loans", "Borrower | Amount | Talk | OID | Commitments due\nAcrisure TLB | $500m | S+300-325 | 99.75 | 11/24", []),
    ("Month-end", "ISIN | Bond | In/Out | Action | Clean price\nXS2641318121 | BMW 3.25 30 | In | add | 100.41", []),
    (
        "Review",
        "ISIN | Bond | Nominal | Avg price | Price now\nXS2641318121 | EDF 4.75 34 | 2,000,000 | 101.20 | 104.20",
        [],
    ),
    (
        "CDS",
        "Contract | Notional | Fixed rate | Settlement price | Initial margin\nITRX EUR S46 5Y | 50m | 100 | 53.21 | 1.1m",
        [],
    ),
    ("CBs", "Bond | Conversion price | Conversion ratio | Premium\nZAL 0.625 27 | 92.25 | 1,084.0 | 31%", []),
    ("Curve levels", "Curve | Last | 1d\n2s10s | 63.1 | 1.2\n5s30s | 92.4 | 0.8", []),
    (
        "Closes",
        "Index | Close | 1d | 1w | Ytd\niTraxx Main | 53.2 | -0.5 | -1.2 | -4.6\niTraxx Xover | 262 | -2 | -7 | -28",
        [],
    ),
    ("Rates", "Pair | Bid | Ask\nEURUSD | 1.0841 | 1.0842\nUSDJPY | 152.10 | 152.12", []),
    ("Futures", "Contract | CTD | Price | Implied repo\nRXZ6 | DBR 2.3 02/33 | 98.25 | 1.91", []),
    ("CDS-bond basis", "Issuer | Bond Z | CDS 5y | Basis\nVW | 112 | 97 | -15", []),
    ("Crypto desk", "Pair | Bid | Ask\nBTCUSD | 98,250 | 98,310\nETHUSD | 3,410 | 3,414", []),
    ("Repo haircut schedule", "Collateral | 1W | 1M | 3M\nGovt | 2.0 | 2.5 | 3.0\nIG corp | 8.0 | 9.0 | 10.0", []),
    ("Deals", "Issuer | Size (m) | Cpn | Maturity | Spread | NIC\nStedin | 500 | 3.375 | 2032 | MS+92 | 2", []),
    (
        "Swap statement",
        "Trade ID | Type | Notional | Pay | Receive | NPV\n881544 | XCCY | USD 10,000,000 | SOFR | ESTR -12.5 | 45,120.90",
        [],
    ),
    (
        "Autocallable note",
        "Scenario | 1 year | 3 years | 5 years\nStress | 6,420 EUR | 5,110 EUR | 4,020 EUR",
        [],
    ),
    (
        "Primary recap",
        "Issuer | Coupon | Maturity | Size | Re-offer | Spread | Books\nEDF | 3.875 | 2034 | EUR 1bn | 99.412 | MS+112 | EUR 3.2bn",
        [],
    ),
    (
        "Position reconciliation",
        "Account | ISIN | Position | Our price | Your price | Diff\nAC-1123 | XS2651001005 | 1000000 | 99.12 | 99.11 | 0.01",
        [],
    ),
    ("Report", "Bond | Yield | Model yield | 3m z\nUKT 4.5 34 | 4.474 | 4.462 | 0.8", []),
    ("Report", "Bond | Long/Short | Nominal (mm) | Mark\nVW 3.875 31 | Long | 12.5 | 100.35", []),
    ("Redemptions", "Bond | Pay date | Redemption price\nVW 4.25 29 | 25-Nov-26 | 100.00", []),
    ("Monitor", "Bond | Yield | 3m carry (bp)\nDBR 2.6 33 | 2.62 | 1.4", []),
    (
        "Index constituents leaving",
        "ISIN | Bond | Price | Reason\nXS2641318121 | VW 1.875 26 | 99.92 | Maturity < 1y",
        [],
    ),
    ("Resets", "Deal | Index | Reset rate | Spread\nSW-1 | 3M Euribor | 2.012 | 45", []),
    ("Correlation", "Pair | 1M | 3M\nSPX / IG | -0.72 | -0.68", []),
    ("Securities lending", "Security | On loan | Fee (bp) | Price\nBMW 3.25 30 | 1,000,000 | 18 | 100.42", []),
    ("Best execution", "Bond | Buy/Sell | Qty | Exec px | Venue\nBMW 3.25 30 | B | 1,000,000 | 100.42 | TW", []),
    ("Run", "Referenz | Geld 3Y | Brief 3Y\nVolkswagen | 62 | 66\nLufthansa | 95 | 101", []),
    ("Correlations", " | 5y | 10y\n5y | 1.00 | 0.94\n10y | 0.94 | 1.00", []),
    (
        "Depot",
        (
            "ISIN | Name | Cost | Now\nCH0224397213 | Nestlé | 97.40 | 98.40\nCH0224397353 | Roche | 101.15 | 102.15\n"
            "CH0224397445 | Tech | 88.60 | 89.60"
        ),
        [],
    ),
    (
        "Invoice",
        "Invoice No | Date | Description | Qty | Unit price | Amount\nINV-2211 | 18.11.2026 | Data licence | 3 | 1.250,00 | 3.750,00",
        [],
    ),
    ("Delta one", "SX5E dividend futures\nExpiry | Bid | Ask\nDec-26 | 152.1 | 152.6\nDec-27 | 155.2 | 156", []),
    ("New issue calendar", "ISIN | Bond | Price\nXS2641318121 | ABC 4 33 | 98.2", []),
    ("Targets", "Company | Old PT | New PT | Close\nSAP | 260 | 275 | 231.4", []),
    ("Mortgage rates", "Product | Rate | APR\n30-yr fixed | 6.21% | 6.25%\n15-yr fixed | 5.48% | 5.56%", []),
    ("IG", "Bond | 18-Nov | 17-Nov\nXYZ 5 33 | 90/85 | 92/87\nABC 4 31 | 60/55 | 61/56", []),
    (
        "Rating actions this week",
        "Issuer | Agency | From | To | Outlook | 5y CDS (bp)\nThyssenkrupp | Moody's | Ba3 | Ba2 | Stable | 128",
        [],
    ),
    (
        "BRC",
        "ISIN | Underlying | Initial fixing | Barrier | Last close | Distance\nCH0224397213 | Holcim | 82.4 | 48.6 | 71.15 | 31%",
        [],
    ),
    (
        "Price list",
        "Contrato | Vto | Precio | Volumen | Posición abierta\nBono 10 | DIC26 | 128,41 | 1.250 | 12.400",
        [],
    ),
    ("iBoxx", "ISIN | Issuer | Action | Index price\nXS2641318121 | Tesco | Deletion | 99.31", []),
    ("Swaps", "Trade | Index | Rate | Spread | From | To\n771345 | EURIBOR 3M | 2.012% | 12bp | 18-Nov | 18-Feb", []),
    ("Altice", "Instrument | Amount | Coupon | Price | x EBITDA\nSenior notes | 1,300 | 4 | 61.5 | 3.6x", []),
    ("Ladder proposal", "Bond | Rating | Yield | Amount\nBMW 3.25 30 | A | 2.55% | 100,000", []),
    ("Analytics", "ISIN | Name | Mkt val % | OAS | YTW\nXS2641318121 | BNP 4.75 32 | 2.1 | 121 | 3.41", []),
    ("Update", "Name | Rating | Spread 1M ago | Spread now | Change\nFord | BBB- | 182 | 171 | -11", []),
    (
        "Collateral",
        "Account | Security | Quantity | Price | FX | Value (EUR)\n41 | T 4.25 34 | 5m | 100.4 | 0.86 | 4.3m",
        [],
    ),
    ("Trustee report", "Class | Current balance | Spread\nA-1 | 288,114,000 | S+112", []),
]
