"""The words of spec 5.3 by field and language, typed from the page and from nowhere else."""

from __future__ import annotations

LANGUAGES = ("en", "de", "fr", "es", "pt", "it")

FIELDS: dict[str, dict[str, tuple[str, ...]]] = {
    "isin": {
        "en": ("ISIN", "Isin Code", "ISIN No", "Sec ID"),
        "de": ("ISIN", "Kennnummer"),
        "fr": ("Code ISIN", "ISIN"),
        "es": ("Código ISIN", "ISIN"),
        "pt": ("Código ISIN", "ISIN"),
        "it": ("ISIN",),
    },
    "cusip": {"en": ("CUSIP", "Cusip9", "CUSIP/ISIN")},
    "loanx_id": {"en": ("LXID", "LoanX")},
    "text": {
        "en": ("Security", "Name", "Issue", "Bond", "Description", "Instrument"),
        "de": ("Bezeichnung", "Wertpapier", "Titel"),
        "fr": ("Libellé", "Titre", "Valeur"),
        "es": ("Instrumento", "Título", "Papel", "Emisión"),
        "pt": ("Título", "Papel", "Instrumento"),
        "it": ("Titolo",),
    },
    "ticker": {"en": ("Ticker", "Tkr", "BBG Ticker", "Symbol"), "de": ("Kürzel",)},
    "coupon": {
        "en": ("Cpn", "Coupon", "Cpn%"),
        "de": ("Kupon", "Zins"),
        "fr": ("Coupon", "Taux nominal"),
        "es": ("Cupón", "Tasa cupón"),
        "pt": ("Cupom",),
        "it": ("Cedola",),
    },
    "maturity": {
        "en": ("Mat", "Maturity", "Mty", "Due"),
        "de": ("Fälligkeit", "Laufzeit"),
        "fr": ("Échéance",),
        "es": ("Vencimiento", "Vcto"),
        "pt": ("Vencimento", "Venc"),
        "it": ("Scadenza",),
    },
    "currency": {
        "en": ("Ccy", "Curr", "Cur"),
        "de": ("Währung",),
        "fr": ("Devise",),
        "es": ("Moneda", "Divisa"),
        "pt": ("Moeda",),
        "it": ("Valuta",),
    },
    "rating": {
        "en": ("Rtg", "Rating", "Mdy", "S&P", "Fitch"),
        "de": ("Rating",),
        "fr": ("Note",),
        "es": ("Calificación",),
        "pt": ("Classificação",),
        "it": ("Rating",),
    },
    "sector": {
        "en": ("Sector",),
        "de": ("Branche",),
        "fr": ("Secteur",),
        "es": ("Sector",),
        "pt": ("Setor",),
        "it": ("Sector",),
    },
    "size": {
        "en": ("Size (mm)", "Sz (mm)", "Amt (MM)", "Notional (in millions)"),
        "de": ("Volumen (Mio.)", "Nominal Mio."),
        "fr": ("Montant (M€)", "Quantité (en M€)"),
        "es": ("Monto (mm)", "Cantidad (MM)"),
        "pt": ("Volume (mm)", "Quantidade (MM)"),
        "it": ("Size (mm)",),
    },
    "wal": {"en": ("WAL", "Avg Life")},
    "date": {
        "en": ("Date", "As of", "Updated"),
        "de": ("Datum", "Stand"),
        "fr": ("Date",),
        "es": ("Fecha",),
        "pt": ("Data",),
        "it": ("Data",),
    },
    "time": {"en": ("Time",), "fr": ("Heure",), "es": ("Hora",), "pt": ("Hora",)},
    "duration": {"en": ("Dur", "Mod Dur", "Duration")},
    "high": {"en": ("52w High", "High")},
    "note": {"en": ("Comment", "Notes", "Comments")},
    "benchmark": {
        "en": ("Bench", "Bmk", "Benchmark", "Pricing ref", "Vs"),
        "de": ("Referenz",),
        "fr": ("Bench",),
        "es": ("Referencia",),
        "pt": ("Referência",),
    },
    "change": {"en": ("Chg", "Change", "Day chg")},
}
PAIRED: dict[str, dict[str, tuple[tuple[str, str], ...]]] = {
    "price": {
        "en": (
            ("Bid Px", "Ask Px"),
            ("BPx", "APx"),
            ("B Px", "A Px"),
            ("Bid Price", "Offer Price"),
            ("Px Bid", "Px Ask"),
        ),
        "de": (("Geldkurs", "Briefkurs"), ("Kurs Geld", "Kurs Brief")),
        "fr": (("Cours acheteur", "Cours vendeur"), ("Cours achat", "Cours vente")),
        "es": (("Precio compra", "Precio venta"),),
        "pt": (("Preço compra", "Preço venda"),),
        "it": (("Prezzo denaro", "Prezzo lettera"),),
    },
    "bare": {
        "en": (("Bid", "Ask"), ("Bid", "Offer"), ("Bid", "Ofr"), ("We pay", "Offer"), ("Buy", "Sell")),
        "de": (("Geld", "Brief"), ("Ankauf", "Verkauf")),
        "fr": (("Achat", "Vente"), ("Demande", "Offre")),
        "es": (("Compra", "Venta"), ("Punta compradora", "Punta vendedora"), ("Oferta de compra", "Venta")),
        "pt": (("Compra", "Venda"), ("Compra", "Oferta de venda")),
        "it": (("Denaro", "Lettera"),),
    },
    "yield": {
        "en": (("B Yld", "A Yld"), ("Bid Yield", "Ask Yield"), ("B YTM", "A YTM"), ("Bid Yld %", "Ask Yld %")),
        "de": (("Rendite Geld", "Rendite Brief"),),
        "fr": (("Rendement achat", "Rendement vente"),),
        "es": (("Tasa compra", "Tasa venta"), ("TIR compra", "TIR venta"), ("Rendimiento compra", "Rendimiento venta")),
        "pt": (("Taxa Compra", "Taxa Venda"),),
        "it": (("Rendimento denaro", "Rendimento lettera"),),
    },
    "spread": {
        "en": (("B Spd", "A Spd"), ("Bid Sprd", "Ask Sprd"), ("Bid Spread", "Offer Spread")),
        "de": (("Aufschlag Geld", "Aufschlag Brief"), ("Spread Geld", "Spread Brief")),
        "fr": (("Écart achat", "Écart vente"), ("Marge achat", "Marge vente")),
        "es": (("Diferencial compra", "Diferencial venta"),),
        "pt": (("Spread compra", "Spread venda"),),
        "it": (("Spread denaro", "Spread lettera"),),
    },
    "size": {
        "en": (("Bid Sz (mm)", "Ask Sz (mm)"), ("B Sz (mm)", "A Sz (mm)"), ("Bid Size (MM)", "Offer Size (MM)")),
        "de": (("Volumen Geld (Mio.)", "Volumen Brief (Mio.)"),),
        "fr": (("Montant achat (M€)", "Montant vente (M€)"),),
        "es": (("Monto compra (mm)", "Monto venta (mm)"),),
        "pt": (("Volume compra (mm)", "Volume venda (mm)"),),
        "it": (("Size denaro (mm)", "Size lettera (mm)"),),
    },
}
NAMED_SPREADS = {  # a spread's own letter or word before the side
    "spread_g_bp": "G Spd",
    "spread_i_bp": "I Spd",
    "spread_z_bp": "Z",
    "spread_asw_bp": "ASW",
    "spread_oas_bp": "OAS",
    "dm_bp": "DM",
}
MIDS = {
    "en": ("Mid",),
    "de": ("Mittelkurs",),
    "fr": ("Milieu",),
    "es": ("Mid",),
    "pt": ("Mid",),
    "it": ("Mid",),
}
TOTALS = {
    "en": ("Total", "Average", "Subtotal"),
    "de": ("Summe",),
    "fr": ("Total général",),
    "es": ("Promedio",),
    "pt": ("Média",),
    "it": ("Total",),
}
GREETING = {
    "en": ("Good morning all,", "Hi,", "Morning - levels below, happy to work orders."),
    "de": ("Guten Morgen,", "Hallo zusammen, anbei unsere Kurse."),
    "fr": ("Bonjour,", "Bonjour à tous, nos prix ci-dessous."),
    "es": ("Buenos días,", "Hola, adjunto niveles."),
    "pt": ("Bom dia,", "Bom dia a todos, seguem os níveis."),
    "it": ("Buongiorno,", "Ciao, ecco i livelli."),
}
CLOSING = {
    "en": ("Regards", "Thanks,", "Best"),
    "de": ("Mit freundlichen Grüßen", "Viele Grüße"),
    "fr": ("Cordialement", "Bien à vous"),
    "es": ("Saludos", "Un saludo"),
    "pt": ("Atenciosamente", "Abraços"),
    "it": ("Cordiali saluti", "Saluti"),
}
DISCLAIMER = {
    "en": "Disclaimer: this message is for the addressee alone, is no offer to buy or sell at 100.25 or any other level, "
    "and may differ from research. Call +44 20 7946 0181.",
    "de": "Haftungsausschluss: Diese Nachricht ist vertraulich. Kurse wie 99,50 sind Beispiele. Amtsgericht Frankfurt HRB 12345.",
    "fr": "Avertissement : ce message est confidentiel. Tél. +33 1 55 55 01 23, capital de 1 250 000 euros.",
    "es": "Aviso legal: este mensaje es confidencial. Tel. +34 91 555 0134, Calle Mayor 12, 28013 Madrid.",
    "pt": "Aviso legal: esta mensagem é confidencial. Tel. +55 11 5555 0145, Av. Paulista 1000, 01310-100.",
    "it": "Disclaimer: messaggio riservato. Tel. +39 02 5555 0167, Via Dante 7, 20121 Milano.",
}
HISTORY = {  # how a mail client heads what it quotes
    "en": ("On Tue, 17 Nov 2026 at 09:12, Bob Buyer <bob@buyer.example> wrote:", "-----Original Message-----"),
    "de": ("Am 17.11.2026 um 09:12 schrieb Bob Buyer:",),
    "fr": ("Le 17 nov. 2026 à 09:12, Bob Buyer a écrit :",),
    "es": ("El mar, 17 nov 2026 a las 09:12, Bob Buyer escribió:",),
    "pt": ("Em ter., 17 de nov. de 2026 às 09:12, Bob Buyer escreveu:",),
    "it": ("Il 17 nov 2026 alle 09:12 Bob Buyer ha scritto:",),
}
SIDE_HEADINGS = (("BIDS", "OFFERS"), ("WE BUY", "WE SELL"), ("Bids:", "Offers:"))
CHATTER = (  # lines of commentary, none of which is a quote (spec 2.9)
    "SPX 5,980 -0.3%, VIX 14.2, WTI 71.05.",
    "Desk line (212) 555-0155 x4417, fax (212) 555-0156.",
    "Two deals priced yesterday, books 3.2 times covered.",
    "Meeting at 14:30 in room 12, dial-in 555 0177 pin 88213.",
    "Ticket 4471823 from Tuesday is settled.",
    "See https://desk.example/runs/98.25?id=99 for colour.",
)
