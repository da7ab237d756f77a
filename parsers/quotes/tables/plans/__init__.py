"""Of which class and instrument a row is, which columns make a record, and what it measures."""
