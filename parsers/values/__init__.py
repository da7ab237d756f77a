"""What a piece of text says: numbers, prices, sizes, dates, tenors, identifiers (spec 3, 4). Exact, no floats."""
