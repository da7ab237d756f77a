"""What a piece of text says: numbers, prices, sizes, dates, tenors, identifiers (spec sections 3 and 4). Exact, no floats."""
