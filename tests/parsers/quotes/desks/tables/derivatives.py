"""Tables of desks: swaps, options, credit protection and forwards."""

from __future__ import annotations

from tests.parsers.quotes.desks.case import Case

CASES: list[Case] = [  # subject, rows, what they state
    (
        "Asia",
        "EURUSD | Bid (pts) | Ask (pts)\n1M | 12.1 | 12.4\n3M | 15.1 | 15.3",
        ["EURUSD fwd_points 12.1/12.4 1M fx_forward", "EURUSD fwd_points 15.1/15.3 3M fx_forward"],
    ),
    ("USD swaptions", "Option | Premium % bid | Premium % ask\n1y10y payer | 2.1 | 2.3", []),  # in per cent, not bp
    (
        "FX forwards",
        "Tenor | USDBRL bid | USDBRL ask\n1M | 350 | 360\n3M | 1,010 | 1,035",
        ["USDBRL fwd_points 350/360 1M BRL", "USDBRL fwd_points 1010/1035 3M BRL"],
    ),
    (
        "FX NDF",
        "Pair | Tenor | Bid | Offer\nUSDBRL | 1M | 350 | 360\nUSDCLP | 1M | 950.2 | 951",
        ["USDBRL fwd_points 350/360 1M BRL", "USDCLP fx_rate 950.2/951 1M CLP"],
    ),
    (
        "FX forward run - fwd points",
        "Pair | Tenor | Bid | Ask\nGBPUSD | 1W | 166.0 | 168.5\nGBPUSD | 1M | 292 | 295",
        ["GBPUSD fwd_points 166/168.5 1W", "GBPUSD fwd_points 292/295 1M"],
    ),
    (
        "CDs",
        "Term | 3M | 1M\nName | Mizuho NY | Natixis NY\nBid Rate | 4.3 | 4.2\nOffer Rate | 4.27 | 4.18",
        ["Mizuho NY rate_pct 4.3/4.27 3M", "Natixis NY rate_pct 4.2/4.18 1M"],
    ),
    (
        "CDS",
        "Name|5y\nCarnival|2.25/2.75 pts up +500\nRite Aid|31/33 pts +500",
        ["Carnival upfront_pts 2.25/2.75 5Y", "Rite Aid upfront_pts 31/33 5Y"],
    ),
    (
        "EUR basis swaps",
        "Tenor | 3s6s | ESTR/6M\n2Y | 5.1/5.6 | 18.2/18.8\n5Y | 5.8/6.3 | 20.1/20.7",
        [
            "3s6s basis_bp 5.1/5.6 2Y",
            "ESTR/6M basis_bp 18.2/18.8 2Y",
            "3s6s basis_bp 5.8/6.3 5Y",
            "ESTR/6M basis_bp 20.1/20.7 5Y",
        ],
    ),
    (
        "Export",
        "Curve | Tenor | Bid | Ask\nUSD SOFR OIS | 2Y | 3.712 | 3.716\nEUR 6M | 10Y | 2.455 | 2.459",
        ["USD SOFR OIS rate_pct 3.712/3.716 2Y USD irs", "EUR 6M rate_pct 2.455/2.459 10Y EUR irs"],
    ),
    (
        "EURUSD smile",
        "Pair | Tenor | Structure | Bid | Ask\nEURUSD | 1M | ATM | 6.9 | 7.2\nEURUSD | 1M | 25D RR | 0.1 | 0.3",
        ["EURUSD vol_pct 6.9/7.2 1M fx_option atm", "EURUSD vol_pct 0.1/0.3 1M fx_option rr25"],
    ),
    (
        "NDF indications",
        "1M NDF outrights\nCurrency pair | Bid | Ask\nUSDBRL | 5.4720 | 5.4790",
        ["USDBRL fx_rate 5.472/5.479 1M BRL"],
    ),
    (
        "USD SOFR swaps",
        "Tenor | Mid rate | Mid swap spread\n2Y | 3.714 | -22.25",
        ["USD SOFR swaps rate_pct 3.714 2Y USD", "USD SOFR swaps swap_spread_bp -22.25 2Y USD"],
    ),
    (
        "iTraxx options",
        "Option | Bid vol | Offer vol | Delta\nXover S46 Dec 262.5 payer | 48 | 52 | 51",
        ["Xover S46 Dec 262.5 payer vol_pct 48/52 payer"],
    ),
    (
        "Vol surfaces G10",
        "EURUSD | 1M | 3M\nATM | 6.9/7.2 | 7.15/7.4\n25RR | 0.1/0.3 | 0.22/0.37",
        [
            "EURUSD vol_pct 6.9/7.2 1M fx_option atm",
            "EURUSD vol_pct 7.15/7.4 3M atm",
            "EURUSD vol_pct 0.1/0.3 1M rr25",
            "EURUSD vol_pct 0.22/0.37 3M rr25",
        ],
    ),
    (
        "CDS",
        "Name |  | 3Y | 5Y\nVolkswagen | Bid | 62 | 98\n | Offer | 66 | 101\nRenault | Bid | 95 | 151\n | Offer | 101 | 156",
        [
            "Volkswagen cds_spread_bp 62/66 3Y",
            "Volkswagen cds_spread_bp 98/101 5Y",
            "Renault cds_spread_bp 95/101 3Y",
            "Renault cds_spread_bp 151/156 5Y",
        ],
    ),
    (
        "Swaps",
        "Tenor | Side | USD | EUR\n5Y | Bid | 3.61 | 2.41\n | Ask | 3.62 | 2.42",
        ["USD rate_pct 3.61/3.62 5Y USD", "EUR rate_pct 2.41/2.42 5Y EUR"],
    ),
    (
        "USDJPY vols",
        " | 1W | 1M\nATM | 9.1/9.6 | 9.25/9.55\n25d RR (JPY calls over) | -1.1/-0.8 | -1.2/-0.95",
        [
            "USDJPY vols vol_pct 9.1/9.6 1W atm",
            "USDJPY vols vol_pct 9.25/9.55 1M atm",
            "USDJPY vols vol_pct -1.1/-0.8 1W rr25",
            "USDJPY vols vol_pct -1.2/-0.95 1M rr25",
        ],
    ),
    (
        "EUR swaps",
        "Term | vs 6mE | 3s6s\n2Y | 2.214/2.222 | 5.1/5.6\n5Y | 2.401/2.409 | 5.8/6.3",
        [
            "vs 6mE rate_pct 2.214/2.222 2Y",
            "3s6s basis_bp 5.1/5.6 2Y",
            "vs 6mE rate_pct 2.401/2.409 5Y",
            "3s6s basis_bp 5.8/6.3 5Y",
        ],
    ),
    (
        "Normal vol grid",
        "Exp \\ Tail | 2Y | 10Y\n1M | 92.5 | 95.0\n6M | 94.1 | 95.8",
        [
            "Normal vol grid vol_normal_bp 92.5 1M2Y",
            "Normal vol grid vol_normal_bp 95 1M10Y",
            "Normal vol grid vol_normal_bp 94.1 6M2Y",
            "Normal vol grid vol_normal_bp 95.8 6M10Y",
        ],
    ),
    (
        "Sovereign CDS 5Y",
        "Sovereign | Bid | Offer | Ref. rating\nBrazil | 160 | 164 | BB",
        ["Brazil cds_spread_bp 160/164 5Y"],
    ),
    (
        "NDF",
        "Par | Plazo | Outright bid | Outright ask\nUSDBRL | 1M | 5.4720 | 5.4790\nUSDCLP | 1M | 941.2 | 942.1",
        ["USDBRL fx_rate 5.472/5.479 1M BRL", "USDCLP fx_rate 941.2/942.1 1M CLP"],
    ),
    (
        "Kreditderivate",
        "Referenz | Geld 3Y | Brief 3Y\nVolkswagen | 62 | 66\nLufthansa | 95 | 101",
        ["Volkswagen cds_spread_bp 62/66 3Y", "Lufthansa cds_spread_bp 95/101 3Y"],
    ),
    (
        "USDBRL vol surface",
        "Tenor | ATM Bid | ATM Ask | 25d RR\n1M | 13.1 | 13.9 | 1.35",
        ["USDBRL vol surface vol_pct 13.1/13.9 1M atm", "USDBRL vol surface vol_pct 1.35 1M rr25"],
    ),
    (
        "EUR/USD & USD/JPY vols",
        "Tenor | EURUSD ATM | USDJPY ATM\n1M | 6.9/7.2 | 9.8/10.2",
        ["EURUSD vol_pct 6.9/7.2 1M fx_option atm", "USDJPY vol_pct 9.8/10.2 1M atm"],
    ),
    (
        "USD swaption premium (bp)",
        "Structure | Strike | Bid | Offer\n6m5y payer | 4.00 | 98.5 | 101.5",
        ["6m5y payer premium_bp 98.5/101.5 6M5Y payer"],
    ),
    (
        "Sovereign CDS closing, 5Y USD CR14",
        "Sovereign | Bid | Offer\nTurkey | 248 | 252",
        ["Turkey cds_spread_bp 248/252 5Y USD mark"],
    ),
    (
        "EURUSD fwds",
        "EURUSD | 1W | 1M\nBid pts | 4.10 | 17.80\nAsk pts | 4.25 | 18.05",
        ["EURUSD fwd_points 4.1/4.25 1W fx_forward", "EURUSD fwd_points 17.8/18.05 1M"],
    ),
    (
        "Normal vol grid",
        " | 5y | 10y\n1m | 98.5 | 96.1\n1y | 95.2 | 93.4",
        [
            "Normal vol grid vol_normal_bp 98.5 1M5Y",
            "Normal vol grid vol_normal_bp 96.1 1M10Y",
            "Normal vol grid vol_normal_bp 95.2 1Y5Y",
            "Normal vol grid vol_normal_bp 93.4 1Y10Y",
        ],
    ),
    (
        "Levels",
        "Sovereign CDS\nCountry | 1Y | 5Y\nCEEMEA\nTurkey | 140/150 | 281/286",
        ["Turkey cds_spread_bp 140/150 1Y cds_single", "Turkey cds_spread_bp 281/286 5Y"],
    ),
    (
        "EUR Swaption Vols",
        "ATM Swaption – Normalvolatilität (bp p.a.), Mitte\nOpt. \\ Swap | 2J | 5J\n3M | 71.2 | 74.8",
        [
            "ATM Swaption – Normalvolatilität (bp p.a.), Mitte vol_normal_bp 71.2 3M2Y atm",
            "ATM Swaption – Normalvolatilität (bp p.a.), Mitte vol_normal_bp 74.8 3M5Y atm",
        ],
    ),
    (
        "Index tranches",
        "CDX.NA.IG.47 5Y Tranches (USD)\nAttach-Detach | Bid (pts) | Offer (pts) | Base corr\n0-3% | 31.25 | 31.75 | 38.1",
        [
            "0-3% upfront_pts 31.25/31.75 5Y USD cds_tranche",
            "0-3% base_corr_pct 38.1",
        ],
    ),
    (
        "Inflation swaps",
        "Tenor | UK RPI bid | UK RPI ask | US CPI bid | US CPI ask\n5Y | 3.28 | 3.34 | 2.55 | 2.60",
        ["UK RPI rate_pct 3.28/3.34 5Y GBP", "US CPI rate_pct 2.55/2.6 5Y USD"],
    ),
    (
        "EUR CDS curves",
        "Reference entity | Quote | 1Y | 5Y\nVolkswagen AG | Bid | 38 | 98\nVolkswagen AG | Offer | 42 | 101\nTelecom Italia | Bid | 61 | 158\nTelecom Italia | Offer | 69 | 163",
        [
            "Volkswagen AG cds_spread_bp 38/42 1Y",
            "Volkswagen AG cds_spread_bp 98/101 5Y",
            "Telecom Italia cds_spread_bp 61/69 1Y",
            "Telecom Italia cds_spread_bp 158/163 5Y",
        ],
    ),
    (
        "NDF",
        "NDF USD/BRL\nPrazo | Pontos compra | Pontos venda | Termo compra | Termo venda\n1M | 212,5 | 216,0 | 5,4212 | 5,4267",
        ["NDF USD/BRL fwd_points 212.5/216 1M", "NDF USD/BRL fx_rate 5.4212/5.4267 1M BRL"],
    ),
    (
        "USD swaptions",
        "USD swaptions – ATM straddle premium (bp)\nExpiry | Tail | Strike | Premium bid | Premium ask\n1Y | 10Y | 3.82 | 498 | 506",
        ["USD swaptions – ATM straddle premium (bp) premium_bp 498/506 1Y10Y USD straddle"],
    ),
    (
        "EURUSD forwards",
        "EUR/USD forward points\nZeitraum | Bid | Offer\n1W | 3.9 | 4.1\n1Y | 189.5 | 192.5",
        ["EUR/USD forward points fwd_points 3.9/4.1 1W USD", "EUR/USD forward points fwd_points 189.5/192.5 1Y"],
    ),
    (
        "US single name CDS curves",
        "Tenor | Ford | Boeing\n1Y | 45/52 | 41/48\n5Y | 168/172 | 104/108",
        [
            "Ford cds_spread_bp 45/52 1Y",
            "Boeing cds_spread_bp 41/48 1Y",
            "Ford cds_spread_bp 168/172 5Y",
            "Boeing cds_spread_bp 104/108 5Y",
        ],
    ),
    (
        "Swaption vols",
        "GBP ATM | 2Y | 10Y\n1M | 97 | 96\n1Y | 94 | 93",
        [
            "GBP ATM vol_normal_bp 97 1M2Y GBP atm",
            "GBP ATM vol_normal_bp 96 1M10Y GBP atm",
            "GBP ATM vol_normal_bp 94 1Y2Y GBP atm",
            "GBP ATM vol_normal_bp 93 1Y10Y GBP atm",
        ],
    ),
    (
        "Tassi swap EUR",
        "Scadenza | Denaro | Lettera\n2a | 2,41 | 2,43\n10a | 2,75 | 2,77",
        ["Tassi swap EUR rate_pct 2.41/2.43 2Y EUR irs", "Tassi swap EUR rate_pct 2.75/2.77 10Y EUR irs"],
    ),
    (
        "Tranches",
        "CDX IG S46 5Y tranches, ref 51.5\nTranche | Bid | Ask\n3-7% | 4.25 | 4.75",
        ["3-7% upfront_pts 4.25/4.75 5Y cds_tranche"],
    ),
    (
        "iTraxx tranches",
        "iTraxx Main S44\nTranche | Bid | Offer | Ref\n0-3% | 38.25 | 39 | 52\n6-12% | 82 | 86 | 52",
        [
            "0-3% upfront_pts 38.25/39 cds_tranche",
            "6-12% cds_spread_bp 82/86 cds_tranche",
        ],
    ),
    (
        "NZD/AUD swaps",
        "Tenor | AUD Bid | AUD Offer | NZD Bid | NZD Offer\n2Y | 3.512 | 3.542 | 3.125 | 3.155",
        ["AUD rate_pct 3.512/3.542 2Y AUD", "NZD rate_pct 3.125/3.155 2Y NZD"],
    ),
    (
        "Spot & forwards",
        "Pair | Spot | 1M | 3M\nEURUSD | 1.0850 | 17.2/17.5 | 52.1/52.6\nGBPUSD | 1.2655 | 0.8/1.0 | 2.6/3.0",
        [
            "EURUSD fwd_points 17.2/17.5 1M",
            "EURUSD fwd_points 52.1/52.6 3M",
            "GBPUSD fwd_points 0.8/1 1M",
            "GBPUSD fwd_points 2.6/3 3M",
        ],
    ),
    (
        "EUR swaptions - receivers 25 OTM",
        "Expiry | Tail | Bid (bp) | Offer (bp)\n3M | 10Y | 88.5 | 95\n1Y | 10Y | 212 | 221",
        [
            "EUR swaptions - receivers 25 OTM premium_bp 88.5/95 3M10Y EUR receiver",
            "EUR swaptions - receivers 25 OTM premium_bp 212/221 1Y10Y EUR receiver",
        ],
    ),
    (
        "FX option vols",
        " | EURUSD | USDJPY\n1W ATM | 6.9/7.4 | 9.8/10.5\n1M 25RR | -0.25/-0.05 | -1.1/-0.8",
        [
            "EURUSD vol_pct 6.9/7.4 1W atm",
            "USDJPY vol_pct 9.8/10.5 1W atm",
            "EURUSD vol_pct -0.25/-0.05 1M rr25",
            "USDJPY vol_pct -1.1/-0.8 1M rr25",
        ],
    ),
    (
        "TRS financing grid",
        "Underlying | 1M | 1Y\nSPX | SOFR+35/45 | SOFR+58/70\nSX5E dividend Dec27 | 150/151 | 152/153",
        ["SPX funding_spread_bp 35/45 1M", "SPX funding_spread_bp 58/70 1Y"],
    ),
    (
        "Tipos",
        "Inflación HICPxT\nPlazo | Compra | Venta\n5 años | 1,882 | 1,912",
        ["Inflación HICPxT rate_pct 1.882/1.912 5Y EUR"],
    ),
    (
        "USDMXN",
        "Plazo | Puntos compra | Puntos venta | Forward compra | Forward venta\n1M | 0.0612 | 0.0624 | 18.4912 | 18.4974",
        ["USDMXN fwd_points 0.0612/0.0624 1M MXN", "USDMXN fx_rate 18.4912/18.4974 1M MXN"],
    ),
    (
        "EUR swaptions",
        "EUR payers, premium in bp upfront |\nExpiry | Bid | Offer\n3M | 142 | 147",
        ["EUR payers, premium in bp upfront premium_bp 142/147 3M EUR payer"],
    ),
    (
        "Zinsswaps EUR",
        "Laufzeit | Satz\n2J | 2,128\n5J | 2,372",
        ["Zinsswaps EUR rate_pct 2.128 2Y EUR", "Zinsswaps EUR rate_pct 2.372 5Y EUR"],
    ),
    (
        "UST repo grid",
        "Term | GC | 10Y OTR\nO/N | 3.98/3.95 | 3.45/3.25\n1W | 4.00/3.97 | 3.60/3.42",
        [
            "GC repo_rate_pct 3.98/3.95 ON",
            "10Y OTR repo_rate_pct 3.45/3.25 ON",
            "GC repo_rate_pct 4/3.97 1W",
            "10Y OTR repo_rate_pct 3.6/3.42 1W",
        ],
    ),
    (
        "USD/MXN",
        "Plazo | Puntos compra | Puntos venta\n1M | 745 | 765\n3M | 2,210 | 2,245",
        ["USD/MXN fwd_points 745/765", "USD/MXN fwd_points 2210/2245"],
    ),
    (
        "AUD rates",
        "Tenor | Swap Bid | Swap Offer | EFP Bid | EFP Offer\n3Y | 3.412 | 3.432 | 12.25 | 12.75",
        ["Swap rate_pct 3.412/3.432 3Y irs", "AUD rates swap_spread_bp 12.25/12.75 3Y AUD"],
    ),
    (
        "Credit curves",
        "Ford Motor | 5Y | 182 | 188\nAmerican Airlines | 5Y | 512 | 530\nGeneral Motors | 5Y | 142 | 147",
        [
            "Ford Motor cds_spread_bp 182/188 5Y",
            "American Airlines cds_spread_bp 512/530",
            "General Motors cds_spread_bp 142/147",
        ],
    ),
    (
        "Levels",
        "Ford Motor | 5Y | 182 | 188\nAmerican Airlines | 5Y | 512 | 530\nGeneral Motors | 5Y | 142 | 147",
        [],
    ),
    (
        "iBoxx TRS",
        "Financing in bp vs SOFR / ESTR |\nIndex | Maturity | Bid | Offer\nIBOXHY | 20-Dec-26 | -35 | 5",
        ["IBOXHY funding_spread_bp -35/5 USD"],
    ),
    (
        "IRS TIIE",
        "Plazo | Compra | Venta\n13x1 (1Y) | 7,44 | 7,47\n26x1 (2Y) | 7,50 | 7,54",
        ["IRS TIIE rate_pct 7.44/7.47 1Y", "IRS TIIE rate_pct 7.5/7.54 2Y"],
    ),
    (
        "HY CDS 5Y",
        "Name | Bid (pts) | Offer (pts) | Conv Spd Bid | Conv Spd Offer\nTransocean | 6.75 | 7.75 | 686 | 716",
        ["Transocean upfront_pts 6.75/7.75 5Y", "Transocean cds_spread_bp 686/716 5Y"],
    ),
    (
        "CDX IG options",
        "Index | Expiry | Strike | Type | Vol Bid | Vol Offer\nCDX IG S47 | Dec-26 | 52.5 | Payer | 38.2 | 41.0",
        ["CDX IG S47 vol_pct 38.2/41 cds_tranche payer"],
    ),
    (
        "G10 ATM vols",
        "Tenor | EURUSD | USDJPY\n1M | 6.3 | 8.9\n1Y | 7.1 | 9.3",
        [
            "EURUSD vol_pct 6.3 1M fx_option atm",
            "USDJPY vol_pct 8.9 1M fx_option atm",
            "EURUSD vol_pct 7.1 1Y",
            "USDJPY vol_pct 9.3 1Y",
        ],
    ),
    (
        "CDS curves",
        "Telecom Italia CDS | |\nTenor | Bid | Ask\n5Y | 131 | 136\n | |\nStellantis | |\nTenor | Bid | Ask\n5Y | 142 | 147",
        ["Telecom Italia CDS cds_spread_bp 131/136 5Y", "Stellantis cds_spread_bp 142/147 5Y"],
    ),
    (
        "Index TRS",
        "Index | Maturity | We receive (bid) | We pay (offer)\niBoxx USD Liquid HY | 20-Mar-27 | -45 | -10",
        ["iBoxx USD Liquid HY funding_spread_bp -45/-10 USD"],
    ),
    (
        "iTraxx options",
        "iTraxx Xover S46\nStrike | Vol\n250 | 44.0\n275 | 47.5\n300 | 52.1",
        ["iTraxx Xover S46 vol_pct 44 cds_tranche", "iTraxx Xover S46 vol_pct 47.5", "iTraxx Xover S46 vol_pct 52.1"],
    ),
    (
        "EUR FRA & short IRS",
        "FRA | Bid | Ask\n1x4 | 2.012 | 2.022\n3x6 | 2.001 | 2.011",
        ["EUR FRA & short IRS rate_pct 2.012/2.022 1X4 EUR", "EUR FRA & short IRS rate_pct 2.001/2.011 3X6 EUR"],
    ),
    (
        "EUR IRS",
        " | | 2Y | 5Y\nEUR IRS | Bid | 2.105 | 2.304\n | Ask | 2.115 | 2.314",
        ["EUR IRS rate_pct 2.105/2.115 2Y EUR", "EUR IRS rate_pct 2.304/2.314 5Y EUR"],
    ),
    (
        "EUR swaption straddles",
        "EUR ATM straddle premiums in bp (fwd)\nExpiry / Tail | 2Y | 5Y\n1M | 14.5 | 31.2\n3M | 25.1 | 54.6",
        [
            "EUR ATM straddle premiums in bp (fwd) premium_bp 14.5 1M2Y EUR straddle",
            "EUR ATM straddle premiums in bp (fwd) premium_bp 31.2 1M5Y EUR straddle",
            "EUR ATM straddle premiums in bp (fwd) premium_bp 25.1 3M2Y EUR straddle",
            "EUR ATM straddle premiums in bp (fwd) premium_bp 54.6 3M5Y EUR straddle",
        ],
    ),
    (
        "USD vol",
        "USD ATM normal vols, 10Y tail\nExpiry | Bid | Offer\n1M | 84.1 | 86.3\n1Y | 92.5 | 94.1",
        [
            "USD ATM normal vols, 10Y tail vol_normal_bp 84.1/86.3 1M10Y USD",
            "USD ATM normal vols, 10Y tail vol_normal_bp 92.5/94.1 1Y10Y USD",
        ],
    ),
    (
        "Volatilidades ATM",
        "Vols ATM\nPar | Plazo | Vol compra | Vol venta\nUSDMXN | 1M | 11,20 | 11,80\nUSDCLP | 3M | 10,90 | 11,60",
        ["USDMXN vol_pct 11.2/11.8 1M fx_option", "USDCLP vol_pct 10.9/11.6 3M fx_option"],
    ),
    (
        "European bank CDS (EUR)",
        "Bank | 3Y | 5Y\nSUBORDINATED\nBNP Paribas | 58/63 | 84/89",
        ["BNP Paribas cds_spread_bp 58/63 3Y cds_single", "BNP Paribas cds_spread_bp 84/89 5Y cds_single"],
    ),
    (
        "EUR GC",
        "GC repo offers, EUR | | \n | O/N | 1W\nGermany | 1.9 | 1.91\nSpain | 1.95 | 1.96",
        [
            "Germany repo_rate_pct /1.9 ON",
            "Germany repo_rate_pct /1.91 1W",
            "Spain repo_rate_pct /1.95 ON",
            "Spain repo_rate_pct /1.96 1W",
        ],
    ),
]
