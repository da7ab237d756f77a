"""What stands around a table holds for its rows: titles, sections, who makes the prices."""
