"""What headings say: of a column, of the rows and lines under them (spec 5.3, 5.4, 5.6)."""
