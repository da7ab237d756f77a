"""Dates, times of day and zones, tenors, as mails write them."""
