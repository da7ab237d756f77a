"""What stands in every commentary and is quoted by no dealer of ours: indices of stocks and volatility, oil, gold."""

from __future__ import annotations

GAUGE = (
    r"(?:SPX|S\s?&\s?P(?:\s?500)?|SPY|VIX|MOVE|V2X|DAX|CAC(?:\s?40)?|FTSE(?:\s?(?:100|MIB))?|IBEX|SMI|Dow\s?Jones|DJIA|"
    r"Nasdaq(?:\s?100)?|NDX|Russell\s?2000|Nikkei(?:\s?225)?|Hang\s?Seng|HSI|(?:Euro\s?)?Stoxx(?:\s?\d+)?|SX[57X]E|TSX|"
    r"Bovespa|Ibov(?:espa)?|IBOV|Merval|WTI|Brent|DXY|Dollar\s?Index|Bitcoin|BTC(?:/?USD)?|Gold)"
)
"""The pattern of a name, as it is printed; none is an issuer's."""
